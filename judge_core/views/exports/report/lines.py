"""Lines of a report: safe, wrapped, aligned; and what the texts are called in them."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence

from judge_core.views.exports.cells import harmless
from judge_core.views.state import RunState

WIDTH = 100
LONGEST = 49
"""Characters of an id; the whole one stands in the ranked table."""


def one_line(text: str) -> str:
    """Words from outside, harmless and on one line, so that they cannot pass for a line of ours."""
    return " ".join(harmless(text).split())


def wrapped(text: str, first: str = "", rest: str | None = None) -> list[str]:
    """The text on lines of the page's width; `first` and `rest` stand before its first and its other lines."""
    indent = first if rest is None else rest
    return textwrap.wrap(one_line(text), WIDTH, initial_indent=first, subsequent_indent=indent) or [first.rstrip()]


def aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """The rows in columns."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def counted(number: int, one: str, many: str = "") -> str:
    """A number with its noun.

    >>> counted(1, "call"), counted(2, "match", "matches")
    ('1 call', '2 matches')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def report_names(state: RunState) -> dict[str, str]:
    """The texts' ids by alias, on one line each; a long one is cut in the middle, and gets its alias where two look alike."""
    whole = {text.alias: one_line(text.id) for text in state.spec.texts}
    cut = {alias: _cut(name) for alias, name in whole.items()}
    alike = Counter(cut.values())
    return {a: f"{name} ({a})" if name != whole[a] and alike[name] > 1 else name for a, name in cut.items()}


def _cut(name: str) -> str:
    half = (LONGEST - 1) // 2
    return name if len(name) <= LONGEST else f"{name[:half]}…{name[-half:]}"
