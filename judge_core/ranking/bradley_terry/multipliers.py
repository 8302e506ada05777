"""How sharply each judge tells texts apart: a multiplier of all its logits, by what the judges agree on, without labels.

Multipliers are chosen so that the verdicts are most probable over all strengths that these allow, and not with the very
strengths that fit best: these follow a judge's errors where each text was judged only a few times, and any judge could then
seem perfect. What is allowed for them is half the logarithm of the determinant of the curvature (Laplace).
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.optimize import root
from scipy.special import expit

from judge_core.ranking.bradley_terry.case import Case
from judge_core.ranking.bradley_terry.curvature import Prior, together
from judge_core.ranking.bradley_terry.likelihood.effects import Effect
from judge_core.ranking.bradley_terry.likelihood.evidence import Winners
from judge_core.ranking.bradley_terry.likelihood.tally import Matrix, Vector
from judge_core.ranking.bradley_terry.newton import climb

MULTIPLIER_SD = 0.5
"""Of the prior of a multiplier's logarithm; their geometric mean is 1."""
FLAT = 1e-6
"""A slope this small is taken as 0."""


def widened(case: Case) -> Prior:
    """The prior with the free parameters of the multipliers behind strengths and effects."""
    free = 0 if case.leanings is None else case.leanings.shape[1]
    return case.prior.wider(np.full(free, MULTIPLIER_SD**-2))


def balance(case: Case) -> Vector:
    """Strengths, effects and the free parameters at which the slope of the last is 0; equal judges where none is found."""
    assert case.leanings is not None
    free = np.zeros(case.leanings.shape[1])
    found = root(lambda given: _slope(case, _settled(case, given)), free, method="hybr", options={"xtol": 1e-12})
    return _settled(case, found.x if np.abs(found.fun).max() < FLAT else free)


def multipliers(case: Case, parameters: Vector) -> Vector:
    """By judge."""
    if case.leanings is None:
        return np.ones(len(case.judges))
    return np.exp(case.leanings @ parameters[len(case.prior.mean) :])


def discriminations(case: Case, parameters: Vector, covariance: Matrix) -> dict[str, Effect]:
    """The multipliers by name; `covariance` is that of all effects, the free parameters last. Empty if not asked for."""
    if not case.terms.discrimination:
        return {}
    if case.leanings is None:
        return dict.fromkeys(case.judges, Effect(1.0, 0.0))
    free = case.leanings.shape[1]
    variances = np.einsum("jf,fg,jg->j", case.leanings, covariance[-free:, -free:], case.leanings)
    effects = map(Effect, multipliers(case, parameters).tolist(), np.sqrt(variances).tolist())
    return dict(zip(case.judges, effects, strict=True))


def _settled(case: Case, free: Vector) -> Vector:
    """The parameters, with strengths and effects at their peak given the free ones."""
    given = multipliers(case, np.append(case.prior.mean, free))
    evidence = [part.evidence.held(given[part.judge]) for part in case.parts(given)]
    return np.append(climb(evidence, case.prior, case.prior.mean), free)


def _slope(case: Case, parameters: Vector) -> Vector:
    """How probability over all strengths grows with the free parameters; units are taken as given."""
    size, leanings = len(case.prior.mean), case.leanings
    assert leanings is not None
    parts, prior = case.parts(multipliers(case, parameters)), widened(case)
    bends = [part.evidence.bend(parameters) for part in parts]
    slope = np.sum([bend.slope[size:] for bend in bends], axis=0) - prior.pull(parameters)[size:]
    matrix = together([bend.curvature for bend in bends]).matrix(prior)
    covariance = cho_solve(cho_factor(matrix[:size, :size]), np.eye(size))
    moved = -covariance @ matrix[:size, size:]
    for part, bend in zip(parts, bends, strict=True):
        slope -= leanings[part.judge] * bend.curvature.trace(covariance)
        if isinstance(part.evidence, Winners):
            slope -= _unevenness(part.evidence, leanings[part.judge], parameters, covariance, moved)
    return np.asarray(slope)


def _unevenness(winners: Winners, leaning: Vector, parameters: Vector, covariance: Matrix, moved: Matrix) -> Vector:
    """The part of the allowance's slope that comes from a pair telling less the surer it is.

    `moved` is how strengths and effects follow the free parameters.
    """
    point = winners.design.at(parameters)
    chance = expit(point.logits)
    information = winners.games * chance * (1 - chance) * point.scale**2
    along = point.scale * winners.design.rows(moved) + point.logits[:, None] * leaning
    return np.asarray((information * winners.design.variances(covariance) * (0.5 - chance)) @ along)
