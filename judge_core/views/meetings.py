"""Who met whom with what result: in matches, and in lists, where each two texts have met."""

from __future__ import annotations

from itertools import combinations

from judge_core.ranking.evidence import shares
from judge_core.ranking.schedules.schedule import pairs_unmet
from judge_core.views.matches import letter
from judge_core.views.state import RunState

Meetings = dict[tuple[str, str], list[float | None]]
"""By (a, b), in both directions: a's results against b, 1 won, 0 lost, in the order asked; None: undecided."""


def meetings(state: RunState) -> Meetings:
    """All meetings of a run. Of a list the panel's mean places decide, equal ones are a draw."""
    weights, found = shares(state.spec), dict[int, list[tuple[str, str, float | None]]]()
    for view in state.matches.values():
        found[view.place] = [(view.a, view.b, view.result)]
    for listing in state.listings.values():
        places = listing.mean_places(weights)
        found[listing.place] = [(a, b, _result(places[a], places[b])) for a, b in combinations(places, 2)]
    met: Meetings = {}
    for place in sorted(found):
        for a, b, result in found[place]:
            met.setdefault((a, b), []).append(result)
            met.setdefault((b, a), []).append(None if result is None else 1.0 - result)
    return met


def pairs_left(state: RunState) -> int | None:
    """Pairs of texts that take part and may still meet; None where nothing bounds them, since texts may meet again."""
    return pairs_unmet(
        state.spec,
        {text.alias for text in state.spec.texts} - state.withdrawn,
        (pair for view in state.rounds.values() for pair in view.pairs),
        ((view.a, view.b) for view in state.matches.values() if view.result is not None),
    )


def met_letter(result: float | None) -> str:
    """W, L or T for a meeting as tables and charts of a ranking show it; `?` where nothing was decided."""
    return "T" if letter(result) == "D" else letter(result)


def _result(one: float, other: float) -> float:
    return 1.0 if one < other else 0.0 if one > other else 0.5
