"""A run of items while it works: figures each second, the table every three, until it stops."""

from __future__ import annotations

import streamlit as st

from judge_core.interfaces.dashboard.item_result.columns import row_aliases, show_table
from judge_core.interfaces.dashboard.item_result.shown import ShownItems, look_items
from judge_core.interfaces.dashboard.result.address import rerun_if_asked
from judge_core.interfaces.dashboard.result.live import SLOW_TICK_S, TICK_S, progress, show_figures, time_left

NEWEST = 100
"""Rows of the table while the run goes on."""


def show_live_figures(run: str) -> None:
    """Progress and figures, each second until the run stops."""
    st.fragment(lambda: _figures(run), run_every=TICK_S)()


def show_live_results(run: str) -> None:
    """The results that are there, every three seconds."""
    st.fragment(lambda: _results(run), run_every=SLOW_TICK_S)()


def _figures(run: str) -> None:
    state = _look_while_live(run).state
    show_figures(state, time_left(run, *progress(state)))


def _results(run: str) -> None:
    shown = _look_while_live(run)
    judged = [n for n, alias in enumerate(row_aliases(shown)) if alias in shown.state.items]
    if not judged:
        st.markdown("Nothing is judged yet.")
        return
    if len(judged) > NEWEST:
        st.caption(f"The first {NEWEST} rows; all of them once the run has ended.")
    show_table(shown, judged[:NEWEST], key="live_items")


def _look_while_live(run: str) -> ShownItems:
    rerun_if_asked()
    shown = look_items(run)
    if not shown.live:
        st.rerun()
    return shown
