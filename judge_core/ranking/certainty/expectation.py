"""The order to expect of a run before it is paid for, by method, size and judge: read off the simulated tables."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np
from scipy.interpolate import RegularGridInterpolator

from judge_core.ranking.certainty import methods
from judge_core.ranking.certainty.table import ACCURACIES, ROUNDS, TAU, TEXTS, TOP_QUARTER
from judge_core.ranking.schedules.swiss.narrowing import useful_rounds
from judge_core.records.spec import Method

PLAIN_SHARES = tuple(Fraction(share) for share in ("1/2", "3/5", "2/3", "7/10", "3/4", "4/5", "17/20", "9/10", "19/20"))
FINE = 0.85
"""From this tau on one digit would promise what few judges keep: 0.87 is no 0.9."""
CAVEAT = "Simulated; your judge may be better or worse."
Table = Mapping[float, Mapping[int, Sequence[float]]]


def expected_tau(n: int, comparisons_per_text: float, accuracy: float = 0.80) -> float:
    """Kendall's tau with the true order that n texts reach with so many comparisons each (the rounds of a Swiss run).

    `accuracy` is the share of random pairs that the judge decides rightly. Interpolated in the logarithms of n and of the
    comparisons; outside the table its nearest edge, and towards no comparison straight down to 0. 1 for fewer than two
    texts: no pair can be wrong.

    >>> expected_tau(64, 3) < expected_tau(64, 20) < expected_tau(64, 20, 0.9)
    True
    """
    return expected_order("swiss", n, comparisons_per_text, accuracy)


def expected_order(
    method: Method, n: int, rounds: float, accuracy: float = 0.80, *, group_size: int = 8, scores_first: bool = False
) -> float:
    """Kendall's tau with the true order that n texts reach with so many rounds of the method.

    Rounds are comparisons of each text, listwise the lists that it stands in; round robin, knockout and pointwise have
    their own end. With scores first no round at all leaves what the scores tell. For the rest see `expected_tau`.

    >>> expected_order("knockout", 64, 0) < expected_order("listwise", 64, 12) < expected_order("round-robin", 64, 0)
    True
    """
    if n < 2:
        return 1.0
    if method in _ENDS:
        return _ENDS[method].at(n, accuracy)
    if method == "listwise":
        return _listed(n, rounds, accuracy, group_size)
    fewest = useful_rounds(n, ROUNDS[0])
    start = _ENDS["pointwise"].at(n, accuracy) if scores_first else 0.0
    tau = _ROUNDS["scores first" if scores_first else method].at(n, max(rounds, fewest), accuracy)
    return start + (tau - start) * min(max(rounds, 0.0) / fewest, 1.0)


def expected_top_precision(n: int, accuracy: float = 0.80) -> float:
    """Share of the true best quarter of n texts (at least one) that three rounds narrowed to that quarter keep."""
    return _TOP.at(n, accuracy)


def expected_winner(n: int, accuracy: float = 0.80) -> tuple[float, float]:
    """Chance that the winner of a knockout is truly the best of n texts, and that it is among the best tenth of them.

    >>> best, near = expected_winner(64)
    >>> 0 < best < near < 1
    True
    """
    return (1.0, 1.0) if n < 2 else (_BEST.at(n, accuracy), _BEST_TENTH.at(n, accuracy))


def sentence(
    n: int,
    rounds: int,
    accuracy: float = 0.80,
    method: Method = "swiss",
    group_size: int = 8,
    scores_first: bool = False,
) -> str:
    """What to expect of so many rounds of the method, in plain words.

    >>> sentence(1, 3)
    'One text has nothing to be compared with.'
    """
    if n < 2:
        return "One text has nothing to be compared with." if n else "There is no text to rank yet."
    played = useful_rounds(n, rounds) if method in ("swiss", "adaptive") else rounds
    order = _order(expected_order(method, n, played, accuracy, group_size=group_size, scores_first=scores_first))
    judge = f"if the judge decides {accuracy:.0%} of random pairs rightly"
    if method == "knockout":
        return f"{_winner(n, accuracy)} Expect about {order}, {judge}. {CAVEAT}"
    if method == "pointwise" or scores_first:
        judge += " and scores single texts as finely; a judge that gives many the same score tells less"
    return f"Expect about {order}, {judge}. {CAVEAT}"


def _order(tau: float) -> str:
    share = _plain((1 + tau) / 2)
    told = f"{tau:.2f}" if tau >= FINE else f"{tau:.1f}"
    return f"{share.numerator} in {share.denominator} pairs in the right order (tau {told})"


def _winner(n: int, accuracy: float) -> str:
    best, near = expected_winner(n, accuracy)
    said = f"A knockout finds a good winner, not an order: in about {best:.0%} of such runs it is truly the best text"
    return f"{said}, in {near:.0%} one of the best tenth." if n >= 20 else f"{said}."


def _plain(share: float) -> Fraction:
    return min(PLAIN_SHARES, key=lambda plain: abs(plain - share))


class _Grid:
    """Values by accuracy, number of texts and rounds, with what lies between them; beyond, the nearest edge."""

    def __init__(self, table: Table, points: Sequence[int]):
        values = [[table[accuracy][n] for n in TEXTS] for accuracy in ACCURACIES]
        self.points = points
        self.between = RegularGridInterpolator((ACCURACIES, np.log(TEXTS), np.log(points)), values)

    def at(self, n: int, rounds: float, accuracy: float) -> float:
        point = _inside(accuracy, ACCURACIES), math.log(_inside(n, TEXTS)), math.log(_inside(rounds, self.points))
        return float(self.between(point))


class _Ends:
    """Values by accuracy and number of texts, likewise."""

    def __init__(self, table: Mapping[float, Sequence[float]]):
        values = [table[accuracy] for accuracy in ACCURACIES]
        self.between = RegularGridInterpolator((ACCURACIES, np.log(TEXTS)), values)

    def at(self, n: int, accuracy: float) -> float:
        return float(self.between((_inside(accuracy, ACCURACIES), math.log(_inside(n, TEXTS)))))


def _inside(value: float, edges: Sequence[float]) -> float:
    return min(max(value, edges[0]), edges[-1])


def _listed(n: int, lists: float, accuracy: float, group_size: int) -> float:
    """Between the sizes of the tables in the logarithm of the size: what a list tells grows with its pairs."""
    size = math.log(_inside(min(group_size, n), methods.GROUP_SIZES))
    taus = [_LISTS[known].at(n, max(lists, 1), accuracy) for known in methods.GROUP_SIZES]
    return float(np.interp(size, np.log(methods.GROUP_SIZES), taus)) * min(max(lists, 0.0), 1.0)


_ROUNDS: Mapping[str, _Grid] = {
    "swiss": _Grid(TAU, ROUNDS),
    "adaptive": _Grid(methods.ADAPTIVE, ROUNDS),
    "scores first": _Grid(methods.SCORES_FIRST, ROUNDS),
}
_ENDS: Mapping[str, _Ends] = {
    "round-robin": _Ends(methods.ROUND_ROBIN),
    "pointwise": _Ends(methods.SCORES_ONLY),
    "knockout": _Ends(methods.KNOCKOUT),
}
_LISTS = {size: _Grid(methods.LISTWISE[size], methods.LISTS) for size in methods.GROUP_SIZES}
_BEST, _BEST_TENTH, _TOP = _Ends(methods.WINNER_BEST), _Ends(methods.WINNER_BEST_TENTH), _Ends(TOP_QUARTER)
