"""What judges said, as the rating methods take it: pairs, ranked lists, scores."""

from __future__ import annotations

from typing import NamedTuple


class Comparison(NamedTuple):
    """A judged pair. `result` is 1 where a won, 0 where b won, 0.5 for a tie; a panel's mean may lie between."""

    a: str
    b: str
    result: float
    weight: float = 1.0
    """Positive; scales K for Elo and the likelihood for Bradley-Terry."""
    position: int = 0
    """+1: a was shown first, -1: b was shown first, 0: both orders were merged, or nobody knows."""
    margin: float | None = None
    """By how much the judge's own total of a lies above that of b, in any unit (its scale is estimated); None: not told."""
    judge: str = ""
    rounding: float = 0.0
    """Variance of what the margin was rounded from about it, in its unit squared; 0: it is told in full."""


class Ranked(NamedTuple):
    """A list that a judge ranked in one call."""

    texts: tuple[str, ...]
    """Best first; two at the least, none twice."""
    weight: float = 1.0
    shown: tuple[str, ...] = ()
    """The same texts in the order shown; () where nobody knows, or where several orders were merged."""
    judge: str = ""


class Score(NamedTuple):
    """A text scored by itself."""

    text: str
    value: float
    """In any unit, higher is better; its scale is estimated."""
    weight: float = 1.0
    judge: str = ""
