"""What a schedule is told and what it answers: a run so far, and the next round of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np

from judge_core.ranking.bradley_terry import Posterior


class Wave(NamedTuple):
    """A round: all of it can be asked at once. The better-placed text of a pair stands first."""

    pairs: tuple[tuple[str, str], ...] = ()
    groups: tuple[tuple[str, ...], ...] = ()
    """Lists to be ranked in one call each, in the order shown."""
    singles: tuple[str, ...] = ()
    """Texts to be scored by themselves."""
    byes: tuple[str, ...] = ()
    """Texts that had to sit out, where sitting out is a matter of chance or favour."""
    band: tuple[int, int] | None = None
    """The ranks (from 1, inclusive) that compete; None: all."""
    title: str = ""
    """What the round is, where its number does not say it."""


class Result(NamedTuple):
    """A pair of an earlier round."""

    round: int
    a: str
    b: str
    """In the order of the wave that paired them."""
    result: float | None
    """1 where a won, 0 where b won, between them for a tie or a split panel; None: undecided, or never judged."""
    asked: bool = True
    """False: it fell away before anybody was asked, since a text of it was withdrawn."""


@dataclass(frozen=True)
class Progress:
    """A run so far, as far as a schedule needs it."""

    texts: tuple[str, ...]
    """Those that take part, in the spec's order, late ones last; withdrawn ones are gone."""
    late: frozenset[str]
    """Added after the start."""
    round: int
    """Rounds so far."""
    elo: Mapping[str, float]
    met: Mapping[frozenset[str], int]
    """Decided meetings in pairs."""
    grouped: Sequence[tuple[str, ...]]
    """Lists so far, as shown, decided or not."""
    byes: Mapping[str, int]
    """In the order in which texts first sat out."""
    results: Sequence[Result]
    """Every pair of every wave so far, in order, also those that fell away because a text was withdrawn."""
    scored: frozenset[str]
    """Texts that were asked for a score of their own, whether or not one came."""
    posterior: Callable[[], Posterior]
    """Of all verdicts so far; costs a fit."""
    seed: int

    @cached_property
    def meetings(self) -> Counter[frozenset[str]]:
        """How often each pair was paired, decided or not."""
        return Counter(frozenset((result.a, result.b)) for result in self.results)

    @cached_property
    def appearances(self) -> Counter[str]:
        """In how many pairs and lists each text stood, decided or not."""
        paired = (text for result in self.results if result.asked for text in (result.a, result.b))
        return Counter(paired) + Counter(text for texts in self.grouped for text in texts)

    def lots(self, stream: str) -> np.random.Generator:
        """Random numbers for this round and this use of them: the same whenever, and wherever, the round is paired."""
        sign = 2 * abs(self.seed) + (self.seed < 0)
        return np.random.default_rng([sign, self.round, *stream.encode()])

    @cached_property
    def on_time(self) -> tuple[str, ...]:
        """The texts that were there at the start."""
        return tuple(text for text in self.texts if text not in self.late)


class Planned(NamedTuple):
    """What a schedule asks of each judge before anything is known of the results."""

    matches: int = 0
    groups: int = 0
    singles: int = 0
    orders: int = 1
    """In how many orders each match is shown."""

    @property
    def units(self) -> int:
        """Matches, lists and single texts together."""
        return self.matches + self.groups + self.singles

    @property
    def calls(self) -> int:
        """Calls of one judge that sees all of it; repairs, and orders that are checked by sample, are not counted."""
        return self.matches * self.orders + self.groups + self.singles


class Schedule(Protocol):
    """Says what is judged next. It remembers nothing: equal progress, equal answer."""

    def next(self, progress: Progress) -> Wave | None:
        """The next round; None: nothing is left to ask."""


class Method(Schedule, Protocol):
    """A schedule that knows what it will cost."""

    def planned(self, n: int) -> Planned:
        """What it asks over n texts if all goes as foreseen; where it may stop early, the most it asks."""
