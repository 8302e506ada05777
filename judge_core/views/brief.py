"""A run in a few words, for lists of runs: its size as it stands now, how much was decided, what came out."""

from __future__ import annotations

from judge_core.records.spec import Goal
from judge_core.views.items.state import ItemState
from judge_core.views.refine.state import RefineState
from judge_core.views.standings import Standings
from judge_core.views.state import RunState


def size_now(state: RunState | ItemState | RefineState) -> int:
    """Texts that take part, late ones and no withdrawn ones; else items, or the one text that is improved."""
    if isinstance(state, RefineState):
        return 1
    if isinstance(state, ItemState):
        return len(state.spec.items)
    return len(state.spec.texts) - len(state.withdrawn)


def undecided_words(state: RunState | ItemState | RefineState) -> str:
    """How many judgments brought a verdict, where some did not: they failed or could not be read. Else ''.

    A tournament goes on without a judge, and says in each pass how many ranked.
    """
    if isinstance(state, RefineState):
        return ""
    views = state.items.values() if isinstance(state, ItemState) else state.units
    judgments = [judgment for view in views for judgment in view.judgments]
    decided = sum(judgment.decided for judgment in judgments)
    return "" if decided == len(judgments) else f"{decided:,} of {len(judgments):,} decided"


def outcome_words(state: RunState, table: Standings) -> str:
    """Whether the goal is settled, and who is ahead. Texts by alias; no words out of any text."""
    goal = ""
    if state.goal is not None and not state.running:
        settled = "Settled" if state.reached is not None else "Not settled"
        goal = f"{settled}: {brief_goal(state.goal)}. "
    return goal + _leader(table)


def brief_goal(goal: Goal) -> str:
    """The goal in two or three words.

    >>> brief_goal(Goal(kind="cut", ranks=(5, 12))), brief_goal(Goal(kind="top", ranks=(3,), probability=0.9))
    ('lines after 5, 12', 'top 3')
    """
    if goal.kind == "order":
        return "whole order"
    if goal.kind == "top":
        return f"top {goal.ranks[0]}"
    lines = goal.ranks or goal.ratings
    many = "lines" if len(lines) > 1 else "line"
    return f"{many} {'after' if goal.ranks else 'at'} {', '.join(f'{line:g}' for line in lines)}"


def _leader(table: Standings) -> str:
    rated = table.rated
    if len(rated) < 2:
        return "No ranking"
    level = len(rated[0].tied_with)
    if level >= len(rated) - 1 and all(len(row.tied_with) >= len(rated) - 1 for row in rated):
        return "None told apart"
    if not level:
        return f"{rated[0].alias} ahead"
    return f"{rated[0].alias} level with {level} other{'s' if level > 1 else ''}"
