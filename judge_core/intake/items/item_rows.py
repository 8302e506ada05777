"""Rows of items: JSON, JSON lines, CSV and workbooks as objects with the line that each stands on.

A row is a JSON object or a row of a table under its header. What is wrong with one row is said with its line, and the
rows around it are kept. Refused, never guessed: a field named twice, NaN and Infinity, nesting without end.
"""

from __future__ import annotations

from collections import Counter
from typing import Literal

from pydantic import Field

from judge_core.intake.artifacts import even_lines
from judge_core.intake.formats.encodings import decode
from judge_core.intake.formats.tables import Table, blank
from judge_core.intake.items.json_values import LINE_ENDINGS, json_values
from judge_core.intake.naming import base_name, brief, ending
from judge_core.intake.options import ReadOptions, oversize
from judge_core.intake.reading import read_table
from judge_core.records.artifact import FileProblem
from judge_core.records.errors import InputError
from judge_core.records.record import Notice, Record

NAMED_PROBLEMS = 50
"""The most rows of one file that are named one by one; of further ones only the number is told."""
MOST_VALUES = 100_000
"""Of one file, good and bad ones together."""
BLANK = "The file holds nothing to read. Give one JSON object on each line, or a table with a header."
UNREADABLE = "The file could not be read: it is broken or of an unknown kind. Save it as .jsonl, .json, .csv or .xlsx."
NO_HEADER = "its first row names no columns. Put the names of the columns into the first row."
_KINDS: dict[type, str] = {
    dict: "an object", list: "a list", str: "a text", bool: "true or false", int: "a number", float: "a number",
    type(None): "null",
}  # fmt: skip


class Row(Record):
    """One row of a file: its fields by name as the file spells them; blank cells of a table are left out."""

    line: int = Field(ge=1)
    """Where it begins in the file, from 1: the line, or in a table the row with the header counted."""
    value: dict[str, object]
    unit: Literal["line", "row"] = "line"
    notices: tuple[Notice, ...] = ()
    """What was unusual about the row: a formula, control characters, a guessed encoding."""

    @property
    def place(self) -> str:
        """How a message names it: 'Line 3' or 'Row 3'."""
        return f"{self.unit.capitalize()} {self.line}"


class Rows(Record):
    """The rows of a file in order, and its problems."""

    rows: tuple[Row, ...] = ()
    problems: tuple[FileProblem, ...] = ()


def read_rows(name: str, data: bytes, options: ReadOptions = ReadOptions()) -> Rows:  # noqa: B008
    """The rows of a JSON file (a list of objects, one object, or a list under a single name), JSON lines, CSV or workbook.

    Never raises for any content or name. A table's first row is its header.
    """
    label = base_name(name)
    try:
        if len(data) > options.max_file_bytes:
            raise InputError(oversize(len(data), options.max_file_bytes))
        found = _json_rows(label, data) if _is_json(label, data) else _table_rows(label, data, options)
    except InputError as error:
        return Rows(problems=(FileProblem(file=label, message=str(error), lost=True),))
    except Exception:  # hostile bytes reach libraries that raise anything; their words may quote the file
        return Rows(problems=(FileProblem(file=label, message=UNREADABLE, lost=True),))
    return _bounded(label, found, options)


def kind_of(value: object) -> str:
    """The kind of a JSON value in words of a message.

    >>> kind_of([1]), kind_of(True), kind_of(2.5), kind_of(None)
    ('a list', 'true or false', 'a number', 'null')
    """
    return _KINDS.get(type(value), "of an unknown kind")


def _bounded(label: str, found: Rows, options: ReadOptions) -> Rows:
    """No more rows than are read at once, no more problems than anyone reads."""
    named = list(found.problems[:NAMED_PROBLEMS])
    more = len(found.problems) - NAMED_PROBLEMS
    if more > 0:
        named.append(_lost(label, f"{more:,} further rows could not be read either."))
    left = len(found.rows) - options.max_texts
    if left > 0:
        first = found.rows[options.max_texts]
        message = (
            f"At most {options.max_texts:,} rows are read at once; {left:,} were left out, from "
            f"{first.place.lower()} on. Split the file."
        )
        named.append(_lost(label, message))
    return Rows(rows=found.rows[: options.max_texts], problems=tuple(named))


def _lost(label: str, message: str) -> FileProblem:
    return FileProblem(file=label, message=message, lost=True)


def _is_json(label: str, data: bytes) -> bool:
    start = data[:64].lstrip(b"\xef\xbb\xbf\xff\xfe\0 \t\r\n")[:1]
    return ending(label) in ("json", *LINE_ENDINGS) or (start in (b"{", b"[") and ending(label) not in ("csv", "tsv"))


def _table_rows(label: str, data: bytes, options: ReadOptions) -> Rows:
    table = _headed(read_table(label, data, options))
    rows = tuple(
        Row(
            line=row.number,
            unit="row",
            value={name: cell for name, cell in zip(table.header, row.cells, strict=False) if not blank([cell])},
            notices=(*table.notices, *row.notices),
        )
        for row in table.rows
    )
    remarks = (FileProblem(file=label, message=text) for text in table.problems)
    return Rows(rows=rows, problems=(*remarks, *(_lost(label, text) for text in table.losses)))


def _headed(table: Table) -> Table:
    """The table with its first row as header, also where its names are none that mark a table of texts."""
    if "header" not in table.guesses:
        return table
    names = [cell.strip() for cell in table.rows[0].cells]
    twice = [name for name, count in Counter(names).items() if name and count > 1]
    if len(table.rows) < 2 or not all(names) or twice:
        said = (
            f"its first row gives the name {brief(twice[0])} twice. Give each column its own." if twice else NO_HEADER
        )
        raise InputError(f"The table cannot be read: {said}")
    return table.model_copy(update={"header": tuple(names), "rows": table.rows[1:]})


def _json_rows(label: str, data: bytes) -> Rows:
    document = decode(data)
    text = even_lines(document.text)
    if not text.strip():
        raise InputError(BLANK)
    rows: list[Row] = []
    problems: list[str] = []
    for number, found in enumerate(json_values(label, text)):
        if number == MOST_VALUES:
            problems.insert(
                0, f"At most {MOST_VALUES:,} rows of a file are looked at, to line {found.line}. Split the file."
            )
            break
        fault = found.fault or _row_fault(found.value)
        if fault:
            told = fault if fault.endswith(".") else f"{fault}; it was left out."
            problems.append(f"Line {found.line}: {told}")
        else:
            rows.append(Row(line=found.line, value=found.value, notices=document.notices))
    if not rows and not problems:
        raise InputError(BLANK)
    return Rows(rows=tuple(rows), problems=tuple(_lost(label, message) for message in problems))


def _row_fault(value: object) -> str:
    if isinstance(value, dict):
        return "" if value else "the object is empty"
    return f"this is {kind_of(value)} and not an object with named fields"
