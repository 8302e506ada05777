"""Delimited files (CSV, TSV): which delimiter, which rows. Cells stay text: nothing is turned into a number or null."""

from __future__ import annotations

import csv
import io
import itertools
import re
from collections.abc import Iterator

from judge_core.intake.artifacts import even_lines, without_controls
from judge_core.intake.formats.tables import Document, Row, Table, blank, is_known, like_heading, shape
from judge_core.records.errors import InputError

DELIMITERS = (",", ";", "\t", "|")
DELIMITER_NAMES = {"\t": "tab"}
NONE = "\x1f"
"""Stands for "no delimiter": a separator that no text holds once `OTHER_CONTROL` took its place there."""
OTHER_CONTROL = "\x1e"
"""Removed and told of like any control character."""
SNIFFED_ROWS = 200
LONGEST_CELL = 50 * 1024 * 1024
END = "\ue000end of table\ue000"

csv.field_size_limit(LONGEST_CELL)  # the default of 131,072 characters would refuse a long text


def read_delimited(document: Document) -> Table:
    """The table of a decoded file. Raises InputError where a quotation mark is never closed or nothing is there."""
    declared, text = _declared(even_lines(document.text).replace(NONE, OTHER_CONTROL))
    delimiter = declared or find_delimiter(text)
    rows, loose = _parse(text, delimiter)
    told = "none" if delimiter == NONE else DELIMITER_NAMES.get(delimiter, delimiter)
    table = shape(
        [_row(number, cells) for number, cells in enumerate(rows, start=2 if declared else 1)],
        encoding=document.encoding,
        guesses={**document.guesses, "delimiter": told},
        notices=document.notices,
    )
    remark = ("Some quotation marks are not closed where a cell ends. Check the texts of this file.",) if loose else ()
    return table.model_copy(update={"problems": (*remark, *table.problems)})


def _row(number: int, cells: list[str]) -> Row:
    _, notices = without_controls("".join(cells))
    return Row(
        number=number, cells=tuple(without_controls(c)[0] for c in cells) if notices else tuple(cells), notices=notices
    )


def _declared(text: str) -> tuple[str | None, str]:
    """The delimiter that spreadsheets write into a first line of its own (`sep=;`), and the rest."""
    found = re.match(r"\"?sep=([,;\t|])\"?\n", text)
    return (found.group(1), text[found.end() :]) if found else (None, text)


def find_delimiter(text: str) -> str:
    """The delimiter that gives the first row known names, or all rows the same width; NONE for a single column.

    >>> find_delimiter("id;text\\ne1;7,5\\n"), find_delimiter("text\\nFirst, second, third\\n") == NONE
    (';', True)
    """
    fits = {delimiter: _fit(text, delimiter) for delimiter in DELIMITERS}
    best = max(DELIMITERS, key=lambda delimiter: fits[delimiter])
    return best if fits[best] > (0, 0.0, 0) else NONE


def _fit(text: str, delimiter: str) -> tuple[int, float, int]:
    """How well a delimiter fits: known names, share of rows as wide as the first, width; zeros where it does not."""
    if delimiter not in text:
        return (0, 0.0, 0)
    rows = [row for row in itertools.islice(_reader(text, delimiter), SNIFFED_ROWS) if not blank(row)]
    width = len(rows[0]) if rows else 0
    if width < 2:
        return (0, 0.0, 0)
    known = sum(1 for cell in rows[0] if cell and is_known(cell))
    share = sum(1 for row in rows if len(row) == width) / len(rows)
    named = all(like_heading(cell) for cell in rows[0] if cell) and share >= 0.5
    return (known, share, width) if known or (named or share >= 0.9) and len(rows) > 1 else (0, 0.0, 0)


def _reader(text: str, delimiter: str, *, strict: bool = False) -> Iterator[list[str]]:
    spaced = re.search(rf'{re.escape(delimiter)} +"', text) is not None  # a blank before an opening quotation mark
    return csv.reader(io.StringIO(text), delimiter=delimiter, strict=strict, skipinitialspace=spaced)


def _parse(text: str, delimiter: str) -> tuple[list[list[str]], bool]:
    """All rows, and whether quotation marks had to be read loosely."""
    try:
        return list(_reader(text, delimiter, strict=True)), False
    except csv.Error:
        if delimiter == NONE:  # a line that begins with a quotation is a text, not a quoted cell
            return [[line] if line else [] for line in text.removesuffix("\n").split("\n")], False
    rows = list(_reader(f"{text}\n{END}", delimiter))
    if rows.pop() != [END]:
        raise InputError(
            f"Row {len(rows) + 1} opens a quotation mark that is never closed. "
            "Close it, or double the quotation marks inside a quoted cell."
        )
    if rows and not rows[-1]:
        rows.pop()
    return rows, True


def looks_like_table(text: str) -> bool:
    """Whether a file named as a text is a table: known names in its first row, and every row as wide as that."""
    text = even_lines(text)
    delimiter = find_delimiter(text)
    if delimiter == NONE:
        return False
    rows = [row for row in itertools.islice(_reader(text, delimiter), SNIFFED_ROWS) if not blank(row)]
    if len(rows) < 2 or any(len(row) != len(rows[0]) for row in rows):
        return False
    return sum(1 for cell in rows[0] if is_known(cell)) >= 2
