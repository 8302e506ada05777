"""A knock-out run as a tree: who met whom on the way to the final, who sat out, who went on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from judge_core.ranking.bradley_terry import Posterior
from judge_core.ranking.schedules.knockout import THIRD_PLACE, Entrant, Place, Story, opening, stage
from judge_core.ranking.schedules.wave import Progress, Result
from judge_core.views.matches import MatchView
from judge_core.views.state import RunState


@dataclass(frozen=True, slots=True)
class Tie:
    """One place of the tree, where two texts meet for the next round."""

    entrants: tuple[Place, Place]
    """None: nobody stands there, or it is not known yet who will."""
    view: MatchView | None
    """None: not judged, or nobody to meet."""
    fallen: bool
    """It was paired, and a text was withdrawn before anybody was asked."""
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
        levels.append(Level(stage(len(places)), ties))
        places = [tie.winner for tie in ties]
    return Tree(tuple(levels), play.third())


def bracket_places(state: RunState) -> dict[str, str]:
    """What each text reached in the bracket, as far as that is known: by its matches alone, whatever its rating.

    Of those that went out before the semi-finals it is the round in which they did.
    """
    tree, found = knockout_tree(state), dict[str, str]()
    for level in tree.levels:
        last = level is tree.levels[-1]
        for loser in filter(None, map(_loser, level.ties)):
            found[loser] = "finalist" if last else level.title.lower()
    if tree.third is not None and tree.third.winner is not None:
        found[tree.third.winner.text] = "third"
        if fourth := _loser(tree.third):
            found[fourth] = "fourth"
    return found if tree.champion is None else {**found, tree.champion: "winner"}


def _loser(tie: Tie) -> str | None:
    """Who met another there and is out; None where nobody is."""
    names = [place.text for place in tie.entrants if place is not None]
    if tie.winner is None or len(names) < 2:
        return None
    return next((name for name in names if name != tie.winner.text), None)


class _Play:
    """What was paired and judged."""

    def __init__(self, state: RunState):
        self.state = state
        judged = {(view.round, view.a, view.b): view for view in state.matches.values()}
        self.paired: dict[frozenset[str], MatchView | None] = {}
        self.fallen = {frozenset(pair) for view in state.rounds.values() for pair in view.fallen}
        results: list[Result] = []
        for round in state.rounds.values():
            for a, b in round.pairs:
                view = judged.get((round.number, a, b))
                results.append(Result(round.number, a, b, view.result if view else None, (a, b) not in round.fallen))
                self.paired.setdefault(frozenset((a, b)), view)
        self.progress = _progress(state, results)
        self.story = Story(self.progress)

    def tie(self, one: Place, other: Place) -> Tie:
        pair = frozenset(place.text for place in (one, other) if place)
        view = self.paired.get(pair)
        waits = len(pair) == 2 and view is None and self.state.withdrawn.isdisjoint(pair)
        winner = None if waits else self.story.winner((one, other))
        return Tie((one, other), view, pair in self.fallen, winner, waits)

    def third(self) -> Tie | None:
        """The match for the third place, once it is paired."""
        pairs = [pair for view in self.state.rounds.values() if view.title == THIRD_PLACE for pair in view.pairs]
        return self.tie(Entrant(0, pairs[0][0]), Entrant(1, pairs[0][1])) if pairs else None


def _progress(state: RunState, results: Sequence[Result]) -> Progress:
    """As far as the opening of a bracket is read off it."""
    return Progress(
        texts=tuple(alias for alias in state.elo if alias not in state.withdrawn),
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
