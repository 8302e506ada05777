"""Bundles of rankings by lists, with late texts: what does not fit the run's own texts is refused, and nothing is taken in."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from judge_core.interfaces.bench.changes import add_texts
from judge_core.interfaces.library.bundle import bundle, import_bundle
from judge_core.interfaces.settings import Settings
from judge_core.interfaces.workbench import Workbench
from judge_core.records.errors import InputError
from tests.interfaces.test_changes import artifact, started, state_of

Events = list[dict[str, Any]]
EVENTS = "journal/events.jsonl"
SPEC = "spec.json"


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    bench = Workbench(Settings(home=tmp_path_factory.mktemp("home")))
    run = started(bench, method="listwise", group_size=3, rounds=1)
    add_texts(bench, run, [artifact(9)])
    state_of(bench, run)
    data = bundle(bench, run)
    bench.close()
    return data


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    made = Workbench(Settings(home=tmp_path / "home"))
    yield made
    made.close()


def forged(
    data: bytes, change: Callable[[Events], object], spec: Callable[[dict[str, Any]], object] | None = None
) -> bytes:
    """The bundle with other events or another spec, and hashes that fit them."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    events = [json.loads(line) for line in files[EVENTS].splitlines()]
    change(events)
    for number, event in enumerate(events, start=1):
        event["seq"] = number
    files[EVENTS] = b"".join(json.dumps(event).encode() + b"\n" for event in events)
    manifest = json.loads(files["manifest.json"])
    if spec is not None:
        told = json.loads(files[SPEC])
        spec(told)
        files[SPEC] = json.dumps(told).encode()
    manifest["files"] |= {name: hashlib.sha256(files[name]).hexdigest() for name in (EVENTS, SPEC)}
    files["manifest.json"] = json.dumps(manifest).encode()
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def first(events: Events, kind: str) -> dict[str, Any]:
    return next(event for event in events if event["type"] == kind)


def verdict(events: Events) -> dict[str, Any]:
    found: dict[str, Any] = first(events, "group_judged")["judgments"][0]["verdict"]
    return found


def event(events: Events, **fields: object) -> None:
    events.insert(len(events) - 1, {"at": "", **fields})


FORGERIES: dict[str, Callable[[Events], object]] = {
    "a list of an unknown text": lambda e: first(e, "group_judged")["texts"].__setitem__(0, "E-999"),
    "a list that names a text twice": lambda e: first(e, "group_judged")["texts"].__setitem__(
        0, first(e, "group_judged")["texts"][1]
    ),
    "numbers beyond the list": lambda e: verdict(e).__setitem__("ranking", [9, 8, 7]),
    "a ranking that is not whole": lambda e: verdict(e).__setitem__("ranking", [1]),
    "a verdict of another kind": lambda e: first(e, "group_judged")["judgments"][0].__setitem__(
        "verdict", {"kind": "point", "scores": {}, "total": 0.5}
    ),
    "elo of a stranger": lambda e: first(e, "group_judged")["elo"].__setitem__("E-777", 1500.0),
    "a late text twice": lambda e: first(e, "texts_added")["texts"].append(first(e, "texts_added")["texts"][0]),
    "a late text with a known alias": lambda e: first(e, "texts_added")["texts"][0].__setitem__("alias", "E-001"),
    "a round of strangers": lambda e: first(e, "round_paired")["groups"].append(["E-001", "E-404"]),
    "a stranger withdrawn": lambda e: event(e, type="texts_withdrawn", texts=["E-404"]),
    "a stranger scored": lambda e: event(e, type="text_scored", place=99, round=1, text="E-404", judgments=[]),
    "rounds without end": lambda e: event(e, type="run_extended", rounds=10**9),
    "a failure with a verdict": lambda e: first(e, "group_judged")["judgments"][0].__setitem__("outcome", "failed"),
    "nobody judged": lambda e: first(e, "group_judged").__setitem__("judgments", []),
    "one judge twice": lambda e: first(e, "group_judged")["judgments"].append(first(e, "group_judged")["judgments"][0]),
    "more than certain": lambda e: event(e, type="goal_reached", certainty=7.5, round=1),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_events_that_do_not_fit_the_texts_are_refused(bench: Workbench, exported: bytes, name: str) -> None:
    with pytest.raises(InputError, match="Export the run again"):
        import_bundle(bench, forged(exported, FORGERIES[name]))
    assert bench.runs() == []


def test_a_goal_that_cannot_be_measured_is_refused(bench: Workbench, exported: bytes) -> None:
    goal = {"kind": "top", "ranks": [], "ratings": [], "probability": 0.9}
    with pytest.raises(InputError, match="goal"):
        import_bundle(bench, forged(exported, lambda e: event(e, type="run_extended", rounds=1, goal=goal)))
    assert bench.runs() == []


COURSES: dict[str, tuple[Callable[[Events], object], str]] = {
    "a goal where none was set": (
        lambda e: event(e, type="goal_reached", certainty=0.95, round=1), "a goal was reached, but its run had none",
    ),
    "nobody left": (
        lambda e: event(e, type="texts_withdrawn", texts=first(e, "round_paired")["groups"][0] + first(e, "round_paired")["groups"][1]),
        "Fewer than two texts",
    ),
    "an elo beyond reason": (
        lambda e: first(e, "group_judged")["elo"].__setitem__(first(e, "group_judged")["texts"][0], 1e308), r"Elo 1e\+308",
    ),
    "an elo that is none": (
        lambda e: first(e, "group_judged")["elo"].__setitem__(first(e, "group_judged")["texts"][0], float("inf")), "cannot be read",
    ),
    "a known rating beyond reason": (
        lambda e: first(e, "texts_added")["texts"][0].__setitem__("anchor", -1e300), r"Elo -1e\+300",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", COURSES)
def test_a_course_that_no_run_can_take_is_refused_in_clear_words(bench: Workbench, exported: bytes, name: str) -> None:
    change, words = COURSES[name]
    with pytest.raises(InputError, match=words):
        import_bundle(bench, forged(exported, change))
    assert bench.runs() == []


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("goal", {"kind": "top", "ranks": [99], "ratings": [], "probability": 0.9}, "Rank 99 draws no line among 6"),
        ("goal", {"kind": "cut", "ranks": [3, 2], "ratings": [], "probability": 0.9}, "must rise; found 3, 2"),
        ("elo_k", 1e308, r"1e\+308"),
    ],
)
def test_a_spec_that_cannot_be_is_refused_in_clear_words(
    bench: Workbench, exported: bytes, field: str, value: object, words: str
) -> None:
    with pytest.raises(InputError, match=words):
        import_bundle(bench, forged(exported, lambda e: None, lambda spec: spec.__setitem__(field, value)))
    assert bench.runs() == []


def test_the_same_bundle_untouched_is_taken(bench: Workbench, exported: bytes) -> None:
    run = import_bundle(bench, forged(exported, lambda events: None))
    assert bench.state(run).late and bench.state(run).listings
