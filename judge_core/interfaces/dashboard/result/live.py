"""A run while it works: figures each second, charts every three. What is drawn follows from the run's sequence number alone.

Each part is a fragment that ticks only while the run works; when it has ended, the whole page is built once more.
"""

from __future__ import annotations

import time

import streamlit as st

from judge_core.interfaces.bench.states import AnyState
from judge_core.interfaces.dashboard.result.address import rerun_if_asked
from judge_core.interfaces.dashboard.result.sections.course import live_parts
from judge_core.interfaces.dashboard.result.sections.ranking import show_short_table
from judge_core.interfaces.dashboard.result.shown import Shown, look
from judge_core.interfaces.dashboard.result.words import (
    CLASSES,
    ITEM_CLASSES,
    ITEM_SIGNS,
    KINDS_OF_RUN,
    SIGNS,
    dollars,
    duration,
    ledger_line,
    plural,
)
from judge_core.interfaces.dashboard.result.words.methods import rounds_words, unit
from judge_core.interfaces.dashboard.safe import label
from judge_core.ranking.goals import certainty, goal_words
from judge_core.views.chances import standing
from judge_core.views.items.state import ItemState
from judge_core.views.items.tables import LEDGER_MEANINGS
from judge_core.views.refine.state import RefineState
from judge_core.views.state import RunState
from judge_core.views.tables import LEDGER_WORDS

TICK_S = 1.0
SLOW_TICK_S = 3.0
PACE_S = 30.0
"""The pace is measured over so many seconds."""
HOLD = "hold_charts"
HELD_STATE = "held_state"


def show_live_figures(run: str) -> None:
    """Progress and figures, each second until the run stops; they stand above the sections."""
    st.fragment(lambda: _figures(run), run_every=TICK_S)()


def show_live_charts(run: str) -> None:
    """Brackets or lists, Elo lines and ranking, every three seconds."""
    st.fragment(lambda: _charts(run), run_every=SLOW_TICK_S)()


def _figures(run: str) -> None:
    shown = _look_while_live(run)
    show_figures(shown.state, time_left(run, *progress(shown.state)))


def _look_while_live(run: str) -> Shown:
    rerun_if_asked()
    shown = look(run)
    if not shown.live:
        st.rerun()
    return shown


def progress(state: AnyState) -> tuple[int, int]:
    """Matches, lists, scores, items or passes that were judged, and all that are planned."""
    if isinstance(state, RunState):
        return state.judged, state.planned_matches
    if isinstance(state, RefineState):
        done = len(state.decided)
        return done, done if state.ended is not None else state.most_passes
    return len(state.items), len(state.spec.items)


def show_figures(state: RunState | ItemState, left: str = "") -> None:
    """Progress and what it took so far."""
    (done, planned), spent = progress(state), state.spent
    share = min(done / planned, 1.0) if planned else 0.0
    st.progress(share, text=f"{done:,} of {_planned(state, planned)} {_what(state)}{left}")
    with st.grid(min_column_width=130):
        if isinstance(state, RunState):
            st.metric("Round", rounds_words(state))
        st.metric("Calls", f"{spent.calls:,}", help="Requests sent to the judges, retries included.")
        st.metric("From cache", f"{spent.cached:,}", help="Answers that were known already, and cost nothing.")
        unknown = spent.cost.unknown > 0
        words = (
            f"{plural(spent.cost.unknown, 'call')} without a known price; the rest cost {dollars(spent.cost.known)}."
        )
        st.metric(
            "Spent",
            "unknown" if unknown else label(dollars(spent.cost.known)),
            help=label(words, 200) if unknown else None,
        )
        st.metric("Tokens", f"{spent.prompt_tokens + spent.completion_tokens:,}")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(label(ledger_line(state), 400), width="content")
        _ledger_words(state)


def _planned(state: RunState | ItemState, planned: int) -> str:
    """How many there will be; at the most, where the run may stop earlier."""
    open_ended = isinstance(state, RunState) and state.goal is not None and state.status != "done"
    return f"at most {planned:,}" if open_ended else f"{planned:,}"


def _what(state: RunState | ItemState) -> str:
    if isinstance(state, RunState):
        _, many, done = unit(state)
        return f"{many} {done}"
    return f"{KINDS_OF_RUN[state.spec.mode].noun}s judged"


def time_left(run: str, done: int, planned: int) -> str:
    """How long it may still take, by the pace of the last seconds; nothing while that is not known."""
    now, key = time.monotonic(), f"pace:{run}"
    seen: list[tuple[float, int]] = st.session_state.get(key, [])
    seen = [(at, number) for at, number in seen if now - at <= PACE_S] + [(now, done)]
    st.session_state[key] = seen
    spanned, judged = now - seen[0][0], done - seen[0][1]
    if spanned < 2 or judged <= 0 or planned <= done:
        return ""
    return f", {duration((planned - done) * spanned / judged)} left"


def _ledger_words(state: RunState | ItemState) -> None:
    """What each class of the ledger means."""
    with st.popover("What these mean", icon=":material/help:"):
        if isinstance(state, RunState):
            rows = [(SIGNS[name], CLASSES[name], LEDGER_WORDS[name]) for name in state.ledger]
        else:
            rows = [(ITEM_SIGNS[name], ITEM_CLASSES[name], words) for name, words in LEDGER_MEANINGS.items()]
        for sign, name, words in rows:
            st.markdown(f"{label(sign)} **{name}**: {words}")


def _charts(run: str) -> None:
    shown = _look_while_live(run)
    st.toggle(
        "Pause the charts", key=HOLD, help="The run goes on; only the pictures stand still while you look at them."
    )
    shown = _held(shown) if st.session_state.get(HOLD) else _released(shown)
    for heading, show in live_parts(shown.state).items():
        st.header(heading, anchor=False)
        show(shown)
    st.header("Ranking so far", anchor=False)
    _certainty(shown)
    show_short_table(shown)


def _certainty(shown: Shown) -> None:
    """How far the goal is reached, while the run works towards it."""
    goal, posterior = shown.state.goal, standing(shown.state, shown.table)
    if goal is not None and posterior is not None:
        now = certainty(goal, posterior)
        st.markdown(
            f"Certainty now **{now:.0%}**; the run goes on to {goal.probability:.0%}: {label(goal_words(goal), 200)}."
        )


def _held(shown: Shown) -> Shown:
    """The run as it stood when the charts were paused."""
    held: Shown | None = st.session_state.get(HELD_STATE)
    if held is None or held.id != shown.id:
        held = st.session_state[HELD_STATE] = shown
    return held


def _released(shown: Shown) -> Shown:
    st.session_state.pop(HELD_STATE, None)
    return shown
