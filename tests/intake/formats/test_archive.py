"""Archives: good entries are kept, bad ones refused by name, nothing is written anywhere."""

from __future__ import annotations

import io
import zipfile

from judge_core.intake import ReadOptions, read_files
from tests.intake.builders import messages, pdf_file, plain_word_file, workbook_file, zip_file


def test_every_format_is_read_from_an_archive() -> None:
    inside: dict[str, str | bytes] = {
        "a/one.txt": "One.",
        "two.docx": plain_word_file("Two."),
        "three.pdf": pdf_file("Three."),
        "four.xlsx": workbook_file([["id", "text"], [4, "Four."]]),
        "five.csv": "id,text\n5,Five.\n",
    }
    reading = read_files([("all.zip", zip_file(inside))])
    assert [artifact.text.strip() for artifact in reading.artifacts] == ["One.", "Two.", "Three.", "Four.", "Five."]
    assert {artifact.source for artifact in reading.artifacts} == {"all.zip"} and not reading.problems


def test_nested_archives_links_and_empty_entries_are_refused_by_name() -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        link = zipfile.ZipInfo("link.txt")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
        archive.writestr("inner.zip", zip_file({"a.txt": "x"}))
        archive.writestr("C:/drive.txt", "x")
        archive.writestr("empty.txt", "")
        archive.writestr("good.txt", "Good.")
    reading = read_files([("z.zip", stream.getvalue())])
    assert [artifact.id for artifact in reading.artifacts] == ["good.txt"]
    assert [p.file.removeprefix("z.zip/") for p in reading.problems] == [
        "link.txt",
        "inner.zip",
        "C:/drive.txt",
        "empty.txt",
    ]
    assert "link" in reading.problems[0].message and "archive inside an archive" in reading.problems[1].message


def test_system_files_are_counted_in_one_line() -> None:
    names = ("__MACOSX/._a.txt", ".DS_Store", "b/.hidden", "Thumbs.db", "a.txt")
    reading = read_files([("z.zip", zip_file(dict.fromkeys(names, "Text.")))])
    assert [artifact.id for artifact in reading.artifacts] == ["a.txt"]
    assert [(p.file, p.message[:2]) for p in reading.problems] == [("z.zip", "4 ")]


def test_equal_names_in_two_folders_are_told_apart() -> None:
    reading = read_files([("z.zip", zip_file({"a/essay.txt": "One.", "b/essay.txt": "Two."}))])
    assert [artifact.id for artifact in reading.artifacts] == ["essay.txt", "essay.txt (2)"]


def test_limits_leave_out_what_is_too_much_and_say_so() -> None:
    data = zip_file({"a.txt": "x" * 60, "b.txt": "y" * 60, "c.txt": "z" * 30})
    one = read_files([("z.zip", data)], ReadOptions(max_unzipped_bytes=100))
    assert [artifact.id for artifact in one.artifacts] == ["a.txt", "c.txt"] and "z.zip/b.txt" in messages(one)
    assert not read_files([("z.zip", data)], ReadOptions(max_entries=2)).artifacts
    bomb = read_files([("z.zip", zip_file({"bomb.txt": "0" * 5_000_000, "a.txt": "A."}))])
    assert [artifact.id for artifact in bomb.artifacts] == ["a.txt"] and "bomb.txt" in messages(bomb)


def test_names_are_read_as_utf_8_even_without_the_flag() -> None:
    data = zip_file({"\u0442\u0435\u043a\u0441\u0442.txt": "A."})
    flagless = bytearray(data)
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        flagless[data.index(mark) + offset + 1] &= ~0x08
    (artifact,) = read_files([("z.zip", bytes(flagless))]).artifacts
    assert artifact.id == "\u0442\u0435\u043a\u0441\u0442.txt"


def test_a_broken_entry_or_archive_loses_no_other_file() -> None:
    data = bytearray(zip_file({"bad.txt": "Trees cool the street.", "good.txt": "Good."}))
    data[data.index(b"bad.txt") + 8] ^= 0xFF
    reading = read_files(
        [("z.zip", bytes(data)), ("cut.zip", bytes(data[:40])), ("none.zip", zip_file({})), ("t.txt", b"T.")]
    )
    assert [artifact.id for artifact in reading.artifacts] == ["good.txt", "t.txt"]
    assert {problem.file for problem in reading.problems} == {"z.zip/bad.txt", "cut.zip", "none.zip"}
