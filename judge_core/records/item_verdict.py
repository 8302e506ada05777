"""What judges decided on an item: one verdict by judge, of the kind that the run's mode gives.

Nothing here holds a word of an artifact or of a reply: claims, passages, candidates and steps are numbers from 1.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from judge_core.records.item import Pattern
from judge_core.records.record import Record
from judge_core.records.verdict import JudgesShare

Label = Literal["supported", "contradicted", "not_found"]
StepWorth = Literal["useful", "redundant", "harmful"]
Goal = Literal["achieved", "partly", "not_achieved"]


class PointVerdict(Record):
    """Review and gate: scores on every criterion."""

    kind: Literal["point"] = "point"
    scores: dict[str, float]
    """Native, clamped to each criterion's scale; empty where a reply in prose gave no scores by criterion."""
    total: float = Field(ge=0, le=1)
    """Weighted, normalised."""
    stated: Literal["pass", "fail", "hedged"] | None = None
    """Gate: what the judge itself said; `hedged` is a pass with a condition, which is no pass."""


class ListVerdict(Record):
    """Listwise: candidates (numbers from 1 in the item's order), best first."""

    kind: Literal["list"] = "list"
    ranking: tuple[int, ...]
    """Merged over the presentation orders, by mean position; equal ones in the item's order."""
    positions: tuple[float, ...]
    """Mean position (1 = best) of candidate 1, 2, ...; equal means are ties."""
    orders: tuple[tuple[int, ...], ...] = ()
    """The ranking that each presentation order brought, in the order asked."""


class ClaimLabel(Record):
    claim: int
    verdict: Label
    passages: tuple[int, ...] = ()
    """The passages that the judge gives as its evidence."""


class RagMetrics(Record):
    """Computed from labels; None where there is nothing to measure, never 1 for that. See `scoring/rag.py`."""

    faithfulness: float | None = None
    contradiction: float | None = None
    context_precision: float | None = None
    context_utilisation: float | None = None
    answer_relevance: float | None = None
    coverage: float | None = None


class RagVerdict(Record):
    """Labels first, figures second."""

    kind: Literal["rag"] = "rag"
    claims: tuple[ClaimLabel, ...]
    relevant: dict[int, bool]
    """By passage."""
    reference_claims: tuple[ClaimLabel, ...] = ()
    """Claims of the reference answer, labelled against the answer."""
    scores: dict[str, float] = Field(default_factory=dict)
    """The answer's scores on the criteria (answer relevance), where they were asked for."""
    metrics: RagMetrics


class StepLabel(Record):
    step: int
    label: StepWorth
    call_correct: bool | None = None
    """Whether the tool and its arguments were right; None for a step that calls none."""


class AgentMetrics(Record):
    """Computed from labels; None where there is nothing to measure. See `scoring/trajectory/`."""

    goal: float | None = None
    """1 achieved, 0.5 partly, 0 not."""
    useful_steps: float | None = None
    redundant_steps: float | None = None
    harmful_steps: float | None = None
    call_correctness: float | None = None
    efficiency: float | None = None


class AgentVerdict(Record):
    kind: Literal["agent"] = "agent"
    goal: Goal
    steps: tuple[StepLabel, ...]
    patterns: tuple[Pattern, ...] = ()
    """Found by this judge, where it was asked; those of the rules stand at the item."""
    metrics: AgentMetrics


ItemVerdict = Annotated[PointVerdict | ListVerdict | RagVerdict | AgentVerdict, Field(discriminator="kind")]
ItemOutcome = Literal["judged", "unparseable", "failed"]


class ItemJudgment(JudgesShare):
    """One item by one judge of the panel."""

    outcome: ItemOutcome
    verdict: ItemVerdict | None = None
    """None unless `outcome` is 'judged'."""

    @property
    def decided(self) -> bool:
        """Whether it carries a verdict."""
        return self.verdict is not None


class ItemResult(Record):
    """What an item's dialogue returns: one judgment per judge that was asked, in the panel's order."""

    item: str
    judgments: tuple[ItemJudgment, ...]
    stop: str | None = None
    """A judge that no call can reach any more: the run must stop with this remedy, and the item stays open."""
