"""What passes between the engine and the journal."""

from __future__ import annotations

from judge_core.records.event import RunStatus, Stored
from judge_core.records.prompt import Received
from judge_core.records.record import Record
from judge_core.records.spec import Spec


class RunRow(Record):
    """A run as the list of runs shows it. `status` is the last one written; a living lease says who works on it."""

    id: str
    identity: str
    name: str
    created_at: str
    status: RunStatus
    spec: Spec
    lease_owner: str | None = None
    lease_until: float = 0.0


class Lease(Record):
    """The right to write a run's events, until another process takes it over (then its epoch is higher)."""

    run: str
    owner: str
    epoch: int
    clean: bool
    """Whether the writer before ended in order; if not, calls in flight at its death may have been paid."""


class StoredCompletion(Record):
    """A raw completion and the dialogue it belongs to; the first one at (place, turn) stands."""

    place: int
    received: Received


class Batch(Record):
    """What is written in one transaction."""

    completions: tuple[StoredCompletion, ...] = ()
    events: tuple[Stored, ...] = ()


class Recorded(Record):
    """A run as recorded: all that playing it again needs."""

    spec: Spec
    secret: bytes
    events: tuple[Stored, ...]
