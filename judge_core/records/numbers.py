"""Numbers as people type them: plain ASCII digits. Python reads more ('5_0' as 50, '٣' as 3, 'nan', 'inf'), mostly slips."""

from __future__ import annotations

import math
import re

_WHOLE = re.compile(r"[+-]?[0-9]{1,400}")
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,4})?")


def typed_whole(text: str) -> int | None:
    """The whole number that was typed; None for anything else.

    >>> typed_whole(" 50 "), typed_whole("5_0"), typed_whole("1e3"), typed_whole("٣")
    (50, None, None, None)
    """
    return int(text) if _WHOLE.fullmatch(text.strip()) else None


def typed_number(text: str) -> float | None:
    """The number that was typed; None for anything else, and for one beyond all that can be counted with.

    >>> typed_number("0.95"), typed_number("1e3"), typed_number("1_000"), typed_number("nan"), typed_number("1e999")
    (0.95, 1000.0, None, None, None)
    """
    value = float(text) if _NUMBER.fullmatch(text.strip()) else math.inf
    return value if math.isfinite(value) else None
