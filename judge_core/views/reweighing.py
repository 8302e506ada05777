"""A finished run under other weights, or by the judges' overall choice: recomputed from stored scores, without a call."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

from judge_core.ranking.elo import update, update_list
from judge_core.ranking.evidence import either_way, shares
from judge_core.records.criteria import Criterion, Rubric
from judge_core.records.errors import InputError
from judge_core.records.item_verdict import PointVerdict
from judge_core.records.notices import explain
from judge_core.records.record import Notice
from judge_core.records.verdict import Judgment, JudgmentClass, PairScores, Winner
from judge_core.scoring.weighing import pair_totals, panel_result, result_of, weighted_total, winner_of
from judge_core.views.listings import ListingView
from judge_core.views.matches import MatchView
from judge_core.views.state import RunState

Choice = Literal["criteria", "overall"]
"""Who decides a judgment: the weighted criterion scores, or the winner that the judge named."""
CLASS_OF: dict[Winner, JudgmentClass] = {"A": "won", "B": "lost", "tie": "tied"}


def weights_of(rubric: Rubric) -> dict[str, float]:
    """The rubric's own weights by criterion name."""
    return {criterion.name: criterion.weight for criterion in rubric.criteria}


def weighed_criteria(rubric: Rubric, weights: Mapping[str, float]) -> tuple[Criterion, ...]:
    """The rubric's criteria with other weights; one of weight 0 is left out. InputError for a weight that cannot be used."""
    known = weights_of(rubric)
    for name, weight in weights.items():
        if name not in known:
            allowed = ", ".join(repr(n) for n in known)
            raise InputError(f"There is no criterion {name!r} to weigh. The criteria are {allowed}.", field=name)
        if not math.isfinite(weight) or weight < 0:
            raise InputError(f"The weight {weight!r} of {name!r} must be a number from 0 up.", field=name)
    merged = {**known, **weights}
    criteria = tuple(c.model_copy(update={"weight": merged[c.name]}) for c in rubric.criteria if merged[c.name] > 0)
    if not criteria:
        raise InputError("All weights are 0. Give at least one criterion a weight above 0.")
    return criteria


def reweighed(state: RunState, weights: Mapping[str, float] | None = None, choice: Choice = "criteria") -> RunState:
    """The same run with each judgment decided anew: winners, results, classes and Elo change, the pairings stay.

    Without weights and by criteria this is the state itself. InputError for weights that cannot be used.
    """
    if choice == "criteria" and weights is None:
        return state
    criteria = weighed_criteria(state.spec.rubric, weights or {})
    matches = {place: _match(view, state, criteria, choice) for place, view in state.matches.items()}
    listings = {place: _rescored(view, criteria) for place, view in state.listings.items()}
    outcomes = Counter((judgment.judge, judgment.outcome) for view in matches.values() for judgment in view.judgments)
    outcomes += Counter((j.judge, view.outcome_of(j)) for view in listings.values() for j in view.judgments)
    return _replayed(replace(state, matches=matches, listings=listings, outcomes=dict(outcomes)))


def _rescored(view: ListingView, criteria: Sequence[Criterion]) -> ListingView:
    """A text's own scores under other weights; a ranked list stays as it is."""
    judgments = []
    for judgment in view.judgments:
        verdict = judgment.verdict
        if isinstance(verdict, PointVerdict) and all(criterion.name in verdict.scores for criterion in criteria):
            total = weighted_total(verdict.scores, criteria)
            judgment = judgment.model_copy(update={"verdict": verdict.model_copy(update={"total": total})})
        judgments.append(judgment)
    return replace(view, judgments=tuple(judgments))


def _replayed(state: RunState) -> RunState:
    """Elo played again over the matches as they are now decided, in the order in which it moved."""
    lines = {alias: [line[0]] for alias, line in state.elo.items()}
    matches, weights, moved = dict(state.matches), shares(state.spec), set[tuple[int, tuple[str, ...]]]()
    for view in sorted(state.units, key=lambda view: view.moved_at):
        if isinstance(view, ListingView):  # the weights of criteria have no say in a ranked list
            unit = (view.round, either_way(view.texts))  # a list and its reverse move Elo once
            _replay_list(view, lines, weights, 0.0 if unit in moved else state.spec.elo_k)
            moved |= {unit} if view.decided else set()
            continue
        before = {alias: lines[alias][-1][1] for alias in (view.a, view.b)}
        after, result = before, _moving_result(view, state)
        if result is not None:
            a, b = update(before[view.a], before[view.b], result, state.spec.elo_k)
            after = {view.a: a, view.b: b}
        for alias, value in after.items():
            lines[alias].append((view.moved_at, value))
        matches[view.place] = replace(view, elo_before=before, elo=after)
    return replace(state, matches=matches, elo={alias: tuple(line) for alias, line in lines.items()})


def _replay_list(
    view: ListingView, lines: Mapping[str, list[tuple[int, float]]], weights: Sequence[float], k: float
) -> None:
    if view.single:
        return
    before, places = {alias: lines[alias][-1][1] for alias in view.texts}, view.mean_places(weights)
    for alias, value in (update_list(before, places, k) if places else before).items():
        lines[alias].append((view.moved_at, value))


def _moving_result(view: MatchView, state: RunState) -> float | None:
    """The result that moved Elo: a judge that a retry brought in later had no say in it."""
    early = [j for place, j in zip(view.places, view.judgments, strict=True) if place <= view.moved_at]
    return panel_result(early, state.spec.judges)


def _match(view: MatchView, state: RunState, criteria: Sequence[Criterion], choice: Choice) -> MatchView:
    judgments = tuple(decided_anew(judgment, criteria, choice) for judgment in view.judgments)
    return replace(view, judgments=judgments, result=panel_result(judgments, state.spec.judges))


def decided_anew(judgment: Judgment, criteria: Sequence[Criterion], choice: Choice) -> Judgment:
    """The judgment as the criteria's weights, or the stated choice, decide it.

    One that brought no verdict stays as it is; so does one whose reply scored none of these criteria by name.
    """
    if judgment.result is None or not judgment.orders:
        return judgment
    if choice == "overall":
        return _by_choice(judgment)
    if not all(
        c.name in scores for c in criteria for scores in (judgment.scores, *(o.scores for o in judgment.orders))
    ):
        return judgment
    totals = pair_totals(judgment.scores, criteria)
    both = judgment.orders if len(judgment.orders) > 1 else ()
    winners = {winner_of(pair_totals(order.scores, criteria)) for order in both}
    return _decided(judgment, winner_of(totals), flipped={"A", "B"} <= winners, totals=totals)


def _by_choice(judgment: Judgment) -> Judgment:
    stated = {order.stated for order in judgment.orders if order.stated is not None}
    if not stated:
        return judgment.model_copy(update={"outcome": "unchosen", "result": None})
    chosen: list[Winner] = [side for side in ("A", "B") if side in stated]
    return _decided(judgment, chosen[0] if len(chosen) == 1 else "tie", flipped=len(chosen) == 2)


def _decided(judgment: Judgment, winner: Winner, *, flipped: bool, totals: PairScores | None = None) -> Judgment:
    changes: dict[str, object] = {"outcome": CLASS_OF[winner], "result": result_of(winner)}
    warnings = tuple(notice for notice in judgment.warnings if notice.code != "position_flip")
    if flipped:
        changes = {"outcome": "flipped", "result": 0.5}
        warnings = (*warnings, Notice(code="position_flip", message=explain("position_flip")))
    return judgment.model_copy(update={**changes, "warnings": warnings, "totals": totals or judgment.totals})
