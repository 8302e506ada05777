"""Repeated trials of an agent's tasks: how often it succeeds every time, by an outside check and by the judges."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from judge_core.scoring.trajectory.metrics import pass_hat_k
from judge_core.views.items.state import ItemState
from judge_core.views.items.verdicts.agent import agent_panel

MOST_TRIALS = 8
"""The highest k of pass^k that is shown."""
Trials = dict[str, list[bool]]
"""Successes by task; empty where they are not known for every run."""


def trial_figures(state: ItemState) -> Iterator[tuple[str, float, int]]:
    """(name, pass^k, tasks) for k from 1 to the fewest trials of a task; nothing where no task is repeated.

    By the outside check only where the data has it for every run; by the judges only where every run has their verdict.
    """
    for source, successes in (("outside check", _checked(state)), ("judges", _judged(state))):
        fewest = min((len(trials) for trials in successes.values()), default=0)
        if fewest < 2:
            continue
        for k in range(1, min(fewest, MOST_TRIALS) + 1):
            value = pass_hat_k(successes, k)
            if value is not None:
                yield f"pass^{k} ({source})", value, len(successes)


def _checked(state: ItemState) -> Trials:
    return _by_task(state, {item.alias: item.success for item in state.spec.items})


def _judged(state: ItemState) -> Trials:
    """A run counts as a success where the panel takes its goal for achieved."""
    panels = {item.alias: agent_panel(state, item.alias) for item in state.spec.items}
    return _by_task(
        state, {alias: None if panel is None else panel.goal == "achieved" for alias, panel in panels.items()}
    )


def _by_task(state: ItemState, found: Mapping[str, bool | None]) -> Trials:
    trials: Trials = {}
    for item in state.spec.items:
        success = found[item.alias]
        if not item.trial or success is None:
            return {}
        trials.setdefault(item.trial, []).append(success)
    return trials
