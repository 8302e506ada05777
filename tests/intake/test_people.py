"""Rosters are joined by file name or id; names are masked as whole words in any case and Unicode form."""

from __future__ import annotations

import pytest

from judge_core.intake import attach_roster, mask_names, names_in, read_files, read_paste, read_roster
from judge_core.records.artifact import Artifact
from judge_core.records.errors import InputError
from judge_core.records.record import text_hash
from tests.intake.builders import messages, workbook_file

ROSTER = b"file,name,class\ne1.txt,Ann Lee,9b\nE2,Bo Li,9b\nlost.txt,Cy,9c\n"


def texts(*names: str) -> tuple[Artifact, ...]:
    return read_files([(name, f"Text of {i}.".encode()) for i, name in enumerate(names)]).artifacts


def test_rows_find_their_texts_by_name_with_or_without_ending() -> None:
    reading = attach_roster(texts("e1.txt", "e2.txt", "alone.txt"), read_roster("r.csv", ROSTER))
    assert [artifact.columns for artifact in reading.artifacts] == [
        {"name": "Ann Lee", "class": "9b"},
        {"name": "Bo Li", "class": "9b"},
        {},
    ]
    assert "Row 4 ('lost.txt')" in messages(reading) and "'alone.txt' is not in the class list" in messages(reading)


def test_the_key_is_the_column_with_the_most_partners() -> None:
    roster = read_roster("r.xlsx", workbook_file([["id", "Student", "paper"], [1, "Ann", "e1"], [2, "Bo", "e2"]]))
    reading = attach_roster(texts("e1.docx.txt", "e1.txt", "e2.txt"), roster)
    assert [artifact.columns.get("Student") for artifact in reading.artifacts] == [None, "Ann", "Bo"]


def test_an_ambiguous_row_joins_nothing() -> None:
    roster = read_roster("r.csv", b"file,name\ne1,Ann\n")
    assert [a.columns for a in attach_roster(texts("e1.txt", "e1.md"), roster).artifacts] == [{}, {}]


def test_a_column_that_is_there_already_is_kept_apart() -> None:
    artifacts = read_files([("t.csv", b"id,text,class\n7,Trees,old\n")]).artifacts
    (artifact,) = attach_roster(artifacts, read_roster("r.csv", b"id,class\n7,new\n")).artifacts
    assert artifact.columns == {"class": "old", "class list: class": "new"}


@pytest.mark.parametrize("data", [b"", b"\x00\x01\x02", b"%PDF-1.4 %%EOF", b"PK\x03\x04"])
def test_a_roster_that_is_no_table_is_an_input_error(data: bytes) -> None:
    with pytest.raises(InputError):
        read_roster("r.csv", data)


@pytest.mark.parametrize(
    ("text", "names", "expected"),
    [
        ("Ann met ann's ANN.", ["Ann"], "[name] met [name]'s [name]."),
        ("Annabel and Joann.", ["Ann"], "Annabel and Joann."),
        ("Ann Lee and Lee.", ["Lee", "Ann Lee"], "[name] and [name]."),
        ("Ann\n Lee", ["Ann Lee"], "[name]"),
        ("Jose\u0301 and Jose", ["Jos\u00e9"], "[name] and Jose"),
        ("Jose\u0301", ["Jose"], "Jose\u0301"),
        ("ЁЛКИНА и Ёлкин", ["Ёлкина"], "[name] и Ёлкин"),
        ("王小明说", ["王小明"], "[name]说"),
        ("ann_lee", ["Ann"], "[name]_lee"),
        ("A plan by A.", ["A"], "A plan by A."),
        ("C++ (x)", ["C++"], "[name] (x)"),
    ],
)
def test_names_are_masked_as_whole_words(text: str, names: list[str], expected: str) -> None:
    (artifact,) = mask_names(read_paste(text).artifacts, names)
    assert artifact.text == expected
    assert artifact.sha256 == text_hash(expected)
    assert any(n.code == "names_masked" for n in artifact.warnings) == (expected != text)


def test_the_count_of_masks_is_told_and_untouched_texts_stay_as_they_are() -> None:
    artifacts = read_paste("Ann and Ann\n---\nBo").artifacts
    masked = mask_names(artifacts, ["ann"])
    assert masked[0].warnings[-1].message.startswith("2 names") and masked[1] is artifacts[1]
    assert mask_names(artifacts, []) == artifacts


def test_candidates_come_from_rosters_and_file_names() -> None:
    artifacts = texts("Maria_Schmidt_essay_Final.txt", "draft 2.txt")
    roster = read_roster("r.csv", b"file,name\ndraft 2.txt,Jan van Dyk\n")
    assert names_in(attach_roster(artifacts, roster).artifacts) == ("Maria", "Schmidt", "Jan van Dyk", "Jan", "Dyk")
