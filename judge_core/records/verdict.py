"""What a reply was read to, and what a judge decided on a match."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from judge_core.records.prompt import Usage
from judge_core.records.record import Notice, Record

Side = Literal["A", "B"]
Winner = Literal["A", "B", "tie"]
JudgmentClass = Literal[
    "won", "lost", "tied", "flipped", "unparseable", "failed", "held", "cancelled", "waiting", "ranked", "scored",
    "unchosen",
]  # fmt: skip
"""From the side of the match's first text `a`; `ranked` is a list, `scored` a text by itself, `unchosen` a verdict without
the judge's overall choice, where a run is ranked by that. The ledger's classes: every judgment is exactly one of them."""
Degree = Literal["slightly", "clearly"]
"""How far ahead a judge says that the winner is."""
DECIDED: tuple[JudgmentClass, ...] = ("won", "lost", "tied", "flipped")
"""The classes that carry a result."""
LEDGER: tuple[JudgmentClass, ...] = (
    "won", "lost", "tied", "flipped", "unparseable", "failed", "held", "cancelled", "waiting",
)  # fmt: skip
"""The classes of matches, in the order shown."""
LISTED: tuple[JudgmentClass, ...] = ("ranked", "scored")
"""The classes that stand before them where a run ranks lists or scores texts."""


LEVELS: dict[tuple[Winner, Degree], float] = {
    ("A", "clearly"): 1.0, ("A", "slightly"): 0.75, ("B", "slightly"): 0.25, ("B", "clearly"): 0.0,
}  # fmt: skip
"""The levels from A's side; a tie is 0.5."""


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
    degree: Degree | None = None
    """As stated, with whatever winner."""

    @property
    def level(self) -> float | None:
        """The five levels from A's side: 1 much better, .75 better, .5 tied, .25 worse, 0 much worse.

        The side is that of the recomputed winner. None where no degree was stated, or with another winner than this one.
        """
        if self.stated not in (None, self.winner):
            return None
        if self.winner == "tie":
            return 0.5
        return None if self.degree is None else LEVELS[self.winner, self.degree]


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
    level: float | None = Field(default=None, ge=0, le=1)
    """How much better a is, in five levels from 0 to 1; None where that was not asked for or not said."""
    probability: float | None = Field(default=None, ge=0, le=1)
    """The judge's own probability that a is the better one, a tie counted half; None where no tokens told."""


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
    level: float | None = Field(default=None, ge=0, le=1)
    """Mean of the orders' levels; None where one of them has none."""
    probability: float | None = Field(default=None, ge=0, le=1)
    """Mean of the orders' probabilities; None where one of them has none."""

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
