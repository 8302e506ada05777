"""What more judgments would probably settle, and what one of them takes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from judge_core.ranking.goals import certainty, further, goal_words
from judge_core.records.spec import Goal, Spec
from judge_core.views.chances import standing
from judge_core.views.meetings import pairs_left
from judge_core.views.standings import Standings
from judge_core.views.state import RunState

FEW = 5
"""The K of the top that is spoken of where the run has no goal of its own."""


class Advice(NamedTuple):
    """How far a goal is reached, and how many more judgments would probably reach it."""

    goal: Goal
    certainty: float
    further: int | None
    """None: out of reach."""


def goals_of(state: RunState) -> list[Goal]:
    """The run's own goal; without one, the best, the top and the whole order."""
    if state.goal is not None:
        return [state.goal]
    n = len(state.spec.texts) - len(state.withdrawn)
    tops = [k for k in (1, FEW) if k < n]
    return [*(Goal(kind="top", ranks=(k,), probability=0.9) for k in tops), Goal(kind="order", probability=0.85)]


def advice(goals: Sequence[Goal], state: RunState, table: Standings) -> list[Advice]:
    """For each of the goals; nothing where nothing was decided."""
    posterior, compared = standing(state, table), table.comparisons - table.scores
    if posterior is None or not table.comparisons:
        return []
    return [Advice(goal, certainty(goal, posterior), further(goal, posterior, compared)) for goal in goals]


def advice_words(state: RunState, found: Advice, money: Callable[[float | None], str]) -> str:
    """The advice in a sentence; plain text, not fit for markdown. `money` spells US dollars.

    Judgments to come are taken to tell as much as those so far.
    """
    words = goal_words(found.goal)
    if found.further == 0:
        return f"Settled now ({found.certainty:.0%}): {words}."
    left = judgments_left(state)
    if found.further is None or left == 0:
        judges = "this judge" if len(state.spec.judges) == 1 else "these judges"
        return f"Cannot be settled with these texts and {judges} (now {found.certainty:.0%}): {words}."
    if left is not None and found.further > left:
        return (
            f"Probably not settled by the {left:,} judgment{'s' if left > 1 else ''} still possible, since two texts meet "
            f"once in this run (now {found.certainty:.0%}): {words}."
        )
    each = cost_of_call(state)
    price = "" if each is None else f" ({money(each * found.further * calls_of_judgment(state.spec))})"
    noun = "list" if state.spec.method == "listwise" else "judgment"
    many = noun if found.further == 1 else noun + "s"
    return f"About {found.further:,} more {many}{price} would probably settle {words} (now {found.certainty:.0%})."


def judgments_left(state: RunState) -> int | None:
    """Judgments on the pairs that have not met, where texts meet only once; None where nothing bounds them."""
    spec, left = state.spec, pairs_left(state)
    return None if left is None else left * min(spec.judges_per_match or len(spec.judges), len(spec.judges))


def cost_of_call(state: RunState) -> float | None:
    """The mean of the calls that were really made; None where none was, or where a price is unknown."""
    spent = state.spent
    return None if spent.cost.exact is None or not spent.calls else spent.cost.exact / spent.calls


def calls_of_judgment(spec: Spec) -> float:
    """Calls that one judge's verdict on a match or list takes."""
    return 1.0 if spec.method == "listwise" else spec.mean_orders
