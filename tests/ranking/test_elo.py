"""Elo: known answers, the sum that never leaks, and an independent implementation as oracle."""

from __future__ import annotations

import evalica
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_core.ranking import elo
from judge_core.ranking.comparison import Comparison

RATINGS = st.floats(0, 4000)


def test_a_win_between_equals_moves_half_of_k():
    assert elo.update(1500, 1500, 1) == (1516, 1484)


def test_both_sides_move_by_the_ratings_before_the_match():
    assert elo.update(1700, 1300, 0) == pytest.approx((1670.91, 1329.09), abs=0.005)


def test_a_tie_costs_the_stronger_side_points():
    strong, weak = elo.update(1600, 1400, 0.5)
    assert strong == pytest.approx(1591.688098) and weak == pytest.approx(1408.311902)


def test_expectations_stay_finite_at_any_distance():
    assert elo.expected(0, 1e9) == pytest.approx(0)
    assert elo.expected(1e9, 0) == 1


@given(RATINGS, RATINGS, st.floats(0, 1), st.floats(1, 64), st.floats(0.01, 1))
def test_what_one_gains_the_other_loses(a, b, result, k, weight):
    after = elo.update(a, b, result, k, weight)
    assert sum(after) == pytest.approx(a + b, abs=1e-9)


@given(RATINGS, RATINGS, st.floats(0, 1))
def test_swapping_the_sides_swaps_the_ratings(a, b, result):
    after = elo.update(a, b, result)
    assert elo.update(b, a, 1 - result) == pytest.approx(after[::-1], abs=1e-9)


@given(RATINGS, RATINGS)
def test_both_expectations_make_one_point(a, b):
    assert elo.expected(a, b) + elo.expected(b, a) == pytest.approx(1)


def test_half_the_weight_moves_half_as_far():
    assert elo.update(1500, 1500, 1, weight=0.5) == (1508, 1492)


def test_texts_that_did_not_play_keep_their_start():
    ratings = elo.rate([Comparison("x", "y", 1.0)], {"idle": 1234.0})
    assert ratings == {"idle": 1234.0, "x": 1516.0, "y": 1484.0}


def test_a_long_run_agrees_with_an_independent_implementation(long_run):
    winners = {"a": evalica.Winner.X, "b": evalica.Winner.Y, "tie": evalica.Winner.Draw}
    oracle = evalica.elo(
        [match.a for match in long_run],
        [match.b for match in long_run],
        [winners[match.result] for match in long_run],
        initial=1500.0,
        k=32.0,
    )
    ours = elo.rate([match.comparison() for match in long_run])
    assert ours == pytest.approx(oracle.scores.to_dict(), abs=1e-6)


def test_a_list_moves_like_all_its_pairs_at_once_and_keeps_the_sum() -> None:
    before = {"x": 1700.0, "y": 1500.0, "z": 1300.0}
    after = elo.update_list(before, {"x": 3, "y": 2, "z": 1})
    assert sum(after.values()) == pytest.approx(sum(before.values()))
    gains = [elo.update(before[a], before[b], 0.0, k=elo.K / 2) for a, b in (("x", "y"), ("x", "z"))]
    assert after["x"] - 1700 == pytest.approx(sum(one - 1700 for one, _ in gains))


def test_a_list_of_two_is_a_match_and_equal_places_are_a_tie() -> None:
    before = {"x": 1600.0, "y": 1400.0}
    assert tuple(elo.update_list(before, {"x": 1, "y": 2}).values()) == elo.update(1600, 1400, 1.0)
    assert tuple(elo.update_list(before, {"x": 1.5, "y": 1.5}).values()) == elo.update(1600, 1400, 0.5)
