"""Knockout: who loses is out, the last two play the final. The best two seeds can only meet there.

The bracket is read off the matches so far, so nothing has to be remembered: the first round tells who stands where.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from judge_core.ranking.schedules.wave import Planned, Progress, Result, Wave

TITLES = {2: "Final", 4: "Semi-finals", 8: "Quarter-finals"}
"""By the places of the bracket that are left."""
THIRD_PLACE, ROUND_OF = "Third place", "Round of "
TIE = 1e-9


def is_stage(title: str) -> bool:
    """Whether a round's title is that of a stage of a bracket, and so names the round better than its number.

    >>> is_stage("Final"), is_stage("Round of 16"), is_stage("Late texts")
    (True, True, False)
    """
    return title in (*TITLES.values(), THIRD_PLACE) or title.startswith(ROUND_OF)


class Entrant(NamedTuple):
    """A text in the bracket."""

    seed: int
    """From 0, the best."""
    text: str


Place = Entrant | None
"""A place of the bracket; None: nobody stands there."""
Facing = tuple[Place, Place]


@dataclass(frozen=True)
class Knockout:
    """Single elimination. The best seeds sit out the first round, so that the second is a power of two.

    A tied or undecided match sends the better seed on. That decides who is asked next and nothing else: the match
    stays the tie, or the gap, that it is. Where a text was withdrawn its opponent goes on.
    """

    third_place: bool = True
    anchors: Mapping[str, float] = field(default_factory=dict)
    """Known ratings on the Elo scale; a text without one is seeded by its Elo at the start."""

    def next(self, progress: Progress) -> Wave | None:
        """The matches of the bracket's next round; the third place is played for before the final."""
        if not progress.results:
            return self._first_round(progress)
        story = Story(progress)
        places, losers = opening(progress), list[Entrant]()
        while len(places) > 1:
            facing = list(zip(places[::2], places[1::2], strict=True))
            if len(places) == 2 and self.third_place and len(losers) == 2 and story.due((losers[0], losers[1])):
                return Wave((_match(losers[0], losers[1]),), title=THIRD_PLACE)
            due = tuple(_match(*pair) for pair in facing if pair[0] and pair[1] and story.due(pair))
            if due:
                return Wave(due, title=stage(len(places)))
            losers = [loser for pair in facing if (loser := story.loser(pair))]
            places = [story.winner(pair) for pair in facing]
        return None

    def planned(self, n: int) -> Planned:
        """Each match puts one text out, but the one for the third place."""
        return Planned(max(n - 1, 0) + (self.third_place and n >= 4))

    def _first_round(self, progress: Progress) -> Wave | None:
        if len(progress.texts) < 2:
            return None
        seeds = self._seeds(progress)
        order = bracket(len(seeds))
        facing = [pair for pair in zip(order[::2], order[1::2], strict=True) if pair[1] < len(seeds)]
        pairs = tuple((seeds[better], seeds[worse]) for better, worse in facing)
        byes = tuple(seeds[: len(order) - len(seeds)])
        return Wave(pairs, byes=byes, title=stage(len(order)))

    def _seeds(self, progress: Progress) -> Sequence[str]:
        """Best first: by scores where there are some, else by what is known beforehand; lots part equals."""
        if progress.scored:
            posterior = progress.posterior()
            known = dict(zip(posterior.items, posterior.strengths.round(6).tolist(), strict=True))
        else:
            known = {**progress.elo, **self.anchors}
        lots = progress.lots("draw").permutation(len(progress.texts)).tolist()
        lot = dict(zip(progress.texts, lots, strict=True))
        return sorted(progress.texts, key=lambda text: (-known[text], lot[text]))


class Story:
    """What came of the pairs that met, and who is still there. A verdict that comes by a retry changes what follows."""

    def __init__(self, progress: Progress):
        self.there = frozenset(progress.texts)
        self.played: dict[frozenset[str], Result] = {}
        self.last: dict[str, int] = {}
        """The last round in which a text was asked about."""
        for result in progress.results:
            if result.asked:
                self.played.setdefault(frozenset((result.a, result.b)), result)
                self.last |= {result.a: result.round, result.b: result.round}

    def due(self, pair: Facing) -> bool:
        """Whether both are there and have not met."""
        return self._result(pair) is None and all(place and place.text in self.there for place in pair)

    def winner(self, pair: Facing) -> Place:
        """Who goes on; without a match whoever is there, or was when the next round was played."""
        entrants = sorted(place for place in pair if place)
        met = self._result(pair)
        if met is None:
            return max(entrants, key=self._stayed, default=None)
        better, worse = entrants
        for_better = 0.5 if met.result is None else met.result if met.a == better.text else 1 - met.result
        return worse if for_better < 0.5 - TIE else better

    def loser(self, pair: Facing) -> Place:
        """Who lost a match that was played."""
        if self._result(pair) is None:
            return None
        winner = self.winner(pair)
        return next(place for place in pair if place != winner)

    def _stayed(self, entrant: Entrant) -> tuple[bool, int]:
        return entrant.text in self.there, self.last.get(entrant.text, 0)

    def _result(self, pair: Facing) -> Result | None:
        return self.played.get(frozenset(place.text for place in pair if place))


def bracket(n: int) -> list[int]:
    """Seeds from 0 in the order of the bracket's places, a power of two; those from n on are empty places.

    >>> bracket(8)
    [0, 7, 3, 4, 1, 6, 2, 5]
    """
    order = [0]
    while len(order) < n:
        order = [seed for better in order for seed in (better, 2 * len(order) - 1 - better)]
    return order


def opening(progress: Progress) -> list[Place]:
    """The places of the first round from top to bottom, read off its pairs and those who sat out."""
    pairs = [result for result in progress.results if result.round == progress.results[0].round]
    playing = {text for pair in pairs for text in (pair.a, pair.b)}
    idle = [text for text in progress.byes if text not in playing]
    order, waiting = bracket(2 * (len(pairs) + len(idle))), iter(pairs)
    places: list[Place] = []
    for better, worse in zip(order[::2], order[1::2], strict=True):
        if better < len(idle):
            places += [Entrant(better, idle[better]), None]
        elif pair := next(waiting, None):
            places += [Entrant(better, pair.a), Entrant(worse, pair.b)]
        else:
            places += [None, None]
    return places


def _match(a: Place, b: Place) -> tuple[str, str]:
    assert a and b
    better, worse = sorted((a, b))
    return better.text, worse.text


def stage(places: int) -> str:
    """What the round is called that begins with so many places of the bracket.

    >>> stage(4), stage(16)
    ('Semi-finals', 'Round of 16')
    """
    return TITLES.get(places, f"{ROUND_OF}{places}")
