"""Why one text stands above another: where they met, or else the shortest chain of matches and lists between them."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from judge_core.views.listings import ListingView
from judge_core.views.matches import MatchView
from judge_core.views.standings import Standings
from judge_core.views.state import RunState

Meeting = MatchView | ListingView
"""Where texts met: a match of two, or a list."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks for `above` over `below`."""

    above: str
    below: str
    probability: float | None
    """That `above` is really the better one, as these judges see it; None where one of them is unrated."""
    direct: tuple[Meeting, ...]
    """Their own matches, and the lists that hold both, in the order asked."""
    chain: tuple[Meeting, ...]
    """Where they never met: the fewest meetings that lead from one to the other; empty where none do."""


def why_above(state: RunState, table: Standings, above: str, below: str) -> Evidence:
    """The evidence for `above` over `below`. KeyError where the run has no such text."""
    rated = {row.alias for row in table.rated}
    probability = None
    if table.posterior is not None and {above, below} <= rated and above != below:
        probability = table.posterior.probability_above(above, below)
    table.row(above), table.row(below)
    views: list[Meeting] = [*state.matches.values(), *state.listings.values()]
    views.sort(key=lambda view: view.place)
    direct = tuple(view for view in views if {above, below} <= set(texts_in(view)))
    return Evidence(above, below, probability, direct, () if direct else chain_between(state, above, below))


def texts_in(view: Meeting) -> tuple[str, ...]:
    """Who met."""
    return view.texts if isinstance(view, ListingView) else (view.a, view.b)


def chain_between(state: RunState, start: str, goal: str) -> tuple[Meeting, ...]:
    """The fewest decided meetings that lead from one text to another, in that order; empty where none do."""
    meetings: dict[str, list[Meeting]] = {}
    decided: list[Meeting] = [view for view in state.matches.values() if view.result is not None]
    decided += [listing for listing in state.listings.values() if listing.decided]
    for view in decided:
        for text in texts_in(view):
            meetings.setdefault(text, []).append(view)
    came_by: dict[str, tuple[str, Meeting] | None] = {start: None}
    queue = deque([start])
    while queue and goal not in came_by:
        here = queue.popleft()
        for there, view in ((text, one) for one in meetings.get(here, ()) for text in texts_in(one)):
            if there not in came_by:
                came_by[there] = here, view
                queue.append(there)
    return _path(came_by, goal)


def _path(came_by: dict[str, tuple[str, Meeting] | None], goal: str) -> tuple[Meeting, ...]:
    path: list[Meeting] = []
    step = came_by.get(goal)
    while step is not None:
        before, view = step
        path.append(view)
        step = came_by[before]
    return tuple(reversed(path))
