"""Circular triads against the formula of Kendall and Babington Smith, and against counting them one by one."""

from __future__ import annotations

from itertools import combinations
from time import process_time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge_core.ranking.bradley_terry import Comparison, Verdicts
from judge_core.ranking.comparison import Ranked
from judge_core.ranking.reliability import triads as module
from judge_core.ranking.reliability.triads import Triads, triads


def tournament(size: int, seed: int) -> list[Comparison]:
    rng = np.random.default_rng(seed)
    return [Comparison(f"t{a}", f"t{b}", float(rng.integers(2))) for a, b in combinations(range(size), 2)]


def by_wins(rows: list[Comparison], size: int) -> int:
    """Kendall and Babington Smith 1940: all triads, less those with one text that beats both others."""
    wins = dict.fromkeys((f"t{place}" for place in range(size)), 0)
    for row in rows:
        wins[row.a if row.result else row.b] += 1
    return size * (size - 1) * (size - 2) // 6 - sum(won * (won - 1) // 2 for won in wins.values())


def one_by_one(rows: list[Comparison]) -> Triads:
    ahead: dict[tuple[str, str], float] = {}
    for row in rows:
        for pair, sign in (((row.a, row.b), 1), ((row.b, row.a), -1)):
            ahead[pair] = ahead.get(pair, 0) + sign * row.weight * (row.result - 0.5)
    texts = sorted({text for pair in ahead for text in pair})
    circular = complete = 0
    for a, b, c in combinations(texts, 3):
        ways = [ahead.get(pair, 0) for pair in ((a, b), (b, c), (c, a))]
        complete += all(abs(way) > 1e-9 for way in ways)
        circular += all(way > 1e-9 for way in ways) or all(way < -1e-9 for way in ways)
    return Triads(circular, complete)


@pytest.mark.parametrize(("size", "seed"), [(3, 1), (8, 2), (25, 3), (60, 4)])
def test_a_round_robin_has_as_many_circles_as_the_formula_by_wins(size, seed):
    rows = tournament(size, seed)
    found = triads(Verdicts(rows))
    assert found == Triads(by_wins(rows, size), size * (size - 1) * (size - 2) // 6)


@settings(max_examples=80, deadline=None)
@given(st.integers(3, 8), st.data())
def test_any_schedule_has_as_many_as_are_counted_one_by_one(size, data):
    pairs = st.tuples(st.integers(0, size - 1), st.integers(1, size - 1)).map(lambda p: (p[0], (p[0] + p[1]) % size))
    drawn = data.draw(st.lists(st.tuples(pairs, st.sampled_from([0.0, 0.5, 1.0])), max_size=40))
    rows = [Comparison(f"t{a}", f"t{b}", result) for (a, b), result in drawn]
    assert triads(Verdicts(rows)) == one_by_one(rows)


def test_coins_make_a_quarter_of_the_triads_circles():
    found = triads(Verdicts(tournament(100, 5)))
    assert found.expected == found.complete / 4
    assert found.share == pytest.approx(0.25, abs=0.02)


def test_a_list_holds_no_circle_and_two_lists_may():
    assert triads(Verdicts(rankings=[Ranked(tuple("abcdef"))])) == Triads(0, 20)
    turning = [Ranked(("a", "b", "c")), Ranked(("b", "c", "a")), Ranked(("c", "a", "b"))]
    assert triads(Verdicts(rankings=turning)) == Triads(1, 1)


def test_a_level_pair_completes_no_triad_and_none_has_no_share():
    rows = [Comparison("a", "b", 1.0), Comparison("b", "c", 1.0), Comparison("c", "a", 1.0), Comparison("c", "a", 0.0)]
    assert triads(Verdicts(rows)) == Triads(0, 0)
    assert triads(Verdicts(rows)).share is None
    assert triads(Verdicts()) == Triads(0, 0)


def test_sparse_and_full_matrices_count_alike_and_five_hundred_texts_take_no_second(monkeypatch):
    rows = tournament(500, 6)
    start = process_time()
    full = triads(Verdicts(rows))
    assert process_time() - start < 3
    assert full.circular == by_wins(rows, 500)
    monkeypatch.setattr(module, "DENSE_TEXTS", 10)
    few = tournament(40, 7)
    assert triads(Verdicts(few)).circular == by_wins(few, 40)
