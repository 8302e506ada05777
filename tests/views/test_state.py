"""The fold: what events say about a run."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge_core.records.errors import StoreError
from judge_core.records.event import Cancelled, CapsRaised, RetryAsked, RunStatus, TakenOver
from judge_core.records.spec import Caps
from judge_core.records.verdict import JudgmentClass
from judge_core.views.state import RunState, fold
from tests.views.streams import Stream, alias, both_orders, judge, lost, played, spec, turn, win


def folded(stream: Stream) -> RunState:
    return fold(stream.spec, stream.events)


def test_a_run_without_events_waits_at_its_start_values() -> None:
    state = fold(spec(2), [])
    assert (state.status, state.last_seq, state.planned_judgments) == ("waiting", 0, 0)
    assert state.elo == {"E-001": ((0, 1500.0),), "E-002": ((0, 1500.0),)}


def test_status_follows_the_last_ended_and_runs_again_when_events_follow() -> None:
    stream = Stream(spec(4), planned=6)
    assert folded(stream).status == "running"
    stream.round(1, ("E-001", "E-002"), ("E-003", "E-004")).match("E-001", "E-002", win()).end("paused", "Stopped.")
    paused = folded(stream)
    assert (paused.status, paused.reason, paused.ended_at) == ("paused", "Stopped.", stream.events[-1].at)
    resumed = folded(stream.match("E-003", "E-004", win()))
    assert (resumed.status, resumed.reason, resumed.ended_at) == ("running", "", None)
    assert folded(stream.end()).status == "done"


def test_elo_lines_begin_at_the_prior_and_keep_each_match() -> None:
    texts = spec(2).texts
    prior = spec((texts[0].model_copy(update={"prior_elo": 1600.0}), texts[1]))
    state = folded(Stream(prior).match("E-001", "E-002", lost()).match("E-001", "E-002", win()))
    assert [place for place, _ in state.elo["E-001"]] == [0, 1, 2]
    assert [value for _, value in state.elo["E-001"]][:2] == [1600.0, 1600.0]
    assert state.elo_now("E-001") + state.elo_now("E-002") == pytest.approx(3100)


@pytest.mark.parametrize(("status", "rest"), [("budget", "held"), ("cancelled", "cancelled"), ("failed", "waiting")])
def test_what_was_not_judged_is_counted_by_how_the_run_ended(status: RunStatus, rest: JudgmentClass) -> None:
    stream = Stream(spec(4, judges=(judge("a"), judge("b"))), planned=6)
    stream.round(1, ("E-001", "E-002"), ("E-003", "E-004")).match("E-001", "E-002", win(), lost(judge=1))
    state = folded(stream.end(status, "Stopped."))
    assert state.ledger[rest] == 10
    assert state.ledger["won"] == state.ledger["failed"] == 1
    assert sum(state.ledger.values()) == state.planned_judgments == 12
    assert list(state.ledger)[0] == "won" and len(state.ledger) == 9


def test_the_plan_is_corrected_by_what_is_paired() -> None:
    stream = Stream(spec(4, rounds=3), planned=6).round(1, ("E-001", "E-002"), byes=("E-003", "E-004"))
    assert folded(stream).planned_matches == 5
    stream.match("E-001", "E-002", win()).end()
    assert folded(stream).planned_matches == 1


def test_a_retry_replaces_the_failed_judgment_and_moves_elo_once() -> None:
    stream = Stream(spec(2), planned=1).round(1, ("E-001", "E-002")).match("E-001", "E-002", lost())
    stream.add(RetryAsked()).match("E-001", "E-002", win(turns=(turn(cost=0.02),)), replicate=1)
    state = folded(stream)
    view = state.match(2)
    assert view is not None and view is state.match(1)
    assert (view.place, view.places, view.result, view.moved_at) == (1, (2,), 1.0, 2)
    assert [place for place, _ in view.replaced] == [1]
    assert (view.elo_before["E-001"], view.elo["E-001"]) == (1500.0, 1516.0)
    assert (state.ledger["failed"], state.ledger["won"], sum(state.ledger.values())) == (0, 1, 1)
    assert (state.spent.calls, state.spent.cost.known) == (2, 0.02)


def test_a_retry_of_one_judge_leaves_the_others_as_they_were() -> None:
    panel = Stream(spec(2, judges=(judge("a"), judge("b"))), planned=1).match("E-001", "E-002", win(), lost(judge=1))
    panel.add(RetryAsked()).match("E-001", "E-002", win(4, 8, judge=1), replicate=1)
    view = folded(panel).match(1)
    assert view is not None
    assert [j.outcome for j in view.judgments] == ["won", "lost"]
    assert (view.places, view.result, view.moved_at) == ((1, 2), 0.5, 1)
    assert view.elo["E-001"] == 1516.0


def test_a_retry_that_fails_too_leaves_what_was_decided() -> None:
    panel = Stream(spec(2, judges=(judge("a"), judge("b"))), planned=1).match("E-001", "E-002", win(), lost(judge=1))
    panel.match("E-001", "E-002", lost(), lost("unparseable", judge=1), replicate=1)
    view = folded(panel).match(1)
    assert view is not None and view.retryable
    assert [j.outcome for j in view.judgments] == ["won", "unparseable"]
    assert (view.places, [place for place, _ in view.replaced]) == ((1, 2), [2, 1])


def test_a_lost_pair_that_is_paired_again_is_a_match_of_its_own() -> None:
    stream = Stream(spec(2), planned=2).round(1, ("E-001", "E-002")).match("E-001", "E-002", lost())
    state = folded(stream.round(2, ("E-001", "E-002")).match("E-001", "E-002", win(4, 8), round=2))
    assert [view.result for view in state.matches.values()] == [None, 0.0]
    assert (state.ledger["failed"], state.ledger["lost"]) == (1, 1)


def test_an_unknown_cost_is_counted_and_never_taken_for_nothing() -> None:
    state = folded(Stream(spec(2)).match("E-001", "E-002", win(turns=(turn(cost=None), turn(cost=0.5, cached=True)))))
    assert (state.spent.cost.known, state.spent.cost.unknown, state.spent.cost.exact) == (0.5, 1, None)
    assert (state.spent.cached, state.spent.prompt_tokens) == (1, 200)


def test_calls_that_may_have_been_paid_are_kept_apart() -> None:
    stream = Stream(spec(2)).add(TakenOver(calls_charged=3, cost_charged=0.3))
    stream.add(TakenOver(calls_charged=2, cost_charged=None))
    state = folded(stream)
    assert (state.charged.calls, state.charged.cost.known, state.charged.cost.unknown) == (5, 0.3, 2)
    assert state.spent.calls == 0


def test_raised_caps_are_in_force() -> None:
    assert folded(Stream(spec(2)).add(CapsRaised(caps=Caps(max_cost=9.0)))).caps.max_cost == 9.0


def test_a_missing_event_is_refused_and_a_known_one_passed_over() -> None:
    stream = played()
    state = folded(stream)
    assert state.extended(stream.events) == state
    with pytest.raises(StoreError, match="Event 2 is missing"):
        fold(stream.spec, [stream.events[0], stream.events[2]])


@settings(deadline=None)
@given(st.lists(st.integers(0, 14), max_size=4))
def test_folding_in_pieces_gives_the_same_state(cuts: list[int]) -> None:
    stream = mixed()
    bounds = [0, *sorted(cuts), len(stream.events)]
    states = [fold(stream.spec, [])]
    for start, stop in zip(bounds, bounds[1:], strict=False):
        states.append(states[-1].extended(stream.events[start:stop]))
    # each equals the fold from the first event on, also the earlier ones, which later events must not touch
    assert states[1:] == [fold(stream.spec, stream.events[:stop]) for stop in bounds[1:]]


def mixed() -> Stream:
    stream = Stream(spec(4, rounds=2), planned=4).round(1, ("E-001", "E-002"), ("E-003", "E-004"))
    stream.match("E-001", "E-002", lost()).match("E-003", "E-004", lost("unparseable")).close(1)
    stream.add(RetryAsked()).match("E-001", "E-002", win(), replicate=1).match("E-003", "E-004", lost(), replicate=1)
    stream.round(2, ("E-001", "E-003"), ("E-002", "E-004")).add(RetryAsked()).match(
        "E-003", "E-004", win(), replicate=2
    )
    flip = both_orders(
        {"Argument": (8, 4), "Style": (8, 4)}, {"Argument": (4, 8), "Style": (4, 8)}, a="E-001", b="E-003"
    )
    return stream.match("E-001", "E-003", flip, round=2).add(Cancelled()).end("cancelled", "Cancelled.")


def large(judgments: int, texts: int = 100) -> Stream:
    stream = Stream(spec(texts), planned=judgments)
    verdicts = [win(), win(4, 8), win(5, 5)]
    for number in range(judgments):
        a, b = number % texts, (number * 7 + 1 + number // texts) % texts
        if a != b:
            stream.match(alias(a + 1), alias(b + 1), verdicts[number % 3], round=1 + number // (texts // 2))
    return stream
