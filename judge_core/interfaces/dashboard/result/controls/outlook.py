"""What further rounds would cost, and what more judgments would probably settle, kept for the page."""

from __future__ import annotations

from typing import NamedTuple

import streamlit as st

from judge_core.interfaces.dashboard.result.shown import Chosen, RunKey, Shown
from judge_core.interfaces.dashboard.result.words import dollars
from judge_core.records.spec import Goal, Narrowing, Spec
from judge_core.views import outlook as foreseen
from judge_core.views.outlook import Advice, calls_of_judgment, cost_of_call, goals_of, judgments_left
from judge_core.views.standings import Standings
from judge_core.views.state import RunState


class Outlook(NamedTuple):
    """What further rounds would need, at the most."""

    calls: int
    cost: float | None
    """US dollars; None: unknown."""
    judgments: int


def outlook(shown: Shown, rounds: int) -> Outlook:
    """So many further rounds over the texts that take part. Money by what calls cost so far, else by the estimate."""
    found, each = shown.bench.estimate(_further_spec(shown.state, rounds)), cost_of_call(shown.state)
    judgments = round(found.calls / calls_of_judgment(shown.state.spec))
    left = judgments_left(shown.state)
    share = 1.0 if left is None or judgments <= left else left / judgments
    cost = found.cost if each is None else each * found.calls
    return Outlook(round(share * found.calls), None if cost is None else share * cost, round(share * judgments))


def _further_spec(state: RunState, rounds: int) -> Spec:
    """As many rounds as a run of their own: lists go on as lists, every other method with a match for each two texts."""
    texts = tuple(text for text in state.spec.texts if text.alias not in state.withdrawn)
    method = "listwise" if state.spec.method == "listwise" else "swiss"
    fields = {
        "texts": texts, "rounds": rounds, "method": method, "warm_start": False, "narrowing": Narrowing(), "rematches": True,
    }  # fmt: skip
    return state.spec.model_copy(update=fields)


def advice(shown: Shown) -> list[Advice]:
    """For the run's own goal, else for a few that people ask for."""
    goals = goals_of(shown.state)
    return _advice(shown.key, shown.chosen, repr(goals), goals, shown.state, shown.table)


@st.cache_resource(max_entries=16, show_spinner=False)
def _advice(
    key: RunKey, chosen: Chosen, named: str, _goals: list[Goal], _state: RunState, _table: Standings
) -> list[Advice]:
    return foreseen.advice(_goals, _state, _table)


def advice_words(shown: Shown, found: Advice) -> str:
    """The advice in a sentence; plain text, not fit for markdown."""
    return foreseen.advice_words(shown.state, found, dollars)


def rounds_for(shown: Shown, found: list[Advice]) -> int | None:
    """The fewest rounds in which one of these is probably settled; None where none is within reach."""
    left, each = judgments_left(shown.state), outlook(shown, 1).judgments
    wanted = [one.further for one in found if one.further and (left is None or one.further <= left)]
    return max(1, -(-min(wanted) // max(each, 1))) if wanted else None
