"""Recorded matches and ballots: what the verb `rate` reads."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from judge_core.intake.formats.encodings import decode
from judge_core.ranking.rate import RecordedMatch, read_matches
from judge_core.records.errors import InputError
from judge_core.records.record import Record
from judge_core.scoring.rubric.parts.faults import shorten

DELIMITERS = ",;\t|"
COLUMNS = ("a", "b", "result", "weight", "judge", "margin", "words_a", "words_b")
FORMS = (
    'Give a CSV with the columns a, b, result, or JSON: {"matches": [{"a": "x", "b": "y", "result": "a"}]} or '
    '{"labels": ["A", "B"], "rankings": [["A", "B"], null]}.'
)


class Matches(Record):
    """Matches in their order."""

    matches: tuple[RecordedMatch, ...]
    items: tuple[str, ...] = ()
    """Items that stand in the answer though they may have played nothing."""
    start: dict[str, float] = {}
    """Elo to begin with, by item."""

    def starts(self, common: float) -> float | dict[str, float]:
        """The Elo to begin with: one for all, or one by item where items are named."""
        if not self.items and not self.start:
            return common
        named = [*self.items, *(item for match in self.matches for item in (match.a, match.b))]
        return {**dict.fromkeys(named, common), **self.start}


class Ballots(Record):
    """Rankings of the same labels, best first; None abstains."""

    labels: tuple[str, ...]
    rankings: tuple[tuple[str, ...] | None, ...]
    weights: tuple[float, ...] | None = None


def read_record(data: bytes) -> Matches | Ballots:
    """The matches or ballots in the bytes of a file. Raises InputError naming the row or field that cannot be used."""
    if data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"["):
        return _from_json(data)
    if not data.strip():
        raise InputError(f"The file is empty. {FORMS}", field="file")
    return Matches(matches=read_matches(_rows(decode(data).text)))


def _rows(text: str) -> list[dict[str, object]]:
    """The rows under the header, by column. The delimiter is the one that finds the columns in the header."""
    header_line = text.lstrip("\n").split("\n", 1)[0]
    delimiter = max(DELIMITERS, key=header_line.count)
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    rows = [row for row in lines if any(cell.strip() for cell in row)]
    header = [cell.strip().casefold() for cell in rows[0]] if rows else []
    missing = [column for column in COLUMNS[:3] if column not in header]
    if missing:
        raise InputError(
            f"The columns {', '.join(missing)} are missing in {shorten(header_line)}. {FORMS}", field="file"
        )
    named = [dict(zip(header, row, strict=False)) for row in rows[1:]]
    return [{column: row[column] for column in COLUMNS if column in row} for row in named]


def _from_json(data: bytes) -> Matches | Ballots:
    try:
        value = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        where = f" (line {error.lineno})" if isinstance(error, json.JSONDecodeError) else ""
        raise InputError(f"The file is no JSON{where}. {FORMS}", field="file") from None
    if isinstance(value, list):
        value = {"matches": value}
    if not isinstance(value, dict) or not ({"matches", "labels", "rankings"} & set(value)):
        raise InputError(f"The file holds neither matches nor ballots. {FORMS}", field="file")
    try:
        return _matches(value) if "matches" in value else Ballots.model_validate(value)
    except ValidationError as error:
        fault = error.errors()[0]
        place = ".".join(str(part) for part in fault["loc"])
        raise InputError(f"{place}: {fault['msg']}. {FORMS}", field=place) from None


def _matches(value: dict[str, Any]) -> Matches:
    rows = value["matches"]
    if not isinstance(rows, list):
        raise InputError(f"'matches' is no list. {FORMS}", field="matches")
    read = read_matches([_row(number, row) for number, row in enumerate(rows, start=1)])
    return Matches(matches=read, items=value.get("items") or (), start=value.get("start") or {})


def _row(number: int, row: object) -> Mapping[str, object]:
    if isinstance(row, Mapping):
        return row
    if isinstance(row, list) and len(row) == 3:
        return dict(zip(COLUMNS, row, strict=False))
    raise InputError(f"Match {number} is neither an object nor a list of a, b and result. {FORMS}", field="matches")
