"""The page of a run of items: live while it works, then its verdict, its results, and all that stands behind them."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from judge_core.interfaces.dashboard.item_result.live import show_live_figures, show_live_results
from judge_core.interfaces.dashboard.item_result.results import show_results
from judge_core.interfaces.dashboard.item_result.shown import ShownItems
from judge_core.interfaces.dashboard.item_result.take_away import show_take_away
from judge_core.interfaces.dashboard.item_result.trust.section import show_trust
from judge_core.interfaces.dashboard.item_result.why.section import WHY, show_why
from judge_core.interfaces.dashboard.result.address import opened_item
from judge_core.interfaces.dashboard.result.controls import show_controls
from judge_core.interfaces.dashboard.result.header import show_header
from judge_core.interfaces.dashboard.result.live import show_figures
from judge_core.interfaces.dashboard.safe import label
from judge_core.views.items.sentence import item_verdict

SECTIONS: dict[str, Callable[[ShownItems], None]] = {
    "Results": show_results,
    WHY: show_why,
    "Can you trust this?": show_trust,
    "Take away": show_take_away,
}
LIVE = "Results so far"
LONG = 60
"""Letters from which on only the first sentence stands in large letters."""
LONGEST = 1200
"""Letters of a verdict."""
_SEEN = "item_that_was_opened"


def show_items_page(shown: ShownItems) -> None:
    """The whole page."""
    show_header(shown)
    show_controls(shown)
    if shown.live:
        show_live_figures(shown.id)
    elif not shown.state.last_seq:
        st.markdown("Nothing was asked yet. Start it when you are ready.")
        return
    else:
        show_verdict(shown)
        if shown.state.status != "done":
            show_figures(shown.state)
    _sections(shown)


def show_verdict(shown: ShownItems) -> None:
    """The verdict, large; cautions below it. The one on the demo judge stands in the page's head."""
    said = item_verdict(shown.state, shown.labels)
    head, rest = said.sentence, ""
    if len(head) > LONG:
        head, _, rest = said.sentence.partition(". ")
    with st.container(border=True):
        st.header(label(f"{head}." if rest else head, LONGEST), anchor=False)
        if rest:
            st.markdown(label(rest, LONGEST))
        for remark in said.remarks:
            if not remark.startswith("Offline demo judge"):
                st.markdown(f"- {label(remark, 400)}")


def _sections(shown: ShownItems) -> None:
    key = "item_section_live" if shown.live else "item_section"
    _open_why(shown, key)
    sections = SECTIONS
    if shown.live:
        sections = {LIVE: lambda of: show_live_results(of.id), **{n: s for n, s in SECTIONS.items() if n != "Results"}}
    for tab, show in zip(st.tabs(list(sections), key=key, on_change="rerun"), sections.values(), strict=True):
        if tab.open:
            with tab:
                show(shown)


def _open_why(shown: ShownItems, key: str) -> None:
    """An address that names an item opens the section that shows it, once: the reader may then turn to another."""
    named = (shown.id, opened_item(), shown.live)
    if named[1] and st.session_state.get(_SEEN) != named:
        st.session_state[key] = WHY
    st.session_state[_SEEN] = named
