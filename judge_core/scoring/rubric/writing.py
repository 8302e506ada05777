"""Writes a rubric as JSON, and turns it into the rows of an editor and back."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any

from judge_core.records.criteria import Criterion, Level, Rubric
from judge_core.scoring.rubric.parts.faults import Faults, nearest, shorten
from judge_core.scoring.rubric.parts.fields import Where
from judge_core.scoring.rubric.reading import Entry, RubricReading, build_rubric, make_100, name_key

COLUMNS = ("name", "description", "scale_min", "scale_max", "weight_percent")
"""The columns of the rows, in order."""
_REQUIRED = ("scale_min", "scale_max", "weight_percent")  # the name is checked as such, wherever it comes from


def write_rubric(rubric: Rubric) -> str:
    """The rubric as indented JSON. Read again, a rubric that `read_rubric` returned comes back equal.

    >>> print(write_rubric(Rubric(criteria=(Criterion(name="Clarity"),))))
    {
      "criteria": [
        {
          "name": "Clarity",
          "scale_min": 0,
          "scale_max": 10,
          "weight": 1
        }
      ]
    }
    """
    frame = {"name": rubric.name, "question": rubric.question, "source_extract": rubric.source_extract}
    written: dict[str, Any] = {field: text for field, text in frame.items() if text}
    if rubric.word_limit is not None:
        written["word_limit"] = rubric.word_limit
    written["criteria"] = [_written_criterion(criterion) for criterion in rubric.criteria]
    return json.dumps(written, indent=2, ensure_ascii=False, allow_nan=False)


def _written_criterion(criterion: Criterion) -> dict[str, Any]:
    written: dict[str, Any] = {"name": criterion.name}
    if criterion.description:
        written["description"] = criterion.description
    written |= {"scale_min": _short(criterion.scale_min), "scale_max": _short(criterion.scale_max)}
    written["weight"] = _short(criterion.weight)
    if criterion.levels:
        written["levels"] = [_written_level(level) for level in criterion.levels]
    return written


def _written_level(level: Level) -> dict[str, Any]:
    texts = {"label": level.label, "descriptor": level.descriptor}
    return {"score": _short(level.score)} | {field: text for field, text in texts.items() if text}


def _short(number: float) -> float | int:
    return int(number) if number == int(number) else number


def rubric_rows(rubric: Rubric) -> list[dict[str, Any]]:
    """One row a criterion with the fields of `COLUMNS`; the weights are percentages that add up to 100.0."""
    percentages = make_100([criterion.weight for criterion in rubric.criteria])
    return [
        {
            "name": criterion.name,
            "description": criterion.description,
            "scale_min": criterion.scale_min,
            "scale_max": criterion.scale_max,
            "weight_percent": percent,
        }
        for criterion, percent in zip(rubric.criteria, percentages, strict=True)
    ]


def rubric_from_rows(rows: Sequence[Mapping[str, Any]], base: Rubric, strict: bool = False) -> RubricReading:
    """The rubric that edited rows stand for; question, source, limit, name and levels come from `base`.

    Empty rows are ignored. Levels follow the criterion's name, and its place where only names were edited. Weights that
    were not edited keep their full precision. Raises RubricErrors naming row (from 1) and column.
    """
    faults = Faults()
    filled = {number: _cells(row, number, faults) for number, row in enumerate(rows, start=1)}
    filled = {number: cells for number, cells in filled.items() if cells}
    weights = _weights_of(list(filled.values()), base)
    sources = _sources_of([str(cells.get("name", "")) for cells in filled.values()], base)
    entries = []
    for (number, cells), weight, source in zip(filled.items(), weights, sources, strict=True):
        where = _place(number)
        _check_filled(cells, where, faults)
        entries.append(Entry(_fields_of(cells, weight, source), where))
    return build_rubric(entries, base, faults, notes=_lost_levels(sources, base), strict=strict)


def _place(number: int) -> Where:
    return lambda field: f"row {number}, {'weight_percent' if field == 'weight' else field}"


def _cells(row: Mapping[str, Any], number: int, faults: Faults) -> dict[str, Any]:
    """The row's cells that hold something."""
    cells = {column: cell for column, cell in row.items() if not is_empty(cell)}
    for column in cells:
        if column not in COLUMNS:
            near = nearest(str(column), COLUMNS)
            guess = f"Did you mean {near!r}? " if near else ""
            faults.add(
                f"row {number}",
                f"The column {shorten(column)} is not known.",
                f"{guess}Known are: {', '.join(COLUMNS)}.",
            )
    return cells


def is_empty(cell: object) -> bool:
    """Whether a cell of a table holds nothing: None, NaN, pandas' NA, or blanks."""
    if isinstance(cell, str):
        return not cell.strip()
    return cell is None or type(cell).__name__ in ("NAType", "NaTType") or (isinstance(cell, Real) and cell != cell)


def _check_filled(cells: Mapping[str, Any], where: Where, faults: Faults) -> None:
    for column in _REQUIRED:
        if column not in cells:
            faults.add(where(column), "The cell is empty.", "Fill it in, or delete the row.")


def _fields_of(cells: Mapping[str, Any], weight: object, source: Criterion | None) -> dict[str, object]:
    fields: dict[str, object] = {column: cells.get(column) for column in COLUMNS if column != "weight_percent"}
    fields["weight"] = weight
    if source and source.levels:
        fields["levels"] = [level.model_dump() for level in source.levels]
    return fields


def _weights_of(rows: Sequence[Mapping[str, Any]], base: Rubric) -> list[object]:
    """The weights as `build_rubric` reads them: the base's own where the percentages are those it was shown with."""
    percentages = [row.get("weight_percent") for row in rows]
    if percentages == [row["weight_percent"] for row in rubric_rows(base)]:
        return [criterion.weight for criterion in base.criteria]
    return [_percentage(cell) for cell in percentages]


def _percentage(cell: object) -> object:
    """A number becomes a marked percentage, so that 0.5 in a column of percentages is not taken for a half."""
    if isinstance(cell, bool) or cell is None:
        return cell
    text = str(cell).strip()
    return text if text.endswith("%") else f"{text} %"


def _sources_of(names: Sequence[str], base: Rubric) -> list[Criterion | None]:
    """For each row the base's criterion that it was made from, if any."""
    by_name = {name_key(criterion.name): criterion for criterion in base.criteria}
    keys = [name_key(name) for name in names]
    sources = [by_name.get(key) for key in keys]
    if len(keys) != len(base.criteria):
        return sources
    renamed = [None if name_key(criterion.name) in keys else criterion for criterion in base.criteria]
    return [source or old for source, old in zip(sources, renamed, strict=True)]


def _lost_levels(sources: Sequence[Criterion | None], base: Rubric) -> list[str]:
    kept = [source.name for source in sources if source]
    lost = [criterion.name for criterion in base.criteria if criterion.levels and criterion.name not in kept]
    return [f"The criterion {shorten(name)} is gone, and its levels with it." for name in lost]
