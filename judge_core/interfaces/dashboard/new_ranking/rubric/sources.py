"""Where criteria can come from and go to: presets, saved ones, files, a table in a document."""

from __future__ import annotations

import re

import pandas as pd
import streamlit as st

from judge_core.intake.rubric_table import ColumnChoice, RubricTable, guess_columns, rubric_from_table, rubric_tables
from judge_core.interfaces.dashboard.new_ranking.state import chosen_of, current, edit, refuse, slot, uploader
from judge_core.interfaces.dashboard.safe import label, plain
from judge_core.interfaces.dashboard.session import workbench
from judge_core.interfaces.drafts import Draft, shelf
from judge_core.interfaces.drafts.rubrics import with_rubric
from judge_core.records.criteria import Rubric
from judge_core.records.errors import InputError
from judge_core.scoring.rubric.presets import PRESETS
from judge_core.scoring.rubric.reading import RubricReading, read_rubric
from judge_core.scoring.rubric.writing import write_rubric

SAVE_NAME = "new_ranking:rubric_name"
_NONE = "(none)"


def show_sources(draft: Draft) -> None:
    """One row of ways in and out."""
    with st.container(horizontal=True):
        with st.popover("Ready-made criteria", icon=":material/library_books:"):
            _ready_made()
        with st.popover("From a file", icon=":material/attach_file:"):
            _from_file()
        with st.popover("Save", icon=":material/save:"):
            _save(draft)
    _pointing()


def _take(reading: RubricReading) -> bool:
    return edit(lambda draft: draft.model_copy(update={"rubric": with_rubric(draft.rubric, reading)}))


def _use(reading: RubricReading) -> None:
    _take(reading)


def _ready_made() -> None:
    own = shelf.saved(workbench().home.root)
    choices: dict[str, Rubric] = {f"Saved: {name}": rubric for name, rubric in own.items()}
    choices |= {name.capitalize(): rubric for name, rubric in PRESETS.items()}
    chosen = st.selectbox(
        "Criteria", list(choices), format_func=lambda name: plain(name, 60), key=chosen_of("ready_made", choices)
    )
    if chosen in choices:
        rows = [
            {"Criterion": plain(c.name), "Weight": 100 * c.weight / sum(one.weight for one in choices[chosen].criteria)}
            for c in choices[chosen].criteria
        ]
        config = {"Weight": st.column_config.NumberColumn("Weight %", format="%.1f")}
        st.dataframe(pd.DataFrame(rows), hide_index=True, column_config=config, alt="The criteria of this choice")
        reading = RubricReading(rubric=choices[chosen])
        st.button("Use these criteria", on_click=_use, args=(reading,))


def _save(draft: Draft) -> None:
    rubric = draft.rubric.rubric
    st.download_button(
        "Download as JSON", write_rubric(rubric), file_name="criteria.json", mime="application/json", on_click="ignore"
    )
    st.text_input("Name", key=SAVE_NAME, placeholder=plain(rubric.name) or "Year 9 persuasive essay")
    st.button("Save under this name", on_click=_keep, args=(rubric,))


def _keep(rubric: Rubric) -> None:
    try:
        shelf.save(workbench().home.root, rubric, st.session_state.get(SAVE_NAME) or rubric.name)
        st.toast("Saved. You find it under Ready-made criteria.", icon=":material/check_circle:")
    except InputError as error:
        refuse(str(error))


def _from_file() -> None:
    st.caption("Criteria as JSON, or a Word, Excel or CSV file with a rubric table.")
    uploader(
        "Criteria file",
        "criteria",
        lambda given: _take_file(*given[0]) if given else None,
        help="json, docx, xlsx, csv",
    )


def _tables_key() -> str:
    return f"new_ranking:{slot()}:rubric_tables"


def _take_file(name: str, data: bytes) -> None:
    try:
        if re.search(r"\.(json|txt)$", name, re.IGNORECASE):
            _take(read_rubric(data))
            return
        st.session_state[_tables_key()] = (name, rubric_tables(name, data))
    except InputError as error:
        refuse(f"{plain(name)}: {error}")


def _pointing() -> None:
    """For a rubric table: which column is what, guessed first."""
    found: tuple[str, list[RubricTable]] | None = st.session_state.get(_tables_key())
    if found is None:
        return
    name, tables = found
    with st.container(border=True):
        st.markdown(f"**Rubric table** from {label(name)}")
        index = 0
        if len(tables) > 1:
            options = range(len(tables))
            index = (
                st.selectbox("Table", options, format_func=lambda i: _table_name(tables[i], i), key="new_ranking:table")
                or 0
            )
        table = tables[min(index, len(tables) - 1)]
        frame = pd.DataFrame([dict(zip(table.columns, row, strict=True)) for row in table.rows[:8]])
        st.dataframe(frame, hide_index=True, alt="First rows of the table")
        _choice(table, f"{name}:{index}")


def _table_name(table: RubricTable, index: int) -> str:
    return f"{index + 1}: {plain(table.title, 50) or 'untitled'} ({len(table.rows)} rows)"


def _choice(table: RubricTable, key: str) -> None:
    guess, columns = guess_columns(table), list(table.columns)
    fields = {"name": "Criterion", "description": "Description", "weight": "Weight"}
    chosen: dict[str, str | None] = {}
    for place, (field, title) in zip(st.columns(3), fields.items(), strict=True):
        options = columns if field == "name" else [_NONE, *columns]
        guessed = getattr(guess, field) or _NONE
        index = options.index(guessed) if guessed in options else 0
        value = place.selectbox(
            title, options, index=index, format_func=lambda c: plain(c, 50), key=f"new_ranking:{key}:{field}"
        )
        chosen[field] = None if value == _NONE else value
    levels = st.multiselect(
        "Columns that describe levels", columns, default=list(guess.levels), format_func=lambda c: plain(c, 50),
        key=f"new_ranking:{key}:levels",
    )  # fmt: skip
    with st.container(horizontal=True):
        st.button("Use this table", on_click=_take_table, args=(table, chosen, tuple(levels)))
        st.button("Leave it", on_click=_leave)


def _take_table(table: RubricTable, chosen: dict[str, str | None], levels: tuple[str, ...]) -> None:
    try:
        choice = ColumnChoice(
            name=chosen["name"] or table.columns[0],
            description=chosen["description"],
            weight=chosen["weight"],
            levels=levels,
        )
        if _take(rubric_from_table(table, choice, current().rubric.rubric)):
            _leave()
    except InputError as error:
        refuse(str(error))


def _leave() -> None:
    st.session_state.pop(_tables_key(), None)
