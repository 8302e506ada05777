"""The fold of a run that judges items: every (item, judge) in one class, retries, spending, and folding in pieces."""

from __future__ import annotations

import time
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge_core.records.errors import StoreError
from judge_core.records.event import Cancelled, CapsRaised, ItemJudged, Stored, TakenOver
from judge_core.records.spec import Caps, ItemMode
from judge_core.views.items.state import ITEM_LEDGER, ItemState, fold_items
from tests.views.item_streams import MODES, ItemStream, asked, golden, item_spec, judged, panel, point, silent

FINALS = ("done", "failed", "cancelled", "budget", "paused", None)


def test_a_run_that_has_not_begun_waits_for_every_judgment() -> None:
    state = fold_items(item_spec("review", 3, judges=panel(1, 1)), [])
    assert (state.status, state.running, state.ledger["waiting"], state.spent.calls) == ("waiting", True, 6, 0)
    assert state.item_status("I-001") == "waiting"


@pytest.mark.parametrize("mode", MODES)
def test_a_golden_run_ends_done_and_knows_when(mode: ItemMode) -> None:
    stream = golden(mode)
    state = stream.state
    assert (state.status, state.reason, state.running) == ("done", "All items were judged.", False)
    assert (state.started_at, state.ended_at) == (stream.events[0].at, stream.events[-1].at)
    assert sum(state.ledger.values()) == state.planned_judgments == len(stream.spec.items) * 2


def test_a_retry_replaces_only_the_silent_judges_judgments() -> None:
    state = golden("review").state
    view = state.items["I-001"]
    assert (view.place, view.places, view.replicate, view.retryable) == (1, (1, 4), 1, False)
    assert [judgment.outcome for judgment in view.judgments] == ["judged", "judged"]
    assert [(place, judgment.outcome) for place, judgment in view.replaced] == [(1, "unparseable")]
    assert state.item(4) == state.item(1) == view and state.item(99) is None


def test_a_verdict_once_given_stays() -> None:
    """Whatever a later event says of a judge that had brought its verdict."""
    first, other = judged(point(8, 8)), judged(point(1, 1))
    view = ItemStream(item_spec("review", 1)).item(1, first).item(1, other, replicate=1).state.items["I-001"]
    assert view.judgments == (first,) and view.replaced == ((2, other),)


def test_status_tells_how_far_an_item_is() -> None:
    stream = ItemStream(item_spec("review", 4, judges=panel(1, 1)))
    stream.item(1, judged(point(8, 8)), judged(point(8, 8), 1)).item(2, judged(point(8, 8)), silent(1))
    stream.item(3, silent(), silent(1))
    state = stream.state
    aliases = [item.alias for item in state.spec.items]
    assert [state.item_status(a) for a in aliases] == ["judged", "partly judged", "no verdict", "waiting"]
    assert stream.end("budget").state.item_status("I-004") == "held"
    assert stream.add(Cancelled()).end("cancelled").state.item_status("I-004") == "cancelled"


def test_every_attempt_is_paid_for_and_an_unknown_cost_is_no_zero() -> None:
    stream = ItemStream(item_spec("review", 1)).item(
        1, silent(turns=(asked(cost=None), asked(1, cached=True, calls=0)))
    )
    stream.item(1, judged(point(5, 5)), replicate=1)
    spent = stream.state.spent
    assert (spent.calls, spent.cached, spent.prompt_tokens, spent.completion_tokens) == (2, 1, 300, 30)
    assert (spent.cost.known, spent.cost.unknown, spent.cost.exact) == (0.02, 1, None)


def test_caps_and_takeovers_are_kept() -> None:
    stream = ItemStream(item_spec("review", 1)).add(CapsRaised(caps=Caps(max_cost=9)))
    state = (
        stream.add(TakenOver(calls_charged=2, cost_charged=0.5))
        .add(TakenOver(calls_charged=3, cost_charged=None))
        .state
    )
    assert state.caps.max_cost == 9
    assert (state.charged.calls, state.charged.cost.known, state.charged.cost.unknown) == (5, 0.5, 3)


def test_a_missing_event_and_an_unknown_item_are_named() -> None:
    stream = golden("review")
    with pytest.raises(StoreError, match="Event 2 is missing: the next one at hand is 3"):
        fold_items(stream.spec, [stream.events[0], *stream.events[2:]])
    with pytest.raises(StoreError, match="'I-999', which is no item"):
        ItemStream(item_spec("review", 1)).add(ItemJudged(place=1, item="I-999", judgments=())).state.extended(())


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_every_item_and_judge_is_in_one_class(data: st.DataObject) -> None:
    """Whatever was judged, lost, retried or never asked, and however the run ended."""
    items, judges = data.draw(st.integers(1, 4)), data.draw(st.integers(1, 3))
    stream = ItemStream(item_spec("review", items, judges=panel(*[1] * judges)))
    made = st.sampled_from(["judged", "failed", "unparseable"])
    for number in range(1, data.draw(st.integers(0, items)) + 1):
        open_judges = list(range(judges))
        for replicate in range(data.draw(st.integers(1, 3))):
            outcomes = {j: data.draw(made) for j in open_judges}
            made_now = [judged(point(5, 5), j) if o == "judged" else silent(j, o) for j, o in outcomes.items()]
            stream.item(number, *made_now, replicate=replicate)
            open_judges = [j for j, outcome in outcomes.items() if outcome != "judged"]
    status = data.draw(st.sampled_from(FINALS))
    state = (stream.end(status) if status else stream).state
    assert list(state.ledger) == list(ITEM_LEDGER)
    assert sum(state.ledger.values()) == items * judges and min(state.ledger.values()) >= 0
    assert Counter(state.ledger) == sum((Counter(state.judge_ledger(j)) for j in range(judges)), Counter())
    assert all(sum(state.judge_ledger(j).values()) == items for j in range(judges))


@pytest.mark.parametrize("mode", MODES)
def test_folding_in_pieces_gives_the_same_state(mode: ItemMode) -> None:
    stream = golden(mode)
    for cut in range(len(stream.events) + 1):
        begun = fold_items(stream.spec, stream.events[:cut])
        before = (dict(begun.items), dict(begun.outcomes))
        assert begun.extended(stream.events[cut:]) == begun.extended(stream.events) == stream.state
        assert (begun.items, begun.outcomes) == before, "a state never changes"


def large(judgments: int = 10_000) -> list[Stored]:
    items = judgments // 2
    stream = ItemStream(item_spec("review", items, judges=panel(1, 1)))
    for number in range(1, items + 1):
        stream.item(number, judged(point(8, number % 10)), judged(point(4, number % 7), 1))
    return stream.end().events


def test_ten_thousand_judgments_fold_quickly() -> None:
    events = large()
    spec = item_spec("review", 5_000, judges=panel(1, 1))
    seconds, state = best(lambda: fold_items(spec, events))
    assert state.ledger["judged"] == 10_000
    assert seconds < 0.3


def best(fold: object, tries: int = 3) -> tuple[float, ItemState]:
    took, state = [], None
    for _ in range(tries):
        begin = time.perf_counter()
        state = fold()  # type: ignore[operator]
        took.append(time.perf_counter() - begin)
    assert state is not None
    return min(took), state
