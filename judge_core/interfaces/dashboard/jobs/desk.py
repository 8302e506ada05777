"""What a browser session remembers of this page: its own draft beside the one of a new ranking, and the chosen job.

All that is entered lies in the stored draft, as on the page for a new ranking; both pages name theirs alike, so each
page takes its own seat before it is drawn.
"""

from __future__ import annotations

from typing import Any, cast

import streamlit as st

from judge_core.intake import read_files
from judge_core.interfaces.dashboard.jobs.kinds import JOBS, JobName
from judge_core.interfaces.dashboard.new_ranking.state import DRAFT, bound, edit, refuse, uploader
from judge_core.interfaces.dashboard.session import workbench
from judge_core.interfaces.drafts import Draft
from judge_core.interfaces.drafts.records import Words
from judge_core.records.errors import StoreError

PAGE, IMPROVE = "other_jobs", "improve"
"""Paths in the address of the pages with a draft of their own."""
JOB = "job"
"""Name of the job in the address and in the session."""
PICKER = "jobs_picker"
_SEAT, _SEATS = "draft_seat", "draft_seats"
_RANKING = "ranking"


def take_seat(page: str) -> None:
    """Gives a page its own draft. Called before any page is drawn; `page` is its path."""
    seat, before = (page if page in (PAGE, IMPROVE) else _RANKING), st.session_state.get(_SEAT, _RANKING)
    if seat == before:
        return
    kept: dict[str, str | None] = st.session_state.setdefault(_SEATS, {})
    kept[before] = st.session_state.pop(DRAFT, None)
    if draft := kept.get(seat):
        st.session_state[DRAFT] = draft
    st.session_state[_SEAT] = seat


def job_now() -> JobName:
    """The job of the address, else of the session, else the first; written back to both."""
    found = st.query_params.get(JOB) or st.session_state.get(JOB)
    job = cast(JobName, found if found in JOBS else next(iter(JOBS)))
    st.session_state[JOB] = job
    if st.query_params.get(JOB) != job:
        st.query_params[JOB] = job
    return job


def choose_job(job: JobName) -> None:
    """Opens a job, for callbacks."""
    st.session_state[JOB] = job
    st.query_params[JOB] = job


def begin_anew() -> None:
    """Lets go of the draft, for callbacks; what was entered stays in the data folder."""
    st.session_state.pop(DRAFT, None)
    st.query_params.pop(DRAFT, None)


def field(draft: Draft, name: str) -> dict[str, Any]:
    """Binds a widget to a plain field of the inputs."""
    return bound(f"job:{name}", getattr(draft.inputs, name), lambda d, value: d.with_inputs(**{name: value}))


def words_of(words: Words) -> str:
    """The words themselves; '' where there are none, or where they were erased."""
    try:
        return workbench().archive.text(words.sha256) if words.sha256 else ""
    except StoreError:
        return ""


def words_box(draft: Draft, name: str, label: str, *, height: int, placeholder: str = "") -> None:
    """A box for a text, kept in the draft."""
    words: Words = getattr(draft.inputs, name)

    def put(d: Draft, text: str) -> Draft:
        return with_words(d, name, text, words.name if text.strip() else "")

    st.text_area(label, height=height, placeholder=placeholder, **bound(f"job:{name}", words_of(words), put))


def with_words(draft: Draft, name: str, text: str, file: str = "") -> Draft:
    """The draft with a text in one of its boxes, stored."""
    sha256 = workbench().archive.keep_text(text) if text else ""
    return draft.with_inputs(**{name: Words(name=file, sha256=sha256)})


def file_box(name: str, title: str) -> None:
    """A popover that reads one text out of a file into a box."""
    with st.popover("From a file", icon=":material/attach_file:", key=f"jobs:file:{name}"):
        uploader(
            title,
            f"job_{name}",
            lambda given: _take_one(name, given),
            help="Word, PDF with text in it, plain text or Markdown.",
        )


def _take_one(name: str, given: list[tuple[str, bytes]]) -> None:
    if not given:
        return
    reading = read_files(given)
    if len(reading.artifacts) != 1:
        count = len(reading.artifacts)
        said = f"It holds {count} texts; this box takes one." if count else ""
        refuse(" ".join(filter(None, [f"{given[0][0]}:", said, *(p.message for p in reading.problems[:1])])))
        return
    artifact = reading.artifacts[0]
    edit(lambda draft: with_words(draft, name, artifact.text, artifact.id))
