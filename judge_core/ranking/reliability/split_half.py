"""Split-half reliability: whether two halves of the verdicts, each rated by itself, bring the same order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np

from judge_core.ranking.bradley_terry import Verdicts
from judge_core.ranking.reliability.bundles import Rate, compared, judges_by_row, marked, rated
from judge_core.ranking.reliability.separation import FEWEST_TEXTS, NO_SPREAD

SPLITS = 20
SEED = 20_261_130
By = Literal["verdicts", "judges"]


class SplitHalf(NamedTuple):
    """How halves agree."""

    correlation: float
    """Pearson's, of the ratings by one half and by the other: mean over the splits."""
    corrected: float
    """What both halves together would reach with as many new verdicts (C. Spearman and W. Brown, 1910)."""
    splits: int
    """Those in which it was defined."""


def split_half(
    items: Sequence[str],
    verdicts: Verdicts,
    by: By = "verdicts",
    *,
    splits: int = SPLITS,
    seed: int = SEED,
    rate: Rate = rated,
) -> SplitHalf | None:
    """The mean over seeded random splits of the verdicts, or of the panel of judges, into halves.

    Of each split the texts count that stand in both halves. None where no split leaves three of them, or some spread, in
    both; so always with one judge by judges. Halves of pairs that were chosen by results are not quite independent.
    """
    rng = np.random.default_rng(seed)
    found = [_correlation(items, *_halves(verdicts, by, rng), rate) for _ in range(splits)]
    known = [value for value in found if value is not None]
    if not known:
        return None
    mean = float(np.mean(known))
    return SplitHalf(mean, spearman_brown(mean), len(known))


def spearman_brown(correlation: float) -> float:
    """The reliability of twice the length, 2r / (1 + r); the correlation itself where it is not above 0.

    >>> round(spearman_brown(0.6), 2), spearman_brown(-0.2)
    (0.75, -0.2)
    """
    return 2 * correlation / (1 + correlation) if correlation > 0 else correlation


def _halves(verdicts: Verdicts, by: By, rng: np.random.Generator) -> tuple[Verdicts, Verdicts]:
    judges = judges_by_row(verdicts)
    units = sorted(set(judges)) if by == "judges" else list(range(len(judges)))
    first = {units[place] for place in rng.permutation(len(units))[: len(units) // 2]}
    marks = [(judge if by == "judges" else row) in first for row, judge in enumerate(judges)]
    return marked(verdicts, marks), marked(verdicts, [not mark for mark in marks])


def _correlation(items: Sequence[str], one: Verdicts, other: Verdicts, rate: Rate) -> float | None:
    both = set(compared(items, one)) & set(compared(items, other))
    if len(both) < FEWEST_TEXTS:
        return None
    ratings = np.array([_ratings(items, half, both, rate) for half in (one, other)], dtype=np.float64)
    if np.isnan(ratings).any() or np.ptp(ratings, axis=1).min() < NO_SPREAD:
        return None
    return float(np.corrcoef(*ratings)[0, 1])


def _ratings(items: Sequence[str], half: Verdicts, texts: set[str], rate: Rate) -> list[float | None]:
    posterior = rate(compared(items, half), half)
    return [posterior.rating(item) for item in items if item in texts]
