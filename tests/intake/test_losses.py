"""A problem says whether something that was given is left out, or is a mere remark."""

from __future__ import annotations

import io
import shutil
from pathlib import Path

from openpyxl import Workbook

from judge_core.intake import ReadOptions, read_files, read_paste, read_paths
from judge_core.intake.items.agent_files import read_agent_files
from judge_core.intake.items.rag_files import read_rag_files
from judge_core.intake.reading import HIDDEN, LINK, SHUT, walk_folder


def told(name: str, data: bytes, options: ReadOptions = ReadOptions()) -> list[bool]:  # noqa: B008
    return [problem.lost for problem in read_files([(name, data)], options).problems]


def test_a_row_that_is_left_out_is_lost_and_a_short_or_renamed_one_is_not() -> None:
    assert told("x.csv", b"id,text\na,One two three.\nb,\n") == [True]
    assert told("x.csv", b"id,text\na,One two three.\n,\n") == [True], "fields without content"
    assert told("x.csv", b"id,text\na,One two three.\n\n") == [False], "a blank line"
    assert told("x.csv", b"id,text,more\na,One two three.\n") == [False]
    assert told("x.csv", b"id,text\na,One two three.\na,Four five six.\n") == [False]
    assert told("x.csv", b"id,text\na,One\nb,Two\nc,Three\n", ReadOptions(max_texts=1)) == [True]


def test_a_file_that_brings_nothing_is_lost() -> None:
    assert told("x.txt", b"") == [True]
    assert told("x.zip", b"PK\3\4 nonsense") == [True]
    assert [problem.lost for problem in read_paste(" \n---\n").problems] == [True]
    assert [problem.lost for problem in read_paste("One.\n---\n").problems] == [False]


def test_a_sheet_that_is_not_read_is_lost() -> None:
    book = Workbook()
    book.active.append(["text"])
    book.active.append(["One two three."])
    book.create_sheet("more").append(["Four five six."])
    stream = io.BytesIO()
    book.save(stream)
    assert told("x.xlsx", stream.getvalue()) == [True]


def test_links_are_lost_and_hidden_files_are_not(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "a.txt").write_text("One.", "utf-8")
    (tmp_path / ".b").write_text("One.", "utf-8")
    (tmp_path / "c.txt").symlink_to(tmp_path / "gone")
    (tmp_path / "d").symlink_to(tmp_path / "folder")
    assert [(file.name, state) for file, state in walk_folder(tmp_path)] == [
        (".b", HIDDEN), ("a.txt", ""), ("c.txt", LINK), ("d", LINK),
    ]  # fmt: skip
    assert [(problem.file, problem.lost) for problem in read_paths([tmp_path]).problems] == [
        (".b", False), ("c.txt", True), ("d", True),
    ]  # fmt: skip


def test_a_folder_that_cannot_be_opened_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("One.", "utf-8")
    (tmp_path / "shut").mkdir()
    walk = walk_folder(tmp_path)
    assert next(walk) == (tmp_path / "a.txt", "")
    shutil.rmtree(tmp_path / "shut")
    assert list(walk) == [(tmp_path / "shut", SHUT)]


def test_faulty_rows_of_items_are_lost() -> None:
    row = b'{"question": "When?", "answer": "At ten.", "passages": ["At ten."], "extra": {"a": 1}}\n'
    problems = read_rag_files([("x.jsonl", row + b'not json\n{"question": "Who?"}\n')]).problems
    assert [problem.lost for problem in problems] == [True, True, False]
    assert [problem.lost for problem in read_agent_files([("x.jsonl", b'{"goal": 1}\n')]).problems] == [True]
