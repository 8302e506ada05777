"""How rubrics are read, refused, weighed and written."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from judge_core.records.criteria import Criterion, Level
from judge_core.records.errors import InputError
from judge_core.scoring.rubric.reading import RubricErrors, name_key, read_rubric

CASES = {
    case["id"]: case
    for case in map(json.loads, (Path(__file__).parents[1] / "cases" / "cases.jsonl").read_text("utf-8").splitlines())
}
FAULTY = CASES["U-036"]["input"]["criteria_texts"]


def only_error(source: Any, **options: bool) -> Any:
    """The one field error of a source that is refused."""
    with pytest.raises(RubricErrors) as caught:
        read_rubric(source, **options)
    assert len(caught.value.errors) == 1, caught.value
    return caught.value.errors[0]


# Spellings


@pytest.mark.parametrize(
    "source",
    [
        [{"name": "Clarity", "description": "Plain.", "weight": 1, "scale_min": 1, "scale_max": 5}],
        {"criteria": [{"criterion": "Clarity", "desc": "Plain.", "weight": 1.0, "min": 1, "max": 5}]},
        {"dimensions": [{"title": "Clarity", "description": "Plain.", "weight": 100, "scale": [1, 5]}]},
        [{"Name": " Clarity ", "desc": "Plain.", "weight": "100 %", "scale": "1-5"}],
        [{"name": "Clarity", "desc": "Plain.", "weight": "1,0", "scale": "1 to 5"}],
        [{"name": "Clarity", "desc": "Plain.", "Scale Min": "1", "scale-max": 5}],
        [{"name": "Clarity", "desc": "Plain.", "scale": {"min": 1, "max": 5}, "weight": None}],
    ],
)
def test_every_spelling_reads_to_the_same_rubric(source: Any) -> None:
    expected = Criterion(name="Clarity", description="Plain.", scale_min=1, scale_max=5, weight=1)
    for given_source in (
        source,
        json.dumps(source),
        json.dumps(source).encode("utf-8-sig"),
        json.dumps(source).encode("utf-16"),
    ):
        assert read_rubric(given_source).rubric.criteria == (expected,)


@pytest.mark.parametrize(
    "task", [{"question": "Why?", "source_extract": "A source."}, {"task": "Why?", "source": "A source."}]
)
def test_question_source_and_word_limit_are_read(task: dict[str, str]) -> None:
    rubric = read_rubric({**task, "word_limit": 500, "name": "Essay", "criteria": ["Clarity"]}).rubric
    assert (rubric.question, rubric.source_extract, rubric.word_limit, rubric.name) == (
        "Why?",
        "A source.",
        500,
        "Essay",
    )


@pytest.mark.parametrize("key", ["descriptor", "description"])
def test_levels_are_read_and_give_the_scale_where_none_is_given(key: str) -> None:
    levels = [{"score": 1, "label": "weak", key: "Hard to follow."}, {"score": 4, key: "Easy."}]
    criterion = read_rubric([{"name": "Clarity", "levels": levels}]).rubric.criteria[0]
    assert criterion.levels == (
        Level(score=1, label="weak", descriptor="Hard to follow."),
        Level(score=4, descriptor="Easy."),
    )
    assert (criterion.scale_min, criterion.scale_max) == (1, 4)


@pytest.mark.parametrize(
    ("scale", "ends"),
    [("0-10", (0, 10)), ("0–1", (0, 1)), ("-5 to 5", (-5, 5)), ("-5--1", (-5, -1)), ("0,5 .. 2.5", (0.5, 2.5))],
)
def test_a_scale_may_be_written_in_words(scale: str, ends: tuple[float, float]) -> None:
    criterion = read_rubric([{"name": "Clarity", "scale": scale}]).rubric.criteria[0]
    assert (criterion.scale_min, criterion.scale_max) == ends


@pytest.mark.parametrize("name", ["rank", "id", '=HYPERLINK("http://x.invalid","Clarity")', "وضوح‌ها", "a" * 100])
def test_any_one_line_name_is_kept_as_it_is(name: str) -> None:
    assert read_rubric([{"name": name}]).rubric.criteria[0].name == name


# Refusals


@pytest.mark.parametrize(
    ("case", "path", "says"),
    [
        ("dup_names", "criteria[1].name", "criteria[0].name"),
        ("min_ge_max", "criteria[0].scale_min", "from 5 to 5"),
        ("empty", "criteria", "0 criteria"),
        ("blank_name", "criteria[0].name", "empty"),
        ("trailing_comma", "line 1, column 30", "comma"),
        ("huge_scale", "criteria[0].scale_max", "1e+308"),
        ("unknown_field", "criteria[0].wieght", "not known"),
        ("dup_keys", "criteria[0].weight", "more than once"),
    ],
)
def test_u_036_a_faulty_text_is_refused_with_its_place(case: str, path: str, says: str) -> None:
    error = only_error(FAULTY[case])
    assert error.path == path
    assert says in error.message
    assert error.remedy


def test_u_036_an_object_of_names_is_read_as_weights_and_says_so() -> None:
    reading = read_rubric(FAULTY["object_not_list"])
    assert [(criterion.name, criterion.weight) for criterion in reading.rubric.criteria] == [("Clarity", 1)]
    assert "names of criteria with their weights" in reading.notes[0]


@pytest.mark.parametrize(
    "source", ['{"Clarity": 1, "Clarity": 2}', '{"criterias": 1}', '{"Clarity": "high"}', "{}", '{"weight": 1}']
)
def test_an_object_that_may_mean_something_else_is_not_read_as_weights(source: str) -> None:
    with pytest.raises(RubricErrors):
        read_rubric(source)


def test_a_misspelt_field_is_answered_with_the_nearest_one() -> None:
    assert "Did you mean 'weight'?" in only_error(FAULTY["unknown_field"]).remedy
    assert "Did you mean 'criteria'?" in str(pytest.raises(RubricErrors, read_rubric, {"critera": []}).value)


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ('[\n {"name": "A"},\n]', 2, 15),
        ('{"criteria": [{"name": "A",\n}]}', 1, 27),
        ("", 1, 1),
        ('[{"name": "A"}', 1, 15),
    ],
)
def test_text_that_is_no_json_is_refused_with_line_and_column(text: str, line: int, column: int) -> None:
    error = only_error(text)
    assert (error.line, error.column) == (line, column)
    assert f"line {line}, column {column}" in str(error)


@pytest.mark.parametrize(
    "source",
    [b"[\xff]", "[" * 100_000, "NaN", '[{"name": "A", "scale_max": NaN}]', '[{"name": "\\ud800"}]', "9" * 5000],
)
def test_hostile_text_is_refused_and_nothing_else_happens(source: str | bytes) -> None:
    with pytest.raises(RubricErrors):
        read_rubric(source)


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        ({"weight": 0}, "weight"),
        ({"weight": -0.5}, "weight"),
        ({"weight": True}, "weight"),
        ({"weight": "much"}, "weight"),
        ({"weight": math.inf}, "weight"),
        ({"weight": 10**400}, "weight"),
        ({"scale_min": math.nan}, "scale_min"),
        ({"scale_max": 1_000_001}, "scale_max"),
        ({"scale": "ten"}, "scale"),
        ({"scale": [1, 2, 3]}, "scale"),
        ({"scale": [5, 1]}, "scale"),
        ({"scale": [0, 1], "max": 5}, "scale"),
        ({"min": 1, "scale_min": 1}, "scale_min"),
        ({"description": 5}, "description"),
        ({"description": "\x00"}, "description"),
        ({"desc": "a", "description": "b"}, "description"),
        ({"levels": "good"}, "levels"),
        ({"levels": ["good"]}, "levels[0]"),
        ({"levels": [{"label": "good"}]}, "levels[0].score"),
        ({"levels": [{"score": 11}]}, "levels[0].score"),
        ({"levels": [{"score": 1}, {"score": 1.0}], "scale": [0, 2]}, "levels[1].score"),
        ({"levels": [{"score": 1, "labl": "good"}]}, "levels[0].labl"),
    ],
)
def test_a_faulty_field_is_named_by_its_path(fields: dict[str, Any], path: str) -> None:
    assert only_error([{"name": "First"}, {"name": "Clarity", **fields}]).path == f"criteria[1].{path}"


@pytest.mark.parametrize("name", ["two\nlines", "bell\x07", "a" * 101, "\u202eevil", "\u200b", 5, "a\u2028b"])
def test_a_name_is_one_visible_line_of_at_most_100_characters(name: Any) -> None:
    error = only_error([{"name": name}])
    assert error.path == "criteria[0].name"
    assert str(error).isprintable()


@pytest.mark.parametrize("twin", ["clarity", " CLARITY ", "Ｃlarity", "Clar\u200dity"])
def test_names_that_look_alike_are_the_same_name(twin: str) -> None:
    assert name_key(twin) == name_key("Clarity")
    assert only_error([{"name": "Clarity"}, {"name": twin}]).path == "criteria[1].name"


@pytest.mark.parametrize(
    ("field", "value"),
    [("word_limit", 0), ("word_limit", 1.5), ("word_limit", "many"), ("question", []), ("levels", 1)],
)
def test_a_faulty_field_of_the_task_is_named(field: str, value: Any) -> None:
    assert only_error({"criteria": ["Clarity"], field: value}).path == field


def test_all_faults_are_named_at_once() -> None:
    with pytest.raises(RubricErrors) as caught:
        read_rubric([{"name": ""}, {"name": "A", "weight": -1, "scale": "x"}])
    assert [error.path for error in caught.value.errors] == [
        "criteria[0].name",
        "criteria[1].scale",
        "criteria[1].weight",
    ]
    assert isinstance(caught.value, InputError) and caught.value.field == "criteria[0].name"


@pytest.mark.parametrize("number", [0, 21, 100_000])
def test_one_to_twenty_criteria_are_taken(number: int) -> None:
    assert only_error([f"C{index}" for index in range(number)]).path == "criteria"
    assert len(read_rubric([f"C{index}" for index in range(20)]).rubric.criteria) == 20
