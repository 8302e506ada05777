"""The page of a refinement tournament: live while it works, then how it ended, the text, its passes, what changed."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from judge_core.interfaces.dashboard.refine_result.changed import show_changes
from judge_core.interfaces.dashboard.refine_result.live import show_live_pictures, show_live_progress
from judge_core.interfaces.dashboard.refine_result.passes import show_passes
from judge_core.interfaces.dashboard.refine_result.shown import ShownRefinement
from judge_core.interfaces.dashboard.refine_result.standing import show_figures, show_standing_text, show_verdict
from judge_core.interfaces.dashboard.refine_result.steering import show_steering
from judge_core.interfaces.dashboard.refine_result.take_away import show_take_away
from judge_core.interfaces.dashboard.result.controls import show_controls
from judge_core.interfaces.dashboard.result.header import show_header

SECTIONS: dict[str, Callable[[ShownRefinement], None]] = {
    "The text": show_standing_text, "What changed": show_changes, "Passes": show_passes, "Take away": show_take_away,
}  # fmt: skip

LIVE = "Live"


def show_refinement_page(shown: ShownRefinement) -> None:
    """The whole page. While it works, progress and pictures keep themselves up to date."""
    show_header(shown)
    show_controls(shown)
    show_steering(shown)
    if shown.live:
        show_live_progress(shown.id)
    elif not shown.state.last_seq:
        st.markdown("Nothing was asked yet. Start it when you are ready.")
        return
    else:
        show_verdict(shown)
        show_figures(shown.state)
    sections = {LIVE: show_live_pictures, **SECTIONS} if shown.live else SECTIONS
    tabs = st.tabs(list(sections), key="refine_section_live" if shown.live else "refine_section", on_change="rerun")
    for tab, show in zip(tabs, sections.values(), strict=True):
        if tab.open:
            with tab:
                show(shown)
