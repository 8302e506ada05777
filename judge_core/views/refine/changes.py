"""What changed between two versions, word by word."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from difflib import SequenceMatcher
from itertools import groupby

from judge_core.scoring.quotes import Piece

_WORDS = re.compile(r"\S+")
LONGEST = 20_000
"""Words of a version up to which changes are told; a longer one is shown without."""
EXACT = 1000
"""Words up to which frequent words may begin what is common; in a longer text they only belong to it, which is quick."""
Marked = tuple[str, bool]


def changes(before: str, after: str) -> tuple[list[Piece], list[Piece]]:
    """Both texts in pieces; those that stand in one of them alone carry a number. Joined, the pieces are the texts.

    >>> one, other = changes("Trees cool streets.", "Trees shade streets.")
    >>> [(piece.text, bool(piece.numbers)) for piece in other]
    [('Trees ', False), ('shade', True), (' streets.', False)]
    """
    old, new = _WORDS.findall(before), _WORDS.findall(after)
    if max(len(old), len(new)) > LONGEST:
        return [Piece(before)], [Piece(after)]
    gaps = _WORDS.split(before), _WORDS.split(after)
    pairs = [
        (block.a + at, block.b + at)
        for block in SequenceMatcher(None, old, new, autojunk=len(new) > EXACT).get_matching_blocks()
        for at in range(block.size)
    ]
    pairs.append((len(old), len(new)))  # the ends, behind which nothing stands
    behind = [(a + 1, b + 1) for a, b in [(-1, -1), *pairs[:-1]]]
    met = [*pairs, *((a, b) for (a, b), (c, d) in zip(behind, pairs, strict=True) if a < c and b < d)]
    blanks = [(a, b) for a, b in met if gaps[0][a] == gaps[1][b]]
    left = _pieces(old, gaps[0], {a for a, _ in pairs}, {a for a, _ in blanks})
    right = _pieces(new, gaps[1], {b for _, b in pairs}, {b for _, b in blanks})
    return left, right


def changed_words(before: str, after: str) -> tuple[int, int]:
    """How many words were taken out and how many came in; of very long texts nothing is told.

    >>> changed_words("Trees cool the the street.", "Trees shade the street.")
    (2, 1)
    """
    one, other = (sum(len(piece.text.split()) for piece in side if piece.numbers) for side in changes(before, after))
    return one, other


def _pieces(words: Sequence[str], gaps: Sequence[str], kept: Set[int], blanks: Set[int]) -> list[Piece]:
    """A side in pieces. `kept`: its words that stand on both sides; `blanks`: those before which the same blanks do."""
    return [
        Piece("".join(text for text, _ in run), (1,) if changed else ())
        for changed, run in groupby(_marked(words, gaps, kept, blanks), key=lambda part: part[1])
    ] or [Piece("")]


def _marked(words: Sequence[str], gaps: Sequence[str], kept: Set[int], blanks: Set[int]) -> Iterator[Marked]:
    for at, word in enumerate((*words, "")):
        if gaps[at]:
            yield gaps[at], at not in blanks
        if word:
            yield word, at not in kept
