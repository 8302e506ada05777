"""Mending: small faults of form in a JSON object that change no value in it.

Mended are commas before a closing bracket, brackets lost at the end, and a last member that was cut off, which is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+(?P<closed>"?)|[{}\[\],]', re.DOTALL)
_STRING_OR_COMMA = re.compile(r'("(?:[^"\\]|\\.)*+")|,(?=\s*[\]}])', re.DOTALL)
_CLOSERS = {"{": "}", "[": "]"}


class Mended(NamedTuple):
    """A proposal: well formed if the object's faults were only those named above."""

    body: str
    end: int
    """Where the object ends in the text."""
    cut: bool
    """Whether an unfinished last member was left out."""
    closed: bool
    """Whether the object's own brackets all stood in the text, so that none of its lists can have lost an entry."""


class _Extent(NamedTuple):
    end: int
    """Where the last finished value can end."""
    closers: str
    last_member: int
    """Where the last member of the innermost open bracket begins; the same as `end` in a closed object."""
    unfinished: bool


def mend(text: str, start: int) -> Iterator[Mended]:
    """Proposals for the object that starts at `start`, the most faithful first; none where its brackets do not match."""
    extent = _extent(text, start)
    if extent is None:
        return
    if not extent.unfinished:
        end = extent.end if not extent.closers else len(text)
        yield Mended(
            _without_loose_commas(text[start : extent.end] + extent.closers), end, cut=False, closed=not extent.closers
        )
    if extent.closers and "{" not in text[extent.last_member :]:
        body = _without_loose_commas(text[start : extent.last_member] + extent.closers)
        yield Mended(body, len(text), cut=True, closed=False)


def _without_loose_commas(text: str) -> str:
    return _STRING_OR_COMMA.sub(lambda match: match[1] or "", text)


def _extent(text: str, start: int) -> _Extent | None:
    closers: list[str] = []
    members: list[int] = []
    done = start
    for token in _TOKEN.finditer(text, start):
        sign = token[0][0]
        if sign == '"' and not token["closed"]:
            return _Extent(len(text), "".join(reversed(closers)), members[-1], unfinished=True)
        done = token.end()
        if sign in _CLOSERS:
            closers.append(_CLOSERS[sign])
            members.append(done)
        elif sign == ",":
            members[-1] = token.start()
        elif sign != '"':
            if closers.pop() != sign:
                return None
            members.pop()
            if not closers:
                return _Extent(done, "", done, unfinished=False)
    rest = text[done:].rstrip("` \t\r\n")
    return _Extent(done, "".join(reversed(closers)), members[-1], unfinished=bool(rest.strip()))
