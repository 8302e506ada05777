"""Rows of scores: matching a reply's criteria to the rubric's, and reading each score.

Names must be those that were asked for, each once; case, spaces, emphasis and numbering do not matter. A score is a
number, or a text that is plainly one; what is anything else is refused, never guessed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any, NamedTuple

from judge_core.modes.replies.json_reading import CUT, Answer, loads
from judge_core.records.criteria import Criterion
from judge_core.records.errors import ReplyError
from judge_core.records.record import Notice
from judge_core.records.verdict import CriterionReason

Row = Mapping[str, Any]
_NUMBERING = re.compile(r"^(?:\(?\d{1,3}[.):]|[-•])\s+")
_EMPHASIS = str.maketrans("", "", "*_`#\"'")
_NUMBER = re.compile(r"([+-]?\d{1,20}(?:\.\d{1,20})?)(?:\s*(?:/|out of)\s*(\d{1,20}(?:\.\d{1,20})?))?", re.ASCII)
_LONGEST_SCORE = 80

PLACEHOLDER = re.compile(r"<(?:one|two|the next|a short)\b[^<>\n]{0,60}>")
"""What stands in the form of an answer where text is to be filled in."""


class Rows(NamedTuple):
    """The rows of the criteria that were asked for, in the rubric's order."""

    rows: tuple[tuple[Criterion, Row], ...]
    notices: tuple[Notice, ...]
    cut: bool
    """Whether the reply ended before it was complete."""


class Score(NamedTuple):
    value: float
    """On the criterion's own scale, within it."""
    notices: tuple[Notice, ...] = ()


def scale_of(criterion: Criterion) -> str:
    """The scale as prompts and messages write it.

    >>> scale_of(Criterion(name="Clarity", scale_min=1, scale_max=4.5))
    '1 to 4.5'
    """
    return f"{written(criterion.scale_min)} to {written(criterion.scale_max)}"


def written(number: float) -> str:
    """A number without a needless '.0', and without a minus before 0."""
    return str(int(number)) if float(number).is_integer() and abs(number) < 1e15 else repr(float(number))


def rows_of(answer: Answer, criteria: Sequence[Criterion]) -> Rows:
    """The row of each criterion from the reply's `criteria`: a list of objects, or such a list spelled as a string.

    Raises ReplyError: `no_verdict` for another form, `missing_criterion`, `repeated_criterion`, or `truncated`.
    """
    value = answer.value["criteria"] if answer.value else None
    listed = loads(value) if isinstance(value, str) else value
    if not isinstance(listed, list) or not all(isinstance(row, dict) for row in listed):
        raise ReplyError("no_verdict", "The field 'criteria' is not a list of objects, one for each criterion.")
    by_name: dict[str, Row] = {}
    unknown = 0
    names = _Names(criteria)
    for row in listed:
        name = names.find(row.get("name"))
        if name is None:
            unknown += 1
        elif name in by_name:
            raise ReplyError("repeated_criterion", f"The criterion {name!r} is scored more than once.")
        else:
            by_name[name] = row
    _check_complete(by_name, criteria, answer.cut)
    rows = tuple((criterion, by_name[criterion.name]) for criterion in criteria)
    return Rows(rows, answer.notices + _unknown_notice(unknown), answer.cut)


def _unknown_notice(count: int) -> tuple[Notice, ...]:
    if not count:
        return ()
    what = "1 unknown criterion was" if count == 1 else f"{count} unknown criteria were"
    return (Notice(code="unknown_criterion", message=f"{what} scored that nobody asked for, and ignored."),)


def _check_complete(by_name: Mapping[str, Row], criteria: Sequence[Criterion], cut: bool) -> None:
    missing = [criterion.name for criterion in criteria if criterion.name not in by_name]
    if not missing:
        return
    if cut:
        raise ReplyError("truncated", CUT)
    raise ReplyError("missing_criterion", "The reply holds no scores for: " + ", ".join(map(repr, missing)) + ".")


class _Names:
    """The criteria's names, exact and normalised."""

    def __init__(self, criteria: Sequence[Criterion]):
        self._exact = {criterion.name for criterion in criteria}
        self._criteria = criteria
        self._normalised: dict[str, str] | None = None

    def find(self, name: Any) -> str | None:
        if not isinstance(name, str):
            return None
        if name in self._exact:
            return name
        if self._normalised is None:
            self._normalised = self._unambiguous()
        return self._normalised.get(normalised_name(name))

    def _unambiguous(self) -> dict[str, str]:
        pairs = [(normalised_name(criterion.name), criterion.name) for criterion in self._criteria]
        count = Counter(normal for normal, _ in pairs)
        return {normal: name for normal, name in pairs if count[normal] == 1}


def normalised_name(name: str) -> str:
    """A name without case, numbering, emphasis and needless spaces.

    >>> normalised_name(" 2. **Use of  Evidence**:")
    'use of evidence'
    """
    bare = " ".join(name.translate(_EMPHASIS).split())
    return _NUMBERING.sub("", bare).rstrip(": ").casefold()


def score_of(row: Row, criterion: Criterion, side: str = "", cut: bool = False) -> Score:
    """The row's score for a side ('A', 'B', or '' for the only text), clamped to the scale with a notice.

    Raises ReplyError `bad_score` for what is not plainly a finite number, `truncated` where it is missing from a `cut` reply.
    """
    field = f"score_{side.lower()}" if side else "score"
    number = number_of(row.get(field), criterion.scale_max)
    whose = f"{criterion.name} {side}" if side else criterion.name
    if number is not None:
        return clamped(number, criterion, whose)
    if cut and field not in row:
        raise ReplyError("truncated", CUT)
    raise ReplyError("bad_score", f"The score {whose} is not a plain number on the scale {scale_of(criterion)}.")


def clamped(number: float, criterion: Criterion, whose: str) -> Score:
    """A finite number moved into the criterion's scale; moving it is said with the name `whose`.

    >>> clamped(11, Criterion(name="Clarity"), "Clarity A").notices[0].message
    'Clarity A was 11, outside of 0 to 10, and counts as 10.'
    """
    inside = min(max(number, criterion.scale_min), criterion.scale_max)
    if inside == number:
        return Score(float(number) + 0.0)
    message = f"{whose} was {number:g}, outside of {scale_of(criterion)}, and counts as {written(inside)}."
    return Score(float(inside), (Notice(code="score_clamped", message=message),))


def number_of(value: Any, scale_max: float) -> float | None:
    """A finite number from a JSON value; None where it is not plainly one.

    >>> [number_of(value, 10) for value in (7, "7.5", "8/10", "8/20", "7,5", [8], True, None)]
    [7.0, 7.5, 8.0, None, None, None, None, None]
    """
    if isinstance(value, str):
        return _spelled_number(value.strip(), scale_max)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if isfinite(number) else None


def _spelled_number(text: str, scale_max: float) -> float | None:
    match = _NUMBER.fullmatch(text) if len(text) <= _LONGEST_SCORE else None
    if match is None or (match[2] and float(match[2]) != scale_max):
        return None
    return float(match[1])


def reasons_of(rows: Rows) -> tuple[CriterionReason, ...]:
    """The judge's reasons by criterion, exactly as written."""
    found = ((criterion.name, text_of(row.get("reasoning"))) for criterion, row in rows.rows)
    return tuple(CriterionReason(name=name, text=text) for name, text in found if text)


def text_of(value: Any) -> str:
    """A JSON value as text: strings as they are but for lone surrogates, which no file or page can hold; else ''.

    A placeholder of the form, echoed by a judge that filled nothing in, is no text.

    >>> text_of("<one sentence>"), text_of("Less is <more>.")
    ('', 'Less is <more>.')
    """
    if not isinstance(value, str) or PLACEHOLDER.fullmatch(value.strip()):
        return ""
    try:
        value.encode()
    except UnicodeEncodeError:
        return value.encode("utf-8", "replace").decode()
    return value
