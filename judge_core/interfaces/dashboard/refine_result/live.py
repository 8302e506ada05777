"""A tournament while it works: the steps of the running pass each second, the pictures and the text when something changed."""

from __future__ import annotations

from typing import Literal

import streamlit as st

from judge_core.interfaces.dashboard.refine_result.charts import show_ballots, show_flow
from judge_core.interfaces.dashboard.refine_result.shown import ShownRefinement, look_refinement
from judge_core.interfaces.dashboard.refine_result.standing import show_figures, show_standing_text
from judge_core.interfaces.dashboard.result.address import rerun_if_asked
from judge_core.records.refinement.nouns import STEPS, StepRole
from judge_core.views.refine.state import PassView, RefineState

TICK_S = 1.0
CHARTS_TICK_S = 3.0
Mark = Literal["done", "now", "next"]
WORDS: dict[StepRole, str] = {
    "critic": "Critic finds problems", "author_b": "Author revises", "synthesizer": "Both versions are merged",
}  # fmt: skip
ICONS: dict[Mark, str] = {
    "done": ":green[:material/check_circle:]", "now": ":blue[:material/pending:]",
    "next": ":gray[:material/radio_button_unchecked:]",
}  # fmt: skip
SPOKEN: dict[Mark, str] = {"done": "done", "now": "**now**", "next": "to come"}


def show_live_progress(run: str) -> None:
    """The steps of the running pass and the figures; when nobody works on the run any more, the page is drawn anew."""
    st.fragment(lambda: _progress(run), run_every=TICK_S)()


def show_live_pictures(shown: ShownRefinement) -> None:
    """The incumbent's way, the last decision, and the text as it stands."""
    st.fragment(lambda: _pictures(shown.id), run_every=CHARTS_TICK_S)()


def _look(run: str) -> ShownRefinement:
    rerun_if_asked()
    shown = look_refinement(run)
    if not shown.live:
        st.rerun()
    return shown


def _progress(run: str) -> None:
    shown = _look(run)
    state = shown.state
    done = len(state.decided)
    st.progress(min(done / max(state.most_passes, 1), 1.0), text=f"{done} of at most {state.most_passes} passes")
    with st.container(border=True):
        st.markdown(f"**Pass {done + 1}**")
        for words, mark in steps_now(state):
            st.markdown(f"{ICONS[mark]} {words}: {SPOKEN[mark]}")
    show_figures(state)


def _pictures(run: str) -> None:
    shown = _look(run)
    if shown.state.decided:
        st.subheader("The way of the text", anchor=False)
        show_flow(shown)
        last = shown.state.decided[-1]
        st.subheader(f"How pass {last.number} was decided", anchor=False)
        show_ballots(shown, last)
    st.subheader("The text as it stands", anchor=False)
    show_standing_text(shown)


def steps_now(state: RefineState) -> list[tuple[str, Mark]]:
    """The steps of the running pass, in our own words: each is done, is being done, or is to come."""
    view = _running(state)
    written = [view is not None and view.written(role) is not None for role in STEPS]
    first = next((at for at, there in enumerate(written) if not there), len(STEPS))
    steps: list[tuple[str, Mark]] = [
        (WORDS[role], "done" if there else "now" if at == first else "next")
        for at, (role, there) in enumerate(zip(STEPS, written, strict=True))
    ]
    judges, ranked = len(state.spec.panel), len(view.ballots) if view else 0
    mark: Mark = "now" if first == len(STEPS) else "next"
    return [*steps, (f"Judges rank, {ranked} of {judges}", mark)]


def _running(state: RefineState) -> PassView | None:
    """The pass that is not decided yet; None before its critic has answered."""
    view = state.passes[max(state.passes)] if state.passes else None
    return None if view is None or view.decided else view
