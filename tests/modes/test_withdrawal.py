"""Texts withdrawn while a ranking goes on, and verdicts that come by retries: what is asked afterwards. No judge, no network."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_core.modes.rank import Match, RankMode
from judge_core.ranking.goals import certainty
from judge_core.records.event import (
    Ended,
    Event,
    GoalReached,
    MatchJudged,
    RetryAsked,
    RoundClosed,
    RoundPaired,
    RoundTrimmed,
    Stored,
    TextsAdded,
    TextsWithdrawn,
)
from judge_core.records.spec import Goal, Spec
from judge_core.records.verdict import MatchResult
from judge_core.views.chances import standing
from judge_core.views.charts import bracket_figure
from judge_core.views.knockout import knockout_tree
from judge_core.views.outlook import advice, goals_of
from judge_core.views.standings import standings
from judge_core.views.state import RunState, fold
from tests.engine.toy import spec
from tests.modes.test_rank_methods import Asked, late, longer, played, run_of, silent

METHODS = ("swiss", "round-robin", "knockout", "adaptive", "listwise", "pointwise")


def folded(run: Spec, events: Iterable[Event], *, ended: bool = True) -> RunState:
    story = [*events, *([Ended(status="done", reason="")] if ended else [])]
    return fold(run, [Stored(seq=number, at="2026-01-01", event=event) for number, event in enumerate(story, start=1)])


def taken(mode: RankMode, message: TextsWithdrawn | TextsAdded | RetryAsked) -> list[Event]:
    return [message, *mode.take(message)]


@given(
    st.sampled_from(METHODS), st.booleans(), st.integers(3, 8), st.integers(0, 12), st.integers(0, 4),
    st.sets(st.integers(1, 8), min_size=1, max_size=2),
)  # fmt: skip
def test_nothing_more_is_asked_about_a_withdrawn_text_and_the_run_ends(method, scores_first, texts, before, open, gone):
    run = spec(texts, method=method, rounds=3, group_size=3, warm_start=scores_first)
    aliases = tuple(f"E-{number:03d}" for number in sorted(gone) if number <= texts)[: texts - 2]
    mode = RankMode(run)
    events = mode.begin()
    for _ in range(before):
        if (asked := mode.ask()) is not None:
            events += mode.take(silent(asked) if asked.place % 5 == 0 else longer(asked), asked.place)
    on_the_way = [asked for _ in range(open) if (asked := mode.ask()) is not None]
    events += taken(mode, TextsWithdrawn(texts=aliases))
    for asked in on_the_way:
        events += mode.take(longer(asked), asked.place)
    asked_later = []
    events += played(mode, lambda asked: (asked_later.append(asked), longer(asked))[1])
    events += taken(mode, RetryAsked())
    events += played(mode, lambda asked: (asked_later.append(asked), longer(asked))[1])
    assert not any(alias in asked.aliases for asked in asked_later for alias in aliases)
    state = folded(run, events)
    assert all(view.closed for view in state.rounds.values())
    assert state.judged == state.planned_matches == sum(view.size for view in state.rounds.values())


def test_a_list_that_waits_goes_on_without_the_withdrawn_text():
    mode, events = run_of(8, method="listwise", rounds=1, group_size=4)
    first = mode.ask()
    waiting = next(alias for alias in events[1].groups[1])
    events += taken(mode, TextsWithdrawn(texts=(waiting,)))
    trimmed = events[-1]
    assert isinstance(trimmed, RoundTrimmed) and len(trimmed.groups[0]) == 4 and len(trimmed.left[0]) == 3
    events += mode.take(longer(first), first.place) + played(mode)
    state = folded(mode.spec, events)
    assert sorted(len(view.texts) for view in state.listings.values()) == [3, 4, 4], (
        "the third list is the first reversed"
    )
    assert state.rounds[1].groups[1] == trimmed.left[0]


def test_a_round_of_which_nothing_is_left_is_closed_at_once():
    mode, events = run_of(3, rounds=3)
    assert len(events[-1].pairs) == 1
    told = mode.take(TextsWithdrawn(texts=events[-1].pairs[0][:1]))
    assert [type(event) for event in told] == [RoundTrimmed, RoundClosed, RoundPaired]


def test_pairs_that_fell_away_are_said_to_be_withdrawn():
    mode, events = run_of(6, rounds=1)
    gone = events[-1].pairs[0][0]
    events += taken(mode, TextsWithdrawn(texts=(gone,)))
    state = folded(mode.spec, events + played(mode))
    told = bracket_figure(state).data[-1].hovertext
    assert sum("text was withdrawn" in words for words in told) == 2, "once in each text's box"
    assert not any("waiting" in words for words in told)


def test_in_a_knockout_the_opponent_of_a_withdrawn_text_goes_on_whoever_goes_later():
    mode, events = run_of(8, method="knockout", third_place=False)
    (better, other), *_ = events[-1].pairs
    events += taken(mode, TextsWithdrawn(texts=(better,)))
    events += played(mode)
    tree = knockout_tree(folded(mode.spec, events))
    assert tree.levels[0].ties[0].fallen and tree.levels[0].ties[0].winner.text == other
    events += taken(mode, TextsWithdrawn(texts=(other,)))
    assert knockout_tree(folded(mode.spec, events)).levels[0].ties[0].winner.text == other
    assert played(mode) == []


def upset(asked: Asked):
    """The first match of all goes to the text that the bracket seeded second."""
    assert isinstance(asked, Match)
    judged = longer(asked).judgments[0].model_copy(update={"outcome": "lost", "result": 0.0})
    return MatchResult(a=asked.a.alias, b=asked.b.alias, judgments=(judged,))


@pytest.mark.parametrize("place", [1, 2])
def test_a_retry_that_turns_a_knockout_is_followed_by_the_matches_that_hang_on_it(place):
    mode, events = run_of(4, method="knockout")
    events += played(mode, lambda asked: silent(asked) if asked.place == place else longer(asked))
    (better, worse) = events[1].pairs[place - 1]
    before = folded(mode.spec, events)
    events += taken(mode, RetryAsked())
    again = mode.ask()
    events += mode.take(upset(again), again.place) + played(mode)
    state = folded(mode.spec, events)
    tree = knockout_tree(state)
    assert tree.levels[0].ties[place - 1].winner.text == worse
    assert not any(tie.open for level in tree.levels for tie in level.ties)
    later = [event for event in events if isinstance(event, MatchJudged) and event.place > before.judged + 1]
    assert 0 < len(later) <= 2 and all(worse in (event.a, event.b) or better in (event.a, event.b) for event in later)
    assert taken(mode, TextsAdded(texts=(late(9, 1),)))[1].title == "Late texts"


def test_a_goal_is_measured_anew_when_a_retry_brought_a_verdict():
    mode, events = run_of(2, rounds=1, goal=Goal(kind="order", probability=0.6))
    assert not any(isinstance(event, GoalReached) for event in events + played(mode, silent))
    mode.take(RetryAsked())
    told = played(mode)
    assert isinstance(told[-1], GoalReached) and "Settled" in mode.conclusion


def failing_for(*aliases: str):
    return lambda asked: silent(asked) if set(aliases) & set(asked.aliases) else longer(asked)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("gone", [(), ("E-003",)])
def test_the_page_measures_a_goal_on_the_same_texts_as_the_run(method, gone):
    goal = Goal(kind="top", ranks=(2,), probability=0.99)
    run = spec(8, method=method, rounds=5, goal=goal, group_size=4, reverse_share=0.0)
    known = {"E-001": 1450.0, "E-007": 1450.0}
    texts = tuple(text.model_copy(update={"anchor": known.get(text.alias)}) for text in run.texts)
    mode = RankMode(run.model_copy(update={"texts": texts}))
    events = mode.begin() + played(mode, failing_for("E-001", "E-002"))
    if gone:
        events += taken(mode, TextsWithdrawn(texts=gone)) + played(mode)
    state = folded(mode.spec, events)
    found = standing(state, standings(state))
    told = mode.book.standing()
    assert found is not None and found.items == told.items == tuple(a for a in mode.book.texts if a not in gone)
    assert certainty(goal, found) == pytest.approx(certainty(goal, told), abs=1e-9)
    assert found.strengths == pytest.approx(told.strengths, abs=1e-9)


def test_a_goal_is_measured_by_the_page_too_when_nothing_was_decided():
    mode, events = run_of(4, rounds=1, goal=Goal(kind="order", probability=0.9))
    state = folded(mode.spec, events + played(mode, silent))
    now = certainty(mode.spec.goal, standing(state, standings(state)))
    assert f"{now:.0%}" in mode.conclusion and advice(goals_of(state), state, standings(state)) == []
