"""What a run may be told to settle before it stops by itself: the whole order, who is in the top, or cut lines.

A goal is reached once the expected share of what is settled rightly is as high as asked. Expected means: by the
posterior, which takes the judges at their word; where they err together it is no wiser than they are.
"""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr

from judge_core.ranking.bradley_terry import Posterior
from judge_core.ranking.bradley_terry.posterior import MEAN, POINTS_PER_LOGIT, SEED
from judge_core.records.errors import InputError
from judge_core.records.numbers import typed_number, typed_whole
from judge_core.records.spec import Goal

Matrix = npt.NDArray[np.float64]
Bands = npt.NDArray[np.intp]
DEFAULT_PROBABILITY = {"order": 0.85, "top": 0.9, "cut": 0.9}
FORMS = "order@0.85, top:5@0.9, cut:5,12@0.9 (lines after these ranks) or cut:1450r,1600r@0.9 (lines at these ratings)"
FORECASTS, FORECAST_DRAWS = 8, 256
"""Of how many possible outcomes a forecast is the mean, and from how many draws each is read."""
FORECAST_PAIRS = 20_000
"""Of the whole order; where there are more, so many by lot, which moves a certainty by about 0.002."""
SMALLEST_STEP, LARGEST = 1 / 16, 50
"""Of the comparisons so far: what a forecast tries first, and where it gives up."""
HALVINGS = 5


def certainty(goal: Goal, posterior: Posterior) -> float:
    """The expected share of what the goal asks for that is settled rightly, 0 to 1; 1 where there is nothing to settle.

    Order: pairs that stand in the right order. Top K: of the K rated best, those that belong there. Cut: texts that
    lie on the right side of every line. The posterior needs a prior, so that every text is on one scale.
    """
    if len(posterior.items) < 2:
        return 1.0
    if goal.kind == "order":
        return (1 + posterior.expected_tau()) / 2
    return _share(goal, _centred(posterior), posterior.draws())


def reached(goal: Goal, posterior: Posterior) -> bool:
    """Whether the goal's probability is met."""
    return certainty(goal, posterior) >= goal.probability


def further(goal: Goal, posterior: Posterior, comparisons: int) -> int | None:
    """How many more comparisons like the `comparisons` so far would probably reach the goal; None: out of reach.

    After m of m + x comparisons the variances will have shrunk to the share f = m / (m + x), and the ratings will have
    moved by what is lost of them. The certainty expected then is the mean over seeded draws of such outcomes. The
    count is good to about one part in thirty; it knows neither how many new pairs are left nor that a judge repeats itself.
    """
    if reached(goal, posterior):
        return 0
    if comparisons <= 0:
        return None
    forecast = _Forecast(goal, posterior)
    low, high = 0.0, SMALLEST_STEP
    while forecast.certainty(1 / (1 + high)) < goal.probability:
        low, high = high, 2 * high
        if low >= LARGEST:
            return None
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if forecast.certainty(1 / (1 + middle)) >= goal.probability else (middle, high)
    return math.ceil(high * comparisons) if high <= LARGEST else None


class _Forecast:
    """What certainty to expect once the variances have shrunk."""

    def __init__(self, goal: Goal, posterior: Posterior):
        self.goal, self.centre = goal, _centred(posterior)
        draws = posterior.draws()[: FORECASTS + FORECAST_DRAWS] - self.centre
        self.moves, self.doubts = draws[:FORECASTS], draws[FORECASTS:]
        self.reach = np.abs(self.doubts).max(axis=0)
        if goal.kind == "order":
            self.upper = _some_pairs(len(self.centre))
            variance = posterior.variances[self.upper[0]] + posterior.variances[self.upper[1]]
            if posterior.covariance is not None:
                variance = variance - 2 * posterior.covariance[self.upper]
            self.sd = np.sqrt(np.maximum(variance, 1e-300))

    def certainty(self, left: float) -> float:
        """With the variances shrunk to the share `left`."""
        centres = self.centre + math.sqrt(1 - left) * self.moves
        return float(np.mean([self._at(centre, math.sqrt(left)) for centre in centres]))

    def _at(self, centre: Matrix, scale: float) -> float:
        if self.goal.ranks:
            return self._by_ranks(centre, scale)
        if self.goal.kind != "order":
            return _share(self.goal, centre, centre + scale * self.doubts)
        gap = centre[self.upper[0]] - centre[self.upper[1]]
        return float(ndtr(np.abs(gap) / (scale * self.sd)).mean())

    def _by_ranks(self, centre: Matrix, scale: float) -> float:
        """The same as `_share`, but only texts that any draw brings across a line are looked at."""
        order, wrong = np.argsort(-centre, kind="stable"), np.zeros(self.doubts.shape, dtype=np.bool_)
        for rank in self.goal.ranks:
            near, above = _near(centre, scale * self.reach, rank)
            if not 0 < rank - above < len(near):
                continue
            drawn = (centre[near] + scale * self.doubts[:, near]).astype(np.float32)  # which sort many times faster
            line = np.sort(drawn, axis=1)[:, len(near) - (rank - above), None]
            published = np.isin(near, order[:rank])
            wrong[:, near] |= (drawn >= line) != published
        if self.goal.kind == "top":
            wrong = wrong[:, order[: self.goal.ranks[0]]]
        return 1 - float(wrong.mean())


def _near(centre: Matrix, reach: Matrix, rank: int) -> tuple[Bands, int]:
    """Texts that may lie on either side of the line after a rank, and how many lie surely above it."""
    low, high = centre - reach, centre + reach
    others_above = len(centre) - np.searchsorted(np.sort(high), low, side="left")  # itself among them
    surely_others_above = len(centre) - np.searchsorted(np.sort(low), high, side="right")
    above, below = others_above <= rank, surely_others_above >= rank
    return np.flatnonzero(~above & ~below), int(above.sum())


def _some_pairs(n: int) -> tuple[Bands, Bands]:
    """Every two of n texts, or as many as a forecast looks at: drawn with a fixed seed."""
    if n * (n - 1) // 2 <= FORECAST_PAIRS:
        return np.triu_indices(n, 1)
    rng = np.random.default_rng(SEED)
    first = rng.integers(n, size=FORECAST_PAIRS)
    return first, (first + rng.integers(1, n, size=FORECAST_PAIRS)) % n


def parse_goal(text: str) -> Goal:
    """Reads a goal as people type it. InputError names the forms.

    >>> parse_goal("top:5@0.95")
    Goal(kind='top', ranks=(5,), ratings=(), probability=0.95)
    >>> parse_goal("cut:12,5").ranks
    (5, 12)
    """
    what, at, probability = text.strip().lower().partition("@")
    kind, colon, lines = (part.strip() for part in what.partition(":"))
    if kind not in DEFAULT_PROBABILITY or (kind == "order") == bool(colon):
        raise _unreadable(text)
    ranks, ratings = _lines(lines, text) if colon else ((), ())
    if kind == "top" and len(ranks) != 1 or kind == "top" and ratings:
        raise _unreadable(text)
    share = _probability(probability, text) if at else DEFAULT_PROBABILITY[kind]
    return Goal.model_validate({"kind": kind, "ranks": ranks, "ratings": ratings, "probability": share})


def check_goal(goal: Goal, n: int) -> None:
    """InputError where the goal says nothing about n texts."""
    lines = len(goal.ranks) + len(goal.ratings)
    if goal.kind != "order" and not lines or goal.kind == "top" and lines != 1 or goal.ranks and goal.ratings:
        raise InputError(f"This goal cannot be measured. Goals are {FORMS}.", field="goal")
    for drawn in (goal.ranks, goal.ratings):
        if any(not lower < upper for lower, upper in pairwise(drawn)):
            raise InputError(f"The lines of a goal must rise; found {', '.join(map(str, drawn))}.", field="goal")
    for rank in goal.ranks:
        if not 1 <= rank < n:
            most = f"from 1 to {n - 1}" if n > 1 else "none, since there are not two"
            raise InputError(f"Rank {rank} draws no line among {n} texts: possible are {most}.", field="goal")


def goal_words(goal: Goal) -> str:
    """The goal in plain English.

    >>> goal_words(Goal(kind="cut", ranks=(5, 12), probability=0.9))
    'the lines after ranks 5 and 12, with 90% of the texts expected on their right side'
    """
    share = f"{100 * goal.probability:.4g}%"
    if goal.kind == "order":
        return f"the whole order, with {share} of the pairs expected to stand rightly"
    if goal.kind == "top":
        return f"the top {goal.ranks[0]}, with {share} of those in it expected to belong there"
    values = [str(rank) for rank in goal.ranks] or [f"{rating:g}" for rating in goal.ratings]
    many = "s" if len(values) > 1 else ""
    place = f"after rank{many}" if goal.ranks else f"at rating{many}"
    named = " and ".join([", ".join(values[:-1])] * bool(many) + values[-1:])
    return f"the line{many} {place} {named}, with {share} of the texts expected on their right side"


def _centred(posterior: Posterior) -> Matrix:
    """Strengths on the scale of the draws."""
    return np.asarray(posterior.strengths - (0.0 if posterior.anchored else posterior.strengths.mean()))


def _share(goal: Goal, published: Matrix, draws: Matrix) -> float:
    """Of what is published, the mean share that is so in the draws too."""
    found, true = _bands(goal, published[None])[0], _drawn_bands(goal, draws)
    if goal.kind == "top":
        return float((true[:, found == 0] == 0).mean())
    return float((true == found).mean())


def _bands(goal: Goal, strengths: Matrix) -> Bands:
    """For each text of each row the number of lines that it lies below; of equals the earlier text stands above."""
    if not goal.ranks:
        lines = (np.array(goal.ratings) - MEAN) / POINTS_PER_LOGIT
        return np.asarray((strengths[..., None] <= lines).sum(axis=-1))
    order = np.argsort(-strengths, axis=1, kind="stable")
    bands = np.empty(strengths.shape, dtype=np.intp)
    np.put_along_axis(
        bands, order, np.searchsorted(goal.ranks, np.arange(strengths.shape[1]), side="right")[None], axis=1
    )
    return bands


def _drawn_bands(goal: Goal, draws: Matrix) -> Bands:
    """The same of draws, of which no two are equal: the lines are found without sorting the texts."""
    if not goal.ranks:
        return _bands(goal, draws)
    last_above = [draws.shape[1] - rank for rank in goal.ranks]
    lines = np.partition(draws, last_above, axis=1)[:, last_above]
    bands = np.zeros(draws.shape, dtype=np.intp)
    for line in lines.T:
        bands += draws < line[:, None]
    return bands


def _lines(text: str, goal: str) -> tuple[tuple[int, ...], tuple[float, ...]]:
    """Ranks, or ratings marked with an r, in rising order."""
    parts = [part.strip() for part in text.split(",")]
    rated = [part.endswith("r") for part in parts]
    read = [typed_number(part[:-1]) if with_r else typed_whole(part) for part, with_r in zip(parts, rated, strict=True)]
    values = [value for value in read if value is not None]
    fit = all(rated) or not any(rated) and min(values, default=0) >= 1
    if not fit or len(set(values)) < len(read):
        raise _unreadable(goal)
    rising = tuple(sorted(values))
    return ((), rising) if all(rated) else (tuple(map(int, rising)), ())


def _probability(text: str, goal: str) -> float:
    share = typed_number(text)
    if share is None:
        raise _unreadable(goal)
    if not 0.5 < share < 1:
        raise InputError(f"A goal's probability lies above 0.5 and below 1; {goal!r} has {text}.", field="goal")
    return share


def _unreadable(text: str) -> InputError:
    return InputError(f"{text!r} is no goal that can be read. Goals are {FORMS}.", field="goal")
