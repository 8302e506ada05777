"""Checking quotes: where a passage that a judge quoted stands in the text, word for word.

Judges copy with small changes of form that are no inventions: case, line breaks, typographic quotes and dashes, accents
composed or not, emphasis marks, an ellipsis for what they left out. Text and quote are folded alike, looked up, and the
place is given in the text as it was written. Time is linear in the text's length; nothing is ever raised.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

_MARKS = dict.fromkeys("'\"`´‘’‚‛“”„‟‹›«»′″「」『』〝〞＂＇", "'")
_DASHES = dict.fromkeys("-‐‑‒–—―−﹘﹣－", "-")
_DROPPED = "*_"
"""Emphasis as markdown writes it."""
_ACCENTS = re.compile("[\u0300-\u036f]")
_LOOSE = re.compile(r"\s*-+\s*|'+|\s+")
_ELLIPSIS = re.compile(r"[\[(]?\s?(?:\. ?){3,}[\])]?")
_UNSPACED = re.compile("[\u0e00-\u109f\u1780-\u17ff\u2e80-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
"""Scripts that put no blank between words."""
_EDGES = " '.,;:!?"
_LONG = 10
"""Characters from which on a find inside of a word counts."""
_TRIES = 50
"""Places at which a long quote is looked at for one that begins and ends with a word."""


class Span(NamedTuple):
    """A place in a text: characters from `start` up to, not including, `end`."""

    start: int
    end: int


class Piece(NamedTuple):
    """A stretch of a text and the numbers of the quotes that it belongs to."""

    text: str
    numbers: tuple[int, ...] = ()
    begins: tuple[int, ...] = ()
    """The quotes that begin with it."""


def find_quote(text: str, quote: str) -> tuple[Span, ...]:
    """Where the quote stands in the text: one span, or one for each part around an ellipsis, in order. () if it does not.

    A short quote that is found proves little, but it is found.

    >>> find_quote("He said: “Trees  cool\\nstreets.”", "'trees cool streets'.")
    (Span(start=10, end=29),)
    >>> find_quote("Trees cool streets in every summer.", "Trees ... summer")
    (Span(start=0, end=5), Span(start=28, end=34))
    >>> find_quote("Trees cool streets.", "Trees clean the air")
    ()
    """
    folded, wanted = _folded(text), _fold(quote)[1].strip(_EDGES)
    whole = _place(folded.text, wanted, 0)
    if whole is not None:
        return (folded.span(whole, len(wanted)),)
    parts = [part.strip(_EDGES) for part in _ELLIPSIS.split(wanted)]
    return _in_order(folded, [part for part in parts if part]) if len(parts) > 1 else ()


def pieces(text: str, quotes: Mapping[int, Sequence[Span]]) -> tuple[Piece, ...]:
    """The text cut where quotes (by number) begin and end; joined, the pieces are the text again.

    >>> [(piece.text, piece.numbers) for piece in pieces("abcd", {1: [Span(1, 3)], 2: [Span(2, 4)]})]
    [('a', ()), ('b', (1,)), ('c', (1, 2)), ('d', (2,))]
    """
    spans = [(span, number) for number, found in quotes.items() for span in found]
    cuts = sorted({0, len(text), *(edge for span, _ in spans for edge in span)})
    return tuple(
        Piece(
            text[start:end],
            tuple(sorted({number for span, number in spans if span.start <= start and end <= span.end})),
            tuple(sorted({number for span, number in spans if span.start == start})),
        )
        for start, end in zip(cuts, cuts[1:], strict=False)
    )


class _Folded(NamedTuple):
    """A folded text and the way back to the text as written."""

    written: str
    text: str
    ends: Sequence[int]
    """How much of the translated text stands up to and including each character as written; () where they are equal."""
    shrunk_at: Sequence[int]
    """Where, in the folded text, a loose stretch was made shorter,"""
    shrunk_by: Sequence[int]
    """and by how much in all up to there."""

    def span(self, start: int, length: int) -> Span:
        """The characters as written that became `length` folded ones."""
        first, last = self._back(start), self._back(start + length - 1)
        end = last + 1
        while end < len(self.written) and _ACCENTS.match(self.written, end):
            end += 1
        return Span(first, end)

    def _back(self, at: int) -> int:
        earlier = bisect_right(self.shrunk_at, at)
        translated = at + (self.shrunk_by[earlier - 1] if earlier else 0)
        return bisect_right(self.ends, translated) if self.ends else translated


@lru_cache(maxsize=4)
def _folded(text: str) -> _Folded:
    """The text, folded once for all quotes from it."""
    lengths, folded, shrunk = _fold(text)
    ends = list(accumulate(lengths[c] for c in text)) if any(n != 1 for n in lengths.values()) else ()
    return _Folded(text, folded, ends, [at for at, _ in shrunk], list(accumulate(by for _, by in shrunk)))


def _fold(text: str) -> tuple[dict[str, int], str, list[tuple[int, int]]]:
    """The folded text; how many characters each character became; where loose stretches shrank, and by how much."""
    table = {c: _fold_character(c) for c in set(text)}
    translated = text.translate({ord(c): folded for c, folded in table.items()})
    shrunk: list[tuple[int, int]] = []
    parts: list[str] = []
    length = done = 0
    for loose in _LOOSE.finditer(translated):
        by = loose.end() - loose.start() - 1
        if not by:
            continue
        parts += (translated[done : loose.start()], "-" if "-" in loose.group() else loose.group()[0])
        length += loose.start() - done + 1
        done = loose.end()
        shrunk.append((length, by))
    parts.append(translated[done:])
    return {c: len(folded) for c, folded in table.items()}, "".join(parts), shrunk


@lru_cache(maxsize=4096)
def _fold_character(character: str) -> str:
    """Compatibility form without accents, case, emphasis and invisible characters; one kind of quote, dash and blank."""
    if character.isspace():
        return " "
    if character in _DROPPED or unicodedata.category(character) in ("Cf", "Cs", "Cc"):
        return ""
    known = _MARKS.get(character) or _DASHES.get(character)
    if known:
        return known
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", character).casefold())
    return _ACCENTS.sub("", "".join(_MARKS.get(c) or _DASHES.get(c) or (" " if c.isspace() else c) for c in plain))


def _place(text: str, wanted: str, start: int) -> int | None:
    """The first place from `start` on that begins and ends with a word; for long quotes else the first place at all."""
    at = first = text.find(wanted, start) if any(c.isalnum() for c in wanted) else -1
    long = len(wanted) >= _LONG
    tries = 0
    while at >= 0 and not (long and tries >= _TRIES):
        if not _inside(text, at) and not _inside(text, at + len(wanted)):
            return at
        at = text.find(wanted, at + 1)
        tries += 1
    return first if long and first >= 0 else None


def _inside(text: str, at: int) -> bool:
    """Whether a cut before that character would go through a word."""
    if not 0 < at < len(text):
        return False
    before, behind = text[at - 1], text[at]
    return before.isalnum() and behind.isalnum() and not (_UNSPACED.match(before) or _UNSPACED.match(behind))


def _in_order(folded: _Folded, parts: Sequence[str]) -> tuple[Span, ...]:
    """A span for each part, each behind the one before; () where one of them is missing."""
    spans: list[Span] = []
    start = 0
    for part in parts:
        at = _place(folded.text, part, start)
        if at is None:
            return ()
        spans.append(folded.span(at, len(part)))
        start = at + len(part)
    return tuple(spans)
