"""What some servers refuse, as data: how they name it, and what to ask instead."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from judge_core.providers.replies import Complaint
from judge_core.records.record import Notice

Payload = dict[str, Any]


class Quirk(NamedTuple):
    """Something that some servers refuse."""

    name: str
    named: re.Pattern[str]
    """Searched in `param` and the words of a refused request."""
    present: Callable[[Payload], bool]
    change: Callable[[Payload], Payload]
    notice: Notice


def words(pattern: str) -> re.Pattern[str]:
    """The pattern, in any case."""
    return re.compile(pattern, re.IGNORECASE)


def has(name: str) -> Callable[[Payload], bool]:
    """Whether a payload holds that field."""
    return lambda payload: name in payload


def without(name: str) -> Callable[[Payload], Payload]:
    """The payload without that field."""
    return lambda payload: {key: value for key, value in payload.items() if key != name}


def renamed(old: str, new: str) -> Callable[[Payload], Payload]:
    """The payload with a field under another name."""
    return lambda payload: {new if key == old else key: value for key, value in payload.items()}


def has_system(payload: Payload) -> bool:
    """Whether there is a system message."""
    return any(message["role"] == "system" for message in payload["messages"])


def system_in_user(payload: Payload) -> Payload:
    """The same messages, with the system's words at the head of the first user message."""
    system = [m["content"] for m in payload["messages"] if m["role"] == "system"]
    others = [m for m in payload["messages"] if m["role"] != "system"]
    first = next((n for n, m in enumerate(others) if m["role"] == "user"), None)
    if first is None:
        return {**payload, "messages": [{"role": "user", "content": "\n\n".join(system)}, *others]}
    said = {"role": "user", "content": "\n\n".join([*system, others[first]["content"]])}
    return {**payload, "messages": [*others[:first], said, *others[first + 1 :]]}


def refused(quirks: Sequence[Quirk], complaint: Complaint, payload: Payload) -> Quirk | None:
    """The quirk that a refused request names, if the request has what it is about."""
    if complaint.status not in (400, 422) or complaint.kind != "refused":
        return None
    said = f"{complaint.param} {complaint.words[:2000]}"
    named = [quirk for quirk in quirks if quirk.present(payload) and quirk.named.search(said)]
    exact = [quirk for quirk in named if quirk.named.search(complaint.param)]
    return next(iter(exact or named), None)
