"""The method picker: all methods at one glance, each with its calls, what to expect of it, and one honest line."""

from __future__ import annotations

import streamlit as st

from judge_core.interfaces.dashboard.new_ranking.plan.fields import planned
from judge_core.interfaces.drafts import Draft
from judge_core.interfaces.drafts.planning.choices import SETTLING
from judge_core.interfaces.drafts.planning.expected import expected_briefly
from judge_core.interfaces.drafts.planning.foresight import calls_of, sketch
from judge_core.interfaces.drafts.planning.methods import METHODS
from judge_core.records.spec import Method


def show_methods(draft: Draft) -> None:
    """The picker."""
    st.radio(
        "How should texts be compared?",
        list(METHODS),
        format_func=lambda method: METHODS[method].title,
        captions=[_caption(draft, method) for method in METHODS],
        **planned(draft.plan, "method"),
    )
    st.caption("What to expect is simulated, with a judge that decides 80% of random pairs rightly.")


def _caption(draft: Draft, method: Method) -> str:
    """Calls and certainty with the draft's own choices, then the line."""
    said = METHODS[method]
    n = len(draft.texts)
    if n < 2:
        return f"{said.line} {said.good_for}"
    plan = draft.plan.model_copy(update={"method": method})
    spec = sketch(plan, n)
    most = "At most " if spec.goal and method in SETTLING else ""
    calls = calls_of(draft, plan)
    return f"**{most}{calls:,} call{'' if calls == 1 else 's'}, {expected_briefly(spec)}.** {said.line} {said.good_for}"
