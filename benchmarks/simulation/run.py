"""A run without prompts and replies: a schedule of the product's says what is judged, a simulated judge judges it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, Protocol

import numpy as np

from judge_core.ranking import elo
from judge_core.ranking.bradley_terry import Posterior, Terms, Verdicts, estimate
from judge_core.ranking.comparison import Comparison, Ranked, Score
from judge_core.ranking.schedules.schedule import Progress, Result, Wave, schedule_of
from judge_core.records.criteria import Rubric
from judge_core.records.record import text_hash
from judge_core.records.spec import JudgeSpec, Spec, TextRef
from judge_core.scoring.grades import bands

from .judge import level, winner

Orders = Literal["once", "both", "check"]
UNLIMITED = 1000
"""Rounds: the schedules end by themselves, or the caller stops asking."""
SAMPLE = 10
"""With a check of the order, one pair in so many is asked in both."""


def spec_of(aliases: Iterable[str], seed: int, **fields: object) -> Spec:
    """A spec of so many texts, of which only the aliases matter."""
    texts = [
        TextRef(alias=alias, id=alias, title="", sha256=text_hash(alias), words=100, characters=600)
        for alias in aliases
    ]
    judge = JudgeSpec(name="simulated", provider="offline", model="simulated")
    given = {"rounds": UNLIMITED, **fields}
    return Spec(
        rubric=Rubric(question="?"), judges=(judge,), texts=tuple(texts), prompt_version="1", seed=seed, **given
    )


class Judges(Protocol):
    """Whoever decides: a simulated judge, or people's recorded votes."""

    truth: Mapping[str, float]

    def margin(self, first: str, second: str) -> float: ...
    def ranking(self, shown: Sequence[str]) -> tuple[str, ...]: ...
    def score(self, text: str) -> float: ...


class State(NamedTuple):
    """The order after a wave, beside the true one."""

    calls: float
    """A text."""
    tau: float
    """Kendall's tau (a) of the published ratings with the truth: a tie counts 0."""
    top: float
    """Share of the true best texts among as many best-rated ones."""


@dataclass
class Run:
    """Verdicts so far, and what the schedule needs to know of them."""

    spec: Spec
    judge: Judges
    rng: np.random.Generator
    orders: Orders = "once"
    strong: float = np.inf
    """Logits of the estimated first-position effect from which a run that checks asks every pair in both orders."""
    calls: int = 0
    comparisons: list[Comparison] = field(default_factory=list)
    rankings: list[Ranked] = field(default_factory=list)
    scores: list[Score] = field(default_factory=list)
    results: list[Result] = field(default_factory=list)
    ratings: dict[str, float] = field(default_factory=dict)
    met: Counter[frozenset[str]] = field(default_factory=Counter)
    byes: Counter[str] = field(default_factory=Counter)
    waves: int = 0
    _known: tuple[int, Posterior] | None = None

    def __post_init__(self) -> None:
        self.schedule = schedule_of(self.spec)
        self.items = tuple(text.alias for text in self.spec.texts)
        self.ratings = dict.fromkeys(self.items, elo.START)

    def play(self, calls: float) -> Iterator[Wave]:
        """Wave after wave until the schedule ends or so many calls a text were made."""
        while self.calls < calls * len(self.items):
            wave = self.schedule.next(self._progress())
            if wave is None:
                return
            self._take(wave)
            yield wave

    def posterior(self) -> Posterior:
        """Of all verdicts so far, as the product publishes it."""
        if self._known is None or self._known[0] != self.calls:
            pairs = _with_level_margins(self.comparisons) if self.spec.evidence == "levels" else self.comparisons
            verdicts = Verdicts(tuple(pairs), tuple(self.rankings), tuple(self.scores))
            self._known = self.calls, estimate(self.items, verdicts, Terms(margins=self.spec.evidence != "winner"))
        return self._known[1]

    def state(self, k: int) -> State:
        """How near the truth the published order is now; `k` texts are the top."""
        true = np.array([self.judge.truth[text] for text in self.items])
        found = self.posterior().strengths
        return State(self.calls / len(self.items), tau(found, true), top_precision(found, true, k))

    def _progress(self) -> Progress:
        return Progress(
            texts=self.items,
            late=frozenset(),
            round=self.waves,
            elo=self.ratings,
            met=self.met,
            grouped=[ranked.shown for ranked in self.rankings],
            byes=self.byes,
            results=self.results,
            scored=frozenset(score.text for score in self.scores),
            posterior=self.posterior,
            seed=self.spec.seed,
        )

    def _take(self, wave: Wave) -> None:
        self.waves += 1
        self.byes.update(wave.byes)
        for text in wave.singles:
            self.scores.append(Score(text, self.judge.score(text)))
        for group in wave.groups:
            self.rankings.append(Ranked(self.judge.ranking(group), shown=tuple(group)))
        self.calls += len(wave.singles) + len(wave.groups)
        both = self._both_orders()
        for place, (a, b) in enumerate(wave.pairs):
            self._meet(a, b, both or (self.orders == "check" and (self.calls + place) % SAMPLE == 0))

    def _both_orders(self) -> bool:
        if self.orders == "check" and self.comparisons:
            effect = self.posterior().position_effect
            return effect is not None and abs(effect.logits) - 2 * effect.sd > self.strong
        return self.orders == "both"

    def _meet(self, a: str, b: str, both: bool) -> None:
        first, second = (a, b) if self.rng.random() < 0.5 else (b, a)
        comparison = self._compared(first, second, both)
        self.calls += 1 + both
        self.comparisons.append(comparison)
        self.met[frozenset((a, b))] += 1
        self.results.append(Result(self.waves, a, b, comparison.result if a == first else 1 - comparison.result))
        after = elo.update(self.ratings[first], self.ratings[second], comparison.result)
        self.ratings |= dict(zip((first, second), after, strict=True))

    def _compared(self, first: str, second: str, both: bool) -> Comparison:
        """One order as it stands; of both the mean, and a tie where they contradict each other."""
        margin = self.judge.margin(first, second)
        if not both:
            return Comparison(first, second, winner(margin), position=1, margin=self._graded(margin))
        turned = -self.judge.margin(second, first)
        mean = (margin + turned) / 2
        said = {winner(margin), winner(turned)}
        result = 0.5 if said in ({0.0, 1.0}, {0.5}) else float(sum(said) > 0.9)
        return Comparison(first, second, result, margin=self._graded(mean))

    def _graded(self, margin: float) -> float | None:
        graded = {"margins": margin, "levels": float(level(margin))}
        return graded.get(self.spec.evidence)


def _with_level_margins(comparisons: Sequence[Comparison]) -> list[Comparison]:
    """Each level's number as the margin that the product takes it for."""
    sizes = Counter(abs(comparison.margin or 0.0) for comparison in comparisons)
    worth = dict(zip(range(3), bands([sizes[size] for size in range(3)]), strict=True))
    levels = [worth[round(abs(comparison.margin or 0.0))] for comparison in comparisons]
    return [
        comparison._replace(margin=math.copysign(level.mean, comparison.margin or 0.0), rounding=level.variance)
        for comparison, level in zip(comparisons, levels, strict=True)
    ]


def tau(found: np.ndarray, true: np.ndarray) -> float:
    """Kendall's tau (a) of two lists of values.

    >>> float(tau(np.array([1.0, 2.0, 2.0]), np.array([1.0, 2.0, 3.0])))
    0.6666666666666666
    """
    upper = np.triu_indices(len(true), 1)
    agreement = np.sign(np.subtract.outer(found, found)) * np.sign(np.subtract.outer(true, true))
    return float(agreement[upper].mean())


def top_precision(found: np.ndarray, true: np.ndarray, k: int) -> float:
    """Share of the true best k among the k rated best."""
    best, rated = (set(np.argsort(-values, kind="stable")[:k].tolist()) for values in (true, found))
    return len(best & rated) / k
