"""Recorded matches from the rows of a table: no row is guessed at or dropped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches

from judge_core.ranking.rate.result import GREATEST, POINTS, Outcome, RecordedMatch
from judge_core.records.errors import InputError
from judge_core.records.numbers import typed_number


def read_matches(rows: Sequence[Mapping[str, object]]) -> tuple[RecordedMatch, ...]:
    """Matches from rows with a, b, result and optionally weight, judge, margin, words_a, words_b; others are left alone.

    InputError names the row (from 1) and what is wrong in it.

    >>> read_matches([{"a": "x", "b": "y", "result": "Tie"}])[0].result
    'tie'
    """
    return tuple(_read_match(number, row) for number, row in enumerate(rows, start=1))


def _read_match(number: int, row: Mapping[str, object]) -> RecordedMatch:
    missing = [column for column in ("a", "b", "result") if row.get(column) in (None, "")]
    if missing:
        raise InputError(f"Match {number} has no {' and no '.join(missing)}. Each match needs a, b and result.")
    a, b = str(row["a"]), str(row["b"])
    if a == b:
        raise InputError(f"Match {number} sets {a!r} against itself. Give two different items.")
    judge = row.get("judge")
    weight = _number(number, row, "weight", positive=True)
    return RecordedMatch(
        a=a,
        b=b,
        result=_outcome(number, row["result"]),
        weight=1.0 if weight is None else weight,
        judge="" if judge is None else str(judge),
        margin=_number(number, row, "margin", positive=False),
        words_a=_number(number, row, "words_a", positive=True),
        words_b=_number(number, row, "words_b", positive=True),
    )


def _outcome(number: int, label: object) -> Outcome:
    spelt = str(label).strip().casefold()
    for outcome in POINTS:
        if spelt == outcome:
            return outcome
    near = get_close_matches(spelt, POINTS, n=1)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    raise InputError(
        f"Match {number} has the unknown result {str(label)[:60]!r}. Use a, b or tie.{hint}", field="result"
    )


def _number(number: int, row: Mapping[str, object], column: str, *, positive: bool) -> float | None:
    value = row.get(column)
    if value in (None, ""):
        return None
    read = typed_number(str(value))
    if read is None or abs(read) > GREATEST or (positive and not read > 0):
        allowed = f"above 0, at most {GREATEST:,.0f}" if positive else f"of {GREATEST:,.0f} at most, plus or minus"
        raise InputError(f"Match {number} has the {column} {str(value)[:60]!r}. Give a number {allowed}.", field=column)
    return read
