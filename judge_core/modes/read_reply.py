"""How a judge's raw reply is read, as plain data for machines: one reader for each mode, found by the mode's name."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from judge_core.modes.pairwise import prose_scores, read_pairwise
from judge_core.modes.pointwise import read_pointwise
from judge_core.modes.replies.message import read_message
from judge_core.records.criteria import OVERALL, Criterion
from judge_core.records.errors import InputError, ReplyError
from judge_core.records.record import Notice

Read = dict[str, Any]
"""status, scores, totals, winner, ranking, warnings, error: always all of them."""


class Reader(NamedTuple):
    """How one mode's replies are read."""

    wanted: str
    """The field that a verdict of this mode must have."""
    read: Callable[[str, Sequence[Criterion], str | None], Read]


def read_reply(
    mode: str,
    raw: str | Mapping[str, Any],
    criteria: Sequence[Criterion] = (OVERALL,),
    finish_reason: str | None = None,
) -> Read:
    """The reading of a bare reply or of a whole assistant message object (also one spelled as JSON).

    Raises InputError for an unknown mode; an unreadable reply is status `parse_error` with its message under `error`.
    """
    reader = READERS.get(mode)
    if reader is None:
        raise InputError(f"There is no mode {mode!r}. Choose from: {', '.join(READERS)}.", field="mode")
    message = _message(raw) if isinstance(raw, str) else raw
    finish_reason = finish_reason or _finish_reason(message)
    text, notices = read_message(message, finish_reason, reader.wanted)
    try:
        read = reader.read(text, criteria or (OVERALL,), finish_reason)
    except ReplyError as error:
        return _read("parse_error", warnings=notices, error=str(error))
    return {**read, "warnings": [*_plain(notices), *read["warnings"]]}


def _message(raw: str) -> str | Mapping[str, Any]:
    """The message object that a text spells out, or the text itself."""
    if not raw.lstrip().startswith("{"):
        return raw
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError):
        return raw
    return value if isinstance(value, dict) and "content" in value and "criteria" not in value else raw


def _finish_reason(message: str | Mapping[str, Any]) -> str | None:
    reason = None if isinstance(message, str) else message.get("finish_reason")
    return reason if isinstance(reason, str) else None


def _pairwise(text: str, criteria: Sequence[Criterion], finish_reason: str | None) -> Read:
    reading = read_pairwise(text, criteria, finish_reason)
    by_criterion = {name: [pair.a, pair.b] for name, pair in reading.scores.items()}
    return _read(
        "ok",
        scores=prose_scores(text, criteria) if _is_prose(reading.warnings) else by_criterion,
        totals={"A": reading.totals.a, "B": reading.totals.b},
        winner=reading.winner,
        warnings=reading.warnings,
    )


def _pointwise(text: str, criteria: Sequence[Criterion], finish_reason: str | None) -> Read:
    reading = read_pointwise(text, criteria, finish_reason)
    return _read("ok", scores=dict(reading.scores), totals=reading.total, warnings=reading.warnings)


def _is_prose(warnings: Sequence[Notice]) -> bool:
    return any(notice.code == "parse_fallback" for notice in warnings)


def _read(status: str, *, warnings: Sequence[Notice] = (), **parts: Any) -> Read:
    empty: Read = {"scores": {}, "totals": None, "winner": None, "ranking": None, "error": None}
    return {"status": status, **empty, **parts, "warnings": _plain(warnings)}


def _plain(warnings: Sequence[Notice]) -> list[dict[str, str]]:
    return [{"code": notice.code, "message": notice.message} for notice in warnings]


READERS: dict[str, Reader] = {
    "pairwise": Reader("criteria", _pairwise),
    "pointwise": Reader("criteria", _pointwise),
}
"""The readers by mode: a new mode adds one line."""
