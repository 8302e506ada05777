"""Ranks with ties, tie groups and win rates."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge_core.ranking.bradley_terry import Comparison, fit
from judge_core.ranking.standings import ranks, tie_groups, win_rates
from tests.ranking.matches import comparisons


def test_equal_values_share_a_rank_and_the_next_is_left_out(case):
    example = case("R-019")
    assert ranks(example["input"]["ratings"]) == example["expect"]["rank"]


def test_a_difference_in_the_last_binary_digit_is_no_difference(case):
    example = case("R-020")
    assert ranks(example["input"]["totals"]) == example["expect"]["rank"]


def test_a_tolerance_does_not_chain_unlike_values_together():
    assert ranks({"a": 0.0, "b": -0.6, "c": -1.2}, tolerance=1.0) == {"a": 1, "b": 1, "c": 3}


@given(st.dictionaries(st.text(max_size=3), st.integers(-5, 5).map(float)))
def test_a_rank_is_one_more_than_the_number_above(values):
    assert ranks(values) == {item: 1 + sum(v > values[item] for v in values.values()) for item in values}


@settings(max_examples=60, deadline=None)
@given(comparisons())
def test_ties_are_mutual_and_mean_that_neither_is_surely_above(drawn):
    items, rows = drawn
    posterior = fit(items, rows)
    tied = tie_groups(posterior)
    for a in items:
        assert a not in tied[a]
        for b in (b for b in items if b != a):
            unsure = 0.025 <= posterior.probability_above(a, b) <= 0.975
            assert (b in tied[a]) == (a in tied[b]) == unsure


def test_a_clear_winner_is_tied_with_nobody():
    rows = [Comparison("x", "y", 1.0)] * 30 + [Comparison("y", "z", 0.5)] * 30
    assert tie_groups(fit(["x", "y", "z"], rows)) == {"x": (), "y": ("z",), "z": ("y",)}


def test_texts_without_a_common_scale_are_not_separated():
    posterior = fit(["x", "y"], [Comparison("x", "y", 1.0)], prior_sd=None)
    assert tie_groups(posterior) == {"x": ("y",), "y": ("x",)}


@pytest.mark.parametrize("items", [[], ["only"]])
def test_nobody_is_tied_where_there_is_no_other(items):
    assert tie_groups(fit(items, [])) == {item: () for item in items}


def test_tied_scores_give_half_a_win(case):
    example = case("R-011")
    scores = example["input"]["scores"]
    rows = [Comparison(a, b, (1 + np.sign(scores[a] - scores[b])) / 2) for a, b in combinations(scores, 2)]
    assert win_rates(rows, list(scores)).overall == example["expect"]["mean_win_rate"]


def test_a_tie_is_half_for_both_and_an_unplayed_pair_is_nothing(case):
    example = case("R-010")
    points = {"a": 1.0, "tie": 0.5}
    rows = [Comparison(row["a"], row["b"], points[row["result"]]) for row in example["input"]["matches"]]
    table = win_rates(rows, example["input"]["items"])
    expected = example["expect"]["win_rate"]
    assert (table.overall["a"], table.overall["b"], table.overall["c"]) == (expected["a"], expected["b"], None)
    assert table.between("a", "c") is expected["a_vs_c"]


@given(comparisons())
def test_both_sides_of_a_pair_share_one_point(drawn):
    items, rows = drawn
    table = win_rates(rows, items)
    for a, b in table.pairs:
        assert table.between(a, b) + table.between(b, a) == pytest.approx(1)
