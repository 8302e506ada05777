"""How much should be compared: the presets, and what to expect of the one that is chosen."""

from __future__ import annotations

import streamlit as st

from judge_core.interfaces.dashboard.new_ranking.plan.custom import show_custom
from judge_core.interfaces.dashboard.new_ranking.plan.fields import planned
from judge_core.interfaces.drafts import Draft, Plan
from judge_core.interfaces.drafts.planning.choices import PRESETS
from judge_core.interfaces.drafts.planning.expected import expectation
from judge_core.interfaces.drafts.planning.foresight import amount, remarks, sketch, stop_words
from judge_core.interfaces.drafts.records import Preset, TopFocus

HINTS: dict[Preset, str] = {
    "quick": "A first impression.",
    "standard": "A reliable order for most purposes, with reasons for each pair.",
    "top": "Spends its comparisons on the texts near a cut that you name.",
    "lists": "Several texts ranked in one call: by far the fewest calls. No scores by criterion.",
    "custom": "You choose the method, when to stop, and everything else.",
}
NEEDS: dict[TopFocus, str] = {
    "sure": "To be sure who they are",
    "rank": "Their order, at a fixed price",
    "class": "Only who they are, at a fixed price",
}


def show_amount(draft: Draft) -> None:
    """The question with its presets."""
    n = len(draft.texts)
    st.radio(
        "How much should be compared?",
        list(PRESETS),
        format_func=PRESETS.__getitem__,
        captions=[f"{HINTS[name]} {amount(draft.plan.model_copy(update={'preset': name}), n)}" for name in PRESETS],
        **planned(draft.plan, "preset"),
    )
    if draft.plan.preset == "top":
        _top(draft.plan)
    if draft.plan.preset == "custom":
        show_custom(draft)
    said = expected(draft.plan, n)
    st.info(said, icon=":material/query_stats:")
    if "(tau " in said:
        st.caption("Tau (Kendall's): how well two orders agree. 1 is the same order, 0 no connection.")
    for remark in remarks(draft.plan, n):
        st.caption(f"⚠ {remark}")


def expected(plan: Plan, n: int) -> str:
    """What to expect of a plan, and when a ready-made one stops by itself; a custom goal says so where it is chosen."""
    goal = sketch(plan, n).goal if plan.preset != "custom" and n > 1 else None
    said = expectation(plan, n)
    return said if goal is None else f"{stop_words(goal)} {said}"


def _top(plan: Plan) -> None:
    left, right = st.columns(2)
    left.number_input("How many to keep (K)", min_value=1, step=1, value=None, **planned(plan, "top_k"))
    right.selectbox("What you need", list(NEEDS), format_func=NEEDS.__getitem__, **planned(plan, "top_focus"))
