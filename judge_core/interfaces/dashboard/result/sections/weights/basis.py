"""What a verdict counts for: who won or by how much; judges by their sharpness; texts without what their length gains.

Each switch is off as the run was published, and says both ways what it would change.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, cast

import numpy as np
import streamlit as st

from judge_core.interfaces.dashboard.result.sections.weights.kept import chosen, field, keep
from judge_core.interfaces.dashboard.result.sections.weights.moves import moved_words
from judge_core.interfaces.dashboard.result.shown import Chosen, Shown
from judge_core.interfaces.dashboard.result.words.methods import EVIDENCE
from judge_core.interfaces.dashboard.safe import label
from judge_core.ranking.bradley_terry import POINTS_PER_LOGIT, Effect
from judge_core.records.errors import InputError
from judge_core.records.spec import Evidence
from judge_core.views.evidence import Basis
from judge_core.views.sentence import rated_words
from judge_core.views.standings import Standings
from judge_core.views.state import RunState

Switch = Literal["discrimination", "length"]
SWITCHES: dict[Switch, str] = {
    "discrimination": "Judges who tell texts apart more sharply count for more",
    "length": "Take out what longer texts gain by their length",
}


def show_basis(shown: Shown) -> None:
    """The switches that this run allows."""
    if not shown.table.rated:
        return
    st.subheader("What a verdict counts for", anchor=False)
    _evidence(shown)
    if len(shown.state.spec.judges) > 1:
        _switch(shown, "discrimination")
    _switch(shown, "length")


def evidences(state: RunState) -> list[Evidence]:
    """What of its verdicts a run can be rated by."""
    found = [judgment for view in state.matches.values() for judgment in view.judgments if judgment.decided]
    there: dict[Evidence, bool] = {
        "margins": any(judgment.scores and judgment.totals is not None for judgment in found),
        "levels": any(judgment.level is not None for judgment in found),
        "probabilities": any(judgment.probability is not None for judgment in found),
    }
    own = state.spec.evidence
    return ["winner", *(name for name, has in there.items() if has or name == own)] if found else []


def _evidence(shown: Shown) -> None:
    options, key = evidences(shown.state), field(shown, "evidence")
    if len(options) < 2:
        return
    st.session_state.setdefault(key, shown.chosen.basis.evidence or shown.state.spec.evidence)
    st.radio(
        "A verdict of a match counts by", options, format_func=lambda name: EVIDENCE[name][0].upper() + EVIDENCE[name][1:],
        key=key, on_change=_keep, args=(shown,), help="The run itself was rated by: " + EVIDENCE[shown.state.spec.evidence] + ".",
    )  # fmt: skip
    st.caption(label(rated_words(shown.weighed, shown.chosen.basis), 300))


def _switch(shown: Shown, name: Switch) -> None:
    key = field(shown, name)
    st.session_state.setdefault(key, getattr(shown.chosen.basis, name))
    st.toggle(SWITCHES[name], key=key, on_change=_keep, args=(shown,))
    try:
        without, counted = (shown.by(_with(shown.chosen, name, on=on)) for on in (False, True))
    except InputError as error:
        st.caption(label(str(error), 300))
        return
    effect = _sharpness(shown, counted) if name == "discrimination" else _length(counted)
    st.caption(f"{effect} Counted so, {moved_words(without, counted)}." if effect else NOTHING[name])
    if name == "length":
        st.caption(
            ":material/warning: It takes out all that goes with length, and so also the true quality of texts that are longer "
            "because they say more."
        )


NOTHING: dict[Switch, str] = {
    "discrimination": "Nothing tells the judges' sharpness apart.",
    "length": "All texts are of one length, so nothing can be taken out.",
}


def _with(found: Chosen, name: Switch, *, on: bool) -> Chosen:
    basis = replace(found.basis, discrimination=on) if name == "discrimination" else replace(found.basis, length=on)
    return replace(found, basis=basis)


def _sharpness(shown: Shown, table: Standings) -> str:
    """Each judge's multiplier with its interval."""
    effects = table.posterior.discriminations if table.posterior else {}
    parts = [
        f"{label(shown.state.spec.judge_names[int(judge)], 40)} {effect.logits:.2f} "
        f"({effect.logits / _reach(effect):.2f} to {effect.logits * _reach(effect):.2f})"
        for judge, effect in effects.items()
    ]
    return f"Estimated sharpness, 1 is the judges' mean, with 95 % intervals: {', '.join(parts)}." if parts else ""


def _reach(effect: Effect) -> float:
    return float(np.exp(effect.reach))


def _length(table: Standings) -> str:
    """What a doubling of the words gains, with its interval; '' where it cannot be told."""
    effect = table.posterior.length_effect if table.posterior else None
    if effect is None:
        return ""
    points, reach = effect.logits * POINTS_PER_LOGIT, effect.reach * POINTS_PER_LOGIT
    span = f"(95 % interval {points - reach:+.0f} to {points + reach:+.0f})"
    seen = "" if abs(points) > reach else " That is not to be told from 0."
    return f"Estimated: a text of twice the words gains {points:+.0f} points {span}.{seen}"


def _keep(shown: Shown) -> None:
    before = chosen(shown.id)
    state, own = st.session_state, shown.state.spec.evidence
    evidence = cast(Evidence, state.get(field(shown, "evidence")) or own)
    basis = Basis(
        evidence=None if evidence == own else evidence,
        discrimination=bool(state.get(field(shown, "discrimination"), False)),
        length=bool(state.get(field(shown, "length"), False)),
    )
    keep(shown.id, replace(before, basis=basis))
