"""What the home page shows of runs and drafts: a line each, with the one thing to do about it."""

from __future__ import annotations

from datetime import UTC, datetime

import streamlit as st

from judge_core.interfaces.dashboard import starting
from judge_core.interfaces.dashboard.new_ranking import state
from judge_core.interfaces.dashboard.result.live import progress
from judge_core.interfaces.dashboard.result.shown import given_names, run_name
from judge_core.interfaces.dashboard.result.words import INTERRUPTED as INTERRUPTED_WORDS
from judge_core.interfaces.dashboard.result.words import KINDS_OF_RUN, STATUS, kind_of_run, plural
from judge_core.interfaces.dashboard.safe import label
from judge_core.interfaces.dashboard.session import workbench
from judge_core.interfaces.drafts import discard, unfinished
from judge_core.records.errors import PodiumError
from judge_core.records.journal import RunRow
from judge_core.views.brief import size_now
from judge_core.views.items.sentence import item_verdict
from judge_core.views.items.state import ItemState
from judge_core.views.refine.sentence import verdict as refine_verdict
from judge_core.views.refine.state import RefineState
from judge_core.views.sentence import verdict
from judge_core.views.standings import standings

RECENT = 5
DRAFTS = 3
TICK_S = 2.0
INTERRUPTED = ("waiting", "running", "paused")


def live_runs() -> list[RunRow]:
    """The runs that are being worked on now."""
    bench = workbench()
    return [row for row in bench.runs() if bench.live(row)]


def show_running(running: list[str]) -> None:
    """The running runs with their progress, kept up to date; the page is drawn anew when one begins or ends."""
    st.fragment(_progress, run_every=TICK_S if running else None)(running)


def _progress(running: list[str]) -> None:
    rows = live_runs()
    if [row.id for row in rows] != running:
        st.rerun()
    if rows:
        st.subheader("Running now", anchor=False)
    for row in rows:
        done, planned = progress(workbench().states.of(row.id))
        with st.container(border=True, horizontal=True, vertical_alignment="center"):
            st.progress(
                min(done / max(planned, 1), 1.0),
                text=f"{_name(row)} · {done:,} of {planned:,} {_things(row)}",
                width="stretch",
            )
            st.button("Reattach", key=f"home:reattach:{row.id}", on_click=starting.open_run, args=(row.id,))


def show_interrupted(rows: list[RunRow]) -> None:
    """Runs that stopped before their end, and Resume."""
    if rows:
        st.subheader("Interrupted", anchor=False)
    for row in rows:
        with st.container(border=True, horizontal=True, vertical_alignment="center"):
            done, planned = progress(workbench().states.of(row.id))
            st.markdown(
                f"**{_name(row)}** · {done:,} of {planned:,} {_things(row)} are safe. Going on pays for none of them again.",
                width="stretch",
            )
            st.button("Resume", key=f"home:resume:{row.id}", on_click=starting.resume_run, args=(row.id,))
            st.button("Open", key=f"home:open:{row.id}", on_click=starting.open_run, args=(row.id,), type="tertiary")


def show_recent(rows: list[RunRow]) -> None:
    """The newest runs with their verdicts."""
    if rows:
        st.subheader("Recent runs", anchor=False)
    for row in rows[:RECENT]:
        with st.container(border=True, horizontal=True, vertical_alignment="center"):
            with st.container(width="stretch", gap="xsmall"):
                st.markdown(f"**{_name(row)}**")
                st.markdown(label(_verdict(row.id), 600))
                kind = kind_of_run(row.spec)
                size = f"{kind.kind} · {plural(_size(row), kind.noun)}"
                st.caption(f"{_status(row)} · {size} · {_judges(row)} · {ago(row.created_at)}")
            st.button("Open", key=f"home:open:{row.id}", on_click=starting.open_run, args=(row.id,))


def show_drafts() -> None:
    """Rankings that were prepared and not started."""
    found = list(unfinished(workbench().archive, DRAFTS))
    if found:
        st.subheader("Not started yet", anchor=False)
    for draft, changed, body in found:
        with st.container(border=True, horizontal=True, vertical_alignment="center"):
            name = label(body.name or body.rubric.rubric.question or "Without a name")
            n = len(body.texts)
            st.markdown(f"**{name}** · {n} text{'s' if n != 1 else ''} · changed {ago(changed)}", width="stretch")
            st.button("Continue", key=f"home:draft:{draft}", on_click=_continue, args=(draft,))
            with st.popover("Discard", key=f"home:discard:{draft}"):
                st.markdown("What was prepared here is forgotten.")
                st.button("Discard it", key=f"home:discarded:{draft}", on_click=_discard, args=(draft,))


def _continue(draft: str) -> None:
    state.open_draft(draft)
    st.session_state["home_to"] = "new_ranking.py"


def _discard(draft: str) -> None:
    discard(workbench().archive, draft)
    if st.session_state.get(state.DRAFT) == draft:
        state.open_draft(None)


def _verdict(run: str) -> str:
    try:
        found = workbench().states.of(run)
        if isinstance(found, ItemState):
            return item_verdict(found).sentence
        if isinstance(found, RefineState):
            return refine_verdict(found).sentence
        return verdict(found, standings(found), given_names(found.spec)).sentence
    except PodiumError as error:
        return str(error)


def _size(row: RunRow) -> int:
    """As it stands now; as at the start where the journal cannot be read."""
    try:
        return size_now(workbench().states.of(row.id))
    except PodiumError:
        return row.size


def _things(row: RunRow) -> str:
    """What is judged one by one."""
    done = {"rank": "comparisons", "refine": "passes"}
    return done.get(row.spec.mode) or f"{KINDS_OF_RUN[row.spec.mode].noun}s"


def _name(row: RunRow) -> str:
    return label(run_name(row))


def _status(row: RunRow) -> str:
    """The status last written, in words; one that says "running" though nobody works on it was interrupted."""
    return (INTERRUPTED_WORDS if row.status in ("waiting", "running") else STATUS[row.status])[0]


def _judges(row: RunRow) -> str:
    names = dict.fromkeys(
        "demo judge, not an AI" if judge.provider == "offline" else label(judge.name, 40) for judge in row.spec.judges
    )
    return ", ".join(names)


def ago(then: str, now: datetime | None = None) -> str:
    """How long ago an ISO time was, in words.

    >>> ago("2026-11-30T10:00:00+00:00", datetime(2026, 11, 30, 12, 30, tzinfo=UTC))
    '2 hours ago'
    """
    seconds = ((now or datetime.now(UTC)) - datetime.fromisoformat(then)).total_seconds()
    for size, unit in ((86_400, "day"), (3_600, "hour"), (60, "minute")):
        count = int(seconds // size)
        if count >= 1:
            return f"{count} {unit}{'s' if count > 1 else ''} ago"
    return "just now"
