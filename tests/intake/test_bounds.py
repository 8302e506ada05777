"""What is read at most, how fast, and what is cleaned away: control characters, broken characters, broken Office files."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_core.intake import ReadOptions, read_files, read_paste, read_paths
from judge_core.intake.artifacts import unbroken
from judge_core.intake.formats.kinds import BROKEN_PACKAGE
from tests.intake.builders import codes, messages, workbook_file, zip_file

PROSE = "Trees cool the street, and naïve drivers do not see why. "
TOO_MANY = "has 41,000,000 characters; at most 1,000,000 are read as one text."


def seconds(files: list[tuple[str, bytes]]) -> float:
    """Processor time, which other programs of the machine lengthen least."""
    start = time.process_time()
    assert len(read_files(files).artifacts) == len(files)
    return time.process_time() - start


@pytest.mark.parametrize("piece", [PROSE, "a", "\u200ba", "请给", "\t", "a.b-", "\ufdfa"])
def test_the_longest_text_is_read_in_seconds(piece: str) -> None:
    text = (piece * 1_000_000)[:999_999] + "x"
    assert seconds([("a.txt", text.encode())]) < 20


def test_many_texts_are_read_in_seconds() -> None:
    text = (PROSE * 200)[:10_000]
    assert seconds([(f"{n}.txt", f"{n} {text}".encode()) for n in range(250)]) < 20


@pytest.mark.parametrize(
    ("name", "data", "named"),
    [
        ("a.txt", b"a" * 41_000_000, "'a.txt'"),
        ("a.csv", b"id,text\ne1," + b"a" * 41_000_000 + b"\ne2,Short\n", "'e1'"),
    ],
)
def test_a_text_that_is_too_long_is_refused_by_name_and_quickly(name: str, data: bytes, named: str) -> None:
    start = time.process_time()
    reading = read_files([(name, data), ("good.txt", b"Good.")])
    assert time.process_time() - start < 20
    assert f"{named} {TOO_MANY}" in messages(reading)
    assert [a.text for a in reading.artifacts][-1] == "Good." and all(a.characters < 10 for a in reading.artifacts)


def test_a_piece_of_a_paste_that_is_too_long_is_refused_and_the_others_stay() -> None:
    reading = read_paste("Short.\n---\n" + "a" * 1_000_001, "Mine")
    assert [a.text for a in reading.artifacts] == ["Short."]
    assert "'Mine 2' has 1,000,001 characters" in messages(reading)


def test_texts_beyond_the_most_are_named_in_one_line() -> None:
    rows = "".join(f"e{n},Text {n}\n" for n in range(1, 31))
    files = [("a.csv", f"id,text\n{rows}".encode()), ("b.txt", b"Last.")]
    reading = read_files(files, ReadOptions(max_texts=3))
    assert [a.id for a in reading.artifacts] == ["e1", "e2", "e3"]
    [problem] = reading.problems
    assert "At most 3 texts" in problem.message and "'e4', 'e5'" in problem.message and "8 more" in problem.message


def test_ten_thousand_texts_are_read_and_no_more() -> None:
    rows = "".join(f"e{n},Text {n}\n" for n in range(10_001))
    reading = read_files([("a.csv", f"id,text\n{rows}".encode())])
    assert len(reading.artifacts) == 10_000
    assert "At most 10,000 texts are read at once; left out: 'e10000'." in messages(reading)


def test_a_file_that_is_too_large_is_told_with_its_true_size(tmp_path: Path) -> None:
    file = tmp_path / "large.txt"
    with file.open("wb") as stream:
        stream.truncate(80 * 1024 * 1024)
    assert "The file has 80.0 MB; at most 50.0 MB are read." in messages(read_paths([file]))


@given(st.text(st.characters(), max_size=40))
def test_broken_characters_are_marked_and_pairs_are_joined(text: str) -> None:
    known = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    assert unbroken(text) == known
    assert unbroken("\ud83d\ude00 \ude00\ud83d") == "\U0001f600 \ufffd\ufffd"


# control characters


@pytest.mark.parametrize("mark", ["\x1b", "\x07", "\x7f", "\x9b", "\0", "\x1f"])
def test_a_few_control_characters_are_removed_and_told(mark: str) -> None:
    [artifact] = (reading := read_files([("a.txt", f"Tree{mark}s cool.".encode())])).artifacts
    assert artifact.text == "Trees cool." and codes(reading) == [["nul_removed"]]
    assert artifact.warnings[0].message == "1 invisible control character removed."


def test_a_cell_with_escape_codes_does_not_refuse_its_table() -> None:
    reading = read_files([("t.csv", b"id,text\na,\x1b[31mRed\x1b[0m\x07\x08\nb,Plain\n")])
    assert [a.text for a in reading.artifacts] == ["[31mRed[0m", "Plain"]
    assert codes(reading) == [["nul_removed"], []]
    assert "Row 2 ('a'): 4 invisible control characters removed." in messages(reading)


def test_a_separator_character_does_not_part_a_table_of_one_column() -> None:
    reading = read_files([("t.csv", b"text\nOne\x1f and more\nTwo\n")])
    assert [a.text for a in reading.artifacts] == ["One and more", "Two"]


@pytest.mark.parametrize(
    "data", [bytes(range(256)), bytes(range(128)), b"\x01\x02\x03\x04ab", b"caf\xe9\x01\x02\x03\x04"]
)
def test_binary_files_stay_refused(data: bytes) -> None:
    assert "not a text file" in messages(read_files([("a.txt", data)]))


# broken Office files


@pytest.mark.parametrize("name", ["a.docx", "a.xlsx", "a.zip", "a.txt"])
@pytest.mark.parametrize("more", [{}, {"_rels/.rels": "<x/>", "docProps/app.xml": "<x/>"}])
def test_an_office_file_without_a_document_is_broken_and_no_text(name: str, more: dict[str, str | bytes]) -> None:
    reading = read_files([(name, zip_file({"[Content_Types].xml": "<Types/>", **more}))])
    assert not reading.artifacts and messages(reading) == f"{name}: {BROKEN_PACKAGE}"


def test_the_list_of_types_is_no_text_beside_texts() -> None:
    reading = read_files([("a.zip", zip_file({"[Content_Types].xml": "<Types/>", "a.txt": "Trees."}))])
    assert [a.id for a in reading.artifacts] == ["a.txt"]
    assert read_files([("t.xlsx", workbook_file([["id", "text"], [1, "a"]]))]).artifacts
