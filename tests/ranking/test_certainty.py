"""Expected certainty: the table, what lies between its points, and the sentence."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_core.ranking.certainty import (
    expected_order,
    expected_tau,
    expected_top_precision,
    expected_winner,
    sentence,
)
from judge_core.ranking.certainty.methods import (
    ADAPTIVE,
    LISTS,
    LISTWISE,
    ROUND_ROBIN,
    SCORES_FIRST,
    SCORES_ONLY,
)
from judge_core.ranking.certainty.table import ACCURACIES, ROUNDS, TAU, TEXTS, TOP_QUARTER
from judge_core.records.spec import Method


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


@pytest.mark.parametrize("accuracy", ACCURACIES)
def test_the_points_of_the_methods_tables_are_met(accuracy):
    met = {
        "adaptive": [expected_order("adaptive", 64, rounds, accuracy) for rounds in ROUNDS],
        "scores": [expected_order("swiss", 64, rounds, accuracy, scores_first=True) for rounds in ROUNDS],
        "lists": [expected_order("listwise", 64, lists, accuracy, group_size=5) for lists in LISTS],
        "ends": [expected_order(method, 64, 0, accuracy) for method in ("round-robin", "pointwise")],
    }
    assert met["adaptive"] == pytest.approx(ADAPTIVE[accuracy][64])
    assert met["scores"] == pytest.approx(SCORES_FIRST[accuracy][64])
    assert met["lists"] == pytest.approx(LISTWISE[5][accuracy][64])
    assert met["ends"] == pytest.approx([table[accuracy][TEXTS.index(64)] for table in (ROUND_ROBIN, SCORES_ONLY)])


@given(st.sampled_from(get_args(Method)), st.integers(2, 2000), st.floats(0, 60), st.floats(0.5, 1), st.booleans())
def test_every_method_promises_between_nothing_and_certainty(method, n, rounds, accuracy, scores_first):
    assert 0 <= expected_order(method, n, rounds, accuracy, scores_first=scores_first) < 1


@given(st.integers(8, 300), st.floats(1, 12), st.integers(3, 7))
def test_longer_lists_tell_more_in_as_many_lists(n, lists, size):
    shorter, longer = (expected_order("listwise", n, lists, group_size=group) for group in (size, 8))
    assert longer >= shorter - 0.02


@pytest.mark.parametrize("rounds", [0, 1, 2])
def test_scores_first_never_promise_less_than_the_scores_alone(rounds):
    alone = expected_order("pointwise", 64, 0)
    assert expected_order("swiss", 64, rounds, scores_first=True) >= alone


def test_eight_texts_a_list_reach_in_two_calls_a_text_what_pairs_need_ten_for():
    assert expected_order("listwise", 64, 12, group_size=8) > expected_order("swiss", 64, 20)


def test_a_knockout_promises_a_winner_and_no_order():
    best, near = expected_winner(64)
    said = sentence(64, 3, method="knockout")
    assert "good winner, not an order" in said and f"{best:.0%}" in said and f"{near:.0%}" in said
    assert "tenth" not in sentence(8, 3, method="knockout")
    assert expected_order("knockout", 64, 0) < expected_order("round-robin", 64, 0)


def test_a_high_tau_is_told_in_two_digits_and_not_rounded_up_to_the_next_tenth():
    tau = expected_order("round-robin", 64, 0)
    assert 0.85 < tau < 0.9
    assert f"(tau {tau:.2f})" in sentence(64, 3, method="round-robin")


def test_scores_are_promised_with_their_condition():
    for said in (sentence(20, 1, method="pointwise"), sentence(20, 5, scores_first=True)):
        assert "gives many the same score tells less" in said


@pytest.mark.parametrize("method", get_args(Method))
def test_every_method_says_what_it_rests_on(method):
    said = sentence(20, 5, method=method)
    assert "tau 0." in said and "80% of random pairs" in said and "Simulated" in said


@pytest.fixture
def simulated(monkeypatch):
    """The benchmarks' simulation, as its scripts import it."""
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "benchmarks"))
    return import_module("simulation.games")


@pytest.mark.parametrize("method", get_args(Method))
def test_the_simulation_repeats_itself(simulated, method):
    setting = simulated.Setting(7, 0.8, 5.0, {"method": method, "group_size": 3})
    assert simulated.states(setting, 1) == simulated.states(setting, 1)
    assert all(-1 <= state.tau <= 1 and 0 <= state.top <= 1 for state in simulated.states(setting, 1))


def test_a_judge_without_noise_is_followed_to_the_true_order(simulated):
    setting = simulated.Setting(8, 0.8, 50.0, {"method": "round-robin"}, {"first_position": 0.0})
    run = setting.run(3)
    run.judge.margin = lambda first, second: 100 * (run.judge.truth[first] - run.judge.truth[second])
    assert len(list(run.play(50.0))) == 7
    assert run.calls == 28 and run.state(2).tau == 1


def test_an_ordered_pair_is_always_judged_alike_and_half_of_its_noise_is_the_pair_s(simulated):
    judges = import_module("simulation.judge")
    judged = judges.judge(2, 0.8, 5, first_position=0.0)
    first, second = judged.truth
    assert judged.margin(first, second) == judged.margin(first, second)
    gaps = [_noise(judges.judge(2, 0.8, seed, first_position=0.0)) for seed in range(2000)]
    assert np.corrcoef(np.transpose(gaps))[0, 1] == pytest.approx(0.5, abs=0.06)
    assert np.std(gaps) == pytest.approx(judges.NOISE, rel=0.05)


def _noise(judged):
    a, b = judged.truth
    gap = judged.truth[a] - judged.truth[b]
    return judged.margin(a, b) - gap, -judged.margin(b, a) - gap


def test_the_calls_to_a_target_are_read_off_the_mean_of_all_runs(simulated):
    curves = import_module("simulation.curves")
    found = curves.curve([[(1.0, 0.4), (2.0, 1.0)], [(1.0, 0.6), (2.0, 1.0)]])
    assert found.at(1.0) == pytest.approx(0.5)
    assert found.reaches(0.75) == pytest.approx(1.5)
    assert found.reaches(1.1) is None
