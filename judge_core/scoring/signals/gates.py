"""Patterns that are tried only where the words they need occur: most texts hold the words of few patterns.

A gate is groups of words, set apart by ` / `; of each group the text must hold at least one. What is no word of Latin
letters or digits (a mark, a piece of another script) is looked for in the text as it stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

_WORD = re.compile("[a-z0-9]+")


class Group(NamedTuple):
    words: frozenset[str]
    pieces: tuple[str, ...]

    def is_met(self, text: str, words: frozenset[str]) -> bool:
        return not self.words.isdisjoint(words) or any(piece in text for piece in self.pieces)


class Gated(NamedTuple):
    groups: tuple[Group, ...]
    pattern: re.Pattern[str]


class Table:
    """Patterns with their gates, indexed by the first group of each gate: that of the rarest words."""

    def __init__(self, rows: Iterable[tuple[str, str]]):
        """`rows`: gates and patterns."""
        self.entries = tuple(
            Gated(tuple(map(_group, gate.split(" / "))), re.compile(_at_word(way))) for gate, way in rows
        )
        self._by_word: dict[str, list[int]] = {}
        self._by_piece: dict[str, list[int]] = {}
        for number, entry in enumerate(self.entries):
            for word in entry.groups[0].words:
                self._by_word.setdefault(word, []).append(number)
            for piece in entry.groups[0].pieces:
                self._by_piece.setdefault(piece, []).append(number)
        self._words = frozenset(self._by_word)

    def open_in(self, text: str, words: frozenset[str]) -> Iterator[Gated]:
        """The entries whose gate a text meets; `words` are its folded words."""
        numbers = {number for word in self._words & words for number in self._by_word[word]}
        numbers.update(n for piece, entries in self._by_piece.items() if piece in text for n in entries)
        for number in sorted(numbers):
            entry = self.entries[number]
            if all(group.is_met(text, words) for group in entry.groups[1:]):
                yield entry

    def matches(self, text: str, words: frozenset[str]) -> bool:
        """Whether one of the patterns is in the text."""
        return any(entry.pattern.search(text) for entry in self.open_in(text, words))


def _at_word(pattern: str) -> str:
    """The beginning of a word, where a word follows anyway, is quicker found by what is not before it."""
    return r"(?<!\w)" + pattern.removeprefix(r"\b") if pattern.startswith(r"\b") and r"|\b" not in pattern else pattern


def _group(words: str) -> Group:
    items = words.split()
    return Group(frozenset(filter(_WORD.fullmatch, items)), tuple(item for item in items if not _WORD.fullmatch(item)))
