"""The tables of a Word file, a workbook or a delimited file as plain grids of cells. A merged cell fills all its places."""

from __future__ import annotations

import csv
import io
import itertools
import warnings
from collections.abc import Iterable, Iterator
from typing import Any
from xml.etree import ElementTree

import docx
import openpyxl
from docx.oxml.ns import qn
from docx.table import Table as WordTable

from judge_core.intake.formats.archive import check_package, open_zip, read_part
from judge_core.intake.formats.delimited import find_delimiter
from judge_core.intake.formats.encodings import decode
from judge_core.intake.formats.kinds import recognise
from judge_core.intake.formats.workbook import cell_text
from judge_core.intake.naming import title_of
from judge_core.intake.options import MEGABYTE, ReadOptions
from judge_core.records.errors import InputError
from judge_core.records.record import Record

MOST_ROWS, MOST_COLUMNS = 500, 60
SCANNED_ROWS, SCANNED_COLUMNS = 2000, 200
"""How far blank rows and columns may spread a table."""
MOST_MERGED = 100_000
"""Cells that merged ranges may cover; the library builds each of them."""
TOO_LARGE = f"The table is larger than {MOST_ROWS} rows by {MOST_COLUMNS} columns. Keep only the rubric in it."
MOST_BYTES = 20 * MEGABYTE
_LIMITS = ReadOptions(max_file_bytes=MOST_BYTES, max_unzipped_bytes=MOST_BYTES)
_RUNS = "./w:r | ./w:ins/w:r | ./w:hyperlink/w:r | ./w:sdt/w:sdtContent/w:r | ./w:smartTag/w:r"


class Grid(Record):
    """Raw cells, all rows equally wide."""

    title: str
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()


def read_grids(name: str, data: bytes) -> list[Grid]:
    """The grids of a file, at least two columns wide. Raises InputError where the file cannot be read."""
    if len(data) > MOST_BYTES:
        raise InputError(f"The file is larger than {MOST_BYTES // MEGABYTE} MB. Save the rubric as a file of its own.")
    kind = recognise(name, data)
    if kind not in ("word", "workbook", "table", "text"):
        raise InputError("A rubric is read from a table in a .docx, .xlsx or .csv file. Save it as one of these.")
    try:
        if kind == "word":
            grids = _word_grids(data)
        else:
            grids = _workbook_grids(data) if kind == "workbook" else [_delimited_grid(name, data)]
    except InputError:
        raise
    except Exception as error:  # the libraries raise many kinds on hostile bytes
        raise InputError("The file is broken. Open it and save it again.") from error
    return [grid for grid in grids if grid.rows and len(grid.rows[0]) > 1]


def _grid(title: str, rows: Iterator[list[str]], notes: tuple[str, ...] = ()) -> Grid:
    """A grid without blank rows and without blank columns at its right; refuses one that is too large."""
    scanned = list(itertools.islice(rows, SCANNED_ROWS + 1))
    filled = [row for row in scanned if any(cell.strip() for cell in row)]
    width = max((_used(row) for row in filled), default=0)
    if len(scanned) > SCANNED_ROWS or len(filled) > MOST_ROWS or width > MOST_COLUMNS:
        raise InputError(TOO_LARGE)
    even = tuple(tuple((row + [""] * width)[:width]) for row in filled)
    return Grid(title=title, rows=even, notes=notes)


def _usable(tables: Iterable[tuple[str, Iterator[list[str]]]]) -> list[Grid]:
    """The grids that are not too large; the refusal where that leaves none (a workbook may hold texts beside a rubric)."""
    grids: list[Grid] = []
    refusal: InputError | None = None
    for title, rows in tables:
        try:
            grids.append(_grid(title, rows))
        except InputError as error:
            refusal = error
    if refusal and not any(grid.rows for grid in grids):
        raise refusal
    return grids


def _used(row: list[str]) -> int:
    return max((index for index, cell in enumerate(row, start=1) if cell.strip()), default=0)


def _delimited_grid(name: str, data: bytes) -> Grid:
    document = decode(data)
    text = document.text.replace("\0", "")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=find_delimiter(text))
    return _grid(title_of(name), iter(reader), tuple(notice.message for notice in document.notices))


def _checked_parts(data: bytes) -> Iterator[bytes]:
    """Each XML part of a package, after the checks on size and entities."""
    with open_zip(data) as package:
        check_package(package, _LIMITS)
        for name in package.namelist():
            if name.endswith((".xml", ".rels")):
                yield read_part(package, name)


def _workbook_grids(data: bytes) -> list[Grid]:
    if sum(map(_merged, _checked_parts(data))) > MOST_MERGED:
        raise InputError("The workbook merges too many cells. Keep only the rubric in it.")
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", category=UserWarning, module="openpyxl")  # extensions that it leaves out
        workbook = openpyxl.load_workbook(io.BytesIO(data), data_only=True)
    sheets = [sheet for sheet in workbook.worksheets if sheet.sheet_state == "visible"]
    return _usable((sheet.title, _sheet_rows(sheet)) for sheet in sheets)


def _merged(part: bytes) -> int:
    """How many cells the merged ranges of a part cover, if it is a sheet."""
    if b"mergeCell" not in part.replace(b"\0", b""):
        return 0
    ranges = (
        element.get("ref", "") for element in ElementTree.fromstring(part).iter() if element.tag.endswith("}mergeCell")
    )
    return sum(_area(*openpyxl.utils.range_boundaries(text)) for text in ranges)


def _area(left: int, top: int, right: int, bottom: int) -> int:
    return (right - left + 1) * (bottom - top + 1)


def _sheet_rows(sheet: Any) -> Iterator[list[str]]:
    filled = {
        place: sheet.cell(area.min_row, area.min_col)
        for area in sheet.merged_cells.ranges
        for place in itertools.product(range(area.min_row, area.max_row + 1), range(area.min_col, area.max_col + 1))
    }
    if sheet.max_row > SCANNED_ROWS or sheet.max_column > SCANNED_COLUMNS:
        raise InputError(TOO_LARGE)
    for row in sheet.iter_rows():
        yield [_sheet_cell(filled.get((cell.row, cell.column), cell)) for cell in row]


def _sheet_cell(cell: Any) -> str:
    """A cell as it is shown: percentages keep their sign."""
    value, shown_as = cell.value, str(cell.number_format)
    if isinstance(value, int | float) and not isinstance(value, bool) and "%" in shown_as:
        return f"{100 * value:.10g} %"
    return cell_text(value, shown_as)


def _word_grids(data: bytes) -> list[Grid]:
    for _ in _checked_parts(data):
        pass
    return _usable(_word_tables(docx.Document(io.BytesIO(data)).iter_inner_content()))


def _word_tables(blocks: Iterable[Any]) -> Iterator[tuple[str, Iterator[list[str]]]]:
    """Each table with the short line above it as its title."""
    above, number = "", 0
    for block in blocks:
        if isinstance(block, WordTable):
            number += 1
            yield above or f"Table {number}", _word_rows(block)
            above = ""
        else:
            above = block.text.strip() if len(block.text.strip()) <= 100 else ""


def _word_rows(table: WordTable) -> Iterator[list[str]]:
    for row in table.rows:
        yield [""] * row.grid_cols_before + [_word_cell(cell._tc) for cell in row.cells]


def _word_cell(cell: Any) -> str:
    """The visible lines of a cell: insertions under review count, deletions do not."""
    paragraphs = cell.xpath("./w:p | ./w:sdt/w:sdtContent/w:p")
    return "\n".join(
        "".join(run.text for run in paragraph.xpath(_RUNS) if not _hidden(run)) for paragraph in paragraphs
    )


def _hidden(run: Any) -> bool:
    vanish = run.find(f"{qn('w:rPr')}/{qn('w:vanish')}")
    return vanish is not None and vanish.get(qn("w:val")) not in ("0", "false", "off")
