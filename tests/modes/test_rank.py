"""The rank mode as a state machine: rounds, failures, retries, narrowing, cancelling. No judge, no network."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from judge_core.modes.rank import Match, RankMode
from judge_core.records.event import Cancelled, Event, MatchJudged, RetryAsked, RoundClosed, RoundPaired
from judge_core.records.spec import Spec
from judge_core.records.verdict import Judgment, MatchResult
from tests.engine.toy import spec

Verdict = Callable[[Match], float | None]


def by_size(match: Match) -> float | None:
    """The longer text wins."""
    return 1.0 if match.a.characters > match.b.characters else 0.0


def result(match: Match, outcome: float | None) -> MatchResult:
    judged = Judgment(judge=0, outcome="failed")
    if outcome is not None:
        judged = Judgment(judge=0, outcome="won" if outcome == 1 else "lost", result=outcome)
    return MatchResult(a=match.a.alias, b=match.b.alias, judgments=(judged,))


def played(mode: RankMode, verdict: Verdict = by_size, *, most: int = 1000) -> list[Event]:
    """Asks and takes until there is nothing to ask."""
    events: list[Event] = []
    while most and (match := mode.ask()) is not None:
        events += mode.take(result(match, verdict(match)), match.place)
        most -= 1
    return events


def begun(run: Spec) -> tuple[RankMode, list[Event]]:
    mode = RankMode(run)
    return mode, mode.begin()


def judged(events: list[Event]) -> list[MatchJudged]:
    return [event for event in events if isinstance(event, MatchJudged)]


def test_a_round_is_paired_when_the_one_before_is_closed_and_nobody_meets_twice() -> None:
    mode, events = begun(spec(8, rounds=4))
    events += played(mode)
    kinds = [type(e).__name__ for e in events]
    assert kinds == ["Started", "RoundPaired", *(["MatchJudged"] * 4 + ["RoundClosed", "RoundPaired"]) * 3, *["MatchJudged"] * 4, "RoundClosed"]  # fmt: skip
    pairs = [frozenset((e.a, e.b)) for e in judged(events)]
    assert len(pairs) == len(set(pairs)) == 16


def test_nothing_is_asked_beyond_an_open_round() -> None:
    mode, _ = begun(spec(6))
    asked = [mode.ask() for _ in range(3)]
    assert all(asked) and mode.ask() is None


def test_the_better_text_ends_above_and_elo_keeps_its_sum() -> None:
    mode, _ = begun(spec(8, rounds=4))
    played(mode)
    order = sorted(mode.ratings, key=mode.ratings.__getitem__)
    assert (order[0], order[-1]) == ("E-001", "E-008")
    assert sum(mode.ratings.values()) == pytest.approx(8 * 1500)


def test_a_failure_moves_nothing_and_the_pair_may_meet_again() -> None:
    mode, events = begun(spec(2, rounds=2))
    events += played(mode, lambda match: None if match.round == 1 else by_size(match))
    first, second = judged(events)
    assert first.result is None and first.elo == {"E-001": 1500, "E-002": 1500}
    assert {second.a, second.b} == {first.a, first.b} and second.result is not None


def test_a_failed_match_can_be_asked_again_even_if_the_pair_has_met_since() -> None:
    mode, events = begun(spec(2, rounds=2))
    played(mode, lambda match: None if match.round == 1 else by_size(match))
    assert mode.take(RetryAsked()) == []
    again = mode.ask()
    assert again is not None and (again.round, again.replicate, again.judges) == (1, 1, (0,))
    (event,) = mode.take(result(again, by_size(again)), again.place)
    assert isinstance(event, MatchJudged) and event.result is not None and event.elo[again.a.alias] != 1500
    mode.take(RetryAsked())
    assert mode.ask() is None, "nothing is owed any more"


def test_a_retry_of_a_match_that_moved_elo_moves_it_no_second_time() -> None:
    two = spec(2, rounds=1)
    two = two.model_copy(update={"judges": two.judges * 2})
    mode, _ = begun(two)
    match = mode.ask()
    assert match is not None
    half = MatchResult(
        a=match.a.alias, b=match.b.alias,
        judgments=(Judgment(judge=0, outcome="won", result=1.0), Judgment(judge=1, outcome="failed")),
    )  # fmt: skip
    mode.take(half, match.place)
    before = dict(mode.ratings)
    mode.take(RetryAsked())
    again = mode.ask()
    assert again is not None and again.judges == (1,)
    late = MatchResult(a=match.a.alias, b=match.b.alias, judgments=(Judgment(judge=1, outcome="lost", result=0.0),))
    mode.take(late, again.place)
    assert mode.ratings == before


def test_a_cancelled_run_asks_nothing_and_pairs_no_further_round() -> None:
    mode, _ = begun(spec(4, rounds=3))
    matches = [mode.ask(), mode.ask()]
    mode.take(Cancelled())
    events = [e for m in matches if m is not None for e in mode.take(result(m, by_size(m)), m.place)]
    assert [type(e) for e in events] == [MatchJudged, MatchJudged, RoundClosed]
    assert mode.ask() is None


def test_recorded_events_play_the_mode_again_to_the_same_state() -> None:
    mode, events = begun(spec(6, rounds=4))
    events += played(mode)
    again, told = begun(spec(6, rounds=4))
    for event in judged(events):
        match = again.ask()
        assert match is not None and match.place == event.place
        told += again.take(again.recall(event), match.place)
    assert told == events and again.ratings == mode.ratings


def test_known_ratings_steer_the_first_round() -> None:
    run = spec(4, rounds=1)
    prior = {"E-001": 1700.0, "E-002": 1300.0, "E-003": 1650.0, "E-004": 1350.0}
    texts = tuple(t.model_copy(update={"prior_elo": prior[t.alias]}) for t in run.texts)
    _, events = begun(run.model_copy(update={"texts": texts}))
    paired = next(e for e in events if isinstance(e, RoundPaired))
    assert paired.pairs == (("E-001", "E-003"), ("E-004", "E-002"))
