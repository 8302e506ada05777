"""Late texts in a run that is over: they alone are compared, as often as is due, with those that tell most."""

from __future__ import annotations

from collections import Counter
from statistics import median

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_core.ranking.schedules.schedule import latecomers, schedule_of
from tests.ranking.schedules.play import Play, names, spec

PAIRS = ("swiss", "knockout", "adaptive", "round-robin")


def over(n, method, **fields):
    made = spec(n, method=method, **fields)
    return made, Play(names(n)).on(schedule_of(made))


@given(st.sampled_from(PAIRS), st.integers(6, 20), st.integers(1, 5), st.integers(1, 6))
def test_late_texts_meet_as_many_as_half_of_the_others_did_and_nobody_else_meets(method, n, rounds, number):
    made, play = over(n, method, rounds=rounds)
    before, due = len(play.waves), min(12, median(play.progress().appearances[text] for text in play.texts))
    play.join(*(f"u{place}" for place in range(number)))
    play.on(schedule_of(made))
    for wave in play.waves[before:]:
        assert wave.title == "Late texts"
        assert all(play.late & set(pair) for pair in wave.pairs)
        standing = [text for pair in wave.pairs for text in pair]
        assert len(set(standing)) == len(standing)
    assert len(set(play.pairs)) == len(play.pairs)
    stood = play.progress().appearances
    assert all(min(due, n + number - 1) <= stood[text] <= due + number for text in play.late)


def test_a_late_text_is_never_owed_more_than_twelve():
    made, play = over(30, "swiss", rounds=20)
    play.join("u")
    play.on(schedule_of(made))
    assert play.progress().appearances["u"] == 12


def test_matches_without_a_verdict_count_so_that_it_ends():
    made, play = over(8, "swiss", rounds=3)
    play.join("u")
    play.silent = 1.0
    assert play.on(schedule_of(made)).progress().appearances["u"] == 3


def test_a_late_text_soon_meets_its_like():
    made, play = over(40, "swiss", rounds=12)
    play.noise = 0.0
    play.join("u", strength=-2.6)  # between the sixth and the seventh
    play.on(schedule_of(made))
    met = [result.b if result.a == "u" else result.a for result in play.results if "u" in (result.a, result.b)]
    ranks = play.posterior().ranks()
    assert np.mean([abs(play.strength[text] + 2.6) for text in met[-4:]]) < 4
    assert abs(ranks["u"] - 6) <= 3


@pytest.mark.parametrize("method", PAIRS)
def test_a_run_that_is_over_asks_nothing_without_late_texts(method):
    made, play = over(6, method)
    assert schedule_of(made).next(play.progress()) is None
    assert latecomers(made).next(play.progress()) is None


def test_a_run_that_reached_its_goal_sees_to_late_texts_alone():
    made = spec(12, method="swiss", rounds=20)
    play = Play(names(12)).on(schedule_of(made), waves=3)
    play.join("u", "v")
    waves = len(play.waves)
    play.on(latecomers(made))
    assert all({"u", "v"} & set(pair) for wave in play.waves[waves:] for pair in wave.pairs)
    assert [play.progress().appearances[text] for text in "uv"] == [3, 3]


def test_a_late_text_is_scored_where_all_were():
    made, play = over(8, "swiss", warm_start=True)
    play.join("u")
    play.on(schedule_of(made))
    assert [wave.singles for wave in play.waves if "u" in wave.singles] == [("u",)]


def test_where_texts_are_only_scored_late_ones_are_scored():
    made, play = over(5, "pointwise")
    play.join("u", "v")
    play.on(schedule_of(made))
    assert play.waves[1].singles == ("u", "v") and len(play.waves) == 2


@given(st.integers(2, 30), st.integers(1, 4), st.integers(1, 12), st.integers(3, 10))
def test_late_texts_stand_in_as_many_lists_as_the_others(n, rounds, number, group_size):
    made, play = over(n, "listwise", rounds=rounds, group_size=group_size, reverse_share=0.0)
    before = len(play.rankings)
    play.join(*(f"u{place}" for place in range(number)))
    play.on(schedule_of(made))
    stood = Counter(text for ranked in play.rankings[before:] for text in ranked.shown)
    assert {stood[text] for text in play.late} == {rounds}
    for ranked in play.rankings[before:]:
        assert 2 <= len(ranked.shown) <= group_size and play.late & set(ranked.shown)


def test_the_members_of_a_late_list_are_spread_over_where_the_text_may_belong():
    made, play = over(40, "listwise", rounds=12)
    play.join("u")
    play.on(schedule_of(made), waves=1)
    (shown,) = play.waves[-1].groups
    places = sorted(play.texts.index(text) for text in shown if text != "u")
    assert len(places) == 7 and places[0] < 13 and places[-1] > 26


def test_in_a_wave_of_lists_no_member_is_taken_twice_while_others_are_free():
    made, play = over(40, "listwise", rounds=2, reverse_share=0.0)
    play.join(*(f"u{place}" for place in range(12)))
    play.on(schedule_of(made), waves=1)
    assert [len(group) for group in play.waves[-1].groups] == [8, 8, 8]
    assert max(Counter(text for group in play.waves[-1].groups for text in group).values()) == 1
