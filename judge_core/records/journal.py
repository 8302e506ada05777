"""What passes between the engine and the journal."""

from __future__ import annotations

from judge_core.records.errors import InputError
from judge_core.records.event import RunStatus, Stored
from judge_core.records.prompt import Received
from judge_core.records.record import Record
from judge_core.records.spec import AnySpec, ItemSpec, RefineSpec, Spec


class RunRow(Record):
    """A run as the list of runs shows it. `status` is the last one written; a living lease says who works on it."""

    id: str
    identity: str
    name: str
    created_at: str
    status: RunStatus
    spec: AnySpec
    lease_owner: str | None = None
    lease_until: float = 0.0

    @property
    def ranking(self) -> Spec:
        """The spec of a run that ranks texts; InputError where it is of another kind."""
        if isinstance(self.spec, Spec):
            return self.spec
        raise InputError("This run does not rank texts; it has no ranking.", field="run")

    @property
    def items(self) -> ItemSpec:
        """The spec of a run that judges items; InputError where it is of another kind."""
        if isinstance(self.spec, ItemSpec):
            return self.spec
        raise InputError("This run does not judge items one by one.", field="run")

    @property
    def refinement(self) -> RefineSpec:
        """The spec of a refinement tournament; InputError where the run is of another kind."""
        if isinstance(self.spec, RefineSpec):
            return self.spec
        raise InputError("This run does not improve a text.", field="run")

    @property
    def size(self) -> int:
        """Texts or items."""
        match self.spec:
            case Spec():
                return len(self.spec.texts)
            case ItemSpec():
                return len(self.spec.items)
            case RefineSpec():
                return 1


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

    spec: AnySpec
    secret: bytes
    events: tuple[Stored, ...]
