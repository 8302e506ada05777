"""The recorded upload cases: each file gives its right outcome."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from judge_core.intake import read_files
from judge_core.records.artifact import Reading
from tests.intake.builders import codes, messages

CASES = Path(__file__).parents[1] / "cases"


def case(number: str) -> dict[str, Any]:
    lines = (CASES / "cases.jsonl").read_text(encoding="utf-8").splitlines()
    found: dict[str, Any] = next(record for record in map(json.loads, lines) if record["id"] == number)
    return found


def read(path: str) -> Reading:
    file = CASES / "files" / path
    return read_files([(file.name, file.read_bytes())])


def ids(reading: Reading) -> list[str]:
    return [artifact.id for artifact in reading.artifacts]


@pytest.mark.parametrize("file", ["utf16le.csv", "utf16be.csv"])
def test_u_002_utf_16_with_a_mark(file: str) -> None:
    reading = read(f"U-002/{file}")
    assert ids(reading) == case("U-002")["expect"]["ids"]
    assert reading.artifacts[0].text == case("U-002")["expect"]["text_e1"]
    assert "\0" not in "".join(artifact.text for artifact in reading.artifacts)


def test_u_006_semicolons_with_decimal_commas() -> None:
    reading = read("U-006/semicolon.csv")
    assert ids(reading) == ["e1", "e2"]
    assert [artifact.columns for artifact in reading.artifacts] == [{"note_de": "7,5"}, {"note_de": "6,0"}]
    assert reading.artifacts[0].guesses["delimiter"] == ";"


def test_u_008_tabs_under_the_name_csv() -> None:
    assert ids(read("U-008/tabs.csv")) == ["e1", "e2"]


def test_u_010_line_breaks_inside_quoted_cells() -> None:
    reading = read("U-010/multiline.csv")
    assert ids(reading) == ["e1", "e2", "e3"]
    assert reading.artifacts[0].text == case("U-010")["expect"]["text_e1"]


def test_u_012_a_repeated_header_is_refused_by_name() -> None:
    reading = read("U-012/dup_header_collision.csv")
    assert not reading.artifacts and "'text'" in messages(reading)


def test_u_014_a_repeated_id_is_made_unique_and_named() -> None:
    reading = read("U-014/dup_ids.csv")
    assert ids(reading) == ["e1", "e2", "e1 (2)", "E1"]
    assert codes(reading) == [[], [], ["duplicate_id"], []]
    assert "'e1' came 2 times" in messages(reading)


def test_u_015_blank_rows_are_counted() -> None:
    reading = read("U-015/blank_rows.csv")
    assert ids(reading) == ["e1", "e2"] and "5 blank rows" in messages(reading)


def test_u_016_ragged_rows_are_named() -> None:
    reading = read("U-016/ragged.csv")
    assert ids(reading) == ["e1", "e4"]
    assert "Row 3 has 3 fields" in messages(reading) and "Row 4 has 1 field " in messages(reading)


def test_u_017_ids_stay_text() -> None:
    assert ids(read("U-017/number_ids.csv")) == case("U-017")["expect"]["ids"]


def test_u_020_nul_is_removed_and_told() -> None:
    reading = read("U-020/nul.csv")
    assert [artifact.text for artifact in reading.artifacts] == ["beforeafter", "fine"]
    assert codes(reading) == [["nul_removed"], []] and "e1" in messages(reading)


def test_u_022_cr_is_a_line_end() -> None:
    assert ids(read("U-022/cr_only.csv")) == ["e1", "e2"]


@pytest.mark.parametrize("file", ["U-023/ids.xlsx", "U-024/workbook.csv"])
def test_u_023_workbook_ids_are_as_shown(file: str) -> None:
    reading = read(file)
    assert ids(reading)[:4] == case("U-023")["expect"]["first_ids"]
    assert ids(reading)[4:] == ["2026-01-02", "12345678901234570000", "TRUE", "00042", "f1", "e99"]
    formula = next(artifact for artifact in reading.artifacts if artifact.id == "f1")
    assert formula.text == "=1+1" and formula.warnings[0].code == "formula_cell"
    assert "'Notes'" in messages(reading)


def test_u_024_a_csv_named_as_a_workbook() -> None:
    reading = read("U-024/really_csv.xlsx")
    assert ids(reading) == ["e1", "e2"] and "by its content" in reading.artifacts[0].guesses["kind"]


def test_u_025_climbing_entries_are_refused_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    reading = read("U-025/climb.zip")
    assert ids(reading) == ["essay1.md"]
    for name in ("climbed.md", "climbed_abs.md", "climbed_win.md", "good/../good/essay2.md"):
        assert name in messages(reading)
    assert list(tmp_path.parent.rglob("climbed*")) == []


def test_u_028_a_scan_is_no_text() -> None:
    reading = read("U-028/scan.pdf")
    assert not reading.artifacts and "No text found" in messages(reading)


def test_u_032_hostile_names_are_labels_only() -> None:
    uploads = case("U-032")["input"]["uploads"]
    reading = read_files([(upload["name"], upload["content"].encode()) for upload in uploads])
    assert len(reading.artifacts) == case("U-032")["expect"]["artifacts"]
    assert [artifact.text for artifact in reading.artifacts] == [upload["content"] for upload in uploads]
    assert {"passwd.md", "essay.md", "CON.md", ".hidden.md", "b.md", "essayfdp.md", "line break.md"} < set(ids(reading))
    alike = [a for a in reading.artifacts if any(notice.code == "duplicate_id" for notice in a.warnings)]
    assert [artifact.text for artifact in alike] == ["nfc", "nfd"]
    assert len(set(ids(reading))) == 14


def test_u_034_direction_overrides_are_told_and_arabic_is_not() -> None:
    bidi, arabic = read("U-034/bidi.md"), read("U-034/arabic.md")
    assert codes(bidi) == [["hidden_characters"]] and codes(arabic) == [[]]
    assert bidi.artifacts[0].text == (CASES / "files/U-034/bidi.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("ending", ["\r\n", "\n"])
def test_x_006_an_exported_ranking_gives_its_ids_back(ending: str) -> None:
    lines = (
        "rank,tied_with,id,title,rating,status,warnings",
        "1,,007,007,1600.5,ranked,position_flip; duplicate_text",
        "2,,'=HYPERLINK(1),'=HYPERLINK(1),1500,ranked,",
        "3,,'-e1,'-e1,1400,ranked,",
        "4,,'tis.md,'tis,1300,ranked,",
        "5,,1e5,1e5,1200,ranked,",
    )
    reading = read_files([("ranked.csv", ("\ufeff" + ending.join(lines) + ending).encode())])
    assert ids(reading) == ["007", "=HYPERLINK(1)", "-e1", "'tis.md", "1e5"]
    assert "apostrophe" in reading.artifacts[1].guesses["ids"] and "ids" not in reading.artifacts[0].guesses
    assert "holds no texts" in messages(reading)


def test_x_014_words_for_nothing_are_texts_and_no_column_is_added() -> None:
    data = b"id,text,note\nNA,None,N/A\nnull,NA,\nnan,N/A,None\n"
    reading = read_files([("words.csv", data)])
    assert [(a.id, a.text, a.columns) for a in reading.artifacts] == [
        ("NA", "None", {"note": "N/A"}),
        ("null", "NA", {"note": ""}),
        ("nan", "N/A", {"note": "None"}),
    ]
