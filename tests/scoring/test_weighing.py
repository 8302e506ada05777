"""Weighing: known totals, and the rules that hold for every rubric."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_core.records.criteria import Criterion
from judge_core.records.errors import InputError
from judge_core.records.verdict import PairScores
from judge_core.scoring.weighing import normalised, pair_totals, result_of, weighted_total, winner_of

SCORES = st.floats(-1e6, 1e6)
WEIGHTS = st.lists(st.floats(0.001, 1000), min_size=1, max_size=6)


def rubric(weights: list[float]) -> list[Criterion]:
    return [Criterion(name=f"c{i}", scale_min=1, scale_max=5, weight=weight) for i, weight in enumerate(weights)]


def test_the_lowest_mark_of_any_scale_counts_as_zero() -> None:
    criteria = [Criterion(name="Clarity", scale_min=1, scale_max=5), Criterion(name="Evidence")]
    assert weighted_total({"Clarity": 1, "Evidence": 0}, criteria) == 0.0


def test_weights_decide_between_opposite_criteria() -> None:
    criteria = [Criterion(name="Argument", weight=0.7), Criterion(name="Style", weight=0.3)]
    totals = pair_totals({"Argument": PairScores(a=6, b=8), "Style": PairScores(a=9, b=5)}, criteria)
    assert (totals.a, totals.b) == pytest.approx((0.69, 0.71), abs=1e-12)
    assert winner_of(totals) == "B"


@given(WEIGHTS, st.floats(0.001, 1000))
def test_only_the_share_of_a_weight_counts(weights: list[float], factor: float) -> None:
    scores = {f"c{i}": 1 + i % 5 for i in range(len(weights))}
    scaled = [weight * factor for weight in weights]
    assert weighted_total(scores, rubric(weights)) == pytest.approx(weighted_total(scores, rubric(scaled)), abs=1e-9)


@given(WEIGHTS, st.data())
def test_a_total_lies_between_zero_and_one_and_rises_with_each_score(weights: list[float], data: st.DataObject) -> None:
    criteria = rubric(weights)
    scores = {criterion.name: data.draw(SCORES) for criterion in criteria}
    better = {**scores, "c0": scores["c0"] + data.draw(st.floats(0, 10))}
    assert 0 <= weighted_total(scores, criteria) <= weighted_total(better, criteria) + 1e-12 <= 1 + 1e-9


@given(st.floats(0, 1), st.floats(0, 1))
def test_exchanging_the_sides_exchanges_the_winner(a: float, b: float) -> None:
    there, back = winner_of(PairScores(a=a, b=b)), winner_of(PairScores(a=b, b=a))
    assert result_of(there) + result_of(back) == 1.0
    assert (there == "tie") == (abs(a - b) <= 1e-9)


def test_a_score_that_nobody_asked_for_is_ignored() -> None:
    assert weighted_total({"c0": 5, "Extra": -100}, rubric([1])) == 1.0


def test_a_missing_score_is_an_error_and_never_a_zero() -> None:
    with pytest.raises(InputError, match="no score for criterion 'c1'"):
        weighted_total({"c0": 5}, rubric([1, 1]))


@pytest.mark.parametrize("weights", [[0.0, 0.0], [1.0, -0.5], []])
def test_weights_that_weigh_nothing_are_refused(weights: list[float]) -> None:
    with pytest.raises(InputError, match="weights"):
        weighted_total({"c0": 5, "c1": 5}, rubric(weights))


def test_a_criterion_of_weight_zero_does_not_count() -> None:
    assert weighted_total({"c0": 5, "c1": 1}, rubric([1, 0])) == 1.0


def test_an_empty_scale_is_refused_by_name() -> None:
    with pytest.raises(InputError, match="'Flat' has the scale 3 to 3"):
        normalised(3, Criterion(name="Flat", scale_min=3, scale_max=3))


def test_a_score_that_is_no_number_is_refused() -> None:
    with pytest.raises(InputError, match="is nan"):
        normalised(float("nan"), Criterion(name="Clarity"))
