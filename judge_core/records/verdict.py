"""What a reply was read to, and what a judge decided on a match."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from judge_core.records.prompt import Usage
from judge_core.records.record import Notice, Record

Side = Literal["A", "B"]
Winner = Literal["A", "B", "tie"]
JudgmentClass = Literal["won", "lost", "tied", "flipped", "unparseable", "failed", "held", "cancelled", "waiting"]
"""From the side of the match's first text `a`. The ledger's classes: every judgment is exactly one of them."""
DECIDED: tuple[JudgmentClass, ...] = ("won", "lost", "tied", "flipped")
"""The classes that carry a result."""
LEDGER: tuple[JudgmentClass, ...] = (
    "won", "lost", "tied", "flipped", "unparseable", "failed", "held", "cancelled", "waiting",
)  # fmt: skip


class PairScores(Record):
    """Native scores of one criterion, clamped to its scale: `a` for text A as labelled where the record stands."""

    a: float
    b: float


class CriterionReason(Record):
    name: str
    text: str


class Quote(Record):
    side: Side
    text: str


class PairReading(Record):
    """A pairwise reply as read. Sides are as shown to the judge. Re-made from the raw reply whenever it is shown."""

    scores: dict[str, PairScores]
    """By criterion, in the rubric's order. Empty where a reply in prose gave no scores by criterion."""
    totals: PairScores
    """Weighted, normalised to 0..1."""
    winner: Winner
    """Recomputed from the totals; the stated one only warns."""
    stated: Winner | None = None
    reasons: tuple[CriterionReason, ...] = ()
    overall: str = ""
    quotes: tuple[Quote, ...] = ()
    warnings: tuple[Notice, ...] = ()


class PointReading(Record):
    """A pointwise reply as read."""

    scores: dict[str, float]
    total: float
    """Weighted, normalised to 0..1."""
    reasons: tuple[CriterionReason, ...] = ()
    overall: str = ""
    quotes: tuple[str, ...] = ()
    warnings: tuple[Notice, ...] = ()


class Turn(Record):
    """One prompt of a dialogue and what became of it."""

    turn: int
    first: str
    """Which of the judge's questions it is: in a match the alias of the text shown first (as A), else the step's name."""
    repair: bool = False
    status: Literal["ok", "unparseable", "failed"]
    reply_sha256: str | None = None
    key: str = ""
    cached: bool = False
    usage: Usage = Usage()
    cost: float | None = 0.0
    calls: int = 0
    seconds: float = 0.0
    error: str | None = None
    """Why it is not ok: fixed wording of ours, or the provider's message."""
    answered_by: str = ""
    """The judge that answered in the place of the one that was asked; '' where that one did."""


class OrderReading(Record):
    """The verdict of one presentation order, sides turned back to the match's own a and b."""

    first: str
    turn: int
    scores: dict[str, PairScores]
    totals: PairScores
    winner: Winner
    """'A' is the match's text a."""
    stated: Winner | None = None


class JudgesShare(Record):
    """What one judge of the panel was asked at a place, and what came of it."""

    judge: int
    """Index into the spec's judges."""
    turns: tuple[Turn, ...] = ()
    warnings: tuple[Notice, ...] = ()

    @property
    def cost(self) -> float | None:
        """US dollars, None if any turn's cost is unknown."""
        costs = [turn.cost for turn in self.turns]
        return None if None in costs else sum(c for c in costs if c is not None)

    @property
    def cached(self) -> bool:
        """Whether every answer came from the cache."""
        return bool(self.turns) and all(turn.cached for turn in self.turns)


class Judgment(JudgesShare):
    """One match by one judge: one call, or two when both orders are asked, repairs aside."""

    outcome: JudgmentClass
    result: float | None = Field(default=None, ge=0, le=1)
    """1 where a won, 0 where b won, 0.5 for tied and flipped; None where nothing was decided."""
    scores: dict[str, PairScores] = Field(default_factory=dict)
    """Merged over the orders; sides are the match's a and b."""
    totals: PairScores | None = None
    orders: tuple[OrderReading, ...] = ()

    @property
    def decided(self) -> bool:
        """Whether it carries a result."""
        return self.result is not None


class MatchResult(Record):
    """What a match's dialogue returns: one judgment per judge of the panel, in the panel's order."""

    a: str
    b: str
    judgments: tuple[Judgment, ...]
    stop: str | None = None
    """A judge that no call can reach any more (key, balance): the run must stop with this remedy, and the match stays open."""
