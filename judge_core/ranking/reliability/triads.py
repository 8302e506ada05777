"""Circular triads: a beats b, b beats c, c beats a. No order of the texts can please all three.

Source: M. G. Kendall and B. Babington Smith, On the method of paired comparisons, 1940.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from judge_core.ranking.bradley_terry import Verdicts
from judge_core.ranking.reliability.bundles import judged_pairs

BY_CHANCE = 0.25
"""Of eight ways in which three matches without a tie can end, two are circles."""
DENSE_TEXTS = 1000
"""Up to this many texts full matrices are quicker than sparse ones."""
EVEN = 1e-9
"""A pair whose mean result lies nearer to one half is not decided."""


class Triads(NamedTuple):
    """How many circles there are among the triads in which all three pairs are decided."""

    circular: int
    complete: int

    @property
    def expected(self) -> float:
        """Circles that coins would make: a quarter."""
        return BY_CHANCE * self.complete

    @property
    def share(self) -> float | None:
        """Circular of complete; None where no triad is complete."""
        return self.circular / self.complete if self.complete else None


def triads(verdicts: Verdicts) -> Triads:
    """Counts them. A pair that met more than once is decided by its weighted mean result; a level one is not decided.

    Each two texts of a ranked list have met; no list alone holds a circle.

    >>> from judge_core.ranking.comparison import Comparison
    >>> hands = ["rock", "scissors", "paper", "rock"]
    >>> triads(Verdicts([Comparison(winner, loser, 1.0) for winner, loser in zip(hands, hands[1:])]))
    Triads(circular=1, complete=1)
    """
    wins, size = _arcs(verdicts)
    beats = csr_array((np.ones(len(wins)), np.array(wins, dtype=np.intp).reshape(-1, 2).T), shape=(size, size))
    arcs: Any = beats.toarray() if size <= DENSE_TEXTS else beats
    decided = arcs + arcs.T
    return Triads(_closed_walks(arcs) // 3, _closed_walks(decided) // 6)


def _closed_walks(arcs: Any) -> int:
    """Walks of three steps that end where they began: the trace of the cube."""
    return round(float(((arcs @ arcs) * arcs.T).sum()))


def _arcs(verdicts: Verdicts) -> tuple[list[tuple[int, int]], int]:
    """(winner, loser) of each decided pair, as numbers, and how many texts there are."""
    number: dict[str, int] = {}
    lead: dict[tuple[int, int], float] = {}
    for one in judged_pairs(verdicts):
        a, b = (number.setdefault(text, len(number)) for text in (one.a, one.b))
        pair, turn = ((a, b), 1.0) if a < b else ((b, a), -1.0)
        lead[pair] = lead.get(pair, 0.0) + turn * one.weight * (one.result - 0.5)
    decided = [(pair if ahead > 0 else pair[::-1]) for pair, ahead in lead.items() if abs(ahead) > EVEN]
    return decided, len(number)
