"""From a judge's raw reply to one JSON object.

Reasoning blocks are skipped, prose and code fences around the object do not matter, and of several complete objects
the last that fits counts. Small faults of form are mended, and said so. Whatever could change a score is refused:
duplicate keys, NaN, decimal commas, loose quotes, a value cut in the middle. A reply with one broken object is broken as a
whole, since a text quoted inside it could otherwise pass for the verdict. Time is linear in the reply's length.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, NamedTuple, NoReturn

from judge_core.modes.replies.mending import mend
from judge_core.records.errors import ReplyError
from judge_core.records.notices import explain
from judge_core.records.record import Notice

MAX_CHARACTERS = 400_000
"""Longer replies are refused unread."""
_MOST_RESTARTS = 8
"""How often a reasoning block may turn out to have begun before the reply did."""
_TAG = r"<(?P<end>/?)(?:[a-z][\w.-]*:)?(?:think|thinking|thought|reasoning)(?:\s[^<>]*)?>"
_THINKING = re.compile(_TAG, re.IGNORECASE)
_MARK = re.compile(r'\{(?=\s*["}])|' + _TAG, re.IGNORECASE)

_QUOTES = tuple("\"'“„«‘")
"""An object right behind one of these is quoted, hence not the judge's own."""

CUT = (
    "The reply was cut at the judge's token limit before it was complete. "
    "Raise the judge's limit (max_tokens), or let it give shorter reasons."
)

NO_ANSWER = "There is no answer text; the token limit was used up by reasoning. Raise the judge's limit (max_tokens)."
OPEN_ENDED = "The reply ended before its JSON did, so entries of its lists may be missing."
UNFINISHED = (
    "The reply ended inside the judge's reasoning, before any verdict. "
    "Raise the judge's limit (max_tokens), or let it reason less."
)


class Answer(NamedTuple):
    """What a reply holds beside its reasoning blocks."""

    value: dict[str, Any] | None
    """The last complete object with the wanted key, keys in lower case; None where the reply holds no object at all."""
    notices: tuple[Notice, ...] = ()
    prose: str = ""
    """The text outside of reasoning blocks and objects."""
    cut: bool = False
    """Whether the reply ended before it was complete, as the provider says or the object shows."""
    closed: bool = True
    """Whether the object's brackets all stood in the reply; where not, a list in it may have lost its end."""


class _Found(NamedTuple):
    value: dict[str, Any]
    mended: str | None
    """The notice code of what was mended."""
    closed: bool = True


class _Refused(ValueError):
    """JSON that a lenient loader would take, and that must not be taken."""


def _members(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    value = {key.lower().strip(): item for key, item in pairs}
    if len(value) != len(pairs):
        raise _Refused("names the same field twice in one object")
    return value


def _constant(name: str) -> NoReturn:
    raise _Refused("holds NaN or Infinity where a number belongs")


_DECODER = json.JSONDecoder(object_pairs_hook=_members, parse_constant=_constant, strict=False)


def loads(text: str) -> Any:
    """Strict JSON, except that raw line breaks may stand in strings; keys in lower case. Raises ReplyError."""
    try:
        return _DECODER.decode(text)
    except (ValueError, RecursionError) as error:
        raise ReplyError("bad_json", _problem(error)) from None


def _problem(error: Exception) -> str:
    if isinstance(error, _Refused):
        return f"The JSON of the reply {error}."
    if isinstance(error, RecursionError):
        return "The JSON of the reply is nested too deeply."
    return "The JSON of the reply is not well formed (look for loose quotes, decimal commas and missing brackets)."


def read_answer(text: str, wanted: str, finish_reason: str | None = None) -> Answer:
    """The last complete object that has the key `wanted`, or the prose of a reply without any object.

    Raises ReplyError: `empty`, `too_long`, `truncated`, `bad_json`, or `no_verdict` where objects stand but none fits.
    """
    if len(text) > MAX_CHARACTERS:
        raise ReplyError("too_long", f"The reply is longer than {MAX_CHARACTERS} characters.")
    start = text.lstrip()
    if not start:
        raise ReplyError("empty", _nothing(finish_reason))
    if start[0] == "{":
        clean = _whole(start)
        if clean is not None and wanted in clean:
            return Answer(clean, cut=finish_reason == "length")
    return _Scan(text, finish_reason).answer(wanted)


def without_reasoning(text: str) -> str:
    """What a reply says outside of its reasoning blocks, objects included; all before a block's lone end is reasoning.

    Raises ReplyError `truncated` where a block does not end and nothing stands before it.

    >>> without_reasoning("<think>3 or 1?</think>RANKING: 3, 1, 2")
    'RANKING: 3, 1, 2'
    """
    parts: list[str] = []
    depth = at = 0
    for tag in _THINKING.finditer(text):
        if not tag["end"]:
            if depth == 0:
                parts.append(text[at : tag.start()])
            depth += 1
        elif depth == 0:
            parts.clear()
            at = tag.end()
        else:
            depth -= 1
            at = tag.end()
    if depth and not "".join(parts).strip():
        raise ReplyError("truncated", UNFINISHED)
    return "".join(parts if depth else [*parts, text[at:]])


def _nothing(finish_reason: str | None) -> str:
    if finish_reason == "length":
        return NO_ANSWER
    return "The reply is empty."


def _whole(text: str) -> dict[str, Any] | None:
    """The object that is the whole reply: the common case, without any scan."""
    try:
        value, end = _DECODER.raw_decode(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) and not text[end:].strip() else None


class _Scan:
    """One walk over a reply, from mark to mark: an object's start, or a reasoning tag outside of objects."""

    def __init__(self, text: str, finish_reason: str | None):
        self.text, self.finish_reason = text, finish_reason
        self.found: list[_Found] = []
        self.prose: list[str] = []
        self.broken: str | None = None
        self.loosened = False
        """An object stood in what then was taken for reasoning."""
        self.unfinished = False
        self.restarts = 0
        self.at = 0

    def answer(self, wanted: str) -> Answer:
        while mark := _MARK.search(self.text, self.at):
            self.prose.append(self.text[self.at : mark.start()])
            if mark[0] == "{":
                self._take_object(mark.start())
            elif mark["end"]:
                self._restart(mark.end())
            elif not self._skip_thinking(mark):
                break
        else:
            self.prose.append(self.text[self.at :])
        return self._chosen(wanted)

    def _take_object(self, start: int) -> None:
        self.at = start + 1
        if self.broken:
            return
        try:
            value, self.at = _DECODER.raw_decode(self.text, start)
            if self.text[start - 1 : start] not in _QUOTES:
                self.found.append(_Found(value, None))
        except json.JSONDecodeError as error:
            self._mend(start, error)
        except (ValueError, RecursionError) as error:
            self.broken = _problem(error)

    def _mend(self, start: int, error: Exception) -> None:
        for mended in mend(self.text, start):
            try:
                value = _DECODER.decode(mended.body)
            except (ValueError, RecursionError):
                continue
            self.found.append(_Found(value, "truncated" if mended.cut else "json_mended", mended.closed))
            self.at = mended.end
            return
        self.broken = _problem(error)

    def _restart(self, end: int) -> None:
        """An end of reasoning without a start: all before it was reasoning."""
        self.restarts += 1
        if self.restarts > _MOST_RESTARTS:
            raise ReplyError("bad_json", "The reply holds too many ends of reasoning blocks.")
        self.loosened = self.loosened or bool(self.broken or self.found)
        self.broken = None
        self.found.clear()
        self.prose.clear()
        self.at = end

    def _skip_thinking(self, opened: re.Match[str]) -> bool:
        depth, at = 1, opened.end()
        while depth:
            tag = _THINKING.search(self.text, at)
            if tag is None:
                self.unfinished = True
                return False
            depth += -1 if tag["end"] else 1
            at = tag.end()
        self.at = at
        return True

    def _chosen(self, wanted: str) -> Answer:
        cut = self.finish_reason == "length"
        if self.broken or self._nested():
            raise ReplyError("truncated", CUT) if cut else ReplyError("bad_json", self.broken or _problem(ValueError()))
        fitting = [found for found in self.found if wanted in found.value]
        if fitting:
            value, code, closed = fitting[-1]
            notices = (Notice(code=code, message=explain(code)),) if code else ()
            return Answer(value, notices, cut=cut or code == "truncated", closed=closed)
        if self.unfinished:
            raise ReplyError("truncated", UNFINISHED)
        if self.found:
            raise ReplyError("no_verdict", f"The JSON of the reply has no field {wanted!r}.")
        prose = "".join(self.prose)
        if not prose.strip():
            raise ReplyError("empty", _nothing(self.finish_reason))
        return Answer(None, (), prose, cut)

    def _nested(self) -> bool:
        """Whether a bracket closes behind the last of several objects: it was a part of one before it, quoted from a text."""
        return (self.loosened or len(self.found) > 1) and "}" in self.prose[-1]
