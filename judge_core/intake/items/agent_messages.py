"""One entry of an agent's run as it stands in a file: who speaks, what is said, which tools are called.

Taken: OpenAI-style messages (`tool_calls` with a `function`, `tool_call_id`, the older `function_call`; `content` as a text
or a list of text parts), content blocks `tool_use` and `tool_result`, and the plain form with `action`, `files`, `success`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from judge_core.intake.items.item_rows import kind_of
from judge_core.intake.items.json_values import decoded
from judge_core.intake.naming import brief, shown
from judge_core.records.errors import InputError
from judge_core.scoring.trajectory.events import ToolCall

OUTSIDE = ("user", "human", "system", "developer")
"""Roles of those who speak to the agent."""
RESULTS = ("tool", "function", "environment", "observation")
"""Roles under which results come back."""
_LONGEST_NAME = 120
_TEXT_PARTS = ("text", "input_text", "output_text", "refusal")
_TRUTHS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


@dataclass
class Call:
    """A tool call, and its result once that is found."""

    name: str
    arguments: Any
    id: str = ""
    result: str | None = None

    @property
    def record(self) -> ToolCall:
        """The call as the rules for patterns take it."""
        return ToolCall(name=self.name, arguments=self.arguments, result=self.result)

    @property
    def written(self) -> str:
        """The arguments as one JSON spelling; a text that is no JSON as it is."""
        return self.arguments if isinstance(self.arguments, str) else spelled(self.arguments)


@dataclass
class Result:
    """What a tool gave back: which call it answers (by id, '' where that is not said), and the tool's name if given."""

    text: str
    id: str = ""
    name: str = ""


@dataclass
class Entry:
    """One entry of a run."""

    role: str
    words: str = ""
    calls: list[Call] = field(default_factory=list)
    results: list[Result] = field(default_factory=list)
    action: str = ""
    files: tuple[str, ...] = ()
    success: bool | None = None
    duration_s: float | None = None
    timestamp: str | None = None

    @property
    def acts(self) -> bool:
        """Whether it is an act of the agent or of a sub-agent."""
        return self.role.lower() not in (*OUTSIDE, *RESULTS)

    @property
    def head(self) -> str:
        """Who speaks, with all that the entry says of itself beside its words."""
        parts = [f"{self.role}: {self.action}" if self.action else self.role]
        parts += [", ".join(map(one_line, self.files))] if self.files else []
        parts += [f"success: {str(self.success).lower()}"] if self.success is not None else []
        return " | ".join(parts)


def read_entry(value: Any, number: int) -> Entry:
    """The entry with this number in the list, from 1. Raises InputError naming the entry, the field and the remedy."""
    where = f"entry {number}"
    if not isinstance(value, Mapping):
        raise InputError(f"{where} is {kind_of(value)} and not an object with 'role' and 'content'.")
    role = value.get("role")
    if not isinstance(role, str) or not role.strip():
        raise InputError(f"{where} has no 'role'. Write who speaks: user, assistant, tool, or the name of a sub-agent.")
    entry = Entry(role=one_line(role))
    _read_content(entry, value.get("content"), where)
    entry.calls += _calls(value, where)
    if entry.role.lower() in RESULTS:
        name, id = _name(value.get("name")), _name(value.get("tool_call_id"))
        entry.results, entry.words = [*entry.results, Result(entry.words, id, name)], ""
    entry.action = _name(value.get("action"))
    entry.files = _files(value.get("files"), where)
    entry.success = truth(value.get("success"), f"{where}: the field 'success'")
    entry.duration_s = _duration(value.get("duration_s"), where)
    entry.timestamp = _name(value.get("timestamp")) or None
    return entry


def truth(value: Any, what: str) -> bool | None:
    """True or False as data spell them, None for nothing. Raises InputError for anything else.

    >>> [truth(value, "success") for value in (True, "no", 1.0, None, "")]
    [True, False, True, None, None]
    """
    if value is None or value == "":
        return None
    spelling = str(int(value)) if isinstance(value, float) and value in (0, 1) else str(value)
    known = _TRUTHS.get(spelling.strip().lower()) if isinstance(value, bool | int | float | str) else None
    if known is None:
        said = brief(value) if isinstance(value, str | int | float) and (value := str(value)) else kind_of(value)
        raise InputError(f"{what} is {said}. Write true or false, or leave it out.")
    return known


def spelled(value: Any) -> str:
    """The one spelling of a JSON value that a judge is shown: names sorted, letters as they are."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def one_line(name: str) -> str:
    """A name in one line: whatever stands in it, it begins no line of its own."""
    return " ".join(shown(name).split())[:_LONGEST_NAME]


def _name(value: Any) -> str:
    return one_line(str(value)) if isinstance(value, str | int | float) and not isinstance(value, bool) else ""


def _read_content(entry: Entry, content: Any, where: str) -> None:
    """Fills in words, calls and results out of a text or a list of parts."""
    if content is None or isinstance(content, str):
        entry.words = content or ""
        return
    if isinstance(content, Mapping):
        entry.words = spelled(content)
        return
    if not isinstance(content, list):
        raise InputError(f"{where}: the field 'content' is {kind_of(content)}. Write a text, or a list of text parts.")
    words = [text for part in content if (text := _read_part(entry, part, where)) is not None]
    entry.words = "\n".join(words)


def _read_part(entry: Entry, part: Any, where: str) -> str | None:
    """The words of a content part; None where it is a call or a result, which go into the entry."""
    if isinstance(part, str):
        return part
    kind = part.get("type", "text") if isinstance(part, Mapping) else None
    if kind == "tool_use":
        entry.calls.append(Call(_name(part.get("name")) or "tool", part.get("input"), _name(part.get("id"))))
        return None
    if kind == "tool_result":
        entry.results.append(Result(_plain(part.get("content"), where), _name(part.get("tool_use_id"))))
        return None
    text = part.get("text", part.get("refusal")) if kind in _TEXT_PARTS else None
    if isinstance(text, str):
        return text
    raise InputError(
        f"{where}: the field 'content' holds a part that is no text (type {_name(kind) or 'missing'}). Judges read text "
        "alone: take the part out, or describe it in words."
    )


def _plain(content: Any, where: str) -> str:
    """The words of a result; what is no text or list of texts is spelled as JSON."""
    if content is None or isinstance(content, str):
        return content or ""
    if not isinstance(content, list):
        return spelled(content)
    inner = Entry(role="tool")
    return "\n".join(text for part in content if (text := _read_part(inner, part, where)) is not None)


def _calls(value: Mapping[str, Any], where: str) -> list[Call]:
    listed = value.get("tool_calls") or []
    if isinstance(value.get("function_call"), Mapping):
        listed = [*listed, {"function": value["function_call"]}]
    if not isinstance(listed, list):
        raise InputError(f"{where}: the field 'tool_calls' is {kind_of(listed)}. Write a list of calls.")
    return [_call(call, f"{where}, call {number}") for number, call in enumerate(listed, start=1)]


def _call(value: Any, where: str) -> Call:
    if not isinstance(value, Mapping):
        raise InputError(f"{where} is {kind_of(value)} and not an object with 'name' and 'arguments'.")
    function = value["function"] if isinstance(value.get("function"), Mapping) else value
    name = _name(function.get("name"))
    if not name:
        raise InputError(f"{where} has no 'name'. Write the name of the tool that is called.")
    result = value.get("result")
    given = None if result is None else _plain(result, where)
    return Call(name, _decoded(function.get("arguments", function.get("args"))), _name(value.get("id")), given)


def _decoded(arguments: Any) -> Any:
    """Arguments that are JSON inside a text as the value that they spell."""
    if not isinstance(arguments, str):
        return arguments
    found = decoded(arguments)
    return arguments if found.fault else found.value


def _files(value: Any, where: str) -> tuple[str, ...]:
    listed: Sequence[Any] = [value] if isinstance(value, str) else value or []
    if not isinstance(listed, list) or not all(isinstance(name, str) for name in listed):
        raise InputError(f"{where}: the field 'files' is no list of names. Write a list such as [\"src/a.py\"].")
    return tuple(name for name in listed if name)


def _duration(value: Any, where: str) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1e12:
        raise InputError(
            f"{where}: the field 'duration_s' is no number of seconds. Write one such as 1.5, or leave it out."
        )
    return float(value)
