"""Expected certainty: the table, what lies between its points, and the sentence."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_core.ranking.certainty import expected_tau, expected_top_precision, sentence
from judge_core.ranking.certainty.table import ACCURACIES, ROUNDS, TAU, TEXTS, TOP_QUARTER
from judge_core.ranking.narrowing import useful_rounds


@pytest.mark.parametrize("accuracy", ACCURACIES)
@pytest.mark.parametrize("n", TEXTS)
def test_the_points_of_the_table_are_met(n, accuracy):
    found = [expected_tau(n, rounds, accuracy) for rounds in ROUNDS]
    assert found == pytest.approx(TAU[accuracy][n])


@given(st.integers(2, 2000), st.floats(0, 60), st.floats(0.5, 1))
def test_an_expected_tau_is_between_nothing_and_certainty(n, comparisons, accuracy):
    assert 0 <= expected_tau(n, comparisons, accuracy) < 1


@given(st.integers(8, 300), st.floats(0, 40), st.floats(0.1, 10))
def test_more_comparisons_never_lower_it_by_more_than_the_table_s_noise(n, comparisons, more):
    assert expected_tau(n, comparisons + more) >= expected_tau(n, comparisons) - 0.01


@given(st.integers(8, 300), st.floats(1, 40), st.floats(0.75, 0.85))
def test_a_better_judge_raises_it(n, comparisons, accuracy):
    assert expected_tau(n, comparisons, accuracy + 0.05) > expected_tau(n, comparisons, accuracy)


def test_three_rounds_of_sixty_four_leave_half():
    assert expected_tau(64, 3, 0.80) == pytest.approx(0.5, abs=0.03)
    assert "3 in 4 pairs" in sentence(64, 3) and "tau 0.5" in sentence(64, 3)


def test_twenty_rounds_of_sixty_four_reach_point_eight():
    assert expected_tau(64, 20, 0.80) == pytest.approx(0.8, abs=0.03)


def test_rounds_beyond_a_full_round_robin_promise_no_more():
    assert sentence(8, 7) == sentence(8, 50)


def test_no_pair_cannot_be_wrong():
    assert expected_tau(1, 0) == 1
    assert "nothing to be compared" in sentence(1, 3) and "no text" in sentence(0, 3)


def test_a_run_without_comparisons_promises_nothing():
    assert expected_tau(64, 0) == 0


def test_the_share_of_the_top_is_the_table_s():
    assert expected_top_precision(64, 0.80) == pytest.approx(TOP_QUARTER[0.80][TEXTS.index(64)])
    assert expected_top_precision(5000, 0.99) == pytest.approx(TOP_QUARTER[0.90][-1])


def test_the_simulation_repeats_itself_and_plays_no_pair_twice(monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2]))
    simulate = import_module("benchmarks.simulate_swiss")
    first, second = (simulate.Tournament({f"t{place}": float(place) for place in range(7)}, rng) for rng in seeded())
    for played in range(1, useful_rounds(7, 30) + 1):
        first.play(played)
        second.play(played)
    assert first.verdicts == second.verdicts
    assert len(first.met) == len(first.verdicts) <= 21
    assert -1 <= first.tau() <= 1


def seeded():
    return [np.random.default_rng(1) for _ in range(2)]
