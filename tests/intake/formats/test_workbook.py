"""Workbooks: cells as they are shown, one sheet judged, others named."""

from __future__ import annotations

import datetime
import io

import openpyxl

from judge_core.intake import ReadOptions, read_files
from tests.intake.builders import messages, workbook_file, zip_file


def test_cells_are_written_as_they_are_shown() -> None:
    moment = datetime.datetime(2026, 1, 2, 10, 30)
    rows: list[list[object]] = [
        ["id", "text"],
        [7.0, "a"],
        ["007", "b"],
        [moment, "c"],
        [moment.date(), "d"],
        [False, "e"],
        [-2.50, "f"],
    ]
    ids = [artifact.id for artifact in read_files([("w.xlsx", workbook_file(rows))]).artifacts]
    assert ids == ["7", "007", "2026-01-02 10:30:00", "2026-01-02", "FALSE", "-2.5"]


def test_the_first_visible_sheet_with_content_is_judged_and_others_are_named() -> None:
    book = openpyxl.load_workbook(
        io.BytesIO(workbook_file([], Hidden=[["x"]], Texts=[["id", "text"], [1, "a"]], More=[["y"]]))
    )
    book["Hidden"].sheet_state = "hidden"
    stream = io.BytesIO()
    book.save(stream)
    reading = read_files([("w.xlsx", stream.getvalue())])
    assert [artifact.text for artifact in reading.artifacts] == ["a"]
    assert reading.artifacts[0].guesses["sheet"] == "Texts"
    assert "'Hidden'" in messages(reading) and "'More'" in messages(reading)


def test_merged_cells_blank_rows_and_short_rows_are_fine() -> None:
    book = openpyxl.Workbook()
    for row in (["id", "text", "note"], [1, "one"], [], [2, "two", "n"]):
        book.active.append(row)
    book.active.merge_cells("B2:C2")
    stream = io.BytesIO()
    book.save(stream)
    reading = read_files([("w.xlsx", stream.getvalue())])
    assert [(a.id, a.text, a.columns) for a in reading.artifacts] == [
        ("1", "one", {"note": ""}),
        ("2", "two", {"note": "n"}),
    ]
    assert "1 blank row" in messages(reading)


def test_a_stored_formula_value_is_read_with_a_notice() -> None:
    plain = workbook_file([["id", "text"], ["f", "=A1"]])
    with openpyxl.reader.excel.ZipFile(io.BytesIO(plain)) as package:
        parts = {name: package.read(name) for name in package.namelist()}
    sheet = parts["xl/worksheets/sheet1.xml"].replace(b"<v></v>", b"<v>stored</v>").replace(b"<v />", b"<v>stored</v>")
    assert b"stored" in sheet
    sheet = sheet.replace(b'<c r="B2">', b'<c r="B2" t="str">')
    (artifact,) = read_files([("w.xlsx", zip_file({**parts, "xl/worksheets/sheet1.xml": sheet}))]).artifacts
    assert artifact.text == "stored"
    assert [(n.code, "stored value was read" in n.message) for n in artifact.warnings] == [("formula_cell", True)]


def test_broken_empty_and_hostile_workbooks_are_refused() -> None:
    good = workbook_file([["id", "text"], [1, "a"]])
    with openpyxl.reader.excel.ZipFile(io.BytesIO(good)) as package:
        parts = {name: package.read(name) for name in package.namelist()}
    bomb = b'<!DOCTYPE x [<!ENTITY a "aaaa">]>' + parts["xl/workbook.xml"]
    files = [
        ("empty.xlsx", workbook_file([])),
        ("cut.xlsx", good[:-100]),
        ("bomb.xlsx", zip_file({**parts, "xl/workbook.xml": bomb})),
        ("torn.xlsx", zip_file({**parts, "xl/workbook.xml": b"<workbook"})),
        ("good.xlsx", good),
    ]
    reading = read_files(files)
    assert [artifact.source for artifact in reading.artifacts] == ["good.xlsx"]
    assert [problem.file for problem in reading.problems] == ["empty.xlsx", "cut.xlsx", "bomb.xlsx", "torn.xlsx"]


def test_too_large_a_workbook_is_refused() -> None:
    reading = read_files([("w.xlsx", workbook_file([["text"], ["a"]]))], ReadOptions(max_unzipped_bytes=100))
    assert not reading.artifacts and "unpacks" in messages(reading)
