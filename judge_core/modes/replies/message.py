"""Assistant messages: where in a provider's message object the answer stands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from judge_core.modes.replies.json_reading import read_answer
from judge_core.records.errors import ReplyError
from judge_core.records.notices import explain
from judge_core.records.record import Notice

_ENDED = (None, "stop", "end_turn", "eos")
"""Finish reasons of a reply that the model itself ended."""
_REASONING_FIELDS = ("reasoning_content", "reasoning")


class MessageText(NamedTuple):
    text: str
    """Empty where the message holds no answer."""
    notices: tuple[Notice, ...] = ()


def read_message(
    message: Mapping[str, Any] | str, finish_reason: str | None = None, wanted: str = "criteria"
) -> MessageText:
    """The answer's text: `content` (a text or a list of parts).

    Where that is blank, the reasoning field counts only if the model ended by itself and a finished object with the key
    `wanted` stands there, with notice `reasoning_field`.
    """
    if isinstance(message, str):
        return MessageText(message)
    text = _content(message.get("content"))
    if text.strip() or finish_reason not in _ENDED:
        return MessageText(text)
    for field in _REASONING_FIELDS:
        reasoning = message.get(field)
        if isinstance(reasoning, str) and _finished(reasoning, wanted):
            return MessageText(reasoning, (Notice(code="reasoning_field", message=explain("reasoning_field")),))
    return MessageText(text)


def _content(content: Any) -> str:
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    return "".join(_part(part) for part in content)


def _part(part: Any) -> str:
    if isinstance(part, str):
        return part
    text = part.get("text") if isinstance(part, dict) else None
    return text if isinstance(text, str) else ""


def _finished(reasoning: str, wanted: str) -> bool:
    try:
        answer = read_answer(reasoning, wanted)
    except ReplyError:
        return False
    return answer.value is not None and not answer.notices
