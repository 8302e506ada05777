"""What goes to the terminal: people read plain, safe words; machines read strict JSON on the standard output and nothing else there.

Names, texts and messages come from outside: control characters (terminal escapes among them) and direction marks are
taken out before anything is printed, and rich's markup is never read.
"""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Sequence

import typer

WIDE = 160
"""Columns of a table where the output is no terminal."""


def safe(text: str) -> str:
    r"""The text without control characters and direction marks; line breaks stay.

    >>> safe("a\x1b[31mb\u202ec\nd")
    'a[31mbc\nd'
    """
    return "\n".join("".join(filter(_is_safe, line)) for line in text.splitlines())


def one_line(text: str, length: int = 60) -> str:
    r"""The text for a cell: safe, on one line, and cut where it is long.

    >>> one_line("a\nb"), one_line("abcdef", 4)
    ('a b', 'abc…')
    """
    line = " ".join(safe(text).split())
    return line if len(line) <= length else f"{line[: length - 1]}…"


def _is_safe(letter: str) -> bool:
    return unicodedata.category(letter) not in ("Cc", "Cf", "Cs", "Zl", "Zp") or letter in "\u200c\u200d"


def say(text: str) -> None:
    """A line for people, beside the result: on the error stream."""
    typer.echo(safe(text), err=True)


def show(text: str) -> None:
    """A line of the result."""
    typer.echo(safe(text))


def write_json(value: object) -> None:
    """A line of strict JSON on the standard output."""
    from judge_core.views.exports.machine import strict_json  # loads the tables with it

    typer.echo(strict_json(value))
    sys.stdout.flush()


def complain(message: str, field: str | None, as_json: bool) -> None:
    """An error for people, and on the standard output for machines where they listen."""
    say(f"Error: {message}")
    if as_json:
        write_json({"type": "error", "error": message, "field": field})


def show_table(header: Sequence[str], rows: Sequence[Sequence[object]], numbers: Sequence[str] = ()) -> None:
    """A table of the result; the columns named in `numbers` are set to the right. None is an empty cell."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(markup=False, highlight=False, emoji=False)
    if not console.is_terminal:
        console.width = WIDE
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for name in header:
        table.add_column(Text(name), justify="right" if name in numbers else "left", overflow="ellipsis")
    for row in rows:
        table.add_row(*(Text("" if cell is None else one_line(str(cell))) for cell in row))
    console.print(table)


def counted(number: int, noun: str) -> str:
    """A number with its noun.

    >>> counted(1, "criterion"), counted(4, "criterion"), counted(1_200, "call"), counted(2, "match"), counted(2, "reply")
    ('1 criterion', '4 criteria', '1,200 calls', '2 matches', '2 replies')
    """
    endings = {"criterion": "criteria", "reply": "replies"}
    plural = endings.get(noun) or (f"{noun}es" if noun.endswith(("ch", "ss")) else f"{noun}s")
    return f"{number:,} {noun if number == 1 else plural}"


def money(cost: float | None) -> str:
    """US dollars in words; an unknown cost is never 0.

    >>> money(0.0), money(0.00012), money(12.5), money(None)
    ('$0.00', '$0.0001', '$12.50', 'price unknown')
    """
    if cost is None:
        return "price unknown"
    return f"${cost:.2f}" if cost == 0 or cost >= 0.01 else f"${cost:.4f}"
