"""Runs of items: the same whatever the timing, nothing paid twice after a kill, caps that hold, retries, the cache."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import get_args

import pytest

from judge_core.engine.cache import DiskReplyCache
from judge_core.interfaces.settings import Settings
from judge_core.interfaces.workbench import Workbench
from judge_core.records.errors import StoreError, TransientCallError
from judge_core.records.event import Cancelled, CapsRaised, Event, ItemJudged, RetryAsked, TakenOver
from judge_core.records.prompt import AskMode, Completion, Prompt
from judge_core.records.spec import ItemMode
from judge_core.store.journal import Journal
from tests.engine.item_world import ItemJudge, ItemServer, ItemWorld, judge, mode_of, spec_of, stored
from tests.engine.test_player import DyingJournal
from tests.engine.toy import caps

MODES: tuple[ItemMode, ...] = get_args(ItemMode)
LIFE = Path(__file__).with_name("life.py")
ROOT = Path(__file__).parents[2]


@pytest.fixture
def world(tmp_path: Path) -> ItemWorld:
    return ItemWorld(f"sqlite:///{tmp_path}/podium.db", ItemJudge())


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    bench = Workbench(Settings(home=tmp_path / "home"))
    yield bench
    bench.close()


def asked(world: ItemWorld) -> list[tuple[AskMode, str]]:
    assert isinstance(world.judge, ItemJudge)
    return world.judge.asked


def judged(events: list[Event]) -> list[ItemJudged]:
    return [event for event in events if isinstance(event, ItemJudged)]


def told(events: list[Event]) -> list[object]:
    """What the events say of verdicts; times and calls differ between lives and do not count."""
    return [
        (e.place, e.item, e.replicate, [(j.judge, j.outcome, j.verdict, j.warnings) for j in e.judgments])
        for e in judged(events)
    ]


@pytest.mark.parametrize("mode", MODES)
def test_a_run_of_every_mode_is_played_and_plays_again(world: ItemWorld, mode: ItemMode) -> None:
    run = world.begin(spec_of(mode, 3, judges=(judge("a"), judge("b"))))
    assert world.play(run).status == "done"
    story, calls = world.story(run), len(asked(world))
    assert [(e.place, e.item) for e in judged(story)] == [(1, "I-001"), (2, "I-002"), (3, "I-003")]
    assert all(judgment.decided for event in judged(story) for judgment in event.judgments)
    assert world.play(run).status == "done"
    assert world.story(run) == story and len(asked(world)) == calls


def test_a_run_is_the_same_whatever_the_timing(tmp_path: Path) -> None:
    stories = []
    for seed in range(4):
        world = ItemWorld(f"sqlite:///{tmp_path}/{seed}.db", Uneven(seed))
        run = world.begin(spec_of("rag", 6, lookahead=3))
        assert world.play(run).status == "done"
        stories.append(told(world.story(run)))
    assert all(story == stories[0] for story in stories)


class Uneven(ItemJudge):
    """Takes another while for each answer."""

    def __init__(self, seed: int):
        super().__init__()
        self.rng = random.Random(seed)

    async def complete(self, prompt: Prompt) -> Completion:
        self.pause_s = self.rng.random() * 0.01
        return await super().complete(prompt)


@pytest.mark.parametrize("death", range(1, 13))
def test_a_run_killed_at_any_write_pays_only_for_calls_in_flight_again(tmp_path: Path, death: int) -> None:
    """A retrieval answer takes two steps: whatever was answered before the death is not asked a second time."""
    whole = ItemWorld(f"sqlite:///{tmp_path}/whole.db", ItemJudge())
    first = whole.begin(spec_of("rag", 2, lookahead=2))
    whole.play(first)
    world = ItemWorld(f"sqlite:///{tmp_path}/killed.db", ItemJudge())
    run = world.begin(spec_of("rag", 2, lookahead=2))
    world.journal = DyingJournal(world.engine, [death])
    died = False
    try:
        world.play(run)
    except StoreError:
        died = True
    stored = len(Journal(world.engine).completions(run))
    before = len(asked(world))
    world.journal = Journal(world.engine)
    with world.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE runs SET lease_until = 0")
    assert world.play(run, owner="other|1|x").status == "done"
    assert told(world.story(run)) == told(whole.story(first))
    assert len(asked(world)) == before + len(asked(whole)) - stored, "what was kept is not asked again"
    charged = [s.event for s in world.journal.events(run) if isinstance(s.event, TakenOver)]
    assert len(charged) <= died and all(event.calls_charged <= 3 for event in charged)


def test_a_process_killed_between_two_steps_pays_neither_twice(tmp_path: Path, bench: Workbench) -> None:
    """kill -9 while the second question waits for its answer: the first one's is in the journal."""
    with ItemServer() as server:
        run = bench.journal.create(stored(bench, "rag", server))
        server.say = lambda mode, prompt: held(server, mode)
        life = subprocess.Popen([sys.executable, str(LIFE), str(tmp_path / "home"), run], cwd=ROOT)
        wait_for(lambda: server.requests >= 4, life)
        life.send_signal(signal.SIGKILL)
        life.wait()
        assert len(bench.journal.completions(run)) == 3
        server.say = lambda mode, prompt: None
        server.hold.set()
        bench.resume(run)
        state = bench.wait(run, 60)
        assert state.status == "done" and state.items["I-001"].judgments[0].decided
        modes = [mode_of(body["messages"][0]["content"]) for body in server.bodies]
        assert (modes.count("rag_claims"), modes.count("pointwise")) == (2, 1), "the first step was paid once"
        assert modes.count("rag_labels") <= 2 and modes.count("rag_coverage") <= 2
        assert 1 <= state.charged.calls <= 2, "and the calls in flight are taken for paid"


def held(server: ItemServer, mode: AskMode) -> None:
    """Keeps an answer to the second step back until the judge is let go."""
    if mode in ("rag_labels", "rag_coverage"):
        server.hold.clear()
        server.hold.wait(20)


def wait_for(what: Callable[[], bool], life: subprocess.Popen[bytes] | None = None) -> None:
    end = time.monotonic() + 30
    while not what():
        assert time.monotonic() < end, "waited in vain"
        assert life is None or life.poll() is None, "the run ended before it could be killed"
        time.sleep(0.005)


# caps


@pytest.mark.parametrize("limit", [0, 9, 10, 11, 19, 20, 25, 49, 50])
def test_a_cap_on_calls_is_never_passed_and_leaves_no_answer_half_judged(world: ItemWorld, limit: int) -> None:
    """An answer with a reference takes five calls, ten with every repair: so much must be free before it is begun."""
    run = world.begin(spec_of("rag", 9, caps=caps(max_calls=limit)))
    ended = world.play(run)
    done = judged(world.story(run))
    assert ended.status == ("done" if len(done) == 9 else "budget")
    assert len(asked(world)) <= limit and len(asked(world)) == 5 * len(done)
    assert len(done) == 9 or limit - len(asked(world)) < 10
    assert all(judgment.decided for event in done for judgment in event.judgments)


def test_a_cap_holds_where_every_reply_must_be_repaired(world: ItemWorld) -> None:
    world.judge = ItemJudge(say=lambda mode, prompt: None)
    unread: set[str] = set()

    def once_bad(mode: AskMode, prompt: str) -> str | None:
        first = prompt not in unread
        unread.add(prompt)
        return "no" if first else None

    world.judge.say = once_bad
    run = world.begin(spec_of("gate", 9, caps=caps(max_calls=7)))
    assert world.play(run).status == "budget"
    assert len(asked(world)) == 6 and len(judged(world.story(run))) == 3


@pytest.mark.parametrize("mode", MODES)
def test_a_cap_in_dollars_is_never_passed(world: ItemWorld, mode: ItemMode) -> None:
    cap = 0.06 if mode == "rag" else 0.01
    run = world.begin(spec_of(mode, 9, caps=caps(max_cost=cap)))
    world.play(run)
    done = judged(world.story(run))
    spent = sum(judgment.cost or 0 for event in done for judgment in event.judgments)
    assert len(done) > 0 and 0 < spent <= cap


def test_a_raised_cap_goes_on_from_there_and_tells_the_same_story(tmp_path: Path, world: ItemWorld) -> None:
    whole = ItemWorld(f"sqlite:///{tmp_path}/whole.db", ItemJudge())
    first = whole.begin(spec_of("rag", 5))
    whole.play(first)
    run = world.begin(spec_of("rag", 5, caps=caps(max_calls=17)))
    assert world.play(run).status == "budget"
    world.journal.send(run, CapsRaised(caps=caps(max_calls=100)))
    assert world.play(run).status == "done"
    assert told(world.story(run)) == told(whole.story(first))
    assert len(asked(world)) == len(asked(whole))


# retries, cancel, a policy, dead judges


def test_a_retry_asks_again_what_failed_and_nothing_else(world: ItemWorld) -> None:
    down = {"now": True}

    def say(mode: AskMode, prompt: str) -> str | None:
        if down["now"] and mode == "rag_labels" and "(2)" in prompt:
            raise TransientCallError("The judge is away.", status=503)
        return None

    world.judge = ItemJudge(say=say)
    run = world.begin(spec_of("rag", 3))
    assert world.play(run).status == "done"
    down["now"] = False
    before = len(asked(world))
    world.journal.send(run, RetryAsked())
    assert world.play(run).status == "done"
    again = judged(world.story(run))[3:]
    assert [(e.item, e.replicate, e.judgments[0].outcome) for e in again] == [("I-002", 1, "judged")]
    assert len(asked(world)) - before == 5, "a retry asks all steps anew: an old reply may be what led astray"
    assert world.play(run).status == "done", "and the story still plays again"


def test_a_cancelled_run_asks_nothing_more(world: ItemWorld) -> None:
    run = world.begin(spec_of("gate", 5, caps=caps(max_calls=4)))
    assert world.play(run).status == "budget"
    before = len(asked(world))
    world.journal.send(run, Cancelled())
    assert world.play(run).status == "cancelled" and len(asked(world)) == before


def test_with_the_policy_abort_the_first_item_without_a_verdict_ends_the_run(world: ItemWorld) -> None:
    world.judge = ItemJudge(say=lambda mode, prompt: "no" if "(2)" in prompt else None)
    run = world.begin(spec_of("gate", 9, on_error="abort", lookahead=1))
    ended = world.play(run)
    assert ended.status == "failed" and "set to stop at the first failure" in ended.reason
    assert [e.item for e in judged(world.story(run))] == ["I-001", "I-002"]


# the cache


def test_an_equal_rerun_is_free_and_says_the_same(tmp_path: Path) -> None:
    cache = DiskReplyCache(tmp_path / "cache")
    world = ItemWorld(f"sqlite:///{tmp_path}/podium.db", ItemJudge(), cache=cache)
    for mode in MODES:
        first, second = (world.begin(spec_of(mode, 3)) for _ in range(2))
        world.play(first)
        before = len(asked(world))
        assert world.play(second).status == "done"
        assert len(asked(world)) == before
        assert told(world.story(first)) == told(world.story(second))
        turns = [t for e in judged(world.story(second)) for j in e.judgments for t in j.turns]
        assert turns and all(t.cached and t.cost == 0 and t.calls == 0 for t in turns)
    cache.close()


def test_equal_judges_of_a_panel_never_share_a_reply(tmp_path: Path) -> None:
    cache = DiskReplyCache(tmp_path / "cache")
    world = ItemWorld(f"sqlite:///{tmp_path}/podium.db", ItemJudge(), cache=cache)
    world.play(world.begin(spec_of("gate", 1, judges=(judge("a"), judge("a")))))
    cache.close()
    assert len(asked(world)) == 2
