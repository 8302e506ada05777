"""Other weights, or the judges' overall choice: the ranking is made anew from the stored judgments, without a call."""

from __future__ import annotations

from typing import cast

import streamlit as st

from judge_core.interfaces.dashboard.result.sections.ranking import show_short_table
from judge_core.interfaces.dashboard.result.shown import Shown, ranking
from judge_core.interfaces.dashboard.safe import label
from judge_core.views.reweighing import Choice, weights_of
from judge_core.views.standings import Standings

LARGEST = 100.0
CHOICES: dict[Choice, str] = {"criteria": "Weighted criteria", "overall": "The judge's overall choice"}
SET = "chosen_weights"
"""In the session: run -> what the reader set."""


def chosen(run: str) -> tuple[dict[str, float] | None, Choice]:
    """The weights and the choice that the reader set for a run; (None, 'criteria') where nothing was."""
    weights, choice = st.session_state.get(SET, {}).get(run, (None, "criteria"))
    return weights, choice


def show_weights(shown: Shown) -> None:
    """The fields, and what they change."""
    st.markdown(
        "Try other weights: the ranking follows at once, from the judgments that are there. **No judge is asked, nothing is paid.**"
    )
    _choice(shown)
    if shown.choice == "criteria":
        _fields(shown)
    st.button(
        "Back to the run's own ranking",
        icon=":material/undo:",
        key="weights_reset",
        on_click=_reset,
        args=(shown,),
        disabled=not shown.changed,
    )
    if shown.changed:
        _moves(shown)
    st.subheader("The ranking with these weights", anchor=False)
    show_short_table(shown)


def _choice(shown: Shown) -> None:
    key = f"choice:{shown.id}"
    st.session_state.setdefault(key, shown.choice)
    st.radio(
        "Rank by", list(CHOICES), format_func=lambda choice: CHOICES[choice], horizontal=True, key=key, on_change=_keep,
        args=(shown,),
        help="The criteria's scores with their weights, or the winner that the judge named beside them.",
    )  # fmt: skip


def _fields(shown: Shown) -> None:
    now = shown.weights or weights_of(shown.state.spec.rubric)
    total = sum(now.values())
    with st.grid(min_column_width=220):
        for number, (name, weight) in enumerate(now.items()):
            key = _field(shown, number)
            st.session_state.setdefault(key, float(weight))
            share = f"{100 * weight / total:.0f} % of the whole" if total else ""
            st.number_input(
                label(name, 60), min_value=0.0, max_value=LARGEST, step=0.05, format="%.2f", key=key, on_change=_keep,
                args=(shown,), help=f"Only the share counts: {share}.",
            )  # fmt: skip
    if total:
        shares = ", ".join(f"{label(name, 40)} {100 * weight / total:.0f} %" for name, weight in now.items())
        st.caption(f"Shares now: {shares}")


def _field(shown: Shown, number: int) -> str:
    return f"weight:{shown.id}:{number}"


def _keep(shown: Shown) -> None:
    """Takes the fields over; all weights at 0 decide nothing and are not taken."""
    own = weights_of(shown.state.spec.rubric)
    known = chosen(shown.id)[0] or own
    weights = {name: float(st.session_state.get(_field(shown, n), known[name])) for n, name in enumerate(own)}
    choice = cast(Choice, st.session_state.get(f"choice:{shown.id}") or "criteria")
    kept = None if weights == own else weights
    if not any(weights.values()):
        st.toast("All weights are 0. Give at least one criterion a weight.", icon=":material/warning:")
        return
    st.session_state.setdefault(SET, {})[shown.id] = (kept, choice)


def _reset(shown: Shown) -> None:
    st.session_state.get(SET, {}).pop(shown.id, None)
    st.session_state.pop(f"choice:{shown.id}", None)
    for number in range(len(shown.state.spec.rubric.criteria)):
        st.session_state.pop(_field(shown, number), None)


def _moves(shown: Shown) -> None:
    """The texts whose rank is another one now."""
    home = str(shown.bench.home.root)
    _, own = ranking(home, shown.id, shown.state.last_seq, None, "criteria", shown.state)
    moved = _moved(own, shown.table)
    if not moved:
        st.markdown(":material/check_circle: **No rank changes.**")
        return
    st.markdown(f"**{len(moved)} of {len(own.rows)} texts change their rank**")
    rows = [
        {"text": shown.called(alias), "rank": now, "before": before, "move": _arrow(before, now)}
        for alias, before, now in moved
    ]
    names = {"text": "Text", "rank": "Rank now", "before": "Rank before", "move": "Move"}
    st.dataframe(rows, hide_index=True, column_config=names, alt="Texts whose rank changes with these weights")


def _moved(own: Standings, now: Standings) -> list[tuple[str, int | None, int | None]]:
    before = {row.alias: row.rank for row in own.rows}
    return [(row.alias, before[row.alias], row.rank) for row in now.rows if row.rank != before[row.alias]]


def _arrow(before: int | None, now: int | None) -> str:
    if before is None or now is None:
        return "no rank now" if now is None else "ranked now"
    return f"▲ {before - now} up" if now < before else f"▼ {now - before} down"
