"""Runs of items: stand-ins that are named and have one say, words that were erased since, quotas that are full."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from judge_core.engine.cache import DiskReplyCache
from judge_core.interfaces.detail.item import all_said, item_detail
from judge_core.interfaces.library.item_results import ItemResults
from judge_core.interfaces.settings import Settings
from judge_core.interfaces.workbench import Workbench
from judge_core.providers.registry import judge_spec
from judge_core.providers.wrappers.fallback import Fallback
from judge_core.providers.wrappers.limits import read_quotas
from judge_core.records.errors import RefusedCallError
from judge_core.records.item_verdict import RagVerdict
from judge_core.records.prompt import AskMode, Completion, Prompt
from judge_core.records.record import text_hash
from judge_core.records.spec import Price
from judge_core.store import schema
from tests.engine.item_world import LONG, ItemJudge, ItemServer, ItemWorld, judge, spec_of, stored
from tests.engine.test_items_run import judged, wait_for


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    bench = Workbench(Settings(home=tmp_path / "home"))
    yield bench
    bench.close()


# stand-ins


class Down(ItemJudge):
    """Never answers."""

    async def complete(self, prompt: Prompt) -> Completion:
        self.asked.append((prompt.sheet.mode, ""))
        raise RefusedCallError("The text is too long.", status=400)


def test_a_stand_in_is_named_priced_by_its_own_price_and_not_cached(tmp_path: Path) -> None:
    cache = DiskReplyCache(tmp_path / "cache")
    world = ItemWorld(f"sqlite:///{tmp_path}/podium.db", cache=cache)
    first, second = Down(), ItemJudge()
    world.judge = Fallback([("a", first), ("b", second)])
    dear = judge("b", price=Price(input=10, output=100))
    spec = spec_of("gate", 1, judges=(judge("a"),), fallbacks=(dear,))
    runs = [world.begin(spec) for _ in range(2)]
    for run in runs:
        assert world.play(run).status == "done"
    cache.close()
    [judgment] = judged(world.story(runs[0]))[0].judgments
    assert judgment.decided and judgment.turns[0].answered_by == "b"
    assert judgment.turns[0].calls == 2 and judgment.cost == pytest.approx((400 * 10 + 20 * 100) / 1e6)
    [notice] = [n for n in judgment.warnings if n.code == "provider_fallback"]
    assert "a could not answer" in notice.message and "b answered in its place" in notice.message
    assert len(second.asked) == 2, "the reply of a stand-in is nobody's later answer for the judge that was asked"


def test_a_stand_in_that_sits_on_the_panel_has_one_say(bench: Workbench) -> None:
    """Where it could answer for the one that is down, its opinion would count twice."""
    with ItemServer() as up, ItemServer() as down:
        down.refuse = 400
        first, second = (judge_spec(server.url + "#m") for server in (down, up))
        run = bench.start(stored(bench, "gate", up, judges=(first, second), fallbacks=(second,)))
        state = bench.wait(run, 60)
        assert up.requests == 1
        assert [j.outcome for j in state.items["I-001"].judgments] == ["failed", "judged"]
        assert not ItemResults.of(bench, run).passed


def test_a_stand_in_answers_over_the_wire(bench: Workbench) -> None:
    with ItemServer() as up, ItemServer() as down:
        down.refuse = 401
        first, other = (judge_spec(server.url + "#m") for server in (down, up))
        run = bench.start(stored(bench, "gate", up, items=3, judges=(first,), fallbacks=(other,)))
        state = bench.wait(run, 60)
        assert state.status == "done" and down.requests == 1, "a key that was refused is not tried again"
        assert all(view.judgments[0].turns[0].answered_by == other.name for view in state.items.values())
        record = ItemResults.of(bench, run).record()
        assert record["items"][0]["judgments"][0]["answered_by"] == [other.name]
        assert record["items"][0]["warnings"][0]["code"] == "provider_fallback"


# erased words


def erase(bench: Workbench, *texts: str) -> None:
    with bench._database.begin() as connection:
        hashes = [text_hash(text) for text in texts]
        assert connection.execute(sa.delete(schema.blobs).where(schema.blobs.c.sha256.in_(hashes))).rowcount == len(
            texts
        )


def test_where_a_text_is_erased_its_prompts_are_gone_and_the_replies_stay(bench: Workbench) -> None:
    with ItemServer() as server:
        run = bench.start(stored(bench, "review", server))
        bench.wait(run, 60)
        erase(bench, LONG)
        detail = item_detail(bench, run, "I-001")
        [exchange] = detail.exchanges
        assert exchange.sent.prompt == () and exchange.sent.reply and exchange.said and exchange.said.lines
        assert [detail.text(part) for part in detail.item.parts] == [None, "A model answer about trees."]
        assert ItemResults.of(bench, run).tables["review"].rows, "and the figures stay"


@pytest.mark.parametrize("lost", ["rag_claims", "pointwise", "rag_labels"])
def test_where_a_reply_is_erased_no_other_prompt_is_shown_in_the_place_of_one(bench: Workbench, lost: AskMode) -> None:
    """What followed from it cannot be made again, so it is left out; every prompt that is shown was really sent."""
    with ItemServer() as server:
        run = bench.start(stored(bench, "rag", server))
        bench.wait(run, 60)
        whole = item_detail(bench, run, "I-001").exchanges
        assert len(whole) == 5
        erase(bench, next(e.sent.reply for e in whole if e.sent.ask.mode == lost and e.sent.reply))
        left = item_detail(bench, run, "I-001").exchanges
        by_turn = {e.sent.turn.turn: e.sent for e in whole}
        assert left and all(e.sent.ask == by_turn[e.sent.turn.turn].ask for e in left)
        assert all(e.sent.prompt == by_turn[e.sent.turn.turn].prompt for e in left)
        assert [e.said is None for e in left if e.sent.ask.mode == lost][0]
        assert all_said(bench, run)
        verdict = bench.item_state(run).items["I-001"].judgments[0].verdict
        assert isinstance(verdict, RagVerdict) and verdict.metrics.faithfulness == 1.0


def test_a_repair_of_an_erased_reply_is_shown_without_its_prompt(bench: Workbench) -> None:
    with ItemServer() as server:
        answers = iter(["I cannot say."])
        server.say = lambda mode, prompt: next(answers, None)
        run = bench.start(stored(bench, "gate", server))
        bench.wait(run, 60)
        first, second = item_detail(bench, run, "I-001").exchanges
        assert first.said and first.said.error and second.sent.prompt[2].content == "I cannot say."
        erase(bench, "I cannot say.")
        first, second = item_detail(bench, run, "I-001").exchanges
        assert first.sent.prompt and first.said is None
        assert second.sent.turn.repair and second.sent.prompt == () and second.said and second.said.lines


# quotas


def test_a_full_quota_does_not_hold_up_a_pause(tmp_path: Path) -> None:
    """The run waits for its next minute; asked to pause it ends within two seconds, and nothing is half done."""
    with ItemServer() as server:
        host = server.host
        bench = Workbench(Settings(home=tmp_path / "home", quotas=read_quotas(f"{host}=2rpm")))
        run = bench.start(stored(bench, "gate", server, items=6))
        wait_for(lambda: len(bench.item_state(run).items) == 2)
        time.sleep(0.3)
        began = time.monotonic()
        bench.pause(run)
        state = bench.wait(run, 30)
        assert time.monotonic() - began < 2.5
        assert state.status == "paused" and server.requests == 2 and len(state.items) == 2
        bench.close()
