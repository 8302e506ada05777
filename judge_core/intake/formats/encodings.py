"""How the letters of a text file are stored: marks first, then strict UTF-8, then a guess that is told."""

from __future__ import annotations

import codecs
import re
from collections import Counter

from charset_normalizer import from_bytes

from judge_core.intake.formats.tables import Document
from judge_core.records.errors import InputError
from judge_core.records.record import Notice

MARKS: tuple[tuple[bytes, str], ...] = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
"""Byte order marks; UTF-32 stands before UTF-16, whose mark is the beginning of its own."""
GUESSABLE = [
    *("cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "koi8_r", "cp866", "cp874"),
    *("mac_roman", "cp932", "euc_jp", "gb18030", "big5", "cp949"),
]
SAMPLE = 65536
WESTERN_SAMPLE = 1_000_000
FEW_CONTROLS = 16
"""So many control characters are removed from the shortest text, where they are no more than a third of it."""
CONTROLS = re.compile("[\x01-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ufdd0-\ufdef\ufffe\uffff]")
"""Control characters other than NUL, tabs and line ends, and code points that are never characters."""
NOT_TEXT = (
    "This is not a text file, or its letters are stored in a way that is not known. "
    "Save it as UTF-8 text, or as .docx, .xlsx or a PDF with text."
)


def decode(data: bytes) -> Document:
    """The text of a file with the encoding found. Raises InputError where the bytes are no text."""
    found = _by_mark(data) or _by_nul_pattern(data) or _as_utf8(data) or _by_guess(data)
    if found is None or not _is_readable(found):
        raise InputError(NOT_TEXT)
    return found


def _by_mark(data: bytes) -> Document | None:
    for mark, encoding in MARKS:
        if not data.startswith(mark):
            continue
        text = _strictly(data, encoding)
        if text is not None:
            return Document(text=text, encoding=encoding)
    return None


def _strictly(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except UnicodeError:
        return None


def _guessed(text: str, encoding: str, message: str = "") -> Document:
    told = message or f"The file does not say how its letters are stored; {encoding} was taken."
    return Document(text=text, encoding=encoding, notices=(Notice(code="encoding_guessed", message=told),))


def _by_nul_pattern(data: bytes) -> Document | None:
    """UTF-16 or UTF-32 without a mark: every second byte (or three of four) is the same small number."""
    if b"\0" not in data[:SAMPLE]:
        return None
    for encoding in ("utf-32-le", "utf-32-be", "utf-16-le", "utf-16-be"):
        text = _strictly(data, encoding)
        if text and _is_text(text) and _mostly_one_block(text[:SAMPLE]):
            return _guessed(text, encoding)
    return None


def _mostly_one_block(text: str) -> bool:
    """Whether letters come from ASCII and one further block, and blanks occur: rubbish is scattered over many."""
    blocks = Counter(ord(c) >> 8 for c in text)
    beside = sum(count for block, count in blocks.most_common(2) if block)
    return "\0" not in text and (blocks[0] + beside) >= 0.9 * len(text) and blocks[0] > 0


def _as_utf8(data: bytes) -> Document | None:
    """Strict UTF-8, or UTF-8 with few broken bytes among many good sequences."""
    text = _strictly(data, "utf-8")
    if text is not None:
        return Document(text=text, encoding="utf-8")
    mended = data.decode("utf-8", "replace")
    broken = mended.count("\ufffd")
    good = sum(1 for c in mended if ord(c) > 127) - broken
    if good < 10 * broken:
        return None
    return _guessed(mended, "utf-8", f"The file is UTF-8 with {broken} broken places, which were marked.")


def _by_guess(data: bytes) -> Document | None:
    western = _strictly(data, "cp1252")
    if western is not None and _plausibly_western(western[:WESTERN_SAMPLE]):
        return _guessed(western, "cp1252")
    best = from_bytes(_sample(data), cp_isolation=GUESSABLE).best()
    for encoding in (best.encoding if best else "cp1252", "cp1252"):
        text = _strictly(data, encoding)
        if text is not None:
            return _guessed(text, encoding)
    return None


def _sample(data: bytes) -> bytes:
    """The beginning, cut at a line end so that no character is halved."""
    if len(data) <= SAMPLE:
        return data
    cut = data.rfind(b"\n", 0, SAMPLE)
    return data[: cut if cut > 0 else SAMPLE]


def _plausibly_western(text: str) -> bool:
    """Whether accented letters are few and no symbol stands inside a word, as it does in misread Polish."""
    letters = sum(1 for c in text if c.isalpha())
    high = sum(1 for c in text if ord(c) > 127 and c.isalpha())
    inside = re.search(r"[^\W\d_][¡-©«-´¶-¹»-¿×÷†‡ˆ‰‹›€¢£¥][^\W\d_]", text)
    return high <= 0.3 * letters and inside is None


def _is_readable(found: Document) -> bool:
    """Whether it is text but for control characters, which are removed later, with a notice.

    In any other file than UTF-8 or one with a mark, a second control character in a short text tells of a wrong guess.
    """
    count, length = len(CONTROLS.findall(found.text)), len(found.text)
    few = max(0.05 * length, min(FEW_CONTROLS, length / 3)) if not found.notices else max(0.01 * length, 1)
    return count <= few and found.text.count("\0") <= 0.1 * length


def _is_text(text: str) -> bool:
    """Whether control characters are rare: the measure for a guess of the encoding."""
    return len(CONTROLS.findall(text)) <= 0.01 * len(text) and text.count("\0") <= 0.1 * len(text)
