"""One criterion as drafted: its fields read, its scale and levels fitted together, its weight not yet a share."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from judge_core.records.criteria import Criterion, Level
from judge_core.scoring.rubric.parts.faults import Faults
from judge_core.scoring.rubric.parts.fields import (
    NUMBER,
    Weight,
    Where,
    name_of,
    named_fields,
    number_of,
    text_of,
    weight_of,
)

MOST_LEVELS = 100
SCALE_SPELLINGS = {"min": "scale_min", "scale_min": "scale_min", "max": "scale_max", "scale_max": "scale_max"}
LEVEL_SPELLINGS = {"score": "score", "label": "label", "descriptor": "descriptor", "description": "descriptor"}
_SCALE = re.compile(rf"\s*({NUMBER})\s*(?:to|\.\.|[-\u2013\u2014:\u2026])\s*({NUMBER})\s*")
_DEFAULTS = Criterion(name="defaults")


class Draft(NamedTuple):
    """A criterion whose fields are read and whose weight is not yet a share."""

    name: str
    description: str
    low: float
    high: float
    levels: tuple[Level, ...]
    weight: Weight | None
    where: Where


def draft_of(fields: Mapping[str, object], where: Where, faults: Faults) -> Draft:
    """Read one criterion's fields (standard names). Faults are noted; the draft is then not to be used."""
    levels = _levels_of(fields.get("levels"), where, faults)
    low, high = _scale_of(fields, levels, where, faults)
    for index, level in enumerate(levels):
        if low < high and not low <= level.score <= high:
            place = where(f"levels[{index}].score")
            faults.add(
                place,
                f"The level {level.score:g} lies outside the scale {low:g} to {high:g}.",
                "Change level or scale.",
                level.score,
            )
    return Draft(
        name=name_of(fields.get("name"), where("name"), faults),
        description=text_of(fields.get("description"), where("description"), faults).strip(),
        low=low,
        high=high,
        levels=levels,
        weight=weight_of(fields.get("weight"), where("weight"), faults),
        where=where,
    )


def _scale_of(
    fields: Mapping[str, object], levels: Sequence[Level], where: Where, faults: Faults
) -> tuple[float, float]:
    low, high, field = fields.get("scale_min"), fields.get("scale_max"), "scale_min"
    if (scale := fields.get("scale")) is not None:
        if low is not None or high is not None:
            faults.add(where("scale"), "The scale is given twice, in two spellings.", "Keep one of them.", scale)
        low, high, field = *_ends_of(scale, where, faults), "scale"
    elif low is None and high is None and len(levels) > 1:
        low, high = min(level.score for level in levels), max(level.score for level in levels)
    before = len(faults.errors)
    least = _DEFAULTS.scale_min if low is None else number_of(low, where("scale_min"), faults)
    most = _DEFAULTS.scale_max if high is None else number_of(high, where("scale_max"), faults)
    if least is not None and most is not None and least >= most and len(faults.errors) == before:
        faults.add(
            where(field),
            f"The scale runs from {least:g} to {most:g}.",
            "Its lower end must lie below its upper end.",
            fields.get(field),
        )
    return (least or 0.0, most or 0.0)


def _ends_of(scale: object, where: Where, faults: Faults) -> tuple[object, object]:
    if isinstance(scale, str) and (match := _SCALE.fullmatch(scale.casefold())) and len(scale) < 80:
        return match[1], match[2]
    if isinstance(scale, Sequence) and not isinstance(scale, (str, bytes)) and len(scale) == 2:
        return scale[0], scale[1]
    if isinstance(scale, Mapping):
        ends = named_fields(scale, SCALE_SPELLINGS, lambda field: where(f"scale.{field}"), faults)
        return ends.get("scale_min"), ends.get("scale_max")
    faults.add(where("scale"), "{value} is not a scale.", 'Write it like [0, 10] or "1 to 5".', scale)
    return None, None


def _levels_of(value: object, where: Where, faults: Faults) -> tuple[Level, ...]:
    if value is None:
        return ()
    if not isinstance(value, Sequence) or isinstance(value, (str, bytes)):
        faults.add(
            where("levels"),
            "The levels are not a list.",
            'Write them like [{"score": 1, "label": "weak"}, ...].',
            value,
        )
        return ()
    if len(value) > MOST_LEVELS:
        faults.add(where("levels"), f"There are {len(value)} levels.", f"Give at most {MOST_LEVELS}.")
        return ()
    read = [_level_of(level, where, index, faults) for index, level in enumerate(value)]
    levels = tuple(level for level in read if level)
    for index, level in enumerate(levels):
        if level.score in [other.score for other in levels[:index]]:
            faults.add(
                where(f"levels[{index}].score"),
                f"Two levels have the score {level.score:g}.",
                "Give each its own.",
                level.score,
            )
    return levels


def _level_of(value: object, where: Where, index: int, faults: Faults) -> Level | None:
    def place(field: str) -> str:
        return where(f"levels[{index}].{field}")

    if not isinstance(value, Mapping):
        faults.add(
            where(f"levels[{index}]"), "{value} is not a level.", 'Write it like {"score": 1, "label": "weak"}.', value
        )
        return None
    fields = named_fields(value, LEVEL_SPELLINGS, place, faults)
    label = text_of(fields.get("label"), place("label"), faults)
    descriptor = text_of(fields.get("descriptor"), place("descriptor"), faults)
    if fields.get("score") is None:
        faults.add(place("score"), "The level has no score.", "Give each level its score on the scale.")
        return None
    score = number_of(fields["score"], place("score"), faults)
    return None if score is None else Level(score=score, label=label, descriptor=descriptor)
