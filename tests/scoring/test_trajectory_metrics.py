"""Figures of agent runs: shares of labels, and pass^k against its definition."""

from __future__ import annotations

from itertools import combinations
from math import isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_core.records.errors import InputError
from judge_core.records.item_verdict import Goal, StepLabel, StepWorth
from judge_core.scoring.trajectory.metrics import agent_metrics, pass_hat_k


def labels(*rows: tuple[StepWorth, bool | None]) -> list[StepLabel]:
    return [StepLabel(step=step, label=label, call_correct=call) for step, (label, call) in enumerate(rows, start=1)]


def test_known_figures_of_a_run() -> None:
    metrics = agent_metrics(
        "partly",
        labels(("useful", True), ("useful", None), ("redundant", False), ("harmful", False), ("useful", True)),
    )
    assert metrics.goal == 0.5
    assert (metrics.useful_steps, metrics.redundant_steps, metrics.harmful_steps) == (0.6, 0.2, 0.2)
    assert (metrics.call_correctness, metrics.efficiency) == (0.5, 0.6)


@pytest.mark.parametrize(("goal", "value"), [("achieved", 1.0), ("partly", 0.5), ("not_achieved", 0.0)])
def test_the_goal_as_a_number(goal: Goal, value: float) -> None:
    assert agent_metrics(goal, labels(("useful", None))).goal == value


def test_what_cannot_be_measured_is_none_and_never_a_number() -> None:
    empty = agent_metrics("achieved", [])
    assert (empty.useful_steps, empty.redundant_steps, empty.harmful_steps, empty.efficiency) == (None,) * 4
    assert agent_metrics("achieved", labels(("useful", None))).call_correctness is None


@given(
    st.lists(
        st.tuples(st.sampled_from(["useful", "redundant", "harmful"]), st.sampled_from([True, False, None])), min_size=1
    )
)
def test_the_shares_of_the_labels_make_one(rows: list[tuple[StepWorth, bool | None]]) -> None:
    metrics = agent_metrics("achieved", labels(*rows))
    shares = (metrics.useful_steps, metrics.redundant_steps, metrics.harmful_steps)
    assert isclose(sum(share for share in shares if share is not None), 1)
    assert metrics.efficiency == metrics.useful_steps


TRIALS = st.dictionaries(st.text(max_size=3), st.lists(st.booleans(), min_size=3, max_size=6), min_size=1, max_size=4)


@given(TRIALS, st.integers(1, 3))
def test_pass_hat_k_is_the_share_of_draws_of_k_trials_that_all_succeed(tasks: dict[str, list[bool]], k: int) -> None:
    by_hand = [
        sum(map(all, draws)) / len(draws) for trials in tasks.values() if (draws := list(combinations(trials, k)))
    ]
    found = pass_hat_k(tasks, k)
    assert found is not None and isclose(found, sum(by_hand) / len(by_hand), abs_tol=1e-12)


@given(TRIALS)
def test_more_trials_are_never_passed_more_often(tasks: dict[str, list[bool]]) -> None:
    one, two, three = (pass_hat_k(tasks, k) for k in (1, 2, 3))
    assert one is not None and two is not None and three is not None
    assert one + 1e-12 >= two and two + 1e-12 >= three


def test_pass_hat_k_says_nothing_where_a_task_has_too_few_trials() -> None:
    assert pass_hat_k({}, 1) is None
    assert pass_hat_k({"a": [True] * 4, "b": [True]}, 2) is None
    with pytest.raises(InputError, match="at least 1, not 0"):
        pass_hat_k({"a": [True]}, 0)
