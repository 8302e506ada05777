"""From a reply's tokens with their log-probabilities to how probable its winner was to the judge.

Servers send them as a list in the order written: `token`, perhaps `bytes`, `logprob`, and `top_logprobs`, the tokens
that might have stood there. All of it is hostile until it has been looked at; what does not tell is None, never a guess.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple

from judge_core.records.prompt import WinnerChances

Side = Literal["A", "B", "tie"]
ALTERNATIVES = 5
"""Tokens that are asked for at each place."""
MOST_ALTERNATIVES = 20
MOST_TOKENS = 200_000
MOST_CHARACTERS = 400_000
"""Of a reply that is looked through; a longer one is no verdict."""
MOST_OBJECTS = 64
"""Beginnings of objects that are tried."""
IMPOSSIBLE = -100.0
"""A log-probability below this stands for none; some servers write -9999 for what they did not measure."""

_DECODER = json.JSONDecoder(strict=False)
_PART = re.compile(r'"(?P<text>(?:[^"\\]|\\.)*+)"|[{}\[\]]', re.DOTALL)
_VALUE = re.compile(r'\s*:\s*"(?P<value>[^"\\]*)"')
_OPENING = re.compile(r'[\s":]*')
_WORD = re.compile(r"[^\W_]*")
_FIELD = "winner"


class _Field(NamedTuple):
    """The winner in a reply: where its field begins, where its value does, and where that ends, in characters."""

    start: int
    value: int
    end: int


def winner_chances(text: str, tokens: object) -> WinnerChances | None:
    """What the tokens of a reply say of the winner that it names.

    That is the field `winner` of its last whole JSON object. None where there is no such field, where the tokens are not
    those of this text, or where fewer than two of A, B and tie could have stood there.

    >>> token = {"token": "A", "logprob": -0.1, "top_logprobs": [{"token": "B", "logprob": -2.5}]}
    >>> said = winner_chances('{"winner":"A"}', [{"token": '{"winner":"', "logprob": 0}, token, {"token": '"}', "logprob": 0}])
    >>> said.named, round(said.a, 3), round(said.b, 3), said.tie
    ('A', 0.917, 0.083, 0.0)
    """
    if not isinstance(tokens, list) or not tokens or len(tokens) > MOST_TOKENS or len(text) > MOST_CHARACTERS:
        return None
    field = _winner_field(text)
    named = _side(text[field.value : field.end]) if field else None
    entry = _token_at(text, field, tokens) if field and named else None
    if named is None or entry is None:
        return None
    found = {"A": 0.0, "B": 0.0, "tie": 0.0}
    for token, probability in _alternatives(entry).items():
        if side := _side(token):
            found[side] += probability
    whole = sum(found.values())
    if sum(value > 0 for value in found.values()) < 2:
        return None
    return WinnerChances(named=named, a=found["A"] / whole, b=found["B"] / whole, tie=found["tie"] / whole)


def _winner_field(text: str) -> _Field | None:
    """The field of the last whole object that has one, at its top level."""
    found, at = None, 0
    for _ in range(MOST_OBJECTS):
        start = text.find("{", at)
        if start < 0:
            break
        try:
            _, end = _DECODER.raw_decode(text, start)
        except (ValueError, RecursionError):
            at = start + 1
            continue
        found, at = _field_in(text, start, end) or found, end
    return found


def _field_in(text: str, start: int, end: int) -> _Field | None:
    """The field in the well-formed object between two places."""
    depth, found = 0, None
    for part in _PART.finditer(text, start, end):
        if part["text"] is None:
            depth += 1 if part[0] in "{[" else -1
        elif depth == 1 and part["text"].strip().lower() == _FIELD and (value := _VALUE.match(text, part.end(), end)):
            found = _Field(part.start(), *value.span("value"))
    return found


def _token_at(text: str, field: _Field, tokens: list[Any]) -> Mapping[str, Any] | None:
    """The token that holds the first letter of the winner. Counted from the end, since reasoning may stand before."""
    passage = text[field.start : field.end].encode("utf-8", "replace")
    behind = text[field.end :].encode("utf-8", "replace").count(passage)
    written = list(_written(tokens))
    whole = b"".join(written)
    at = len(whole)
    for _ in range(behind + 1):
        at = whole.rfind(passage, 0, at)
        if at < 0:
            return None
    wanted = at + len(text[field.start : field.value].encode("utf-8", "replace"))
    end = 0
    for entry, part in zip(tokens, written, strict=True):
        end += len(part)
        if end > wanted:
            return entry if isinstance(entry, dict) else None
    return None


def _written(tokens: list[Any]) -> Iterator[bytes]:
    """Each token's bytes; b'' for what is no token."""
    for entry in tokens:
        raw = entry.get("bytes") if isinstance(entry, dict) else None
        token = entry.get("token") if isinstance(entry, dict) else None
        if isinstance(raw, list) and all(type(byte) is int and 0 <= byte < 256 for byte in raw):
            yield bytes(raw)
        else:
            yield token.encode("utf-8", "replace") if isinstance(token, str) else b""


def _alternatives(entry: Mapping[str, Any]) -> dict[str, float]:
    """The probability of each token that might have stood there, the one that does among them."""
    others = entry.get("top_logprobs")
    listed = [entry, *(others[:MOST_ALTERNATIVES] if isinstance(others, list) else ())]
    found: dict[str, float] = {}
    for one in listed:
        token = one.get("token") if isinstance(one, dict) else None
        number = one.get("logprob") if isinstance(one, dict) else None
        if isinstance(token, str) and (probability := _probability(number)):
            found[token] = probability
    return found


def _probability(number: object) -> float:
    """Of a log-probability; 0 for what cannot be one."""
    if isinstance(number, bool) or not isinstance(number, int | float) or not IMPOSSIBLE <= number <= 0.01:
        return 0.0
    return math.exp(min(number, 0.0))  # rounding may leave it a hair above 0


def _side(token: str) -> Side | None:
    """The side that a token or the beginning of one names.

    >>> [_side(token) for token in ("A", ' "B', "t", 'tie"', "All", '"', "x")]
    ['A', 'B', 'tie', 'tie', None, None, None]
    """
    opening = _OPENING.match(token)
    word = _WORD.match(token, opening.end() if opening else 0)
    letters = word[0].lower() if word else ""
    if letters in ("a", "b"):
        return "A" if letters == "a" else "B"
    return "tie" if letters and "tie".startswith(letters) else None
