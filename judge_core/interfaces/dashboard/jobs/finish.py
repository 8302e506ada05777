"""The end of the page: price, limits, where the texts go, what is still missing, and Run."""

from __future__ import annotations

import streamlit as st

from judge_core.interfaces.dashboard import starting
from judge_core.interfaces.dashboard.jobs.kinds import JobName
from judge_core.interfaces.dashboard.jobs.plan import faults_of_job, spec_of_job, typed_keys_by_name
from judge_core.interfaces.dashboard.jobs.reading import Entered, entered
from judge_core.interfaces.dashboard.new_ranking.costs import show_costs
from judge_core.interfaces.dashboard.new_ranking.start_step import show_caps, show_destinations
from judge_core.interfaces.dashboard.new_ranking.state import bound, current, edit, refuse, typed_keys
from judge_core.interfaces.dashboard.safe import label
from judge_core.interfaces.dashboard.session import workbench
from judge_core.interfaces.drafts import Draft
from judge_core.records.errors import InputError, PodiumError
from judge_core.records.spec import ItemSpec, Spec


def show_finish(draft: Draft, job: JobName, found: Entered) -> None:
    """Price and data, what is missing, Run."""
    faults = faults_of_job(workbench(), draft, job, found, typed_keys(draft))
    st.subheader("Price and data", anchor=False)
    spec = _spec(draft, job, found)
    with st.container():
        if spec is not None:
            show_costs(draft, spec)
    show_caps(draft)
    with st.container():
        if spec is not None:
            masked = "names masked as you chose, " if draft.mask else ""
            show_destinations(spec, sent(job, spec), f"Only the words are sent ({masked}no file names, no ids).")
        _missing(faults)
    with st.container(horizontal=True, vertical_alignment="bottom", horizontal_alignment="distribute"):
        st.text_input(
            "Name of this run (optional)", width=420,
            **bound("name", draft.name, lambda d, name: d.model_copy(update={"name": name})),
        )  # fmt: skip
        st.button(
            "Run", type="primary", icon=":material/play_arrow:", disabled=bool(faults), on_click=run_job, args=(job,),
            key="jobs:run",
        )  # fmt: skip


def _missing(faults: list[str]) -> None:
    if not faults:
        return
    with st.container(border=True):
        st.markdown("**Before you can run**")
        for fault in faults:
            st.markdown(f"⚠ {label(fault, 600)}")


def _spec(draft: Draft, job: JobName, found: Entered) -> Spec | ItemSpec | None:
    """The spec, as far as there is something to price."""
    if not found.texts and not found.items:
        return None
    try:
        return spec_of_job(workbench(), draft, job, found)
    except InputError:
        return None


def sent(job: JobName, spec: Spec | ItemSpec) -> str:
    """What of the job is sent to a judge, as the beginning of a sentence."""
    if job == "compare":
        return "The two texts"
    if job == "score":
        return "The text"
    n = len(spec.texts) if isinstance(spec, Spec) else len(spec.items)
    if job == "list" and not isinstance(spec, Spec):
        n = len(spec.items[0].parts)
    plural = "" if n == 1 else "s"
    if job == "rag":
        return f"{n:,} answer{plural} with question and passages"
    if job == "agent":
        return f"{n:,} run{plural} with goal, rules and all steps"
    return f"{n:,} text{plural}"


def run_job(job: JobName) -> None:
    """Starts the job, or says why it cannot be; the page opens the run at its next pass."""
    bench, draft = workbench(), current()
    typed = typed_keys(draft)
    try:
        found = entered(bench, draft, job)
        if faults := faults_of_job(bench, draft, job, found, typed):
            refuse(faults[0])
            return
        run = bench.start(spec_of_job(bench, draft, job, found), typed_keys_by_name(bench, draft, typed))
    except (PodiumError, TimeoutError) as error:
        refuse(str(error) or "The judges could not be reached in time. Try again.")
        return
    edit(lambda d: d.with_inputs().model_copy(update={"run": run}))
    starting.open_run(run)
