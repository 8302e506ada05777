"""The base of all records: frozen, closed to unknown fields, no NaN or infinity inside."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from pydantic import BaseModel, ConfigDict


class Record(BaseModel):
    """A frozen value. Unknown fields are refused, so that a misspelt one is never ignored."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Notice(Record):
    """A warning that stands beside a number and never changes it."""

    code: str
    """Short fixed name, e.g. `position_flip`; see `records/notices.py` for the list."""
    message: str
    """One sentence for people. It holds names and numbers, never text out of an artifact or a reply."""


def canonical_json(value: Any) -> str:
    """The one spelling of a JSON value: keys sorted, no spaces, UTF-8 kept, NaN refused.

    >>> canonical_json({"b": 1, "a": ["é"]})
    '{"a":["é"],"b":1}'
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def digest(value: Any) -> str:
    """SHA-256 (hex) of the canonical JSON of a value: no separator inside it can make two values collide.

    >>> digest(["t:d1", "x"]) == digest(["t", "d1:x"])
    False
    """
    return hashlib.sha256(canonical_json(value).encode("utf-8", "surrogatepass")).hexdigest()


def text_hash(text: str) -> str:
    """SHA-256 (hex) of a text's UTF-8 bytes: the full content hash by which a text is known."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
