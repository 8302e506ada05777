"""What texts are judged by: the question, and the criteria, folded away until somebody wants others."""

from __future__ import annotations

import streamlit as st

from judge_core.interfaces.dashboard.new_ranking.rubric.rows_editor import rows_editor
from judge_core.interfaces.dashboard.new_ranking.rubric.sources import show_sources
from judge_core.interfaces.dashboard.new_ranking.state import bound, edit, slot
from judge_core.interfaces.dashboard.safe import label, line, plain
from judge_core.interfaces.drafts import Draft
from judge_core.interfaces.drafts.records import Rows
from judge_core.interfaces.drafts.rubrics import (
    COLUMNS,
    discarded,
    made_100,
    table_rows,
    weight_sum,
    with_frame,
    with_rows,
)

NAMED = 4
"""Criteria that the folded title names at most."""


def show_question(draft: Draft) -> None:
    """The question or task; it may stay empty."""

    def put(d: Draft, question: str) -> Draft:
        return d.model_copy(update={"rubric": with_frame(d.rubric, question=question)})

    st.text_area(
        "Question or task (optional)", height=80, placeholder="What the text answers, as it was set.",
        **bound("question", draft.rubric.rubric.question, put),
    )  # fmt: skip


def show_criteria(draft: Draft) -> None:
    """The criteria: ready-made ones, a file, or rows to fill in."""
    names = [plain(criterion.name, 40) for criterion in draft.rubric.rubric.criteria]
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    title = f"Criteria: {label(', '.join(names[:NAMED]) + more, 200)}"
    with st.expander(title, icon=":material/checklist:", expanded=bool(draft.rubric.faults), key="jobs:criteria"):
        show_sources(draft)
        _table(draft)
        _faults(draft)
        for note in draft.rubric.notes:
            st.info(label(note, 400), icon=":material/info:")


def _table(draft: Draft) -> None:
    number = st.column_config.NumberColumn
    config = {
        "name": st.column_config.TextColumn("Criterion", width="medium", required=True),
        "description": st.column_config.TextColumn("What it means", width="large"),
        "scale_min": number("From", width="small", default=0),
        "scale_max": number("To", width="small", default=10),
        "weight_percent": number("Weight %", width="small", min_value=0, format="%.1f", default=10),
    }
    rows_editor(f"jobs:{slot()}:criteria", table_rows(draft.rubric), COLUMNS, config, _store)
    total = weight_sum(draft.rubric)
    right = abs(total - 100) < 0.05
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"{'✓' if right else '⚠'} Weights add up to **{total:g} %**")
        if not right:
            st.button("Make it 100 %", on_click=_make_100)


def _store(rows: Rows) -> None:
    edit(lambda draft: draft.model_copy(update={"rubric": with_rows(draft.rubric, rows)}))


def _make_100() -> None:
    edit(lambda draft: draft.model_copy(update={"rubric": made_100(draft.rubric)}))


def _faults(draft: Draft) -> None:
    if not draft.rubric.faults:
        return
    st.error(
        "What you typed cannot be used yet. Until it is mended, the last good criteria stay in use.",
        icon=":material/warning:",
    )
    for fault in draft.rubric.faults[:10]:
        line(f"• {fault}")
    st.button("Drop this edit", on_click=_drop)


def _drop() -> None:
    edit(lambda draft: draft.model_copy(update={"rubric": discarded(draft.rubric)}))
