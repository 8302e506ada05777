"""Agent runs: what the panel makes of the goal and of each step, and the patterns that rules and judges found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from judge_core.records.item import Pattern, PatternName
from judge_core.records.item_verdict import AgentMetrics, AgentVerdict, Goal, StepLabel, StepWorth
from judge_core.views.items.state import ItemState
from judge_core.views.items.verdicts.panel import Mean, Voice, majority, voices, weighted_mean

AGENT_METRICS = tuple(AgentMetrics.model_fields)
Voices = list[Voice[AgentVerdict]]
RULES = -1
"""Stands for the rules where a judge's number is expected."""


@dataclass(frozen=True, slots=True)
class StepPanel:
    """One step and how the panel labelled it."""

    step: int
    label: StepWorth | Literal["disputed"] | None
    """The label with the most weight, 'disputed' where two have the most; None where no judge labelled it."""
    call_correct: bool | None
    """Whether its tool call was right; None where it calls none, or the panel is evenly split."""
    votes: Mapping[int, StepLabel]


@dataclass(frozen=True, slots=True)
class PatternPanel:
    """One way of going astray, and who found it in the run. What the rules say of it goes before what judges say."""

    name: PatternName
    severity: int
    """The highest that the rules gave, or else the judges."""
    steps: tuple[int, ...]
    """All steps that the rules named for it, or else the judges."""
    rules: bool
    """Whether the rules found it."""
    judges: int
    """How many judges found it."""


@dataclass(frozen=True, slots=True)
class AgentPanel:
    """The panel's verdict on one run of an agent."""

    goal: Goal | Literal["disputed"]
    goals: Mapping[int, Goal]
    """Judge -> whether it sees the goal reached."""
    metrics: Mapping[str, Mean]
    """Weighted mean over the judges to whom there was something to measure, by metric."""
    steps: tuple[StepPanel, ...]
    judges: int


def agent_panel(state: ItemState, alias: str) -> AgentPanel | None:
    """The panel's verdict on a run; None where no judge brought one."""
    heard = voices(state.items.get(alias), state.spec.judges, AgentVerdict)
    if not heard:
        return None
    return AgentPanel(
        goal=majority((voice.weight, voice.verdict.goal) for voice in heard) or "disputed",
        goals={voice.judge: voice.verdict.goal for voice in heard},
        metrics={name: _metric(heard, name) for name in AGENT_METRICS},
        steps=_steps(heard, len(state.spec.by_alias[alias].of("step"))),
        judges=len(heard),
    )


def _metric(heard: Voices, name: str) -> Mean:
    return weighted_mean((voice.weight, getattr(voice.verdict.metrics, name)) for voice in heard)


def _steps(heard: Voices, taken: int) -> tuple[StepPanel, ...]:
    votes: dict[int, dict[int, StepLabel]] = {number: {} for number in range(1, taken + 1)}
    weights = {voice.judge: voice.weight for voice in heard}
    for voice in heard:
        for label in voice.verdict.steps:
            votes.setdefault(label.step, {})[voice.judge] = label
    return tuple(_step(number, own, weights) for number, own in sorted(votes.items()))


def _step(number: int, votes: Mapping[int, StepLabel], weights: Mapping[int, float]) -> StepPanel:
    worth = majority((weights[judge], label.label) for judge, label in votes.items())
    calls = [(weights[judge], label.call_correct) for judge, label in votes.items() if label.call_correct is not None]
    return StepPanel(
        step=number,
        label=worth or ("disputed" if votes else None),
        call_correct=majority(calls),
        votes=votes,
    )


def judged_patterns(state: ItemState, alias: str) -> tuple[Pattern, ...]:
    """All patterns that judges named in a run, judge by judge."""
    said = voices(state.items.get(alias), state.spec.judges, AgentVerdict)
    return tuple(pattern for voice in said for pattern in voice.verdict.patterns)


def patterns(state: ItemState, alias: str) -> tuple[PatternPanel, ...]:
    """The patterns found in a run by the rules or by judges, the gravest first; those of the rules need no verdict."""
    found = [(pattern, RULES) for pattern in state.spec.by_alias[alias].patterns]
    for voice in voices(state.items.get(alias), state.spec.judges, AgentVerdict):
        found += [(pattern, voice.judge) for pattern in voice.verdict.patterns]
    names = dict.fromkeys(pattern.name for pattern, _ in found)
    panels = [_pattern(name, [pair for pair in found if pair[0].name == name]) for name in names]
    return tuple(sorted(panels, key=lambda panel: (-panel.severity, panel.name)))


def _pattern(name: PatternName, found: list[tuple[Pattern, int]]) -> PatternPanel:
    ruled = [pattern for pattern, finder in found if finder == RULES]
    shown = ruled or [pattern for pattern, _ in found]
    return PatternPanel(
        name=name,
        severity=max(pattern.severity for pattern in shown),
        steps=tuple(sorted({step for pattern in shown for step in pattern.steps})),
        rules=bool(ruled),
        judges=len({finder for _, finder in found} - {RULES}),
    )
