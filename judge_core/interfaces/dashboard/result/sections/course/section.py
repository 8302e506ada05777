"""How it went: which parts of its course a run has, one shown at a time."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from judge_core.interfaces.dashboard.result.sections.course.brackets import show_bracket, show_knockout
from judge_core.interfaces.dashboard.result.sections.course.listings import show_lists, show_scores
from judge_core.interfaces.dashboard.result.sections.course.results import (
    show_elo,
    show_elo_course,
    show_ledger,
    show_matrix,
)
from judge_core.interfaces.dashboard.result.shown import Shown
from judge_core.views.state import RunState

PART = "course_part"
BRACKETS = {"swiss": "Swiss bracket", "knockout": "Knock-out bracket"}
Part = Callable[[Shown], None]


def show_course(shown: Shown) -> None:
    """One part of the course at a time: with a thousand matches, all charts together would take seconds."""
    parts = parts_of(shown.state)
    if st.session_state.get(PART) not in parts:  # left there by a run of another method
        st.session_state.pop(PART, None)
    part = st.radio("Show", list(parts), horizontal=True, key=PART, persist_state="page")
    parts[part](shown)


def parts_of(state: RunState) -> dict[str, Part]:
    """What the run has of a course; one that has nothing yet shows what its method will bring."""
    pairs, lists, _ = has(state)
    found = _judged(state, "whole")
    if pairs or lists:
        found |= {
            "Elo, match by match" if pairs else "Elo, list by list": show_elo_course,
            "Who beat whom": show_matrix,
        }
    return {**found, "Every judgment": show_ledger}


def live_parts(state: RunState) -> dict[str, Part]:
    """What a run shows while it works, each under its heading; scores only where nothing else tells of the texts."""
    pairs, lists, _ = has(state)
    found = _judged(state, "live")
    if pairs or lists:
        found.pop("Scores", None)
        found["Elo"] = lambda of: show_elo(of, "live")
    return found


def _judged(state: RunState, where: str) -> dict[str, Part]:
    """A part for each kind of what is judged."""
    pairs, lists, singles = has(state)
    found: dict[str, Part] = {}
    if pairs:
        found[bracket_name(state)] = lambda of: _bracket(of, where)
    if lists:
        found["Lists"] = lambda of: show_lists(of, where)
    if singles:
        found["Scores"] = lambda of: show_scores(of, where)
    return found


def has(state: RunState) -> tuple[bool, bool, bool]:
    """Whether there are pairs, lists and single texts in the run, or will be by its method."""
    rounds, method = state.rounds.values(), state.spec.method
    lists = any(view.groups for view in rounds) or method == "listwise"
    singles = any(view.singles for view in rounds) or method == "pointwise"
    return any(view.pairs for view in rounds) or method not in ("listwise", "pointwise"), lists, singles


def bracket_name(state: RunState) -> str:
    """How the rounds of pairs are called."""
    return BRACKETS.get(state.spec.method, "Round by round")


def _bracket(shown: Shown, place: str) -> None:
    (show_knockout if shown.state.spec.method == "knockout" else show_bracket)(shown, place)
