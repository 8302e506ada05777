"""The criteria's weights, or the judges' overall choice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import cast

import streamlit as st

from judge_core.interfaces.dashboard.result.sections.weights.kept import chosen, field, keep
from judge_core.interfaces.dashboard.result.shown import Shown
from judge_core.interfaces.dashboard.safe import label
from judge_core.scoring.rubric.parts.weights import make_100
from judge_core.views.reweighing import Choice, weights_of

LARGEST = 100.0
CHOICES: dict[Choice, str] = {"criteria": "Weighted criteria", "overall": "The judge's overall choice"}


def show_criteria(shown: Shown) -> None:
    """The choice, and the weights where they decide. A ranked list was not scored by criterion: it stays as it is."""
    if any(not view.single for view in shown.state.listings.values()):
        st.markdown(
            ":material/info: Lists are put in order as a whole, not scored by criterion: weights change nothing in them."
        )
    if not (shown.state.matches or any(view.single for view in shown.state.listings.values())):
        return
    if shown.state.matches:
        _choice(shown)
    if shown.chosen.choice == "criteria":
        _fields(shown)


def _choice(shown: Shown) -> None:
    key = field(shown, "choice")
    st.session_state.setdefault(key, shown.chosen.choice)
    st.radio(
        "Rank by", list(CHOICES), format_func=lambda choice: CHOICES[choice], horizontal=True, key=key, on_change=_keep,
        args=(shown,),
        help="The criteria's scores with their weights, or the winner that the judge named beside them.",
    )  # fmt: skip


def _fields(shown: Shown) -> None:
    st.markdown("**Weights in %.** Only their proportion counts: they are brought to 100 % together.")
    now = shown.chosen.given or _own(shown)
    with st.grid(min_column_width=220):
        for number, (name, weight) in enumerate(now.items()):
            key = field(shown, number)
            st.session_state.setdefault(key, weight)
            st.number_input(
                label(name, 60), min_value=0.0, max_value=LARGEST, step=5.0, format="%.1f", key=key, on_change=_keep,
                args=(shown,),
            )  # fmt: skip
    if not weightless(shown):
        shares = ", ".join(f"{label(name, 40)} {share:g} %" for name, share in in_percent(_in_fields(shown)).items())
        st.caption(f"Shares now: {shares}")


def in_percent(weights: Mapping[str, float]) -> dict[str, float]:
    """The weights in percent that add up to 100; one of 0 stays 0.

    >>> in_percent({"Argument": 1, "Style": 1, "Wit": 1, "Ink": 0})
    {'Argument': 33.4, 'Style': 33.3, 'Wit': 33.3, 'Ink': 0.0}
    """
    weighing = [name for name, weight in weights.items() if weight > 0]
    return {
        **dict.fromkeys(weights, 0.0),
        **dict(zip(weighing, make_100([weights[name] for name in weighing]), strict=True)),
    }


def weightless(shown: Shown) -> bool:
    """Whether the fields on the page are all at 0, so that nothing can be ranked by them."""
    return shown.chosen.choice == "criteria" and not any(_in_fields(shown).values())


def _own(shown: Shown) -> dict[str, float]:
    return in_percent(weights_of(shown.state.spec.rubric))


def _in_fields(shown: Shown) -> dict[str, float]:
    """What the fields say; where there are none, what was set before."""
    known = chosen(shown.id).given or _own(shown)
    return {name: float(st.session_state.get(field(shown, n), known[name])) for n, name in enumerate(known)}


def _keep(shown: Shown) -> None:
    """Takes the fields over. All weights at 0 decide nothing: what was set before them is given up too."""
    weights, before = _in_fields(shown), chosen(shown.id)
    choice = cast(Choice, st.session_state.get(field(shown, "choice")) or "criteria")
    own = weights == _own(shown) or not any(weights.values())
    keep(shown.id, replace(before, weights=None if own else tuple(weights.items()), choice=choice))
