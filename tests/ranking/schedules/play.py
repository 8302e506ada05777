"""A run played out: a judge that errs decides whatever a schedule asks, as the run would hand it on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from judge_core.ranking import elo
from judge_core.ranking.bradley_terry import Comparison, Posterior, Ranked, Score, Verdicts, estimate
from judge_core.ranking.schedules.schedule import schedule_of
from judge_core.ranking.schedules.wave import Progress, Result, Schedule, Wave
from judge_core.records.spec import Spec, TextRef

LONGEST = 2000
"""Waves after which a run is taken to be without end."""


def names(n: int) -> tuple[str, ...]:
    return tuple(f"t{number:03}" for number in range(n))


def spec(texts: int | Iterable[str], **fields: object) -> Spec:
    """A spec of these texts; what does not concern a schedule is left out."""
    known = names(texts) if isinstance(texts, int) else tuple(texts)
    refs = tuple(TextRef(alias=name, id=name, title=name, sha256=name, words=1, characters=1) for name in known)
    return Spec.model_construct(**{"texts": refs, "seed": 0, **fields})


@dataclass
class Play:
    """A run so far. By default the earlier text is better by half a logit a place, and the judge errs a little."""

    texts: Sequence[str]
    seed: int = 0
    noise: float = 1.0
    silent: float = 0.0
    """The share of matches without a verdict."""
    late: set[str] = field(default_factory=set)
    gone: set[str] = field(default_factory=set)
    waves: list[Wave] = field(default_factory=list)
    results: list[Result] = field(default_factory=list)
    rankings: list[Ranked] = field(default_factory=list)
    byes: Counter[str] = field(default_factory=Counter)
    scores: dict[str, float] = field(default_factory=dict)
    elo: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.texts = list(self.texts)
        self.strength = {text: -number / 2 for number, text in enumerate(self.texts)}
        self.elo = dict.fromkeys(self.texts, elo.START) | self.elo

    def join(self, *texts: str, strength: float = 0.0) -> None:
        """Texts come late."""
        self.texts = [*self.texts, *texts]
        self.late |= set(texts)
        self.strength |= dict.fromkeys(texts, strength)
        self.elo |= dict.fromkeys(texts, elo.START)

    def progress(self) -> Progress:
        return Progress(
            texts=tuple(text for text in self.texts if text not in self.gone),
            late=frozenset(self.late - self.gone),
            round=len(self.waves),
            elo=self.elo,
            met=Counter(frozenset((r.a, r.b)) for r in self.results if r.result is not None),
            grouped=tuple(ranked.shown for ranked in self.rankings),
            byes=self.byes,
            results=tuple(self.results),
            scored=frozenset(self.scores),
            posterior=self.posterior,
            seed=self.seed,
        )

    def posterior(self) -> Posterior:
        decided = [Comparison(r.a, r.b, r.result) for r in self.results if r.result is not None]
        scores = [Score(text, value) for text, value in self.scores.items()]
        return estimate(self.texts, Verdicts(decided, self.rankings, scores))

    def on(self, schedule: Schedule, waves: int = LONGEST) -> Play:
        """So many further waves, or all there are."""
        for _ in range(waves):
            wave = schedule.next(self.progress())
            if wave is None:
                return self
            self.take(wave)
        assert waves < LONGEST, "the schedule has no end"
        return self

    def take(self, wave: Wave) -> None:
        """Everything in the wave is judged."""
        self.waves.append(wave)
        self.byes.update(wave.byes)
        lots = np.random.default_rng([self.seed, len(self.waves)])
        for a, b in wave.pairs:
            gap = self.strength[a] - self.strength[b] + lots.normal(0, self.noise)
            result = None if lots.random() < self.silent else float(gap > 0)
            self.results.append(Result(len(self.waves), a, b, result))
            if result is not None:
                self.elo[a], self.elo[b] = elo.update(self.elo[a], self.elo[b], result)
        for shown in wave.groups:
            seen = {text: self.strength[text] + lots.normal(0, self.noise) for text in shown}
            self.rankings.append(Ranked(tuple(sorted(shown, key=lambda text: -seen[text])), shown=shown))
        for text in wave.singles:
            self.scores[text] = self.strength[text] + lots.normal(0, self.noise)

    @property
    def pairs(self) -> list[frozenset[str]]:
        return [frozenset((result.a, result.b)) for result in self.results]

    @property
    def asked(self) -> tuple[int, int, int]:
        """Matches, lists, single texts."""
        singles = sum(len(wave.singles) for wave in self.waves)
        return len(self.results), len(self.rankings), singles


def played(texts: int | Sequence[str], *, run: dict[str, object] | None = None, **fields: object) -> Play:
    """A whole run by a spec of these fields."""
    made = spec(texts, **fields)
    known = [text.alias for text in made.texts]
    play = Play(known, seed=made.seed, **(run or {}))  # type: ignore[arg-type]
    return play.on(schedule_of(made))
