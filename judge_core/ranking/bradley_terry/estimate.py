"""The most probable Bradley-Terry strengths, by Newton's method, and the spread about them (Laplace).

Model (R. A. Bradley and M. E. Terry, Rank analysis of incomplete block designs, 1952; first-position term as in
R. R. Davidson and R. J. Beaver, On extending the Bradley-Terry model to incorporate within-pair order effects, 1977):
the logit of "a beats b" is strength a - strength b + position * first-position effect. A tie counts as half a win
for either side. Strengths and effect have normal priors about 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.linalg import cho_factor, cho_solve
from scipy.linalg.lapack import dpotri
from scipy.sparse import coo_array, csr_array
from scipy.sparse.linalg import LinearOperator, cg
from scipy.special import expit

from judge_core.ranking.bradley_terry.connection import main_group, reach, strong_groups
from judge_core.ranking.bradley_terry.posterior import PositionEffect, Posterior
from judge_core.ranking.bradley_terry.tally import Indices, Matrix, Tally, Vector, count
from judge_core.ranking.comparison import Comparison
from judge_core.records.errors import InputError

PRIOR_SD = 2.0
"""Logits, about 350 points of Elo. Fixed: a prior estimated from the data collapses when near neighbours meet."""
POSITION_PRIOR_SD = 1.0
"""Logits; weak, since effects of judges seldom pass 1."""
DENSE_TEXTS = 2000
"""Up to this many texts the covariance is exact. Beyond, systems are solved by conjugate gradients, and the variances
are those of each text among its opponents, to second order, with no covariance between texts."""
DIRECT_TEXTS = 300
"""Up to this many texts each Newton step is solved by factorisation; beyond, conjugate gradients are quicker."""
STEPS = 100
PRECISION = 1e-7
"""Logits; convergence is quadratic, so the step after one this small would be lost in rounding."""


def fit(
    items: Sequence[str],
    comparisons: Sequence[Comparison],
    *,
    prior_sd: float | None = PRIOR_SD,
    first_position: bool = True,
) -> Posterior:
    """Rates the texts by their comparisons.

    `prior_sd` is in logits; None means maximum likelihood, where texts without a finite estimate are `unbounded` and
    get no number. The first-position effect is estimated if asked for and if any comparison tells who was shown first.
    InputError for comparisons that cannot be used, and for maximum likelihood over more than 2,000 texts.

    >>> posterior = fit(["x", "y"], [Comparison("x", "y", 1.0)], prior_sd=1.0)
    >>> posterior.ranks()
    {'x': 1, 'y': 2}
    """
    tally = count(items, comparisons, with_position=first_position)
    if prior_sd is None:
        return _maximum_likelihood(tuple(items), tally)
    if not 0 < prior_sd < np.inf:
        raise InputError(f"The prior's standard deviation must be above 0 logits; found {prior_sd!r}.", field="prior")
    groups = np.zeros(tally.size, dtype=np.intp)
    return _posterior(tuple(items), _Model(tally, prior_sd**-2, groups), main=0)


def _maximum_likelihood(items: tuple[str, ...], tally: Tally) -> Posterior:
    if tally.size > DENSE_TEXTS:
        raise InputError(
            f"Maximum likelihood takes up to {DENSE_TEXTS:,} texts; for {tally.size:,} give a prior.", field="prior"
        )
    groups = strong_groups(tally)
    within = tally.restricted(groups[tally.first] == groups[tally.second])
    known = reach(tally)
    return _posterior(items, _Model(within, 0.0, groups), main=main_group(groups), whole=tally, known=known & ~known.T)


def _posterior(
    items: tuple[str, ...],
    model: _Model,
    *,
    main: int | None,
    whole: Tally | None = None,
    known: npt.NDArray[np.bool_] | None = None,
) -> Posterior:
    parameters = _climb(model)
    spread = model.spread(parameters)
    size = model.tally.size
    return Posterior(
        items=items,
        strengths=parameters[:size],
        covariance=spread.covariance,
        variances=spread.variances,
        position_effect=PositionEffect(float(parameters[size]), spread.position_sd) if model.bordered else None,
        tally=whole or model.tally,
        groups=model.groups,
        main=main,
        known_above=known,
    )


def _climb(model: _Model) -> Vector:
    """Newton's method on a concave function, with halved steps where a whole one overshoots."""
    parameters = np.zeros(model.tally.size + model.bordered)
    height = model.height(parameters)
    for _ in range(STEPS if parameters.size else 0):
        step = model.newton_step(parameters)
        while (reached := model.height(parameters + step)) < height - 1e-12 * (1 + abs(height)):
            step = step / 2
        parameters, height = parameters + step, reached
        if np.abs(step).max() < PRECISION:
            break
    return parameters


class _Spread(NamedTuple):
    covariance: Matrix | None
    """Of the strengths; None beyond `DENSE_TEXTS`."""
    variances: Vector
    position_sd: float
    """Without meaning where the effect is not estimated."""


@dataclass(frozen=True, eq=False)
class _Model:
    """The log posterior of the strengths and, where it is estimated, the first-position effect (last parameter)."""

    tally: Tally
    precision: float
    """Of the prior of each strength, 1 / variance; 0 for maximum likelihood, where each group is centred instead."""
    groups: Indices

    @cached_property
    def bordered(self) -> bool:
        return bool(self.tally.position.any())

    @cached_property
    def precisions(self) -> Vector:
        border = [POSITION_PRIOR_SD**-2] if self.bordered else []
        return np.concatenate([np.full(self.tally.size, self.precision), border])

    def height(self, parameters: Vector) -> float:
        margin = self._margins(parameters)
        lost = self.tally.games - self.tally.wins
        likelihood = -(self.tally.wins @ np.logaddexp(0, -margin) + lost @ np.logaddexp(0, margin))
        return float(likelihood - self.precisions @ parameters**2 / 2)

    def newton_step(self, parameters: Vector) -> Vector:
        surplus = self.tally.wins - self.tally.games * expit(self._margins(parameters))
        slope = self._gather(surplus) - self.precisions * parameters
        return self._solver(parameters)(slope)

    def spread(self, parameters: Vector) -> _Spread:
        """The inverse curvature at the peak."""
        size = self.tally.size
        if size > DENSE_TEXTS:
            return self._sparse_spread(parameters)
        if not size:
            return _Spread(np.zeros((0, 0)), np.zeros(0), 0.0)
        triangle, _ = dpotri(
            cho_factor(self._dense(parameters), lower=True, overwrite_a=True)[0], lower=1, overwrite_c=1
        )
        inverse = np.tril(triangle) + np.tril(triangle, -1).T
        covariance = inverse[:size, :size] - (self._centring if not self.precision else 0.0)
        return _Spread(covariance, covariance.diagonal().copy(), float(np.sqrt(inverse[-1, -1])))

    def _margins(self, parameters: Vector) -> Vector:
        margin = parameters[self.tally.first] - parameters[self.tally.second]
        return margin + self.tally.position * parameters[-1] if self.bordered else margin

    def _gather(self, flow: Vector) -> Vector:
        """Sums a value per pair to the parameters that it depends on."""
        size = self.tally.size
        gathered = np.zeros(size + self.bordered)
        gathered[:size] = np.bincount(self.tally.first, flow, size) - np.bincount(self.tally.second, flow, size)
        if self.bordered:
            gathered[size] = flow @ self.tally.position
        return gathered

    def _information(self, parameters: Vector) -> Vector:
        chance = expit(self._margins(parameters))
        return np.asarray(self.tally.games * chance * (1 - chance))

    def _solver(self, parameters: Vector) -> Callable[[Vector], Vector]:
        if self.precision and self.tally.size > DIRECT_TEXTS:
            sparse = self.tally.size > DENSE_TEXTS
            curvature = self._sparse(parameters) if sparse else self._dense(parameters)
            diagonal = curvature.diagonal().copy()
            scale = LinearOperator(curvature.shape, matvec=lambda slope: slope / diagonal)
            return lambda slope: np.asarray(cg(curvature, slope, rtol=1e-12, M=scale, maxiter=10_000)[0])
        factor = cho_factor(self._dense(parameters), lower=True, overwrite_a=True, check_finite=False)
        return lambda slope: np.asarray(cho_solve(factor, slope, check_finite=False))

    @cached_property
    def _centring(self) -> Matrix:
        """Fixes the mean of each group, which no comparison can."""
        same = self.groups[:, None] == self.groups[None, :]
        return np.asarray(same / same.sum(axis=1))

    def _dense(self, parameters: Vector) -> Matrix:
        """Negative second derivative: a graph Laplacian, the priors, and the border of the first-position effect."""
        size, tally = self.tally.size, self.tally
        information = self._information(parameters)
        half = np.bincount(tally.first * size + tally.second, information, size * size).reshape(size, size)
        curvature = np.zeros((size + self.bordered,) * 2)
        curvature[:size, :size] = -(half + half.T)
        if self.bordered:
            curvature[size, :] = curvature[:, size] = self._gather(information * tally.position)
        degree = half.sum(axis=0) + half.sum(axis=1)
        places = np.arange(size)
        curvature[places, places] += degree
        curvature[np.arange(len(curvature)), np.arange(len(curvature))] += self.precisions
        if not self.precision:
            curvature[:size, :size] += self._centring
        return curvature

    def _sparse(self, parameters: Vector) -> csr_array:
        size, tally = self.tally.size, self.tally
        information = self._information(parameters)
        pairs = np.arange(len(information))
        ends = [tally.first, tally.second]
        values = [np.ones(len(pairs)), -np.ones(len(pairs))]
        if self.bordered:
            ends.append(np.full(len(pairs), size))
            values.append(tally.position)
        shape = (len(pairs), size + self.bordered)
        design = coo_array((np.concatenate(values), (np.tile(pairs, len(ends)), np.concatenate(ends))), shape=shape)
        weighted = design.multiply(information[:, None]).tocsr()
        prior = coo_array((self.precisions, [np.arange(shape[1])] * 2))
        return csr_array(design.T @ weighted + prior.tocsr())

    def _sparse_spread(self, parameters: Vector) -> _Spread:
        curvature = self._sparse(parameters)
        diagonal = curvature.diagonal()
        squares = curvature.multiply(curvature)
        around = squares @ (1 / diagonal) - diagonal  # the neighbours' share, without the text's own term
        variances = 1 / diagonal + around / diagonal**2
        return _Spread(None, variances[: self.tally.size], float(np.sqrt(variances[-1])))
