"""A case to be estimated: the verdicts as arrays, which of them count in which way, and the prior."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.linalg import helmert

from judge_core.ranking.bradley_terry.curvature import DENSE_TEXTS, Prior
from judge_core.ranking.bradley_terry.likelihood.effects import (
    Effects,
    ListColumns,
    ScoreColumns,
    doublings,
    judge_index,
    list_columns,
    score_columns,
)
from judge_core.ranking.bradley_terry.likelihood.evidence import Design, Evidence, Graded, Lists, Winners
from judge_core.ranking.bradley_terry.likelihood.tally import (
    Columns,
    Indices,
    Marks,
    Matrix,
    Tally,
    Vector,
    columns,
    count,
    index_of,
)
from judge_core.ranking.bradley_terry.likelihood.units import (
    MARGINS_NEEDED,
    SCORES_NEEDED,
    SIDE_NOISE,
    Values,
    rounded_unit,
    unit,
)
from judge_core.ranking.bradley_terry.posterior import MEAN, POINTS_PER_LOGIT
from judge_core.ranking.bradley_terry.terms import PRIOR_SD, Terms, Verdicts
from judge_core.records.errors import InputError

ANCHOR_SD = 1e-3
"""Logits: an anchor stays where it is."""
LEVEL_SD = 100.0
"""Logits, as good as flat: where the level of all texts, anchors among them, may lie."""
USUAL_SHARE = 0.75
"""Of the prior's deliberately wide standard deviation: what texts before a judge that is right on 80 % of random pairs have
(1.5 logits of 2). By the whole of it units come out too small, and few margins would tell too much."""
LIST_FLATNESS = 0.06
"""Judges' errors are nearer to normal than what Plackett and Luce assume, whose strengths then come out too flat, the more
so in longer lists: by (length / 2)^-0.06 where a text's error is that of one side of a pair (measured by simulation)."""


class Part(NamedTuple):
    """What one judge said in one way; where judges have no multipliers, winners and lists of all are one."""

    judge: int
    evidence: Evidence


@dataclass(frozen=True, eq=False)
class Case:
    """All arrays of one estimate."""

    items: tuple[str, ...]
    terms: Terms
    judges: tuple[str, ...]
    pairs: Columns
    lists: tuple[ListColumns, ...]
    scores: ScoreColumns
    """Those of judges whose scores differ; the others say nothing."""
    effects: Effects
    graded: Marks
    """Pairs that count by their margins."""
    silent_margins: frozenset[str]
    """Judges whose margins could not be given a unit."""
    silent_scores: frozenset[str]
    """Judges whose scores could not."""

    @property
    def size(self) -> int:
        """Number of texts."""
        return len(self.items)

    @cached_property
    def prior(self) -> Prior:
        """Of strengths and effects; about nothing under maximum likelihood."""
        return self._prior(self.terms.prior_sd or PRIOR_SD)

    @cached_property
    def likely(self) -> Prior:
        """As narrow as strengths usually are, which the units are measured by."""
        return self._prior(USUAL_SHARE * (self.terms.prior_sd or PRIOR_SD))

    def _prior(self, sd: float) -> Prior:
        variance, anchored = sd**2, self.anchored
        mean, precisions = np.zeros(self.size), np.full(self.size, 1 / variance)
        if not anchored.any():
            return Prior(mean, precisions).wider(self.effects.precisions)
        known = [(self.terms.anchors[item] - MEAN) / POINTS_PER_LOGIT for item in np.array(self.items)[anchored]]
        precisions[anchored] += ANCHOR_SD**-2
        common = np.full(self.size, LEVEL_SD / (variance * (variance + LEVEL_SD**2 * self.size)) ** 0.5)
        level = np.mean(known)
        pull = np.zeros(self.size)
        pull[anchored] = (np.array(known) - level) * ANCHOR_SD**-2
        mean = pull / precisions
        mean += common / precisions * (common @ mean) / (1 - common @ (common / precisions))  # Sherman and Morrison
        return Prior(level + mean, precisions, common).wider(self.effects.precisions)

    @cached_property
    def anchored(self) -> Marks:
        """Texts of known rating."""
        return np.array([item in self.terms.anchors for item in self.items], dtype=bool)

    @cached_property
    def leanings(self) -> Matrix | None:
        """Judges by free parameters: the logarithms of their multipliers, which add up to 0; None: no multipliers."""
        return np.asarray(helmert(len(self.judges)).T) if self.terms.discrimination and len(self.judges) > 1 else None

    @cached_property
    def winners(self) -> Tally:
        """Pairs that count by who won, per judge where judges have multipliers."""
        read = self.pairs.where(~self.graded)
        if self.leanings is None:
            read = read._replace(judge=np.zeros_like(read.judge))
        return count(self.size, read, read.result - 0.5, with_position=self.effects.position)

    @property
    def counts(self) -> Indices:
        """Per text: in how many verdicts it stood."""
        stood = [self.pairs.a, self.pairs.b, self.scores.text, *(lists.texts.ravel() for lists in self.lists)]
        return np.bincount(np.concatenate(stood), minlength=self.size)

    @property
    def edges(self) -> tuple[Indices, Indices]:
        """Texts that a verdict sets on one scale: of a pair, next to each other in a list, scored by one judge, anchors."""
        first, second = [self.pairs.a], [self.pairs.b]
        chains = [self.scores.text[self.scores.judge == judge] for judge in self.effects.origins]
        for chain in [*(lists.texts for lists in self.lists), *chains, np.flatnonzero(self.anchored)]:
            first.append(chain[..., :-1].ravel())
            second.append(chain[..., 1:].ravel())
        return np.concatenate(first), np.concatenate(second)

    def parts(self, multipliers: Vector) -> list[Part]:
        """The likelihood. Units of margins and scores are those of highest likelihood, given the judges' multipliers."""
        parts = [Part(judge, self.by_winners(self.winners.where(own), judge)) for judge, own in self._by(self.winners)]
        for lists in self.lists:
            for judge, own in self._by(lists):
                parts += [Part(judge, half) for half in self._by_places(lists.where(own), judge)]
        graded = self.pairs.where(self.graded)
        parts += [
            Part(judge, self._by_margins(graded.where(graded.judge == judge), multipliers[judge], judge))
            for judge in np.unique(graded.judge).tolist()
        ]
        return parts + [
            Part(judge, self._by_scores(self.scores.where(self.scores.judge == judge), multipliers[judge], judge))
            for judge in self.effects.origins
        ]

    def by_winners(self, tally: Tally, judge: int = 0) -> Winners:
        """The pairs of the tally by who won."""
        return Winners(self._design(tally, judge), tally.wins, tally.games)

    def _by(self, read: Tally | ListColumns) -> list[tuple[int, Marks]]:
        """The judges with their entries; all are one where none has a multiplier."""
        if self.leanings is None:
            return [(0, np.ones(len(read.judge), dtype=bool))]
        return [(judge, read.judge == judge) for judge in np.unique(read.judge).tolist()]

    def _by_places(self, lists: ListColumns, judge: int) -> tuple[Lists, ...]:
        """By halves from either end, in logits that mean what they mean in pairs; or as in the textbook."""
        features, leaning = self.effects.of_lists(lists), self._leaning(judge)
        if not self.terms.both_ends:
            return (Lists(self.size, lists.texts, features, lists.weight, leaning),)
        steepness = (lists.texts.shape[1] / 2) ** -LIST_FLATNESS
        half = Lists(self.size, lists.texts, features, lists.weight / 2, leaning, steepness)
        return half, half.reversed()

    def _by_margins(self, own: Columns, multiplier: float, judge: int) -> Graded:
        tally = count(self.size, own, own.margin, with_position=self.effects.position)
        design = self._design(tally, judge)
        values = Values(tally.games, tally.total, float(own.weight @ own.margin**2), len(own.a))
        rounding = float(own.weight @ own.rounding / own.weight.sum())
        worth, noise = rounded_unit(replace(design, leaning=None), values, self.likely, rounding, multiplier)
        return Graded(design, tally.total / tally.games / worth, tally.games / noise**2)

    def _by_scores(self, own: ScoreColumns, multiplier: float, judge: int) -> Graded:
        value = own.value - own.weight @ own.value / own.weight.sum()
        nobody = np.full(len(value), self.size)
        design = Design(self.size, own.text, nobody, self.effects.of_scores(own), self._leaning(judge))
        total = own.weight * value
        values = Values(own.weight, total, float(total @ value), len(value), means=1)
        worth = unit(replace(design, leaning=None), values, self.likely, SIDE_NOISE, multiplier)
        return Graded(design, value / worth, own.weight / SIDE_NOISE**2)

    def _leaning(self, judge: int) -> Vector | None:
        return None if self.leanings is None else self.leanings[judge]

    def _design(self, tally: Tally, judge: int) -> Design:
        features = self.effects.of_pairs(tally.first, tally.second, tally.position)
        return Design(self.size, tally.first, tally.second, features, self._leaning(judge))


def read_case(items: Sequence[str], verdicts: Verdicts, terms: Terms) -> Case:
    """The verdicts as arrays. InputError for one that cannot be used, and for terms that they cannot carry."""
    index = index_of(items)
    terms.check(index, verdicts)
    if (terms.anchors or terms.discrimination) and len(items) > DENSE_TEXTS:
        raise InputError(
            f"Anchors and judge discrimination take up to {DENSE_TEXTS:,} texts; for {len(items):,} leave them out."
        )
    judges = _judges(verdicts, terms)
    pairs = columns(index, verdicts.comparisons, judges)
    lists, scores = list_columns(index, verdicts.rankings, judges), score_columns(index, verdicts.scores, judges)
    graded = np.isfinite(pairs.margin) if terms.margins else np.zeros(len(pairs.a), dtype=bool)
    few, level = _without_unit(pairs, graded, len(judges)), _without_spread(scores, len(judges))
    scores = scores.where(~level[scores.judge])
    effects = Effects(
        position=terms.first_position and bool(pairs.position.any()),
        doublings=doublings(items, terms.lengths),
        list_position=terms.first_position and any(part.shown.any() for part in lists),
        origins=tuple(np.unique(scores.judge).tolist()),
    )
    silent = (frozenset(name for name, number in judges.items() if mute[number]) for mute in (few, level))
    return Case(
        tuple(items), terms, tuple(judges), pairs, lists, scores, effects, graded & ~few[pairs.judge], *silent
    )  # fmt: skip


def _judges(verdicts: Verdicts, terms: Terms) -> Mapping[str, int]:
    """By name; all are one where nothing is estimated for each."""
    if not (terms.margins or terms.discrimination or verdicts.scores):
        return {"": 0}
    names = {verdict.judge for kind in verdicts for verdict in kind}
    return judge_index(names or {""})


def _without_unit(pairs: Columns, graded: Marks, judges: int) -> Marks:
    """Judges that gave margins, but too few, or none other than 0: their winners count."""
    told = np.bincount(pairs.judge[graded], minlength=judges)
    differing = np.bincount(pairs.judge[graded & (pairs.margin != 0)], minlength=judges)
    return np.asarray((told > 0) & ((told < MARGINS_NEEDED) | (differing == 0)))


def _without_spread(scores: ScoreColumns, judges: int) -> Marks:
    """Judges that gave scores, but too few, or all the same: they say nothing."""
    given = [scores.value[scores.judge == judge] for judge in range(judges)]
    return np.array([len(own) > 0 and (len(own) < SCORES_NEEDED or np.ptp(own) == 0) for own in given], dtype=bool)
