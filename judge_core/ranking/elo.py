"""Elo ratings: the live story of a run, moved once per match.

Formula: A. E. Elo, The Rating of Chessplayers, Past and Present (1978): 400 points are odds of 10 to 1.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from judge_core.ranking.comparison import Comparison

START = 1500.0
K = 32.0
SCALE = 400.0


def expected(me: float, opponent: float) -> float:
    """The share of the point that a text rated `me` should take from one rated `opponent`.

    >>> expected(1500, 1500)
    0.5
    >>> round(expected(1900, 1500), 4)
    0.9091
    """
    gap = (opponent - me) / SCALE
    return 1.0 / (1.0 + math.pow(10.0, min(gap, 300.0)))


def update(a: float, b: float, result: float, k: float = K, weight: float = 1.0) -> tuple[float, float]:
    """Both ratings after a match, from the ratings before it: what one gains the other loses, unrounded.

    `result` is 1 where a won, 0 where b won, 0.5 for a tie; `weight` scales `k`.

    >>> update(1500, 1500, 1)
    (1516.0, 1484.0)
    >>> [round(rating, 2) for rating in update(1700, 1300, 0)]
    [1670.91, 1329.09]
    """
    gain = k * weight * (result - expected(a, b))
    return a + gain, b - gain


def update_list(before: Mapping[str, float], places: Mapping[str, float], k: float = K) -> dict[str, float]:
    """The ratings of a ranked list after it: as if each two of it had met at once, K shared out over the opponents.

    `places` gives each text's place, 1 the best; equal places are a tie. The sum of the ratings does not change.

    >>> update_list({"x": 1500.0, "y": 1500.0, "z": 1500.0}, {"x": 1, "y": 2, "z": 3})
    {'x': 1516.0, 'y': 1500.0, 'z': 1484.0}
    """
    after = dict(before)
    names = list(before)
    for i, one in enumerate(names):
        for other in names[i + 1 :]:
            result = 0.5 if places[one] == places[other] else float(places[one] < places[other])
            gain = k / (len(names) - 1) * (result - expected(before[one], before[other]))
            after[one] += gain
            after[other] -= gain
    return after


def rate(
    matches: Iterable[Comparison], starts: Mapping[str, float] | None = None, *, k: float = K, start: float = START
) -> dict[str, float]:
    """Elo of every text after the matches, in their order. Texts of `starts` come first, others begin at `start`.

    >>> rate([Comparison("x", "y", 0.5)], {"x": 1600.0, "y": 1400.0, "z": 1500.0})["z"]
    1500.0
    """
    elo = dict(starts or {})
    for match in matches:
        before = elo.setdefault(match.a, start), elo.setdefault(match.b, start)
        elo[match.a], elo[match.b] = update(*before, match.result, k, match.weight)
    return elo
