"""Settled marks: both neighbours told apart; and the chances of each rank."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from judge_core.ranking.bradley_terry import Comparison, fit
from judge_core.ranking.reliability.settled import likely_ranks, rank_chances, settled_ranks
from judge_core.ranking.standings import tie_groups
from tests.ranking.matches import comparisons


def test_a_clear_order_is_settled_and_level_neighbours_are_not():
    """a far above b and c, which share their matches; d far below."""
    rows = [Comparison("b", "c", float(place % 2)) for place in range(40)]
    rows += [Comparison("a", text, 1.0) for text in "bc" for _ in range(40)]
    rows += [Comparison(text, "d", 1.0) for text in "bc" for _ in range(40)]
    posterior = fit("abcd", rows)
    assert settled_ranks(posterior) == {"a": True, "b": False, "c": False, "d": True}


def test_nothing_is_settled_before_anything_is_judged():
    assert settled_ranks(fit("ab", [])) == {"a": False, "b": False}
    assert settled_ranks(fit("a", [])) == {"a": False}


def test_a_text_without_a_finite_rating_is_not_settled():
    rows = [Comparison("a", text, 1.0) for text in "bc"] + [Comparison("b", "c", r) for r in (1.0, 0.0)]
    assert settled_ranks(fit("abc", rows, prior_sd=None))["a"] is False


@pytest.mark.parametrize("level", [0.5, 0.95])
@settings(max_examples=40, deadline=None)
@given(drawn=comparisons())
def test_a_settled_text_is_tied_with_no_neighbour_in_the_order(level, drawn):
    items, rows = drawn
    posterior = fit(items, rows)
    tied = tie_groups(posterior, level)
    settled = settled_ranks(posterior, level)
    order = sorted(items, key=lambda item: (-posterior.strengths[items.index(item)], items.index(item)))
    for above, below in zip(order, order[1:], strict=False):
        if below in tied[above]:
            assert not settled[above]
            assert not settled[below]
    apart = [all(other not in tied[item] for other in items) for item in order]
    assert all(settled[item] for item, alone in zip(order, apart, strict=True) if alone)


def test_texts_that_take_no_part_are_no_neighbours_and_hold_no_rank():
    """b, level with c, is gone: then c is settled, and second for certain."""
    rows = [Comparison("b", "c", float(place % 2)) for place in range(40)]
    rows += [Comparison("a", text, 1.0) for text in "bc" for _ in range(40)]
    posterior = fit("abc", rows)
    assert settled_ranks(posterior)["c"] is False
    assert settled_ranks(posterior, among="ac") == {"a": True, "c": True}
    assert rank_chances(posterior, ["a", "c"]) == pytest.approx(np.eye(2))
    assert rank_chances(posterior, ["c", "a"]) == pytest.approx(np.eye(2)[::-1])


@settings(max_examples=30, deadline=None)
@given(drawn=comparisons())
def test_chances_of_ranks_fill_rows_and_columns(drawn):
    items, rows = drawn
    posterior = fit(items, rows)
    chances = rank_chances(posterior)
    assert chances.sum(axis=0) == pytest.approx(1)
    assert chances.sum(axis=1) == pytest.approx(1)
    assert chances == pytest.approx(rank_chances(posterior, list(items)))
    for row, likely in zip(chances, likely_ranks(chances), strict=True):
        assert likely.best <= likely.median <= likely.worst
        assert row[likely.best - 1 : likely.worst].sum() > 0.949
