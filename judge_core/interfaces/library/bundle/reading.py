"""A zip as a run again: everything in it is checked before anything is stored."""

from __future__ import annotations

import hashlib
import io
import json
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

from pydantic import ValidationError

from judge_core.engine.job import last_status
from judge_core.interfaces.bench.states import folded
from judge_core.interfaces.library.bundle.coherence import check_ranking
from judge_core.interfaces.library.bundle.form import (
    COMMIT_SIZE,
    FORMAT,
    KNOWN,
    MOST_BYTES,
    MOST_ENTRIES,
    Manifest,
    ReplyLine,
)
from judge_core.interfaces.workbench import Workbench
from judge_core.records.errors import InputError, StoreError
from judge_core.records.event import (
    EVENT,
    GroupJudged,
    ItemJudged,
    Judged,
    MatchJudged,
    Stored,
    TextScored,
    text_hashes,
)
from judge_core.records.journal import Batch, StoredCompletion
from judge_core.records.record import Record, text_hash
from judge_core.records.refinement.events import StepTaken, VoteCast
from judge_core.records.spec import ANY_SPEC, AnySpec, Spec
from judge_core.store.journal import process_owner
from judge_core.views.items.exports import item_tables
from judge_core.views.items.state import ItemState
from judge_core.views.refine.files import refinement_files
from judge_core.views.refine.machine import refine_folded
from judge_core.views.refine.sentence import pass_words
from judge_core.views.refine.state import RefineState

Made = TypeVar("Made")
OWN_EVENTS: dict[str, tuple[type[Record], ...]] = {
    "rank": (MatchJudged, GroupJudged, TextScored), "refine": (StepTaken, VoteCast),
}  # fmt: skip
"""By mode the events that answer a place; items are judged in all others."""


def import_bundle(bench: Workbench, data: bytes) -> str:
    """Takes a bundle's run into the data folder and returns its id there; nothing is written unless all of it is sound.

    Raises InputError: no bundle, an entry with a name that does not belong, a hash that does not fit its content, a
    journal with a gap, or a run that is here already.
    """
    files = _checked_files(data)
    spec = _parsed("spec.json", lambda: ANY_SPEC.validate_json(files["spec.json"]))
    events = _events(files["journal/events.jsonl"])
    replies = _stored_replies(files["journal/replies.jsonl"])
    _check_kind(spec, events)
    if isinstance(spec, Spec):
        check_ranking(spec, (stored.event for stored in events))
    _parsed("journal/events.jsonl", lambda: _shown(spec, events))
    for row in bench.journal.find(spec.identity):
        if bench.journal.events(row.id) == events:
            raise InputError(f"This run is here already, as {row.id}.", field="run")
    wanted = set(text_hashes(spec, (stored.event for stored in events)))
    texts = {sha: body for sha, body in _artifacts(files) if sha in wanted}
    bench.archive.keep(texts)
    return _stored(bench, spec, events, replies, _manifest(files).name)


def _check_kind(spec: AnySpec, events: list[Stored]) -> None:
    """Events of the other kind of run, or of judges that are not on the panel, would break whoever opens the run."""
    own = OWN_EVENTS.get(spec.mode, (ItemJudged,))
    judged = [stored.event for stored in events if isinstance(stored.event, Judged)]
    panel = range(len(spec.judges))
    if not all(isinstance(event, own) and all(j.judge in panel for j in event.judgments) for event in judged):
        raise InputError("The events of the bundle do not belong to its run. Export the run again.")


def _shown(spec: AnySpec, events: list[Stored]) -> object:
    """The run as its pages show it: what cannot be shown is not taken in."""
    state = folded(spec, events)
    if isinstance(state, RefineState):
        words = [pass_words(state, view) for view in state.passes.values()]
        return refine_folded("", state), refinement_files(state, {}), words
    return item_tables(state) if isinstance(state, ItemState) else state


def _checked_files(data: bytes) -> dict[str, bytes]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            _check_names(archive.infolist())
            files = {info.filename: archive.read(info) for info in archive.infolist()}
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError) as error:
        raise InputError(f"This is no bundle of a run, or it is damaged ({type(error).__name__}).") from None
    sums = _manifest(files).files
    for name in ("spec.json", "journal/events.jsonl", "journal/replies.jsonl", *sums):
        if name not in files:
            raise InputError(f"The bundle lacks {_brief(name)}. Export the run again.")
    for name, content in files.items():
        found = hashlib.sha256(content).hexdigest()
        if name != "manifest.json" and found != sums.get(name):
            raise InputError(f"The content of {_brief(name)} does not fit its hash: it was changed or damaged.")
    return files


def _check_names(entries: list[zipfile.ZipInfo]) -> None:
    names = [info.filename for info in entries]
    for info in entries:
        if info.filename.startswith("/") or ".." in re.split(r"[\\/]", info.filename) or ":" in info.filename:
            raise InputError(f"The entry {_brief(info.filename)} would climb out of the bundle; nothing was taken in.")
        if not KNOWN.fullmatch(info.filename):
            raise InputError(f"The entry {_brief(info.filename)} does not belong in a bundle; nothing was taken in.")
    if len(set(names)) < len(names):
        raise InputError("The bundle holds an entry twice; nothing was taken in.")
    if len(names) > MOST_ENTRIES or sum(info.file_size for info in entries) > MOST_BYTES:
        raise InputError("The bundle is larger than any run that Podium writes; nothing was taken in.")


def _manifest(files: Mapping[str, bytes]) -> Manifest:
    if "manifest.json" not in files:
        raise InputError("This is no bundle of a run: it has no manifest.json. Make one with `runs export`.")
    manifest = _parsed("manifest.json", lambda: Manifest.model_validate_json(files["manifest.json"]))
    if manifest.format != FORMAT:
        raise InputError(f"The bundle has format {manifest.format}; this Podium reads {FORMAT}. Update Podium.")
    return manifest


def _artifacts(files: Mapping[str, bytes]) -> Iterator[tuple[str, bytes]]:
    for name, content in files.items():
        if name.startswith("artifacts/"):
            sha = name.removeprefix("artifacts/").removesuffix(".txt")
            if hashlib.sha256(content).hexdigest() != sha:
                raise InputError(f"The text {_brief(name)} does not fit the hash in its name: it was changed.")
            yield sha, content


def _events(lines: bytes) -> list[Stored]:
    def read(line: bytes) -> Stored:
        value: dict[str, Any] = json.loads(line)
        return Stored(seq=value.pop("seq"), at=value.pop("at"), event=EVENT.validate_python(value))

    events = _parsed("journal/events.jsonl", lambda: [read(line) for line in lines.split(b"\n") if line])
    if [stored.seq for stored in events] != list(range(1, len(events) + 1)):
        raise InputError("The events of the bundle have a gap, or are not in order.")
    return events


def _stored_replies(lines: bytes) -> list[StoredCompletion]:
    def read() -> list[ReplyLine]:
        return [ReplyLine.model_validate(json.loads(line)) for line in lines.split(b"\n") if line]

    return [
        _stored_reply(line, line.reply) for line in _parsed("journal/replies.jsonl", read) if line.reply is not None
    ]


def _stored_reply(line: ReplyLine, text: str) -> StoredCompletion:
    if text_hash(text) != line.received.reply_sha256:
        raise InputError(f"The reply at place {line.place} does not fit its hash: it was changed.")
    completion = line.received.completion.model_copy(update={"text": text})
    received = line.received.model_copy(update={"completion": completion, "turn": line.turn})
    return StoredCompletion(place=line.place, received=received)


def _parsed(name: str, read: Callable[[], Made]) -> Made:
    try:
        return read()
    except (ValidationError, ValueError, TypeError, AttributeError, LookupError, RecursionError, StoreError):
        raise InputError(f"{_brief(name)} of the bundle cannot be read. Export the run again.") from None


def _stored(bench: Workbench, spec: AnySpec, events: list[Stored], replies: list[StoredCompletion], name: str) -> str:
    run = bench.journal.create(spec, name=name, imported=True)
    lease = bench.journal.take_lease(run, process_owner())
    for start in range(0, len(replies), COMMIT_SIZE):
        bench.journal.commit(lease, Batch(completions=tuple(replies[start : start + COMMIT_SIZE])))
    bench.journal.commit(lease, Batch(events=tuple(events)))
    bench.journal.release(lease, last_status(events))
    return run


def _brief(name: str) -> str:
    return ascii(name[:80])
