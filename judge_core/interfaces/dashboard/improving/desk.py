"""Which step of the page is open, and widgets bound to the way a text is to be improved."""

from __future__ import annotations

from typing import Any

import streamlit as st

from judge_core.interfaces.dashboard.improving.plan import STEPS_OF_PAGE
from judge_core.interfaces.dashboard.new_ranking.state import STEP, bound
from judge_core.interfaces.drafts import Draft

OPEN = "improve_step"
"""In the session: the open step. The address names it as the page for a new ranking does."""


def step_now() -> str:
    """The step of the session, else of the address, else the first."""
    step = st.session_state.get(OPEN) or st.query_params.get(STEP)
    step = step if step in STEPS_OF_PAGE else STEPS_OF_PAGE[0]
    st.session_state[OPEN] = step
    if st.query_params.get(STEP) != step:
        st.query_params[STEP] = step
    return step


def go_to(step: str) -> None:
    """Opens a step, for callbacks."""
    st.session_state[OPEN] = step
    st.query_params[STEP] = step


def chosen(draft: Draft, name: str) -> dict[str, Any]:
    """Binds a widget to a plain field of the improvement."""
    value = getattr(draft.inputs.improvement, name)
    return bound(f"improve:{name}", value, lambda d, entered: d.with_improvement(**{name: entered}))
