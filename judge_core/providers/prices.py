"""What judges cost. The table is a start to be edited: vendors change their prices, and the invoice counts.

A price that is not in the table is unknown. Unknown is never 0: such a judge is capped by calls, not by dollars.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import Protocol

import httpx
from pydantic import ValidationError

from judge_core.records.errors import InputError
from judge_core.records.spec import JudgeSpec, Price, RunSpec

AS_OF = "2026-11"
"""When these were collected from public price lists (standard tier, no discounts, before tax); check the vendor's page."""

_DATED = "-20[0-9][0-9]-*"
_OPENAI: dict[str, tuple[float, float]] = {
    "gpt-4o": (2.5, 10), "gpt-4o-mini": (0.15, 0.6), "gpt-4.1": (2, 8), "gpt-4.1-mini": (0.4, 1.6),
    "gpt-4.1-nano": (0.1, 0.4), "gpt-5": (1.25, 10), "gpt-5-mini": (0.25, 2), "gpt-5-nano": (0.05, 0.4),
    "gpt-5.4": (2.5, 15), "gpt-5.4-mini": (0.75, 4.5),
}  # fmt: skip
_OTHERS: dict[str, tuple[float, float]] = {
    "api.groq.com/llama-3.1-8b-instant": (0.05, 0.08), "api.groq.com/llama-3.3-70b-versatile": (0.59, 0.79),
    "api.groq.com/openai/gpt-oss-20b": (0.075, 0.3), "api.groq.com/openai/gpt-oss-120b": (0.15, 0.6),
    "api.minimax.io/MiniMax-M2": (0.3, 1.2), "api.minimax.io/MiniMax-M2.5": (0.3, 1.2),
    "api.minimax.io/MiniMax-M2.7": (0.3, 1.2), "offline": (0, 0),
}  # fmt: skip

PRICES: dict[str, Price] = {
    pattern: Price(input=paid[0], output=paid[1])
    for pattern, paid in (
        *((f"api.openai.com/{model}{ending}", paid) for model, paid in _OPENAI.items() for ending in ("", _DATED)),
        *_OTHERS.items(),
    )
}
"""By `host/model` pattern, or by the judge's name (`offline`, `openai:gpt-4o`). `*`, `?` and `[0-9]` are wildcards."""


def price_of(judge: JudgeSpec, table: Mapping[str, Price] = PRICES) -> Price | None:
    """The judge's price, by its longest matching pattern; None where the table does not say, never 0.

    A judge on this computer has no entry; a user who knows that it is free writes `127.0.0.1:8080/*` with two zeros.
    """
    names = {judge.name}
    if judge.base_url:
        names.add(f"{httpx.URL(judge.base_url).netloc.decode('ascii')}/{judge.model}")
    found = [pattern for pattern in table if any(fnmatchcase(name, pattern) for name in names)]
    return table[max(found, key=len)] if found else None


def read_prices(json_text: str) -> dict[str, Price]:
    """A user's table, `{"host/model": {"input": 2.5, "output": 10}}` in US dollars for a million tokens.

    Raises InputError naming the line or the entry that cannot be read, and what is asked for.
    """
    try:
        table = json.loads(json_text)
    except ValueError as error:
        where = f"line {error.lineno}" if isinstance(error, json.JSONDecodeError) else "a number in it"
        raise InputError(f"The price table is no JSON ({where}).", field="prices") from None
    if not isinstance(table, dict):
        raise InputError(f"The price table must be an object, {_EXAMPLE}.", field="prices")
    return {pattern: _read_price(pattern, entry) for pattern, entry in table.items()}


_EXAMPLE = 'like {"api.openai.com/gpt-4o": {"input": 2.5, "output": 10}} (US dollars for a million tokens)'


def _read_price(pattern: str, entry: object) -> Price:
    try:
        return Price.model_validate(entry, strict=True)
    except ValidationError as error:
        fault = error.errors()[0]
        field = ".".join(str(part) for part in fault["loc"]) or "the entry"
        raise InputError(
            f"The price of {pattern!r} cannot be read: {field}: {fault['msg']}. Write {_EXAMPLE}.", field=pattern
        ) from None


_WIDE = re.compile(
    r"[\u1100-\u11ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]"
)


def count_tokens(text: str) -> int:
    """An estimate, for prices and limits before anything is asked: 4 characters a token, 1 for Chinese, Japanese, Korean.

    Real tokenizers differ by a quarter either way, more for code and for scripts that they know little of.

    >>> count_tokens("word" * 10), count_tokens("判断力"), count_tokens("")
    (10, 3, 0)
    """
    wide = len(_WIDE.findall(text))
    return wide + -(-(len(text) - wide) // 4)


class Sized(Protocol):
    """Whatever knows how long it is."""

    @property
    def characters(self) -> int: ...

    @property
    def words(self) -> int: ...


def text_tokens(text: Sized) -> int:
    """Tokens of a text, estimated from its characters, or words where it has no spaces between them."""
    return max(-(-text.characters // 4), text.words)


def frame_tokens(spec: RunSpec) -> int:
    """Tokens of question, source and criteria."""
    rubric = spec.rubric
    levels = [f"{lv.score} {lv.label} {lv.descriptor}" for c in rubric.criteria for lv in c.levels]
    parts = [rubric.question, rubric.source_extract, *levels]
    parts += [f"{c.name} {c.description}" for c in rubric.criteria]
    return sum(count_tokens(part) for part in parts) + 40 * len(rubric.criteria)
