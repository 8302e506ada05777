"""Rows of items: which forms are read, where each row stands, and what is refused without loss of its neighbours."""

from __future__ import annotations

import io
import json
from typing import Any

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge_core.intake.items.item_rows import MOST_VALUES, NAMED_PROBLEMS, Rows, kind_of, read_rows
from judge_core.intake.items.json_values import DEEPEST
from judge_core.intake.options import ReadOptions


def read(name: str, text: str) -> Rows:
    return read_rows(name, text.encode())


def places(rows: Rows) -> list[tuple[str, dict[str, object]]]:
    return [(row.place, row.value) for row in rows.rows]


def messages(rows: Rows) -> list[str]:
    return [problem.message for problem in rows.problems]


def workbook(*rows: tuple[Any, ...]) -> bytes:
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)  # type: ignore[union-attr]
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


TWO = [("Line 1", {"a": 1}), ("Line 3", {"a": [{"b": "é"}]})]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("runs.jsonl", '{"a":1}\n\n{"a":[{"b":"é"}]}\n'),
        ("runs.ndjson", '{"a":1}\r\n\r\n{"a":[{"b":"é"}]}'),
        ("runs.json", '[{"a":1},\n\n{"a":[{"b":"é"}]}]'),
        ("runs.json", '{"a":1}\n\n{"a":[{"b":"é"}]}'),
        ("runs.jsonl", '[{"a":1},\n\n{"a":[{"b":"é"}]}]\n'),
        ("runs.json", '{"data": [{"a":1},\n\n{"a":[{"b":"é"}]}]}'),
        ("runs.txt", '{"a":1}\n\n{"a":[{"b":"é"}]}\n'),
        ("runs.json", '\ufeff[{"a":1},\n\n{"a":[{"b":"é"}]}]'),
    ],
)
def test_json_is_read_in_its_usual_forms_with_the_line_of_each_row(name: str, text: str) -> None:
    rows = read(name, text)
    assert places(rows) == TWO
    assert rows.problems == ()


def test_other_encodings_are_read() -> None:
    assert read_rows("a.json", '[{"a":"é"}]'.encode("utf-16")).rows[0].value == {"a": "é"}


def test_an_object_over_many_lines_is_one_row() -> None:
    assert places(read("a.json", '{\n "goal": "x",\n "steps": ["p"]\n}\n')) == [
        ("Line 1", {"goal": "x", "steps": ["p"]})
    ]


def test_a_list_among_other_fields_is_part_of_one_row() -> None:
    assert len(read("a.json", '{"steps": [{"n":1},{"n":2}], "goal": "x"}').rows) == 1
    assert len(read("a.json", '{"passages": ["p", "q"]}').rows) == 1


def test_a_line_break_in_a_string_does_not_end_a_row() -> None:
    assert read("a.jsonl", '{"a":"x\\ny\u2028z"}\n').rows[0].value == {"a": "x\ny\u2028z"}


def test_tables_give_texts_by_header_without_blank_cells() -> None:
    rows = read("a.csv", 'goal,steps\nx,"[""p""]"\n,q\n')
    assert places(rows) == [("Row 2", {"goal": "x", "steps": '["p"]'}), ("Row 3", {"steps": "q"})]
    book = read_rows("a.xlsx", workbook(("question", "answer", "passage_1"), ("q", "a", None), ("r", 7, "p")))
    assert places(book) == [
        ("Row 2", {"question": "q", "answer": "a"}),
        ("Row 3", {"question": "r", "answer": "7", "passage_1": "p"}),
    ]


def test_a_table_without_names_for_its_columns_is_refused() -> None:
    rows = read("a.csv", "goal,goal\nx,y\n")
    assert rows.rows == () and "'goal'" in messages(rows)[0]
    assert "names no columns" in messages(read("a.csv", "x,1\n"))[0]


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ('{"a":1,"a":2}', "'a' is given twice"),
        ('{"x":{"b":1,"b":1}}', "'b' is given twice"),
        ('{"a":NaN}', "NaN or Infinity"),
        ('{"a":[-Infinity]}', "NaN or Infinity"),
        ('{"a":1e999}', "too large"),
        ('{"a":' + "9" * 5000 + "}", "no well-formed JSON"),
        ('{"a":' + "[" * DEEPEST + "]" * DEEPEST + "}", "nested more than"),
        ('{"a":' + "[" * 50_000 + "]" * 50_000 + "}", "nested more than"),
        ('{"a" 1}', "no well-formed JSON"),
        ("[1]", "this is a list"),
        ("rubbish", "no well-formed JSON"),
        ('"text"', "this is a text"),
        ("{}", "the object is empty"),
    ],
)
@pytest.mark.parametrize("form", ["lines", "list"])
def test_a_bad_row_is_named_by_its_line_and_the_rows_around_it_stay(form: str, bad: str, said: str) -> None:
    good = ['{"ok":1}', '{"ok":2}']
    text = f"{good[0]}\n{bad}\n{good[1]}\n" if form == "lines" else f"[{good[0]},\n{bad},\n{good[1]}]"
    rows = read("a.jsonl" if form == "lines" else "a.json", text)
    assert [row.value for row in rows.rows] == [{"ok": 1}, {"ok": 2}]
    (message,) = messages(rows)
    assert message.startswith("Line 2: ") and said in message and message.endswith("it was left out.")


def test_nesting_up_to_the_bound_is_read() -> None:
    assert len(read("a.jsonl", '{"a":' + "[" * (DEEPEST - 1) + "]" * (DEEPEST - 1) + "}").rows) == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[{"a":1},\n{"b":', "nothing from it on"),
        ('[{"a":1},\n~rubbish, {"b":1}]', "nothing from it on"),
        ('[{"a":1},\n', "never closed"),
        ('[{"a":1}\n] {"b":2}', "behind the end"),
    ],
)
def test_where_the_rest_of_a_file_is_lost_it_is_said(text: str, said: str) -> None:
    rows = read("a.json", text)
    assert [row.value for row in rows.rows] == [{"a": 1}]
    assert messages(rows)[0].startswith("Line 2: ") and said in messages(rows)[0]


@pytest.mark.parametrize(
    ("name", "data"),
    [("a.json", b""), ("a.jsonl", b" \n"), ("a.json", b"[]"), ("a.csv", b""), ("a.png", b"\x89PNG\r\n\x1a\n"),
     ("a.zip", b"PK\x03\x04"), ("a.json", b"\xff\x00\x01\x02" * 20), ("a.pdf", b"%PDF-1.4\n1 0 obj\n%%EOF"), ("a.txt", b"text")],
)  # fmt: skip
def test_a_file_without_rows_is_a_problem_and_no_error(name: str, data: bytes) -> None:
    rows = read_rows(name, data)
    assert rows.rows == ()
    assert len(rows.problems) == 1 and rows.problems[0].file == name


def test_sizes_are_bounded() -> None:
    rows = read_rows("a.jsonl", b'{"a":1}\n' * 5, ReadOptions(max_texts=3))
    assert len(rows.rows) == 3
    assert "2 were left out, from line 4 on" in messages(rows)[0]
    assert "at most 3 bytes" in messages(read_rows("a.jsonl", b'{"a":1}', ReadOptions(max_file_bytes=3)))[0]


def test_many_bad_rows_are_counted_and_not_all_named() -> None:
    named = messages(read("a.jsonl", "[1]\n" * (NAMED_PROBLEMS + 7)))
    assert len(named) == NAMED_PROBLEMS + 1
    assert named[-1].startswith("7 further rows")


def test_a_file_of_rubbish_is_not_looked_through_for_ever() -> None:
    rows = read_rows("a.json", b"[" + b"7," * (MOST_VALUES + 9) + b'{"a":1}]')
    assert rows.rows == ()
    assert "Split the file." in messages(rows)[0]
    assert len(rows.problems) == NAMED_PROBLEMS + 1


def test_halves_of_characters_are_marked() -> None:
    row = read("a.jsonl", '{"a\\ud800":["\\udfff", "\\ud83d\\ude00"]}').rows[0]
    assert row.value == {"a\ufffd": ["\ufffd", "😀"]}


def test_names_and_words_from_outside_stay_out_of_labels() -> None:
    rows = read("../../etc/x\n.jsonl", '{"<b>\\n":1,"<b>\\n":2}')
    assert rows.problems[0].file == "x .jsonl"
    assert "\n" not in rows.problems[0].message


def test_each_kind_has_words() -> None:
    assert [kind_of(value) for value in ({}, [], "", True, 1, 1.5, None)] == [
        "an object", "a list", "a text", "true or false", "a number", "a number", "null",
    ]  # fmt: skip


@given(st.lists(st.dictionaries(st.text(min_size=1, max_size=5), st.text(max_size=9) | st.integers(), min_size=1), min_size=1, max_size=5))  # fmt: skip
def test_lines_and_lists_give_the_same_rows(values: list[dict[str, Any]]) -> None:
    lines = read("a.jsonl", "\n".join(json.dumps(value) for value in values))
    listed = read("a.json", json.dumps(values, indent=1))
    assert [row.value for row in lines.rows] == [row.value for row in listed.rows] == values


@settings(max_examples=200)
@given(
    st.sampled_from(["a.json", "a.jsonl", "a.csv", "a"]),
    st.text('{}[]",:\\\n a1eN-', max_size=40) | st.binary(max_size=40),
)
def test_no_content_raises(name: str, data: str | bytes) -> None:
    rows = read_rows(name, data.encode() if isinstance(data, str) else data)
    assert rows.rows or rows.problems
