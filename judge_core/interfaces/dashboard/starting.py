"""Starting runs: in callbacks, so that a click counts once; the page opens the run at its next pass."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from judge_core.interfaces.dashboard.new_ranking.state import current, edit, refuse, typed_keys
from judge_core.interfaces.dashboard.session import workbench
from judge_core.interfaces.drafts import Draft, add_examples, blockers, concurrency_of, spec_of
from judge_core.interfaces.drafts.judging import judge_of
from judge_core.records.errors import PodiumError

RUN = "run"
"""Name of the open run's id, in the address and in the session."""
_OPENING = "run_to_open"


def start_draft() -> None:
    """Starts the session's draft, or says why it cannot be."""
    bench, draft = workbench(), current()
    try:
        typed = typed_keys(draft)
        if found := blockers(bench, draft, typed):
            refuse(found[0].message)
            return
        given = {judge_of(judge, bench.settings).name: typed[judge.key] for judge in draft.judges if judge.key in typed}
        run = bench.start(spec_of(bench, draft), given, concurrency=concurrency_of(draft))
    except (PodiumError, TimeoutError) as error:
        refuse(str(error) or "The judges could not be reached in time. Try again.")
        return
    edit(lambda d: d.model_copy(update={"run": run}))
    open_run(run)


def start_examples() -> None:
    """Ranks the example essays with the demo judge."""
    bench = workbench()
    try:
        run = bench.start(spec_of(bench, add_examples(bench.archive, Draft())))
    except (PodiumError, TimeoutError) as error:
        refuse(str(error) or "The run could not be started. Try again.")
        return
    open_run(run)


def resume_run(run: str) -> None:
    """Goes on with a run and opens it. A run that needs a typed key asks for it on its own page."""
    try:
        workbench().resume(run)
    except (PodiumError, TimeoutError) as error:
        refuse(str(error))
        return
    open_run(run)


def show_started(draft: Draft, begin: Callable[[], None]) -> None:
    """Says that a run was started from this draft, and offers it and a fresh start, which `begin` makes."""
    if draft.run is None:
        return
    with st.container(border=True, horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.markdown("You started a run from this. Change anything to start another.", width="stretch")
        st.button("Open that run", on_click=open_run, args=(draft.run,))
        st.button("Begin with nothing", on_click=begin)


def open_run(run: str) -> None:
    """Opens the page of a run at the next pass."""
    st.session_state[RUN] = run
    st.session_state[_OPENING] = run


def follow() -> None:
    """Goes to the page of a run that was just opened. Called first by each page with such buttons."""
    run = st.session_state.pop(_OPENING, None)
    if run:
        st.switch_page("result.py", query_params={RUN: run})
