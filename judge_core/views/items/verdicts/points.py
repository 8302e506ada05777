"""Review and gate: the panel's scores on an item, and whether it passes. The gate fails closed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from judge_core.records.item_verdict import PointVerdict
from judge_core.views.items.state import ItemState
from judge_core.views.items.verdicts.panel import LEVEL_MARGIN, Mean, Voice, voices, weighted_mean

Why = Literal["passed", "below_bar", "rejected", "hedged", "no_verdict", "judge_missing"]


@dataclass(frozen=True, slots=True)
class PointPanel:
    """The panel's scores on one item, over the judges that brought a verdict."""

    scores: Mapping[str, Mean]
    """Weighted mean native score by criterion, in the rubric's order."""
    total: float
    """Weighted mean total, 0..1."""
    lowest: float
    """The lowest judge's total."""
    highest: float
    judges: int
    """How many brought a verdict."""

    @property
    def score5(self) -> float:
        """The total on a scale of 1 to 5."""
        return five(self.total)

    @property
    def spread(self) -> float | None:
        """How far the judges' totals lie apart, 0..1; None below two judges."""
        return self.highest - self.lowest if self.judges > 1 else None


@dataclass(frozen=True, slots=True)
class GateDecision:
    """Whether one item passes, and the first reason why not."""

    passed: bool
    score5: float | None
    """The panel's score on a scale of 1 to 5; None where no judge brought a verdict, never 0."""
    why: Why


def five(total: float) -> float:
    """A total of 0..1 on a scale of 1 to 5.

    >>> five(0.0), five(0.625), five(1.0)
    (1.0, 3.5, 5.0)
    """
    return 1.0 + 4.0 * total


def point_panel(state: ItemState, alias: str) -> PointPanel | None:
    """The panel's scores on an item; None where no judge brought a verdict."""
    heard = voices(state.items.get(alias), state.spec.judges, PointVerdict)
    mean = weighted_mean((voice.weight, voice.verdict.total) for voice in heard)
    if mean.value is None:
        return None
    totals = [voice.verdict.total for voice in heard]
    return PointPanel(
        scores={criterion.name: score_mean(heard, criterion.name) for criterion in state.spec.rubric.criteria},
        total=mean.value,
        lowest=min(totals),
        highest=max(totals),
        judges=len(heard),
    )


def score_mean(heard: list[Voice[PointVerdict]], criterion: str) -> Mean:
    """The panel's native score on a criterion, over the judges that gave one."""
    return weighted_mean((voice.weight, voice.verdict.scores.get(criterion)) for voice in heard)


def gate_decision(state: ItemState, alias: str) -> GateDecision:
    """Whether an item passes: every judge of the panel brought a verdict, their score reaches the bar, none said otherwise.

    Of several reasons the first counts: no verdict, a judge missing, below the bar, rejected, hedged.
    """
    panel = point_panel(state, alias)
    if panel is None:
        return GateDecision(False, None, "no_verdict")
    why = _why(state, alias, panel)
    return GateDecision(why == "passed", panel.score5, why)


def _why(state: ItemState, alias: str, panel: PointPanel) -> Why:
    if panel.judges < len(state.spec.judges):
        return "judge_missing"
    if not panel.score5 >= state.spec.bar - LEVEL_MARGIN:
        return "below_bar"
    stated = {voice.verdict.stated for voice in voices(state.items.get(alias), state.spec.judges, PointVerdict)}
    if "fail" in stated:
        return "rejected"
    return "hedged" if "hedged" in stated else "passed"


def gate_passed(state: ItemState) -> bool:
    """Whether the gate opens: the run judges by a bar, is done, and every item passes."""
    if state.spec.mode != "gate" or state.status != "done":
        return False
    return all(gate_decision(state, item.alias).passed for item in state.spec.items)
