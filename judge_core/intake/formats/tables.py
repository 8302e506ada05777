"""What delimited files and workbooks have in common: rows under a header, blank and ragged rows, known headings."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from pydantic import Field

from judge_core.intake.naming import brief
from judge_core.records.errors import InputError
from judge_core.records.record import Notice, Record

_TEXT_WORDS = (
    "text essay content answer response body submission article artifact document argument story composition summary "
    "abstract comment review message output completion transcript statement aufsatz antwort inhalt texte réponse "
    "contenu texto ensayo respuesta contenido testo risposta текст эссе ответ сочинение 文本 正文 作文 内容 本文 回答"
)
TEXT_HEADINGS = [*_TEXT_WORDS.split(), "full text", "essay text"]
ID_HEADINGS = [
    *("id", "artifact id", "essay id", "text id", "item id", "identifier", "uuid", "key", "file", "file name"),
    *("filename", "student id", "candidate id", "code", "nr", "no", "number", "kennung", "identifiant", "номер"),
    *("编号", "学号"),
]
TITLE_HEADINGS = [
    *("title", "headline", "heading", "topic", "titel", "titre", "título", "titolo", "название", "标题", "题目"),
    *("subject", "name", "full name", "student", "student name", "author", "姓名"),
]
PODIUM_HEADINGS = ("rank", "tied_with", "id", "title")
"""How a ranking exported by Podium begins."""
LONGEST_HEADING = 40
LONGEST_NUMBER = 200
LONGEST_CELL_OF_HEADING = 200
"""With the blanks around it; a longer cell names no column."""


class Document(Record):
    """One text out of a file."""

    text: str
    encoding: str | None = None
    guesses: dict[str, str] = Field(default_factory=dict)
    notices: tuple[Notice, ...] = ()
    problems: tuple[str, ...] = ()


class Row(Record):
    """A row with its number in the file (from 1, the header counted). It may be shorter than the header."""

    number: int
    cells: tuple[str, ...]
    notices: tuple[Notice, ...] = ()


class Table(Record):
    """Rows under distinct, non-empty column names; no row is blank and none is longer than the header."""

    header: tuple[str, ...]
    rows: tuple[Row, ...]
    encoding: str | None = None
    guesses: dict[str, str] = Field(default_factory=dict)
    notices: tuple[Notice, ...] = ()
    problems: tuple[str, ...] = ()
    """Remarks; nothing is missing by what they tell."""
    losses: tuple[str, ...] = ()
    """What is said of rows and sheets that were left out."""


def heading_key(heading: str) -> str:
    """A heading in the spelling of the lists above.

    >>> heading_key(" Essay_ID ")
    'essay id'
    """
    return re.sub(r"[\s_\-]+", " ", heading).strip().casefold()


def is_known(heading: str) -> bool:
    """Whether a heading names a text, an id or a title in one of the ways that are known."""
    if len(heading) > LONGEST_CELL_OF_HEADING:
        return False
    key = heading_key(heading)
    return key in TEXT_HEADINGS or key in ID_HEADINGS or key in TITLE_HEADINGS


def blank(cells: Sequence[str]) -> bool:
    """Whether a row holds nothing but blanks."""
    return not any(cell.strip("\0 \t\r\n\u00a0\ufeff") for cell in cells)


def like_heading(cell: str) -> bool:
    """Whether a cell is short and unlike a sentence or number.

    >>> like_heading("Essay text"), like_heading("Trees cool the street."), like_heading("7,5")
    (True, False, False)
    """
    short = 0 < len(cell.strip()) <= LONGEST_HEADING and len(cell.split()) <= 5
    return short and not cell.rstrip().endswith((".", "!", "?", "。", "…")) and not is_number(cell)


def is_number(cell: str) -> bool:
    """Whether a cell holds nothing but a number, in any usual spelling."""
    return (
        len(cell) <= LONGEST_NUMBER
        and re.fullmatch(r"\s*[-+]?[\d.,\s]*\d[\d.,\s%]*(?:[eE][-+]?\d+)?\s*", cell) is not None
    )


def has_header(rows: Sequence[Row]) -> bool:
    """Whether the first row names the columns.

    It does where a name is known. Otherwise it must look like names: short cells, none repeated in shape below
    (`e1` over `e2`), and much shorter than the longest column.
    """
    first, rest = rows[0].cells, rows[1:]
    if any(is_known(cell) for cell in first):
        return True
    named = [cell for cell in first if cell.strip()]
    if not rest or not all(like_heading(cell) for cell in named) or len(named) < max(1, len(first) - 1):
        return False
    if any(_same_shape(cell, rest[0].cells[i]) for i, cell in enumerate(first) if i < len(rest[0].cells)):
        return False
    widths = [[len(row.cells[i]) for row in rest if i < len(row.cells)] or [0] for i in range(len(first))]
    longest = max(range(len(first)), key=lambda i: sum(widths[i]) / len(widths[i]))
    return sum(widths[longest]) / len(widths[longest]) >= 2 * len(first[longest])


def _same_shape(first: str, second: str) -> bool:
    shapes = [re.sub(r"\d+", "9", re.sub(r"[^\W\d_]+", "a", cell.strip())) for cell in (first, second)]
    return "9" in shapes[0] and shapes[0] == shapes[1]


def shape(rows: Sequence[Row], *, encoding: str | None, guesses: dict[str, str], notices: tuple[Notice, ...]) -> Table:
    """The table of raw rows: header found or made, blank rows dropped and counted, overlong rows refused by number.

    Raises InputError where nothing is there, or where a heading is repeated.
    """
    filled = [row for row in rows if not blank(row.cells)]
    if not filled:
        raise InputError("The table is empty. Add a header row and at least one row with a text.")
    skipped = _count_blank(len(rows) - len(filled))
    given = any(row.number and row.cells and blank(row.cells) for row in rows)  # fields without content, no mere gap
    header, body = _split_header(filled)
    if len(body) == len(filled):
        guesses = {**guesses, "header": "none found: the first row was read as a text"}
    if not body:
        raise InputError("The table has a header and no rows below it. Add at least one row with a text.")
    kept, refused = _without_overlong(body, len(header))
    return Table(
        header=header,
        rows=kept,
        encoding=encoding,
        guesses=guesses,
        notices=notices,
        problems=() if given else tuple(skipped),
        losses=(*(skipped if given else ()), *refused),
    )


def _count_blank(count: int) -> list[str]:
    return [f"{count} blank row{'s were' if count > 1 else ' was'} skipped."] if count else []


def _split_header(rows: Sequence[Row]) -> tuple[tuple[str, ...], Sequence[Row]]:
    if not has_header(rows):
        width = Counter(len(row.cells) for row in rows).most_common(1)[0][0]
        return tuple(f"column {i + 1}" for i in range(width)), rows
    names = [cell.strip().replace("\0", "") for cell in rows[0].cells]
    repeated = [name for name, count in Counter(filter(None, names)).items() if count > 1]
    if repeated:
        listed = ", ".join(brief(name) for name in repeated)
        raise InputError(
            f"The column name {listed} occurs more than once. Give each column its own name.", field=repeated[0]
        )
    while names and not names[-1] and all(blank(row.cells[len(names) - 1 :]) for row in rows[1:]):
        names.pop()
    return tuple(_filled_names(names)), rows[1:]


def _filled_names(names: Sequence[str]) -> list[str]:
    """Each unnamed column gets a name that no other column has."""
    taken = {name for name in names if name}
    result = []
    for i, name in enumerate(names):
        new = name or f"column {i + 1}"
        while not name and new in taken:
            new += "'"
        taken.add(new)
        result.append(new)
    return result


def _without_overlong(rows: Sequence[Row], width: int) -> tuple[tuple[Row, ...], list[str]]:
    kept, problems = [], []
    for row in rows:
        if len(row.cells) <= width or blank(row.cells[width:]):
            kept.append(row.model_copy(update={"cells": row.cells[:width]}))
        else:
            problems.append(
                f"Row {row.number} has {fields(len(row.cells))} instead of {width} and was left out. "
                "Put quotation marks around texts that hold the delimiter."
            )
    return tuple(kept), problems


def fields(count: int) -> str:
    """The number of fields in words of a message.

    >>> fields(1), fields(3)
    ('1 field', '3 fields')
    """
    return f"{count} field{'' if count == 1 else 's'}"
