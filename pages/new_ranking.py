"""New ranking: texts, rubric, judges, then price, data and Start. All that is entered lies in a stored draft."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from judge_core.interfaces.dashboard import starting
from judge_core.interfaces.dashboard.new_ranking import judges_step, start_step, state
from judge_core.interfaces.dashboard.new_ranking.rubric import step as rubric_step
from judge_core.interfaces.dashboard.new_ranking.texts import step as texts_step
from judge_core.interfaces.dashboard.session import workbench
from judge_core.interfaces.drafts import Draft, blockers

SHOWS: dict[str, Callable[[Draft], None]] = {
    "texts": texts_step.show,
    "rubric": rubric_step.show,
    "judges": judges_step.show,
    "start": start_step.show,
}
STEP_WIDGET = "new_ranking:step"


def step_now() -> str:
    """The step of the session, else of the address, else the first."""
    step = st.session_state.get(state.STEP) or st.query_params.get(state.STEP)
    step = step if step in SHOWS else state.STEPS[0]
    st.session_state[state.STEP] = step
    if st.query_params.get(state.STEP) != step:
        st.query_params[state.STEP] = step
    return step


def stepper(step: str, missing: set[str], *, empty: bool) -> None:
    """The four steps, each with a tick once nothing is missing there."""

    def name(key: str) -> str:
        done = key not in missing and key != "start" and not empty
        return f"{'✓' if done else state.STEPS.index(key) + 1} {start_step.TITLES[key]}"

    st.session_state[STEP_WIDGET] = step
    st.segmented_control(
        "Steps",
        state.STEPS,
        format_func=name,
        required=True,
        key=STEP_WIDGET,
        label_visibility="collapsed",
        on_change=lambda: state.go_to(st.session_state[STEP_WIDGET]),
    )


def way_on(step: str, *, ready: bool) -> None:
    """Back and on; on, or Start at the end, is the page's one primary action."""
    place = state.STEPS.index(step)
    with st.container(horizontal=True, horizontal_alignment="distribute" if place else "right"):
        if place:
            before = state.STEPS[place - 1]
            st.button(
                f"Back: {start_step.TITLES[before]}", on_click=state.go_to, args=(before,), key="new_ranking:back"
            )
        if step == state.STEPS[-1]:
            st.button(
                "Start",
                type="primary",
                icon=":material/play_arrow:",
                disabled=not ready,
                on_click=starting.start_draft,
                key="new_ranking:start",
            )
        else:
            after = state.STEPS[place + 1]
            title = f"Next: {start_step.TITLES[after]}"
            st.button(title, type="primary", on_click=state.go_to, args=(after,), key="new_ranking:next")


def started_before(draft: Draft) -> None:
    """Says that this draft was started already, and offers its run and a fresh start."""
    if draft.run is None:
        return
    with st.container(border=True, horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.markdown("You started a run from this. Change anything to start another.", width="stretch")
        st.button("Open that run", on_click=starting.open_run, args=(draft.run,))
        st.button("Begin with nothing", on_click=state.open_draft, args=(None,))


def page() -> None:
    """The page."""
    starting.follow()
    st.title("New ranking", anchor=False)
    draft = state.current()
    state.show_refusal()
    step = step_now()
    missing = {blocker.step for blocker in blockers(workbench(), draft, state.typed_keys(draft))}
    stepper(step, missing, empty=draft == Draft())
    started_before(draft)
    SHOWS[step](draft)
    way_on(step, ready=not missing)


page()
