"""Safe sinks for text from outside: artifacts, file names, replies, criterion names, model names, error messages.

`st.markdown`, captions, labels, tabs, toasts and the like read markdown: an image in a pupil's essay would be fetched,
dollar signs would become formulas. So prose goes through `prose` (never a markdown sink), and a short name that must
stand in a label or a sentence goes through `label`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

import streamlit as st

from judge_core.scoring.quotes import Piece

_MARKS = re.compile(r"([!-/:-@\[-`{-~])")
_JOINED = re.compile(r":(?=//|streamlit:)|\bwww(?=\.)|@|-(?=[->])|[<>~](?==)|<(?=-)", re.IGNORECASE)
"""What becomes a link, an arrow, a dash or a picture although it is escaped: an invisible joiner behind it prevents that."""
LABEL_LENGTH = 80
_EDGE = "\u200b"
"""Keeps blanks and line breaks at the ends of a piece, which `st.text` would cut off; it has no width."""
_MARKED, _QUOTED, _NUMBERED = (f"[class*='st-key-{part}_']" for part in ("marked", "quoted", "numbered"))
MARKED_STYLE = (
    f"{_MARKED}, {_MARKED} div, {_MARKED} span {{display: inline !important; width: auto !important}}"
    f"{_MARKED} {_QUOTED} [data-testid='stText'] span {{background: rgba(255, 193, 7, 0.35); text-decoration: underline;"
    " text-decoration-thickness: 2px; text-underline-offset: 3px}"
    f"{_MARKED} {_NUMBERED} {{font-weight: 700; font-size: 0.8em}}"
)
"""Lets the pieces of a marked text flow as one text, and shows the quoted ones. Ours alone: no outside text is in here."""


def label(text: str, length: int = LABEL_LENGTH) -> str:
    r"""A name fit for a markdown sink: one line, bounded, every ASCII punctuation mark escaped, no invisible letters.

    >>> label("a *b*\n![x](http://h/p)")
    'a \\*b\\* \\!\\[x\\]\\(http\\:\u2060\\/\\/h\\/p\\)'
    """
    return _MARKS.sub(r"\\\1", _JOINED.sub("\\g<0>\u2060", plain(text, length)))


def plain(text: str, length: int = LABEL_LENGTH) -> str:
    """A name on one line for sinks that read no markdown (table cells, select boxes): bounded, no invisible letters."""
    line = " ".join("".join(c for c in text if c.isspace() or unicodedata.category(c)[0] != "C").split())
    return line if len(line) <= length else line[: length - 1] + "…"


def prose(text: str) -> None:
    """Shows a text of any length as it was written, line breaks kept, nothing interpreted."""
    st.code(text, language=None, wrap_lines=True)


def line(text: str) -> None:
    """Shows a short text as it was written."""
    st.text(text)


def marked(pieces: Sequence[Piece], key: str) -> None:
    """Shows a text with its quoted passages highlighted and numbered: every piece letter by letter in a sink of its own.

    `key` is unique on the page and of ours. Underline and number say the same as the colour.
    """
    st.html(f"<style>{MARKED_STYLE}</style>")
    last = len(pieces) - 1
    with st.container(key=f"marked_{key}"):
        for at, piece in enumerate(pieces):
            _piece(piece, _whole(piece.text, begin=at > 0, end=at < last), f"{key}_{at}")


def _piece(piece: Piece, words: str, key: str) -> None:
    """One piece, behind the numbers of the quotes that begin with it."""
    if piece.begins:
        with st.container(key=f"numbered_{key}"):
            st.text("".join(f"[{number}]" for number in piece.begins) + "\u00a0" + _EDGE)
    with st.container(key=f"{'quoted' if piece.numbers else 'other'}_{key}"):
        st.text(words)


def _whole(text: str, *, begin: bool, end: bool) -> str:
    """The piece with its blanks guarded at the ends that join another piece."""
    before = _EDGE if begin and text[:1].isspace() else ""
    behind = _EDGE if end and text[-1:].isspace() else ""
    return f"{before}{text}{behind}"
