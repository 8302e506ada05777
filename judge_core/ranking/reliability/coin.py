"""What reliability a judge that flips coins would show on the very schedule of a run.

Pairing that follows the results makes chance look like order: winners of coin flips meet winners of coin flips. So the
schedule is played again many times with random verdicts, and the run's own figure is read beside what comes of that.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from judge_core.ranking.bradley_terry import Verdicts
from judge_core.ranking.comparison import Comparison, Ranked, Score
from judge_core.ranking.reliability.bundles import Rate, rated
from judge_core.ranking.reliability.separation import separation_after

REPLAYS = 60
BETWEEN = 30
"""Replays that are rated after the earlier rounds too: the last round's figure is the one that counts."""
SEED = 20_261_130
HIGH = 95
"""Percentile."""
Play = Callable[[np.random.Generator], Sequence[Verdicts]]
"""Plays a schedule once with random verdicts; one bundle a round."""


class Round(NamedTuple):
    """A round as it was judged: what was said at each asking, one verdict a judge; nothing where nobody gave one."""

    matches: Sequence[Sequence[Comparison]] = ()
    lists: Sequence[Sequence[Ranked]] = ()
    singles: Sequence[Sequence[Score]] = ()

    def verdicts(self) -> Verdicts:
        """All verdicts of the round."""
        return Verdicts(
            [one for match in self.matches for one in match],
            [one for ranking in self.lists for one in ranking],
            [one for single in self.singles for one in single],
        )


class Coin(NamedTuple):
    """What coins showed."""

    mean: float
    """Over the replays; 0 where it lies below 0."""
    high: float
    """95th percentile, likewise: a judge with an opinion of its own should lie above it."""
    replays: int
    """Those in which the reliability was defined."""


def coin_baseline(
    play: Play, items: Sequence[str], *, replays: int = REPLAYS, seed: int = SEED, rate: Rate = rated
) -> Coin | None:
    """The separation reliability of replays of a whole schedule; None where it is defined in none of them."""
    courses = _plays(play, replays, seed)
    return _coin([separation_after(items, played, len(played), rate) for played in courses])


def coin_by_round(
    play: Play,
    items: Sequence[str],
    *,
    replays: int = REPLAYS,
    between: int = BETWEEN,
    seed: int = SEED,
    rate: Rate = rated,
) -> list[Coin | None]:
    """The same after each round: the last equals `coin_baseline`, the earlier ones rest on `between` of the replays."""
    courses = _plays(play, replays, seed)
    rounds = len(courses[0]) if courses else 0
    return [
        _coin(
            [
                separation_after(items, played, last, rate)
                for played in courses[: replays if last == rounds else between]
            ]
        )
        for last in range(1, rounds + 1)
    ]


def same_questions(rounds: Sequence[Round]) -> Play:
    """For a schedule that does not look at results: the same questions in the same order, answered at random.

    >>> [played] = same_questions([Round([[Comparison("x", "y", 1.0, position=1)]])])(np.random.default_rng(1))
    >>> [(one.a, one.b, one.position, one.result in (0.0, 1.0)) for one in played.comparisons]
    [('x', 'y', 1, True)]
    """
    flips = Flips(rounds)
    return lambda rng: [flips.again(played, rng) for played in rounds]


class Flips:
    """Random verdicts in the manner of a run: each judge's own results dealt out anew, so that ties are as frequent as they were."""

    def __init__(self, rounds: Sequence[Round]) -> None:
        whole = [played.verdicts() for played in rounds]
        self.pools: dict[str, list[Comparison]] = {}
        for comparison in (one for said in whole for one in said.comparisons):
            self.pools.setdefault(comparison.judge, []).append(comparison)
        self.values: dict[str, list[float]] = {}
        for score in (one for said in whole for one in said.scores):
            self.values.setdefault(score.judge, []).append(score.value)

    def again(self, played: Round, rng: np.random.Generator) -> Verdicts:
        """The same questions with other answers."""
        said = played.verdicts()
        return Verdicts(
            [self.pair((one.a, one.b), one, rng) for one in said.comparisons],
            [self.ranking(one.texts, one, rng) for one in said.rankings],
            [self.score(one.text, one, rng) for one in said.scores],
        )

    def pair(self, pair: tuple[str, str], like: Comparison, rng: np.random.Generator) -> Comparison:
        """Any result of the same judge, turned over or not; weight and position are those of `like`.

        Each judge has a unit of its own, so margins of others are none of its.
        """
        own = self.pools[like.judge]
        drawn, turned = own[int(rng.integers(len(own)))], bool(rng.integers(2))
        margin = -drawn.margin if turned and drawn.margin is not None else drawn.margin
        result = 1.0 - drawn.result if turned else drawn.result
        return like._replace(a=pair[0], b=pair[1], result=result, margin=margin, rounding=drawn.rounding)

    def ranking(self, texts: Sequence[str], like: Ranked, rng: np.random.Generator) -> Ranked:
        """The texts in random order; they were shown as they stand, or, where they are those of `like`, as there."""
        shown = like.shown if set(like.shown) == set(texts) else tuple(texts) if like.shown else ()
        return like._replace(texts=tuple(texts[place] for place in rng.permutation(len(texts))), shown=shown)

    def score(self, text: str, like: Score, rng: np.random.Generator) -> Score:
        """Any of the judge's scores."""
        own = self.values[like.judge]
        return like._replace(text=text, value=own[int(rng.integers(len(own)))])


def _plays(play: Play, replays: int, seed: int) -> list[Sequence[Verdicts]]:
    rng = np.random.default_rng(seed)
    return [play(rng) for _ in range(replays)]


def _coin(values: Sequence[float | None]) -> Coin | None:
    known = [value for value in values if value is not None]
    if not known:
        return None
    return Coin(max(0.0, float(np.mean(known))), max(0.0, float(np.percentile(known, HIGH))), len(known))
