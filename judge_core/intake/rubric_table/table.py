"""A rubric that stands in a table: the tables of a file, a guess which column is what, and the rubric made of them.

A school rubric has a criterion a row, and further columns ('4 Excellent', '3 Good', ...) that become its levels.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from judge_core.intake.rubric_table.grids import Grid, read_grids
from judge_core.intake.rubric_table.headers import (
    TOTAL_NAMES,
    LevelHeader,
    best_first,
    is_header,
    joined_header,
    level_header,
    role_of,
)
from judge_core.records.criteria import Rubric
from judge_core.records.errors import InputError
from judge_core.records.record import Record
from judge_core.scoring.rubric.parts.faults import Faults, nearest, shorten
from judge_core.scoring.rubric.parts.fields import Where, is_weight
from judge_core.scoring.rubric.reading import Entry, RubricReading, build_rubric

_PERCENT_AT_END = re.compile(r"(.+?)[\s,:\u2013\u2014-]*[(\[]?\s*(\d+(?:[.,]\d+)?\s*%)\s*[)\]]?\s*")


class RubricTable(Record):
    """A table of a file, below its header. Column names are distinct and not empty; rows are as wide as the header."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()


class ColumnChoice(Record):
    """Which column holds what, by column name; None: there is none."""

    name: str
    description: str | None = None
    weight: str | None = None
    levels: tuple[str, ...] = ()
    scale_min: str | None = None
    scale_max: str | None = None


def rubric_tables(name: str, data: bytes) -> list[RubricTable]:
    """The tables of a .docx, .xlsx or .csv file that may hold a rubric, in order; sheets that are hidden are left out.

    Raises InputError where the file cannot be read or holds no table of at least two columns.
    """
    tables = [_shaped(grid) for grid in read_grids(name, data)]
    tables = [table for table in tables if table.rows]
    if not tables:
        raise InputError("The file holds no table with at least two columns and a row below its header.", field=name)
    return tables


def _shaped(grid: Grid) -> RubricTable:
    title, rows = grid.title, list(grid.rows)
    while len(rows) > 1 and len({cell for cell in rows[0] if cell.strip()}) == 1 and not is_header(rows[0]):
        title = " ".join(rows.pop(0)[0].split())[:100] or title
    header = [""] * len(rows[0])
    if is_header(rows[0]):
        header = [cell.strip() for cell in rows.pop(0)]
        if rows and (joined := joined_header(header, rows[0])):
            header = joined
            rows.pop(0)
    kept = [index for index in range(len(header)) if header[index] or any(row[index].strip() for row in rows)]
    columns = _distinct([header[index] for index in kept])
    body = tuple(tuple(row[index].strip() for index in kept) for row in rows)
    return RubricTable(title=title, columns=columns, rows=body, notes=grid.notes)


def _distinct(header: Sequence[str]) -> tuple[str, ...]:
    names: list[str] = []
    for index, cell in enumerate(header, start=1):
        name = " ".join(cell.split()) or f"Column {index}"
        number, free = 2, name
        while free in names:
            number, free = number + 1, f"{name} ({number})"
        names.append(free)
    return tuple(names)


def guess_columns(table: RubricTable) -> ColumnChoice:
    """A first choice for a person to confirm: by the words of the headers, then by what the cells hold."""
    roles = {column: role_of(column) for column in table.columns}
    first = {role: column for column, role in reversed(roles.items())}
    name = first.get("name", table.columns[0])
    weights = [column for column, role in roles.items() if role == "weight" and _half_weights(table, column)]
    left = [c for c in table.columns if c != name and c not in weights and roles[c] != "marking" and _filled(table, c)]
    levels = [column for column in left if roles[column] == "level"]
    unknown = [column for column in left if roles[column] in ("unknown", "name")]
    description = first.get("description")
    if len(levels) < 2:
        levels = unknown if len(unknown) > 1 else []
    elif description is None and unknown:
        description = unknown[0]
    if description is None and len(unknown) == 1 and not levels:
        description = unknown[0]
    return ColumnChoice(
        name=name, description=description if description != name else None, weight=weights[0] if weights else None,
        levels=tuple(levels), scale_min=first.get("scale_min"), scale_max=first.get("scale_max"),
    )  # fmt: skip


def _cells(table: RubricTable, column: str) -> list[str]:
    index = table.columns.index(column)
    return [row[index] for row in table.rows]


def _filled(table: RubricTable, column: str) -> bool:
    return any(_cells(table, column))


def _half_weights(table: RubricTable, column: str) -> bool:
    cells = [cell for cell in _cells(table, column) if cell]
    return bool(cells) and 2 * sum(is_weight(_weight_text(cell)) for cell in cells) >= len(cells)


def rubric_from_table(
    table: RubricTable, choice: ColumnChoice, base: Rubric | None = None, strict: bool = False
) -> RubricReading:
    """The rubric of a table whose columns were pointed at; question, source and limit come from `base`.

    Repeated headers, totals and headings across all columns are left out, the latter two with a note. Raises
    RubricErrors naming row (from 1, below the header) and column.
    """
    faults, notes = Faults(), list(table.notes)
    _check_choice(table, choice, faults)
    faults.stop()
    levels = _level_headers(choice.levels, faults, notes)
    faults.stop()
    rows = _criterion_rows(table, choice, notes)
    entries = [Entry(_fields(row, choice, levels), _place(number, choice)) for number, row in rows.items()]
    frame = base or Rubric(name=table.title)
    return build_rubric(_with_weights_of_names(entries, notes), frame, faults, notes=notes, strict=strict)


def _check_choice(table: RubricTable, choice: ColumnChoice, faults: Faults) -> None:
    single = (choice.name, choice.description, choice.weight, choice.scale_min, choice.scale_max)
    chosen = [column for column in (*single, *choice.levels) if column is not None]
    for column in dict.fromkeys(chosen):
        if column not in table.columns:
            near = nearest(column, table.columns)
            guess = f"Did you mean {shorten(near)}? " if near else ""
            known = ", ".join(map(shorten, table.columns))
            faults.add("columns", "There is no column {value}.", f"{guess}There are: {known}.", column)
        elif chosen.count(column) > 1:
            faults.add("columns", "The column {value} is chosen more than once.", "Choose it for one thing.", column)
    if len(choice.levels) == 1:
        faults.add(
            "levels", "Only the column {value} is chosen as a level.", "Choose at least two, or none.", choice.levels[0]
        )


def _level_headers(columns: Sequence[str], faults: Faults, notes: list[str]) -> dict[str, LevelHeader]:
    headers = {column: level_header(column) for column in columns}
    unscored = [column for column, header in headers.items() if header.score is None]
    if columns and len(unscored) == len(columns):
        return _scored_by_place(headers, notes)
    for column in unscored:
        faults.add(f"column {shorten(column)}", "Its header holds no score, but others do.", "Put a number into it.")
    seen: dict[float | None, str] = {}
    for column, header in headers.items():
        twin = seen.setdefault(header.score, column)
        if twin != column and header.score is not None:
            message = f"Its score {header.score:g} is also that of {shorten(twin)}."
            faults.add(f"column {shorten(column)}", message, "Give each level its own score.")
    if any(header.low != header.score for header in headers.values()):
        notes.append("A level that spans several scores counts with the highest of them.")
    return headers


def _scored_by_place(headers: Mapping[str, LevelHeader], notes: list[str]) -> dict[str, LevelHeader]:
    scores = list(range(len(headers), 0, -1)) if best_first(list(headers)) else list(range(1, len(headers) + 1))
    told = ", ".join(f"{shorten(column)} {score}" for column, score in zip(headers, scores, strict=True))
    notes.append(f"The headers hold no scores, so the levels were scored by their place: {told}.")
    scored = zip(headers.items(), scores, strict=True)
    return {column: LevelHeader(header.label, score, score) for (column, header), score in scored}


def _criterion_rows(table: RubricTable, choice: ColumnChoice, notes: list[str]) -> dict[int, dict[str, str]]:
    """By row number, the rows that stand for a criterion."""
    kept: dict[int, dict[str, str]] = {}
    for number, cells in enumerate(table.rows, start=1):
        row = dict(zip(table.columns, cells, strict=True))
        name = row[choice.name]
        bare = bool(choice.levels) and not any(row[column] for column in choice.levels)
        if cells == table.columns or not any(cells):
            continue
        if " ".join(name.casefold().strip(" :").split()) in TOTAL_NAMES:
            notes.append(f"Row {number} holds a total and was left out.")
        elif name and (bare or len(set(cells)) == 1):
            notes.append(f"Row {number} describes no level ({shorten(name)}) and was left out as a heading.")
        else:
            kept[number] = row
    return kept


def _place(number: int, choice: ColumnChoice) -> Where:
    def place(field: str) -> str:
        column = getattr(choice, field, None) if field in ColumnChoice.model_fields else None
        return f"row {number}, {column if isinstance(column, str) else field}"

    return place


def _fields(row: Mapping[str, str], choice: ColumnChoice, levels: Mapping[str, LevelHeader]) -> dict[str, object]:
    name, _, more = row[choice.name].partition("\n")
    lines = (more.strip(), row[choice.description] if choice.description else "")
    fields: dict[str, object] = {"name": name, "description": "\n".join(line for line in lines if line)}
    if choice.weight:
        fields["weight"] = _weight_text(row[choice.weight]) or None
    ends = _scale_of(levels)
    for field, column in (("scale_min", choice.scale_min), ("scale_max", choice.scale_max)):
        fields[field] = (row[column] or None) if column else ends.get(field)
    fields["levels"] = [
        {"score": header.score, "label": header.label, "descriptor": row[column]}
        for column, header in sorted(levels.items(), key=lambda item: item[1].score or 0)
        if header.label or row[column]
    ]
    return fields


def _scale_of(levels: Mapping[str, LevelHeader]) -> dict[str, float]:
    lows = [header.low for header in levels.values() if header.low is not None]
    highs = [header.score for header in levels.values() if header.score is not None]
    return {"scale_min": min(lows), "scale_max": max(highs)} if lows and highs else {}


def _weight_text(cell: str) -> str:
    """The number of a cell such as '20 points' or '/20'; the cell itself where there is not just one number.

    >>> _weight_text("20 points"), _weight_text("12,5 %"), _weight_text("10 or 20")
    ('20', '12,5 %', '10 or 20')
    """
    numbers = re.findall(r"-?\d+(?:[.,]\d+)?(?:\s*%)?", cell)
    return numbers[0] if len(numbers) == 1 else cell


def _with_weights_of_names(entries: Sequence[Entry], notes: list[str]) -> list[Entry]:
    """Where every name ends in a percentage ('Content (30 %)') and no column has the weights, these are the weights."""
    found = [_PERCENT_AT_END.fullmatch(str(entry.fields["name"])) for entry in entries]
    if not entries or not all(found) or any("weight" in entry.fields for entry in entries):
        return list(entries)
    notes.append("The percentages behind the names were read as weights.")
    parts = [match.groups() for match in found if match]
    return [
        Entry({**entry.fields, "name": name, "weight": weight}, entry.where)
        for entry, (name, weight) in zip(entries, parts, strict=True)
    ]
