"""One recorded comparison of two texts: what every rating method takes."""

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
