"""What a judge's own unit is worth in logits, from how its margins or scores spread.

With strengths and effects as normal as the prior has them, a judge's values are normal about 0 with the variance
unit^2 (X P X' + noise^2 / weight), P the prior's covariance, X the design. The unit of highest likelihood has a closed
form; the inverse is taken on the side of the parameters (M. A. Woodbury, Inverting modified matrices, 1950).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from judge_core.ranking.bradley_terry.curvature import Prior, solve
from judge_core.ranking.bradley_terry.likelihood.evidence import Design
from judge_core.ranking.bradley_terry.likelihood.tally import Vector

NOISE = 1.702
"""Logits: standard deviation of a judge's margin; a normal error so large decides pairs as the logistic one does."""
SIDE_NOISE = NOISE / math.sqrt(2)
"""Of a score: one side of a pair."""
MARGINS_NEEDED = 8
"""Of one judge; with fewer its unit is a guess, and its winners count."""
SCORES_NEEDED = 2
ROUNDS = 6
"""Of unit and noise in turn; five levels are settled to a thousandth by then."""


class Values(NamedTuple):
    """One judge's margins or scores, summed per row of the design, in its own unit."""

    weight: Vector
    total: Vector
    """Sum of weight times value."""
    squares: float
    """Sum over all of weight times squared value."""
    number: int
    """How many there were."""
    means: int = 0
    """How many means were taken off before: each costs a degree of freedom."""


def rounded_unit(
    design: Design, values: Values, prior: Prior, rounding: float, multiplier: float = 1.0
) -> tuple[float, float]:
    """The unit per logit of margins, and their noise in logits, where a margin stands for a band.

    With the band's mean as the margin m of what the judge felt, z, a share of var m / var z of a difference is seen in m:
    m / unit measures the difference without bias, and the variance that the bands leave open adds, in logits,
    rounding x var m / (var m + rounding) / unit^2 to the noise. Both depend on one another and are found in turn.
    """
    spread = values.squares / values.weight.sum()
    seen = spread / (spread + rounding)
    noise = NOISE
    worth = unit(design, values, prior, noise, multiplier)
    for _ in range(ROUNDS if rounding else 0):
        noise = math.sqrt(NOISE**2 + rounding * seen / worth**2)
        worth = unit(design, values, prior, noise, multiplier)
    return worth, noise


def unit(design: Design, values: Values, prior: Prior, noise: float, multiplier: float = 1.0) -> float:
    """The judge's unit per logit, of values that are not all 0.

    Weights tell how much a judge counts in a panel and nothing of its noise, so here they have the mean 1.
    """
    precision = (values.number / values.weight.sum()) / noise**2
    point = design.at(np.zeros(design.size + design.features.shape[1]))
    flow, information = multiplier * precision * values.total, multiplier**2 * precision * values.weight
    pulled, curvature = design.bend(point, flow, information)
    found = solve(curvature, prior, pulled)
    spread = precision * values.squares - pulled @ found
    known = found @ prior.pull(prior.mean)
    free = values.number - values.means
    return float((math.sqrt(known**2 + 4 * spread * free) - known) / (2 * free))
