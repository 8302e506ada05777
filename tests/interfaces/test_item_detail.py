"""An item, opened: its parts, and behind each judgment the exact prompts and raw replies, retries and repairs included."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from judge_core.interfaces.detail.item import all_said, item_detail
from judge_core.interfaces.settings import Settings
from judge_core.interfaces.workbench import Workbench
from judge_core.records.errors import InputError
from judge_core.records.prompt import AskMode
from tests.engine.item_world import ItemServer, stored


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    bench = Workbench(Settings(home=tmp_path / "home"))
    yield bench
    bench.close()


@pytest.fixture
def server() -> Iterator[ItemServer]:
    with ItemServer() as server:
        yield server


def test_before_it_is_judged_an_item_has_its_words_and_nothing_else(bench: Workbench, server: ItemServer) -> None:
    run = bench.journal.create(stored(bench, "rag", server))
    detail = item_detail(bench, run, "I-001")
    assert (detail.events, detail.exchanges) == ((), ())
    assert [detail.text(part) for part in detail.item.of("passage")] == ["Leaves fall in autumn.", "Sand moves."]


@pytest.mark.parametrize("alias", ["I-002", "", "1", "I-001 "])
def test_an_item_that_is_not_there_is_named(bench: Workbench, server: ItemServer, alias: str) -> None:
    run = bench.journal.create(stored(bench, "gate", server))
    with pytest.raises(InputError, match="There is no item"):
        item_detail(bench, run, alias)


def test_both_steps_of_an_answer_are_shown_in_the_order_asked(bench: Workbench, server: ItemServer) -> None:
    run = bench.start(stored(bench, "rag", server))
    bench.wait(run, 30)
    exchanges = item_detail(bench, run, "I-001").exchanges
    assert [(e.sent.turn.turn, e.sent.turn.first) for e in exchanges] == [
        (0, "claims"), (1, "reference_claims"), (2, "scores"), (3, "labels"), (4, "coverage"),
    ]  # fmt: skip
    labels = exchanges[3]
    assert labels.sent.ask.claims == ("They fall in autumn", "Wind helps them.")
    assert "They fall in autumn\n" in labels.sent.prompt[1].content
    assert labels.said and labels.said.lines[0].says == "supported (passages 1)"


def test_a_repair_is_shown_with_the_reply_that_it_is_about(bench: Workbench, server: ItemServer) -> None:
    replies = iter(["<nonsense>"])
    server.say = lambda mode, prompt: next(replies, None) if mode == "rag_labels" else None
    run = bench.start(stored(bench, "rag", server))
    bench.wait(run, 30)
    exchanges = item_detail(bench, run, "I-001").exchanges
    assert [e.sent.turn.status for e in exchanges] == ["ok", "ok", "ok", "unparseable", "ok", "ok"]
    unread, repair = exchanges[3], exchanges[5]
    assert unread.said and unread.said.error and unread.sent.reply == "<nonsense>"
    assert repair.sent.turn.repair and repair.sent.prompt[2].content == "<nonsense>"
    assert sorted(str([m.model_dump() for m in e.sent.prompt]) for e in exchanges) == sorted(
        str(body["messages"]) for body in server.bodies
    )


def test_a_retry_follows_the_first_asking_and_shows_the_silent_judge_alone(
    bench: Workbench, server: ItemServer
) -> None:
    with ItemServer() as other:
        other.refuse = 400
        judges = (stored(bench, "gate", server).judges[0], stored(bench, "gate", other).judges[0])
        run = bench.start(stored(bench, "gate", server, judges=judges))
        bench.wait(run, 30)
        other.refuse = None
        bench.retry(run)
        bench.wait(run, 30)
        detail = item_detail(bench, run, "I-001")
    assert [(event.place, event.replicate) for event in detail.events] == [(1, 0), (2, 1)]
    shown = [(e.sent.place, e.sent.judge, e.sent.turn.status, e.said is None) for e in detail.exchanges]
    assert shown == [(1, 0, "ok", False), (1, 1, "failed", True), (2, 1, "ok", False)]
    assert detail.exchanges[1].sent.reply is None and detail.exchanges[1].sent.prompt
    assert detail.exchanges[2].sent.ask.replicate == 1


def test_all_that_was_said_is_found_by_place_judge_and_turn(bench: Workbench, server: ItemServer) -> None:
    bad: dict[AskMode, str] = {"gate": "no idea"}
    server.say = lambda mode, prompt: bad[mode] if "(2)" in prompt else None
    run = bench.start(stored(bench, "gate", server, items=3))
    bench.wait(run, 30)
    said = all_said(bench, run)
    assert set(said) == {(1, 0, 0), (3, 0, 0)}, "a reply that could not be read says nothing"
    assert all("Clarity: 4: why Clarity" in text and "Verdict: pass" in text for text in said.values())
