"""What some servers refuse, as data: how they name it, and what to ask instead."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from judge_core.providers.replies import Complaint, notice
from judge_core.providers.wire.chances import ALTERNATIVES
from judge_core.records.prompt import OF_PAIRS, Prompt
from judge_core.records.record import Notice
from judge_core.records.spec import JudgeSpec

Payload = dict[str, Any]


class Quirk(NamedTuple):
    """Something that some servers refuse."""

    name: str
    named: re.Pattern[str]
    """Searched in `param` and the words of a refused request."""
    present: Callable[[Payload], bool]
    change: Callable[[Payload], Payload]
    notice: Notice
    statuses: tuple[int, ...] = (400, 422)
    """With which it is refused."""


def words(pattern: str) -> re.Pattern[str]:
    """The pattern, in any case."""
    return re.compile(pattern, re.IGNORECASE)


LOG_PROBABILITIES: Payload = {"logprobs": True, "top_logprobs": ALTERNATIVES}
"""What is sent to be told the probabilities of tokens."""


def has(name: str) -> Callable[[Payload], bool]:
    """Whether a payload holds that field."""
    return lambda payload: name in payload


def without(*names: str) -> Callable[[Payload], Payload]:
    """The payload without these fields."""
    return lambda payload: {key: value for key, value in payload.items() if key not in names}


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


NO_LOG_PROBABILITIES = Quirk(
    "logprobs", words(r"log_?probs?\b|\blog[- ]?prob"), has("logprobs"), without(*LOG_PROBABILITIES),
    notice("parameter_refused", "logprobs, which tell how sure it is of its winner"), statuses=(400, 403, 422),
)  # fmt: skip
"""Reasoning models of some vendors answer 403 to it, as if the key were at fault."""


def asked_log_probabilities(judge: JudgeSpec, prompt: Prompt) -> Payload:
    """The fields to add to a request: only where the judge is to be asked, and the answer names a winner."""
    return LOG_PROBABILITIES if judge.log_probabilities and prompt.sheet.mode in OF_PAIRS else {}


def refused(quirks: Sequence[Quirk], complaint: Complaint, payload: Payload) -> Quirk | None:
    """The quirk that a refused request names, if the request has what it is about."""
    if complaint.kind not in ("refused", "denied"):
        return None
    said = f"{complaint.param} {complaint.words[:2000]}"
    meant = [quirk for quirk in quirks if complaint.status in quirk.statuses and quirk.present(payload)]
    named = [quirk for quirk in meant if quirk.named.search(said)]
    exact = [quirk for quirk in named if quirk.named.search(complaint.param)]
    return next(iter(exact or named), None)
