"""A run: live while it works, then its verdict, its ranking, and all that stands behind them."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from judge_core.interfaces.dashboard.item_result.page import show_items_page
from judge_core.interfaces.dashboard.item_result.shown import look_items
from judge_core.interfaces.dashboard.refine_result.page import show_refinement_page
from judge_core.interfaces.dashboard.refine_result.shown import look_refinement
from judge_core.interfaces.dashboard.result.address import rerun_if_asked
from judge_core.interfaces.dashboard.result.controls import show_controls
from judge_core.interfaces.dashboard.result.drawer import show_drawer
from judge_core.interfaces.dashboard.result.header import show_header
from judge_core.interfaces.dashboard.result.live import show_figures, show_live_charts, show_live_figures
from judge_core.interfaces.dashboard.result.sections.comparison import show_comparison
from judge_core.interfaces.dashboard.result.sections.course import show_course
from judge_core.interfaces.dashboard.result.sections.matches import show_matches
from judge_core.interfaces.dashboard.result.sections.ranking import show_ranking, show_verdict
from judge_core.interfaces.dashboard.result.sections.take_away import show_take_away
from judge_core.interfaces.dashboard.result.sections.trust import show_trust
from judge_core.interfaces.dashboard.result.sections.weights import chosen, show_weights
from judge_core.interfaces.dashboard.result.sections.why import show_why
from judge_core.interfaces.dashboard.result.shown import Shown, current_run, look, show_missing
from judge_core.interfaces.dashboard.session import workbench
from judge_core.records.errors import InputError

SECTIONS: dict[str, Callable[[Shown], None]] = {
    "Ranking": show_ranking,
    "Why is A above B?": show_why,
    "Can you trust this?": show_trust,
    "Weights": show_weights,
    "Matches": show_matches,
    "How it went": show_course,
    "Take away": show_take_away,
}
PAIR: dict[str, Callable[[Shown], None]] = {
    "The comparison": show_comparison,
    **{name: SECTIONS[name] for name in ("Can you trust this?", "Weights", "Take away")},
}
# Of a run that is one comparison: a bracket, ratings or a table of ranks would say nothing.
LIVE = "Live"
JUDGED = {"listwise": "Lists", "pointwise": "Scores"}
# What the section of all that was judged is called, by method.


def show_page() -> None:
    """The whole page."""
    rerun_if_asked(whole=True)
    run = current_run()
    if run is None:
        show_missing()
        return
    try:
        mode = workbench().journal.row(run).spec.mode
        if mode == "refine":
            show_refinement_page(look_refinement(run))
            return
        if mode != "rank":
            show_items_page(look_items(run))
            return
        shown = look(run, chosen(run))
    except InputError as error:
        show_missing(error)
        return
    show_header(shown)
    show_controls(shown)
    show_run(shown)
    if not shown.pair:  # else the one match stands open anyhow
        show_drawer(shown)


def show_run(shown: Shown) -> None:
    """Verdict, figures and sections, as far as there is something to show."""
    if shown.live:
        show_live_figures(shown.id)
    elif not shown.state.last_seq:
        st.markdown("Nothing was asked yet. Start it when you are ready.")
        return
    else:
        show_verdict(shown)
        if shown.state.status != "done":
            show_figures(shown.state)
    live = {LIVE: lambda of: show_live_charts(of.id)} if shown.live and not shown.pair else {}
    sections: dict[str, Callable[[Shown], None]] = {**live, **(PAIR if shown.pair else _sections(shown))}
    kind = "pair_section" if shown.pair else "section"
    tabs = st.tabs(list(sections), key=f"{kind}_live" if shown.live else kind, on_change="rerun")
    for tab, show in zip(tabs, sections.values(), strict=True):
        if tab.open:
            with tab:
                show(shown)


def _sections(shown: Shown) -> dict[str, Callable[[Shown], None]]:
    judged = "Matches" if shown.state.matches else JUDGED.get(shown.state.spec.method, "Matches")
    return {judged if name == "Matches" else name: show for name, show in SECTIONS.items()}


show_page()
