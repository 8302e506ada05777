"""Weighing: from native scores per criterion to one total between 0 and 1, a winner and a result.

Each score is normalised by its own scale, so that the lowest mark of any scale counts as 0, and only a weight's share
of the sum counts. Nothing here knows who gave the scores.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite

from judge_core.records.criteria import Criterion
from judge_core.records.errors import InputError
from judge_core.records.spec import JudgeSpec
from judge_core.records.verdict import Judgment, PairScores, Winner

TIE_MARGIN = 1e-9
"""Totals that lie no farther apart are a tie."""
_RESULTS: dict[Winner, float] = {"A": 1.0, "B": 0.0, "tie": 0.5}


def normalised(score: float, criterion: Criterion) -> float:
    """A native score as a share of its scale, clamped to 0..1.

    >>> normalised(3, Criterion(name="Clarity", scale_min=1, scale_max=5))
    0.5
    >>> normalised(11, Criterion(name="Evidence"))
    1.0
    """
    low, high = criterion.scale_min, criterion.scale_max
    if not isfinite(score):
        raise InputError(f"The score of criterion {criterion.name!r} is {score}: give a number.", field=criterion.name)
    if not high > low:
        raise InputError(
            f"Criterion {criterion.name!r} has the scale {low:g} to {high:g}: its end must lie above its start.",
            field=criterion.name,
        )
    return (min(max(score, low), high) - low) / (high - low)


def weighted_total(scores: Mapping[str, float], criteria: Sequence[Criterion]) -> float:
    """Weighted mean of the normalised scores, 0..1. Scores of criteria that were not asked for are ignored.

    Raises InputError where a criterion has no score or the weights do not sum to more than 0.

    >>> rubric = [Criterion(name="Argument", weight=0.7), Criterion(name="Style", weight=0.3)]
    >>> round(weighted_total({"Argument": 6, "Style": 9}, rubric), 9)
    0.69
    """
    heaviest = max((criterion.weight for criterion in criteria), default=0.0)
    if not heaviest > 0 or any(criterion.weight < 0 for criterion in criteria):
        raise InputError("The weights must not be negative, and at least one must be above 0.", field="weight")
    total = shares = 0.0
    for criterion in criteria:
        if criterion.name not in scores:
            raise InputError(f"There is no score for criterion {criterion.name!r}.", field=criterion.name)
        share = criterion.weight / heaviest
        total += share * normalised(scores[criterion.name], criterion)
        shares += share
    return min(1.0, total / shares)


def pair_totals(scores: Mapping[str, PairScores], criteria: Sequence[Criterion]) -> PairScores:
    """The weighted totals of both texts, each 0..1; errors as in `weighted_total`."""
    return PairScores(
        a=weighted_total({name: pair.a for name, pair in scores.items()}, criteria),
        b=weighted_total({name: pair.b for name, pair in scores.items()}, criteria),
    )


def winner_of(totals: PairScores) -> Winner:
    """The side with the higher total; a tie within `TIE_MARGIN`.

    >>> winner_of(PairScores(a=0.3, b=0.1 + 0.2))
    'tie'
    """
    if abs(totals.a - totals.b) <= TIE_MARGIN:
        return "tie"
    return "A" if totals.a > totals.b else "B"


def result_of(winner: Winner) -> float:
    """The result for side A: 1 won, 0.5 tied, 0 lost.

    >>> [result_of(winner) for winner in ("A", "tie", "B")]
    [1.0, 0.5, 0.0]
    """
    return _RESULTS[winner]


def panel_result(judgments: Sequence[Judgment], judges: Sequence[JudgeSpec]) -> float | None:
    """Weighted mean result for a over the judgments that carry one, by their judges' weights; None where none does."""
    decided = [(judges[j.judge].weight, j.result) for j in judgments if j.result is not None]
    total = sum(weight for weight, _ in decided)
    return sum(weight * result for weight, result in decided) / total if decided else None
