"""Figures of agent runs: shares of labelled steps, correctness of calls, and the chance that k trials all succeed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import comb, fsum

from judge_core.records.errors import InputError
from judge_core.records.item_verdict import AgentMetrics, Goal, StepLabel

GOAL_VALUE: dict[Goal, float] = {"achieved": 1.0, "partly": 0.5, "not_achieved": 0.0}


def agent_metrics(goal: Goal, steps: Sequence[StepLabel]) -> AgentMetrics:
    """The figures of one run from its labels; None where there is nothing to measure.

    `useful_steps`, `redundant_steps`, `harmful_steps`: shares of all labelled steps. `call_correctness`: share of correct
    ones among the steps that call a tool. `efficiency`: useful steps / all steps, whether the goal was reached or not (the
    fewest steps that would have done are not known); so it equals the share of useful steps.

    >>> labels = [StepLabel(step=1, label="useful", call_correct=True), StepLabel(step=2, label="redundant")]
    >>> metrics = agent_metrics("achieved", labels)
    >>> metrics.useful_steps, metrics.call_correctness, metrics.efficiency
    (0.5, 1.0, 0.5)
    >>> agent_metrics("not_achieved", ()).efficiency is None
    True
    """
    called = [step.call_correct for step in steps if step.call_correct is not None]
    useful = _share([step.label == "useful" for step in steps])
    return AgentMetrics(
        goal=GOAL_VALUE[goal],
        useful_steps=useful,
        redundant_steps=_share([step.label == "redundant" for step in steps]),
        harmful_steps=_share([step.label == "harmful" for step in steps]),
        call_correctness=_share(called),
        efficiency=useful,
    )


def _share(marks: Sequence[bool]) -> float | None:
    return sum(marks) / len(marks) if marks else None


def pass_hat_k(successes: Mapping[str, Sequence[bool]], k: int) -> float | None:
    """pass^k: the chance that k trials of a task, drawn without replacement, all succeed, averaged over the tasks.

    For a task with c successes in n trials the unbiased estimate is C(c, k) / C(n, k) (Yao, Shinn, Razavi and Narasimhan:
    tau-bench, 2024, arXiv:2406.12045). None without tasks, and where a task has fewer than k trials: left out, it would
    change what is compared. Raises InputError where k < 1.

    >>> pass_hat_k({"a": [True, True, False], "b": [True, True, True]}, 2)
    0.6666666666666666
    >>> pass_hat_k({"a": [True]}, 2) is None
    True
    """
    if k < 1:
        raise InputError(f"k is the number of trials that must all succeed: at least 1, not {k}.", field="k")
    if not successes or any(len(trials) < k for trials in successes.values()):
        return None
    chances = [comb(sum(map(bool, trials)), k) / comb(len(trials), k) for trials in successes.values()]
    return fsum(chances) / len(chances)
