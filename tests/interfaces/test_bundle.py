"""A run as a zip: complete, the same each time, and the same run again in another data folder; nothing unsound gets in."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from judge_core import InputError, Judge, JudgeSpec, Settings
from judge_core.interfaces.library.bundle import bundle, import_bundle
from judge_core.interfaces.workbench import Workbench
from judge_core.records.event import Stored
from judge_core.records.record import text_hash
from judge_core.store import schema
from tests.interfaces.doors import CASES, Cli
from tests.judge_server import JudgeServer

TEXTS = {f"t{n}.txt": " ".join(f"word{k}" for k in range(n * 6)) for n in range(1, 6)}
Files = dict[str, bytes]


@pytest.fixture
def packed(cli: Cli) -> tuple[Judge, str, bytes]:
    """A finished run with both orders asked, and its bundle."""
    judge = Judge(question="Which is richest?")
    ranking = judge.rank(TEXTS, both_orders=True)
    data = bundle(judge.bench, ranking.run_id)
    judge.close()
    return judge, ranking.run_id, data


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[Workbench]:
    """Another data folder."""
    bench = Workbench(Settings(home=tmp_path / "elsewhere"))
    yield bench
    bench.close()


def unpacked(data: bytes) -> Files:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def repacked(files: Files, *, mend: bool = False) -> bytes:
    """The files as a zip; with `mend` the manifest is made to fit them, as a forger would."""
    if mend:
        manifest = json.loads(files["manifest.json"])
        manifest["files"] = {n: hashlib.sha256(c).hexdigest() for n, c in files.items() if n != "manifest.json"}
        files = {**files, "manifest.json": json.dumps(manifest).encode()}
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def test_a_bundle_holds_all_of_a_run_in_plain_files(packed: tuple[Judge, str, bytes]) -> None:
    judge, run, data = packed
    files = unpacked(data)
    assert {"README.txt", "spec.json", "texts.csv", "ranked.csv", "judgments.csv", "manifest.json"} <= set(files)
    listed = list(csv.DictReader(io.StringIO(files["texts.csv"].decode("utf-8-sig"))))
    assert {row["id"]: files[f"artifacts/{row['sha256']}.txt"].decode() for row in listed} == TEXTS
    replies = [json.loads(line) for line in files["journal/replies.jsonl"].splitlines()]
    assert len(replies) == 2 * len(judge.bench.state(run).matches)
    for reply in replies:
        detail = judge.bench.journal.completions(run)[reply["place"], reply["turn"]]
        assert reply["reply"] == detail.completion.text
        assert any(text in message["content"] for text in TEXTS.values() for message in reply["prompt"])
    assert json.loads(files["journal/events.jsonl"].splitlines()[0])["type"] == "started"


def test_the_same_run_gives_the_same_bytes(packed: tuple[Judge, str, bytes]) -> None:
    judge, run, data = packed
    assert bundle(judge.bench, run) == data


def test_the_run_is_the_same_in_another_data_folder(packed: tuple[Judge, str, bytes], elsewhere: Workbench) -> None:
    judge, run, data = packed
    new = import_bundle(elsewhere, data)
    assert elsewhere.state(new) == judge.bench.state(run)
    assert elsewhere.journal.row(new).status == "done"
    assert elsewhere.journal.completions(new) == judge.bench.journal.completions(run)
    again = unpacked(bundle(elsewhere, new))
    assert {n: c for n, c in again.items() if n != "manifest.json"} == {
        n: c for n, c in unpacked(data).items() if n != "manifest.json"
    }
    elsewhere.resume(new)
    assert elsewhere.wait(new).status == "done"


def test_a_paused_run_goes_on_in_another_data_folder_and_pays_nothing_twice(
    cli: Cli, server: JudgeServer, elsewhere: Workbench
) -> None:
    """Replies of matches that were still open travel too."""
    spec = JudgeSpec(name="loop", provider="openai_compatible", model="m", base_url=server.url)

    def pause(stored: Stored) -> None:
        if stored.event.type == "match_judged":
            raise KeyboardInterrupt

    with Judge(spec) as judge:
        with pytest.raises(KeyboardInterrupt):
            judge.rank(TEXTS, both_orders=True, concurrency=2, on_event=pause)
        [row] = judge.bench.runs()
        asked = server.requests
        new = import_bundle(elsewhere, bundle(judge.bench, row.id))
    elsewhere.resume(new)
    state = elsewhere.wait(new)
    assert state.status == "done"
    assert server.requests == 2 * len(state.matches) >= asked


def test_a_run_that_is_here_already_is_not_doubled(packed: tuple[Judge, str, bytes]) -> None:
    judge, run, data = packed
    with pytest.raises(InputError, match=run):
        import_bundle(judge.bench, data)


def test_broken_characters_in_a_reply_survive_the_journey(cli: Cli, elsewhere: Workbench) -> None:
    with Judge() as judge:
        run = judge.rank(TEXTS).run_id
        odd = "half a character \ud800, \u2028, \x00"
        sha = text_hash(odd)
        with judge.bench.journal._engine.begin() as connection:
            connection.execute(schema.blobs.insert().values(sha256=sha, body=odd.encode("utf-8", "surrogatepass")))
            table = schema.completions
            row = connection.execute(sa.select(table.c.body).where(table.c.run == run, table.c.place == 1)).one()
            body = json.dumps({**json.loads(row.body), "reply_sha256": sha})
            connection.execute(
                table.update().where(table.c.run == run, table.c.place == 1).values(body=body, reply_sha256=sha)
            )
        new = import_bundle(elsewhere, bundle(judge.bench, run))
    assert elsewhere.journal.completions(new)[1, 0].completion.text == odd


def test_erased_texts_and_replies_leave_the_figures(cli: Cli, elsewhere: Workbench) -> None:
    with Judge() as judge:
        ranking = judge.rank(TEXTS)
        sha = ranking.state.spec.texts[0].sha256
        reply = judge.bench.journal.completions(ranking.run_id)[1, 0].reply_sha256
        with judge.bench.journal._engine.begin() as connection:
            connection.execute(schema.blobs.delete().where(schema.blobs.c.sha256.in_([sha, reply])))
        data = bundle(judge.bench, ranking.run_id)
        assert f"artifacts/{sha}.txt" not in unpacked(data)
        new = import_bundle(elsewhere, data)
        assert elsewhere.state(new) == ranking.state
        assert (1, 0) not in elsewhere.journal.completions(new)


def broken(change: Callable[[Files], object]) -> Callable[[Files], Files]:
    def apply(files: Files) -> Files:
        change(files)
        return files

    return apply


def artifact(files: Files) -> str:
    return next(name for name in files if name.startswith("artifacts/"))


def changed_reply(files: Files) -> None:
    name = "journal/replies.jsonl"
    first, rest = files[name].split(b"\n", 1)
    files[name] = json.dumps({**json.loads(first), "reply": "A wins"}).encode() + b"\n" + rest


UNSOUND: dict[str, tuple[Callable[[Files], object], str]] = {
    "climbing": (lambda f: f.update({"../../climbed.txt": b"x"}), "climb"),
    "climbing backwards": (lambda f: f.update({"artifacts\\..\\..\\x.txt": b"x"}), "climb"),
    "absolute": (lambda f: f.update({"/etc/x": b"x"}), "climb"),
    "drive": (lambda f: f.update({"C:/x": b"x"}), "climb"),
    "stranger": (lambda f: f.update({"evil.py": b"x"}), "does not belong"),
    "text changed": (lambda f: f.update({artifact(f): b"another text"}), "does not fit the hash in its name"),
    "reply changed": (changed_reply, "does not fit its hash"),
    "gap": (lambda f: f.update({"journal/events.jsonl": f["journal/events.jsonl"].split(b"\n", 1)[1]}), "gap"),
    "no events": (lambda f: f.pop("journal/events.jsonl"), "lacks"),
    "no manifest": (lambda f: f.pop("manifest.json"), "manifest"),
    "no spec": (lambda f: f.update({"spec.json": b"{}"}), "spec.json"),
    "no JSON": (lambda f: f.update({"journal/events.jsonl": b"[1"}), "cannot be read"),
    "list for event": (lambda f: f.update({"journal/events.jsonl": b"[1]\n"}), "cannot be read"),
    "deep": (lambda f: f.update({"journal/replies.jsonl": b"[" * 100_000}), "cannot be read"),
    "unknown alias": (
        lambda f: f.update({"journal/events.jsonl": f["journal/events.jsonl"].replace(b"E-001", b"E-999")}),
        "do not belong to its texts",
    ),
}


@pytest.mark.parametrize("name", UNSOUND)
def test_an_unsound_bundle_is_refused_and_nothing_is_written(
    packed: tuple[Judge, str, bytes], elsewhere: Workbench, name: str
) -> None:
    """Even where its manifest was made to fit."""
    change, word = UNSOUND[name]
    files = unpacked(packed[2])
    change(files)
    with pytest.raises(InputError, match=word):
        import_bundle(elsewhere, repacked(files, mend="manifest.json" in files))
    assert elsewhere.runs() == []
    assert not list(elsewhere.home.root.parent.rglob("climbed*"))


def test_a_change_that_the_manifest_does_not_know_is_found(
    packed: tuple[Judge, str, bytes], elsewhere: Workbench
) -> None:
    files = unpacked(packed[2])
    files["ranked.csv"] += b"x"
    with pytest.raises(InputError, match="ranked.csv"):
        import_bundle(elsewhere, repacked(files))


def test_a_bundle_of_a_newer_form_says_so(packed: tuple[Judge, str, bytes], elsewhere: Workbench) -> None:
    files = unpacked(packed[2])
    files["manifest.json"] = json.dumps({**json.loads(files["manifest.json"]), "format": 2}).encode()
    with pytest.raises(InputError, match="Update Podium"):
        import_bundle(elsewhere, repacked(files))


def test_an_entry_that_comes_twice_is_refused(packed: tuple[Judge, str, bytes], elsewhere: Workbench) -> None:
    buffer = io.BytesIO(packed[2])
    with zipfile.ZipFile(buffer, "a") as archive, pytest.warns(UserWarning, match="Duplicate"):
        archive.writestr("spec.json", b"{}")
    with pytest.raises(InputError, match="twice"):
        import_bundle(elsewhere, buffer.getvalue())


@pytest.mark.parametrize(
    "data", [b"", b"no zip", b"PK\x05\x06" + bytes(18), (CASES / "files/U-025/climb.zip").read_bytes()]
)
def test_what_is_no_bundle_is_refused(elsewhere: Workbench, data: bytes) -> None:
    with pytest.raises(InputError):
        import_bundle(elsewhere, data)


def test_a_damaged_archive_is_refused(packed: tuple[Judge, str, bytes], elsewhere: Workbench) -> None:
    data = packed[2]
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        middle_of_the_events = archive.getinfo("journal/events.jsonl").header_offset + 100
    flipped = bytearray(data)
    flipped[middle_of_the_events] ^= 0xFF
    for damaged in (bytes(flipped), data[:10], data[: len(data) // 2], data[:-10]):
        with pytest.raises(InputError):
            import_bundle(elsewhere, damaged)
