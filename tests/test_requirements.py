"""The table of requirements tells the truth: each row once, and what it names is there."""

from __future__ import annotations

import ast
import csv
import io
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path, PurePosixPath
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1]
TABLE = ROOT / "docs" / "requirements.csv"
STATES = ("built", "partly", "later", "not wanted")
RANGES = """
PRV-1..21 CCH-1..9 CRI-1..9 ART-1..5 PAR-1..7 ELO-1..7 SWS-1..5 NAR-1..5 MOD-1..4 PW-1..7 PT-1 LST-1 RAG-1 AGT-1 MODE-X
MET-1 TRN-1..23 BRD-1..4 VET-1..5 SPJ-1..4 CNV-1..9 MBR-1..9 DIF-1..4 IMP-1..7 PRM-1..5 STO-1..5 LOG-1..5 RTY-1..6
CON-1..4 DST-1..2 RES-1 EXP-1..4 REL-1 VER-1 INT-1..2 API-1 CLI-1..2 CFG-1..3 SEC-1..4 CSV-1 WRN-1 EXT-1 FREE-1 NODE-1
INT-3 MOD-S3 MOD-S2 MOD-S1 NFR-1..2 CST-1..2 TST-1..8 FUT-1 OPQ-1 T1..46
"""
"""Every id in its order; `AB-1..3` stands for AB-1, AB-2 and AB-3."""
LONGEST = 160
"""Characters of a requirement: one line that can be read at a glance."""
FOREIGN = re.compile(r"[/\\~]|\b[A-Z]\d\b")
"""What no wording may hold: paths, addresses, and marks of documents that do not stand beside the table."""


class Row(NamedTuple):
    """A requirement as the table has it. `module` and `test` list several with semicolons."""

    id: str
    requirement: str
    state: str
    module: str
    test: str
    note: str


def expected(ranges: str = RANGES) -> list[str]:
    """The ids that a list of ranges stands for."""
    return [id for part in ranges.split() for id in _range(part)]


def _range(part: str) -> Iterator[str]:
    found = re.fullmatch(r"(.*?)(\d+)\.\.(\d+)", part)
    if found is None:
        yield part
        return
    for number in range(int(found[2]), int(found[3]) + 1):
        yield f"{found[1]}{number}"


def read_rows(text: str) -> list[Row]:
    """The rows under the header; each must have all columns and no more."""
    header, *lines = csv.reader(io.StringIO(text, newline=""))
    assert tuple(header) == Row._fields
    return [Row(*line) for line in lines]


def listed(cell: str) -> list[str]:
    return [part.strip() for part in cell.split(";")] if cell.strip() else []


def faults_of_ids(ids: Sequence[str]) -> list[str]:
    """Which ids are missing, unknown, repeated or out of order."""
    wanted = expected()
    found = [f"{id} is missing" for id in wanted if id not in ids]
    found += [f"{id} is not known" for id in ids if id not in wanted]
    found += [f"{id} stands twice" for id in wanted if ids.count(id) > 1]
    return found or ([] if list(ids) == wanted else ["the rows are out of order"])


def faults_of_row(row: Row) -> list[str]:
    """What is wrong with one row."""
    found = [*_faults_of_state(row), *_faults_of_words(row)]
    found += [f"there is no module {name!r}" for name in listed(row.module) if not _is_file(name)]
    return found + [f"there is no test {name!r}" for name in listed(row.test) if not _is_test(name)]


def _faults_of_state(row: Row) -> Iterator[str]:
    if row.state not in STATES:
        yield f"{row.state!r} is no state"
    if row.state == "built" and not listed(row.test):
        yield "it is built and names no test"
    if row.state in ("built", "partly") and not listed(row.module):
        yield f"it is {row.state} and names no module"
    if row.state != "built" and not row.note.strip():
        yield f"it is {row.state} and has no note"


def _faults_of_words(row: Row) -> Iterator[str]:
    if not 0 < len(row.requirement.strip()) <= LONGEST or "\n" in row.requirement:
        yield f"the requirement is no line of 1 to {LONGEST} characters"
    for words in (row.requirement, row.note):
        if foreign := FOREIGN.search(words):
            yield f"{foreign[0]!r} has no place in {words!r}"


def _is_file(name: str) -> bool:
    """Whether a path names a file of this repository, spelled as it is on disk."""
    path = PurePosixPath(name)
    return not path.is_absolute() and ".." not in path.parts and str(path) == name and (ROOT / path).is_file()


def _is_test(name: str) -> bool:
    file, _, function = name.partition("::")
    return file.startswith("tests/") and _is_file(file) and function in _tests_in(file)


@cache
def _tests_in(file: str) -> frozenset[str]:
    """The tests of a file as pytest names them behind it, parametrised ones by their function."""
    return frozenset(_tests_of(ast.parse((ROOT / file).read_text("utf-8"))))


def _tests_of(body: ast.Module | ast.ClassDef, within: str = "") -> Iterator[str]:
    for node in body.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
            yield within + node.name
        elif isinstance(node, ast.ClassDef) and node.name.startswith("Test"):
            yield from _tests_of(node, f"{within}{node.name}::")


ROWS = read_rows(TABLE.read_text("utf-8"))


def test_every_requirement_is_listed_once_in_its_order() -> None:
    assert faults_of_ids([row.id for row in ROWS]) == []


def test_every_row_names_what_is_there() -> None:
    assert {row.id: found for row in ROWS if (found := faults_of_row(row))} == {}


def test_no_two_requirements_have_the_same_words() -> None:
    words = [row.requirement.casefold() for row in ROWS]
    assert sorted(words) == sorted(set(words))


GOOD = Row(
    "ELO-1", "Elo starts at 1500", "built", "judge_core/ranking/elo.py; judge_core/ranking/schedules/swiss/pairing.py",
    "tests/test_requirements.py::test_a_sound_row_is_left_alone", "",
)  # fmt: skip
TEST = "tests/test_requirements.py"


@pytest.mark.parametrize("row", [GOOD, GOOD._replace(state="later", module="", test="", note="comes with tournaments")])
def test_a_sound_row_is_left_alone(row: Row) -> None:
    assert faults_of_row(row) == []


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"state": "done", "note": "so they say"}, "'done' is no state"),
        ({"module": ""}, "it is built and names no module"),
        ({"test": " "}, "it is built and names no test"),
        ({"state": "partly"}, "it is partly and has no note"),
        ({"state": "partly", "module": "", "note": "half"}, "it is partly and names no module"),
        ({"state": "later"}, "it is later and has no note"),
        ({"state": "not wanted"}, "it is not wanted and has no note"),
        ({"module": "judge_core/ranking/nothing.py"}, "there is no module 'judge_core/ranking/nothing.py'"),
        ({"module": "judge_core/ranking"}, "there is no module 'judge_core/ranking'"),
        ({"module": "../main/app.py"}, "there is no module '../main/app.py'"),
        ({"module": str(ROOT / "app.py")}, f"there is no module {str(ROOT / 'app.py')!r}"),
        ({"test": f"{TEST}::test_nothing"}, f"there is no test '{TEST}::test_nothing'"),
        ({"test": f"{TEST}::expected"}, f"there is no test '{TEST}::expected'"),
        ({"test": f"{TEST}::Row::test"}, f"there is no test '{TEST}::Row::test'"),
        ({"test": TEST}, f"there is no test '{TEST}'"),
        ({"test": "tests/nowhere.py::test_x"}, "there is no test 'tests/nowhere.py::test_x'"),
        ({"requirement": ""}, f"the requirement is no line of 1 to {LONGEST} characters"),
        ({"requirement": "a\nb"}, f"the requirement is no line of 1 to {LONGEST} characters"),
        ({"requirement": "x" * 161}, f"the requirement is no line of 1 to {LONGEST} characters"),
        ({"note": "see /srv/notes"}, "'/' has no place in 'see /srv/notes'"),
        ({"requirement": "As in S2"}, "'S2' has no place in 'As in S2'"),
    ],
)
def test_a_planted_wrong_row_is_found(change: dict[str, str], fault: str) -> None:
    assert faults_of_row(GOOD._replace(**change)) == [fault]


def test_missing_unknown_repeated_and_misplaced_ids_are_found() -> None:
    ids = expected()
    assert faults_of_ids(ids) == []
    assert faults_of_ids(ids[1:]) == ["PRV-1 is missing"]
    assert faults_of_ids([*ids, "ELO-8"]) == ["ELO-8 is not known"]
    assert faults_of_ids([*ids, "T46"]) == ["T46 stands twice"]
    assert faults_of_ids([ids[1], ids[0], *ids[2:]]) == ["the rows are out of order"]


def test_a_test_within_a_class_is_named_with_it() -> None:
    source = "class TestX:\n    def test_a(self): ...\nclass Other:\n    def test_b(self): ...\ndef test_c(): ...\n"
    assert list(_tests_of(ast.parse(source))) == ["TestX::test_a", "test_c"]


def test_ranges_stand_for_their_ids() -> None:
    assert expected("AB-9..11 MODE-X T1..2") == ["AB-9", "AB-10", "AB-11", "MODE-X", "T1", "T2"]
