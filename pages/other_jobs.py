"""Other jobs: one or two texts, reviews, gates, short lists, answers with sources, agent runs. One page, one Run."""

from __future__ import annotations

import streamlit as st

from judge_core.interfaces.dashboard import starting
from judge_core.interfaces.dashboard.jobs import desk, inputs, item_files
from judge_core.interfaces.dashboard.jobs.criteria import show_criteria, show_question
from judge_core.interfaces.dashboard.jobs.finish import show_finish
from judge_core.interfaces.dashboard.jobs.kinds import JOBS, JobName
from judge_core.interfaces.dashboard.jobs.reading import Entered, entered
from judge_core.interfaces.dashboard.new_ranking import state
from judge_core.interfaces.dashboard.new_ranking.judges_step import show_panel
from judge_core.interfaces.dashboard.session import workbench
from judge_core.interfaces.drafts import Draft

GRID = "display: grid; width: 100%; grid-template-columns: repeat(auto-fill, minmax(min(20rem, 100%), 1fr)); align-items: start"
STYLE = f"<style>[class*='st-key-jobs_picker'] [role='radiogroup'] {{{GRID}}}</style>"
# Puts the jobs into columns. Ours alone: no outside text is in here.


def pick_job() -> JobName:
    """The jobs with a line on each, and the one that is chosen."""
    job = desk.job_now()
    st.html(STYLE)
    st.session_state[desk.PICKER] = job
    st.radio(
        "What do you want to do?",
        list(JOBS),
        format_func=lambda name: JOBS[name].title,
        captions=[one.says for one in JOBS.values()],
        key=desk.PICKER,
        horizontal=True,
        width="stretch",
        on_change=lambda: desk.choose_job(st.session_state[desk.PICKER]),
    )
    return job


def show_inputs(draft: Draft, job: JobName, found: Entered) -> None:
    """What is to be judged, and by what."""
    if job == "compare":
        inputs.show_pair(draft)
    elif job == "score":
        inputs.show_one(draft)
    elif job == "rag":
        item_files.show_answers(draft, found)
    elif job == "agent":
        item_files.show_runs(draft, found)
    else:
        inputs.show_many(draft, found, job)
    if JOBS[job].criteria:
        show_question(draft)
        show_criteria(draft)


def page() -> None:
    """The page. Each part has a place of its own, so that one that grows does not push the others into new ones."""
    starting.follow()
    st.title("Other jobs", anchor=False)
    draft = state.current()
    with st.container():
        state.show_refusal()
    job = pick_job()
    with st.container():
        starting.show_started(draft, desk.begin_anew)
    found = entered(workbench(), draft, job)
    st.subheader(JOBS[job].title, anchor=False)
    with st.container():
        show_inputs(draft, job, found)
    st.subheader("Judges", anchor=False)
    with st.container():
        show_panel(draft, JOBS[job].judged)
    show_finish(draft, job, found)


page()
