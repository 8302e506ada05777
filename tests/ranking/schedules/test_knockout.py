"""Knockout: seeds, byes, titles, and who goes on when a match brings no winner."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_core.ranking.schedules.knockout import Knockout, bracket
from judge_core.ranking.schedules.schedule import schedule_of
from judge_core.ranking.schedules.wave import Wave
from tests.ranking.schedules.play import Play, names, played, spec


def by_elo(n, **run):
    """A run whose texts are seeded in their order."""
    return Play(names(n), elo={text: 2000.0 - place for place, text in enumerate(names(n))}, **run)


@given(st.integers(0, 40), st.booleans(), st.sampled_from([0.0, 0.5, 1.0]), st.integers(0, 9))
def test_each_match_puts_one_text_out_but_the_one_for_the_third_place(n, third_place, silent, seed):
    play = played(n, method="knockout", third_place=third_place, seed=seed, run={"silent": silent})
    assert len(play.results) == max(n - 1, 0) + (third_place and n >= 4)
    assert len(set(play.pairs)) == len(play.pairs)


@given(st.integers(2, 70))
def test_the_best_seeds_sit_out_so_that_the_second_round_is_a_power_of_two(n):
    wave = Knockout().next(by_elo(n).progress())
    left = len(wave.pairs) + len(wave.byes)
    assert left & (left - 1) == 0
    assert wave.byes == names(n)[: len(wave.byes)]


@given(st.integers(0, 7), st.data())
def test_if_the_better_seed_always_wins_the_best_two_meet_last(doublings, data):
    n = data.draw(st.integers(2 ** max(doublings - 1, 1), 2 ** max(doublings, 1)))
    play = by_elo(n, noise=0.0).on(Knockout(third_place=False))
    assert play.waves[-1] == Wave((names(n)[:2],), title="Final")
    for wave in play.waves[1:]:
        left = 2 * len(wave.pairs)
        assert {text for pair in wave.pairs for text in pair} == set(names(n)[:left])
        assert {sum(names(n).index(text) for text in pair) for pair in wave.pairs} == {left - 1}


def test_a_bracket_of_eight():
    assert by_elo(8, noise=0.0).on(Knockout()).waves == [
        Wave((("t000", "t007"), ("t003", "t004"), ("t001", "t006"), ("t002", "t005")), title="Quarter-finals"),
        Wave((("t000", "t003"), ("t001", "t002")), title="Semi-finals"),
        Wave((("t002", "t003"),), title="Third place"),
        Wave((("t000", "t001"),), title="Final"),
    ]


def test_rounds_are_called_by_what_is_left():
    titles = [wave.title for wave in played(20, method="knockout").waves]
    assert titles == ["Round of 32", "Round of 16", "Quarter-finals", "Semi-finals", "Third place", "Final"]


def test_a_text_that_beats_a_better_seed_takes_its_place():
    play = by_elo(4, noise=0.0)
    play.strength["t003"] = 9.0
    waves = play.on(Knockout()).waves
    assert waves[0].pairs == (("t000", "t003"), ("t001", "t002"))
    assert [wave.pairs for wave in waves[1:]] == [(("t000", "t002"),), (("t001", "t003"),)]


@pytest.mark.parametrize("result", [0.5, None])
def test_without_a_winner_the_better_seed_goes_on_and_the_result_stays(result):
    play = by_elo(4, noise=0.0).on(Knockout(), waves=1)
    play.results = [r._replace(result=result) for r in play.results]
    play.on(Knockout())
    assert play.waves[-1].pairs == (("t000", "t001"),)
    assert play.results[0].result == result


@pytest.mark.parametrize(("n", "matches"), [(2, 1), (3, 2), (4, 4)])
def test_a_third_place_needs_two_who_lost_a_semi_final(n, matches):
    assert len(played(n, method="knockout").results) == matches


def test_anchors_seed_before_elo():
    wave = Knockout(anchors={"t003": 2500.0}).next(by_elo(4).progress())
    assert wave.pairs == (("t003", "t002"), ("t000", "t001"))


def test_scores_seed_where_texts_were_scored():
    play = Play(names(4), noise=0.0)
    play.strength = dict(zip(names(4), (-2.0, 1.0, 0.0, -1.0), strict=True))
    play.on(schedule_of(spec(4, method="knockout", warm_start=True)), waves=2)
    assert play.waves[1].pairs == (("t001", "t000"), ("t002", "t003"))


def test_without_knowledge_the_seeds_are_drawn():
    draws = {played(6, method="knockout", seed=seed).waves[0].byes for seed in range(12)}
    assert len(draws) > 6


def test_who_was_to_meet_a_withdrawn_text_goes_on():
    play = by_elo(8, noise=0.0).on(Knockout(), waves=1)
    play.gone = {"t000"}
    waves = play.on(Knockout()).waves
    assert [wave.pairs for wave in waves[1:]] == [(("t001", "t002"),), (("t001", "t003"),)]


def test_when_all_but_one_have_left_nothing_is_asked():
    play = by_elo(8).on(Knockout(), waves=1)
    play.gone = set(names(8)[1:])
    assert Knockout().next(play.progress()) is None


@given(st.integers(1, 200))
def test_a_bracket_has_each_seed_once_and_the_better_of_each_two_first(n):
    order = bracket(n)
    assert sorted(order) == list(range(len(order))) and len(order) >= n
    assert all(a + b == len(order) - 1 and a < b for a, b in zip(order[::2], order[1::2], strict=False))
