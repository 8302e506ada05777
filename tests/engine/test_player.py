"""The player: the same run whatever the timing, nothing paid lost or paid twice, caps that hold."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from judge_core.engine.cache import DiskReplyCache
from judge_core.records.errors import JudgeUnusableError, LeaseLostError, ReplayMismatchError, StoreError
from judge_core.records.event import (
    Cancelled,
    CapsRaised,
    Ended,
    MatchJudged,
    RetryAsked,
    RoundClosed,
    Stored,
    TakenOver,
)
from judge_core.records.journal import Batch, Lease, StoredCompletion
from judge_core.records.prompt import Completion, Prompt
from judge_core.store.journal import Journal, is_live
from tests.engine.toy import ToyJudge, ToyWorld, caps, spec


@pytest.fixture
def world(tmp_path: Path) -> ToyWorld:
    return ToyWorld(f"sqlite:///{tmp_path}/podium.db")


def whole(tmp_path: Path, **changes: object) -> list[object]:
    """The story of a run that nothing interrupts."""
    world = ToyWorld(f"sqlite:///{tmp_path}/whole.db")
    run = world.journal.create(spec(**changes))
    assert world.play(run).status == "done"
    return world.story(run)


def test_a_run_is_the_same_whatever_the_judges_timing(tmp_path: Path) -> None:
    stories = []
    for seed in range(5):
        world = ToyWorld(f"sqlite:///{tmp_path}/{seed}.db", ToyJudge(seed=seed, pause_s=0.01))
        run = world.journal.create(spec())
        world.play(run)
        stories.append(world.story(run))
    assert all(story == stories[0] for story in stories)
    assert sum(isinstance(e, MatchJudged) for e in stories[0]) == 2 + 3 + 2


def test_no_more_calls_are_in_flight_than_allowed(world: ToyWorld) -> None:
    world.play(world.journal.create(spec(lookahead=8)))
    assert isinstance(world.judge, ToyJudge)
    assert world.judge.most_inside == 3


class DyingJournal(Journal):
    """Dies, as a killed process does, at the n-th write: nothing of that write or any later one reaches the disk."""

    def __init__(self, engine, deaths: list[int]):
        super().__init__(engine)
        self.left = deaths.pop(0) if deaths else 10**9

    def commit(self, lease: Lease, batch: Batch) -> list[StoredCompletion]:
        self.left -= 1
        if self.left <= 0:
            raise StoreError("killed")
        return super().commit(lease, batch)

    def abandon(self, lease: Lease) -> None:
        """The dead do not give anything back."""


class HiccupJournal(Journal):
    """Refuses one write, and then works again: a full disk that was cleared, a lock that was let go."""

    def __init__(self, engine, number: int):
        super().__init__(engine)
        self.left = number

    def commit(self, lease: Lease, batch: Batch) -> list[StoredCompletion]:
        self.left -= 1
        if self.left == 0:
            raise StoreError("The database refused: disk full.")
        return super().commit(lease, batch)


@pytest.mark.parametrize("number", range(1, 13))
def test_a_single_write_that_fails_never_lets_a_run_call_itself_done(tmp_path: Path, number: int) -> None:
    world = ToyWorld(f"sqlite:///{tmp_path}/hiccup.db", ToyJudge(seed=number))
    run = world.journal.create(spec())
    world.journal = HiccupJournal(world.engine, number)
    with pytest.raises(StoreError, match="disk full"):
        world.play(run)
    assert not any(isinstance(s.event, Ended) for s in world.journal.events(run))
    assert not is_live(world.journal.row(run)) and world.journal.row(run).status == "paused"
    assert world.play(run).status == "done"
    assert world.story(run) == whole(tmp_path)


def test_a_takeover_charges_the_calls_that_may_have_been_in_flight(world: ToyWorld) -> None:
    run = world.journal.create(spec(both_orders=True, lookahead=2))
    world.journal = DyingJournal(world.engine, [2])
    with pytest.raises(StoreError):
        world.play(run)
    world.journal = Journal(world.engine)
    world.play(run)
    charged = [s.event for s in world.journal.events(run) if isinstance(s.event, TakenOver)]
    assert len(charged) == 1
    assert 0 < charged[0].calls_charged <= 3 and (charged[0].cost_charged or 0) > 0


def test_a_run_closed_in_order_charges_nothing(world: ToyWorld) -> None:
    run = world.journal.create(spec())
    world.play(run, then=lambda handle: handle.player and handle.player.pause())
    world.play(run)
    assert not any(isinstance(s.event, TakenOver) for s in world.journal.events(run))


@pytest.mark.parametrize("seed", range(12))
def test_a_run_killed_anywhere_and_resumed_tells_the_same_story(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    deaths = [rng.randint(2, 14) for _ in range(4)]
    judge = ToyJudge(seed=seed)
    world = ToyWorld(f"sqlite:///{tmp_path}/killed.db", judge)
    run = world.journal.create(spec())
    lives = 0
    while True:
        lives += 1
        world.journal = DyingJournal(world.engine, deaths)
        try:
            assert world.play(run, owner=f"other|{lives}|x").status == "done"
            break
        except StoreError:
            with world.engine.begin() as connection:  # the lease of the dead runs out
                connection.exec_driver_sql("UPDATE runs SET lease_until = 0")
    assert world.story(run) == whole(tmp_path)
    asked_once = len(set(judge.asked))
    assert len(judge.asked) <= asked_once + 3 * lives, "only calls in flight at a death may be asked again"
    assert [s.seq for s in world.journal.events(run)] == list(range(1, world.journal.last_seq(run) + 1))


def test_a_paused_run_asks_nothing_twice(tmp_path: Path, world: ToyWorld) -> None:
    run = world.journal.create(spec())
    statuses = []
    for _ in range(60):
        statuses.append(world.play(run, then=lambda handle: handle.player and handle.player.pause()).status)
        if statuses[-1] == "done":
            break
    assert "paused" in statuses and statuses[-1] == "done"
    assert world.story(run) == whole(tmp_path)
    assert isinstance(world.judge, ToyJudge)
    assert len(world.judge.asked) == len(set(world.judge.asked))


def test_a_writer_that_lost_its_lease_writes_no_event(world: ToyWorld) -> None:
    run = world.journal.create(spec())
    old = world.journal.take_lease(run, "host|1|old")
    with world.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE runs SET lease_until = 0")
    new = world.journal.take_lease(run, "host|1|new")
    assert (new.epoch, new.clean) == (old.epoch + 1, False)
    event = Stored(seq=1, at="now", event=RoundClosed(round=1))
    with pytest.raises(LeaseLostError):
        world.journal.commit(old, Batch(events=(event,)))
    assert world.journal.events(run) == []


def test_a_living_writer_is_not_pushed_aside(world: ToyWorld) -> None:
    run = world.journal.create(spec())
    world.journal.take_lease(run, "elsewhere|1|x")
    with pytest.raises(StoreError, match="Another Podium process"):
        world.journal.take_lease(run, "host|1|new")


def test_a_cap_on_calls_holds_to_the_call_and_can_be_raised(tmp_path: Path, world: ToyWorld) -> None:
    run = world.journal.create(spec(caps=caps(max_calls=9)))
    ended = world.play(run)
    assert isinstance(world.judge, ToyJudge)
    assert ended.status == "budget" and "9 calls" in ended.reason
    assert len(world.judge.asked) <= 9
    before = len(world.judge.asked)
    world.journal.send(run, CapsRaised(caps=caps(max_calls=1000)))
    assert world.play(run).status == "done"
    assert len(world.judge.asked) == len(set(world.judge.asked)) > before
    told = [e for e in world.story(run) if e.type != "caps_raised"]
    assert told == whole(tmp_path)


def test_a_cap_in_dollars_is_never_overrun(world: ToyWorld) -> None:
    run = world.journal.create(spec(caps=caps(max_cost=0.004)))
    assert world.play(run).status == "budget"
    judged = [e for e in world.story(run) if isinstance(e, MatchJudged)]
    spent = sum(turn.cost or 0 for e in judged for turn in e.judgments[0].turns)
    assert 0 < spent <= 0.004


def test_cancel_keeps_what_is_judged_and_ends_for_good(world: ToyWorld) -> None:
    run = world.journal.create(spec(rounds=40))

    def cancel(handle) -> None:
        world.journal.send(run, Cancelled())
        handle.player.look_up()

    ended = world.play(run, then=cancel)
    assert ended.status == "cancelled"
    events = [s.event for s in world.journal.events(run)]
    assert any(isinstance(e, MatchJudged) for e in events)
    assert isinstance(world.judge, ToyJudge)
    asked = len(world.judge.asked)
    assert world.play(run).status == "cancelled" and len(world.judge.asked) == asked


def test_a_paused_run_that_is_cancelled_asks_nothing_more(world: ToyWorld) -> None:
    run = world.journal.create(spec(rounds=40))
    assert world.play(run, then=lambda handle: handle.player and handle.player.pause()).status == "paused"
    assert isinstance(world.judge, ToyJudge)
    asked = len(world.judge.asked)
    world.journal.send(run, Cancelled())
    assert world.play(run).status == "cancelled"
    assert len(world.judge.asked) == asked


def test_failed_matches_are_asked_again_on_retry_and_only_those(world: ToyWorld) -> None:
    down = {"now": True}
    judge = ToyJudge(fail=lambda prompt: down["now"] and prompt.startswith("2|") and "number 3" in prompt)
    world.judge = judge
    run = world.journal.create(spec(lookahead=8))
    assert world.play(run).status == "done"
    failed = [e for e in world.story(run) if isinstance(e, MatchJudged) and e.result is None]
    assert len(failed) == 1 and failed[0].judgments[0].outcome == "failed"
    down["now"] = False
    asked = len(judge.asked)
    world.journal.send(run, RetryAsked())
    assert world.play(run).status == "done"
    again = [e for e in world.story(run) if isinstance(e, MatchJudged)][-1]
    assert (again.a, again.b) == (failed[0].a, failed[0].b) and again.result is not None
    assert 2 <= len(judge.asked) - asked <= 3
    assert world.play(run).status == "done", "and the story still plays again"


def test_a_dead_judge_ends_the_run_instead_of_failing_every_match(world: ToyWorld) -> None:
    judge = ToyJudge()
    judge.fail = lambda prompt: len(judge.asked) > 4  # it dies in the middle of its work
    world.judge = judge
    run = world.journal.create(spec(texts=8, rounds=20, lookahead=2))
    ended = world.play(run)
    assert ended.status == "failed" and "4 times in a row" in ended.reason and "The judge is away." in ended.reason
    assert len(judge.asked) <= 4 + 2 * (4 + 2)


def test_a_judge_that_is_not_there_ends_the_run_at_its_first_call(tmp_path: Path, world: ToyWorld) -> None:
    judge = ToyJudge(fail=lambda prompt: True)
    world.judge = judge
    run = world.journal.create(spec())
    ended = world.play(run)
    assert ended.status == "failed" and "The judge is away. This judge has not answered once." in ended.reason
    assert len(judge.asked) <= 2 and not any(isinstance(e, MatchJudged) for e in world.story(run))
    world.judge = ToyJudge()
    assert world.play(run).status == "done" and world.story(run) == whole(tmp_path)


class NoKey(ToyJudge):
    async def complete(self, prompt: Prompt) -> Completion:
        self.asked.append("x")
        raise JudgeUnusableError("The key was rejected (401): enter a valid key.", status=401)


def test_an_unusable_judge_is_called_once_and_its_matches_stay_open(tmp_path: Path, world: ToyWorld) -> None:
    judge = NoKey()
    world.judge = judge
    run = world.journal.create(spec(lookahead=8))
    ended = world.play(run)
    assert ended == Ended(status="failed", reason="The key was rejected (401): enter a valid key.")
    assert len(judge.asked) == 1
    assert not any(isinstance(e, MatchJudged) for e in world.story(run))
    world.judge = ToyJudge()
    assert world.play(run).status == "done"
    assert world.story(run) == whole(tmp_path, lookahead=8)


def test_an_equal_rerun_costs_nothing(tmp_path: Path) -> None:
    cache = DiskReplyCache(tmp_path / "cache")
    world = ToyWorld(f"sqlite:///{tmp_path}/podium.db", cache=cache)
    first = world.journal.create(spec())
    world.play(first)
    assert isinstance(world.judge, ToyJudge)
    asked = len(world.judge.asked)
    second = world.journal.create(spec())
    world.play(second)
    cache.close()
    assert len(world.judge.asked) == asked
    results = [
        [(e.a, e.b, e.result, e.elo) for e in world.story(r) if isinstance(e, MatchJudged)] for r in (first, second)
    ]
    assert results[0] == results[1]
    turns = [t for e in world.story(second) if isinstance(e, MatchJudged) for t in e.judgments[0].turns]
    assert all(t.cached and t.cost == 0 for t in turns)


def test_above_temperature_0_another_run_asks_anew(tmp_path: Path) -> None:
    cache = DiskReplyCache(tmp_path / "cache")
    world = ToyWorld(f"sqlite:///{tmp_path}/podium.db", cache=cache)
    warm = spec()
    warm = warm.model_copy(update={"judges": (warm.judges[0].model_copy(update={"temperature": 0.7}),)})
    for _ in range(2):
        world.play(world.journal.create(warm))
    cache.close()
    assert isinstance(world.judge, ToyJudge)
    assert len(world.judge.asked) == 2 * len(set(world.judge.asked))


def test_a_run_recorded_by_another_version_opens_but_does_not_resume(world: ToyWorld) -> None:
    run = world.journal.create(spec())
    world.play(run)
    with world.engine.begin() as connection:
        connection.exec_driver_sql("""UPDATE events SET body = replace(body, '"round":1', '"round":7') WHERE seq = 3""")
    with pytest.raises(ReplayMismatchError, match="another version"):
        world.play(run)
    assert world.journal.events(run)
