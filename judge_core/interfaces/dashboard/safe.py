"""Safe sinks for text from outside: artifacts, file names, replies, criterion names, model names, error messages.

`st.markdown`, captions, labels, tabs, toasts and the like read markdown: an image in a pupil's essay would be fetched,
dollar signs would become formulas. So prose goes through `prose` (never a markdown sink), and a short name that must
stand in a label or a sentence goes through `label`.
"""

from __future__ import annotations

import re
import unicodedata

import streamlit as st

_MARKS = re.compile(r"([!-/:-@\[-`{-~])")
_JOINED = re.compile(r":(?=//|streamlit:)|\bwww(?=\.)|@|-(?=[->])|[<>~](?==)|<(?=-)", re.IGNORECASE)
"""What becomes a link, an arrow, a dash or a picture although it is escaped: an invisible joiner behind it prevents that."""
LABEL_LENGTH = 80


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
