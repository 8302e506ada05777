"""Reading a pointwise reply: the scores of one text on every criterion.

A pass mark or a word of praise beside the scores counts for nothing: only the scores do.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from judge_core.modes.pairs.pairwise import common_scale
from judge_core.modes.replies.json_reading import CUT, Answer, read_answer
from judge_core.modes.replies.prose import read_statements
from judge_core.modes.replies.rows import clamped, reasons_of, rows_of, score_of, text_of
from judge_core.records.criteria import Criterion
from judge_core.records.errors import ReplyError
from judge_core.records.notices import explain
from judge_core.records.record import Notice
from judge_core.records.verdict import PointReading
from judge_core.scoring.weighing import normalised, weighted_total


def read_pointwise(text: str, criteria: Sequence[Criterion], finish_reason: str | None = None) -> PointReading:
    """The reading of a raw reply; numbers are finite and on their scales. Prose as in `read_pairwise`. Raises ReplyError."""
    answer = read_answer(text, "criteria", finish_reason)
    return _from_prose(answer, criteria) if answer.value is None else _from_object(answer, answer.value, criteria)


def _from_object(answer: Answer, value: dict[str, Any], criteria: Sequence[Criterion]) -> PointReading:
    rows = rows_of(answer, criteria)
    warnings = [*rows.notices]
    scores: dict[str, float] = {}
    for criterion, row in rows.rows:
        score = score_of(row, criterion, cut=rows.cut)
        scores[criterion.name] = score.value
        warnings += score.notices
    return PointReading(
        scores=scores,
        total=weighted_total(scores, criteria),
        reasons=reasons_of(rows),
        overall=text_of(value.get("reasoning")),
        quotes=_quotes(value.get("quotes")),
        warnings=tuple(warnings),
    )


def _quotes(value: Any) -> tuple[str, ...]:
    """The passages that the judge quotes, as objects with a text or as bare texts."""
    listed = value if isinstance(value, list) else ()
    found = (text_of(item.get("text") if isinstance(item, dict) else item) for item in listed)
    return tuple(text for text in found if text.strip())


def _from_prose(answer: Answer, criteria: Sequence[Criterion]) -> PointReading:
    if answer.cut:
        raise ReplyError("truncated", CUT)
    scale = common_scale(criteria)
    stated = read_statements(answer.prose, scale.scale_max).scores.get("") if scale else None
    if scale is None or stated is None:
        raise ReplyError("no_verdict", "The reply is no JSON, and states no score plainly.")
    score = clamped(stated, scale, scale.name)
    return PointReading(
        scores={scale.name: score.value} if len(criteria) == 1 else {},
        total=normalised(score.value, scale),
        overall=text_of(answer.prose.strip()),
        warnings=(Notice(code="parse_fallback", message=explain("parse_fallback")), *score.notices),
    )
