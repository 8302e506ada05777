"""A knock-out run as a tree: who met whom on the way to the final, who sat out, who went on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from judge_core.ranking.bradley_terry import Posterior
from judge_core.ranking.schedules.knockout import THIRD_PLACE, TITLES, Entrant, Place, opening
from judge_core.ranking.schedules.wave import Progress, Result
from judge_core.views.matches import MatchView
from judge_core.views.state import RunState

TIE = 1e-9


@dataclass(frozen=True, slots=True)
class Tie:
    """One place of the tree, where two texts meet for the next round."""

    entrants: tuple[Place, Place]
    """None: nobody stands there, or it is not known yet who will."""
    view: MatchView | None
    """None: not judged, or nobody to meet."""
    winner: Place
    """Who goes on; None while that is open. A tie, or no verdict, sends the better seed on."""
    open: bool
    """More may come of it."""


@dataclass(frozen=True, slots=True)
class Level:
    """A round of the tree, from top to bottom."""

    title: str
    ties: tuple[Tie, ...]


@dataclass(frozen=True, slots=True)
class Tree:
    """The levels from the first round to the final, and the match for the third place."""

    levels: tuple[Level, ...]
    third: Tie | None = None

    @property
    def champion(self) -> str | None:
        """Who won the final."""
        winner = self.levels[-1].ties[0].winner if self.levels else None
        return winner.text if winner else None

    @property
    def matches(self) -> Iterator[MatchView]:
        """Those that were judged."""
        ties = [tie for level in self.levels for tie in level.ties] + ([self.third] if self.third else [])
        return (tie.view for tie in ties if tie.view is not None)


def knockout_tree(state: RunState) -> Tree:
    """The tree of a run; empty before its first round is paired."""
    if not any(view.pairs for view in state.rounds.values()):
        return Tree(())
    play = _Play(state)
    places, levels = opening(play.progress), list[Level]()
    while len(places) > 1:
        ties = tuple(play.tie(one, other) for one, other in zip(places[::2], places[1::2], strict=True))
        levels.append(Level(TITLES.get(len(places), f"Round of {len(places)}"), ties))
        places = [tie.winner for tie in ties]
    return Tree(tuple(levels), play.third())


class _Play:
    """What was paired and judged."""

    def __init__(self, state: RunState):
        self.state = state
        judged = {(view.round, view.a, view.b): view for view in state.matches.values()}
        pairs = [(view.number, a, b) for view in state.rounds.values() for a, b in view.pairs]
        self.paired: dict[frozenset[str], MatchView | None] = {}
        for key in pairs:
            self.paired.setdefault(frozenset(key[1:]), judged.get(key))
        results = [Result(*key, view.result if (view := judged.get(key)) else None) for key in pairs]
        self.progress = _progress(state, results)

    def tie(self, one: Place, other: Place) -> Tie:
        entrants = [place for place in (one, other) if place]
        pair = frozenset(entrant.text for entrant in entrants)
        if len(pair) == 2 and pair in self.paired:
            view = self.paired[pair]
            winner = self._there(entrants) if view is None else _winner(view, entrants)
            return Tie((one, other), view, winner, view is None and winner is None)
        return Tie((one, other), None, self._there(entrants), len(pair) == 2)

    def third(self) -> Tie | None:
        """The match for the third place, once it is paired."""
        pairs = [pair for view in self.state.rounds.values() if view.title == THIRD_PLACE for pair in view.pairs]
        return self.tie(Entrant(0, pairs[0][0]), Entrant(1, pairs[0][1])) if pairs else None

    def _there(self, entrants: Sequence[Entrant]) -> Place:
        """Without a match whoever alone is left goes on."""
        left = [entrant for entrant in entrants if entrant.text not in self.state.withdrawn]
        return left[0] if len(left) == 1 else None


def _winner(view: MatchView, entrants: Sequence[Entrant]) -> Entrant:
    better, worse = sorted(entrants)
    for_better = view.result_for(better.text)
    return worse if for_better is not None and for_better < 0.5 - TIE else better


def _progress(state: RunState, results: Sequence[Result]) -> Progress:
    """As far as the opening of a bracket is read off it."""
    return Progress(
        texts=tuple(state.elo),
        late=state.late,
        round=len(state.rounds),
        elo={},
        met={},
        grouped=(),
        byes=Counter(alias for view in state.rounds.values() for alias in view.byes),
        results=results,
        scored=frozenset(),
        posterior=_no_posterior,
        seed=state.spec.seed,
    )


def _no_posterior() -> Posterior:
    raise AssertionError("the opening is read off the pairs alone")
