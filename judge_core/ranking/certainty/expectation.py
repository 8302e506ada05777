"""Expected order of a Swiss run by its size, read off the simulated tables."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from scipy.interpolate import RegularGridInterpolator

from judge_core.ranking.certainty.table import ACCURACIES, ROUNDS, TAU, TEXTS, TOP_QUARTER
from judge_core.ranking.narrowing import useful_rounds

PLAIN_SHARES = tuple(Fraction(share) for share in ("1/2", "3/5", "2/3", "7/10", "3/4", "4/5", "17/20", "9/10", "19/20"))


def expected_tau(n: int, comparisons_per_text: float, accuracy: float = 0.80) -> float:
    """Kendall's tau with the true order that n texts reach with so many comparisons each (the rounds of a Swiss run).

    `accuracy` is the share of random pairs that the judge decides rightly. Interpolated in the logarithms of n and of the
    comparisons; outside the table its nearest edge, and towards no comparison straight down to 0. 1 for fewer than two
    texts: no pair can be wrong.

    >>> expected_tau(64, 3) < expected_tau(64, 20) < expected_tau(64, 20, 0.9)
    True
    """
    if n < 2:
        return 1.0
    fewest = useful_rounds(n, ROUNDS[0])
    point = _inside(math.log(n), TEXTS), _inside(math.log(max(comparisons_per_text, fewest)), ROUNDS)
    tau = float(_TAU((min(max(accuracy, ACCURACIES[0]), ACCURACIES[-1]), *point)))
    return tau * min(max(comparisons_per_text, 0.0) / fewest, 1.0)


def expected_top_precision(n: int, accuracy: float = 0.80) -> float:
    """Share of the true best quarter of n texts (at least one) that three rounds narrowed to that quarter keep."""
    return float(_TOP((min(max(accuracy, ACCURACIES[0]), ACCURACIES[-1]), _inside(math.log(max(n, 1)), TEXTS))))


def sentence(n: int, rounds: int, accuracy: float = 0.80) -> str:
    """What to expect of so many rounds, in plain words.

    >>> sentence(1, 3)
    'One text has nothing to be compared with.'
    """
    if n < 2:
        return "One text has nothing to be compared with." if n else "There is no text to rank yet."
    tau = expected_tau(n, useful_rounds(n, rounds), accuracy)
    right = (1 + tau) / 2
    share = min(PLAIN_SHARES, key=lambda plain: abs(plain - right))
    return (
        f"Expect about {share.numerator} in {share.denominator} pairs in the right order (tau {tau:.1f}), if the judge"
        f" decides {accuracy:.0%} of random pairs rightly. Simulated; your judge may be better or worse."
    )


def _inside(logarithm: float, edges: tuple[int, ...]) -> float:
    return min(max(logarithm, math.log(edges[0])), math.log(edges[-1]))


_TAU = RegularGridInterpolator(
    (ACCURACIES, np.log(TEXTS), np.log(ROUNDS)), [[TAU[accuracy][n] for n in TEXTS] for accuracy in ACCURACIES]
)
_TOP = RegularGridInterpolator((ACCURACIES, np.log(TEXTS)), [TOP_QUARTER[accuracy] for accuracy in ACCURACIES])
