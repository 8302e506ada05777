"""Reading the replies about a retrieval answer: its claims, and the labels of claims and passages.

Numbers must be those that were shown, each once: a label that is missing, given twice or spelled in a way that could mean
two things is asked for again, never filled in. A passage that was not shown counts for nothing, and it is said.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any, Literal

from judge_core.modes.rag.form import MOST_CLAIMS, VERDICTS
from judge_core.modes.replies.json_reading import CUT, Answer, read_answer
from judge_core.modes.replies.rows import text_of
from judge_core.records.errors import ReplyError
from judge_core.records.item_verdict import ClaimLabel, Label
from judge_core.records.record import Notice, Record

MOST_CHARACTERS = 2000
"""Of one claim."""
Kind = Literal["claim", "passage"]
_ID = re.compile(r"(?:(claim|passage)[\s_#]*)?[\[(#]?0{0,5}(\d{1,6})[\])]?[.:]?", re.IGNORECASE | re.ASCII)
_EMPHASIS = str.maketrans("", "", "*`\"'")
_LABELS: dict[str, Label] = {"supported": "supported", "contradicted": "contradicted", "notfound": "not_found"}
_FLAGS = {"true": True, "yes": True, "relevant": True, "false": False, "no": False, "irrelevant": False}


class ClaimsReading(Record):
    """A list of claims as read, in the judge's words."""

    claims: tuple[str, ...]
    warnings: tuple[Notice, ...] = ()


class LabelsReading(Record):
    """Labels as read, in the order of their numbers."""

    claims: tuple[ClaimLabel, ...]
    relevant: dict[int, bool]
    warnings: tuple[Notice, ...] = ()


def read_claims(text: str, finish_reason: str | None = None, most: int | None = None) -> ClaimsReading:
    """The claims of a raw reply; an empty list is an answer. `most`: characters that all of them may have together.

    Raises ReplyError: those of `read_answer`, `no_verdict`, `truncated`, `bad_claim`, `too_many_claims`, `long_claim`.
    """
    answer = _answer(text, finish_reason)
    if _open_ended(answer):
        raise ReplyError("truncated", CUT)
    listed = _list(answer, "claims")
    if len(listed) > MOST_CLAIMS:
        raise ReplyError("too_many_claims", f"The reply lists {len(listed)} claims; at most {MOST_CLAIMS} are taken.")
    claims = tuple(_claim(number, value) for number, value in enumerate(listed, start=1))
    if most is not None and sum(map(len, claims)) > most:
        raise ReplyError("long_claim", f"The claims have more than {most} characters together. Say each in few words.")
    return ClaimsReading(claims=claims, warnings=answer.notices)


def read_labels(
    text: str, claims: int | None = None, passages: int | None = None, finish_reason: str | None = None
) -> LabelsReading:
    """The labels of so many claims and passages, numbered from 1; None: of those that the reply names; 0 passages: none are read.

    Raises ReplyError: those of `read_answer`, `no_verdict`, `truncated`, `unknown_label`, `bad_relevance`, and
    `missing_`, `repeated_` or `unknown_` with `claim` or `passage`.
    """
    answer = _answer(text, finish_reason)
    if _open_ended(answer) and (claims is None or passages is None):
        raise ReplyError("truncated", CUT)
    rows = _numbered(_list(answer, "claims"), "claim", claims, answer.cut)
    strays = _Strays(passages)
    labels = tuple(_label(number, row, strays, answer.cut) for number, row in rows.items())
    shown = _passage_rows(answer, passages, strays)
    relevant = {number: _relevant(number, row, answer.cut) for number, row in shown.items()}
    return LabelsReading(claims=labels, relevant=relevant, warnings=(*answer.notices, *strays.notices()))


class _Strays:
    """Counts the passages named that were not shown."""

    def __init__(self, shown: int | None):
        self.shown = shown
        self.count = 0

    def known(self, number: int | None) -> bool:
        """Whether the passage was shown; counted where not."""
        known = number is not None and number > 0 and (self.shown is None or number <= self.shown)
        self.count += not known
        return known

    def notices(self) -> tuple[Notice, ...]:
        if not self.count:
            return ()
        message = f"A passage that was not shown was named {self.count} time{'' if self.count == 1 else 's'}; that was left out."
        return (Notice(code="unknown_passage", message=message),)


def _answer(text: str, finish_reason: str | None) -> Answer:
    answer = read_answer(text, "claims", finish_reason)
    if answer.value is None:
        if answer.cut:
            raise ReplyError("truncated", CUT)
        raise ReplyError("no_verdict", "The reply is no JSON object with the field 'claims'.")
    return answer


def _open_ended(answer: Answer) -> bool:
    """Whether rows may be lost: the reply was cut, and what it held had to be closed for it."""
    return answer.cut and bool(answer.notices)


def _list(answer: Answer, field: str) -> list[Any]:
    value = (answer.value or {}).get(field)
    if isinstance(value, list):
        return value
    if answer.cut:
        raise ReplyError("truncated", CUT)
    raise ReplyError("no_verdict", f"The field {field!r} of the reply is not a list.")


def _claim(number: int, value: Any) -> str:
    words = text_of(value.get("text") if isinstance(value, dict) else value).strip()
    if not words:
        raise ReplyError("bad_claim", f"Entry {number} of the claims has no text.")
    if len(words) > MOST_CHARACTERS:
        raise ReplyError(
            "long_claim", f"Claim {number} has more than {MOST_CHARACTERS} characters; a claim is one statement."
        )
    return words


def _numbered(listed: Sequence[Any], kind: Kind, wanted: int | None, cut: bool) -> dict[int, dict[str, Any]]:
    """The rows by number, complete and in order."""
    rows: dict[int, dict[str, Any]] = {}
    for row in listed:
        number = _number(row.get("id"), kind) if isinstance(row, dict) else None
        if number is None or number < 1 or (wanted is not None and number > wanted):
            raise ReplyError(
                f"unknown_{kind}", f"The reply labels a {kind} that was not shown, or gives no number of one."
            )
        if number in rows:
            raise ReplyError(f"repeated_{kind}", f"The reply labels {kind} {number} more than once.")
        rows[number] = row
    _check_complete(rows, kind, wanted, cut)
    return dict(sorted(rows.items()))


def _check_complete(rows: Iterable[int], kind: Kind, wanted: int | None, cut: bool) -> None:
    missing = sorted(set(range(1, (wanted or 0) + 1)) - set(rows))
    if not missing:
        return
    if cut:
        raise ReplyError("truncated", CUT)
    plural = "" if len(missing) == 1 else "s"
    raise ReplyError(f"missing_{kind}", f"The reply does not label {kind}{plural} {', '.join(map(str, missing))}.")


def _number(value: Any, kind: Kind) -> int | None:
    """A number as it was shown: 3, '3', 'CLAIM 3', '[3]'; None for all else."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    match = _ID.fullmatch(value.strip()) if isinstance(value, str) and len(value) < 40 else None
    if match is None or (match[1] and match[1].lower() != kind):
        return None
    return int(match[2])


def _label(number: int, row: dict[str, Any], strays: _Strays, cut: bool) -> ClaimLabel:
    listed = _cited(row.get("passages")) if strays.shown != 0 else []
    numbers = filter(strays.known, map(partial(_number, kind="passage"), listed))
    passages = tuple(sorted({number for number in numbers if number is not None}))
    return ClaimLabel(claim=number, verdict=_verdict(number, _said(row, "verdict", cut)), passages=passages)


def _said(row: dict[str, Any], field: str, cut: bool) -> Any:
    """The field of a row; one that a cut reply did not come to is no fault of the judge."""
    if cut and field not in row:
        raise ReplyError("truncated", CUT)
    return row.get(field)


def _cited(value: Any) -> list[Any]:
    """What stands under a claim's passages: a list, one number, or numbers between commas."""
    if isinstance(value, str):
        return [piece for piece in value.strip("[] ").split(",") if _bare(piece) not in ("", "none")]
    return value if isinstance(value, list) else [] if value is None else [value]


def _verdict(number: int, value: Any) -> Label:
    """The label that a word plainly is. 'unsupported' is none: it may mean contradicted or not found."""
    label = _LABELS.get(re.sub(r"[\s_-]+", "", _bare(value)))
    if label is None:
        raise ReplyError("unknown_label", f"The verdict on claim {number} is not one of {', '.join(VERDICTS)}.")
    return label


def _bare(value: Any) -> str:
    return value.translate(_EMPHASIS).strip(" \t\r\n.!_").lower() if isinstance(value, str) and len(value) < 40 else ""


def _passage_rows(answer: Answer, passages: int | None, strays: _Strays) -> dict[int, dict[str, Any]]:
    """The rows of the passages that were shown; those of others are counted and left out."""
    if passages == 0 or (passages is None and "passages" not in (answer.value or {})):
        return {}
    listed = _list(answer, "passages")
    numbers = [_number(row.get("id"), "passage") if isinstance(row, dict) else None for row in listed]
    kept = [row for row, number in zip(listed, numbers, strict=True) if strays.known(number)]
    return _numbered(kept, "passage", passages, answer.cut)


def _relevant(number: int, row: dict[str, Any], cut: bool) -> bool:
    value = _said(row, "relevant", cut)
    flag = value if isinstance(value, bool) else _FLAGS.get(_bare(value))
    if flag is None:
        raise ReplyError("bad_relevance", f"Whether passage {number} is relevant is not said as true or false.")
    return flag
