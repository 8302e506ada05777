"""What the engine needs of the world, as small Protocols: the workbench plugs in the real things, tests plain ones."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Protocol

from judge_core.records.event import Event, Input, Judged, Stored
from judge_core.records.item_verdict import ItemResult
from judge_core.records.journal import Batch, Lease, StoredCompletion
from judge_core.records.prompt import Ask, Completion, Failure, Need, Prompt, Received
from judge_core.records.refinement.nouns import StepResult, VoteResult
from judge_core.records.result import Result
from judge_core.records.verdict import MatchResult

Flow = (
    Generator[list[Ask], list[Received | Failure], MatchResult]
    | Generator[list[Ask], list[Received | Failure], ItemResult]
    | Generator[list[Ask], list[Received | Failure], StepResult]
    | Generator[list[Ask], list[Received | Failure], VoteResult]
)
"""A dialogue: yields lists of prompts to be asked in parallel, is sent what came back, returns the verdict."""


class Dialogue(Protocol):
    """A match, an item, a step or a vote that a mode wants answered."""

    @property
    def place(self) -> int: ...

    @property
    def need(self) -> Need:
        """What it may ask of each judge."""
        ...

    def open(self) -> Flow:
        """Starts the flow; not called when the recorded events already answer this place."""
        ...


class Mode(Protocol):
    """A state machine without I/O. Equal calls give equal events, whatever the network does."""

    @property
    def conclusion(self) -> str:
        """What to say of a run that has nothing more to ask, in a sentence."""
        ...

    @property
    def hopeless(self) -> str | None:
        """Why the run cannot come to its end although nothing is left to ask; None where it can."""
        ...

    def begin(self) -> list[Event]:
        """The first events of the run."""
        ...

    def ask(self) -> Dialogue | None:
        """The next dialogue; None when there is nothing to ask now."""
        ...

    def take(self, result: Result | Input, place: int | None = None) -> list[Event]:
        """Takes the result of the dialogue at `place`, in the order asked, or an input; returns what happened."""
        ...

    def recall(self, event: Judged) -> Result:
        """The result as `take` wants it, out of a recorded event."""
        ...


class Provider(Protocol):
    """A judge that can be called. `complete` raises CallError."""

    async def complete(self, prompt: Prompt) -> Completion: ...

    async def aclose(self) -> None: ...


class Journal(Protocol):
    """The writing side of the journal; each call is one transaction and blocks."""

    def commit(self, lease: Lease, batch: Batch) -> list[StoredCompletion]: ...

    def accept_input(self, lease: Lease, inbox_id: int, stored: Sequence[Stored]) -> None: ...

    def waiting_inputs(self, run: str) -> list[tuple[int, Input]]: ...

    def renew(self, lease: Lease) -> None: ...


class ReplyCache(Protocol):
    """Replies by prompt key. It never raises: a cache that cannot be used answers None and keeps nothing."""

    def get(self, key: str) -> Completion | None: ...

    def put(self, key: str, completion: Completion) -> None: ...
