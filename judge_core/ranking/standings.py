"""Places in a table: ranks with ties, who cannot be told from whom, and win rates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from judge_core.ranking.bradley_terry import Posterior
from judge_core.ranking.comparison import Comparison

TOLERANCE = 1e-9


def ranks(values: Mapping[str, float], tolerance: float = TOLERANCE) -> dict[str, int]:
    """Rank of each item, the highest value first; values within the tolerance share a rank, and the next is left out.

    >>> ranks({"d": 1484.0, "a": 1532.0, "c": 1500.0, "b": 1500.0})
    {'d': 4, 'a': 1, 'c': 2, 'b': 2}
    """
    places: dict[str, int] = {}
    leader, rank = float("inf"), 0
    for place, item in enumerate(sorted(values, key=values.__getitem__, reverse=True), start=1):
        if leader - values[item] > tolerance:
            leader, rank = values[item], place
        places[item] = rank
    return {item: places[item] for item in values}


def tie_groups(posterior: Posterior, level: float = 0.95) -> dict[str, tuple[str, ...]]:
    """For each text the others that cannot be separated from it, in the posterior's order.

    Two texts are separated when one is above the other with a probability of more than (1 + level) / 2, so that both
    directions together err in 1 - level of the cases. Texts without a common scale are not separated.
    """
    items = np.array(posterior.items, dtype=object)
    tied: dict[str, tuple[str, ...]] = {}
    for start, block in posterior.above_blocks():
        near = ~(np.abs(block - 0.5) > level / 2)
        near[np.arange(len(block)), np.arange(start, start + len(block))] = False
        tied.update((items[start + row], tuple(items[others])) for row, others in enumerate(near))
    return tied


@dataclass(frozen=True)
class WinRates:
    """Shares of the points won, from 0 to 1. Where nothing was played there is None, never a half."""

    overall: dict[str, float | None]
    pairs: dict[tuple[str, str], float]
    """By (a, b), in both directions; only pairs that have met."""

    def between(self, a: str, b: str) -> float | None:
        """a's share of the points against b; None if they have not met."""
        return self.pairs.get((a, b))


def win_rates(matches: Iterable[Comparison], items: Sequence[str]) -> WinRates:
    """Win rates of all items and of each pair that has met; a tie gives half to either side, weights count.

    >>> table = win_rates([Comparison("a", "b", 1.0), Comparison("a", "b", 0.5)], ["a", "b", "c"])
    >>> table.overall, table.between("a", "b"), table.between("a", "c")
    ({'a': 0.75, 'b': 0.25, 'c': None}, 0.75, None)
    """
    won: dict[tuple[str, str], float] = {}
    played: dict[tuple[str, str], float] = {}
    for match in matches:
        for pair, result in (((match.a, match.b), match.result), ((match.b, match.a), 1.0 - match.result)):
            won[pair] = won.get(pair, 0.0) + match.weight * result
            played[pair] = played.get(pair, 0.0) + match.weight
    points, games = dict.fromkeys(items, 0.0), dict.fromkeys(items, 0.0)
    for (a, _), weight in played.items():
        games[a] = games.get(a, 0.0) + weight
    for (a, _), share in won.items():
        points[a] = points.get(a, 0.0) + share
    overall = {item: points[item] / games[item] if games[item] else None for item in points}
    return WinRates(overall, {pair: won[pair] / played[pair] for pair in played})
