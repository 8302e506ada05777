"""What a run measures while it goes on, and what the page makes of its events, are the same."""

from __future__ import annotations

import numpy as np
import pytest

from judge_core.modes.rank import RankMode
from judge_core.ranking.goals import certainty
from judge_core.records.event import RunExtended, TextsWithdrawn
from judge_core.records.spec import Goal, Narrowing
from judge_core.views.chances import standing
from judge_core.views.evidence import verdicts
from judge_core.views.reweighing import reweighed
from judge_core.views.standings import standings
from judge_core.views.trust.course import play_of, rounds_of
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
    assert list(verdicts(state).rankings) == list(mode.book.verdicts().rankings)
    assert {one.weight for one in verdicts(state).rankings} == {0.5}
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


def replayed_texts(state, rounds):
    """By round the texts that a replay with coins asks about."""
    table = standings(state)
    (played,) = [play_of(state, table, rounds)(np.random.default_rng(seed)) for seed in (3,)]
    return [{text for one in said.comparisons for text in (one.a, one.b)} for said in played]


def test_a_replay_asks_nothing_about_a_withdrawn_text():
    mode = RankMode(spec(8, rounds=4))
    events = mode.begin()
    while mode.book.round < 2:
        asked = mode.ask()
        events += mode.take(longer(asked), asked.place)
    gone = ("E-001", "E-002")
    events += [TextsWithdrawn(texts=gone), *mode.take(TextsWithdrawn(texts=gone))]
    events += played(mode)
    state = folded(mode.spec, events)
    asked = replayed_texts(state, list(rounds_of(state, standings(state)).values()))
    assert len(asked) == 4 and all(asked[2:]) and not any(set(gone) & texts for texts in asked[2:])


def test_a_replay_follows_the_extension_of_a_run():
    mode = RankMode(spec(8, method="knockout"))
    events = mode.begin() + played(mode)
    own = mode.book.round
    events += [RunExtended(rounds=2), *mode.take(RunExtended(rounds=2))]
    events += played(mode)
    state = folded(mode.spec, events)
    rounds = list(rounds_of(state, standings(state)).values())
    real = [{frozenset((one.a, one.b)) for match in round.matches for one in match} for round in rounds]
    replays = [play_of(state, standings(state), rounds)(np.random.default_rng(seed)) for seed in range(4)]
    for told in replays:
        assert len(told) == len(rounds) and all(said.comparisons for said in told)
    later = [{frozenset((one.a, one.b)) for said in told[own:] for one in said.comparisons} for told in replays]
    assert any(found != set().union(*real[own:]) for found in later), "further matches follow the coins too"
