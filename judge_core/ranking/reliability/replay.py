"""A run played again with coins on its own schedule: where pairing follows the results, it follows the coins'."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from judge_core.ranking import elo
from judge_core.ranking.bradley_terry import Posterior, Verdicts
from judge_core.ranking.comparison import Comparison, Ranked, Score
from judge_core.ranking.evidence import either_way
from judge_core.ranking.reliability.bundles import Rate, joined, rated
from judge_core.ranking.reliability.coin import Flips, Play, Round
from judge_core.ranking.schedules.wave import Progress, Result, Schedule, Wave


@dataclass(frozen=True)
class Field:
    """Who takes part in a run, and how it is kept."""

    starts: Mapping[str, float]
    """Elo at the start of all texts, late ones included, in the run's order."""
    late: frozenset[str] = frozenset()
    """Texts that came after the start: each joins with the first round that asked about it."""
    withdrawn: Mapping[str, int] = field(default_factory=dict)
    """Texts that were withdrawn, each with the rounds that were paired by then."""
    k: float = elo.K
    rate: Rate = rated
    """What a schedule that looks at ratings is shown."""


def schedule_again(schedule: Schedule, rounds: Sequence[Round], field: Field) -> Play:
    """Each round is asked as the schedule says after what the coins said; as it was, where the schedule says nothing.

    The n-th new pair (or list, or text) is judged as often, with the same weights and positions, as the n-th real one.
    """
    flips = Flips(rounds)

    def play(rng: np.random.Generator) -> list[Verdicts]:
        replay = _Replay(schedule, field, flips, rng)
        return [replay.round(played) for played in rounds]

    return play


@dataclass
class _Replay:
    """The books of one replay."""

    schedule: Schedule
    of: Field
    flips: Flips
    rng: np.random.Generator
    elo: dict[str, float] = field(init=False)
    seed: int = field(init=False)
    rounds: list[Verdicts] = field(default_factory=list)
    met: Counter[frozenset[str]] = field(default_factory=Counter)
    byes: Counter[str] = field(default_factory=Counter)
    results: list[Result] = field(default_factory=list)
    grouped: list[tuple[str, ...]] = field(default_factory=list)
    scored: set[str] = field(default_factory=set)
    moved: set[tuple[int, tuple[str, ...]]] = field(default_factory=set)
    """Lists that moved Elo."""

    def __post_init__(self) -> None:
        self.elo = {text: start for text, start in self.of.starts.items() if text not in self.of.late}
        self.seed = int(self.rng.integers(2**31))

    def round(self, played: Round) -> Verdicts:
        """The next round's verdicts."""
        real = _asked(played)
        self._join(real)
        wave = self.schedule.next(self._progress()) or real
        self.byes.update(wave.byes)
        wave = self._trimmed(wave, self._gone(len(self.rounds) + 1) - _named(real))
        verdicts = Verdicts(
            [one for pair, like in zip(wave.pairs, played.matches, strict=False) for one in self._pair(pair, like)],
            [one for texts, like in zip(wave.groups, played.lists, strict=False) for one in self._list(texts, like)],
            [one for text, like in zip(wave.singles, played.singles, strict=False) for one in self._single(text, like)],
        )
        self.rounds.append(verdicts)
        return verdicts

    def _join(self, real: Wave) -> None:
        named = _named(real)
        here = {text for text in self.of.starts if text in self.elo or text in named}
        self.elo = {text: self.elo.get(text, start) for text, start in self.of.starts.items() if text in here}

    def _gone(self, paired: int) -> set[str]:
        """Texts withdrawn by the time that so many rounds were paired."""
        return {text for text, rounds in self.of.withdrawn.items() if rounds <= paired}

    def _trimmed(self, wave: Wave, gone: set[str]) -> Wave:
        """Without what falls away since a text of it was withdrawn after the pairing, before it was asked about."""
        fallen = [pair for pair in wave.pairs if not gone.isdisjoint(pair)]
        self.results += [Result(len(self.rounds) + 1, *pair, None, asked=False) for pair in fallen]
        left = [tuple(text for text in group if text not in gone) for group in wave.groups]
        return wave._replace(
            pairs=tuple(pair for pair in wave.pairs if gone.isdisjoint(pair)),
            groups=tuple(group for group in left if len(group) > 1),
            singles=tuple(text for text in wave.singles if text not in gone),
        )

    def _progress(self) -> Progress:
        gone = self._gone(len(self.rounds))
        return Progress(
            texts=tuple(text for text in self.elo if text not in gone),
            late=self.of.late & self.elo.keys() - gone,
            round=len(self.rounds),
            elo=self.elo,
            met=self.met,
            grouped=self.grouped,
            byes=self.byes,
            results=self.results,
            scored=frozenset(self.scored),
            posterior=self._posterior,
            seed=self.seed,
        )

    def _posterior(self) -> Posterior:
        return self.of.rate(tuple(self.elo), joined(self.rounds))

    def _pair(self, pair: tuple[str, str], match: Sequence[Comparison]) -> list[Comparison]:
        """A match's verdicts. Elo moves once, by the panel's weighted mean result."""
        verdicts = [self.flips.pair(pair, like, self.rng) for like in match]
        result = _mean([one.result for one in verdicts], [one.weight for one in verdicts])
        self.results.append(Result(len(self.rounds) + 1, *pair, result))
        if result is not None:
            self.met[frozenset(pair)] += 1
            self.elo |= zip(pair, elo.update(self.elo[pair[0]], self.elo[pair[1]], result, self.of.k), strict=True)
        return verdicts

    def _list(self, texts: tuple[str, ...], ranking: Sequence[Ranked]) -> list[Ranked]:
        """A list's verdicts. Elo moves once, by the panel's mean places; a list and its reverse are one."""
        verdicts = [self.flips.ranking(texts, like, self.rng) for like in ranking]
        self.grouped.append(texts)
        weights = [one.weight for one in verdicts]
        places = {text: _mean([one.texts.index(text) for one in verdicts], weights) for text in texts}
        known = {text: place for text, place in places.items() if place is not None}
        unit = (len(self.rounds), either_way(texts))
        if known and unit not in self.moved:
            self.moved.add(unit)
            self.elo |= elo.update_list({text: self.elo[text] for text in texts}, known, self.of.k)
        return verdicts

    def _single(self, text: str, single: Sequence[Score]) -> list[Score]:
        self.scored.add(text)
        return [self.flips.score(text, like, self.rng) for like in single]


def _mean(values: Sequence[float], weights: Sequence[float]) -> float | None:
    return float(np.average(values, weights=weights)) if values else None


def _named(wave: Wave) -> set[str]:
    return {text for group in (*wave.pairs, *wave.groups, wave.singles) for text in group}


def _asked(played: Round) -> Wave:
    """The round's own questions, as far as a verdict names them."""
    return Wave(
        tuple((match[0].a, match[0].b) for match in played.matches if match),
        tuple(ranking[0].shown or ranking[0].texts for ranking in played.lists if ranking),
        tuple(single[0].text for single in played.singles if single),
    )
