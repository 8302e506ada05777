"""What a comparison is expected to tell, before it is asked.

The information that one more verdict brings on a difference in strength (D. V. Lindley, On a measure of the
information provided by an experiment, 1956), for a normal posterior: half the logarithm of 1 + variance x precision.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from judge_core.ranking.bradley_terry import Posterior
from judge_core.ranking.schedules.wave import Progress

Matrix = npt.NDArray[np.float64]
Vector = npt.NDArray[np.float64]
Steps = npt.NDArray[np.int64]
Marks = npt.NDArray[np.bool_]
STEPS = 10_000
"""Gains are whole numbers from 0 to this, so that the last bits of a float decide nothing."""

FARTHEST = 50.0
"""Logits; beyond, a verdict tells nothing that a float could hold."""


def gains(posterior: Posterior, texts: Sequence[str]) -> Matrix:
    """Expected information of each pair of texts, in nats.

    Late texts are paired by these: whatever is learnt of a new text counts, near a border or not, and each pair stands
    for itself. The adaptive method looks at what is at stake for its goal instead (see `focus` and `together`).
    """
    places = posterior.places(texts)
    variance = np.add.outer(posterior.variances[places], posterior.variances[places])
    if posterior.covariance is not None:
        variance = variance - 2 * posterior.covariance[np.ix_(places, places)]
    return np.asarray(np.log1p(np.maximum(variance, 0.0) / noise(posterior.strengths[places])) / 2)


def noise(strengths: Vector) -> Matrix:
    """Variance of a winner as a measure of each pair's difference, in logits squared: one over its information.

    It is the better guide where margins count too.
    """
    gap = np.minimum(np.abs(np.subtract.outer(strengths, strengths)), FARTHEST)
    return np.asarray(2 + 2 * np.cosh(gap))  # = 1 / (p (1 - p)), p = 1 / (1 + exp(-gap))


def stepped(worth: Matrix) -> Steps:
    """The worth of pairs in whole steps of the greatest."""
    most = worth.max(initial=0.0)
    return np.rint(worth / most * STEPS).astype(np.int64) if most > 0 else np.zeros(worth.shape, dtype=np.int64)


def free(progress: Progress, rematches: bool) -> npt.NDArray[np.bool_]:
    """Which pairs may be asked: those that were paired least often; without rematches only the new ones."""
    place = {text: number for number, text in enumerate(progress.texts)}
    often = np.zeros((len(place),) * 2, dtype=np.int64)
    for pair, times in progress.meetings.items():
        known = [place[text] for text in pair if text in place]
        if len(known) == 2:
            often[known, known[::-1]] = times
    upper = np.triu(np.ones(often.shape, dtype=np.bool_), 1)
    least = int(often[upper].min(initial=np.iinfo(np.int64).max)) if rematches and upper.any() else 0
    return np.asarray(upper & (often <= least))
