"""Recorded matches from the rows of a table: no row is guessed at or dropped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches

from judge_core.ranking.rate.result import GREATEST, Outcome, RecordedMatch
from judge_core.records.errors import InputError
from judge_core.records.numbers import typed_number

WORDS: Mapping[str, Outcome] = {"a": "a", "b": "b", "tie": "tie", "draw": "tie"}
"""What a result may be besides the winner's name."""


def read_matches(rows: Sequence[Mapping[str, object]]) -> tuple[RecordedMatch, ...]:
    """Matches from rows with a, b, result and optionally weight, judge, margin, words_a, words_b; others are left alone.

    A result is a, b, tie or draw, in any case, and so read always, else the winner's name just as it stands in a or b.
    InputError names the row (from 1) and what is wrong in it; also where rows name their winners and one of these words
    is the name of an item too, so that it could mean either.

    >>> [match.result for match in read_matches([{"a": "x", "b": "y", "result": found} for found in ("Draw", "y")])]
    ['tie', 'b']
    """
    matches = tuple(_read_match(number, row) for number, row in enumerate(rows, start=1))
    if any(_spelt(row["result"]) not in WORDS for row in rows):
        for number, (row, match) in enumerate(zip(rows, matches, strict=True), start=1):
            _check_meaning(number, row["result"], match)
    return matches


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
        result=_outcome(number, row["result"], a, b),
        weight=1.0 if weight is None else weight,
        judge="" if judge is None else str(judge),
        margin=_number(number, row, "margin", positive=False),
        words_a=_number(number, row, "words_a", positive=True),
        words_b=_number(number, row, "words_b", positive=True),
    )


def _spelt(label: object) -> str:
    return str(label).strip().casefold()


def _outcome(number: int, label: object, a: str, b: str) -> Outcome:
    if (word := WORDS.get(_spelt(label))) is not None:
        return word
    won = _named(label, a, b)
    if won is not None:
        return won
    near = get_close_matches(_spelt(label), WORDS, n=1) or get_close_matches(str(label), (a, b), n=1)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    raise InputError(
        f"Match {number} has the unknown result {str(label)[:60]!r}. Use a, b or tie (draw is the same), or the winner's name just "
        f"as it stands in a or b.{hint}",
        field="result",
    )


def _named(label: object, a: str, b: str) -> Outcome | None:
    """Whose name the label is."""
    name = str(label).strip()
    return "a" if name == a.strip() else "b" if name == b.strip() else None


def _check_meaning(number: int, label: object, match: RecordedMatch) -> None:
    """InputError for a word that is the name of another winner than the one that it stands for."""
    named = _named(label, match.a, match.b)
    if named is not None and named != match.result:
        raise InputError(
            f"Match {number} has the result {str(label)[:60]!r}, which is the name of an item too. Other matches name their "
            "winners, so it could mean either. Write a, b or tie in every match, or call the item something else.",
            field="result",
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
