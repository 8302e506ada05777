"""The journal of runs: events and inputs in one gapless sequence, raw completions by (place, turn), one writer a run.

Every method is one short transaction and may be called from any thread.
"""

from __future__ import annotations

import json
import os
import secrets
import socket
import time
import uuid
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine, Row

from judge_core.records.errors import InputError, LeaseLostError, StoreError
from judge_core.records.event import EVENT, INPUT, Ended, Event, Input, RunStatus, Stored
from judge_core.records.journal import Batch, Lease, Recorded, RunRow, StoredCompletion
from judge_core.records.prompt import Received
from judge_core.records.spec import AnySpec
from judge_core.store import schema
from judge_core.store.database import insert_new, reading, writing
from judge_core.store.specs import Specs

LEASE_SECONDS = 15.0
_ROW = sa.select(*(schema.runs.c[name] for name in RunRow.model_fields if name != "spec"))
"""A run's row without its spec, which is read only where it is not at hand."""


def now_text() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


class Journal:
    """Runs in a database. Events are appended only by the holder of the run's lease."""

    def __init__(self, engine: Engine):
        self._engine = engine
        self._specs = Specs()

    # runs

    def create(self, spec: AnySpec, *, name: str = "", imported: bool = False) -> str:
        """Writes a new run that waits to be started; returns its id. `imported`: it came out of a file."""
        run = uuid.uuid4().hex
        row: dict[str, Any] = {
            "id": run, "identity": spec.identity, "name": name or spec.name, "created_at": now_text(),
            "spec": spec.canonical(), "secret": secrets.token_bytes(32), "status": "waiting", "lease_epoch": 0,
            "lease_until": 0.0,
        }  # fmt: skip
        with writing(self._engine) as connection:
            connection.execute(schema.runs.insert().values(**row))
            if imported:
                connection.execute(schema.imported_runs.insert().values(run=run))
        return run

    def imported(self, run: str) -> bool:
        """Whether the run came out of a file."""
        wanted = sa.select(schema.imported_runs.c.run).where(schema.imported_runs.c.run == run)
        with reading(self._engine) as connection:
            return connection.scalar(wanted) is not None

    def runs(self) -> list[RunRow]:
        """All runs, newest first."""
        return self._rows(_ROW.order_by(schema.runs.c.created_at.desc()))

    def row(self, run: str) -> RunRow:
        """One run; InputError where there is none of that id."""
        found = self._rows(_ROW.where(schema.runs.c.id == run))
        if not found:
            raise InputError(f"There is no run {run!r} in this data folder; `runs list` shows all.", field="run")
        return found[0]

    def find(self, identity: str) -> list[RunRow]:
        """The runs of just these inputs, newest first."""
        return self._rows(_ROW.where(schema.runs.c.identity == identity).order_by(schema.runs.c.created_at.desc()))

    def _rows(self, wanted: sa.Select[Any]) -> list[RunRow]:
        with reading(self._engine) as connection:
            rows = connection.execute(wanted).all()
            specs = self._specs.of(connection, [(row.id, row.identity) for row in rows])
        return [RunRow(**row._mapping, spec=specs[row.id]) for row in rows if row.id in specs]

    def rename(self, run: str, name: str) -> None:
        self._update(run, name=name)

    # reading

    def events(self, run: str, after: int = 0) -> list[Stored]:
        """The events with a sequence number above `after`, in order."""
        table = schema.events
        wanted = sa.select(table.c.seq, table.c.at, table.c.body).where(table.c.run == run, table.c.seq > after)
        with reading(self._engine) as connection:
            rows = connection.execute(wanted.order_by(table.c.seq)).all()
        return [Stored(seq=row.seq, at=row.at, event=EVENT.validate_json(row.body)) for row in rows]

    def last_seq(self, run: str) -> int:
        with reading(self._engine) as connection:
            wanted = sa.select(sa.func.max(schema.events.c.seq)).where(schema.events.c.run == run)
            return connection.scalar(wanted) or 0

    def recorded(self, run: str) -> Recorded:
        """The spec, the secret of the fences and all events: what a player needs to play a run again."""
        with reading(self._engine) as connection:
            row = connection.execute(sa.select(schema.runs).where(schema.runs.c.id == run)).one()
        return Recorded(
            spec=self._specs.decode(run, row.identity, row.spec), secret=row.secret, events=tuple(self.events(run))
        )

    def secret(self, run: str) -> bytes:
        """The secret that a run's fence tokens are made with."""
        with reading(self._engine) as connection:
            return bytes(connection.scalar(sa.select(schema.runs.c.secret).where(schema.runs.c.id == run)) or b"")

    def completions(
        self, run: str, *, from_place: int = 1, to_place: int | None = None
    ) -> dict[tuple[int, int], Received]:
        """The raw completions of a range of places by (place, turn), texts included where they were not erased."""
        table, blob = schema.completions, schema.blobs
        wanted = sa.select(table, blob.c.body.label("reply")).join(
            blob, blob.c.sha256 == table.c.reply_sha256, isouter=True
        )
        wanted = wanted.where(table.c.run == run, table.c.place >= from_place)
        if to_place is not None:
            wanted = wanted.where(table.c.place <= to_place)
        with reading(self._engine) as connection:
            rows = connection.execute(wanted.order_by(table.c.place, table.c.turn)).all()
        return {(row.place, row.turn): _received(row) for row in rows}

    # writing

    def take_lease(self, run: str, owner: str) -> Lease:
        """Makes `owner` the run's one writer; StoreError while another living process is it."""
        now = time.time()
        with writing(self._engine) as connection:
            row = connection.execute(sa.select(schema.runs).where(schema.runs.c.id == run).with_for_update()).one()
            if row.lease_owner and row.lease_owner != owner and row.lease_until > now and _alive(row.lease_owner):
                raise StoreError("Another Podium process is working on this run; open it there, or stop that process.")
            clean = row.lease_owner is None
            values = dict(lease_owner=owner, lease_epoch=row.lease_epoch + 1, lease_until=now + LEASE_SECONDS)
            taken = connection.execute(
                schema.runs.update()
                .where(schema.runs.c.id == run, schema.runs.c.lease_epoch == row.lease_epoch)
                .values(status="running", **values)
            )
            if taken.rowcount != 1:
                raise StoreError("Another Podium process took this run over at the same moment; look at it there.")
        return Lease(run=run, owner=owner, epoch=row.lease_epoch + 1, clean=clean)

    def renew(self, lease: Lease) -> None:
        """Keeps the lease; LeaseLostError when another process holds it now."""
        with writing(self._engine) as connection:
            self._hold(connection, lease, lease_until=time.time() + LEASE_SECONDS)

    def release(self, lease: Lease, status: RunStatus) -> None:
        """Gives the lease back in order: the next writer need not charge for calls in flight."""
        with writing(self._engine) as connection:
            self._hold(connection, lease, lease_owner=None, lease_until=0.0, status=status)

    def abandon(self, lease: Lease) -> None:
        """Leaves the lease without order: nobody works on the run now, and the next writer charges for calls in flight."""
        with writing(self._engine) as connection:
            self._hold(connection, lease, lease_until=0.0, status="paused")

    def commit(self, lease: Lease, batch: Batch) -> list[StoredCompletion]:
        """Writes completions and events in one transaction and returns the completions that stand at their keys.

        Completions are kept even if the lease is lost (they are paid for); events then raise LeaseLostError.
        """
        lost: LeaseLostError | None = None
        with writing(self._engine) as connection:
            insert_new(connection, schema.blobs, _blob_rows(batch.completions))
            insert_new(connection, schema.completions, [_completion_row(lease.run, c) for c in batch.completions])
            standing = _standing(connection, lease.run, batch.completions)
            try:
                self._append(connection, lease, batch.events)
            except LeaseLostError as error:
                lost = error
        if lost:
            raise lost
        return standing

    def _append(self, connection: Connection, lease: Lease, stored: Sequence[Stored]) -> None:
        if not stored:
            return
        ended = [s.event.status for s in stored if isinstance(s.event, Ended)]
        self._hold(connection, lease, **({"status": ended[-1]} if ended else {}))
        connection.execute(
            schema.events.insert(), [dict(run=lease.run, seq=s.seq, at=s.at, body=_event_text(s.event)) for s in stored]
        )

    # inputs

    def send(self, run: str, message: Input) -> None:
        """Puts an input where the run's writer will find it."""
        with writing(self._engine) as connection:
            connection.execute(schema.inbox.insert().values(run=run, body=message.model_dump_json()))

    def waiting_inputs(self, run: str) -> list[tuple[int, Input]]:
        with reading(self._engine) as connection:
            rows = connection.execute(
                sa.select(schema.inbox).where(schema.inbox.c.run == run).order_by(schema.inbox.c.id)
            ).all()
        return [(row.id, INPUT.validate_json(row.body)) for row in rows]

    def accept_input(self, lease: Lease, inbox_id: int, stored: Sequence[Stored]) -> None:
        """Moves an input out of the inbox and into the sequence, with the events it caused, in one transaction."""
        with writing(self._engine) as connection:
            connection.execute(schema.inbox.delete().where(schema.inbox.c.id == inbox_id))
            self._append(connection, lease, stored)

    def _hold(self, connection: Connection, lease: Lease, **values: Any) -> None:
        table = schema.runs
        mine = sa.and_(table.c.id == lease.run, table.c.lease_epoch == lease.epoch)
        held = connection.execute(table.update().where(mine).values(lease_epoch=lease.epoch, **values))
        if held.rowcount != 1:
            raise LeaseLostError("Another Podium process has taken this run over; this one has stopped asking.")

    def _update(self, run: str, **values: Any) -> None:
        with writing(self._engine) as connection:
            connection.execute(schema.runs.update().where(schema.runs.c.id == run).values(**values))


def process_owner() -> str:
    """This process as a lease names it: host, process id and a random part."""
    return f"{socket.gethostname()}|{os.getpid()}|{uuid.uuid4().hex[:8]}"


def is_live(row: RunRow) -> bool:
    """Whether some process is working on the run now."""
    return bool(row.lease_owner) and row.lease_until > time.time() and _alive(row.lease_owner or "")


def _alive(owner: str) -> bool:
    """False only if the owner is a process of this host that is gone, so that a restart need not wait for the lease."""
    host, pid, _ = owner.split("|")
    if host != socket.gethostname() or int(pid) == os.getpid():
        return True
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _event_text(event: Event) -> str:
    return event.model_dump_json()


def _blob_rows(stored: Iterable[StoredCompletion]) -> list[dict[str, Any]]:
    texts = {c.received.reply_sha256: c.received.completion.text for c in stored}
    # in one order for all writers, so that two of them never wait for each other
    return [{"sha256": sha, "body": texts[sha].encode("utf-8", "surrogatepass")} for sha in sorted(texts)]


def _completion_row(run: str, stored: StoredCompletion) -> dict[str, Any]:
    received = stored.received
    body = received.model_dump_json(exclude={"completion": {"text"}})
    return {
        "run": run,
        "place": stored.place,
        "turn": received.turn,
        "body": body,
        "reply_sha256": received.reply_sha256,
    }


def _standing(connection: Connection, run: str, sent: Sequence[StoredCompletion]) -> list[StoredCompletion]:
    """What stands at the keys just written: almost always what was sent, else the first writer's."""
    table, blob = schema.completions, schema.blobs
    if not sent:
        return []
    places = {one.place for one in sent}
    wanted = sa.select(table.c.place, table.c.turn, table.c.reply_sha256)
    rows = connection.execute(wanted.where(table.c.run == run, table.c.place.in_(places))).all()
    stands = {(row.place, row.turn): row.reply_sha256 for row in rows}
    result = []
    for one in sent:
        at = (one.place, one.received.turn)
        if stands[at] != one.received.reply_sha256:
            key = sa.and_(table.c.run == run, table.c.place == at[0], table.c.turn == at[1])
            both = sa.select(table, blob.c.body.label("reply")).join(blob, blob.c.sha256 == table.c.reply_sha256)
            one = StoredCompletion(place=one.place, received=_received(connection.execute(both.where(key)).one()))
        result.append(one)
    return result


def _received(row: Row[Any]) -> Received:
    body = json.loads(row.body)
    body["completion"]["text"] = bytes(row.reply or b"").decode("utf-8", "surrogatepass")
    return Received.model_validate(body)
