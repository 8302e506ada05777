"""A run of items as a zip: complete, the same each time, the same results elsewhere; nothing unsound gets in."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from judge_core import InputError, ItemResults, Judge, Settings
from judge_core.interfaces.library.bundle import bundle, import_bundle
from judge_core.interfaces.workbench import Workbench
from judge_core.records.event import Stored
from tests.engine.item_world import ItemServer
from tests.interfaces.doors import Cli
from tests.interfaces.test_bundle import repacked, unpacked
from tests.interfaces.test_library_items import CALLS, RAG, TEXTS, loop, run

Packed = tuple[ItemResults, bytes]


@pytest.fixture
def judge(cli: Cli) -> Iterator[Judge]:
    with Judge() as judge:
        yield judge


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[Workbench]:
    """Another data folder."""
    bench = Workbench(Settings(home=tmp_path / "elsewhere"))
    yield bench
    bench.close()


@pytest.mark.parametrize("mode", CALLS)
def test_a_bundle_holds_all_of_a_run_in_plain_files(judge: Judge, mode: str) -> None:
    results = run(judge, mode)
    files = unpacked(bundle(judge.bench, results.run_id))
    assert {"README.txt", "spec.json", "texts.csv", f"{mode}.csv", "summary.csv", "judgments.csv"} <= set(files)
    parts = [part for item in results.state.spec.items for part in item.parts]
    assert {name for name in files if name.startswith("artifacts/")} == {f"artifacts/{p.sha256}.txt" for p in parts}
    listed = list(csv.DictReader(io.StringIO(files["texts.csv"].decode("utf-8-sig"))))
    assert [(row["role"], row["sha256"]) for row in listed] == [(part.role, part.sha256) for part in parts]
    replies = [json.loads(line) for line in files["journal/replies.jsonl"].splitlines()]
    stored = judge.bench.journal.completions(results.run_id)
    assert len(replies) == len(stored)
    for reply in replies:
        assert reply["reply"] == stored[reply["place"], reply["turn"]].completion.text
        assert reply["prompt"] and reply["judge"] == 0


@pytest.mark.parametrize("mode", CALLS)
def test_the_run_is_the_same_in_another_data_folder(judge: Judge, elsewhere: Workbench, mode: str) -> None:
    results = run(judge, mode)
    data = bundle(judge.bench, results.run_id)
    assert bundle(judge.bench, results.run_id) == data
    new = import_bundle(elsewhere, data)
    again = ItemResults.of(elsewhere, new)
    assert again.state == results.state and again.tables == results.tables
    assert {**again.record(), "run": ""} == {**results.record(), "run": ""}
    ids = [item.id for item in results.state.spec.items]
    assert [[e.said for e in again.detail(id).exchanges] for id in ids] == [
        [e.said for e in results.detail(id).exchanges] for id in ids
    ]
    there, here = unpacked(bundle(elsewhere, new)), unpacked(data)
    del there["manifest.json"], here["manifest.json"]
    assert there == here
    with pytest.raises(InputError, match="is here already"):
        import_bundle(elsewhere, data)
    elsewhere.resume(new)
    assert elsewhere.wait(new).status == "done", "and it plays again"


def test_the_prompts_of_a_bundle_are_those_that_were_sent(cli: Cli) -> None:
    with ItemServer() as server, Judge(loop(server)) as judge:
        data = bundle(judge.bench, run(judge, "rag").run_id)
        replies = [json.loads(line) for line in unpacked(data)["journal/replies.jsonl"].splitlines()]
        sent = sorted(json.dumps(body["messages"]) for body in server.bodies)
        assert sorted(json.dumps(reply["prompt"]) for reply in replies) == sent


def test_a_paused_run_goes_on_elsewhere_and_pays_nothing_twice(cli: Cli, elsewhere: Workbench) -> None:
    def pause(stored: Stored) -> None:
        if stored.event.type == "item_judged":
            raise KeyboardInterrupt

    rows = [{**RAG, "id": f"q{n}", "answer": f"It falls in autumn, and {n} times."} for n in range(8)]
    with ItemServer(latency_s=0.05) as server:
        with Judge(loop(server)) as judge:
            with pytest.raises(KeyboardInterrupt):
                judge.evaluate_rag(rows, concurrency=2, on_event=pause)
            [row] = judge.bench.runs()
            before, data = server.requests, bundle(judge.bench, row.id)
        new = import_bundle(elsewhere, data)
        elsewhere.resume(new)
        state = elsewhere.wait(new, 60)
        assert state.status == "done" and before < server.requests == len(elsewhere.journal.completions(new)) == 24


def line_changed(change: Callable[[dict[str, object]], None]) -> Callable[[bytes], bytes]:
    """Changes the event that judges the first item."""

    def changed(content: bytes) -> bytes:
        lines = [json.loads(line) for line in content.splitlines()]
        change(next(line for line in lines if line["type"] == "item_judged"))
        return b"".join(json.dumps(line).encode() + b"\n" for line in lines)

    return changed


def of_another_kind(event: dict[str, object]) -> None:
    place = {"place": 1, "round": 1, "a": "I-001", "b": "I-001", "result": None, "elo": {}, "judgments": []}
    keep = {key: event[key] for key in ("seq", "at")}
    event.clear()
    event.update({"type": "match_judged", **place, **keep})


def by_nobody(event: dict[str, object]) -> None:
    event["judgments"][0]["judge"] = 7  # type: ignore[index]


@pytest.mark.parametrize(
    "change",
    [
        of_another_kind,
        by_nobody,
        lambda event: event.update(item="I-999"),
        lambda event: event.update(place="first"),
        lambda event: event["judgments"][0]["verdict"].update(total=7),
        lambda event: event["judgments"][0].update(verdict={"kind": "point"}),
    ],
)
def test_a_forged_event_is_refused_and_nothing_is_stored(
    judge: Judge, elsewhere: Workbench, change: Callable[[dict[str, object]], None]
) -> None:
    files = unpacked(bundle(judge.bench, judge.gate(TEXTS).run_id))
    forged = {**files, "journal/events.jsonl": line_changed(change)(files["journal/events.jsonl"])}
    with pytest.raises(InputError):
        import_bundle(elsewhere, repacked(forged, mend=True))
    assert elsewhere.runs() == []


def test_a_forged_claim_number_is_refused_or_shown_without_a_fault(judge: Judge, elsewhere: Workbench) -> None:
    files = unpacked(bundle(judge.bench, run(judge, "rag").run_id))

    def beyond(event: dict[str, object]) -> None:
        event["judgments"][0]["verdict"]["claims"][0]["claim"] = 999  # type: ignore[index]

    forged = {**files, "journal/events.jsonl": line_changed(beyond)(files["journal/events.jsonl"])}
    try:
        new = import_bundle(elsewhere, repacked(forged, mend=True))
    except InputError:
        assert elsewhere.runs() == []
    else:
        assert ItemResults.of(elsewhere, new).tables


def test_a_spec_of_the_other_kind_does_not_fit_its_events(judge: Judge, elsewhere: Workbench) -> None:
    items = unpacked(bundle(judge.bench, judge.review(TEXTS).run_id))
    ranking = unpacked(bundle(judge.bench, judge.rank(TEXTS).run_id))
    for one, other in ((items, ranking), (ranking, items)):
        with pytest.raises(InputError):
            import_bundle(elsewhere, repacked({**one, "spec.json": other["spec.json"]}, mend=True))
    assert elsewhere.runs() == []
