"""A whole run as one zip: written so that people can read it, and read back into any data folder as the same run."""

from __future__ import annotations

import hashlib
import io
import json
import re
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeVar

from pydantic import ValidationError

from judge_core import __version__
from judge_core.engine.job import last_status
from judge_core.interfaces.library.results import FILES, Ranking, entry
from judge_core.interfaces.match_detail import Exchange, all_exchanges
from judge_core.interfaces.workbench import Workbench
from judge_core.records.errors import InputError, StoreError
from judge_core.records.event import EVENT, Stored
from judge_core.records.journal import Batch, RunRow, StoredCompletion
from judge_core.records.prompt import Message, Received
from judge_core.records.record import Record, text_hash
from judge_core.records.spec import Spec
from judge_core.store.journal import process_owner
from judge_core.views.exports import event_record, strict_json
from judge_core.views.exports.cells import csv_bytes
from judge_core.views.state import fold

FORMAT = 1
MOST_BYTES = 1_000_000_000
"""Of all that a bundle holds, unpacked."""
MOST_ENTRIES = 100_000
COMMIT_SIZE = 500
KNOWN = re.compile(
    r"artifacts/[0-9a-f]{64}\.txt|journal/(events|replies)\.jsonl|manifest\.json|spec\.json|README\.txt"
    r"|texts\.csv|ranked\.csv|judgments\.csv"
)
README = """This archive holds one ranking run of Podium, complete.

ranked.csv              the ranking: one row a text, with rating, interval, wins, losses, ties and warnings
judgments.csv           one row a judgment: who judged what, in which order, with which scores and reasons
texts.csv               which text is which: alias, id, title, and the SHA-256 that names its file
artifacts/HASH.txt      the texts as they were judged; the name is the SHA-256 of the content
spec.json               all that decided what was asked: texts, question, criteria, judges, rounds, limits
journal/events.jsonl    the events of the run, one JSON object a line; every number is made from them
journal/replies.jsonl   each prompt as it was sent, and the judge's raw reply
manifest.json           the SHA-256 of each file here

It holds the texts and the names given to them: hand it on only to people who may see these.
To open it again: python -m judge_core runs import FILE
"""

Made = TypeVar("Made")


class ReplyLine(Record):
    """A line of `journal/replies.jsonl`."""

    place: int
    turn: int
    judge: int | None = None
    """Index into the spec's judges; None while the match is not judged yet."""
    prompt: tuple[Message, ...] = ()
    """Empty while the match is not judged yet, or where a text was erased."""
    reply: str | None
    """None where it was erased."""
    received: Received
    """All else that is known of the reply; its text is left out here."""


class Manifest(Record):
    """What the bundle is, and the hashes of its files."""

    format: int
    app_version: str
    run: str
    name: str
    created_at: str
    status: str
    files: dict[str, str]


# writing


def bundle(bench: Workbench, run: str) -> bytes:
    """The run as a zip; the same run gives the same bytes. InputError where there is no such run."""
    row, events = bench.journal.row(run), bench.journal.events(run)
    ranking = Ranking(bench, run, fold(row.spec, events))
    buffer, sums = io.BytesIO(), dict[str, str]()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, parts in _files(bench, row, events, ranking):
            sums[name] = _write(archive, name, parts)
        manifest = Manifest(
            format=FORMAT, app_version=__version__, run=run, name=row.name, created_at=row.created_at,
            status=row.status, files=sums,
        )  # fmt: skip
        _write(archive, "manifest.json", [manifest.model_dump_json(indent=1).encode()])
    return buffer.getvalue()


def _write(archive: zipfile.ZipFile, name: str, parts: Iterable[bytes]) -> str:
    digest = hashlib.sha256()
    with archive.open(entry(name), "w", force_zip64=True) as stream:
        for part in parts:
            digest.update(part)
            stream.write(part)
    return digest.hexdigest()


def _files(
    bench: Workbench, row: RunRow, events: list[Stored], ranking: Ranking
) -> Iterator[tuple[str, Iterable[bytes]]]:
    yield "README.txt", [README.encode()]
    for name in ("ranked.csv", "judgments.csv"):
        yield name, [FILES[name].content(ranking)]
    texts = row.spec.texts
    listed = [(text.alias, text.id, text.title, text.sha256) for text in texts]
    yield "texts.csv", [csv_bytes(("alias", "id", "title", "sha256"), listed)]
    for sha in sorted({text.sha256 for text in texts}):
        try:
            yield f"artifacts/{sha}.txt", [bench.archive.read(sha)]
        except StoreError:  # erased: the figures stay, the words are gone
            continue
    yield "spec.json", [row.spec.canonical().encode()]
    yield "journal/events.jsonl", (strict_json(event_record(stored)) + b"\n" for stored in events)
    yield "journal/replies.jsonl", (_line(reply) for reply in _replies(bench, row.id, events))


def _replies(bench: Workbench, run: str, events: list[Stored]) -> Iterator[ReplyLine]:
    """The replies of judged matches in the order asked, then those of matches that are still open."""
    received = bench.journal.completions(run)
    left = dict(received)
    for exchange in all_exchanges(bench, run, events, received):
        reply = left.pop((exchange.place, exchange.turn.turn), None)
        if reply is not None:
            yield _reply_line(exchange.place, reply, exchange)
    for (place, _), reply in left.items():
        yield _reply_line(place, reply, None)


def _reply_line(place: int, reply: Received, exchange: Exchange | None) -> ReplyLine:
    text = reply.completion.text
    return ReplyLine(
        place=place,
        turn=reply.turn,
        judge=exchange.judge if exchange else None,
        prompt=exchange.prompt if exchange else (),
        reply=text if text_hash(text) == reply.reply_sha256 else None,
        received=reply.model_copy(update={"completion": reply.completion.model_copy(update={"text": ""})}),
    )


def _line(reply: ReplyLine) -> bytes:
    """One line of JSON; a text with broken characters is written in escapes, so that nothing of it is lost."""
    value = reply.model_dump()
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False).encode() + b"\n"
    except UnicodeEncodeError:
        return json.dumps(value, allow_nan=False).encode() + b"\n"


# reading


def import_bundle(bench: Workbench, data: bytes) -> str:
    """Takes a bundle's run into the data folder and returns its id there; nothing is written unless all of it is sound.

    Raises InputError: no bundle, an entry with a name that does not belong, a hash that does not fit its content, a
    journal with a gap, or a run that is here already.
    """
    files = _checked_files(data)
    spec = _parsed("spec.json", lambda: Spec.model_validate_json(files["spec.json"]))
    events = _events(files["journal/events.jsonl"])
    replies = _stored_replies(files["journal/replies.jsonl"])
    _parsed("journal/events.jsonl", lambda: fold(spec, events))
    for row in bench.journal.find(spec.identity):
        if bench.journal.events(row.id) == events:
            raise InputError(f"This run is here already, as {row.id}.", field="run")
    wanted = {text.sha256 for text in spec.texts}
    texts = {sha: body for sha, body in _artifacts(files) if sha in wanted}
    bench.archive.keep(texts)
    return _stored(bench, spec, events, replies, _manifest(files).name)


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


def _stored(bench: Workbench, spec: Spec, events: list[Stored], replies: list[StoredCompletion], name: str) -> str:
    run = bench.journal.create(spec, name=name)
    lease = bench.journal.take_lease(run, process_owner())
    for start in range(0, len(replies), COMMIT_SIZE):
        bench.journal.commit(lease, Batch(completions=tuple(replies[start : start + COMMIT_SIZE])))
    bench.journal.commit(lease, Batch(events=tuple(events)))
    bench.journal.release(lease, last_status(events))
    return run


def _brief(name: str) -> str:
    return ascii(name[:80])
