"""The prior, the curvature of the log posterior, and systems of equations with it.

Parameters are the strengths of the texts, then the effects (of position, length, ...), all in logits. Text number `size`
is nobody: a score stands against it, and it has no strength.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.linalg.lapack import dpotri
from scipy.sparse import coo_array, csr_array, triu
from scipy.sparse.linalg import LinearOperator, cg

from judge_core.ranking.bradley_terry.likelihood.tally import Indices, Matrix, Vector, sums

DENSE_TEXTS = 2000
"""Up to this many texts the covariance is exact. Beyond, systems are solved by conjugate gradients, and the variances
are measured by draws, with no covariance between texts."""
DIRECT_TEXTS = 300
"""Up to this many texts each Newton step is solved by factorisation; beyond, conjugate gradients are quicker."""
MOST_STEPS = 10_000
DRAWS, DRAWS_SEED = 256, 20_261_201
"""An interval's width errs by 1 part in 23 at the most (one standard deviation), and by far less where texts meet many."""
HELD_AT_ONCE = 4_000_000
"""Numbers of a matrix of draws."""
DRAWN_WITHIN = 1e-3
"""Of a draw's own size."""


@dataclass(frozen=True, eq=False)
class Prior:
    """Normal, about `mean`. Precision: diagonal `precisions`, less the square of `common`, plus the mean of each group."""

    mean: Vector
    precisions: Vector
    """0 for strengths under maximum likelihood."""
    common: Vector | None = None
    """Where the level of all texts is unknown: takes back the precision that independent priors give to their mean."""
    groups: Indices | None = None
    """Maximum likelihood: the group of each text, whose mean is held at 0, for no comparison can tell it."""

    def height(self, parameters: Vector) -> float:
        """Logarithm of the density, but for a constant."""
        away = parameters - self.mean
        return float(away @ self.pull(away)) / -2

    def pull(self, away: Vector) -> Vector:
        """Precision times the distance from the mean."""
        pulled = self.precisions * away
        return pulled if self.common is None else pulled - self.common * (self.common @ away)

    def wider(self, precisions: Vector) -> Prior:
        """With further parameters about 0."""
        more = np.zeros(len(precisions))
        common = None if self.common is None else np.concatenate([self.common, more])
        return Prior(
            np.concatenate([self.mean, more]), np.concatenate([self.precisions, precisions]), common, self.groups
        )

    def add_to(self, curvature: Matrix) -> None:
        """Adds the precision to a matrix, in place."""
        places = np.arange(len(curvature))
        curvature[places, places] += self.precisions
        if self.common is not None:
            curvature -= np.outer(self.common, self.common)
        if self.groups is not None:
            size = len(self.groups)
            curvature[:size, :size] += self.centring

    @cached_property
    def centring(self) -> Matrix:
        """Projects strengths on the means of their groups."""
        if self.groups is None:
            return np.zeros((0, 0))
        same = self.groups[:, None] == self.groups[None, :]
        return np.asarray(same / same.sum(axis=1))


class Curvature(NamedTuple):
    """Negative second derivative of a likelihood: a matrix of texts, bordered by effects."""

    first: Indices
    second: Indices
    between: Vector
    """Of the pair of texts; each stands for both triangles, and those of one pair add up."""
    own: Vector
    """The diagonal; the last is nobody's."""
    border: Matrix
    """Texts by effects."""
    corner: Matrix
    """Effects by effects."""

    @property
    def size(self) -> int:
        """Number of texts."""
        return len(self.own) - 1

    def matrix(self, prior: Prior) -> Matrix | csr_array:
        """With the prior's precision: dense up to `DENSE_TEXTS`."""
        return self._sparse(prior) if self.size > DENSE_TEXTS else self._dense(prior)

    def trace(self, covariance: Matrix) -> float:
        """The trace of its product with a covariance of strengths and the first effects."""
        size, effects = self.size, len(covariance) - self.size
        strengths = np.zeros((size + 1, size + 1))
        strengths[:size, :size] = covariance[:size, :size]
        texts = 2 * self.between @ strengths[self.first, self.second] + self.own @ strengths.diagonal()
        border = 2 * np.sum(self.border[:size, :effects] * covariance[:size, size:])
        return float(texts + border + np.sum(self.corner[:effects, :effects] * covariance[size:, size:]))

    def _dense(self, prior: Prior) -> Matrix:
        size, whole = self.size, len(self.own)
        half = sums(self.first * whole + self.second, self.between, whole * whole).reshape(whole, whole)[:size, :size]
        matrix = np.empty((size + len(self.corner),) * 2)
        np.add(half, half.T, out=matrix[:size, :size])
        matrix[:size, size:], matrix[size:, :size] = self.border[:size], self.border[:size].T
        matrix[size:, size:] = self.corner
        places = np.arange(size)
        matrix[places, places] += self.own[:size]
        prior.add_to(matrix)
        return matrix

    def _sparse(self, prior: Prior) -> csr_array:
        size, real = self.size, self.second < self.size
        first, second, between = self.first[real], self.second[real], self.between[real]
        rows, columns = np.indices(self.border[:size].shape)
        corner = np.indices(self.corner.shape) + size
        places = np.arange(size + len(self.corner))
        parts = [
            (between, first, second),
            (between, second, first),
            (self.own[:size], places[:size], places[:size]),
            (self.border[:size].ravel(), rows.ravel(), columns.ravel() + size),
            (self.border[:size].ravel(), columns.ravel() + size, rows.ravel()),
            (self.corner.ravel(), corner[0].ravel(), corner[1].ravel()),
            (prior.precisions, places, places),
        ]
        values, down, across = (np.concatenate(part) for part in zip(*parts, strict=True))
        return csr_array(coo_array((values, (down, across)), shape=(len(places),) * 2))


def together(parts: Sequence[Curvature]) -> Curvature:
    """The curvature of all evidence at once."""
    if len(parts) == 1:
        return parts[0]
    first, second, between, own, border, corner = zip(*parts, strict=True)
    joined = map(np.concatenate, (first, second, between))
    return Curvature(*joined, *(np.sum(part, axis=0) for part in (own, border, corner)))


def solve(curvature: Curvature, prior: Prior, slope: Vector) -> Vector:
    """The step whose product with the curvature is the slope."""
    matrix = curvature.matrix(prior)
    if prior.groups is None and curvature.size > DIRECT_TEXTS:
        return _by_gradients(matrix, slope)
    factor = cho_factor(matrix, lower=True, overwrite_a=True, check_finite=False)
    return np.asarray(cho_solve(factor, slope, check_finite=False))


class Spread(NamedTuple):
    """The inverse of the curvature."""

    covariance: Matrix | None
    """Of the strengths; None beyond `DENSE_TEXTS`."""
    variances: Vector
    """Of all parameters."""
    effects: Matrix
    """Covariance of the effects."""


def spread(curvature: Curvature, prior: Prior) -> Spread:
    """How far the parameters may lie from the peak."""
    size, matrix = curvature.size, curvature.matrix(prior)
    if not matrix.shape[0]:
        return Spread(np.zeros((0, 0)), np.zeros(0), np.zeros((0, 0)))
    if size > DENSE_TEXTS:
        return _sparse_spread(matrix, size)
    triangle, _ = dpotri(cho_factor(matrix, lower=True, overwrite_a=True)[0], lower=1, overwrite_c=1)
    inverse = np.tril(triangle) + np.tril(triangle, -1).T
    if prior.groups is not None:
        inverse[:size, :size] -= prior.centring
    return Spread(inverse[:size, :size], inverse.diagonal().copy(), inverse[size:, size:])


def _sparse_spread(matrix: csr_array, size: int) -> Spread:
    """Effects are taken out exactly, for their doubt is common to many texts; the rest is measured by draws."""
    texts, border = matrix[:size, :size].tocsr(), matrix[:size, size:].toarray()
    followed = np.column_stack([border[:, :0], *(_by_gradients(texts, column)[:, None] for column in border.T)])
    effects = np.linalg.inv(matrix[size:, size:].toarray() - border.T @ followed)
    variances = _drawn_variances(texts) + np.sum(followed @ effects * followed, axis=1)
    return Spread(None, np.concatenate([variances, effects.diagonal()]), effects)


def _drawn_variances(texts: csr_array) -> Vector:
    """The diagonal of the inverse, from seeded draws of strengths, however long the chains of texts are.

    A text's variance is what it has with all others held, known exactly, and what the others' draws move it by (P. Siden,
    F. Lindgren, D. Bolin, M. Villani, Efficient covariance approximations for large sparse precision matrices, 2018).
    """
    size, diagonal, random = texts.shape[0], texts.diagonal(), np.random.default_rng(DRAWS_SEED)
    root, at_once = _root(texts), max(1, min(DRAWS, HELD_AT_ONCE // size))
    squares, done = np.zeros(size), 0
    while done < DRAWS:
        number = min(at_once, DRAWS - done)
        drawn = _drawn(texts, root @ random.standard_normal((root.shape[1], number)))
        moved = (texts @ drawn) / diagonal[:, None] - drawn
        squares, done = squares + np.sum(moved**2, axis=1), done + number
    return np.asarray(1 / diagonal + squares / DRAWS)


def _root(texts: csr_array) -> csr_array:
    """A matrix whose product with its transpose is `texts`: a column for each two texts that met, one for each text."""
    met = triu(texts, 1).tocoo()
    between = np.sqrt(np.maximum(-met.data, 0.0))
    size, number = texts.shape[0], len(between)
    rest = np.sqrt(np.maximum(texts.sum(axis=1), 0.0))
    columns, places = np.arange(number), np.arange(size)
    values = np.concatenate([between, -between, rest])
    down, across = np.concatenate([*met.coords, places]), np.concatenate([columns, columns, number + places])
    return csr_array(coo_array((values, (down, across)), shape=(size, number + size)))


def _drawn(texts: csr_array, noise: Matrix) -> Matrix:
    """The inverse times each column of noise, by conjugate gradients for all at once: far nearer than the draws are apart."""
    inverse = 1 / texts.diagonal()[:, None]
    found, left = np.zeros_like(noise), noise.copy()
    way = inverse * left
    slope = np.sum(left * way, axis=0)
    enough = DRAWN_WITHIN**2 * slope
    for _ in range(MOST_STEPS):
        if (slope <= enough).all():
            break
        bent = texts @ way
        step = slope / np.sum(way * bent, axis=0)
        found += step * way
        left -= step * bent
        scaled = inverse * left
        before, slope = slope, np.sum(left * scaled, axis=0)
        way = scaled + slope / before * way
    return found


def _by_gradients(matrix: Matrix | csr_array, slope: Vector) -> Vector:
    diagonal = matrix.diagonal().copy()
    scale = LinearOperator(matrix.shape, matvec=lambda vector: vector / diagonal)
    return np.asarray(cg(matrix, slope, rtol=1e-12, M=scale, maxiter=MOST_STEPS)[0])
