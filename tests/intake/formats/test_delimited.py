"""Delimited files and plain texts: encodings, delimiters, headers, rows, and which column is taken for what."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_core.intake import ReadOptions, read_files, table_columns
from judge_core.records.artifact import Reading
from tests.intake.builders import codes, messages, workbook_file


def table(text: str | bytes, options: ReadOptions = ReadOptions()) -> Reading:  # noqa: B008
    data = text if isinstance(text, bytes) else text.encode()
    return read_files([("t.csv", data)], options)


def pairs(reading: Reading) -> list[tuple[str, str]]:
    return [(artifact.id, artifact.text) for artifact in reading.artifacts]


GERMAN = "Die Bäume kühlen die Straße – das weiß jeder, über den grünen Klee.\n"
ENCODED = {
    "utf-8": (GERMAN.encode(), "utf-8", GERMAN),
    "utf-8-sig": (GERMAN.encode("utf-8-sig"), "utf-8-sig", GERMAN),
    "utf-16": (GERMAN.encode("utf-16"), "utf-16", GERMAN),
    "utf-32": (GERMAN.encode("utf-32"), "utf-32", GERMAN),
    "utf-32-be": ("\ufeff".encode("utf-32-be") + GERMAN.encode("utf-32-be"), "utf-32", GERMAN),
}
GUESSED = {
    "utf-16-le": (GERMAN, "utf-16-le"),
    "utf-16-be": (GERMAN, "utf-16-be"),
    "utf-32-le": (GERMAN, "utf-32-le"),
    "cp1252": (GERMAN, "cp1252"),
    "russian utf-16-le": ("Деревья охлаждают улицу, и тень стоит денег.", "utf-16-le"),
    "russian cp1251": ("Деревья охлаждают улицу, и тень стоит денег. Парк стоит дорого, но он нужен.", "cp1251"),
    "polish cp1250": ("Drzewa chłodzą ulicę, a cień jest wart swojej ceny. Źródło zażółcić gęślą jaźń.", "cp1250"),
    "japanese cp932": ("木は道を涼しくします。日陰にはお金を払う価値があります。公園は必要です。", "cp932"),
    "chinese gb18030": ("树木使街道凉爽。树荫值得花钱。公园是必要的，我们应该保护它们。", "gb18030"),
}


@pytest.mark.parametrize("name", ENCODED)
def test_an_encoding_that_is_plain_is_no_guess(name: str) -> None:
    data, encoding, text = ENCODED[name]
    (artifact,) = read_files([("a.txt", data)]).artifacts
    assert (artifact.text, artifact.encoding, artifact.warnings) == (text, encoding, ())


@pytest.mark.parametrize("name", GUESSED)
def test_a_guessed_encoding_is_told(name: str) -> None:
    text, encoding = GUESSED[name]
    reading = read_files([("a.txt", text.encode(encoding))])
    assert [artifact.text for artifact in reading.artifacts] == [text], messages(reading)
    assert codes(reading) == [["encoding_guessed"]]


def test_utf_8_with_a_broken_place_is_not_taken_for_another_encoding() -> None:
    (artifact,) = read_files([("a.txt", "äöü ÄÖÜ ß é è à ç ñ".encode() + b"\xff end")]).artifacts
    assert artifact.text == "äöü ÄÖÜ ß é è à ç ñ\ufffd end"
    assert "1 broken place" in artifact.warnings[0].message


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_each_delimiter_is_found(delimiter: str) -> None:
    other = "|" if delimiter != "|" else ","
    rows = [["id", "essay", "mark"], ["e1", f"One{other} two{other} three", "7"], ["e2", "Four", "8"]]
    reading = table("\n".join(delimiter.join(row) for row in rows))
    assert pairs(reading) == [("e1", rows[1][1]), ("e2", "Four")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("sep=;\nid;text\ne1;a, b\n", [("e1", "a, b")]),
        ('id, text\ne1, "a, b"\n', [("e1", "a, b")]),
        ("text\nOne, two, three.\nFour, five.\n", [("t.csv row 2", "One, two, three."), ("t.csv row 3", "Four, five.")]),
        ('text\n"Trees," he said, "cool."\n', [("t.csv row 2", '"Trees," he said, "cool."')]),
        ('text\n"a\n\nb"\n', [("t.csv row 2", "a\n\nb")]),
        ("id,text\ne1,a\ne2,b,,\n", [("e1", "a"), ("e2", "b")]),
        ("id,text,\ne1,a,\ne2,b,\n", [("e1", "a"), ("e2", "b")]),
        ("id,text,note\ne1,a\n", [("e1", "a")]),
        ("id,text\n,a\n", [("t.csv row 2", "a")]),
        ("First one here.\nSecond one there.\n", [("t.csv row 1", "First one here."), ("t.csv row 2", "Second one there.")]),
        ("e1,Trees cool the street.\ne2,Shade pays.\ne3,Parks.\n", [("t.csv row 1", "Trees cool the street."), ("t.csv row 2", "Shade pays."), ("t.csv row 3", "Parks.")]),
        ("pupil,what they wrote\nAnn,A long text about trees and streets.\n", [("t.csv row 2", "A long text about trees and streets.")]),
    ],
)  # fmt: skip
def test_tables_as_people_save_them(text: str, expected: list[tuple[str, str]]) -> None:
    assert pairs(table(text)) == expected


def test_a_table_without_header_says_so() -> None:
    assert "first row" in table("One here.\nTwo there.\n").artifacts[0].guesses["header"]


def test_a_short_row_with_its_text_is_taken_with_a_remark() -> None:
    assert "Row 2 has 2 fields instead of 3" in messages(table("id,text,note\ne1,a\n"))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('id,text\ne1,"a\ne2,b\n', "Row 2 opens a quotation mark"),
        ("id,text\n", "no rows"),
        ("\n\n", "empty"),
        ("id,text,id\na,b,c\n", "'id'"),
        ("id,text\ne1,\n", "Row 2 has no text"),
    ],
)
def test_what_cannot_be_read_is_said(text: str, says: str) -> None:
    reading = table(text)
    assert not reading.artifacts and says in messages(reading)


def test_a_cell_longer_than_the_usual_limit_is_whole() -> None:
    (artifact,) = table(f"id,text\ne1,{'word ' * 60_000}\n").artifacts
    assert artifact.words == 60_000


@pytest.mark.parametrize(
    ("header", "row", "chosen"),
    [
        ("id,text,essay", "1,a,b", "text"),
        ("text_id,student_essay", "1,b", "student_essay"),
        ("name,remarks,mark", "Ann,A long remark on it.,7", "remarks"),
        ("编号,正文", "1,树", "正文"),
    ],
)
def test_the_text_column_is_guessed_by_name_then_by_length(header: str, row: str, chosen: str) -> None:
    (artifact,) = table(f"{header}\n{row}\n").artifacts
    assert artifact.guesses["text column"].startswith(chosen)
    assert artifact.text == row.split(",")[header.split(",").index(chosen)]


def test_chosen_columns_are_taken_and_not_told_as_guesses() -> None:
    options = ReadOptions(text_column="b", id_column="C", title_column="a")
    (artifact,) = table("a,b,c,text\nT,x,7,y\n", options).artifacts
    assert (artifact.id, artifact.title, artifact.text, artifact.columns) == ("7", "T", "x", {"text": "y"})
    assert not {"text column", "id column", "title column"} & set(artifact.guesses)


def test_a_column_that_is_not_there_is_named_with_the_nearest() -> None:
    reading = table("id,essay\n1,x\n", ReadOptions(text_column="esay"))
    assert "'esay'" in messages(reading) and "Did you mean 'essay'" in messages(reading)


def test_a_text_file_that_holds_a_table_is_read_as_one() -> None:
    reading = read_files(
        [("Unicode.txt", "id\ttext\ne1\tTrees\n".encode("utf-16")), ("a.txt", b"My text, your text\n")]
    )
    assert pairs(reading) == [("e1", "Trees"), ("a.txt", "My text, your text\n")]


def test_table_columns_offers_columns_rows_and_the_guess() -> None:
    found = table_columns("t.csv", b"id,essay,name\n1,Trees,Ann\n2,Shade\n")
    assert found is not None
    assert (found.columns, found.rows) == (("id", "essay", "name"), 2)
    assert found.first_rows == (("1", "Trees", "Ann"), ("2", "Shade", ""))
    assert (found.text_column, found.id_column, found.title_column) == ("essay", "id", "name")
    assert table_columns("a.md", b"Trees") is None and table_columns("t.csv", b"\x00\x01") is None
    workbook = table_columns("t.xlsx", workbook_file([["id", "text"], [7, "a"]]))
    assert workbook is not None and workbook.first_rows == (("7", "a"),)


CELL = st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=20).filter(lambda c: c.strip())


@given(st.lists(st.tuples(CELL, CELL), min_size=1, max_size=8), st.sampled_from([",", ";", "\t", "|"]))
def test_what_a_csv_writer_writes_is_read_back(rows: list[tuple[str, str]], delimiter: str) -> None:
    stream = io.StringIO()
    csv.writer(stream, delimiter=delimiter, quoting=csv.QUOTE_ALL).writerows([("id", "text"), *rows])
    reading = table(stream.getvalue())
    seen = [text for _, text in rows if any(a.text == text.lstrip("\ufeff") for a in reading.artifacts)]
    blank = [p for p in reading.problems if "blank row" in p.message or "has no text" in p.message]
    assert len(seen) == len(rows) or blank
