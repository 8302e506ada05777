"""The rubric of a draft, edited as a table, as JSON, by levels: the last edit counts.

What cannot be used is kept as typed, with its faults, and the last good rubric stays in use until it is mended.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from judge_core.interfaces.drafts.records import Cell, Rows, RubricDraft
from judge_core.records.criteria import Criterion, Rubric
from judge_core.scoring.rubric.reading import RubricErrors, RubricReading, make_100, read_rubric
from judge_core.scoring.rubric.writing import is_empty, rubric_from_rows, rubric_rows, write_rubric

COLUMNS = ("name", "description", "scale_min", "scale_max", "weight_percent")
LEVEL_COLUMNS = ("score", "label", "descriptor")


def table_rows(draft: RubricDraft) -> Rows:
    """The rows of the criteria table: as typed, else as the rubric gives them."""
    return draft.rows if draft.rows is not None else plain_rows(rubric_rows(draft.rubric), COLUMNS)


def json_text(draft: RubricDraft) -> str:
    """The JSON of the rubric: as typed where it is faulty."""
    return draft.json_text if draft.json_text is not None else write_rubric(draft.rubric)


def level_rows(draft: RubricDraft, criterion: str) -> Rows:
    """The levels of a criterion as rows: as typed where they are faulty."""
    if criterion in draft.level_rows:
        return draft.level_rows[criterion]
    found = next((c for c in draft.rubric.criteria if c.name == criterion), Criterion(name=criterion))
    return plain_rows([level.model_dump() for level in found.levels], LEVEL_COLUMNS)


def plain_rows(rows: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> Rows:
    """Rows as they are stored: an empty cell of any kind is None, a row without any cell is left out."""
    plain = [{column: None if is_empty(row.get(column)) else row.get(column) for column in columns} for row in rows]
    return tuple(row for row in plain if any(cell is not None for cell in row.values()))


def with_rows(draft: RubricDraft, rows: Rows) -> RubricDraft:
    """The table was edited."""
    try:
        reading = rubric_from_rows(rows, draft.rubric, draft.strict)
    except RubricErrors as error:
        return draft.model_copy(update={"rows": rows, "json_text": None, "faults": _said(error)})
    taken = _taken(draft, reading, rows=rows)
    for criterion, levels in draft.level_rows.items():  # still to be mended
        taken = with_levels(taken, criterion, levels)
    return taken


def with_json(draft: RubricDraft, text: str) -> RubricDraft:
    """The JSON was edited. Question, source, limit and name that it leaves out stay as they are."""
    try:
        reading = read_rubric(text, strict=draft.strict)
    except RubricErrors as error:
        return draft.model_copy(update={"json_text": text, "rows": None, "faults": _said(error)})
    frame = {field: getattr(draft.rubric, field) for field in ("question", "source_extract", "word_limit", "name")}
    given = {field: value for field, value in frame.items() if not getattr(reading.rubric, field)}
    return _taken(draft, reading.model_copy(update={"rubric": reading.rubric.model_copy(update=given)}))


def with_levels(draft: RubricDraft, criterion: str, rows: Rows) -> RubricDraft:
    """The levels of one criterion were edited."""
    written = json.loads(write_rubric(draft.rubric))
    for entry in written["criteria"]:
        if entry["name"] == criterion:
            entry["levels"] = [{k: v for k, v in row.items() if v is not None} for row in rows]
    try:
        reading = read_rubric(written)
    except RubricErrors as error:
        faults = tuple(f"Levels of {criterion}: {line}" for line in _said(error))
        return draft.model_copy(update={"level_rows": {criterion: rows}, "faults": faults})
    taken = _taken(draft, reading)
    return taken if draft.rows is None else with_rows(taken, draft.rows)


def with_rubric(draft: RubricDraft, reading: RubricReading) -> RubricDraft:
    """A whole rubric takes the place of this one; a question of ours stays where it has none."""
    old, new = draft.rubric, reading.rubric
    keep = {field: getattr(old, field) for field in ("question", "source_extract", "word_limit")}
    given = {field: value for field, value in keep.items() if value and not getattr(new, field)}
    return _taken(draft, reading.model_copy(update={"rubric": new.model_copy(update=given)}))


def with_frame(draft: RubricDraft, **fields: object) -> RubricDraft:
    """Question, source extract or word limit were edited; ValidationError where the limit is not above 0."""
    rubric = Rubric.model_validate({**dict(draft.rubric), **fields})
    return draft.model_copy(update={"rubric": rubric})


def with_strict(draft: RubricDraft, strict: bool) -> RubricDraft:
    """Weights that do not add up are refused, or used in proportion: the table is read anew."""
    changed = draft.model_copy(update={"strict": strict})
    if draft.json_text is not None:
        return with_json(changed, draft.json_text)
    return with_rows(changed, table_rows(draft))


def made_100(draft: RubricDraft) -> RubricDraft:
    """The weights of the table in proportion, so that they add up to 100 %."""
    rows = table_rows(draft)
    try:
        shares = make_100([_number(row.get("weight_percent")) for row in rows])
    except RubricErrors as error:
        return draft.model_copy(update={"faults": _said(error)})
    weighed = ({**row, "weight_percent": share} for row, share in zip(rows, shares, strict=True))
    return with_rows(draft, tuple(weighed))


def discarded(draft: RubricDraft) -> RubricDraft:
    """What cannot be used is dropped; the rubric in use stays."""
    return RubricDraft(rubric=draft.rubric, strict=draft.strict, notes=draft.notes)


def weight_sum(draft: RubricDraft) -> float:
    """What the weights of the table add up to, in percent; cells that are no number count nothing."""
    return sum(_number(row.get("weight_percent")) for row in table_rows(draft))


def _taken(draft: RubricDraft, reading: RubricReading, rows: Rows | None = None) -> RubricDraft:
    return RubricDraft(rubric=reading.rubric, rows=rows, strict=draft.strict, notes=reading.notes)


def _number(cell: Cell) -> float:
    return float(cell) if isinstance(cell, int | float) and not isinstance(cell, bool) else 0.0


def _said(error: RubricErrors) -> tuple[str, ...]:
    return tuple(map(str, error.errors))
