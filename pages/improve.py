"""Improve a text: the text, task and criteria, roles and judges, then price, data and the start. One draft holds it all."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from judge_core.interfaces.dashboard import starting
from judge_core.interfaces.dashboard.improving.desk import go_to, step_now
from judge_core.interfaces.dashboard.improving.plan import STEPS_OF_PAGE, TITLES, faults_of
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
STEP_WIDGET = "improve:step"


def stepper(step: str, missing: set[str], *, empty: bool) -> None:
    """The four steps, each with a tick once nothing is missing there."""

    def name(key: str) -> str:
        done = key not in missing and key != "start" and not empty
        return f"{'✓' if done else STEPS_OF_PAGE.index(key) + 1} {TITLES[key]}"

    st.session_state[STEP_WIDGET] = step
    st.segmented_control(
        "Steps", STEPS_OF_PAGE, format_func=name, required=True, key=STEP_WIDGET, label_visibility="collapsed",
        on_change=lambda: go_to(st.session_state[STEP_WIDGET]),
    )  # fmt: skip


def way_on(step: str, *, ready: bool) -> None:
    """Back and on; on, or the start at the end, is the page's one primary action."""
    place = STEPS_OF_PAGE.index(step)
    with st.container(horizontal=True, horizontal_alignment="distribute" if place else "right"):
        if place:
            before = STEPS_OF_PAGE[place - 1]
            st.button(f"Back: {TITLES[before]}", on_click=go_to, args=(before,), key="improve:back")
        if step == STEPS_OF_PAGE[-1]:
            st.button(
                "Start improving", type="primary", icon=":material/play_arrow:", disabled=not ready,
                on_click=start_improving, key="improve:start",
            )  # fmt: skip
        else:
            after = STEPS_OF_PAGE[place + 1]
            st.button(f"Next: {TITLES[after]}", type="primary", on_click=go_to, args=(after,), key="improve:next")


def started_before(draft: Draft) -> None:
    """Says that a run was started from here, and offers it and an empty page."""
    if draft.run is None:
        return
    with st.container(border=True, horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.markdown("You started a run from this. Change anything to start another.", width="stretch")
        st.button("Open that run", on_click=starting.open_run, args=(draft.run,))
        st.button("Begin with nothing", on_click=begin_here)


def begin_here() -> None:
    """An empty page, at its first step."""
    begin_anew()
    go_to(STEPS_OF_PAGE[0])


def page() -> None:
    """The page. Each part has a place of its own, so that one that grows does not push the others into new ones."""
    starting.follow()
    st.title("Improve a text", anchor=False)
    draft = state.current()
    with st.container():
        state.show_refusal()
    step = step_now()
    missing = {fault.step for fault in faults_of(workbench(), draft, state.typed_keys(draft))}
    stepper(step, missing, empty=draft == Draft())
    with st.container():
        started_before(draft)
    SHOWS[step](draft)
    way_on(step, ready=not missing)


page()
