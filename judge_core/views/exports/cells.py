"""Cells that no spreadsheet takes for a formula, headers that never collide, and bytes that are the same each time.

A CSV cell that starts like a formula gets a leading apostrophe; numbers stay numbers. UTF-8 with a byte order mark,
lines end with CR LF (RFC 4180), so that text with line breaks of any kind reads back as it was.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence

Cell = str | int | float | None
"""None is an empty cell."""
FORMULA_STARTS = tuple("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20")
"""First characters, full-width twins included, that make a spreadsheet calculate or shift a cell."""
_OBEYED = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_SURROGATES = {code: "\ufffd" for code in range(0xD800, 0xE000)}


def writable(text: str) -> str:
    """The text with lone surrogates, which no encoding can write, replaced by U+FFFD."""
    return text.translate(_SURROGATES) if any("\ud800" <= letter <= "\udfff" for letter in text) else text


def harmless(text: str) -> str:
    """The writable text without control characters (line ends and tabs stay), direction overrides and isolates.

    A terminal that prints the file would obey them.

    >>> harmless("a\\x1b[31mb\\u202ec\\n")
    'a[31mbc\\n'
    """
    return _OBEYED.sub("", writable(text))


def guarded(text: str) -> str:
    """The text as a harmless CSV cell that stays text.

    >>> guarded("=1+1"), guarded("plain"), guarded("a=1")
    ("'=1+1", 'plain', 'a=1')
    """
    text = harmless(text)
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text


def csv_bytes(header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> bytes:
    """The table as CSV: header and text cells guarded, numbers as they are, None empty."""
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, lineterminator="\r\n")
    writer.writerow([guarded(name) for name in header])
    writer.writerows([_written(cell) for cell in row] for row in rows)
    return buffer.getvalue().encode("utf-8-sig")


def _written(cell: Cell) -> Cell:
    return guarded(cell) if isinstance(cell, str) else cell


def distinct_headers(fixed: Sequence[str], named: Sequence[tuple[str, str]], reserved: Sequence[str] = ()) -> list[str]:
    """Headers for columns that people named, each given as (prefix, name): none equals a fixed one or another.

    Comparison ignores case and outer spaces, as spreadsheets and databases do. `reserved` are fixed names not in use here.

    >>> distinct_headers(["rank", "id"], [("criterion", "Rank"), ("criterion", "Style"), ("column", "style")])
    ['criterion: Rank', 'Style', 'column: style']
    """
    taken = {_folded(name) for name in (*fixed, *reserved)}
    headers = []
    for prefix, name in named:
        header = name if harmless(name).strip() and _folded(name) not in taken else f"{prefix}: {name}"
        number = 2
        while _folded(header) in taken:
            header = f"{prefix}: {name} ({number})"
            number += 1
        taken.add(_folded(header))
        headers.append(header)
    return headers


def _folded(name: str) -> str:
    return guarded(name).strip().casefold()


def rounded(value: float | None, digits: int) -> float | None:
    """The value to so many decimals, None where there is none; a float even where it is whole.

    >>> rounded(1516, 1), rounded(None, 1)
    (1516.0, None)
    """
    return None if value is None else round(float(value), digits) + 0.0
