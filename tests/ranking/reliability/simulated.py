"""Simulated runs: texts with true strengths, judges that decide by the model, coins, copies of one another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

import numpy as np
from scipy.special import expit

from judge_core.ranking import elo
from judge_core.ranking.comparison import Comparison
from judge_core.ranking.schedules.swiss import pairing

Judge = Callable[[float, np.random.Generator], float]
"""Its result for the difference in true strength (and position) of a pair."""


def sound(gap: float, rng: np.random.Generator) -> float:
    """Decides by the model."""
    return float(rng.random() < expit(gap))


def coin(gap: float, rng: np.random.Generator) -> float:
    """Decides by lot."""
    return float(rng.random() < 0.5)


def texts(n: int) -> list[str]:
    return [f"t{place:02}" for place in range(n)]


def truths(n: int, seed: int, sd: float = 1.5) -> dict[str, float]:
    return dict(zip(texts(n), np.random.default_rng([seed, 7]).normal(0, sd, n).tolist(), strict=True))


def judged(
    pairs: Sequence[tuple[str, str]], truth: dict[str, float], panel: Sequence[Judge], seed: int
) -> list[Comparison]:
    """Each pair by each judge, side by lot, standing first worth half a logit."""
    rng = np.random.default_rng(seed)
    rows = []
    for a, b in pairs:
        for name, judge in enumerate(panel):
            side = 1 if rng.random() < 0.5 else -1
            result = judge(truth[a] - truth[b] + 0.5 * side, rng)
            rows.append(Comparison(a, b, result, 1 / len(panel), side, judge=str(name)))
    return rows


def all_pairs(n: int) -> list[tuple[str, str]]:
    return list(combinations(texts(n), 2))


def swiss_rounds(n: int, rounds: int, truth: dict[str, float], judge: Judge, seed: int) -> list[list[Comparison]]:
    """Rounds of a Swiss run by one judge."""
    ratings, met, byes = dict.fromkeys(texts(n), 1500.0), set(), {}
    played = []
    for number in range(rounds):
        paired = pairing.pair(pairing.rank_order(ratings), met, byes)
        rows = judged(paired.pairs, truth, [judge], 1000 * seed + number)
        for row in rows:
            met.add(frozenset((row.a, row.b)))
            ratings[row.a], ratings[row.b] = elo.update(ratings[row.a], ratings[row.b], row.result)
        played.append(rows)
    return played
