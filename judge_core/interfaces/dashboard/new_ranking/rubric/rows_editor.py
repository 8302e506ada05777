"""A table editor that stays in step with stored rows.

Streamlit's editor keeps what was edited as differences to the rows it was first given. So it is given the same rows as
long as only it changes them, and begun anew when they were changed elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from judge_core.interfaces.drafts.records import Rows
from judge_core.interfaces.drafts.rubrics import plain_rows


def edited_rows(rows: Rows, edits: Mapping[str, Any], columns: Sequence[str]) -> Rows:
    """The rows after the differences that the editor reports.

    >>> edited_rows(({"a": 1}, {"a": 2}), {"edited_rows": {0: {"a": 5}}, "deleted_rows": [1], "added_rows": [{"a": 3}]}, ["a"])
    ({'a': 5}, {'a': 3})
    """
    changed = [dict(row) for row in rows]
    for index, cells in edits.get("edited_rows", {}).items():
        if int(index) < len(changed):
            changed[int(index)] |= cells
    gone = set(edits.get("deleted_rows", ()))
    kept = [row for index, row in enumerate(changed) if index not in gone]
    return plain_rows([*kept, *edits.get("added_rows", ())], columns)


def rows_editor(
    key: str, rows: Rows, columns: Sequence[str], config: Mapping[str, Any], store: Callable[[Rows], object]
) -> None:
    """Shows rows for editing, adding and deleting; `store` gets them after each edit."""
    memory = f"{key}:memory"
    kept = st.session_state.get(memory)
    if kept is None or kept["result"] != rows or kept["widget"] not in st.session_state:
        version = 0 if kept is None else kept["version"] + 1
        kept = {"base": rows, "result": rows, "version": version, "widget": f"{key}:{version}"}
        st.session_state[memory] = kept

    def take() -> None:
        edits = st.session_state.get(kept["widget"], {})
        result = edited_rows(kept["base"], edits, columns)
        kept["result"] = result
        store(result)

    st.data_editor(
        pd.DataFrame([dict(row) for row in kept["base"]], columns=list(columns)),
        key=kept["widget"],
        num_rows="dynamic",
        hide_index=True,
        placeholder="",
        column_config=dict(config),
        on_change=take,
    )
