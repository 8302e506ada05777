"""What the verdicts say about the texts, and how sure one can be: all published numbers are read here.

Strengths are in logits; ratings are on the Elo scale, where 400 points are odds of 10 to 1: with mean 1500, or, where
texts of known rating are among them, on the scale of these.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from scipy.special import ndtr, ndtri

from judge_core.ranking.bradley_terry.connection import components
from judge_core.ranking.bradley_terry.likelihood.effects import Effect
from judge_core.ranking.bradley_terry.likelihood.tally import Indices, Marks, Matrix, Vector
from judge_core.records.errors import InputError

MEAN = 1500.0
POINTS_PER_LOGIT = 400.0 / math.log(10.0)
TOLERANCE = 1e-9
"""Logits; strengths nearer than this share a rank."""
BLOCK = 512
"""Rows of the matrix of probabilities that are held at once."""
DRAWS = 4000
SEED = 20_261_130
KEPT, KEPT_TEXTS = 2, 1024
"""Draws that are kept: 32 MB for each posterior at the most."""


@dataclass(frozen=True, eq=False)
class Posterior:
    """Strengths of the texts as a normal distribution about the most probable ones."""

    items: tuple[str, ...]
    strengths: Vector
    covariance: Matrix | None
    """None for very many texts: then they are taken as independent."""
    variances: Vector
    effects: Mapping[str, Effect]
    """By name: position, length, list position; one that is not estimated is not there."""
    discriminations: Mapping[str, Effect]
    """By judge: the multiplier of its differences, and the standard deviation of its logarithm; empty if not asked for."""
    silent_margins: frozenset[str]
    """Judges of too few margins, or none but 0: they counted as winners."""
    silent_scores: frozenset[str]
    """Judges of too few scores, or all the same: they did not count."""
    counts: Indices
    """Per text: in how many verdicts it stood."""
    edges: tuple[Indices, Indices]
    """Texts (indices) that a verdict sets on one scale."""
    groups: Indices
    """Texts of one group have a common scale; with a prior all do."""
    main: int | None
    """The group on whose scale ratings are given; None where no group can be it."""
    known_above: Marks | None = None
    """Without a prior: whether the text of the row stands above that of the column beyond measure."""
    anchored: bool = False
    """Ratings are on the scale of texts with known ratings, and not about 1500."""

    @property
    def position_effect(self) -> Effect | None:
        """What standing first in a pair is worth; None: not estimated, because nobody asked or no verdict tells."""
        return self.effects.get("position")

    @property
    def list_position_effect(self) -> Effect | None:
        """What the first place of a list is worth over its last; None as above."""
        return self.effects.get("list position")

    @property
    def length_effect(self) -> Effect | None:
        """What a doubling of words is worth; None as above."""
        return self.effects.get("length")

    def rating(self, item: str) -> float | None:
        """On the Elo scale; None for an unbounded text."""
        place = self._place(item)
        return None if self._apart[place] else MEAN + POINTS_PER_LOGIT * float(self._centred[place])

    def sd(self, item: str) -> float | None:
        """Standard deviation of the rating, in points; None where there is none. About the mean of all texts, if there
        are no anchors."""
        place = self._place(item)
        if self._apart[place] or (self._rated < 2 and not self.anchored):
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

    def rank_probabilities(self) -> Matrix:
        """Texts by ranks: the probability of each text to be truly at each rank, from the seeded draws."""
        self._need_one_scale("the chances of each rank")
        size, table = len(self.items), np.zeros(len(self.items) ** 2)
        for some in np.array_split(self.draws(), max(1, size // BLOCK)):
            falling = np.argsort(-some, axis=1)
            table += np.bincount((falling * size + np.arange(size)).ravel(), minlength=size * size)
        return (table / DRAWS).reshape(size, size)

    def probability_over(self, item: str, rating: float) -> float:
        """Probability that the text's true rating lies above the one given. InputError for an unbounded text."""
        own, sd = self.rating(item), self.sd(item)
        if own is None:
            raise InputError(f"{item!r} has no finite rating. Give a prior to the estimate.")
        if not sd:
            return 0.5 + float(np.sign(own - rating)) / 2
        return float(ndtr((own - rating) / sd))

    def draws(self) -> Matrix:
        """4,000 seeded draws by texts: strengths in logits, 0 where ratings have their 1500. Not to be written to.

        Those of the `KEPT` posteriors that were asked last are kept, up to `KEPT_TEXTS` texts each.
        """
        self._need_one_scale("draws of ratings")
        return _kept(self) if len(self.items) <= KEPT_TEXTS else _drawn(self)

    def places(self, texts: Sequence[str]) -> Indices:
        """Where the texts stand among the items."""
        return np.array([self._index[text] for text in texts], dtype=np.intp)

    def ranks(self) -> dict[str, int]:
        """1 + the number of texts known to be rated above; equal ratings share a rank (1, 2, 2, 4)."""
        if self.known_above is None:
            falling = np.sort(-self.strengths)
            above = np.searchsorted(falling, -self.strengths - TOLERANCE)
        else:
            higher = self.strengths[:, None] > self.strengths[None, :] + TOLERANCE
            above = (self.known_above | (higher & self._comparable(slice(None)))).sum(axis=0)
        return dict(zip(self.items, (above + 1).tolist(), strict=True))

    @cached_property
    def unbounded(self) -> frozenset[str]:
        """Texts without a finite estimate: they won all, lost all or are cut off. Always empty with a prior."""
        return frozenset(item for item, apart in zip(self.items, self._apart, strict=True) if apart)

    @property
    def components(self) -> tuple[tuple[str, ...], ...]:
        """The texts by what verdicts join; more than one: the order between them rests on the prior alone."""
        parts: dict[int, list[str]] = {}
        for item, label in zip(self.items, components(len(self.items), *self.edges).tolist(), strict=True):
            parts.setdefault(label, []).append(item)
        return tuple(sorted((tuple(part) for part in parts.values()), key=len, reverse=True))

    def comparisons(self, item: str) -> int:
        """In how many verdicts the text stood."""
        return int(self.counts[self._place(item)])

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
    def _apart(self) -> Marks:
        return np.asarray(self.groups != (-1 if self.main is None else self.main))

    @cached_property
    def _rated(self) -> int:
        return int((~self._apart).sum())

    @cached_property
    def _centred(self) -> Vector:
        return self.strengths if self.anchored else self.strengths - self.strengths[~self._apart].mean()

    @cached_property
    def _centred_variances(self) -> Vector:
        """Of strength minus the mean of the rated: the scale's origin is that mean, so its own doubt is none of theirs."""
        rated = ~self._apart
        if self.anchored:
            return self.variances
        if self.covariance is None:
            share = self.variances / self._rated
            return np.asarray(self.variances - 2 * share + share.mean())
        with_mean = self.covariance[:, rated].mean(axis=1)
        return np.asarray(np.maximum(self.variances - 2 * with_mean + with_mean[rated].mean(), 0.0))

    def _comparable(self, rows: slice) -> Marks:
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

    def _need_one_scale(self, what: str) -> None:
        if self._apart.any():
            raise InputError(
                f"Some texts have no finite rating, so {what} cannot be told. Give a prior to the estimate."
            )


def _drawn(posterior: Posterior) -> Matrix:
    noise = np.random.default_rng(SEED).standard_normal((DRAWS, len(posterior.items)))
    if posterior.covariance is None:
        drawn = posterior.strengths + noise * np.sqrt(posterior.variances)
    else:
        # A common shift changes no order, and makes the covariance invertible where the mean is fixed.
        shift = 0.0 if posterior.anchored else posterior.variances.mean()
        drawn = posterior.strengths + noise @ np.linalg.cholesky(posterior.covariance + shift).T
    drawn = np.asarray(drawn if posterior.anchored else drawn - drawn.mean(axis=1, keepdims=True))
    drawn.flags.writeable = False
    return drawn


_kept = lru_cache(maxsize=KEPT)(_drawn)
