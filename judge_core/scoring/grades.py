"""Grades: what of each judgment a rating rests on, beyond who won, and how many judgments really had it.

A judgment without the finer verdict counts by its winner, and is counted as such: nothing is guessed.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import NormalDist
from typing import NamedTuple

from judge_core.records.record import Record
from judge_core.records.spec import Evidence
from judge_core.records.verdict import Judgment
from judge_core.scoring.weighing import TIE_MARGIN

MOST_LOGITS = 4.0
"""Probabilities count up to this: beyond 98 in 100 a judge's tokens tell how sure it sounds, and nothing more."""
WORDS: dict[Evidence, str] = {
    "winner": "who won", "margins": "the judges' own score margins", "levels": "the judges' five levels",
    "probabilities": "the judges' own probabilities of their winners",
}  # fmt: skip
_NORMAL = NormalDist()


class Grade(NamedTuple):
    """One judgment as a rating takes it."""

    result: float | None
    """For the match's text a, 0 to 1; None where nothing was decided."""
    margin: float | None = None
    """How far a is ahead, in a unit of the judge's own; None where its winner alone counts."""
    rounding: float = 0.0
    """Variance of what the margin is a rounding of about it, in that unit squared: above 0 for levels."""


class Level(NamedTuple):
    """What a level is worth: the band of a standard normal variable that it stands for."""

    mean: float
    variance: float
    """Within the band."""


class Declared(Record):
    """On what of the judgments a rating rests."""

    evidence: Evidence
    judgments: int
    """Those that carry a result."""
    by_winner: int
    """Of these, so many had nothing finer and count by their winner."""

    @property
    def words(self) -> str:
        """The same in a few words, after 'Rated'.

        >>> Declared(evidence="margins", judgments=420, by_winner=8).words
        "by the judges' own score margins (412 of 420 judgments; 8 by winner)"
        >>> Declared(evidence="winner", judgments=3, by_winner=3).words
        'by who won (3 of 3 judgments)'
        """
        finer = self.judgments - (0 if self.evidence == "winner" else self.by_winner)
        rest = f"; {self.by_winner} by winner" if finer < self.judgments else ""
        return f"by {WORDS[self.evidence]} ({finer} of {self.judgments} judgments{rest})"


class Graded(NamedTuple):
    grades: tuple[Grade, ...]
    """One for each judgment, in their order."""
    declared: Declared


def graded(judgments: Sequence[Judgment], evidence: Evidence) -> Graded:
    """The grades of all judgments of a run, which must be taken together: what a level is worth depends on how often it is given.

    - margins: the difference of the judge's own totals, where it scored by criterion and they give the winner that counts;
    - levels: the level, of that winner too; its margin is the mean of a standard normal variable within the level's band, the bands as wide as
      the judge uses them (in simulations, wherever a judge draws its lines, as good as the best fixed spacing or better);
    - probabilities: the probability of what the judge named, whatever its scores give; its margin is the logit, at most
      `MOST_LOGITS` either way.
    """
    worth = _level_margins(judgments) if evidence == "levels" else {}
    grades = tuple(_grade(judgment, evidence, worth) for judgment in judgments)
    decided = [grade for grade in grades if grade.result is not None]
    winners = sum(grade.margin is None for grade in decided)
    return Graded(grades, Declared(evidence=evidence, judgments=len(decided), by_winner=winners))


def _grade(judgment: Judgment, evidence: Evidence, worth: Mapping[int, Mapping[float, Level]]) -> Grade:
    if judgment.result is None or not judgment.orders:
        return Grade(judgment.result)
    if evidence == "margins" and judgment.scores and judgment.totals is not None:
        lead = judgment.totals.a - judgment.totals.b
        return Grade(judgment.result, lead if _fits(lead, judgment) else None)
    if evidence == "levels" and (levels := _levels(judgment)):
        given = [worth[judgment.judge][level] for level in levels]
        mean, variance = (sum(values) / len(given) for values in zip(*given, strict=True))
        return Grade(judgment.level, mean, variance / len(given))
    if evidence == "probabilities" and judgment.probability is not None:
        return Grade(judgment.probability, _logit(judgment.probability))
    return Grade(judgment.result)


def _levels(judgment: Judgment) -> list[float]:
    """The levels of its orders; [] where it has none, or not of the winner that counts."""
    if judgment.level is None or not _fits(judgment.level - 0.5, judgment):
        return []
    return [order.level for order in judgment.orders if order.level is not None]


def _fits(lead: float, judgment: Judgment) -> bool:
    """Whether a is ahead, level or behind as its result says. It may not be so once other weights, or the judge's stated
    choice, decide. A flip counts as a tie by rule, so there any lead fits."""
    if judgment.outcome == "flipped" or judgment.result is None:
        return judgment.result is not None
    ahead = 0 if abs(lead) <= TIE_MARGIN else math.copysign(1, lead)
    return ahead == 2 * judgment.result - 1


def _level_margins(judgments: Iterable[Judgment]) -> dict[int, dict[float, Level]]:
    """What each level is worth, by judge.

    Which text is called a is chance, so both sides are taken together: a tie, better and much better are bands of the
    size of a normal variable, from 0 upwards.
    """
    sizes: dict[int, Counter[float]] = defaultdict(Counter)
    for judgment in judgments:
        sizes[judgment.judge].update(abs(level - 0.5) for level in _levels(judgment))
    return {judge: _signed([count[size] for size in (0.0, 0.25, 0.5)]) for judge, count in sizes.items()}


def _signed(counts: Sequence[int]) -> dict[float, Level]:
    tie, better, much_better = bands(counts)
    signed = {size: level._replace(mean=-level.mean) for size, level in ((0.0, much_better), (0.25, better))}
    return {**signed, 0.5: tie, 0.75: better, 1.0: much_better}


def bands(counts: Sequence[int]) -> list[Level]:
    """Mean and variance of a standard normal variable in bands of its size that hold these shares, from 0 upwards.

    The first is the band about 0, of either sign, and has the mean 0; of the others it is the upper side. The variances
    are what such grades leave open.

    >>> [(round(band.mean, 2), round(band.variance, 2)) for band in bands([10, 50, 40])]
    [(0.0, 0.01), (0.46, 0.04), (1.4, 0.22)]
    """
    means = [0.0, *band_means(counts)[1:]]
    squares = [1 - slope for slope in _band_slopes(counts)]
    return [Level(mean, max(square - mean**2, 0.0)) for mean, square in zip(means, squares, strict=True)]


def _band_slopes(counts: Sequence[int]) -> Iterator[float]:
    """By how much the mean square in each band lies below 1 (integration by parts)."""
    whole, below = sum(counts), 0
    for count in counts:
        low, high = (_edge(at, whole) * _height(at, whole) for at in (below, below + count))
        yield 2 * (high - low) * whole / count if count else 1.0
        below += count


def _edge(below: int, whole: int) -> float:
    return _NORMAL.inv_cdf((1 + below / whole) / 2) if below < whole else 0.0


def band_means(counts: Sequence[int]) -> list[float]:
    """The mean size of a standard normal variable within bands of its size that hold these shares, from 0 upwards.

    >>> [round(mean, 3) for mean in band_means([10, 50, 40])]
    [0.063, 0.463, 1.4]
    """
    whole, means, below = sum(counts), [], 0
    for count in counts:
        low, high = _height(below, whole), _height(below + count, whole)
        means.append(2 * (low - high) * whole / count if count else 0.0)
        below += count
    return means


def _height(below: int, whole: int) -> float:
    """The normal density where that share of all lies nearer to 0, on either side."""
    return _NORMAL.pdf(_NORMAL.inv_cdf((1 + below / whole) / 2)) if below < whole else 0.0


def _logit(probability: float) -> float:
    least = 1 / (1 + math.exp(MOST_LOGITS))
    kept = min(max(probability, least), 1 - least)
    return math.log(kept / (1 - kept))
