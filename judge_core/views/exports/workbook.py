"""Tables as an Excel workbook: text stays text, numbers stay numbers, the same run gives the same bytes."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Mapping

from openpyxl import Workbook
from openpyxl.cell.cell import Cell
from openpyxl.styles import Font
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from judge_core.views.exports import cells
from judge_core.views.exports.ranked import Table, ranked_table
from judge_core.views.standings import Standings
from judge_core.views.state import RunState

LONGEST_CELL = 32_767
"""Characters that Excel takes in a cell."""
STAMP = (1980, 1, 1, 0, 0, 0)
"""The one date of all parts of the file, so that equal runs give equal files."""
_DATES = re.compile(rb"(<dcterms:(created|modified)[^>]*>)[^<]*")


def ranked_xlsx(state: RunState, table: Standings) -> bytes:
    """The twin of the ranked CSV."""
    return workbook_bytes({"Ranking": ranked_table(state, table)})


def workbook_bytes(tables: Mapping[str, Table]) -> bytes:
    """Tables as sheets by name. Text that starts like a formula is marked as text, as a typed apostrophe would do."""
    book = Workbook()
    book.remove(book.active)
    for name, table in tables.items():
        sheet = book.create_sheet(name)
        for number, row in enumerate((table.header, *table.rows), start=1):
            for column, value in enumerate(row, start=1):
                _fill(sheet.cell(row=number, column=column), value)
        _dress(sheet, len(table.header))
    buffer = io.BytesIO()
    book.save(buffer)
    return _timeless(buffer.getvalue())


def _fill(cell: Cell, value: cells.Cell) -> None:
    if value is None or value == "":
        return
    if not isinstance(value, str):
        cell.value = value
        return
    text = cells.harmless(value)[:LONGEST_CELL]
    cell.value = text
    cell.data_type = "s"  # whatever it looks like: a formula, an error code, a date
    if text != cells.guarded(text):
        cell.quotePrefix = True


def _dress(sheet: Worksheet, columns: int) -> None:
    for column in range(1, columns + 1):
        sheet.cell(row=1, column=column).font = Font(bold=True)
        sheet.column_dimensions[get_column_letter(column)].width = 14
    sheet.freeze_panes = "A2"


def _timeless(content: bytes) -> bytes:
    """The same workbook without the hour of its making."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(buffer, "w") as new:
        for name in old.namelist():
            part = zipfile.ZipInfo(name, STAMP)
            part.compress_type = zipfile.ZIP_DEFLATED
            new.writestr(part, _DATES.sub(rb"\g<1>1980-01-01T00:00:00Z", old.read(name)))
    return buffer.getvalue()
