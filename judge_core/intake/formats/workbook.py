"""Excel workbooks: the first sheet with content as a table of text cells. Numbers are written as they are shown."""

from __future__ import annotations

import datetime
import io
import re
import warnings
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Any, NamedTuple

from judge_core.intake.formats.archive import check_package, open_zip, read_part
from judge_core.intake.formats.tables import Row, Table, shape
from judge_core.intake.naming import brief, shown
from judge_core.intake.options import ReadOptions
from judge_core.records.errors import InputError
from judge_core.records.record import Notice

MAX_ROWS = 200_000
EXACT_DIGITS = 15
"""A workbook stores no more digits of a number than these."""
EMPTY_ROW = Row(number=0, cells=())
BROKEN = "The workbook is broken or of an unknown kind. Open it and save it again as .xlsx or .csv."
STORED = Notice(code="formula_cell", message="A cell of this row held a formula; its stored value was read.")
UNSTORED = Notice(
    code="formula_cell",
    message="A cell of this row held a formula without a stored value; the formula itself was read.",
)


class _Sheet(NamedTuple):
    title: str
    rows: list[Row]
    others: list[str]


def read_workbook(data: bytes, options: ReadOptions) -> Table:
    """The table of the first visible sheet that holds anything; other sheets with content are named in a problem.

    Raises InputError where the file cannot be read or is empty.
    """
    has_formulas = _check(data, options)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about styles and extensions, which are not read
            sheet = _first_sheet(data, has_formulas)
    except InputError:
        raise
    except Exception as error:  # the library raises many kinds on hostile bytes
        raise InputError(BROKEN) from error
    return _table(sheet)


def _first_sheet(data: bytes, has_formulas: bool) -> _Sheet:
    import openpyxl  # here, since it takes a fifth of a second to load

    book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
    filled = [sheet for sheet in book.worksheets if _has_content(sheet)]
    chosen = next((sheet for sheet in filled if sheet.sheet_state == "visible"), None)
    if chosen is None:
        raise InputError("The workbook is empty: no visible sheet holds anything.")
    rows = list(_rows(chosen))
    if has_formulas:
        formulas = openpyxl.load_workbook(io.BytesIO(data), read_only=True)[chosen.title]
        rows = list(_with_formulas(rows, formulas))
    return _Sheet(chosen.title, rows, [sheet.title for sheet in filled if sheet is not chosen])


def _has_content(sheet: Any) -> bool:
    sheet.reset_dimensions()  # what the file says of its size may be wrong
    return any(cell is not None for row in sheet.iter_rows(values_only=True) for cell in row)


def _check(data: bytes, options: ReadOptions) -> bool:
    """Checks sizes and XML before anything is parsed; returns whether any sheet holds formulas."""
    with open_zip(data) as package:
        check_package(package, options)
        parts = [name for name in package.namelist() if name.endswith((".xml", ".rels"))]
        return any(
            [re.search(rb"<(?:\w+:)?f[ >/]", read_part(package, n)) is not None and "sheets/" in n for n in parts]
        )


def _rows(sheet: Any) -> Iterator[Row]:
    """The rows down to the last one with content (a stray format may stand a million rows further down)."""
    gap, count = 0, 0
    for number, cells in enumerate(sheet.iter_rows(), start=1):
        if all(cell.value is None for cell in cells):
            gap += 1
            continue
        count += 1
        if count > MAX_ROWS:
            raise InputError(f"The sheet has more than {MAX_ROWS} rows. Split it.")
        yield from [EMPTY_ROW] * gap
        gap = 0
        texts = tuple(cell_text(cell.value, getattr(cell, "number_format", "General")) for cell in cells)
        yield Row(number=number, cells=texts, notices=_rounded(cells))


def _rounded(cells: Iterable[Any]) -> tuple[Notice, ...]:
    large = any(isinstance(c.value, float | int) and abs(c.value) >= 10**EXACT_DIGITS for c in cells)
    message = f"A number of this row has more digits than a workbook keeps ({EXACT_DIGITS}). Format ids as text."
    return (Notice(code="number_rounded", message=message),) if large else ()


def cell_text(value: object, number_format: str = "General") -> str:
    """A cell as text: whole numbers without a point, padded where the format pads, dates in ISO form.

    >>> cell_text(7.0), cell_text(42, "00000"), cell_text("007"), cell_text(1.5e20), cell_text(True)
    ('7', '00042', '007', '150000000000000000000', 'TRUE')
    >>> cell_text(datetime.datetime(2026, 1, 2)), cell_text(None)
    ('2026-01-02', '')
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, int | float):
        return _number_text(value, number_format)
    if isinstance(value, datetime.datetime):
        return value.date().isoformat() if value.time() == datetime.time() else value.isoformat(" ")
    return str(value)


def _number_text(value: float, number_format: str) -> str:
    if value != value or value in (float("inf"), float("-inf")):
        return str(value)
    whole = value == int(value)
    text = format(Decimal(repr(value)), "f") if abs(value) < 1e100 else repr(value)
    text = text.removesuffix(".0") if whole else text
    return text.zfill(len(number_format)) if whole and value >= 0 and re.fullmatch("0{2,30}", number_format) else text


def _with_formulas(rows: list[Row], sheet: Any) -> Iterator[Row]:
    """The rows, with the formula's own text where no value is stored, and a notice where a formula stood."""
    by_number = {row.number: row for row in rows}
    sheet.reset_dimensions()
    for number, cells in enumerate(sheet.iter_rows(), start=1):
        formulas = {i: _formula(cell) for i, cell in enumerate(cells) if getattr(cell, "data_type", "n") == "f"}
        row = by_number.get(number, EMPTY_ROW)
        if formulas or row is not EMPTY_ROW:
            yield _filled_in(row.model_copy(update={"number": number}), formulas)


def _formula(cell: Any) -> str:
    return str(getattr(cell.value, "text", None) or cell.value or "")


def _filled_in(row: Row, formulas: dict[int, str]) -> Row:
    width = max([len(row.cells), *(i + 1 for i in formulas)])
    cells = [*row.cells, *[""] * (width - len(row.cells))]
    notices = {STORED if cells[i] else UNSTORED for i in formulas}
    for i, formula in formulas.items():
        cells[i] = cells[i] or formula
    return row.model_copy(update={"cells": tuple(cells), "notices": (*row.notices, *notices)})


def _table(sheet: _Sheet) -> Table:
    width = max(len(row.cells) for row in sheet.rows)
    padded = [row.model_copy(update={"cells": row.cells + ("",) * (width - len(row.cells))}) for row in sheet.rows]
    table = shape(padded, encoding=None, guesses={"sheet": shown(sheet.title)}, notices=())
    if not sheet.others:
        return table
    listed = ", ".join(brief(other) for other in sheet.others[:10])
    message = f"Only the sheet {brief(sheet.title)} was read; not read: {listed}. Save a sheet as a file of its own to use it."
    return table.model_copy(update={"losses": (message, *table.losses)})
