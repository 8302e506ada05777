"""Custom: the method, and the options that fit it. What is hidden keeps its value and is not used."""

from __future__ import annotations

import streamlit as st

from judge_core.interfaces.dashboard.new_ranking.plan.evidence import show_evidence
from judge_core.interfaces.dashboard.new_ranking.plan.fields import planned
from judge_core.interfaces.dashboard.new_ranking.plan.goal import show_goal
from judge_core.interfaces.dashboard.new_ranking.plan.methods import show_methods
from judge_core.interfaces.dashboard.safe import plain
from judge_core.interfaces.dashboard.session import workbench
from judge_core.interfaces.drafts import Draft, Plan
from judge_core.interfaces.drafts.planning.choices import MEETING_AGAIN, OF_PAIRS, SETTLING, takes_rounds
from judge_core.interfaces.drafts.planning.columns import columns_of
from judge_core.records.spec import Method

FOCUS = {"all": "Everyone goes on", "rank": "The best K, in order", "class": "The best K, as a set"}
ON_ERROR = {
    "skip": "Leave it out, and say so",
    "abort": "Stop the run",
    "draw": "Count it as a draw (marked in every row)",
}


HELP: dict[Method, str] = {
    "swiss": "In each round each text meets one other.",
    "round-robin": "In each round each text meets one other; once all have met, they meet again.",
    "adaptive": "It asks as many comparisons as so many rounds would have in which each text meets one other.",
    "listwise": "In each round each text stands in one list.",
}
"""What a round is, by method."""


def show_custom(draft: Draft) -> None:
    """All of it."""
    plan = draft.plan
    with st.container(border=True):
        show_methods(draft)
        if plan.method in SETTLING:
            show_goal(plan)
        if takes_rounds(plan):
            _size(plan)
        if plan.method in OF_PAIRS:
            _pairs(plan)
            show_evidence(draft)
        with st.expander("More choices"):
            _more(draft)


def _size(plan: Plan) -> None:
    """Rounds, narrowing, and the size of lists."""
    left, middle, right = st.columns(3)
    with left:
        _rounds(plan)
    if plan.method == "swiss":
        middle.selectbox("From round 3 on", list(FOCUS), format_func=FOCUS.__getitem__, **planned(plan, "focus"))
        if plan.focus != "all":
            right.number_input("K", min_value=1, step=1, value=None, **planned(plan, "k"))
    if plan.method == "listwise":
        middle.number_input(
            "Texts in one list", min_value=3, max_value=10, step=1, value=None, **planned(plan, "group_size")
        )
        right.number_input(
            "Shown in reverse as well (percent)", min_value=0, max_value=100, step=5, value=None,
            help="So many of the lists are asked a second time, last text first: that shows whether places in a list count.",
            **planned(plan, "reversed_percent"),
        )  # fmt: skip


def _rounds(plan: Plan) -> None:
    """How many: a text meets one other, or stands in one list, each round. A goal gives the number another meaning."""
    goal = plan.goal != "none"
    title = "Rounds at most" if goal else "Rounds of lists" if plan.method == "listwise" else "Rounds"
    field = "most_rounds" if goal else "lists" if plan.method == "listwise" else "rounds"
    st.number_input(
        title, min_value=1, max_value=1000, step=1, value=None, help=HELP[plan.method], **planned(plan, field)
    )


def _pairs(plan: Plan) -> None:
    """What is only there where two texts meet."""
    with st.container(horizontal=True, gap="medium"):
        st.toggle(
            "Scores first", help="Each text is scored once by itself, so that the first pairs are already close ones. One more call for each text.",
            **planned(plan, "scores_first"),
        )  # fmt: skip
        if plan.method in MEETING_AGAIN:
            st.toggle(
                "Rematches", help="Two texts may meet again, the other one shown first, once nobody new is left.",
                **planned(plan, "rematches"),
            )  # fmt: skip
        if plan.method == "knockout":
            st.toggle("Match for the third place", **planned(plan, "third_place"))


def _more(draft: Draft) -> None:
    """What few people need."""
    plan = draft.plan
    left, middle, right = st.columns(3)
    left.number_input("Seed", step=1, value=None, help="The same seed draws the same pairs.", **planned(plan, "seed"))
    middle.selectbox(
        "When a judge gives no verdict", list(ON_ERROR), format_func=ON_ERROR.__getitem__, **planned(plan, "on_error")
    )
    right.number_input(
        "Calls at the same time", min_value=1, max_value=256, step=1, value=None,
        placeholder=str(workbench().settings.concurrency), **planned(plan, "concurrency"),
    )  # fmt: skip
    if len(draft.judges) > 1 or plan.judges_per_match is not None:
        st.number_input(
            "Judges for each verdict", min_value=1, step=1, value=None, placeholder=f"all {len(draft.judges)}",
            help="So many of the panel decide each time, drawn by lot: a large panel at the price of a small one.",
            **planned(plan, "judges_per_match"),
        )  # fmt: skip
    if plan.method in OF_PAIRS:
        _column(
            draft,
            "Column with an Elo to begin from (optional)",
            "prior_column",
            "Where the first pairs begin; it does not count in the rating.",
        )
    _column(
        draft,
        "Column with a known rating (optional)",
        "anchor_column",
        "Texts with a number in this column are held at it, so that this ranking shares its scale with an earlier one.",
    )


def _column(draft: Draft, title: str, field: str, help: str) -> None:
    columns = columns_of(draft)
    chosen = getattr(draft.plan, field)
    options = list(dict.fromkeys([*columns, *([chosen] if chosen else [])]))
    st.selectbox(
        title, options, index=None, format_func=lambda name: plain(name, 60), help=help,
        placeholder="none" if options else "your texts brought no columns", disabled=not options, **planned(draft.plan, field),
    )  # fmt: skip
