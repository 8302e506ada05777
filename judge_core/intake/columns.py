"""Which columns of a table hold the text, the id and the title; and the texts of its rows."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

from judge_core.intake.artifacts import Part, Remark, too_long
from judge_core.intake.formats.tables import (
    ID_HEADINGS,
    PODIUM_HEADINGS,
    TEXT_HEADINGS,
    TITLE_HEADINGS,
    Row,
    Table,
    fields,
    heading_key,
    is_number,
)
from judge_core.intake.naming import GUARDED, brief, shown, without_guard
from judge_core.intake.options import ReadOptions
from judge_core.records.errors import InputError
from judge_core.records.record import Record
from judge_core.scoring.counting import is_blank

NOT_TEXTS = (
    "id",
    "no",
    "nr",
    "number",
    "length",
    "count",
    "words",
    "score",
    "date",
    "name",
    "type",
    "lang",
    "language",
)
GUARD_NOTE = "the apostrophe that guards a cell against running as a formula was removed"


class Choice(Record):
    """The columns taken, by their place in the header; `guesses` tells those that nobody chose."""

    text: int
    id: int | None
    title: int | None
    guesses: dict[str, str]
    problem: str = ""


def choose_columns(table: Table, options: ReadOptions) -> Choice:
    """The columns that were asked for, the others guessed. Raises InputError for a column that is not there."""
    text, guesses, problem = _text_column(table, options)
    named_id = _asked(table.header, options.id_column)
    id = _named(table.header, ID_HEADINGS, (text,), " id") if named_id is None else named_id
    named_title = _asked(table.header, options.title_column)
    taken = (text,) if id is None else (text, id)
    title = _named(table.header, TITLE_HEADINGS, taken) if named_title is None else named_title
    if named_id is None:
        guesses["id column"] = "none: file name and row number" if id is None else shown(table.header[id])
    if named_title is None and title is not None:
        guesses["title column"] = shown(table.header[title])
    return Choice(text=text, id=id, title=title, guesses=guesses, problem=problem)


def _text_column(table: Table, options: ReadOptions) -> tuple[int, dict[str, str], str]:
    asked = _asked(table.header, options.text_column)
    if asked is not None:
        return asked, {}, ""
    named = _named(table.header, TEXT_HEADINGS, (), *(f" {word}" for word in TEXT_HEADINGS))
    if named is not None:
        return named, {"text column": shown(table.header[named])}, ""
    if table.header[: len(PODIUM_HEADINGS)] == PODIUM_HEADINGS:
        problem = (
            "This looks like a ranking exported by Podium: it holds no texts, so the titles were taken as texts. "
            "Upload the texts themselves to rank them again."
        )
        return table.header.index("title"), {"text column": "title"}, problem
    longest = _longest_column(table)
    return longest, {"text column": f"{shown(table.header[longest])} (the longest column)"}, ""


def _asked(header: Sequence[str], name: str | None) -> int | None:
    """The place of a column that was asked for: its exact name, or the only one that differs in case or blanks."""
    if name is None:
        return None
    if name in header:
        return header.index(name)
    alike = [i for i, column in enumerate(header) if heading_key(column) == heading_key(name)]
    if len(alike) == 1:
        return alike[0]
    near = difflib.get_close_matches(name, header, n=1)
    hint = f" Did you mean {brief(near[0])}?" if near else ""
    listed = ", ".join(brief(column, 30) for column in header[:20])
    raise InputError(f"There is no column {brief(name)}.{hint} The columns are {listed}.", field=name)


def _named(header: Sequence[str], names: Sequence[str], taken: Sequence[int], *endings: str) -> int | None:
    """The column whose heading stands first in a list of names, else the first with one of the endings."""
    keys = {i: heading_key(column) for i, column in enumerate(header) if i not in taken}
    for name in names:
        for i, key in keys.items():
            if key == name:
                return i
    return next((i for i, key in keys.items() if key.endswith(endings)), None) if endings else None


def _longest_column(table: Table) -> int:
    """The column filled most often and, of those, the longest on average; ids, numbers and titles only at need."""

    def weight(i: int) -> tuple[bool, bool, int, float]:
        cells = [row.cells[i] for row in table.rows if i < len(row.cells)]
        filled = [cell for cell in cells if cell.strip()]
        key = heading_key(table.header[i])
        label = key in ID_HEADINGS or key in TITLE_HEADINGS or key.split()[-1:] in [[word] for word in NOT_TEXTS]
        numbers = sum(1 for cell in filled if is_number(cell)) > len(filled) / 2
        average = sum(map(len, filled)) / max(len(filled), 1)
        return (not numbers and bool(filled), not label, round(10 * len(filled) / max(len(cells), 1)), average)

    return max(range(len(table.header)), key=weight)


def parts_of(table: Table, source: str, options: ReadOptions) -> tuple[list[Part], list[Remark]]:
    """The texts of a table's rows, and what is to say about rows. Raises InputError for a column that is not there."""
    choice = choose_columns(table, options)
    parts: list[Part] = []
    problems = [Remark(choice.problem)] if choice.problem else []
    for row in table.rows:
        refusal = _row_refusal(row, table, choice, options)
        remark = refusal or _row_remark(row, table, choice)
        if remark:
            problems.append(Remark(remark, lost=bool(refusal)))
        if refusal:
            continue
        part = _part(row, table, choice, source)
        problems += [Remark(f"Row {row.number} ({brief(part.id)}): {n.message}") for n in row.notices]
        parts.append(part)
    return parts, problems


def _row_refusal(row: Row, table: Table, choice: Choice, options: ReadOptions) -> str:
    width = len(row.cells)
    if width <= choice.text:
        return (
            f"Row {row.number} has {fields(width)} instead of {len(table.header)}, none with a text; it was left out."
        )
    long = too_long(_id(row, choice) or f"row {row.number}", row.cells[choice.text], options)
    if long:
        return f"Row {row.number}: {long}"
    if is_blank(row.cells[choice.text]):
        return f"Row {row.number} has no text in the column {brief(table.header[choice.text])}; it was left out."
    return ""


def _id(row: Row, choice: Choice) -> str:
    return "" if choice.id is None or choice.id >= len(row.cells) else row.cells[choice.id].strip()


def _row_remark(row: Row, table: Table, choice: Choice) -> str:
    width = len(row.cells)
    if width < len(table.header):
        return f"Row {row.number} has {fields(width)} instead of {len(table.header)}; check that its text is whole."
    if choice.id is not None and not row.cells[choice.id].strip():
        return f"Row {row.number} has no id; it is named after its row."
    return ""


def _part(row: Row, table: Table, choice: Choice, source: str) -> Part:
    cells = (*row.cells, *("",) * (len(table.header) - len(row.cells)))
    given = "" if choice.id is None else cells[choice.id]
    id = without_guard(given) if given.strip() else f"{source} row {row.number}"
    title = "" if choice.title is None else shown(without_guard(cells[choice.title])).strip()
    guarded = {"ids": GUARD_NOTE} if GUARDED.match(given) else {}
    own = {choice.text, choice.id, choice.title}
    return Part(
        id=id,
        title=title or shown(id),
        text=cells[choice.text],
        source=source,
        encoding=table.encoding,
        guesses={**table.guesses, **choice.guesses, **guarded},
        columns={name: cells[i] for i, name in enumerate(table.header) if i not in own},
        notices=(*table.notices, *row.notices),
    )
