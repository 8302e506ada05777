"""A class list or other table that is joined to texts by their file name or id: for the export, never for a judge."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence

from pydantic import Field

from judge_core.intake.formats.tables import ID_HEADINGS, heading_key
from judge_core.intake.naming import base_name, brief, title_of, without_guard
from judge_core.intake.reading import read_table
from judge_core.records.artifact import Artifact, FileProblem, Reading
from judge_core.records.errors import InputError
from judge_core.records.record import Record

KEY_HEADINGS = ("file", "file name", "filename", *ID_HEADINGS)
NAME_HEADINGS = (
    *("name", "full name", "student", "student name", "pupil", "author", "writer", "candidate", "first name"),
    *("last name", "surname", "given name", "family name", "vorname", "nachname", "schüler", "nom", "prénom", "élève"),
    *("nombre", "apellido", "alumno", "имя", "фамилия", "фио", "姓名", "学生"),
)


class RosterRow(Record):
    """A row with its number in the file, and its cells by column."""

    number: int
    cells: dict[str, str]


class Roster(Record):
    """A table of people or texts."""

    source: str
    columns: tuple[str, ...]
    key_column: str | None
    """The column that by its name holds file names or ids; which one is used shows when it is attached."""
    name_columns: tuple[str, ...] = ()
    rows: tuple[RosterRow, ...] = Field(default=())
    problems: tuple[FileProblem, ...] = ()


def read_roster(name: str, data: bytes) -> Roster:
    """The roster of a CSV file or workbook. Raises InputError where it is no table or cannot be read."""
    label = base_name(name)
    try:
        table = read_table(label, data)
    except InputError:
        raise
    except Exception as error:  # hostile bytes reach libraries that raise anything
        raise InputError("The class list could not be read: it is broken or of an unknown kind.") from error
    keys = {heading_key(column): column for column in reversed(table.header)}
    return Roster(
        source=label,
        columns=table.header,
        key_column=next((keys[key] for key in KEY_HEADINGS if key in keys), None),
        name_columns=tuple(column for column in table.header if heading_key(column) in NAME_HEADINGS),
        rows=tuple(
            RosterRow(number=row.number, cells=dict(zip(table.header, map(without_guard, row.cells), strict=False)))
            for row in table.rows
        ),
        problems=tuple(FileProblem(file=label, message=message) for message in (*table.problems, *table.losses)),
    )


def attach_roster(artifacts: Sequence[Artifact], roster: Roster) -> Reading:
    """The artifacts with the roster's other columns in `columns`; rows and texts without a partner are problems.

    A row belongs to a text if its key is the text's id, or its file name without ending, or its title (case and Unicode
    form aside, where that is plain). The key column is the one with the most partners; the named one wins a draw.
    """
    key = max(_by_name_first(roster), key=lambda column: len(_partners(artifacts, roster, column)), default=None)
    partners = {} if key is None else _partners(artifacts, roster, key)
    joined = tuple(_with_row(artifact, partners.get(i), key) for i, artifact in enumerate(artifacts))
    matched = {id(row) for row in partners.values()}
    unmatched = [
        f"Row {row.number} ({brief(row.cells.get(key or '', ''))}) belongs to no text."
        for row in roster.rows
        if id(row) not in matched
    ]
    lonely = [f"The text {brief(a.id)} is not in the class list." for i, a in enumerate(artifacts) if i not in partners]
    problems = (FileProblem(file=roster.source, message=message) for message in (*unmatched, *lonely))
    return Reading(artifacts=joined, problems=(*roster.problems, *problems))


def _by_name_first(roster: Roster) -> list[str]:
    named = [roster.key_column] if roster.key_column else []
    return named + [column for column in roster.columns if column != roster.key_column]


def _loose(name: str) -> str:
    return unicodedata.normalize("NFC", title_of(name.strip())).casefold()


def _partners(artifacts: Sequence[Artifact], roster: Roster, column: str) -> dict[int, RosterRow]:
    """The row of each text (by its place), by exact id first; loosely only where neither side is ambiguous."""
    exact: dict[str, list[RosterRow]] = {}
    loose: dict[str, list[RosterRow]] = {}
    for row in roster.rows:
        cell = row.cells.get(column, "")
        if cell.strip():
            exact.setdefault(cell, []).append(row)
            loose.setdefault(_loose(cell), []).append(row)
    alike: dict[str, int] = {}
    for artifact in artifacts:
        alike[_loose(artifact.id)] = alike.get(_loose(artifact.id), 0) + 1
    titles = Counter(_loose(artifact.title) for artifact in artifacts)
    found = {}
    for i, artifact in enumerate(artifacts):
        rows = exact.get(artifact.id, [])
        if not rows and alike[_loose(artifact.id)] == 1:
            rows = loose.get(_loose(artifact.id), [])
        if not rows and titles[_loose(artifact.title)] == 1:
            rows = loose.get(_loose(artifact.title), [])
        if len(rows) == 1:
            found[i] = rows[0]
    return found


def _with_row(artifact: Artifact, row: RosterRow | None, key: str | None) -> Artifact:
    """A roster column that the text has already with another value is kept under `class list: NAME`."""
    if row is None:
        return artifact
    columns = dict(artifact.columns)
    for name, value in row.cells.items():
        if name != key:
            columns[name if columns.get(name, value) == value else f"class list: {name}"] = value
    return artifact.model_copy(update={"columns": columns})
