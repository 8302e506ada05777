"""Improve a text: the text, task and criteria, roles and judges, then price, data and the start. One draft holds it all."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from judge_core.interfaces.dashboard import starting
from judge_core.interfaces.dashboard.improving.plan import PAGE, faults_of
from judge_core.interfaces.dashboard.improving.roles import show_roles
from judge_core.interfaces.dashboard.improving.starting import start_improving
from judge_core.interfaces.dashboard.improving.steps import show_start, show_task, show_text
from judge_core.interfaces.dashboard.jobs.desk import begin_anew
from judge_core.interfaces.dashboard.new_ranking import state
from judge_core.interfaces.dashboard.session import workbench
from judge_core.interfaces.drafts import Draft

SHOWS: dict[str, Callable[[Draft], None]] = {
    "text": show_text, "task": show_task, "roles": show_roles, "start": show_start,
}  # fmt: skip


def begin_here() -> None:
    """An empty page, at its first step."""
    begin_anew()
    PAGE.go_to(PAGE.names[0])


def page() -> None:
    """The page. Each part has a place of its own, so that one that grows does not push the others into new ones."""
    starting.follow()
    st.title("Improve a text", anchor=False)
    draft = state.current()
    with st.container():
        state.show_refusal()
    step = PAGE.now()
    missing = {fault.step for fault in faults_of(workbench(), draft, state.typed_keys(draft))}
    PAGE.show(step, missing, empty=draft == Draft())
    with st.container():
        starting.show_started(draft, begin_here)
    SHOWS[step](draft)
    PAGE.way_on(step, "Start improving", start_improving, ready=not missing)


page()
