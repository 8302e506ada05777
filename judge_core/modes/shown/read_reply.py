"""How a judge's raw reply is read, as plain data for machines: one reader for each mode, found by the mode's name."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from judge_core.modes.agent.reading import read_agent
from judge_core.modes.listwise.reading import read_listwise
from judge_core.modes.pairs.pairwise import prose_scores, read_pairwise
from judge_core.modes.points.pointwise import read_pointwise
from judge_core.modes.points.review import read_gate
from judge_core.modes.rag.form import MOST_CLAIMS
from judge_core.modes.rag.reading import read_labels
from judge_core.modes.replies.json_reading import OPEN_ENDED, read_answer
from judge_core.modes.replies.message import read_message
from judge_core.modes.replies.ranking_line import read_ranking
from judge_core.records.criteria import OVERALL, Criterion
from judge_core.records.errors import InputError, ReplyError
from judge_core.records.item_verdict import ClaimLabel, RagMetrics
from judge_core.records.notices import explain
from judge_core.records.record import Notice
from judge_core.scoring.rag import claim_share, rag_metrics

Read = dict[str, Any]
"""status, scores, totals, winner, ranking, warnings, error: always all of them; then what the mode has of its own."""
VERSIONS = ("1", "2", "3")
"""What a refinement's judge calls the versions that it ranks, unless other labels are given."""


class Asked(NamedTuple):
    """What the judge was shown and asked, as far as the reading depends on it."""

    criteria: Sequence[Criterion] = (OVERALL,)
    labels: tuple[str, ...] | None = None
    """Listwise and refine: what the texts were called. None: listwise takes those named, refine 1, 2 and 3."""
    claims: int | None = None
    """Retrieval answers: how many claims were given. None: those named count."""


class Reader(NamedTuple):
    """How one mode's replies are read."""

    wanted: str
    """The field that a verdict of this mode must have."""
    read: Callable[[str, Asked, str | None], Read]
    unread: str = "parse_error"
    """The status of a reply that cannot be read."""


def read_reply(
    mode: str,
    raw: str | Mapping[str, Any],
    criteria: Sequence[Criterion] = (OVERALL,),
    finish_reason: str | None = None,
    labels: Sequence[str] | None = None,
    claims: int | None = None,
) -> Read:
    """The reading of a bare reply or of a whole assistant message object (also one spelled as JSON).

    An unreadable reply is status `parse_error`, in mode refine `abstain`, with its message under `error`.
    Raises InputError for an unknown mode, labels that cannot be told apart, or an impossible count of claims.
    """
    reader = READERS.get(mode)
    if reader is None:
        raise InputError(f"There is no mode {mode!r}. Choose from: {', '.join(READERS)}.", field="mode")
    asked = Asked(criteria or (OVERALL,), _checked_labels(labels), _checked_claims(claims))
    message = _message(raw, reader.wanted) if isinstance(raw, str) else raw
    finish_reason = finish_reason or _finish_reason(message)
    text, notices = read_message(message, finish_reason, reader.wanted)
    try:
        read = reader.read(text, asked, finish_reason)
    except ReplyError as error:
        return _read(reader.unread, warnings=notices, error=str(error))
    return {**read, "warnings": [*_plain(notices), *read["warnings"]]}


def _checked_labels(labels: Sequence[str] | None) -> tuple[str, ...] | None:
    if labels is None:
        return None
    given = tuple(label.strip() for label in labels)
    if len(given) < 2 or not all(given) or len(set(given)) < len(given):
        raise InputError(
            f"The labels {', '.join(map(repr, given))} are no list to be ranked. "
            "Give at least two different ones, such as 1,2,3.",
            field="labels",
        )
    return given


def _checked_claims(claims: int | None) -> int | None:
    if claims is not None and not 0 <= claims <= MOST_CLAIMS:
        raise InputError(f"There cannot be {claims} claims. Give 0 to {MOST_CLAIMS}.", field="claims")
    return claims


def _message(raw: str, wanted: str) -> str | Mapping[str, Any]:
    """The message object that a text spells out, or the text itself."""
    if not raw.lstrip().startswith("{"):
        return raw
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError):
        return raw
    return value if isinstance(value, dict) and "content" in value and wanted not in value else raw


def _finish_reason(message: str | Mapping[str, Any]) -> str | None:
    reason = None if isinstance(message, str) else message.get("finish_reason")
    return reason if isinstance(reason, str) else None


def _pairwise(text: str, asked: Asked, finish_reason: str | None) -> Read:
    reading = read_pairwise(text, asked.criteria, finish_reason)
    by_criterion = {name: [pair.a, pair.b] for name, pair in reading.scores.items()}
    return _read(
        "ok",
        scores=prose_scores(text, asked.criteria) if _is_prose(reading.warnings) else by_criterion,
        totals={"A": reading.totals.a, "B": reading.totals.b},
        winner=reading.winner,
        warnings=reading.warnings,
        level=reading.level,
    )


def _pointwise(text: str, asked: Asked, finish_reason: str | None) -> Read:
    reading = read_pointwise(text, asked.criteria, finish_reason)
    return _read("ok", scores=dict(reading.scores), totals=reading.total, warnings=reading.warnings)


def _gate(text: str, asked: Asked, finish_reason: str | None) -> Read:
    reading = read_gate(text, asked.criteria, finish_reason)
    scores = reading.scores
    return _read("ok", scores=dict(scores.scores), totals=scores.total, warnings=scores.warnings, stated=reading.stated)


def _listwise(text: str, asked: Asked, finish_reason: str | None) -> Read:
    reading = read_listwise(text, asked.labels, finish_reason)
    return _read("ok", ranking=list(reading.ranking), warnings=reading.warnings)


def _refine(text: str, asked: Asked, finish_reason: str | None) -> Read:
    reading = read_ranking(text, asked.labels or VERSIONS, finish_reason)
    return _read("ok", ranking=list(reading.ranking), warnings=reading.warnings)


def _rag(text: str, asked: Asked, finish_reason: str | None) -> Read:
    reading = read_labels(text, asked.claims, None, finish_reason)
    _check_closed(text, "claims", finish_reason)
    claims = [
        {"id": label.claim, "verdict": label.verdict, "passages": list(label.passages)} for label in reading.claims
    ]
    nothing = () if claims else (Notice(code="no_claims", message=explain("no_claims")),)
    return _read(
        "ok",
        claims=claims,
        passages=[{"id": number, "relevant": flag} for number, flag in reading.relevant.items()],
        metrics=_rag_figures(reading.claims, reading.relevant),
        warnings=(*reading.warnings, *nothing),
    )


def _rag_figures(claims: Sequence[ClaimLabel], relevant: Mapping[int, bool]) -> dict[str, float | None]:
    """The figures that the labels alone give; null for the others, and where there is nothing to measure."""
    shown = set(range(1, len(relevant) + 1))
    if set(relevant) == shown and all(shown.issuperset(claim.passages) for claim in claims):
        return rag_metrics(claims, relevant, len(shown)).model_dump()
    shares = RagMetrics(
        faithfulness=claim_share(claims, "supported"), contradiction=claim_share(claims, "contradicted")
    )
    return shares.model_dump()


def _agent(text: str, _asked: Asked, finish_reason: str | None) -> Read:
    reading = read_agent(text, None, finish_reason)
    _check_closed(text, "steps", finish_reason)
    steps = [step.model_dump() for step in reading.steps]
    return _read("ok", goal=reading.goal, steps=steps, warnings=reading.warnings)


def _check_closed(text: str, wanted: str, finish_reason: str | None) -> None:
    """Where nobody says how many entries there had to be, a list must have its end. Raises ReplyError."""
    if not read_answer(text, wanted, finish_reason).closed:
        raise ReplyError("truncated", OPEN_ENDED)


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
    "gate": Reader("criteria", _gate),
    "listwise": Reader("ranking", _listwise),
    "refine": Reader("ranking", _refine, unread="abstain"),
    "rag": Reader("claims", _rag),
    "agent": Reader("steps", _agent),
}
"""The readers by mode: a new mode adds one line."""
