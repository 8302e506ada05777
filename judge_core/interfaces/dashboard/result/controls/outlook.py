"""What further rounds would cost, and what more judgments would probably settle."""

from __future__ import annotations

from typing import NamedTuple

import streamlit as st

from judge_core.interfaces.dashboard.result.shown import Chosen, RunKey, Shown
from judge_core.interfaces.dashboard.result.words import dollars, plural
from judge_core.ranking.goals import certainty, further, goal_words
from judge_core.records.spec import Goal, Narrowing, Spec
from judge_core.views.chances import standing
from judge_core.views.meetings import pairs_left
from judge_core.views.standings import Standings
from judge_core.views.state import RunState

FEW = 5
"""The K of the top that is spoken of where the run has no goal of its own."""


class Outlook(NamedTuple):
    """What further rounds would need, at the most."""

    calls: int
    cost: float | None
    """US dollars; None: unknown."""
    judgments: int


class Advice(NamedTuple):
    """How far a goal is reached, and how many more judgments would probably reach it."""

    goal: Goal
    certainty: float
    further: int | None
    """None: out of reach."""


def outlook(shown: Shown, rounds: int) -> Outlook:
    """So many further rounds over the texts that take part. Money by what calls cost so far, else by the estimate."""
    found, each = shown.bench.estimate(_further_spec(shown.state, rounds)), cost_of_call(shown.state)
    judgments = round(found.calls / calls_of_judgment(shown.state.spec))
    left = judgments_left(shown.state)
    share = 1.0 if left is None or judgments <= left else left / judgments
    cost = found.cost if each is None else each * found.calls
    return Outlook(round(share * found.calls), None if cost is None else share * cost, round(share * judgments))


def judgments_left(state: RunState) -> int | None:
    """Judgments on the pairs that have not met, where texts meet only once; None where nothing bounds them."""
    spec, left = state.spec, pairs_left(state)
    return None if left is None else left * min(spec.judges_per_match or len(spec.judges), len(spec.judges))


def _further_spec(state: RunState, rounds: int) -> Spec:
    """As many rounds as a run of their own: lists go on as lists, every other method with a match for each two texts."""
    texts = tuple(text for text in state.spec.texts if text.alias not in state.withdrawn)
    method = "listwise" if state.spec.method == "listwise" else "swiss"
    fields = {
        "texts": texts, "rounds": rounds, "method": method, "warm_start": False, "narrowing": Narrowing(), "rematches": True,
    }  # fmt: skip
    return state.spec.model_copy(update=fields)


def cost_of_call(state: RunState) -> float | None:
    """The mean of the calls that were really made; None where none was, or where a price is unknown."""
    spent = state.spent
    return None if spent.cost.exact is None or not spent.calls else spent.cost.exact / spent.calls


def calls_of_judgment(spec: Spec) -> float:
    """Calls that one judge's verdict on a match or list takes."""
    if spec.method == "listwise":
        return 1.0
    return 2.0 if spec.both_orders else 1.1 if spec.order_check else 1.0


def advice(shown: Shown) -> list[Advice]:
    """For the run's own goal, else for a few that people ask for."""
    goals = goals_of(shown.state)
    return _advice(shown.key, shown.chosen, repr(goals), goals, shown.state, shown.table)


def goals_of(state: RunState) -> list[Goal]:
    """The run's own goal; without one, the best, the top and the whole order."""
    if state.goal is not None:
        return [state.goal]
    n = len(state.spec.texts) - len(state.withdrawn)
    tops = [k for k in (1, FEW) if k < n]
    return [*(Goal(kind="top", ranks=(k,), probability=0.9) for k in tops), Goal(kind="order", probability=0.85)]


@st.cache_resource(max_entries=16, show_spinner=False)
def _advice(
    key: RunKey, chosen: Chosen, named: str, _goals: list[Goal], _state: RunState, _table: Standings
) -> list[Advice]:
    posterior, compared = standing(_state, _table), _table.comparisons - _table.scores
    if posterior is None:
        return []
    return [Advice(goal, certainty(goal, posterior), further(goal, posterior, compared)) for goal in _goals]


def advice_words(shown: Shown, found: Advice) -> str:
    """The advice in a sentence; plain text, not fit for markdown.

    Judgments to come are taken to tell as much as those so far.
    """
    words = goal_words(found.goal)
    if found.further == 0:
        return f"Settled now ({found.certainty:.0%}): {words}."
    left = judgments_left(shown.state)
    if found.further is None or left == 0:
        judges = "this judge" if len(shown.state.spec.judges) == 1 else "these judges"
        return f"Cannot be settled with these texts and {judges} (now {found.certainty:.0%}): {words}."
    if left is not None and found.further > left:
        return (
            f"Probably not settled by the {plural(left, 'judgment')} still possible, since two texts meet once in this run (now "
            f"{found.certainty:.0%}): {words}."
        )
    each = cost_of_call(shown.state)
    money = "" if each is None else f" ({dollars(each * found.further * calls_of_judgment(shown.state.spec))})"
    noun = "list" if shown.state.spec.method == "listwise" else "judgment"
    many = noun if found.further == 1 else noun + "s"
    return f"About {found.further:,} more {many}{money} would probably settle {words} (now {found.certainty:.0%})."


def rounds_for(shown: Shown, found: list[Advice]) -> int | None:
    """The fewest rounds in which one of these is probably settled; None where none is within reach."""
    left, each = judgments_left(shown.state), outlook(shown, 1).judgments
    wanted = [one.further for one in found if one.further and (left is None or one.further <= left)]
    return max(1, -(-min(wanted) // max(each, 1))) if wanted else None
