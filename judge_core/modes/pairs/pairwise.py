"""Reading a pairwise reply: scores of two texts on every criterion, and who won by them.

The winner is always recomputed from the clamped, normalised, weighted scores; the one that the judge named is kept
beside it and only warns. Sides are as the judge saw them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from judge_core.modes.replies.json_reading import CUT, Answer, read_answer
from judge_core.modes.replies.prose import ProseVerdict, graded_winner, read_statements, stated_degree, stated_winner
from judge_core.modes.replies.rows import clamped, reasons_of, rows_of, score_of, text_of
from judge_core.records.criteria import OVERALL, Criterion
from judge_core.records.errors import ReplyError
from judge_core.records.notices import explain
from judge_core.records.record import Notice
from judge_core.records.verdict import Degree, PairReading, PairScores, Quote, Side, Winner
from judge_core.scoring.weighing import normalised, pair_totals, winner_of

_OTHER: dict[Winner, Winner] = {"A": "B", "B": "A", "tie": "tie"}
_OTHER_SIDE: dict[Side, Side] = {"A": "B", "B": "A"}
_STATED_TOTALS: dict[Winner, PairScores] = {
    "A": PairScores(a=1, b=0),
    "B": PairScores(a=0, b=1),
    "tie": PairScores(a=0.5, b=0.5),
}


def read_pairwise(text: str, criteria: Sequence[Criterion], finish_reason: str | None = None) -> PairReading:
    """The reading of a raw reply; numbers are finite and on their scales.

    A reply in prose is read only for plainly stated scores and winner, with notice `parse_fallback`: its scores stand
    under the criterion where there is just one, else only in the totals (`scores` is then empty). Raises ReplyError.
    """
    answer = read_answer(text, "criteria", finish_reason)
    return _from_prose(answer, criteria) if answer.value is None else _from_object(answer, answer.value, criteria)


def _from_object(answer: Answer, value: dict[str, Any], criteria: Sequence[Criterion]) -> PairReading:
    rows = rows_of(answer, criteria)
    warnings = [*rows.notices]
    scores: dict[str, PairScores] = {}
    for criterion, row in rows.rows:
        a, b = score_of(row, criterion, "A", rows.cut), score_of(row, criterion, "B", rows.cut)
        scores[criterion.name] = PairScores(a=a.value, b=b.value)
        warnings += a.notices + b.notices
    totals = pair_totals(scores, criteria)
    stated, degree = _stated(value)
    return PairReading(
        scores=scores,
        totals=totals,
        winner=winner_of(totals),
        stated=stated,
        reasons=reasons_of(rows),
        overall=text_of(value.get("reasoning")),
        quotes=_quotes(value.get("quotes")),
        warnings=(*warnings, *_mismatch(stated, winner_of(totals))),
        degree=degree,
    )


def _stated(value: dict[str, Any]) -> tuple[Winner | None, Degree | None]:
    """The winner that the judge named and how far it says that it is ahead, in two fields or in one ('A>>B')."""
    named = value.get("winner")
    winner, degree = graded_winner(named)
    return stated_winner(named) or winner, stated_degree(value.get("degree")) or degree


def _mismatch(stated: Winner | None, winner: Winner) -> tuple[Notice, ...]:
    if stated is None or stated == winner:
        return ()
    named, given = (side if side == "tie" else f"text {side}" for side in (stated, winner))
    message = f"The judge named {named} as the winner, but its own scores give {given}; the scores count."
    return (Notice(code="verdict_mismatch", message=message),)


def _quotes(value: Any) -> tuple[Quote, ...]:
    found = []
    for item in value if isinstance(value, list) else ():
        side = stated_winner(item.get("side")) if isinstance(item, dict) else None
        text = text_of(item.get("text")) if isinstance(item, dict) else ""
        if text and side in ("A", "B"):
            found.append(Quote(side="A" if side == "A" else "B", text=text))
    return tuple(found)


def _from_prose(answer: Answer, criteria: Sequence[Criterion]) -> PairReading:
    if answer.cut:
        raise ReplyError("truncated", CUT)
    scale = common_scale(criteria)
    verdict = read_statements(answer.prose, scale.scale_max if scale else None)
    warnings = [Notice(code="parse_fallback", message=explain("parse_fallback"))]
    scores: dict[str, PairScores] = {}
    if scale and {"A", "B"} <= verdict.scores.keys():
        a, b = (clamped(verdict.scores[side], scale, f"{scale.name} {side}") for side in ("A", "B"))
        warnings += a.notices + b.notices
        totals = PairScores(a=normalised(a.value, scale), b=normalised(b.value, scale))
        if len(criteria) == 1:
            scores = {scale.name: PairScores(a=a.value, b=b.value)}
    elif verdict.stated:
        totals = _STATED_TOTALS[verdict.stated]
    else:
        raise ReplyError("no_verdict", "The reply is no JSON, and states no winner and no scores plainly.")
    warnings += _mismatch(verdict.stated, winner_of(totals))
    return PairReading(
        scores=scores,
        totals=totals,
        winner=winner_of(totals),
        stated=verdict.stated,
        overall=text_of(answer.prose.strip()),
        warnings=tuple(warnings),
        degree=verdict.degree,
    )


def prose_scores(text: str, criteria: Sequence[Criterion]) -> dict[str, float]:
    """The native overall scores that a prose reply states, by side, clamped; {} where it states none. Raises ReplyError."""
    scale = common_scale(criteria)
    prose = read_answer(text, "criteria").prose
    verdict = read_statements(prose, scale.scale_max) if scale else ProseVerdict({}, None)
    return {side: clamped(value, scale, side).value for side, value in verdict.scores.items()} if scale else {}


def common_scale(criteria: Sequence[Criterion]) -> Criterion | None:
    """The scale that an overall score is on: that of the criteria where they share one, named 'Overall' if there are many."""
    if len(criteria) == 1:
        return criteria[0]
    scales = {(criterion.scale_min, criterion.scale_max) for criterion in criteria}
    if len(scales) != 1:
        return None
    low, high = scales.pop()
    return OVERALL.model_copy(update={"scale_min": low, "scale_max": high})


def swap_sides(reading: PairReading) -> PairReading:
    """The same reading with A and B exchanged, and so its level. The judge's words, and warnings about its sides, stay."""
    return reading.model_copy(
        update={
            "scores": {name: swapped(pair) for name, pair in reading.scores.items()},
            "totals": swapped(reading.totals),
            "winner": _OTHER[reading.winner],
            "stated": reading.stated and _OTHER[reading.stated],
            "quotes": tuple(quote.model_copy(update={"side": _OTHER_SIDE[quote.side]}) for quote in reading.quotes),
        }
    )


def swapped(pair: PairScores) -> PairScores:
    """The pair with a and b exchanged."""
    return PairScores(a=pair.b, b=pair.a)
