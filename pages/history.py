"""All runs of this data folder: to search, open, rename, hand on as a zip, and take in again."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from judge_core.interfaces.bench.states import AnyState
from judge_core.interfaces.dashboard.result.address import picked_row
from judge_core.interfaces.dashboard.result.live import progress
from judge_core.interfaces.dashboard.result.shown import run_name
from judge_core.interfaces.dashboard.result.words import INTERRUPTED, STATUS, kind_of_run, plural, when
from judge_core.interfaces.dashboard.safe import label, plain
from judge_core.interfaces.dashboard.session import workbench
from judge_core.interfaces.drafts.planning.methods import METHODS
from judge_core.interfaces.library.bundle import bundle, import_bundle
from judge_core.interfaces.workbench import Workbench
from judge_core.records.errors import PodiumError
from judge_core.records.journal import RunRow
from judge_core.records.spec import AnySpec, ItemSpec, RefineSpec, Spec
from judge_core.views.brief import outcome_words, size_now, undecided_words
from judge_core.views.items.sentence import item_verdict
from judge_core.views.items.state import ItemState
from judge_core.views.refine.sentence import verdict
from judge_core.views.refine.state import RefineState
from judge_core.views.standings import standings

PAGE = 25
# Comments, not strings: a page shows a bare string on itself.
PICKED = "history_run"  # in the session: the id of the run that is selected
NEWS = "history_news"  # in the session: what the last action brought, and whether it failed
LONGEST_NAME = 120
VOTING = {"borda": "Borda", "veto": "Borda with vetoes"}


def show_page() -> None:
    """The whole page."""
    st.title("History", anchor=False)
    _news()
    bench = workbench()
    rows = bench.runs()
    if rows:
        _runs(bench, rows)
    else:
        _nothing()
    _import(open_at_once=not rows)


def _news() -> None:
    words, failed = st.session_state.pop(NEWS, ("", False))
    if words:
        (st.error if failed else st.success)(
            label(words, 600), icon=":material/error:" if failed else ":material/check_circle:"
        )


def _nothing() -> None:
    with st.container(border=True):
        st.header("No run yet", anchor=False)
        st.markdown("Every run is kept here, with all its judgments, from the moment it starts.")
        st.page_link("new_ranking.py", label="Start a new ranking", icon=":material/add_circle:")


def _runs(bench: Workbench, rows: list[RunRow]) -> None:
    words = {row.id: _status(bench, row) for row in rows}
    found = _filtered(rows, words)
    if not found:
        st.markdown("No run fits. Clear the search or the status.")
        return
    pages = -(-len(found) // PAGE)
    page = min(st.pagination(pages, key="history_page") if pages > 1 else 1, pages)
    part = found[(page - 1) * PAGE : page * PAGE]
    st.markdown(f"{plural(len(found), 'run')}, newest first. Select one to open it.")
    _table(bench, part, words)
    _chooser(found)
    chosen = next((row for row in rows if row.id == st.session_state.get(PICKED)), None)
    if chosen is not None:
        _card(bench, chosen)


def _status(bench: Workbench, row: RunRow) -> str:
    """The status in words; a run that says it is running while nobody works on it was interrupted."""
    if bench.live(row):
        return STATUS["running"][0]
    return INTERRUPTED[0] if row.status == "running" else STATUS[row.status][0]


def _filtered(rows: list[RunRow], words: dict[str, str]) -> list[RunRow]:
    kinds = list(dict.fromkeys(_kind(row) for row in rows))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        wanted = (
            st.text_input("Search", key="history_search", placeholder="name, judge or text", width=320)
            .strip()
            .casefold()
        )
        status = st.selectbox(
            "Status", sorted(set(words.values())), index=None, placeholder="all", key="history_status", width=260
        )
        kind = st.selectbox("Kind", kinds, index=None, placeholder="all", key="history_kind", width=180)
    return [
        row
        for row in rows
        if (status is None or words[row.id] == status)
        and (kind is None or _kind(row) == kind)
        and wanted in _searched(row)
    ]


def _kind(row: RunRow) -> str:
    return kind_of_run(row.spec).kind


def _method(spec: AnySpec) -> str | None:
    """How a ranking chooses what is judged, how a tournament is counted; None where there is one way alone."""
    if isinstance(spec, Spec):
        return METHODS[spec.method].title
    return VOTING[spec.voting] if isinstance(spec, RefineSpec) else None


def _searched(row: RunRow) -> str:
    spec = row.spec
    parts = [run_name(row), row.id, _kind(row), spec.rubric.question, *(judge.name for judge in spec.judges)]
    things = spec.texts if isinstance(spec, Spec) else spec.items if isinstance(spec, ItemSpec) else (spec.text,)
    return "\n".join([*parts, *(thing.title for thing in things)]).casefold()


def _table(bench: Workbench, part: list[RunRow], words: dict[str, str]) -> None:
    def pick() -> None:
        row = picked_row("history_table")
        st.session_state[PICKED] = part[row].id if row is not None and row < len(part) else None

    config = st.column_config
    st.dataframe(
        pd.DataFrame([_cells(bench, row, words[row.id]) for row in part]), key="history_table", hide_index=True, on_select=pick,
        selection_mode="single-row", alt="Runs, newest first", placeholder="unknown",
        column_config={
            "name": config.TextColumn("Name", pinned=True), "kind": "Kind", "method": "Method", "started": "Started",
            "status": config.TextColumn("Status", help="Where judgments failed or could not be read: how many were decided"),
            "result": config.TextColumn("Result", help="Of a ranking: whether its goal is settled, and who is ahead"),
            "size": config.NumberColumn("Size", help="Texts of a ranking that take part; else items: texts, lists, answers or agent runs"),
            "judge": "Judge", "done": config.TextColumn("Judged", help="Matches of a ranking; else items or passes, of all that are planned"),
            "calls": "Calls",
            "cost": config.NumberColumn("Cost in $", format="%.4f", help="Unknown where the price of a judge is"),
        },
    )  # fmt: skip


def _cells(bench: Workbench, row: RunRow, status: str) -> dict[str, object]:
    judged, calls, cost, size, result = None, None, None, row.size, ""
    try:
        state = bench.states.of(row.id)
        (done, planned), spent = progress(state), state.spent
        judged, calls, cost = f"{done:,} of {planned:,}" if planned else "0", spent.calls, spent.cost.exact
        size, result = size_now(state), _result(row.id, state.last_seq, state)
        status = ", ".join(filter(None, (status, undecided_words(state))))
    except PodiumError:  # a journal with a gap: the run is listed, and its own page says what is wrong
        pass
    method = _method(row.spec)
    return {
        "name": run_name(row), "kind": _kind(row), "method": method, "started": when(row.created_at), "status": status,
        "result": result, "size": size, "judge": ", ".join(plain(judge.name, 40) for judge in row.spec.judges),
        "done": judged, "calls": calls, "cost": cost,
    }  # fmt: skip


@st.cache_resource(max_entries=4 * PAGE, show_spinner=False)
def _result(run: str, seq: int, _state: AnyState) -> str:
    if isinstance(_state, ItemState):
        return item_verdict(_state).sentence
    if isinstance(_state, RefineState):
        return verdict(_state).sentence
    return outcome_words(_state, standings(_state))


def _chooser(found: list[RunRow]) -> None:
    """The way by keyboard."""
    names = {row.id: f"{run_name(row)}, {when(row.created_at)}" for row in found}

    def choose() -> None:
        st.session_state[PICKED] = st.session_state["history_choice"]

    st.selectbox(
        "Choose a run", list(names), index=None, format_func=lambda run: names[run], key="history_choice", on_change=choose,
        placeholder="Type a name", width=420,
    )  # fmt: skip


def _card(bench: Workbench, row: RunRow) -> None:
    """What can be done with the run that is selected."""
    with st.container(border=True):
        st.header(label(run_name(row)), anchor=False)
        with st.container(horizontal=True, vertical_alignment="center"):
            if st.button("Open", key="history_open", type="primary", icon=":material/open_in_new:"):
                st.session_state["run"] = row.id
                st.switch_page("result.py", query_params={"run": row.id})
            _rename(row)
            st.download_button(
                "Export (zip)", lambda: bundle(bench, row.id), file_name=f"run-{row.id[:8]}.zip", mime="application/zip",
                key=f"export_{row.id}", on_click="ignore", icon=":material/archive:",
                help="The whole run: texts, prompts, replies and results. Hand it on only to people who may see the texts.",
            )  # fmt: skip


def _rename(row: RunRow) -> None:
    key = f"rename_{row.id}"

    def rename() -> None:
        name = plain(st.session_state[key], LONGEST_NAME)
        if not name:
            st.session_state[NEWS] = ("A run needs a name of at least one letter.", True)
            return
        workbench().rename(row.id, name)
        st.session_state[NEWS] = (f"Renamed to {name}.", False)

    with st.popover("Rename", icon=":material/edit:"), st.form(f"form_{key}", border=False):
        st.text_input("New name", value=run_name(row), max_chars=LONGEST_NAME, key=key)
        st.form_submit_button("Rename", on_click=rename, type="primary")


def _import(*, open_at_once: bool) -> None:
    with st.expander("Open a saved run", icon=":material/unarchive:", expanded=open_at_once):
        st.markdown(
            "A zip that was exported here or by somebody else. It is checked in full before anything is stored."
        )
        file = st.file_uploader("Run as a zip", type="zip", key="history_import", max_upload_size=200)
        st.button(
            "Import", key="history_import_button", on_click=_take_in, disabled=file is None, icon=":material/upload:"
        )


def _take_in() -> None:
    file = st.session_state["history_import"]
    if file is None:
        return
    try:
        run = import_bundle(workbench(), file.getvalue())
    except PodiumError as error:
        st.session_state[NEWS] = (f"Nothing was imported. {error}", True)
        return
    st.session_state[PICKED] = run
    st.session_state[NEWS] = ("The run was imported. It is selected below.", False)


show_page()
