"""How columns are guessed, and what rubric a table gives."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from judge_core.intake.rubric_table import ColumnChoice, RubricTable, guess_columns, rubric_from_table, rubric_tables
from judge_core.records.criteria import Criterion, Rubric
from judge_core.scoring.rubric.reading import RubricErrors
from tests.intake.rubric_files import SCHOOL, csv_bytes, read, word


def table(rows: Sequence[Sequence[str]]) -> RubricTable:
    return RubricTable(title="Rubric", columns=tuple(rows[0]), rows=tuple(map(tuple, rows[1:])))


# Which column is what


@pytest.mark.parametrize(
    ("header", "row", "choice"),
    [
        (SCHOOL[0], SCHOOL[1], ColumnChoice(name="Criterion", levels=("4 Excellent", "3 Good", "2 Fair", "1 Poor"))),
        (["Criteria", "Weight (%)", "Description"], ["A", "30", "B"], ColumnChoice(name="Criteria", weight="Weight (%)", description="Description")),
        (["", "Beginning", "Proficient"], ["A", "b", "c"], ColumnChoice(name="Column 1", levels=("Beginning", "Proficient"))),
        (["Trait", "Gold", "Silver", "Comments"], ["A", "b", "c", "d"], ColumnChoice(name="Trait", levels=("Gold", "Silver"))),
        (["Criterion", "What to look for", "Points", "Score"], ["A", "b", "20", ""], ColumnChoice(name="Criterion", description="What to look for", weight="Points")),
        (["name", "description", "scale_min", "scale_max", "weight_percent"], ["A", "b", "0", "5", "100"],
         ColumnChoice(name="name", description="description", weight="weight_percent", scale_min="scale_min", scale_max="scale_max")),
        (["Merkmal", "Sehr gut (15-13)", "Gut (12-10)", "Gewichtung"], ["A", "b", "c", "1"],
         ColumnChoice(name="Merkmal", weight="Gewichtung", levels=("Sehr gut (15-13)", "Gut (12-10)"))),
    ],
)  # fmt: skip
def test_columns_are_guessed_by_header_and_content(header: list[str], row: list[str], choice: ColumnChoice) -> None:
    found = rubric_tables("r.csv", csv_bytes([header, row]))[0]
    assert guess_columns(found) == choice


def test_a_table_without_a_header_keeps_its_first_row() -> None:
    rows = [["Clarity", "Every sentence can be understood.", "40 %"], ["Evidence", "Claims rest on sources.", "60 %"]]
    found = rubric_tables("r.docx", word(rows))[0]
    assert found.columns == ("Column 1", "Column 2", "Column 3")
    choice = ColumnChoice(name="Column 1", description="Column 2", weight="Column 3")
    assert [c.weight for c in rubric_from_table(found, choice).rubric.criteria] == pytest.approx([0.4, 0.6])


def test_repeated_and_missing_headers_get_names_of_their_own() -> None:
    rows = [["Criterion", "Why", "Why", ""], ["A", "b", "c", "d"]]
    assert rubric_tables("r.csv", csv_bytes(rows))[0].columns == ("Criterion", "Why", "Why (2)", "Column 4")


# The rubric


@pytest.mark.parametrize(
    ("headers", "scores"),
    [
        (["Excellent", "Good", "Poor"], [3, 2, 1]),
        (["Beginning", "Developing", "Accomplished"], [1, 2, 3]),
        (["Gold", "Silver", "Bronze"], [3, 2, 1]),
    ],
)
def test_levels_without_scores_are_scored_by_place_and_it_is_said(headers: list[str], scores: list[int]) -> None:
    reading = read("r.csv", csv_bytes([["Criterion", *headers], ["A", "x", "y", "z"]]))
    levels = {level.label: level.score for level in reading.rubric.criteria[0].levels}
    assert levels == dict(zip(headers, scores, strict=True))
    assert any("scored by their place" in note for note in reading.notes)


def test_ranges_count_with_their_upper_end_and_give_the_scale() -> None:
    reading = read("r.csv", csv_bytes([["Criterion", "Good (6-10 pts)", "Poor (0-5 pts)"], ["A", "x", "y"]]))
    criterion = reading.rubric.criteria[0]
    assert [(level.score, level.label) for level in criterion.levels] == [(5, "Poor"), (10, "Good")]
    assert (criterion.scale_min, criterion.scale_max) == (0, 10)
    assert any("highest" in note for note in reading.notes)


def test_totals_headings_and_repeated_headers_are_no_criteria() -> None:
    rows = [
        SCHOOL[0],
        ["CONTENT"] * 5,
        SCHOOL[1],
        SCHOOL[0],
        ["Form", "", "", "", ""],
        SCHOOL[2],
        ["Total:", "", "", "", "8"],
    ]
    first = table(rows)
    reading = rubric_from_table(first, guess_columns(first))
    assert [criterion.name for criterion in reading.rubric.criteria] == ["Thesis", "Evidence"]
    assert [note[:6] for note in reading.notes[:3]] == ["Row 1 ", "Row 4 ", "Row 6 "]


def test_further_lines_of_a_name_become_description_and_its_percentage_the_weight() -> None:
    rows = [["Criterion", "Description"], ["Thesis (40%)\nIs there one?", "Clear."], ["Evidence - 60 %", ""]]
    reading = rubric_from_table(table(rows), ColumnChoice(name="Criterion", description="Description"))
    assert reading.rubric.criteria == (
        Criterion(name="Thesis", description="Is there one?\nClear.", weight=0.4),
        Criterion(name="Evidence", weight=0.6),
    )
    assert any("percentages behind the names" in note for note in reading.notes)


def test_the_scale_may_stand_in_columns_and_the_task_comes_from_the_base() -> None:
    rows = [["name", "min", "max", "weight"], ["A", "1", "6", "2 points"], ["B", "", "", "3 points"]]
    first = table(rows)
    reading = rubric_from_table(first, guess_columns(first), base=Rubric(question="Why?", word_limit=100))
    assert [(c.scale_min, c.scale_max, c.weight) for c in reading.rubric.criteria] == [(1, 6, 0.4), (0, 10, 0.6)]
    assert (reading.rubric.question, reading.rubric.word_limit) == ("Why?", 100)
    with pytest.raises(RubricErrors, match="add up to 5"):
        rubric_from_table(first, guess_columns(first), strict=True)


# What is wrong with it


@pytest.mark.parametrize(
    ("cells", "path"),
    [
        (["", "d", "1"], "row 2, Criterion"),
        (["first ", "d", "1"], "row 2, Criterion"),
        (["a" * 101, "d", "1"], "row 2, Criterion"),
        (["B", "d", "much"], "row 2, Weight"),
        (["B", "d", "0"], "row 2, Weight"),
        (["B", "d", "-2"], "row 2, Weight"),
        (["B", "d\x00", "1"], "row 2, Description"),
    ],
)
def test_a_faulty_cell_is_named_by_row_and_column(cells: list[str], path: str) -> None:
    rows = table([["Criterion", "Description", "Weight"], ["First", "d", "1"], cells])
    with pytest.raises(RubricErrors) as caught:
        rubric_from_table(rows, guess_columns(rows))
    assert [error.path for error in caught.value.errors] == [path]


@pytest.mark.parametrize(
    ("levels", "says"),
    [
        (("4 Excellent", "4 Superb"), "is also that of '4 Excellent'"),
        (("4 Excellent", "Hopeless"), "Put a number into it"),
        (("4 Excellent",), "at least two"),
        (("4 Excelent", "4 Superb"), "Did you mean '4 Excellent'"),
        (("4 Excellent", "Criterion"), "more than once"),
    ],
)
def test_a_faulty_choice_of_levels_is_refused(levels: tuple[str, ...], says: str) -> None:
    rows = table([["Criterion", "4 Excellent", "4 Superb", "Hopeless"], ["A", "b", "c", "d"]])
    with pytest.raises(RubricErrors, match=says):
        rubric_from_table(rows, ColumnChoice(name="Criterion", levels=levels))


def test_a_table_with_headings_only_has_no_criteria() -> None:
    rows = table([SCHOOL[0], ["CONTENT"] * 5])
    with pytest.raises(RubricErrors, match="0 criteria"):
        rubric_from_table(rows, guess_columns(table(SCHOOL)))
