"""Why one text stands above another: their direct matches, or else the shortest chain of matches between them."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from judge_core.views.matches import MatchView
from judge_core.views.standings import Standings
from judge_core.views.state import RunState


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks for `above` over `below`."""

    above: str
    below: str
    probability: float | None
    """That `above` is really the better one, as these judges see it; None where one of them is unrated."""
    direct: tuple[MatchView, ...]
    """Their own matches, in the order played."""
    chain: tuple[MatchView, ...]
    """Without a direct match: the fewest matches that lead from one to the other; empty where none do."""


def why_above(state: RunState, table: Standings, above: str, below: str) -> Evidence:
    """The evidence for `above` over `below`. KeyError where the run has no such text."""
    rated = {row.alias for row in table.rated}
    probability = None
    if table.posterior is not None and {above, below} <= rated and above != below:
        probability = table.posterior.probability_above(above, below)
    table.row(above), table.row(below)
    direct = tuple(view for view in state.matches.values() if {view.a, view.b} == {above, below})
    return Evidence(above, below, probability, direct, () if direct else chain_between(state, above, below))


def chain_between(state: RunState, start: str, goal: str) -> tuple[MatchView, ...]:
    """The fewest decided matches that lead from one text to another, in that order; empty where none do."""
    meetings: dict[str, list[MatchView]] = {}
    for view in state.matches.values():
        if view.result is not None:
            meetings.setdefault(view.a, []).append(view)
            meetings.setdefault(view.b, []).append(view)
    came_by: dict[str, MatchView | None] = {start: None}
    queue = deque([start])
    while queue and goal not in came_by:
        here = queue.popleft()
        for view in meetings.get(here, ()):
            if view.opponent(here) not in came_by:
                came_by[view.opponent(here)] = view
                queue.append(view.opponent(here))
    return _path(came_by, goal)


def _path(came_by: dict[str, MatchView | None], goal: str) -> tuple[MatchView, ...]:
    path: list[MatchView] = []
    view = came_by.get(goal)
    while view is not None:
        path.append(view)
        goal = view.opponent(goal)
        view = came_by[goal]
    return tuple(reversed(path))
