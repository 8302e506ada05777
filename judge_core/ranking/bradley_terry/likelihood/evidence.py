"""What each kind of verdict adds to the log posterior: pairs by their winners, pairs by margins and scores, ranked lists.

Each has its `height` (log likelihood), its `bend` (the derivatives), and is `held` at a given multiplier of its judge. Where judges have multipliers, these are further parameters, and the curvature is the expected one, which is never negative.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

import numpy as np
from scipy.special import expit

from judge_core.ranking.bradley_terry.curvature import Curvature
from judge_core.ranking.bradley_terry.likelihood.tally import Indices, Matrix, Vector, sums


class Bend(NamedTuple):
    """The first derivative, and the negative second one."""

    slope: Vector
    curvature: Curvature


class Evidence(Protocol):
    """A part of the log likelihood."""

    def held(self, multiplier: float) -> Evidence: ...
    def height(self, parameters: Vector) -> float: ...
    def bend(self, parameters: Vector) -> Bend: ...


class Point(NamedTuple):
    """A design at given parameters."""

    logits: Vector
    scale: float
    """The judge's multiplier, and the steepness."""
    features: Matrix
    """What an effect, or a free parameter of the multipliers, moves, before the scale."""


@dataclass(frozen=True, eq=False)
class Design:
    """Rows of logits: strength of `first` less strength of `second`, plus features times effects, times the multiplier."""

    size: int
    first: Indices
    second: Indices
    """The number `size` is nobody."""
    features: Matrix
    """Rows by effects."""
    leaning: Vector | None = None
    """The logarithm of the judge's multiplier, as a combination of the last parameters; None: it is not free."""
    steepness: float = 1.0
    """Multiplies all logits."""

    def held(self, multiplier: float) -> Design:
        """With the judge's multiplier given."""
        return replace(self, leaning=None, steepness=self.steepness * multiplier)

    def at(self, parameters: Vector) -> Point:
        """The logits of the rows."""
        effects = self.features.shape[1]
        strengths = np.append(parameters[: self.size], 0.0)
        plain = strengths[self.first] - strengths[self.second]
        if effects:
            plain = plain + self.features @ parameters[self.size : self.size + effects]
        if self.leaning is None:
            return Point(self.steepness * plain, self.steepness, self.features)
        scale = self.steepness * float(np.exp(self.leaning @ parameters[self.size + effects :]))
        return Point(scale * plain, scale, np.hstack([self.features, plain[:, None] * self.leaning]))

    def rows(self, moved: Matrix) -> Matrix:
        """How the rows move, before the scale, where strengths and effects move by the columns."""
        strengths = np.vstack([moved[: self.size], np.zeros(moved.shape[1])])
        return np.asarray(strengths[self.first] - strengths[self.second] + self.features @ moved[self.size :])

    def variances(self, covariance: Matrix) -> Vector:
        """Of the rows, before the scale, by the covariance of strengths and effects."""
        across, places = self.rows(covariance), np.arange(len(self.first))
        strengths = np.column_stack([across[:, : self.size], np.zeros(len(places))])
        own = strengths[places, self.first] - strengths[places, self.second]
        return np.asarray(own + np.sum(self.features * across[:, self.size :], axis=1))

    def gather(self, point: Point, flow: Vector) -> Vector:
        """Sums a value per row to the parameters that it depends on."""
        flow = flow * point.scale
        return np.concatenate([self._to_texts(flow)[:-1], flow @ point.features])

    def bend(self, point: Point, flow: Vector, information: Vector) -> Bend:
        """The derivatives, from those of each row."""
        return Bend(self.gather(point, flow), self._curvature(point, information))

    def _curvature(self, point: Point, information: Vector) -> Curvature:
        information = information * point.scale**2
        weighted = information[:, None] * point.features
        own = sums(self.first, information, self.size + 1) + sums(self.second, information, self.size + 1)
        border = np.zeros((self.size + 1, weighted.shape[1]))
        for column in range(weighted.shape[1]):
            border[:, column] = self._to_texts(weighted[:, column])
        return Curvature(self.first, self.second, -information, own, border, point.features.T @ weighted)

    def _to_texts(self, flow: Vector) -> Vector:
        return sums(self.first, flow, self.size + 1) - sums(self.second, flow, self.size + 1)


@dataclass(frozen=True, eq=False)
class Winners:
    """Pairs by who won: logistic."""

    design: Design
    wins: Vector
    games: Vector

    def held(self, multiplier: float) -> Winners:
        return replace(self, design=self.design.held(multiplier))

    def height(self, parameters: Vector) -> float:
        logits = self.design.at(parameters).logits
        lost = self.games - self.wins
        return -float(self.wins @ np.logaddexp(0, -logits) + lost @ np.logaddexp(0, logits))

    def bend(self, parameters: Vector) -> Bend:
        point = self.design.at(parameters)
        chance = expit(point.logits)
        return self.design.bend(point, self.wins - self.games * chance, self.games * chance * (1 - chance))


@dataclass(frozen=True, eq=False)
class Graded:
    """Pairs by how much, or scores: normal about the logits."""

    design: Design
    mean: Vector
    """In logits."""
    precision: Vector

    def held(self, multiplier: float) -> Graded:
        return replace(self, design=self.design.held(multiplier))

    def height(self, parameters: Vector) -> float:
        return float(self.precision @ np.square(self.mean - self.design.at(parameters).logits)) / -2

    def bend(self, parameters: Vector) -> Bend:
        point = self.design.at(parameters)
        return self.design.bend(point, self.precision * (self.mean - point.logits), self.precision)


@dataclass(frozen=True, eq=False)
class Lists:
    """Ranked lists of one length: at each place the next is chosen out of those left, with odds as their strengths.

    R. L. Plackett, The analysis of permutations (1975); R. D. Luce, Individual choice behavior (1959).
    """

    size: int
    texts: Indices
    """Lists by places, best first."""
    features: Matrix
    """Lists by places by effects."""
    weight: Vector
    leaning: Vector | None = None
    """As in a design."""
    steepness: float = 1.0
    """Multiplies all logits; negative: `texts` stand worst first, and the worst is chosen first."""

    def reversed(self) -> Lists:
        """The same lists from their other end."""
        return replace(self, texts=self.texts[:, ::-1], features=self.features[:, ::-1], steepness=-self.steepness)

    def held(self, multiplier: float) -> Lists:
        return replace(self, leaning=None, steepness=self.steepness * multiplier)

    def height(self, parameters: Vector) -> float:
        logits = self._at(parameters).logits
        return float(self.weight @ (logits - _left(logits))[:, :-1].sum(axis=1))

    def bend(self, parameters: Vector) -> Bend:
        point = self._at(parameters)
        chances = _chances(point.logits)
        return Bend(self._slope(point, chances), self._curvature(point, chances))

    def _slope(self, point: Point, chances: Matrix) -> Vector:
        flow = -chances.sum(axis=1)
        flow[:, :-1] += 1
        flow *= self.weight[:, None] * point.scale
        gathered = sums(self.texts.ravel(), flow.ravel(), self.size)
        return np.concatenate([gathered, np.tensordot(flow, point.features, 2)])

    def _curvature(self, point: Point, chances: Matrix) -> Curvature:
        places = np.arange(self.texts.shape[1])
        blocks = -(chances.transpose(0, 2, 1) @ chances)
        blocks[:, places, places] += chances.sum(axis=1)
        blocks *= (self.weight * point.scale**2)[:, None, None]
        weighted = blocks @ point.features
        border = np.zeros((self.size + 1, weighted.shape[2]))
        for column in range(border.shape[1]):
            border[:, column] = sums(self.texts.ravel(), weighted[:, :, column].ravel(), self.size + 1)
        upper, lower = np.triu_indices(len(places), 1)
        return Curvature(
            self.texts[:, upper].ravel(),
            self.texts[:, lower].ravel(),
            blocks[:, upper, lower].ravel(),
            sums(self.texts.ravel(), blocks[:, places, places].ravel(), self.size + 1),
            border,
            np.tensordot(point.features, weighted, ((0, 1), (0, 1))),
        )

    def _at(self, parameters: Vector) -> Point:
        effects = self.features.shape[2]
        plain = parameters[self.texts] + self.features @ parameters[self.size : self.size + effects]
        if self.leaning is None:
            return Point(self.steepness * plain, self.steepness, self.features)
        scale = self.steepness * float(np.exp(self.leaning @ parameters[self.size + effects :]))
        more = plain[:, :, None] * self.leaning
        return Point(scale * plain, scale, np.concatenate([self.features, more], axis=2))


def _left(logits: Matrix) -> Matrix:
    """Logarithm of the summed odds of those not yet chosen, at each place."""
    return np.asarray(np.logaddexp.accumulate(logits[:, ::-1], axis=1)[:, ::-1])


def _chances(logits: Matrix) -> Matrix:
    """Lists by choices by texts: the chance to be chosen there; 0 for those already gone."""
    length = logits.shape[1]
    gap = logits[:, None, :] - _left(logits)[:, :-1, None]
    return np.exp(np.where(np.tri(length - 1, length, -1, dtype=bool), -np.inf, gap))
