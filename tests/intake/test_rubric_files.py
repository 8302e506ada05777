"""How the tables of a Word file, a workbook or a delimited file are found and read."""

from __future__ import annotations

import io
import zipfile

import docx
import openpyxl
import pytest
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

from judge_core.intake.rubric_table import rubric_tables
from judge_core.records.criteria import Level
from judge_core.records.errors import InputError
from tests.intake.rubric_files import SCHOOL, csv_bytes, read, word, workbook

THESIS = (
    Level(score=1, label="Poor", descriptor="None."),
    Level(score=2, label="Fair", descriptor="Vague."),
    Level(score=3, label="Good", descriptor="Clear."),
    Level(score=4, label="Excellent", descriptor="Clear and bold."),
)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("r.docx", word(SCHOOL)),
        ("r.xlsx", workbook(SCHOOL)),
        ("r.csv", csv_bytes(SCHOOL)),
        ("r.csv", csv_bytes(SCHOOL, ";")),
        ("r.txt", csv_bytes(SCHOOL, "\t")),
    ],
)
def test_a_school_rubric_gives_the_same_criteria_from_each_kind_of_file(name: str, data: bytes) -> None:
    reading = read(name, data)
    assert [criterion.name for criterion in reading.rubric.criteria] == ["Thesis", "Evidence"]
    first = reading.rubric.criteria[0]
    assert first.levels == THESIS
    assert (first.scale_min, first.scale_max, first.weight) == (1, 4, 0.5)
    assert len(reading.notes) == 1 and "No weights" in reading.notes[0]


def test_the_title_is_the_merged_first_row_else_the_line_above_else_the_sheet_or_file() -> None:
    headed = [["Essay rubric"] * 5, *SCHOOL]
    assert rubric_tables("r.docx", word(headed, merges=[(0, 0, 0, 4)]))[0].title == "Essay rubric"
    assert rubric_tables("r.xlsx", workbook([["Essay rubric"], *SCHOOL], merges=["A1:E1"]))[0].title == "Essay rubric"
    assert rubric_tables("r.docx", word(SCHOOL, before="How we grade"))[0].title == "How we grade"
    assert rubric_tables("r.docx", word(SCHOOL))[0].title == "Table 1"
    assert rubric_tables("r.xlsx", workbook(SCHOOL))[0].title == "Essay"
    assert rubric_tables("my rubric.csv", csv_bytes(SCHOOL))[0].title == "my rubric"


def test_a_header_of_two_merged_rows_becomes_one() -> None:
    rows = [["Criterion", "Levels", "", ""], ["", "3", "2", "1"], ["Thesis", "Clear.", "Vague.", "None."]]
    expected = ("Criterion", "3", "2", "1")
    assert rubric_tables("r.docx", word(rows, merges=[(0, 0, 1, 0), (0, 1, 0, 3)]))[0].columns == expected
    assert rubric_tables("r.xlsx", workbook(rows, merges=["A1:A2", "B1:D1"]))[0].columns == expected
    named = [["Criterion", "Good", "Poor"], ["", "2 points", "1 point"], ["Thesis", "Clear.", "None."]]
    assert [level.label for level in read("r.csv", csv_bytes(named)).rubric.criteria[0].levels] == ["Poor", "Good"]


def test_a_merged_descriptor_stands_for_each_level_that_it_covers() -> None:
    rows = [*SCHOOL[:1], ["Thesis", "Clear.", "Clear.", "Vague.", "None."]]
    levels = read("r.docx", word(rows, merges=[(1, 1, 1, 2)])).rubric.criteria[0].levels
    assert [level.descriptor for level in levels] == ["None.", "Vague.", "Clear.", "Clear."]


def test_percentages_of_a_workbook_are_read_as_they_are_shown() -> None:
    rows: list[list[object]] = [
        ["Criterion", "Weight", "Description"],
        ["Thesis", 0.3, "Clear."],
        ["Evidence", 0.7, "Rich."],
    ]
    reading = read("r.xlsx", workbook(rows, percent="B2:B3"))
    assert [c.weight for c in reading.rubric.criteria] == pytest.approx([0.3, 0.7])
    assert [c.description for c in reading.rubric.criteria] == ["Clear.", "Rich."]
    assert reading.notes == ()


def test_hidden_sheets_are_left_out_and_each_other_sheet_is_a_table() -> None:
    book = openpyxl.Workbook()
    for title, state in (("One", "visible"), ("Two", "hidden"), ("Three", "visible")):
        sheet = book.create_sheet(title)
        sheet.sheet_state = state
        for row in SCHOOL:
            sheet.append(row)
    target = io.BytesIO()
    book.save(target)
    assert [found.title for found in rubric_tables("r.xlsx", target.getvalue())] == ["One", "Three"]


def test_insertions_under_review_count_and_hidden_text_does_not() -> None:
    document = docx.Document()
    grid = document.add_table(rows=2, cols=2)
    for cell, text in zip([*grid.rows[0].cells, grid.cell(1, 0)], ("Criterion", "Description", "Thesis"), strict=True):
        cell.text = text
    paragraph = grid.cell(1, 1).paragraphs[0]
    paragraph._p.append(parse_xml(f"<w:ins {nsdecls('w')}><w:r><w:t>Clear.</w:t></w:r></w:ins>"))
    paragraph._p.append(parse_xml(f"<w:del {nsdecls('w')}><w:r><w:delText>Old.</w:delText></w:r></w:del>"))
    paragraph._p.append(parse_xml(f"<w:r {nsdecls('w')}><w:rPr><w:vanish/></w:rPr><w:t>Secret.</w:t></w:r>"))
    target = io.BytesIO()
    document.save(target)
    assert rubric_tables("r.docx", target.getvalue())[0].rows == (("Thesis", "Clear."),)


def test_a_guessed_encoding_is_said() -> None:
    data = "Kriterium;Beschreibung\nKlarheit;Schön erklärt, ohne Lücken\n".encode("cp1252")
    reading = read("r.csv", data)
    assert reading.rubric.criteria[0].description == "Schön erklärt, ohne Lücken"
    assert any("cp1252" in note for note in reading.notes)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("r.docx", b"PK\x03\x04 broken"),
        ("r.xlsx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600),
        ("r.docx", word(SCHOOL)[:-200]),
        ("r.pdf", b"%PDF-1.7\n1 0 obj\n%%EOF"),
        ("r.csv", b""),
        ("r.csv", b"only,a,header\n"),
        ("r.txt", b"One column\nand no table\n"),
        ("r.docx", word([["alone"]])),
        ("r.csv", csv_bytes([["a", "b"]] * 502)),
        ("r.csv", csv_bytes([["x"] * 61] * 3)),
        ("r.csv", b"\x00\x01\x02\xff" * 50),
    ],
)
def test_a_file_without_a_usable_table_is_refused_with_a_remedy(name: str, data: bytes) -> None:
    with pytest.raises(InputError) as caught:
        rubric_tables(name, data)
    assert str(caught.value).endswith(".")


def test_blank_rows_and_columns_between_do_not_count_and_far_cells_are_refused() -> None:
    spread = [*SCHOOL[:2], *[[""] * 5] * 600, SCHOOL[2]]
    assert len(rubric_tables("r.xlsx", workbook(spread))[0].rows) == 2
    for cell in ("A1048576", "XFD1"):
        book = openpyxl.load_workbook(io.BytesIO(workbook(SCHOOL)))
        book.worksheets[0][cell] = "far"
        target = io.BytesIO()
        book.save(target)
        with pytest.raises(InputError, match="larger than"):
            rubric_tables("r.xlsx", target.getvalue())


def test_a_sheet_of_texts_beside_the_rubric_does_not_hide_it() -> None:
    book = openpyxl.load_workbook(io.BytesIO(workbook(SCHOOL)))
    texts = book.create_sheet("Texts", 0)
    for number in range(3000):
        texts.append([f"e{number}", "A text."])
    target = io.BytesIO()
    book.save(target)
    assert [found.title for found in rubric_tables("r.xlsx", target.getvalue())] == ["Essay"]


def repacked(data: bytes, part: str, old: bytes, new: bytes) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as source, zipfile.ZipFile(target, "w") as copy:
        for name in source.namelist():
            content = source.read(name)
            assert name != part or old in content
            copy.writestr(name, content.replace(old, new) if name == part else content)
    return target.getvalue()


def test_a_merge_over_a_whole_sheet_is_refused_before_it_is_built() -> None:
    data = repacked(workbook(SCHOOL, merges=["A9:B9"]), "xl/worksheets/sheet1.xml", b"A9:B9", b"A9:XFD1048576")
    with pytest.raises(InputError, match="merges too many cells"):
        rubric_tables("r.xlsx", data)


@pytest.mark.parametrize(("data", "part"), [(word(SCHOOL), "word/document.xml"), (workbook(SCHOOL), "xl/workbook.xml")])
def test_a_file_that_declares_entities_is_refused(data: bytes, part: str) -> None:
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        old = package.read(part)
    start = old.index(b"<w:document" if b"<w:document" in old else b"<workbook")
    new = b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e "boom">]>' + old[start:]
    with pytest.raises(InputError, match="entities"):
        rubric_tables("r.docx", repacked(data, part, old, new))
