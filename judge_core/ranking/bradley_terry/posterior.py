"""What the comparisons say about the texts, and how sure one can be: all published numbers are read here.

Strengths are in logits; ratings are on the Elo scale with mean 1500, where 400 points are odds of 10 to 1.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr, ndtri

from judge_core.ranking.bradley_terry.connection import components
from judge_core.ranking.bradley_terry.tally import Indices, Matrix, Tally, Vector
from judge_core.records.errors import InputError

MEAN = 1500.0
POINTS_PER_LOGIT = 400.0 / math.log(10.0)
TOLERANCE = 1e-9
"""Logits; strengths nearer than this share a rank."""
BLOCK = 512
"""Rows of the matrix of probabilities that are held at once."""
DRAWS = 4000
SEED = 20_261_130


class PositionEffect(NamedTuple):
    """What standing first is worth, in logits, and its standard deviation."""

    logits: float
    sd: float


@dataclass(frozen=True, eq=False)
class Posterior:
    """Strengths of the texts as a normal distribution about the most probable ones."""

    items: tuple[str, ...]
    strengths: Vector
    covariance: Matrix | None
    """None for very many texts: then they are taken as independent."""
    variances: Vector
    position_effect: PositionEffect | None
    """None: not estimated, because nobody asked or no comparison tells who was shown first."""
    tally: Tally
    groups: Indices
    """Texts of one group have a common scale; with a prior all do."""
    main: int | None
    """The group on whose scale ratings are given; None where no group can be it."""
    known_above: npt.NDArray[np.bool_] | None = None
    """Without a prior: whether the text of the row stands above that of the column beyond measure."""

    def rating(self, item: str) -> float | None:
        """On the Elo scale; None for an unbounded text."""
        place = self._place(item)
        return None if self._apart[place] else MEAN + POINTS_PER_LOGIT * float(self._centred[place])

    def sd(self, item: str) -> float | None:
        """Standard deviation of the rating about the mean of all texts, in points; None where there is none."""
        place = self._place(item)
        if self._apart[place] or self._rated < 2:
            return None
        return POINTS_PER_LOGIT * math.sqrt(float(self._centred_variances[place]))

    def interval(self, item: str, level: float = 0.95) -> tuple[float, float] | None:
        """Where the rating lies with this probability; None for an unbounded text and for one that is alone."""
        rating, sd = self.rating(item), self.sd(item)
        if rating is None or sd is None:
            return None
        reach = float(ndtri((1 + level) / 2)) * sd
        return rating - reach, rating + reach

    def probability_above(self, a: str, b: str) -> float:
        """Probability that text a is truly better than text b. InputError where the comparisons cannot tell."""
        place = self._place(a)
        chance = float(self._above(slice(place, place + 1))[0, self._place(b)])
        if math.isnan(chance):
            raise InputError(f"Nothing measures {a!r} against {b!r} on one scale. Give a prior to the estimate.")
        return chance

    def expected_tau(self) -> float:
        """Kendall's tau that this order should have with the true one; 1 where there is no pair to get wrong."""
        self._need_one_scale("an expected tau")
        pairs = len(self.items) * (len(self.items) - 1)
        sure = sum(float(np.abs(2 * block - 1).sum()) for _, block in self.above_blocks())
        return sure / pairs if pairs else 1.0

    def top_probability(self, k: int) -> dict[str, float]:
        """Probability of each text to be among the k truly best, from 4,000 seeded draws (sd at most 0.008)."""
        self._need_one_scale("the chances of the top")
        size = len(self.items)
        if not 0 < k < size:
            return dict.fromkeys(self.items, 1.0 if k > 0 else 0.0)
        best = np.argpartition(-self._draws(), k - 1, axis=1)[:, :k]
        share = np.bincount(best.ravel(), minlength=size) / DRAWS
        return dict(zip(self.items, share.tolist(), strict=True))

    def ranks(self) -> dict[str, int]:
        """1 + the number of texts known to be rated above; equal ratings share a rank (1, 2, 2, 4)."""
        if self.known_above is None:
            falling = np.sort(-self.strengths)
            above = np.searchsorted(falling, -self.strengths - TOLERANCE)
        else:
            higher = self.strengths[:, None] > self.strengths[None, :] + TOLERANCE
            above = (self.known_above | (higher & self._comparable(slice(None)))).sum(axis=0)
        return dict(zip(self.items, (above + 1).tolist(), strict=True))

    @property
    def unbounded(self) -> frozenset[str]:
        """Texts without a finite estimate: they won all, lost all or are cut off. Always empty with a prior."""
        return frozenset(item for item, apart in zip(self.items, self._apart, strict=True) if apart)

    @property
    def components(self) -> tuple[tuple[str, ...], ...]:
        """The texts by what comparisons join; more than one: the order between them rests on the prior alone."""
        parts: dict[int, list[str]] = {}
        for item, label in zip(self.items, components(self.tally).tolist(), strict=True):
            parts.setdefault(label, []).append(item)
        return tuple(sorted((tuple(part) for part in parts.values()), key=len, reverse=True))

    def comparisons(self, item: str) -> int:
        """In how many comparisons the text stood."""
        return int(self.tally.counts[self._place(item)])

    def above_blocks(self) -> Iterator[tuple[int, Matrix]]:
        """The matrix of probabilities that row is above column, some rows at a time, each with its first row's number.

        The diagonal is 0.5; NaN where the comparisons cannot tell.
        """
        for start in range(0, len(self.items), BLOCK):
            yield start, self._above(slice(start, start + BLOCK))

    @cached_property
    def _index(self) -> dict[str, int]:
        return {item: place for place, item in enumerate(self.items)}

    def _place(self, item: str) -> int:
        return self._index[item]

    @cached_property
    def _apart(self) -> npt.NDArray[np.bool_]:
        return np.asarray(self.groups != (-1 if self.main is None else self.main))

    @cached_property
    def _rated(self) -> int:
        return int((~self._apart).sum())

    @cached_property
    def _centred(self) -> Vector:
        return np.asarray(self.strengths - self.strengths[~self._apart].mean())

    @cached_property
    def _centred_variances(self) -> Vector:
        """Of strength minus the mean of the rated: the scale's origin is that mean, so its own doubt is none of theirs."""
        rated = ~self._apart
        if self.covariance is None:
            share = self.variances / self._rated
            return np.asarray(self.variances - 2 * share + share.mean())
        with_mean = self.covariance[:, rated].mean(axis=1)
        return np.asarray(np.maximum(self.variances - 2 * with_mean + with_mean[rated].mean(), 0.0))

    def _comparable(self, rows: slice) -> npt.NDArray[np.bool_]:
        return np.asarray(self.groups[rows, None] == self.groups[None, :])

    def _above(self, rows: slice) -> Matrix:
        gap = self.strengths[rows, None] - self.strengths[None, :]
        variance = self.variances[rows, None] + self.variances[None, :]
        if self.covariance is not None:
            variance = variance - 2 * self.covariance[rows]
        chance = ndtr(gap / np.sqrt(np.maximum(variance, 1e-300)))
        own = np.arange(len(self.items))[rows]
        chance[np.arange(len(own)), own] = 0.5
        return chance if self.known_above is None else np.where(self._comparable(rows), chance, np.nan)

    def _draws(self) -> Matrix:
        noise = np.random.default_rng(SEED).standard_normal((DRAWS, len(self.items)))
        if self.covariance is None:
            return np.asarray(self.strengths + noise * np.sqrt(self.variances))
        # A common shift changes no order, and makes the covariance invertible where the mean is fixed.
        factor = np.linalg.cholesky(self.covariance + self.variances.mean())
        return np.asarray(self.strengths + noise @ factor.T)

    def _need_one_scale(self, what: str) -> None:
        if self._apart.any():
            raise InputError(
                f"Some texts have no finite rating, so {what} cannot be told. Give a prior to the estimate."
            )
