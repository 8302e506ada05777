"""A run as a zip."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Iterable, Iterator

from judge_core import __version__
from judge_core.interfaces.detail.exchanges import Sent, all_sent, stored_words
from judge_core.interfaces.library.bundle.form import FORMAT, README, Manifest, ReplyLine
from judge_core.interfaces.library.item_results import ItemResults
from judge_core.interfaces.library.results import FILES, Ranking, entry
from judge_core.interfaces.workbench import Workbench
from judge_core.records.errors import StoreError
from judge_core.records.event import Stored, text_hashes
from judge_core.records.journal import RunRow
from judge_core.records.prompt import Received
from judge_core.records.record import text_hash
from judge_core.records.spec import RefineSpec, Spec
from judge_core.views.exports import event_record, strict_json
from judge_core.views.exports.cells import csv_bytes
from judge_core.views.items.exports import item_csv
from judge_core.views.items.state import fold_items
from judge_core.views.refine.files import needed_words, refinement_files
from judge_core.views.refine.state import fold_refinement
from judge_core.views.state import fold


def bundle(bench: Workbench, run: str) -> bytes:
    """The run as a zip; the same run gives the same bytes. InputError where there is no such run."""
    row, events = bench.journal.row(run), bench.journal.events(run)
    buffer, sums = io.BytesIO(), dict[str, str]()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, parts in _files(bench, row, events):
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


def _files(bench: Workbench, row: RunRow, events: list[Stored]) -> Iterator[tuple[str, Iterable[bytes]]]:
    yield "README.txt", [README.encode()]
    yield from _tables(bench, row, events)
    for sha in sorted(text_hashes(row.spec, (stored.event for stored in events))):
        try:
            yield f"artifacts/{sha}.txt", [bench.archive.read(sha)]
        except StoreError:  # erased: the figures stay, the words are gone
            continue
    yield "spec.json", [row.spec.canonical().encode()]
    yield "journal/events.jsonl", (strict_json(event_record(stored)) + b"\n" for stored in events)
    yield "journal/replies.jsonl", (_line(reply) for reply in _replies(bench, row.id, events))


def _tables(bench: Workbench, row: RunRow, events: list[Stored]) -> Iterator[tuple[str, Iterable[bytes]]]:
    """The results, as they stand after these events, and what the hashes stand for."""
    if isinstance(row.spec, Spec):
        ranking = Ranking(bench, row.id, fold(row.spec, events))
        for name in ("ranked.csv", "judgments.csv"):
            yield name, [FILES[name].content(ranking)]
        listed = [(text.alias, text.id, text.title, text.sha256) for text in ranking.state.spec.texts]
        yield "texts.csv", [csv_bytes(("alias", "id", "title", "sha256"), listed)]
        return
    if isinstance(row.spec, RefineSpec):
        state = fold_refinement(row.spec, events)
        for name, content in refinement_files(state, stored_words(bench, needed_words(state))).items():
            yield name, [content]
        return
    results = ItemResults(bench, row.id, fold_items(row.spec, events))
    for name, table in results.tables.items():
        yield f"{name}.csv", [item_csv(table)]
    parts = [(item.alias, item.id, part.role, part.name, part.sha256) for item in row.spec.items for part in item.parts]
    yield "texts.csv", [csv_bytes(("alias", "id", "role", "name", "sha256"), parts)]


def _replies(bench: Workbench, run: str, events: list[Stored]) -> Iterator[ReplyLine]:
    """The replies of judged matches in the order asked, then those of matches that are still open."""
    received = bench.journal.completions(run)
    left = dict(received)
    for exchange in all_sent(bench, run, events, received):
        reply = left.pop((exchange.place, exchange.turn.turn), None)
        if reply is not None:
            yield _reply_line(exchange.place, reply, exchange)
    for (place, _), reply in left.items():
        yield _reply_line(place, reply, None)


def _reply_line(place: int, reply: Received, exchange: Sent | None) -> ReplyLine:
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
