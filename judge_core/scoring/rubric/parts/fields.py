"""The fields of a rubric as people write them: which spellings are accepted, and what is wrong with a value.

It knows neither JSON nor tables: a field comes as a plain value with a `Where` that says how its place is called
('criteria[1].weight', 'row 2, weight_percent'). Faults are collected, so that a person sees all of them at once.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Mapping
from numbers import Real
from typing import NamedTuple

from judge_core.scoring.rubric.parts.faults import Faults, nearest, shorten

Where = Callable[[str], str]
"""From a field's name to what its place is called in messages."""

NAME_LENGTH = 100
MOST_FIELDS = 100
LARGEST = 1e6
"""Scale ends, scores and weights beyond it are refused: sums and shares would lose their meaning."""

TASK_SPELLINGS = {
    "criteria": "criteria", "dimensions": "criteria", "question": "question", "task": "question",
    "source_extract": "source_extract", "source": "source_extract", "word_limit": "word_limit", "name": "name",
}  # fmt: skip
CRITERION_SPELLINGS = {
    "name": "name", "criterion": "name", "title": "name", "description": "description", "desc": "description",
    "weight": "weight", "scale_min": "scale_min", "min": "scale_min", "scale_max": "scale_max", "max": "scale_max",
    "scale": "scale", "levels": "levels",
}  # fmt: skip


NUMBER = r"[-+\u2212]?(?:[0-9]+(?:[.,][0-9]+)?|[.,][0-9]+)"
_JOINERS = "\u200c\u200d"  # zero-width, yet needed to spell names in Persian and in Indian scripts


class Weight(NamedTuple):
    value: float
    percent: bool
    """Whether it was marked as a percentage; `value` is then still the number before the sign."""


class Repeating(dict[str, object]):
    """An object in which keys stood more than once; `repeated` names them."""

    repeated: tuple[str, ...] = ()


def name_key(name: str) -> str:
    """What two names must differ in: compatibility forms, case, spaces and invisible characters do not count.

    >>> name_key(" Clarity") == name_key("clarity\u200b ") == name_key("\uff23larity")
    True
    """
    visible = "".join(sign for sign in name if unicodedata.category(sign) != "Cf")
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", visible).casefold())
    return " ".join(folded.split())


def named_fields(
    value: Mapping[str, object], spellings: Mapping[str, str], where: Where, faults: Faults
) -> dict[str, object]:
    """The object's fields under their standard names. Unknown and repeated ones are faults, never ignored."""
    check_repeats(value, where, faults)
    fields: dict[str, object] = {}
    if len(value) > MOST_FIELDS:
        faults.add(where("fields"), f"There are {len(value)} fields.", _known("", spellings))
        return fields
    for key, content in value.items():
        field = spellings.get(field_key(key))
        if field is None:
            faults.add(where(_shown_key(key)), "This field is not known.", _known(field_key(key), spellings), key)
        elif field in fields:
            faults.add(
                where(_shown_key(key)), f"{field!r} is given twice, in two spellings.", "Keep one of them.", content
            )
        else:
            fields[field] = content
    return fields


def check_repeats(value: Mapping[str, object], where: Where, faults: Faults) -> None:
    """A key that stands twice in one object is a fault: which of its values was meant is not known."""
    for key in value.repeated if isinstance(value, Repeating) else ():
        faults.add(
            where(_shown_key(key)),
            f"{shorten(key)} stands more than once in the same object.",
            "Keep one of them.",
            key,
        )


def field_key(key: object) -> str:
    """A field's name without regard to case and to how its words are joined.

    >>> field_key(" Scale-Min ")
    'scale_min'
    """
    return re.sub(r"[\s_-]+", "_", str(key).strip().casefold())


def _shown_key(key: object) -> str:
    return str(key) if re.fullmatch(r"\w{1,40}", str(key)) else shorten(key, 40)


def _known(key: str, spellings: Mapping[str, str]) -> str:
    near = nearest(key, list(spellings))
    guess = f"Did you mean {near!r}? " if near else ""
    return f"{guess}Known are: {', '.join(dict.fromkeys(spellings.values()))}."


def text_of(value: object, path: str, faults: Faults) -> str:
    """A text, unchanged; '' where there is none. Control characters other than line breaks and tabs are faults."""
    if value is None:
        return ""
    if not isinstance(value, str):
        faults.add(path, "{value} is not a text.", "Put it in quotes.", value)
        return ""
    if any(unicodedata.category(sign) in ("Cc", "Cs") and sign not in "\n\r\t" for sign in value):
        faults.add(
            path, "The text holds characters that cannot be shown.", "Type it anew instead of pasting it.", value
        )
        return ""
    return value


def name_of(value: object, path: str, faults: Faults) -> str:
    """A criterion's name: one line of 1 to 100 characters, without spaces around it."""
    if value is not None and not isinstance(value, str):
        faults.add(path, "{value} is not a text.", "Put it in quotes.", value)
        return ""
    name = (value or "").strip()
    if not name_key(name):
        faults.add(path, "The name is empty.", "Give each criterion a name.", value)
    elif len(name) > NAME_LENGTH:
        faults.add(
            path,
            f"The name has {len(name)} characters.",
            f"Use at most {NAME_LENGTH}; the rest fits the description.",
            name,
        )
    elif any(_unfit(sign) for sign in name):
        faults.add(path, "The name holds a line break or invisible characters.", "Type it anew, on one line.", name)
    return name


def _unfit(sign: str) -> bool:
    category = unicodedata.category(sign)
    return category in ("Cc", "Cs", "Zl", "Zp") or (category == "Cf" and sign not in _JOINERS)


def number_of(value: object, path: str, faults: Faults) -> float | None:
    """A number, also from a text with decimal point or comma. None after noting a fault.

    >>> number_of("0,5", "weight", Faults())
    0.5
    """
    number = _plain_number(value)
    if number is None:
        faults.add(path, "{value} is not a number.", "Give a plain number such as 0.5 or 10.", value)
        return None
    if not abs(number) <= LARGEST:  # also catches "not a number"
        faults.add(path, "{value} is out of range.", "Use a number between -1,000,000 and 1,000,000.", value)
        return None
    return float(number)


def _plain_number(value: object) -> float | None:
    if isinstance(value, str) and re.fullmatch(NUMBER, value.strip()) and len(value) < 40:
        return float(value.strip().replace(",", ".").replace("\u2212", "-"))
    if isinstance(value, Real) and not isinstance(value, bool):
        return math.inf if isinstance(value, int) and abs(value) > LARGEST else float(value)
    return None


def weight_of(value: object, path: str, faults: Faults) -> Weight | None:
    """A positive number or percentage ('30 %'). None where there is none, or after noting a fault."""
    if value is None:
        return None
    bare, percent = _without_sign(value)
    number = number_of(bare, path, faults)
    if number is not None and number <= 0:
        faults.add(
            path, "The weight {value} is not above 0.", "Give a positive weight, or leave the criterion out.", value
        )
        return None
    return None if number is None else Weight(number, percent)


def is_weight(value: object) -> bool:
    """Whether a value is meant as a weight: a number or a percentage, good or bad."""
    return _plain_number(_without_sign(value)[0]) is not None


def _without_sign(value: object) -> tuple[object, bool]:
    if isinstance(value, str) and value.rstrip().endswith("%"):
        return value.rstrip()[:-1], True
    return value, False
