"""Reads a rubric in any of its accepted spellings, and checks and shares out its weights.

Accepted are a list of criteria, an object with the list under `criteria` or `dimensions`, and an object of names with
their weights. A missing end of a scale is 0 or 10, as in `Criterion`. Assumptions about weights stand in the notes; what
is not understood is refused, never ignored.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from judge_core.records.criteria import Criterion, Rubric
from judge_core.records.record import Record
from judge_core.scoring.rubric.parts.drafts import Draft, draft_of
from judge_core.scoring.rubric.parts.faults import Faults, FieldError, RubricErrors, nearest, refusal
from judge_core.scoring.rubric.parts.fields import (
    CRITERION_SPELLINGS,
    MOST_FIELDS,
    TASK_SPELLINGS,
    Repeating,
    Where,
    check_repeats,
    field_key,
    is_weight,
    name_key,
    named_fields,
    number_of,
    text_of,
)
from judge_core.scoring.rubric.parts.weights import TOLERANCE, WeightCheck, check_weights, judge_sum, make_100

__all__ = [
    "Entry", "FieldError", "RubricErrors", "RubricReading", "WeightCheck",
    "build_rubric", "check_weights", "make_100", "name_key", "read_json", "read_rubric",
]  # fmt: skip

MOST_CRITERIA = 20
_EXAMPLE = '[{"name": "Clarity", "weight": 0.6}, {"name": "Evidence", "weight": 0.4}]'


class RubricReading(Record):
    """A rubric that can be used as it stands: its weights are shares of 1. The notes say what was assumed."""

    rubric: Rubric
    notes: tuple[str, ...] = ()


class Entry(NamedTuple):
    """A criterion's fields under their standard names, with what its place is called."""

    fields: Mapping[str, object]
    where: Where


def read_rubric(source: str | bytes | dict[str, object] | list[object], *, strict: bool = False) -> RubricReading:
    """A rubric from JSON text or from the objects that it stands for.

    Weights are normalised to shares of 1, with a note where they did not add up to 1 or 100; `strict` refuses these.
    Raises RubricErrors, which names each faulty field, or line and column where the text is no JSON.
    """
    faults, notes = Faults(), list[str]()
    value = read_json(source) if isinstance(source, str | bytes) else source
    task = _task_of(value, faults, notes)
    entries = _entries_of(task.pop("criteria", None), faults)
    return build_rubric(entries, _frame_of(task, faults), faults, notes=notes, strict=strict)


def read_json(source: str | bytes) -> object:
    """The value of a JSON text; objects come as `Repeating`. Raises RubricErrors with line and column."""
    try:
        text = source.decode(json.detect_encoding(source)) if isinstance(source, bytes) else source
        return json.loads(text.removeprefix("\ufeff"), object_pairs_hook=_object, parse_int=_integer)
    except UnicodeDecodeError as error:
        message = f"The byte at position {error.start} is not text."
        raise refusal("file", message, "Save the file as UTF-8.") from None
    except json.JSONDecodeError as error:
        raise _broken(error) from None
    except RecursionError:
        raise refusal("file", "Lists or objects are nested too deeply.", f"Write it like {_EXAMPLE}.") from None


def _object(pairs: list[tuple[str, object]]) -> Repeating:
    read = Repeating(pairs)
    read.repeated = tuple(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)
    return read


def _integer(digits: str) -> int | float:
    return int(digits) if len(digits) < 20 else float(digits)


def _broken(error: json.JSONDecodeError) -> RubricErrors:
    text, position = error.doc, _comma_before_bracket(error.doc, error.pos)
    message, remedy = "A comma stands before a closing bracket.", "Remove the comma."
    if position is None:
        position, remedy = error.pos, f"Write it like {_EXAMPLE}."
        message = f"The text is no JSON here ({error.msg})." if text.strip() else "The text is empty."
    line, column = text.count("\n", 0, position) + 1, position - text.rfind("\n", 0, position)
    path = f"line {line}, column {column}"
    value = text[position : position + 1]
    return RubricErrors([FieldError(path=path, value=value, message=message, remedy=remedy, line=line, column=column)])


def _comma_before_bracket(text: str, position: int) -> int | None:
    """Where a trailing comma stands, if that is the fault; Python's versions point at the comma or behind it."""
    before = text[:position].rstrip()
    comma = position if text[position : position + 1] == "," else len(before) - 1
    follows = text[comma + 1 :].lstrip()[:1]
    return comma if text[comma : comma + 1] == "," and follows in ("]", "}") else None


def _task_of(value: object, faults: Faults, notes: list[str]) -> dict[str, object]:
    if isinstance(value, Mapping) and _names_weights(value):
        notes.append("The object was read as names of criteria with their weights.")
        check_repeats(value, lambda field: field, faults)
        return {"criteria": [{"name": name, "weight": weight} for name, weight in value.items()]}
    if isinstance(value, Mapping):
        return named_fields(value, TASK_SPELLINGS, lambda field: field, faults)
    return {"criteria": value}


def _names_weights(value: Mapping[str, object]) -> bool:
    """Whether an object maps names to weights. One with a key that resembles a field's name is never taken so."""
    known = [*TASK_SPELLINGS, *CRITERION_SPELLINGS]
    if not 1 <= len(value) <= MOST_FIELDS or not all(map(is_weight, value.values())):
        return False
    return all(nearest(field_key(key), known) is None for key in value)


def _entries_of(value: object, faults: Faults) -> list[Entry]:
    if isinstance(value, str | bytes) or not isinstance(value, Sequence):
        message = "There are no criteria." if value is None else "{value} is not a list of criteria."
        faults.add("criteria", message, f"Put them in a list: {_EXAMPLE}.", value)
        faults.stop()
        return []
    _check_count(len(value), faults)
    return [_entry_of(item, _place(f"criteria[{index}]"), faults) for index, item in enumerate(value)]


def _place(base: str) -> Where:
    return lambda field: f"{base}.{field}"


def _entry_of(value: object, where: Where, faults: Faults) -> Entry:
    if isinstance(value, str):
        return Entry({"name": value}, where)
    if isinstance(value, Mapping):
        return Entry(named_fields(value, CRITERION_SPELLINGS, where, faults), where)
    faults.add(where("name"), "{value} is not a criterion.", f"Write criteria like {_EXAMPLE}.", value)
    return Entry({"name": "?"}, where)


def _frame_of(task: Mapping[str, object], faults: Faults) -> Rubric:
    """The rubric's own fields, without criteria."""
    texts = {field: text_of(task.get(field), field, faults) for field in ("question", "source_extract", "name")}
    limit = None
    if task.get("word_limit") is not None:
        limit = number_of(task["word_limit"], "word_limit", faults)
        if limit is not None and (limit < 1 or limit != int(limit)):
            faults.add(
                "word_limit", "{value} is not a number of words.", "Give a whole number above 0.", task["word_limit"]
            )
            limit = None
    return Rubric(**texts, word_limit=None if limit is None else int(limit))


def build_rubric(
    entries: Sequence[Entry], frame: Rubric, faults: Faults, *, notes: Sequence[str] = (), strict: bool = False
) -> RubricReading:
    """A rubric from its criteria's fields; `frame` gives question, source, word limit and name.

    Raises RubricErrors with these faults and those noted before.
    """
    _check_count(len(entries), faults)
    drafts = [draft_of(entry.fields, entry.where, faults) for entry in entries]
    _check_names(drafts, faults)
    _check_kinds(drafts, faults)
    faults.stop()
    said = list(notes)
    shares = _shares_of(drafts, said, strict)
    criteria = tuple(_criterion(draft, share) for draft, share in zip(drafts, shares, strict=True))
    return RubricReading(rubric=frame.model_copy(update={"criteria": criteria}), notes=tuple(said))


def _criterion(draft: Draft, weight: float) -> Criterion:
    return Criterion(
        name=draft.name, description=draft.description, scale_min=draft.low, scale_max=draft.high, weight=weight,
        levels=draft.levels,
    )  # fmt: skip


def _check_count(number: int, faults: Faults) -> None:
    if not 1 <= number <= MOST_CRITERIA:
        faults.add("criteria", f"There are {number} criteria.", f"Give 1 to {MOST_CRITERIA}.")
        faults.stop()


def _check_names(drafts: Sequence[Draft], faults: Faults) -> None:
    first: dict[str, Draft] = {}
    for draft in drafts:
        twin = first.setdefault(name_key(draft.name), draft)
        if twin is not draft and draft.name:
            place = twin.where("name")
            faults.add(
                draft.where("name"),
                f"{{value}} is the same name as at {place}.",
                "Give each criterion its own.",
                draft.name,
            )


def _check_kinds(drafts: Sequence[Draft], faults: Faults) -> None:
    """Percentages beside bare numbers are a fault: whether the others mean shares or percent cannot be known."""
    given = [draft for draft in drafts if draft.weight]
    odd = [
        draft for draft in given if draft.weight and given[0].weight and draft.weight.percent != given[0].weight.percent
    ]
    if odd and odd[0].weight:
        value = odd[0].weight.value
        faults.add(
            odd[0].where("weight"),
            "Some weights have a % sign and some have none.",
            "Write all in the same way.",
            value,
        )


def _shares_of(drafts: Sequence[Draft], notes: list[str], strict: bool) -> tuple[float, ...]:
    given = [draft.weight for draft in drafts if draft.weight]
    if not given:
        if len(drafts) > 1:
            notes.append(f"No weights were given, so each of the {len(drafts)} criteria counts the same.")
        return (1 / len(drafts),) * len(drafts)
    factor = 0.01 if given[0].percent else 1.0
    rest = _rest_of(drafts, factor, notes)
    weights = [draft.weight.value * factor if draft.weight else rest for draft in drafts]
    check = judge_sum(weights, drafts[0].where("weight"), strict)
    if not check.ok:
        notes.append(check.message)
    return check.normalised


def _rest_of(drafts: Sequence[Draft], factor: float, notes: list[str]) -> float:
    """The share of each criterion without a weight: an equal part of what the others leave."""
    lacking = [draft for draft in drafts if draft.weight is None]
    if not lacking:
        return 0.0
    given = [draft.weight.value * factor for draft in drafts if draft.weight]
    rest = (1 - math.fsum(given)) / len(lacking)
    if rest <= TOLERANCE:
        faults = Faults()
        for draft in lacking:
            faults.add(
                draft.where("weight"),
                "There is no weight, and the others leave nothing to share.",
                "Weigh all criteria, or none.",
            )
        faults.stop()
    notes.append(f"Criteria without a weight share equally what the others leave: {100 * rest:.4g} % each.")
    return rest
