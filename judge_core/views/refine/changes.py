"""What changed between two versions, word by word."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

from judge_core.scoring.quotes import Piece

_WORDS = re.compile(r"\s+|[^\s]+")
LONGEST = 20_000
"""Words and blanks of a version up to which changes are told; a longer one is shown without."""


def changes(before: str, after: str) -> tuple[list[Piece], list[Piece]]:
    """Both texts in pieces; those that stand in one of them alone carry a number. Joined, the pieces are the texts.

    >>> one, other = changes("Trees cool streets.", "Trees shade streets.")
    >>> [(piece.text, bool(piece.numbers)) for piece in other]
    [('Trees ', False), ('shade', True), (' streets.', False)]
    """
    old, new = _WORDS.findall(before), _WORDS.findall(after)
    if max(len(old), len(new)) > LONGEST:
        return [Piece(before)], [Piece(after)]
    left: list[Piece] = []
    right: list[Piece] = []
    for kind, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        numbers = () if kind == "equal" else (1,)
        if a < b:
            left.append(Piece("".join(old[a:b]), numbers))
        if c < d:
            right.append(Piece("".join(new[c:d]), numbers))
    return left or [Piece("")], right or [Piece("")]
