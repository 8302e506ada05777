"""Single simulated runs, each a plain function of its arguments, so that several processes can share them out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from judge_core.ranking.bradley_terry.posterior import MEAN, POINTS_PER_LOGIT
from judge_core.ranking.goals import reached
from judge_core.records.spec import Goal

from .judge import judge
from .run import Orders, Run, State, spec_of, tau, top_precision


@dataclass(frozen=True)
class Setting:
    """What is played, by whom it is judged, and for how long."""

    n: int
    accuracy: float
    calls: float
    """A text, at the most."""
    fields: Mapping[str, object] = field(default_factory=dict)
    """Of the spec."""
    traits: Mapping[str, float] = field(default_factory=dict)
    """Of the judge."""
    orders: Orders = "once"
    strong: float = np.inf
    by_elo: bool = False
    """Rated by the live Elo instead of the published rating."""

    @property
    def top(self) -> int:
        """The best quarter."""
        return max(1, self.n // 4)

    def run(self, seed: int) -> Run:
        """A run that is about to begin."""
        judged = judge(self.n, self.accuracy, seed, **self.traits)
        spec = spec_of(judged.truth, seed, **self.fields)
        return Run(spec, judged, np.random.default_rng([seed, 1]), self.orders, self.strong)


def states(setting: Setting, seed: int) -> list[State]:
    """The order after each wave."""
    run = setting.run(seed)
    found = []
    for _ in run.play(setting.calls):
        found.append(_by_elo(run, setting.top) if setting.by_elo else run.state(setting.top))
    return found


def _by_elo(run: Run, k: int) -> State:
    true, found = (np.array([values[text] for text in run.items]) for values in (run.judge.truth, run.ratings))
    return State(run.calls / len(run.items), tau(found, true), top_precision(found, true, k))


class Stop(NamedTuple):
    """Where a goal stopped a run."""

    calls: float
    """A text."""
    truly: float
    """The share that the goal speaks of, as it really was: pairs in the right order, or texts that belong to the top."""
    stopped: bool
    """False: the calls ran out first."""


def stop(setting: Setting, goal: Goal, seed: int) -> Stop:
    """Plays until the goal is reached."""
    run, met = setting.run(seed), False
    for _ in run.play(setting.calls):
        if met := reached(goal, run.posterior()):
            break
    state = run.state(goal.ranks[0] if goal.kind == "top" else setting.top)
    return Stop(state.calls, state.top if goal.kind == "top" else (1 + state.tau) / 2, met)


class Coverage(NamedTuple):
    """Over the texts of one run."""

    covered: float
    """Share of the true strengths inside the 95 % interval."""
    width: float
    """Of the intervals, in logits."""


def coverage(setting: Setting, seed: int) -> Coverage:
    """How many of the published intervals hold the truth once the calls are made."""
    run = setting.run(seed)
    for _ in run.play(setting.calls):
        pass
    posterior = run.posterior()
    true = np.array([run.judge.truth[text] for text in run.items])
    true = MEAN + POINTS_PER_LOGIT * (true - true.mean())
    intervals = np.array([posterior.interval(text) for text in run.items])
    inside = (intervals[:, 0] <= true) & (true <= intervals[:, 1])
    return Coverage(float(inside.mean()), float(np.diff(intervals).mean()) / POINTS_PER_LOGIT)
