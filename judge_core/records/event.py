"""The stream of events: the truth of a run. Every screen, file and number is a function of it.

Events and inputs share one gapless sequence per run. An event holds no text of an artifact and none of a reply.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from judge_core.records.item_verdict import ItemJudgment
from judge_core.records.record import Record
from judge_core.records.refinement.events import (
    IncumbentAccepted,
    NoteGiven,
    PassComplete,
    RefinementEnded,
    RefinementStarted,
    StepTaken,
    VoteCast,
)
from judge_core.records.refinement.nouns import Written
from judge_core.records.spec import Caps, Goal, ItemMode, RunSpec, TextRef
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
    groups: tuple[tuple[str, ...], ...] = ()
    """Lists to be ranked in one call each, in the order shown."""
    singles: tuple[str, ...] = ()
    """Texts to be scored by themselves."""
    title: str = ""
    """What the round is, where its number does not say it: 'Final', 'Scores first', 'Late texts'."""


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


class GroupJudged(Record):
    """A list of texts was ranked by the panel, best first. Elo moves once, as if each pair of the list had met."""

    type: Literal["group_judged"] = "group_judged"
    place: int
    round: int
    texts: tuple[str, ...]
    """Aliases in the order shown; the candidates' numbers in the verdicts count from 1 in this order."""
    replicate: int = 0
    judgments: tuple[ItemJudgment, ...]
    elo: dict[str, float]
    """The texts' Elo after it (unchanged where no judgment is decided)."""


class TextScored(Record):
    """A text was scored by itself by the panel. No Elo moves."""

    type: Literal["text_scored"] = "text_scored"
    place: int
    round: int
    text: str
    replicate: int = 0
    judgments: tuple[ItemJudgment, ...]


class RoundTrimmed(Record):
    """What the round was still to ask about texts that were withdrawn falls away; what is on its way is judged."""

    type: Literal["round_trimmed"] = "round_trimmed"
    round: int
    pairs: tuple[tuple[str, str], ...] = ()
    groups: tuple[tuple[str, ...], ...] = ()
    """Lists as they were paired."""
    left: tuple[tuple[str, ...], ...] = ()
    """Of each of these lists what is asked in its stead; empty where fewer than two texts are left."""
    singles: tuple[str, ...] = ()


class GoalReached(Record):
    """What the run was to settle is settled; nothing more is paired."""

    type: Literal["goal_reached"] = "goal_reached"
    certainty: float = Field(ge=0, le=1)
    """Measured as the goal says."""
    round: int


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


class TextsAdded(Record):
    """Input: texts that came late. In a finished run they meet well-chosen opponents only."""

    type: Literal["texts_added"] = "texts_added"
    texts: tuple[TextRef, ...]


class TextsWithdrawn(Record):
    """Input: texts that take no further part and get no rank; what was judged on them still tells about the others."""

    type: Literal["texts_withdrawn"] = "texts_withdrawn"
    texts: tuple[str, ...]
    """Aliases."""


class RunExtended(Record):
    """Input: go on for so many further rounds, though the schedule was played or the goal reached."""

    type: Literal["run_extended"] = "run_extended"
    rounds: int = Field(ge=1, le=1000)
    goal: Goal | None = None
    """The new goal; None: play all of the further rounds."""


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


Input = Annotated[
    Cancelled | CapsRaised | RetryAsked | TextsAdded | TextsWithdrawn | RunExtended | NoteGiven | IncumbentAccepted,
    Field(discriminator="type"),
]
Event = Annotated[
    Started
    | RoundPaired
    | MatchJudged
    | GroupJudged
    | TextScored
    | GoalReached
    | RoundTrimmed
    | RoundClosed
    | ItemsStarted
    | ItemJudged
    | RefinementStarted
    | StepTaken
    | VoteCast
    | PassComplete
    | RefinementEnded
    | NoteGiven
    | IncumbentAccepted
    | Cancelled
    | CapsRaised
    | RetryAsked
    | TextsAdded
    | TextsWithdrawn
    | RunExtended
    | TakenOver
    | Ended,
    Field(discriminator="type"),
]
Judged = MatchJudged | GroupJudged | TextScored | ItemJudged | StepTaken | VoteCast
"""The events that answer a place."""


def text_hashes(spec: RunSpec, events: Iterable[Event]) -> tuple[str, ...]:
    """Content hashes of all that may be shown to a judge of a run: of its spec, and of the texts that came on the way."""
    return tuple(dict.fromkeys((*spec.text_hashes, *brought_hashes(events))))


def brought_hashes(events: Iterable[Event]) -> tuple[str, ...]:
    """Content hashes of the texts that these events bring: late ones, notes, what critics and authors wrote."""
    return tuple(text.sha256 for event in events for text in _brought(event))


def _brought(event: Event) -> Sequence[TextRef | Written]:
    match event:
        case TextsAdded():
            return event.texts
        case NoteGiven():
            return (event.note,)
        case StepTaken():
            return () if event.writing.written is None else (event.writing.written,)
        case _:
            return ()


EVENT: TypeAdapter[Event] = TypeAdapter(Event)
INPUTS = (Cancelled, CapsRaised, RetryAsked, TextsAdded, TextsWithdrawn, RunExtended, NoteGiven, IncumbentAccepted)
"""The kinds of inputs, for `isinstance`."""
INPUT: TypeAdapter[Input] = TypeAdapter(Input)


class Stored(Record):
    """An event as it stands in the journal."""

    seq: int
    """From 1, without gaps."""
    at: str
    """UTC, ISO 8601. For people; no number depends on it."""
    event: Event
