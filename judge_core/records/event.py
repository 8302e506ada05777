"""The stream of events: the truth of a run. Every screen, file and number is a function of it.

Events and inputs share one gapless sequence per run. An event holds no text of an artifact and none of a reply.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from judge_core.records.item_verdict import ItemJudgment
from judge_core.records.record import Record
from judge_core.records.spec import Caps, ItemMode
from judge_core.records.verdict import Judgment

RunStatus = Literal["waiting", "running", "done", "failed", "cancelled", "budget", "paused"]
"""`paused`: stopped by a person or a shutdown, goes on with Resume. `budget`: a cap was reached. `failed`: a judge is unusable."""


class Started(Record):
    """The first event of each run."""

    type: Literal["started"] = "started"
    texts: int
    judges: tuple[str, ...]
    planned_matches: int
    """Matches that the schedule foresees over all rounds."""


class RoundPaired(Record):
    """A round's pairings, in the order asked."""

    type: Literal["round_paired"] = "round_paired"
    round: int
    """From 1."""
    pairs: tuple[tuple[str, str], ...]
    byes: tuple[str, ...] = ()
    band: tuple[int, int]
    """The ranks (from 1, inclusive) that compete in this round."""


class MatchJudged(Record):
    """A match was judged by the whole panel. Elo moves once, by the panel's weighted mean result."""

    type: Literal["match_judged"] = "match_judged"
    place: int
    """The match's number in the order asked, from 1; `?match=` names it."""
    round: int
    a: str
    b: str
    replicate: int = 0
    """How many times the pair was asked before; a retry asks only the judges that gave no verdict."""
    judgments: tuple[Judgment, ...]
    result: float | None
    """Weighted mean result for a, or None: no judgment is valid and no rating moves."""
    elo: dict[str, float]
    """Both texts' Elo after the match (unchanged where `result` is None)."""


class RoundClosed(Record):
    type: Literal["round_closed"] = "round_closed"
    round: int


class ItemsStarted(Record):
    """The first event of a run that judges items one by one."""

    type: Literal["items_started"] = "items_started"
    mode: ItemMode
    items: int
    judges: tuple[str, ...]


class ItemJudged(Record):
    """An item was judged by the whole panel, or, in a retry, by those that had brought no verdict."""

    type: Literal["item_judged"] = "item_judged"
    place: int
    """The item's number in the order asked, from 1."""
    item: str
    """Its alias."""
    replicate: int = 0
    judgments: tuple[ItemJudgment, ...]


class Cancelled(Record):
    """Input: a person ended the run for good. What is open is given up."""

    type: Literal["cancelled"] = "cancelled"


class CapsRaised(Record):
    """Input: new caps."""

    type: Literal["caps_raised"] = "caps_raised"
    caps: Caps


class RetryAsked(Record):
    """Input: judge again each match or item that has an unparseable or failed judgment, with a raised replicate."""

    type: Literal["retry_asked"] = "retry_asked"


class TakenOver(Record):
    """Another process took the run over from one that did not end cleanly; calls then in flight may have been paid."""

    type: Literal["taken_over"] = "taken_over"
    calls_charged: int
    cost_charged: float | None


class Ended(Record):
    """The run stopped. May recur after a Resume: the last one counts."""

    type: Literal["ended"] = "ended"
    status: RunStatus
    reason: str
    """A sentence: what ended it and, where something is wrong, the remedy."""


Input = Annotated[Cancelled | CapsRaised | RetryAsked, Field(discriminator="type")]
Event = Annotated[
    Started
    | RoundPaired
    | MatchJudged
    | RoundClosed
    | ItemsStarted
    | ItemJudged
    | Cancelled
    | CapsRaised
    | RetryAsked
    | TakenOver
    | Ended,
    Field(discriminator="type"),
]
Judged = MatchJudged | ItemJudged
"""The events that answer a place."""
EVENT: TypeAdapter[Event] = TypeAdapter(Event)
INPUT: TypeAdapter[Input] = TypeAdapter(Input)


class Stored(Record):
    """An event as it stands in the journal."""

    seq: int
    """From 1, without gaps."""
    at: str
    """UTC, ISO 8601. For people; no number depends on it."""
    event: Event
