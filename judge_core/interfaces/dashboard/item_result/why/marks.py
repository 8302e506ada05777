"""An opened item with the quotes of its judges: which stand in which part, numbered over the whole item."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from typing import NamedTuple

import streamlit as st

from judge_core.interfaces.dashboard.safe import line, marked
from judge_core.interfaces.detail.item import ItemDetail, ItemExchange
from judge_core.modes.shown.said import Said
from judge_core.records.item import ItemPart
from judge_core.records.item_verdict import ItemJudgment
from judge_core.scoring.quotes import Span, find_quote, pieces

ERASED = "This text was erased."
MOST_QUOTES = 12
"""Of one judge; one is asked for a few, and the page stays readable whatever it sends."""
TALL = 1500
"""Characters from which on a part scrolls in a box of its own."""
BOX = 340
"""Pixels of that box."""


class Voice(NamedTuple):
    """One judge's judgment that counts, with the readable replies that it rests on."""

    judge: int
    judgment: ItemJudgment
    replies: tuple[ItemExchange, ...]

    @property
    def said(self) -> list[Said]:
        """What the replies say."""
        return [reply.said for reply in self.replies if reply.said is not None]


class Quoted(NamedTuple):
    """A quote of a judge. `number` is None where it stands in no part that is still stored."""

    number: int | None
    text: str
    checked: bool


@dataclass(frozen=True)
class Marked:
    """The item as it is shown."""

    detail: ItemDetail
    voices: tuple[Voice, ...]

    @cached_property
    def quotes(self) -> dict[int, list[Quoted]]:
        """By judge; numbers go over all judges."""
        numbers = count(1)
        found: dict[int, list[Quoted]] = {}
        for voice in self.voices:
            own = dict.fromkeys(quote.text for said in voice.said for quote in said.quotes if quote.text.strip())
            found[voice.judge] = [self._quoted(text, numbers) for text in list(own)[:MOST_QUOTES]]
        return found

    def _quoted(self, text: str, numbers: count[int]) -> Quoted:
        there = any(find_quote(words, text) for words in self.detail.words.values())
        known = len(self.detail.words) == len({part.sha256 for part in self.detail.item.parts})
        return Quoted(next(numbers) if there else None, text, there or known)

    def show(self, part: ItemPart, key: str) -> None:
        """A part's words, letter by letter, with what judges quoted highlighted. `key` is of ours and unique on the page."""
        text = self.detail.text(part)
        if text is None:
            st.markdown(ERASED)
            return
        if len(text) <= TALL:
            _words(text, self._spans(text), key)
            return
        with st.container(height=BOX, border=False, key=f"scroll_{key}"):
            _words(text, self._spans(text), key)

    def _spans(self, text: str) -> dict[int, Sequence[Span]]:
        numbered = [quote for own in self.quotes.values() for quote in own if quote.number is not None]
        spans = {quote.number: find_quote(text, quote.text) for quote in numbered}
        return {number: found for number, found in spans.items() if number is not None and found}


def _words(text: str, spans: dict[int, Sequence[Span]], key: str) -> None:
    if spans:
        marked(pieces(text, spans), key)
    else:
        line(text)
