"""Small rubrics as files: delimited, Word and workbook."""

from __future__ import annotations

import io
from collections.abc import Sequence

import docx
import openpyxl

from judge_core.intake.rubric_table import guess_columns, rubric_from_table, rubric_tables
from judge_core.scoring.rubric.reading import RubricReading

SCHOOL = [
    ["Criterion", "4 Excellent", "3 Good", "2 Fair", "1 Poor"],
    ["Thesis", "Clear and bold.", "Clear.", "Vague.", "None."],
    ["Evidence", "Rich.", "Enough.", "Thin.", "None."],
]


def csv_bytes(rows: Sequence[Sequence[str]], delimiter: str = ",") -> bytes:
    return "\n".join(delimiter.join(f'"{cell}"' for cell in row) for row in rows).encode()


def word(rows: Sequence[Sequence[str]], *, merges: Sequence[tuple[int, int, int, int]] = (), before: str = "") -> bytes:
    """A Word file with one table; a merge is (row, column, last row, last column) and keeps the first cell's text."""
    document = docx.Document()
    document.add_paragraph(before)
    grid = document.add_table(rows=len(rows), cols=len(rows[0]))
    for row, cells in enumerate(rows):
        for column, cell in enumerate(cells):
            grid.cell(row, column).text = cell
    for top, left, bottom, right in merges:
        text = grid.cell(top, left).text
        grid.cell(top, left).merge(grid.cell(bottom, right)).text = text
    target = io.BytesIO()
    document.save(target)
    return target.getvalue()


def workbook(rows: Sequence[Sequence[object]], *, merges: Sequence[str] = (), percent: str = "") -> bytes:
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    sheet.title = "Essay"
    for row in rows:
        sheet.append(list(row))
    for cells in merges:
        sheet.merge_cells(cells)
    for (cell,) in sheet[percent] if percent else ():
        cell.number_format = "0%"
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


def read(name: str, data: bytes) -> RubricReading:
    """The rubric of the file's first table with the columns as guessed."""
    first = rubric_tables(name, data)[0]
    return rubric_from_table(first, guess_columns(first))
