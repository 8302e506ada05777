"""The files of a run that judges items: each table as CSV, all of them as the sheets of a workbook."""

from __future__ import annotations

from judge_core.views.exports.cells import csv_bytes
from judge_core.views.exports.judgments import Reasons
from judge_core.views.exports.ranked import Table
from judge_core.views.exports.workbook import workbook_bytes as workbook_bytes
from judge_core.views.items.details import detail_tables
from judge_core.views.items.judgments import judgments_table
from judge_core.views.items.state import ItemState
from judge_core.views.items.tables import summary_table, wide_table
from judge_core.views.items.verdicts.summary import summary


def item_tables(state: ItemState, reasons: Reasons | None = None) -> dict[str, Table]:
    """All tables of a run by file name without its ending: the mode's own first, its labels, `summary`, `judgments`."""
    return {
        state.spec.mode: wide_table(state),
        **detail_tables(state),
        "summary": summary_table(summary(state), state),
        "judgments": judgments_table(state, reasons),
    }


def item_csv(table: Table) -> bytes:
    """A table as formula-safe CSV in UTF-8 with a byte order mark; the same run gives the same bytes."""
    return csv_bytes(table.header, table.rows)


def item_csv_files(state: ItemState, reasons: Reasons | None = None) -> dict[str, bytes]:
    """All tables as CSV by file name: 'review.csv', 'summary.csv', 'judgments.csv', ..."""
    return {f"{name}.csv": item_csv(table) for name, table in item_tables(state, reasons).items()}


def item_xlsx(state: ItemState, reasons: Reasons | None = None) -> bytes:
    """All tables as the sheets of one workbook, in the same order; text stays text, the same run gives the same bytes."""
    return workbook_bytes(item_tables(state, reasons))
