"""Newton's method on a log posterior, and the spread about its peak."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from judge_core.ranking.bradley_terry.curvature import Prior, Spread, solve, spread, together
from judge_core.ranking.bradley_terry.likelihood.evidence import Evidence
from judge_core.ranking.bradley_terry.likelihood.tally import Vector

STEPS = 100
PRECISION = 1e-7
"""Logits; convergence is quadratic, so the step after one this small would be lost in rounding."""


class Peak(NamedTuple):
    """The most probable parameters and the spread about them."""

    parameters: Vector
    spread: Spread


def climb(evidence: Sequence[Evidence], prior: Prior, start: Vector) -> Vector:
    """Newton's method, with halved steps where a whole one overshoots."""
    parameters, height = start, _height(evidence, prior, start)
    for _ in range(STEPS if start.size else 0):
        step = _step(evidence, prior, parameters)
        while (reached := _height(evidence, prior, parameters + step)) < height - 1e-12 * (1 + abs(height)):
            step = step / 2
        parameters, height = parameters + step, reached
        if np.abs(step).max() < PRECISION:
            break
    return parameters


def _height(evidence: Sequence[Evidence], prior: Prior, parameters: Vector) -> float:
    return prior.height(parameters) + sum(part.height(parameters) for part in evidence)


def _step(evidence: Sequence[Evidence], prior: Prior, parameters: Vector) -> Vector:
    bends = [part.bend(parameters) for part in evidence]
    slope = np.sum([bend.slope for bend in bends], axis=0) - prior.pull(parameters - prior.mean)
    return solve(together([bend.curvature for bend in bends]), prior, slope)


def peak(evidence: Sequence[Evidence], prior: Prior, parameters: Vector) -> Peak:
    return Peak(parameters, spread(together([part.bend(parameters).curvature for part in evidence]), prior))
