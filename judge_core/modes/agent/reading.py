"""Reading what a judge says of an agent's run: labels of goal, steps and calls, and the patterns that it sees.

Steps are matched by number, each exactly once. A word that is none of the labels is refused, never guessed.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from math import isfinite
from typing import Any, Literal, TypeVar, get_args

from judge_core.modes.agent.form import NAMES
from judge_core.modes.replies.json_reading import CUT, Answer, loads, read_answer
from judge_core.modes.replies.rows import number_of, text_of
from judge_core.records.errors import ReplyError
from judge_core.records.item import Pattern
from judge_core.records.item_verdict import Goal, StepLabel, StepWorth
from judge_core.records.record import Notice, Record
from judge_core.scoring.trajectory.patterns import SEVERITY, TAXONOMY

Word = TypeVar("Word", bound=str)
Row = dict[str, Any]
_GOALS: tuple[Goal, ...] = get_args(Goal)
_WORTHS: tuple[StepWorth, ...] = get_args(StepWorth)
_CALLS: tuple[Literal["correct", "wrong"], ...] = ("correct", "wrong")
_STEP = re.compile(r"\s*(?:step\s{0,9})?#?0{0,9}([1-9]\d{0,5})[.:]?\s*", re.IGNORECASE | re.ASCII)
_NAMED = 5
"""How many step numbers a message names at most."""


class AgentReading(Record):
    """A reply about a run as read. Re-made from the raw reply whenever it is shown."""

    goal: Goal
    steps: tuple[StepLabel, ...]
    """In the order of their numbers."""
    quotes: tuple[str, ...] = ()
    overall: str = ""
    warnings: tuple[Notice, ...] = ()


class PatternsReading(Record):
    """A reply about patterns as read."""

    patterns: tuple[Pattern, ...] = ()
    """As sure as the judge says: how sure is sure enough is not decided here."""
    warnings: tuple[Notice, ...] = ()


def read_agent(
    text: str, steps: int | None = None, finish_reason: str | None = None, calling: Collection[int] | None = None
) -> AgentReading:
    """The labels in a raw reply about a run of so many `steps` (None: not known, then the steps named count).

    `calling`: the numbers of the steps that call a tool; None: not known, and a label of a call stands where one is given.
    Else a label for a call that there is none of is dropped, and one that is missing raises. Raises ReplyError.
    """
    answer = read_answer(text, "steps", finish_reason)
    if answer.value is None:
        raise ReplyError("no_verdict", "The reply holds no JSON object with labels.")
    rows = _rows_by_step(answer, steps)
    goal = _one_of(answer.value.get("goal"), _GOALS)
    if goal is None:
        missing = answer.cut and "goal" not in answer.value
        raise (
            ReplyError("truncated", CUT)
            if missing
            else ReplyError("bad_label", "The field 'goal' is none of: achieved, partly, not_achieved.")
        )
    return AgentReading(
        goal=goal,
        steps=tuple(_label(number, rows[number], calling, answer.cut) for number in sorted(rows)),
        quotes=_quotes(answer.value.get("quotes")),
        overall=text_of(answer.value.get("reasoning")),
        warnings=answer.notices,
    )


def read_patterns(text: str, steps: int | None = None, finish_reason: str | None = None) -> PatternsReading:
    """The patterns in a raw reply; an empty list is a reading too. Raises ReplyError, also where the reply was cut."""
    answer = read_answer(text, "patterns", finish_reason)
    if answer.cut:
        raise ReplyError("truncated", CUT)
    if answer.value is None:
        raise ReplyError("no_verdict", "The reply holds no JSON object with patterns.")
    rows = _listed(answer.value["patterns"], "patterns")
    return PatternsReading(patterns=tuple(_pattern(row, steps) for row in rows), warnings=answer.notices)


def step_number(value: Any) -> int | None:
    """The number of a step as a judge writes it; None where it is none.

    >>> [step_number(value) for value in (3, "3", "STEP 3", "3-5", 0, True, None)]
    [3, 3, 3, None, None, None, None]
    """
    if isinstance(value, int) and not isinstance(value, bool):
        return value if value > 0 else None
    found = _STEP.fullmatch(value) if isinstance(value, str) else None
    return int(found[1]) if found else None


def _rows_by_step(answer: Answer, steps: int | None) -> dict[int, Row]:
    """A row for each step, none missing, none twice, none too many."""
    rows: dict[int, Row] = {}
    for row in _listed(answer.value["steps"] if answer.value else None, "steps"):
        number = step_number(row.get("step"))
        if number is None:
            raise ReplyError("bad_step", "A row of 'steps' names no step by its number.")
        if number in rows:
            raise ReplyError("repeated_step", f"Step {number} is labelled more than once.")
        rows[number] = row
    _check_steps(rows, max(rows, default=0) if steps is None else steps, answer.cut)
    return rows


def _check_steps(rows: Collection[int], steps: int, cut: bool) -> None:
    missing = [number for number in range(1, min(steps, len(rows) + _NAMED + 1) + 1) if number not in rows]
    if missing and cut:
        raise ReplyError("truncated", CUT)
    if missing:
        raise ReplyError("missing_step", f"The reply holds no label for {_steps(missing)}.")
    if len(rows) > steps:
        raise ReplyError("unknown_step", f"The reply labels more steps than there are: there are {steps}.")
    if not rows:
        raise ReplyError("missing_step", "The reply labels no step.")


def _steps(numbers: Sequence[int]) -> str:
    more = ", ..." if len(numbers) > _NAMED else ""
    return f"step{'' if len(numbers) == 1 else 's'} {', '.join(map(str, numbers[:_NAMED]))}{more}"


def _listed(value: Any, field: str) -> list[Row]:
    """The rows of a list of objects, or of such a list spelled as a string."""
    listed = loads(value) if isinstance(value, str) else value
    if not isinstance(listed, list) or not all(isinstance(row, dict) for row in listed):
        raise ReplyError("no_verdict", f"The field {field!r} is not a list of objects.")
    return listed


def _label(number: int, row: Row, calling: Collection[int] | None, cut: bool) -> StepLabel:
    worth = _one_of(row.get("label"), _WORTHS)
    if worth is None:
        if cut and "label" not in row:
            raise ReplyError("truncated", CUT)
        raise ReplyError("bad_label", f"The label of step {number} is none of: useful, redundant, harmful.")
    return StepLabel(step=number, label=worth, call_correct=_call(number, row, calling, cut))


def _call(number: int, row: Row, calling: Collection[int] | None, cut: bool) -> bool | None:
    if calling is not None and number not in calling:
        return None
    word = _one_of(row.get("call"), _CALLS)
    if word is not None:
        return word == "correct"
    if calling is None and _one_of(row.get("call", "none"), ("none",)):
        return None
    if cut and "call" not in row:
        raise ReplyError("truncated", CUT)
    raise ReplyError("missing_call", f"Step {number} calls a tool, but its call is labelled neither correct nor wrong.")


def _one_of(value: Any, words: Sequence[Word]) -> Word | None:
    """The word that a value is, whatever its case and blanks; None where it is none of them."""
    if not isinstance(value, str) or len(value) > 40:
        return None
    plain = re.sub(r"[\s_-]+", "_", value.strip().strip("\"'*`.").casefold())
    return next((word for word in words if word == plain), None)


def _quotes(value: Any) -> tuple[str, ...]:
    items = value if isinstance(value, list) else []
    found = (text_of(item.get("text") if isinstance(item, dict) else item).strip() for item in items)
    return tuple(text for text in found if text)


def _pattern(row: Row, steps: int | None) -> Pattern:
    name = _one_of(row.get("name"), NAMES)
    if name is None:
        raise ReplyError("bad_pattern", f"A pattern's name is none of: {', '.join(NAMES)}.")
    numbers = row.get("steps")
    places = [step_number(value) for value in numbers] if isinstance(numbers, list) else []
    known = sorted({place for place in places if place is not None and (steps is None or place <= steps)})
    if not places or None in places or len(known) < len(set(places)):
        raise ReplyError("bad_step", f"The steps of the pattern {name} are not numbers of steps that were shown.")
    confidence = number_of(row.get("confidence"), 1)
    if confidence is None or not isfinite(confidence) or not 0 <= confidence <= 1:
        raise ReplyError("bad_confidence", f"The confidence of the pattern {name} is not a plain number from 0 to 1.")
    return Pattern(
        name=name,
        steps=tuple(known),
        severity=SEVERITY[name],
        taxonomy=TAXONOMY[name],
        source="judge",
        confidence=confidence,
    )
