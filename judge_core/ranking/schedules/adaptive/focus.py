"""What is at stake for the goal: how much each difference in strength is in doubt where it matters.

A difference counts by its density at 0, which is how fast a narrower posterior makes its sign sure. For the whole order
all pairs count; for a line after a rank those with a text on either side; for a line at a rating each text against the line.
"""

from __future__ import annotations

import numpy as np

from judge_core.ranking.bradley_terry.posterior import MEAN, POINTS_PER_LOGIT
from judge_core.ranking.schedules.adaptive.gain import Matrix, Vector
from judge_core.records.spec import Goal


def stakes(goal: Goal | None, strengths: Vector, covariance: Matrix) -> Matrix:
    """A matrix S such that the trace of S x covariance is what is left in doubt."""
    variances = covariance.diagonal()
    if goal is not None and goal.ratings:
        lines = (np.array(goal.ratings) - MEAN) / POINTS_PER_LOGIT
        return np.diag(_density(strengths[:, None] - lines, variances[:, None]).sum(axis=1))
    variance = np.add.outer(variances, variances) - 2 * covariance
    weight = _density(np.subtract.outer(strengths, strengths), variance)
    np.fill_diagonal(weight, 0.0)
    if goal is not None and goal.ranks:
        ranks = np.argsort(np.argsort(-strengths, kind="stable"))
        band = np.searchsorted(goal.ranks, ranks, side="right")
        weight *= band[:, None] != band
    return np.asarray(np.diag(weight.sum(axis=1)) - weight)


def _density(gap: Matrix, variance: Matrix) -> Matrix:
    """At 0, of a normal about the gap, but for a constant."""
    variance = np.maximum(variance, 1e-12)
    return np.asarray(np.exp(-np.square(gap) / (2 * variance)) / np.sqrt(variance))
