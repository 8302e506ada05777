"""The comparison: of a run that is one pair, who won by how much on each criterion, both texts, and the judges' reasons."""

from __future__ import annotations

import streamlit as st

from judge_core.interfaces.dashboard.result.drawer import show_match
from judge_core.interfaces.dashboard.result.shown import Shown


def show_comparison(shown: Shown) -> None:
    """The one match, opened."""
    if not shown.weighed.matches:
        st.markdown("The two texts were not compared yet.")
    for view in shown.weighed.matches.values():
        show_match(shown, view, scores_first=True)
