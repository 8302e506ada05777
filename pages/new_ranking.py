"""New ranking: texts, rubric, judges, then price, data and Start. All that is entered lies in a stored draft."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from judge_core.interfaces.dashboard import starting
from judge_core.interfaces.dashboard.new_ranking import judges_step, start_step, state
from judge_core.interfaces.dashboard.new_ranking.rubric import step as rubric_step
from judge_core.interfaces.dashboard.new_ranking.state import STEPS
from judge_core.interfaces.dashboard.new_ranking.texts import step as texts_step
from judge_core.interfaces.dashboard.session import workbench
from judge_core.interfaces.drafts import Draft, blockers

SHOWS: dict[str, Callable[[Draft], None]] = {
    "texts": texts_step.show,
    "rubric": rubric_step.show,
    "judges": judges_step.show,
    "start": start_step.show,
}


def page() -> None:
    """The page."""
    starting.follow()
    st.title("New ranking", anchor=False)
    draft = state.current()
    state.show_refusal()
    step = STEPS.now()
    missing = {blocker.step for blocker in blockers(workbench(), draft, state.typed_keys(draft))}
    STEPS.show(step, missing, empty=draft == Draft())
    starting.show_started(draft, lambda: state.open_draft(None))
    SHOWS[step](draft)
    STEPS.way_on(step, "Start", starting.start_draft, ready=not missing)


page()
