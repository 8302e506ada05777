"""How weights are checked and shared out."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_core.scoring.rubric.reading import RubricErrors, check_weights, make_100, read_rubric

CASES = {
    case["id"]: case
    for case in map(json.loads, (Path(__file__).parents[1] / "cases" / "cases.jsonl").read_text("utf-8").splitlines())
}


def only_error(source: Any, **options: bool) -> Any:
    """The one field error of a source that is refused."""
    with pytest.raises(RubricErrors) as caught:
        read_rubric(source, **options)
    assert len(caught.value.errors) == 1, caught.value
    return caught.value.errors[0]


@pytest.mark.parametrize(
    ("weights", "ok", "total"),
    [([0.5, 0.6], False, 1.1), ([50, 50], True, 100), ([0.333, 0.333, 0.334], True, 1), ([0.1, 0.2, 0.7], True, 1)],
)
def test_r_034_a_wrong_sum_is_said_and_shares_never_exceed_one(weights: list[float], ok: bool, total: float) -> None:
    assert weights in CASES["R-034"]["input"]["criteria_variants"]
    check = check_weights(weights)
    assert check.ok is ok
    assert check.total == pytest.approx(total)
    assert math.fsum(check.normalised) == pytest.approx(1, abs=1e-12)
    reading = read_rubric([{"name": f"C{index}", "weight": weight} for index, weight in enumerate(weights)])
    assert tuple(criterion.weight for criterion in reading.rubric.criteria) == check.normalised
    assert reading.notes == (() if ok else (check.message,))


def test_a_wrong_sum_is_told_in_percent_with_what_is_used_instead() -> None:
    message = check_weights([0.5, 0.6]).message
    assert "110 %" in message and "45.5 %, 54.5 %" in message


def test_strict_reading_refuses_a_wrong_sum_and_nothing_else() -> None:
    assert read_rubric([{"name": "A", "weight": 0.1}, {"name": "B", "weight": 0.9}], strict=True).notes == ()
    with pytest.raises(RubricErrors, match="110 %"):
        read_rubric([{"name": "A", "weight": 0.5}, {"name": "B", "weight": 0.6}], strict=True)
    with pytest.raises(RubricErrors, match="110 %"):
        check_weights([0.5, 0.6], strict=True)


@pytest.mark.parametrize("weights", [[], [0.5, 0], [-1, 2], [math.nan], [1e300], [1e6, 1e-6]])
def test_weights_that_are_not_positive_numbers_are_refused(weights: list[float]) -> None:
    with pytest.raises(RubricErrors):
        check_weights(weights)


def test_percent_signs_are_taken_at_their_word() -> None:
    reading = read_rubric({"Clarity": "0.5 %", "Evidence": "99,5%"})
    assert [criterion.weight for criterion in reading.rubric.criteria] == pytest.approx([0.005, 0.995])


def test_percent_signs_beside_bare_numbers_are_refused() -> None:
    assert only_error([{"name": "A", "weight": "30 %"}, {"name": "B", "weight": 70}]).path == "criteria[1].weight"


def test_without_weights_each_criterion_counts_the_same_and_it_is_said() -> None:
    reading = read_rubric(["A", "B", "C"])
    assert [criterion.weight for criterion in reading.rubric.criteria] == pytest.approx([1 / 3] * 3)
    assert "each of the 3 criteria counts the same" in reading.notes[0]


def test_criteria_without_a_weight_share_what_the_others_leave() -> None:
    reading = read_rubric([{"name": "A", "weight": "60 %"}, "B", "C"])
    assert [criterion.weight for criterion in reading.rubric.criteria] == pytest.approx([0.6, 0.2, 0.2])
    assert "20 %" in reading.notes[0]


def test_a_missing_weight_with_nothing_left_is_refused() -> None:
    assert only_error([{"name": "A", "weight": 1}, "B"]).path == "criteria[1].weight"


@given(st.lists(st.floats(0.001, 1e4), min_size=1, max_size=20))
def test_percentages_add_up_to_exactly_100_and_none_is_0(weights: list[float]) -> None:
    percentages = make_100(weights)
    assert sum(round(10 * percent) for percent in percentages) == 1000
    assert all(percent == round(percent, 1) > 0 for percent in percentages)


@given(st.lists(st.integers(1, 50), min_size=2, max_size=20))
def test_a_percentage_is_less_than_a_tenth_from_its_share_and_keeps_the_order(weights: list[int]) -> None:
    percentages = make_100(weights)
    for weight, percent in zip(weights, percentages, strict=True):
        assert abs(percent - 100 * weight / sum(weights)) < 0.1 + 1e-9
    for first, percent in zip(weights, percentages, strict=True):
        assert all(percent <= other for weight, other in zip(weights, percentages, strict=True) if weight > first)
