"""What a run measures while it goes on, and what the page makes of its events, are the same."""

from __future__ import annotations

import pytest

from judge_core.modes.rank import RankMode
from judge_core.ranking.goals import certainty
from judge_core.records.event import RunExtended
from judge_core.records.spec import Goal, Narrowing
from judge_core.views.chances import standing
from judge_core.views.evidence import rankings
from judge_core.views.reweighing import reweighed
from judge_core.views.standings import standings
from tests.engine.toy import spec
from tests.modes.test_rank_methods import Asked, longer, played, silent
from tests.modes.test_withdrawal import folded

GOAL = Goal(kind="top", ranks=(2,), probability=0.99)


def mute_about_two(asked: Asked):
    """No verdict on two of the texts."""
    return silent(asked) if {"E-001", "E-002"} & set(asked.aliases) else longer(asked)


@pytest.mark.parametrize("method", ["swiss", "adaptive", "listwise"])
def test_a_goal_is_measured_on_the_same_texts_by_the_run_and_by_the_page(method):
    mode = RankMode(spec(8, method=method, rounds=5, group_size=3, goal=GOAL))
    events = mode.begin() + played(mode, mute_about_two)
    state = folded(mode.spec, events)
    posterior = standing(state, standings(state))
    assert certainty(GOAL, posterior) == pytest.approx(certainty(GOAL, mode.book.standing()), abs=1e-6)


def test_lists_in_both_orders_weigh_the_same_for_the_run_and_for_the_page():
    mode = RankMode(spec(9, method="listwise", rounds=2, group_size=3, reverse_share=1.0))
    state = folded(mode.spec, mode.begin() + played(mode))
    assert list(rankings(state)) == list(mode.book.verdicts().rankings)
    assert {one.weight for one in rankings(state)} == {0.5}
    assert {alias: state.elo_now(alias) for alias in mode.ratings} == mode.ratings
    again = reweighed(state, {criterion.name: 2.0 for criterion in state.spec.rubric.criteria})
    assert {alias: again.elo_now(alias) for alias in mode.ratings} == pytest.approx(mode.ratings)


@pytest.mark.parametrize("rematches", [False, True])
@pytest.mark.parametrize("done", [1, 7, 13])
def test_what_is_planned_is_what_was_foreseen_all_along(rematches, done):
    mode = RankMode(spec(4, rounds=10, rematches=rematches))
    events = mode.begin()
    for _ in range(done):
        if (asked := mode.ask()) is not None:
            events += mode.take(longer(asked), asked.place)
    state = folded(mode.spec, events, ended=False)
    assert state.planned_matches == state.foreseen == (20 if rematches else 6)
    assert sum(state.ledger.values()) == state.foreseen


def test_a_run_that_narrows_only_by_its_extension_says_who_is_kept():
    mode = RankMode(spec(8, rounds=2, narrowing=Narrowing(focus="rank", k=3)))
    events = mode.begin() + played(mode)
    assert {row.group for row in standings(folded(mode.spec, events)).rows} == {None}
    events += [RunExtended(rounds=2), *mode.take(RunExtended(rounds=2))]
    events += played(mode)
    groups = [row.group for row in standings(folded(mode.spec, events)).rows]
    assert groups.count("kept") == 3 and groups.count("out") == 5
