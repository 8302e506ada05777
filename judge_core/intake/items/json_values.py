"""JSON values of a file with their lines: a list, values one after the other, or one on each line.

A broken value costs no other one, as far as its end can be told. Refused, never guessed: a field named twice, NaN,
Infinity, nesting without end. Halves of characters are marked, as in any other text.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from judge_core.intake.artifacts import unbroken
from judge_core.intake.naming import brief, ending

DEEPEST = 40
"""The most levels of lists and objects inside one value."""
LINE_ENDINGS = ("jsonl", "ndjson")
NOT_JSON = "this is no well-formed JSON (look for missing quotation marks, commas and brackets)"
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"?|[{}\[\]]', re.DOTALL)
_SCALAR = re.compile(r'"(?:[^"\\]|\\.)*+"|[-+.\w]+', re.DOTALL)
_SPACE = re.compile(r"[\s,]*")


class JsonValue(NamedTuple):
    """A value with its line from 1, or what is wrong with it; a fault that ends with a full stop is about what follows."""

    line: int
    value: Any = None
    fault: str = ""


def decoded(text: str) -> JsonValue:
    """The value that the whole text spells, or its fault.

    >>> decoded('{"a": 1, "a": 2}').fault, decoded("[1]").value
    ("the field 'a' is given twice", [1])
    """
    faults: list[str] = []
    try:
        value = _clean(_decoder(faults).decode(text), DEEPEST)
    except RecursionError:
        return JsonValue(1, fault=f"its lists and objects are nested more than {DEEPEST} levels deep")
    except ValueError:
        return JsonValue(1, fault=NOT_JSON)
    return JsonValue(1, fault=faults[0]) if faults else JsonValue(1, value)


def json_values(label: str, text: str) -> Iterator[JsonValue]:
    """The values of a file, whichever of the usual forms it has."""
    start = text.lstrip()[0]
    if _begins_with_line(text) or (start != "[" and ending(label) in LINE_ENDINGS):
        return _lines(text)
    wrapped = re.match(r'\s*\{\s*"[^"\\\n]{1,100}"\s*:\s*(?=\[)', text) if start == "{" else None
    if wrapped and _only_field(text, wrapped.end()):
        return _sequence(text, wrapped.end() + 1, listed=True)
    return _sequence(text, text.index("[") + 1 if start == "[" else 0, listed=start == "[")


def _begins_with_line(text: str) -> bool:
    """Whether the first line is a value by itself and others follow: JSON lines, whatever the ending."""
    first, _, rest = text.lstrip().partition("\n")
    return bool(rest.strip()) and not decoded(first).fault


def _only_field(text: str, start: int) -> bool:
    """Whether the list that begins there is the only field of the object around it, and holds objects."""
    end = _end_of(text, start)
    holds_objects = re.match(r"\[\s*\{", text[start : start + 1000]) is not None
    return end is not None and holds_objects and text[end:].strip() == "}"


def _lines(text: str) -> Iterator[JsonValue]:
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield decoded(line)._replace(line=number)


def _sequence(text: str, at: int, *, listed: bool) -> Iterator[JsonValue]:
    """Values one after the other, to the end of the list or file. A broken one is passed over where its end is plain."""
    line, counted = 1, 0
    while True:
        at = _SPACE.match(text, at).end()  # type: ignore[union-attr]
        line, counted = line + text.count("\n", counted, at), at
        if at >= len(text) or (listed and text[at] == "]"):
            fault = _end_fault(text[at + 1 :], at >= len(text)) if listed else ""
            if fault:
                yield JsonValue(line, fault=fault)
            return
        end = _end_of(text, at)  # cut out first: an error in the middle of a long text costs as much as all before it
        if end is None:
            yield JsonValue(line, fault=f"{NOT_JSON}; nothing from it on could be read.")
            return
        yield decoded(text[at:end])._replace(line=line)
        at = end


def _end_fault(rest: str, unfinished: bool) -> str:
    if unfinished:
        return "the list is never closed: what may have followed its last object is missing."
    return "" if not rest.strip(" \t\n}") else "what stands behind the end of the list was not read."


def _end_of(text: str, start: int) -> int | None:
    """Where the value that begins there ends, by its brackets; None where it does not."""
    if text[start] not in "{[":
        scalar = _SCALAR.match(text, start)
        return scalar.end() if scalar else None
    depth = 0
    for token in _TOKEN.finditer(text, start):
        if token[0] in "{[":
            depth += 1
        elif token[0] in "}]":
            depth -= 1
            if not depth:
                return token.end()
    return None


def _decoder(faults: list[str]) -> json.JSONDecoder:
    """A strict decoder that notes what must not be taken, and reads on."""

    def members(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
        value = {unbroken(name): item for name, item in pairs}
        if len(value) < len(pairs):
            counted = Counter(unbroken(name) for name, _ in pairs)
            twice = counted.most_common(1)[0][0]
            faults.append(f"the field {brief(twice)} is given twice")
        return value

    def constant(_name: str) -> None:
        faults.append("it holds NaN or Infinity where a number belongs")

    def number(digits: str) -> float:
        value = float(digits)
        if value in (float("inf"), float("-inf")):
            faults.append("it holds a number that is too large")
        return value

    return json.JSONDecoder(object_pairs_hook=members, parse_constant=constant, parse_float=number, strict=False)


def _clean(value: Any, levels: int) -> Any:
    """The value with halves of characters marked. Raises RecursionError where it is nested too deeply."""
    if isinstance(value, str):
        return unbroken(value)
    if not isinstance(value, dict | list):
        return value
    if not levels:
        raise RecursionError
    if isinstance(value, list):
        return [_clean(item, levels - 1) for item in value]
    return {name: _clean(item, levels - 1) for name, item in value.items()}
