"""How a rubric is written, and turned into an editor's rows and back."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_core.records.criteria import Criterion, Level, Rubric
from judge_core.scoring.rubric.presets import PRESETS
from judge_core.scoring.rubric.reading import RubricErrors, check_weights, name_key, read_rubric
from judge_core.scoring.rubric.writing import COLUMNS, rubric_from_rows, rubric_rows, write_rubric

finite = st.floats(-1000, 1000)
words = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=20)
prose = st.text(st.characters(exclude_categories=["C"], include_characters="\n\t"), max_size=60)


@st.composite
def criteria(draw: st.DrawFn) -> Criterion:
    low, high = sorted(draw(st.lists(finite, min_size=2, max_size=2, unique=True)))
    scores = draw(st.lists(st.floats(low, high), max_size=4, unique=True))
    levels = tuple(Level(score=score, label=draw(prose), descriptor=draw(prose)) for score in scores)
    weight = draw(st.floats(0.01, 100))
    return Criterion(
        name=draw(words), description=draw(prose).strip(), scale_min=low, scale_max=high, weight=weight, levels=levels
    )


rubrics = st.builds(
    Rubric,
    criteria=st.lists(criteria(), min_size=1, max_size=6, unique_by=lambda criterion: name_key(criterion.name)).map(
        tuple
    ),
    question=prose,
    source_extract=prose,
    word_limit=st.none() | st.integers(1, 10_000),
    name=prose,
)


@given(rubrics)
def test_a_rubric_that_was_read_is_written_and_read_back_equal(rubric: Rubric) -> None:
    once = read_rubric(write_rubric(rubric)).rubric
    again = read_rubric(write_rubric(once), strict=True)
    assert again.rubric == once
    assert again.notes == ()


@given(rubrics)
def test_writing_loses_nothing_but_the_scale_of_the_weights(rubric: Rubric) -> None:
    read = read_rubric(write_rubric(rubric)).rubric
    shares = check_weights([criterion.weight for criterion in rubric.criteria]).normalised
    weighed = [c.model_copy(update={"weight": share}) for c, share in zip(rubric.criteria, shares, strict=True)]
    assert read == rubric.model_copy(update={"criteria": tuple(weighed)})


@given(rubrics)
def test_rows_that_were_not_edited_give_the_rubric_back(rubric: Rubric) -> None:
    base = read_rubric(write_rubric(rubric)).rubric
    assert rubric_from_rows(rubric_rows(base), base, strict=True).rubric == base


BASE = PRESETS["writing"]


def test_rows_have_the_columns_of_the_editor_and_percentages() -> None:
    rows = rubric_rows(BASE)
    assert all(tuple(row) == COLUMNS for row in rows)
    assert [row["weight_percent"] for row in rows] == [30, 25, 25, 20]


@pytest.mark.parametrize("empty", [None, math.nan, "", "  "])
def test_empty_rows_are_ignored(empty: Any) -> None:
    rows = [*rubric_rows(BASE), dict.fromkeys(COLUMNS, empty), {}]
    assert rubric_from_rows(rows, BASE).rubric == BASE


@pytest.mark.parametrize("column", ["name", "scale_min", "scale_max", "weight_percent"])
@pytest.mark.parametrize("empty", [None, math.nan])
def test_an_empty_cell_is_named_by_row_and_column(column: str, empty: Any) -> None:
    rows = rubric_rows(BASE)
    rows[2][column] = empty
    with pytest.raises(RubricErrors) as caught:
        rubric_from_rows(rows, BASE)
    assert [error.path for error in caught.value.errors] == [f"row 3, {column}"]


def test_the_row_number_is_the_one_on_screen_also_below_an_empty_row() -> None:
    rows = rubric_rows(BASE)
    rows[1]["weight_percent"] = -5
    with pytest.raises(RubricErrors, match="row 3, weight_percent: The weight '-5 %' is not above 0"):
        rubric_from_rows([{}, *rows], BASE)


def test_an_edited_percentage_is_read_as_percent_even_below_one() -> None:
    shares = {"A": 0.5, "B": 99.5}
    rows = [{"name": name, "scale_min": 0, "scale_max": 1, "weight_percent": share} for name, share in shares.items()]
    reading = rubric_from_rows(rows, BASE)
    assert [criterion.weight for criterion in reading.rubric.criteria] == pytest.approx([0.005, 0.995])


def test_edited_percentages_that_miss_100_are_normalised_with_a_note_or_refused() -> None:
    rows = rubric_rows(BASE)
    rows[0]["weight_percent"] = 40
    reading = rubric_from_rows(rows, BASE)
    assert "110 %" in reading.notes[0]
    assert math.fsum(criterion.weight for criterion in reading.rubric.criteria) == pytest.approx(1)
    with pytest.raises(RubricErrors, match="110 %"):
        rubric_from_rows(rows, BASE, strict=True)


def test_levels_follow_a_moved_or_renamed_criterion() -> None:
    rows = list(reversed(rubric_rows(BASE)))
    rows[0]["name"] = "Accuracy"
    moved = rubric_from_rows(rows[1:] + rows[:1], BASE).rubric.criteria
    assert moved[0].levels == BASE.criteria[2].levels
    renamed = rubric_rows(BASE)
    renamed[0]["name"] = "Substance"
    assert rubric_from_rows(renamed, BASE).rubric.criteria[0].levels == BASE.criteria[0].levels


def test_levels_that_are_lost_with_their_criterion_are_said() -> None:
    rows = rubric_rows(BASE)[1:]
    notes = rubric_from_rows(rows, BASE).notes
    assert any("'Content'" in note and "levels" in note for note in notes)


def test_a_scale_that_no_longer_holds_the_levels_is_refused() -> None:
    rows = rubric_rows(BASE)
    rows[0]["scale_max"] = 4
    with pytest.raises(RubricErrors, match="row 1, levels"):
        rubric_from_rows(rows, BASE)


def test_an_unknown_column_is_refused() -> None:
    with pytest.raises(RubricErrors, match="Did you mean 'scale_max'"):
        rubric_from_rows([{"scale_mx": 3}], BASE)
