"""What the estimate takes: the verdicts, and what its model is to hold."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from judge_core.ranking.comparison import Comparison, Ranked, Score
from judge_core.records.errors import InputError

PRIOR_SD = 2.0
"""Logits, about 350 points of Elo. Fixed: a prior estimated from the data collapses when near neighbours meet."""


class Verdicts(NamedTuple):
    """All that was judged, of whatever kind."""

    comparisons: Sequence[Comparison] = ()
    rankings: Sequence[Ranked] = ()
    scores: Sequence[Score] = ()


@dataclass(frozen=True)
class Terms:
    """What the model holds; the defaults are what is published."""

    prior_sd: float | None = PRIOR_SD
    """Of each strength, in logits; None: maximum likelihood, by the comparisons' winners only."""
    first_position: bool = True
    """What the first place is worth: of a pair, and from the first to the last of a list."""
    margins: bool = False
    """A comparison that has a margin counts by it and not by its winner."""
    lengths: Mapping[str, float] | None = None
    """Words by text: adds what a doubling of words is worth. It takes out all that goes with length, so also what longer
    texts truly have in quality."""
    discrimination: bool = False
    """One multiplier a judge, of all its differences, fitted jointly; their geometric mean is 1."""
    both_ends: bool = True
    """Lists are read by halves from their best and from their worst text, so that turning all of them round turns the
    ranking round. False: from the best alone, as Plackett and Luce have it, which lacks that symmetry."""
    anchors: Mapping[str, float] = field(default_factory=dict)
    """Known ratings on the Elo scale, which then is theirs: no mean of 1500."""

    def check(self, items: Collection[str], verdicts: Verdicts) -> None:
        """InputError for a term that these texts and verdicts cannot carry."""
        prior = self.prior_sd
        if prior is None:
            self._check_likelihood(verdicts)
        elif not 0 < prior < math.inf:
            raise InputError(f"The prior's standard deviation must be above 0 logits; found {prior!r}.", field="prior")
        for item, rating in self.anchors.items():
            if item not in items:
                raise InputError(f"The anchor {item!r} is not among the texts to rate.", field="anchors")
            if not math.isfinite(rating):
                raise InputError(
                    f"The anchor {item!r} needs a plain number as its rating; found {rating!r}.", field="anchors"
                )
        if self.lengths is not None:
            _check_lengths(items, self.lengths)

    def _check_likelihood(self, verdicts: Verdicts) -> None:
        unfit = {
            "ranked lists": bool(verdicts.rankings),
            "scores": bool(verdicts.scores),
            "margins": self.margins,
            "anchors": bool(self.anchors),
            "judge discrimination": self.discrimination,
        }
        named = " and ".join(name for name, given in unfit.items() if given)
        if named:
            raise InputError(
                f"Maximum likelihood rests on winners alone and cannot take {named}. Give a prior.", field="prior"
            )


def _check_lengths(items: Collection[str], lengths: Mapping[str, float]) -> None:
    for item in items:
        words = lengths.get(item)
        if words is None or not 0 < words < math.inf:
            raise InputError(f"The length term needs the words of {item!r}, above 0; found {words!r}.", field="lengths")
