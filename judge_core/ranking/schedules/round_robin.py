"""Round robin: every pair once, by the circle method (one text stays, the others move on by one place each round)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

from judge_core.ranking.schedules.wave import Planned, Progress, Wave

Pairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class RoundRobin:
    """Plays every pair of the texts that were there at the start, however many rounds were asked for.

    `rounds` counts with `rematches` alone: then further cycles follow, up to that round. Texts that come while it
    lasts are taken into the circle; where one comes or goes the rest of a cycle may take some rounds more.
    """

    rounds: int
    rematches: bool = False

    def next(self, progress: Progress) -> Wave | None:
        """Of the circle's rounds the one with most pairs still to play, and of those the earliest."""
        often = self._cycle(progress)
        if often is None:
            return None
        due = [
            tuple(pair for pair in pairs if progress.meetings[frozenset(pair)] <= often)
            for pairs in circle(progress.texts)
        ]
        pairs = max(due, key=len)
        playing = {text for pair in pairs for text in pair}
        return Wave(pairs, byes=tuple(text for text in progress.texts if text not in playing))

    def planned(self, n: int) -> Planned:
        """Each pair once, or as many rounds as were asked for where texts may meet again."""
        cycle = n if n % 2 else n - 1
        rounds = max(self.rounds, cycle) if self.rematches else cycle
        return Planned(rounds * (n // 2) if n > 1 else 0)

    def _cycle(self, progress: Progress) -> int | None:
        """How often a pair may have met to be due; None: nothing more is to be played."""
        often = min((progress.meetings[frozenset(pair)] for pair in combinations(progress.on_time, 2)), default=None)
        if often and not (self.rematches and progress.round < self.rounds):
            return None
        return often


def circle(texts: tuple[str, ...]) -> list[Pairs]:
    """The rounds of a full cycle: n - 1 of them, or n where one text must sit out each time.

    >>> circle(("a", "b", "c"))
    [(('a', 'b'),), (('c', 'a'),), (('b', 'c'),)]
    """
    ring: list[str | None] = [*texts] if len(texts) % 2 == 0 else [None, *texts]
    half = len(ring) // 2
    rounds = []
    for _ in range(len(ring) - 1):
        facing = zip(ring[:half], reversed(ring[half:]), strict=True)
        rounds.append(tuple((a, b) for a, b in facing if a is not None and b is not None))
        ring = [ring[0], ring[-1], *ring[1:-1]]
    return rounds
