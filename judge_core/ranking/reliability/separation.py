"""Scale separation reliability: which share of the spread of the ratings is more than their error."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from judge_core.ranking.bradley_terry import Posterior, Verdicts
from judge_core.ranking.reliability.bundles import Rate, compared, joined, rated

FEWEST_TEXTS = 3
"""Below, a variance of ratings says nothing."""
NO_SPREAD = 1e-6
"""Points of Elo; ratings that all lie nearer have no spread to explain."""
HELD = 1.0
"""Points: a text with a smaller error is one whose rating was given, not measured."""


def separation(posterior: Posterior) -> float | None:
    """1 - mean squared standard error / variance of the ratings; below 0 where the errors are larger than the spread.

    Standard errors and ratings are the published ones (in points, about the mean of all texts), so they shrink with the
    prior: figures of estimates with different priors do not compare. Texts held at a known rating have no error and are left
    out. None for fewer than three others, and where all ratings are equal. The variance is that of a sample (n - 1).
    Source: T. Bramley, Paired comparison methods, 2007, after the index of D. Andrich, 1982.
    """
    rows = [(posterior.rating(item), posterior.sd(item)) for item in posterior.items]
    known = np.array([row for row in rows if None not in row], dtype=np.float64).reshape(-1, 2)
    known = known[known[:, 1] > HELD]
    if len(known) < FEWEST_TEXTS or np.ptp(known[:, 0]) < NO_SPREAD:
        return None
    return float(1 - (known[:, 1] ** 2).mean() / known[:, 0].var(ddof=1))


def separation_reliability(posterior: Posterior) -> float | None:
    """The reliability as it is shown: `separation`, and 0 where that lies below 0. None where it is not defined."""
    return floored(separation(posterior))


def floored(value: float | None) -> float | None:
    """A reliability below 0 says the same as 0: nothing but error.

    >>> floored(-0.4), floored(0.7), floored(None)
    (0.0, 0.7, None)
    """
    return None if value is None else max(0.0, value)


def separation_after(items: Sequence[str], rounds: Sequence[Verdicts], last: int, rate: Rate = rated) -> float | None:
    """The `separation` by all verdicts of the first `last` rounds; texts not compared yet are left out."""
    so_far = joined(rounds[:last])
    met = compared(items, so_far)
    return separation(rate(met, so_far)) if met else None
