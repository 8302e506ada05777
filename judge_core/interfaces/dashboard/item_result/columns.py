"""The main table on the page: which columns stand in it, what they are called, and how its numbers look."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pandas as pd
import streamlit as st
from streamlit.elements.lib.column_types import ColumnConfig

from judge_core.interfaces.dashboard.item_result.lists import candidate_names
from judge_core.interfaces.dashboard.item_result.shown import ShownItems
from judge_core.interfaces.dashboard.result.words import warning_sentence
from judge_core.views.charts.items.verdicts import MARKS
from judge_core.views.exports.ranked import Table
from judge_core.views.items.state import ItemStatus
from judge_core.views.items.tables import frame, warnings_of, without
from judge_core.views.items.verdicts.points import gate_decision

TITLES = {
    "item": "Item", "passed": "Verdict", "score": "Score (1 to 5)", "score_low": "Lowest judge", "score_high": "Highest judge",
    "judges": "Judges", "status": "Status", "warnings": "Warnings", "candidate": "Candidate", "number": "Number",
    "place": "Place", "position": "Mean position", "agreement": "Agreement (W)", "faithfulness": "Faithfulness",
    "contradiction": "Contradiction", "context_precision": "Context precision", "context_utilisation": "Context utilisation",
    "answer_relevance": "Answer relevance", "coverage": "Coverage", "claims": "Claims", "supported": "Supported",
    "contradicted": "Contradicted", "not_found": "Not found", "disputed": "Disputed", "goal": "Goal", "useful": "Useful steps",
    "redundant": "Redundant steps", "harmful": "Harmful steps", "call_correctness": "Right calls", "efficiency": "Efficiency",
    "steps": "Steps", "patterns": "Patterns", "success": "Outside check",
}  # fmt: skip
"""What the fixed columns are called. All others are criteria or judges, called as they are."""
HELP = {
    "score": "The panel's weighted mean over all criteria, on a scale of 1 to 5.",
    "faithfulness": "Share of the answer's claims that the passages support. 1 is best.",
    "contradiction": "Share of the answer's claims that the passages contradict. 0 is best.",
    "context_precision": "How far up the relevant passages stand. 1: all of them before any other.",
    "context_utilisation": "Share of the relevant passages that a claim rests on.",
    "answer_relevance": "How well the answer fits the question, as scored. 1 is best.",
    "coverage": "Share of the reference answer's claims that the answer holds.",
    "disputed": "Claims on which the judges are evenly split.",
    "goal": "1 reached, 0.5 in part, 0 not.",
    "efficiency": "How much of the way was useful. 1 is best.",
    "call_correctness": "Share of the tool calls that were right.",
    "agreement": "Kendall's W of the judges: 0 none, 1 full.",
    "position": "Mean position over the judges and both orders; 1 is best.",
    "success": "Whether the run reached its goal by an outside check, where your data says so.",
}
WHOLE = ("judges", "number", "claims", "supported", "contradicted", "not_found", "disputed", "steps", "place")
"""Columns of whole numbers."""
OPTIONAL = ("coverage", "success", "agreement", "score_low", "score_high", "call_correctness", "warnings")
"""Columns that are left out where no row has a value: nothing of the kind was asked."""
ORDER = {
    "rag": (
        "item", "status", "faithfulness", "contradiction", "supported", "contradicted", "not_found", "disputed", "answer_relevance",
        "coverage", "context_precision",
    ),
    "agent": ("item", "status", "goal", "success", "harmful", "redundant", "useful", "patterns", "efficiency", "steps"),
}  # fmt: skip
"""Columns that come first, by mode."""
FIRST = ("item", "status")
"""The same where the mode has no order of its own."""
HIDDEN = {"gate": ("bar", "why"), "rag": ("claims", "context_utilisation"), "listwise": ("number",)}
"""Of a gate: said in the verdict's column and in the chart. Of answers: seldom asked for, and in the files."""
NARROW = {"rag": 150, "agent": 150}
"""Pixels of the item's column where items have long names, so that a figure is seen beside it on a small screen."""
STATUS: dict[ItemStatus, str] = {
    "judged": "✓ judged",
    "partly judged": "◐ partly judged",
    "no verdict": "✕ no verdict",
    "held": "‖ held back",
    "cancelled": "⊘ cancelled",
    "waiting": "… waiting",
}


NOTHING: dict[str, tuple[object, ...]] = {
    **dict.fromkeys(OPTIONAL, (None,)),
    "patterns": ("",),
    "disputed": (None, 0),
    "status": (STATUS["judged"],),
}
"""Columns that are left out where all their cells are among these."""


def row_aliases(shown: ShownItems) -> list[str]:
    """The item of each row of the main table: one row an item, in a list one a candidate."""
    items = shown.state.spec.items
    if shown.mode != "listwise":
        return [item.alias for item in items]
    return [item.alias for item in items for _ in item.of("candidate")]


def show_table(
    shown: ShownItems, rows: Sequence[int], *, key: str, on_select: Callable[[], None] | None = None
) -> None:
    """These rows of the main table. `on_select`: what a click on a row does."""
    table = page_table(shown)
    part = Table(table.header, tuple(table.rows[row] for row in rows))
    first = [name for name in ORDER.get(shown.mode, FIRST) if name in part.header]
    content = frame(part)[[*first, *(name for name in part.header if name not in first)]]
    words, columns = "Results: a row for each item", configured(content, NARROW.get(shown.mode))
    if on_select is None:
        st.dataframe(content, key=key, hide_index=True, column_config=columns, placeholder="", alt=words)
        return
    st.dataframe(
        content, key=key, hide_index=True, column_config=columns, placeholder="", alt=words, on_select=on_select,
        selection_mode="single-row",
    )  # fmt: skip


def page_table(shown: ShownItems) -> Table:
    """The main table in the page's words: verdict, status and warnings are said; columns that tell nothing are left out."""
    table = _named(shown)
    at = {name: place for place, name in enumerate(table.header)}
    rows = []
    for alias, cells in zip(row_aliases(shown), table.rows, strict=True):
        row = list(cells)
        row[at["status"]] = STATUS[shown.state.item_status(alias)]
        row[at["warnings"]] = " ".join(filter(None, map(warning_sentence, warnings_of(shown.state, alias)))) or None
        if shown.mode == "gate":
            row[at["passed"]] = MARKS[gate_decision(shown.state, alias).why] if alias in shown.state.items else None
        if shown.mode == "agent":
            row[at["patterns"]] = str(row[at["patterns"]] or "").replace("_", " ")
        rows.append(tuple(row))
    return _telling(shown, Table(table.header, tuple(rows)))


def _named(shown: ShownItems) -> Table:
    """The main table with a list's candidates as the page calls them."""
    table = shown.table
    if shown.mode != "listwise":
        return table
    items = shown.state.spec.items
    names = [name for item in items for name in candidate_names(shown, item)]
    bare = without(table, "candidate")
    rows = zip(names, bare.rows, strict=True)
    header = (bare.header[0], "candidate", *bare.header[1:])
    return Table(header, tuple((row[0], name, *row[1:]) for name, row in rows))


def _telling(shown: ShownItems, table: Table) -> Table:
    """The table without columns that say nothing, or nothing that stands not elsewhere on the page."""
    alone = ("item",) if shown.mode == "listwise" and len(shown.state.spec.items) == 1 else ()
    for column in (*HIDDEN.get(shown.mode, ()), *alone):
        table = without(table, column)
    for column, nothing in NOTHING.items():
        if column in table.header and all(row[table.header.index(column)] in nothing for row in table.rows):
            table = without(table, column)
    return table


def configured(content: pd.DataFrame, first_width: int | None = None) -> dict[str, ColumnConfig]:
    """Titles and number formats of the columns. Criteria and judges keep their names: no markdown is read there.

    `first_width`: pixels of the first column; None: as wide as its content.
    """
    config = st.column_config
    columns = {}
    for place, name in enumerate(content.columns):
        title = TITLES.get(name, name)
        if name in WHOLE:
            columns[name] = config.NumberColumn(title, format="%d", help=HELP.get(name))
        elif pd.api.types.is_numeric_dtype(content[name]) and content[name].notna().any():
            columns[name] = config.NumberColumn(title, format="%.2f", help=HELP.get(name))
        else:
            width = first_width if place == 0 else None
            columns[name] = config.TextColumn(title, help=HELP.get(name), pinned=place == 0, width=width)
    return columns
