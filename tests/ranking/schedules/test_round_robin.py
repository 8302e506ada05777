"""Round robin: every pair once, whoever comes, goes or brings no verdict."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_core.ranking.schedules.round_robin import circle
from judge_core.ranking.schedules.schedule import planned, schedule_of
from tests.ranking.schedules.play import Play, names, played, spec


def pairs_of(texts):
    return sorted(map(sorted, combinations(texts, 2)))


@given(st.integers(0, 24), st.integers(1, 40), st.sampled_from([0.0, 0.5, 1.0]))
def test_every_pair_meets_exactly_once_however_many_rounds_were_asked_for(n, rounds, silent):
    play = played(n, method="round-robin", rounds=rounds, run={"silent": silent})
    assert sorted(map(sorted, play.pairs)) == pairs_of(play.texts)


@given(st.integers(2, 24))
def test_it_takes_as_few_rounds_as_can_be(n):
    play = played(n, method="round-robin")
    assert len(play.waves) == (n if n % 2 else n - 1)
    assert set(play.byes.values()) <= {1} and len(play.byes) == (n if n % 2 else 0)


@given(st.integers(0, 30))
def test_a_round_of_the_circle_holds_each_text_once(n):
    texts = names(n)
    assert sorted(sorted(pair) for pairs in circle(texts) for pair in pairs) == pairs_of(texts)
    for pairs in circle(texts):
        standing = [text for pair in pairs for text in pair]
        assert len(set(standing)) == len(standing) == n // 2 * 2


@given(st.integers(2, 12), st.integers(1, 12), st.data())
def test_those_who_stay_all_meet_though_others_leave(n, after, data):
    schedule, play = schedule_of(spec(n, method="round-robin")), Play(names(n))
    play.on(schedule, waves=after)
    play.gone = data.draw(st.sets(st.sampled_from(play.texts)))
    play.on(schedule)
    left = [text for text in play.texts if text not in play.gone]
    assert {frozenset(pair) for pair in combinations(left, 2)} <= set(play.pairs)
    assert len(set(play.pairs)) == len(play.pairs)


def test_a_text_that_joins_is_taken_into_the_circle():
    schedule, play = schedule_of(spec(6, method="round-robin")), Play(names(6))
    play.on(schedule, waves=2)
    play.join("u")
    play.on(schedule)
    assert sorted(map(sorted, play.pairs)) == pairs_of(play.texts)


@pytest.mark.parametrize(("rounds", "matches"), [(3, 15), (8, 24), (10, 30)])
def test_with_rematches_cycles_follow_up_to_the_rounds_asked_for(rounds, matches):
    fields = {"method": "round-robin", "rounds": rounds, "rematches": True}
    assert played(6, **fields).asked[0] == planned(spec(6, **fields)).matches == matches
