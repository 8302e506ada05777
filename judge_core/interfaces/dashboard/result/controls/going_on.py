"""Going on with a ranking: what more would settle, what it would cost, and the button."""

from __future__ import annotations

import streamlit as st

from judge_core.interfaces.bench.changes import extend_run
from judge_core.interfaces.bench.panel import Keys
from judge_core.interfaces.dashboard.result.controls.acting import act, key_fields, typed
from judge_core.interfaces.dashboard.result.controls.outlook import (
    advice,
    advice_words,
    outlook,
    rounds_for,
)
from judge_core.interfaces.dashboard.result.shown import Shown
from judge_core.interfaces.dashboard.result.words import dollars, plural
from judge_core.interfaces.dashboard.safe import label
from judge_core.interfaces.dashboard.session import workbench
from judge_core.ranking.goals import goal_words
from judge_core.records.spec import Goal
from judge_core.views.outlook import judgments_left
from judge_core.views.sentence import all_met

OPEN = "extend_open"
"""In the session: whether the outlook is open."""
MOST = 100
USUAL = 3


def changeable(shown: Shown) -> bool:
    """Whether further rounds and other texts can be had: the run has stopped and may go on."""
    return not shown.live and shown.state.status in ("done", "paused") and shown.state.judged > 0


def show_going_on(shown: Shown) -> None:
    """A button that opens the outlook; what it says is worked out when it is opened."""
    with st.popover("Go on", icon=":material/fast_forward:", key=OPEN, on_change="rerun") as popover:
        if popover.open:
            _outlook(shown)


def _outlook(shown: Shown) -> None:
    found = advice(shown)
    st.markdown("**What more judgments would settle**")
    for one in found:
        st.markdown(f"- {label(advice_words(shown, one), 300)}")
    if shown.changed:
        st.caption("Said of the ranking as you set it under Weights; the run itself goes on by its own settings.")
    if shown.state.status == "paused":
        st.caption(
            "These rounds take the place of those that are still planned. To play the planned ones, press Resume."
        )
    if judgments_left(shown.state) == 0:
        st.markdown(f":material/info: {all_met(shown.state)}")
        return
    st.caption(_kind(shown))
    rounds = _rounds(shown, rounds_for(shown, found) or USUAL)
    goal = _goal(shown, [one.goal for one in found if one.further != 0])
    ahead = outlook(shown, rounds)
    st.markdown(f"At most **{plural(ahead.calls, 'call')}**, about **{label(dollars(ahead.cost))}**.")
    needed = shown.bench.keyless(shown.id)
    fields = key_fields(needed, "extend") if needed else {}
    words = f"Go on for {plural(rounds, 'round')}" if goal is None else f"Go on for at most {plural(rounds, 'round')}"
    st.button(
        words, key="extend", type="primary", on_click=act,
        args=(lambda: _extend(shown.id, rounds, goal, typed(fields)),),
    )  # fmt: skip


def _kind(shown: Shown) -> str:
    """What further rounds are."""
    method = shown.state.spec.method
    if method == "listwise":
        return "A further round puts every text into one more list."
    if method == "swiss":
        return "A further round lets every text meet one more of like standing."
    return "A further round is as many matches as all texts in pairs, those that tell most."


def _rounds(shown: Shown, usual: int) -> int:
    key = f"extend_rounds:{shown.id}:{shown.state.last_seq}"
    st.session_state.setdefault(key, min(usual, MOST))
    return int(st.number_input("Further rounds, at the most", min_value=1, max_value=MOST, step=1, key=key))


def _goal(shown: Shown, goals: list[Goal]) -> Goal | None:
    """When to stop; None: after all of the rounds."""
    if not goals:
        return None
    return st.selectbox(
        "Stop as soon as this is settled", goals, index=None, placeholder="play all of these rounds", key=f"extend_goal:{shown.id}:{shown.state.last_seq}",
        format_func=goal_words, width=460,
    )  # fmt: skip


def _extend(run: str, rounds: int, goal: Goal | None, keys: Keys) -> None:
    extend_run(workbench(), run, rounds, goal, keys)
    st.session_state[OPEN] = False
