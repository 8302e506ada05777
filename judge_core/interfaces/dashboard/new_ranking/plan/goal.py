"""When a run stops by itself: what is to be settled, and how surely."""

from __future__ import annotations

from typing import Any

import streamlit as st

from judge_core.interfaces.dashboard.new_ranking.plan.fields import planned
from judge_core.interfaces.dashboard.new_ranking.state import bound
from judge_core.interfaces.dashboard.safe import line
from judge_core.interfaces.drafts import Draft, Plan
from judge_core.interfaces.drafts.planning.choices import USUAL_CERTAINTY, goal_of
from judge_core.interfaces.drafts.planning.foresight import stop_words
from judge_core.interfaces.drafts.records import GoalKind
from judge_core.records.errors import InputError

GOALS: dict[GoalKind, str] = {
    "none": "Never: ask all that is planned",
    "order": "The whole order is settled",
    "top": "The best K are settled",
    "cut": "Lines after ranks are settled",
    "ratings": "Lines at ratings are settled",
}


def show_goal(plan: Plan) -> None:
    """The goal, its numbers, and what it means."""
    left, middle, right = st.columns(3)
    left.selectbox("Stop as soon as", list(GOALS), format_func=GOALS.__getitem__, **_kind(plan))
    if plan.goal == "none":
        return
    with middle:
        _line(plan)
    right.number_input(
        "How surely (percent)", min_value=51, max_value=99, step=1, value=None, help="As the judges see it: where they all err alike, this is too sure.",
        **planned(plan, "certainty"),
    )  # fmt: skip
    try:
        goal = goal_of(plan)
    except InputError as error:
        line(f"⚠ {error}")
        return
    if goal is not None:
        st.caption(stop_words(goal))


def _line(plan: Plan) -> None:
    """Where the line is."""
    if plan.goal == "top":
        st.number_input("The best how many (K)", min_value=1, step=1, value=None, **planned(plan, "goal_k"))
    if plan.goal == "cut":
        st.text_input("After which ranks", placeholder="5, 12", max_chars=200, **planned(plan, "goal_ranks"))
    if plan.goal == "ratings":
        st.text_input(
            "At which ratings", placeholder="1450, 1600", max_chars=200, help="These need texts with a known rating, below.",
            **planned(plan, "goal_ratings"),
        )  # fmt: skip


def _kind(plan: Plan) -> dict[str, Any]:
    """Binds the goal; a certainty that was not chosen follows it."""

    def put(draft: Draft, kind: GoalKind) -> Draft:
        chosen = draft.plan.certainty != USUAL_CERTAINTY[draft.plan.goal]
        return draft.with_plan(goal=kind, certainty=draft.plan.certainty if chosen else USUAL_CERTAINTY[kind])

    return bound("plan:goal", plan.goal, put)
