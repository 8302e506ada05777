"""One line of a list of checks, and its signs."""

from __future__ import annotations

from typing import NamedTuple

FINE = ":green[:material/check_circle:]"
CAREFUL = ":orange[:material/warning:]"
NEUTRAL = ":material/info:"


class Check(NamedTuple):
    """One line of the list."""

    sign: str
    head: str
    words: str
