"""The page of a refinement tournament: live while it works, then how it ended, the text, its passes, what changed."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from judge_core.interfaces.dashboard.refine_result.passes import show_changes, show_passes
from judge_core.interfaces.dashboard.refine_result.shown import ShownRefinement, look_refinement
from judge_core.interfaces.dashboard.refine_result.steering import show_steering
from judge_core.interfaces.dashboard.result.address import rerun_if_asked
from judge_core.interfaces.dashboard.result.controls import show_controls
from judge_core.interfaces.dashboard.result.header import show_header
from judge_core.interfaces.dashboard.result.sections.take_away import file_row
from judge_core.interfaces.dashboard.result.words import dollars
from judge_core.interfaces.dashboard.safe import label, prose
from judge_core.views.refine.sentence import verdict
from judge_core.views.refine.state import RefineState, Stage

TICK_S = 1.0
LONGEST = 1200
STAGES: dict[Stage, str] = {
    "initialized": "waits to be started", "critic": "the critic reads the text", "author_b": "the author revises",
    "synthesizer": "both versions are merged", "judges": "the judges rank", "converged": "converged", "ended": "ended",
}  # fmt: skip
ABOUT = {
    "final_output.md": ("Text (Markdown)", "text/markdown", "The version that stands now."),
    "refinement.zip": ("Whole tournament (zip)", "application/zip", "Every version, critique and ranking of every pass, readable without Podium."),
    "refinement.json": ("Record (JSON)", "application/json", "How it ended, passes, agreement, cost."),
}  # fmt: skip


def show_refinement_page(shown: ShownRefinement) -> None:
    """The whole page."""
    show_header(shown)
    show_controls(shown)
    show_steering(shown)
    if shown.live:
        st.fragment(lambda: _figures(shown.id), run_every=TICK_S)()
    elif not shown.state.last_seq:
        st.markdown("Nothing was asked yet. Start it when you are ready.")
        return
    else:
        _verdict(shown)
    sections: dict[str, Callable[[ShownRefinement], None]] = {
        "The text": _text, "What changed": show_changes, "Passes": show_passes, "Take away": _take_away,
    }  # fmt: skip
    for tab, show in zip(
        st.tabs(list(sections), key="refine_section", on_change="rerun"), sections.values(), strict=True
    ):
        if tab.open:
            with tab:
                show(shown)


def _verdict(shown: ShownRefinement) -> None:
    said = verdict(shown.state)
    with st.container(border=True):
        st.header(label(said.sentence, LONGEST), anchor=False)
        for remark in said.remarks:
            if "demo judge" not in remark:  # it stands in the page's head
                st.markdown(f"- {label(remark, 400)}")
    show_figures(shown.state)


def _figures(run: str) -> None:
    rerun_if_asked()
    shown = look_refinement(run)
    if not shown.live:
        st.rerun()
    stage = shown.state.stage
    number = len(shown.state.decided) + 1
    st.markdown(f"**Pass {number}**: {STAGES[stage]}.")
    show_figures(shown.state)


def show_figures(state: RefineState) -> None:
    """Passes, streak, calls and money so far."""
    spent = state.spent
    with st.grid(min_column_width=130):
        st.metric("Passes", len(state.decided), help=f"At most {state.most_passes:,} are played.")
        st.metric(
            "Streak",
            f"{state.streak} of {state.spec.stopping.k}",
            help="How often in a row the text that stands has won.",
        )
        st.metric("Calls", f"{spent.calls:,}")
        st.metric("From cache", f"{spent.cached:,}")
        st.metric("Spent", label(dollars(spent.cost.exact)))


def _text(shown: ShownRefinement) -> None:
    changed = shown.state.incumbent != shown.state.first
    if changed:
        st.badge("AI-rewritten", icon=":material/smart_toy:", color="orange")
        st.caption("This text was rewritten by a model. It is never to be graded as its author's.")
    prose(shown.words(shown.state.incumbent))


def _take_away(shown: ShownRefinement) -> None:
    if shown.live:
        st.markdown("The tournament is still going on: the files hold what there is until now.")
    for name, file in shown.results.files().items():
        words, mime, about = ABOUT[name]
        file_row(words, name, mime, about, lambda file=file: file.content(shown.results))  # type: ignore[misc]
