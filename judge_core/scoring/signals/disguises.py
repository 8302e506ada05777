"""Copies of a text in which disguises are undone, for reading only: spelling, invisible characters, codes.

Look-alike letters follow Unicode TS 39 (confusables), compatibility forms Unicode NFKC.
"""

from __future__ import annotations

import base64
import binascii
import codecs
import html
import re
import unicodedata
from collections.abc import Callable, Iterator

from judge_core.scoring.signals.hidden import INVISIBLE
from judge_core.scoring.signals.lexicon import CLASSES

_SMALL_CAPITALS = "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ"
_REGIONAL = "".join(map(chr, range(0x1F1E6, 0x1F200)))
LOOK_ALIKES = str.maketrans(
    "аеорсухіјѕһԁԛԝѵкмтвнгԍӏ" + "οαειvρτυκχηνɡıʟ" + _SMALL_CAPITALS + _REGIONAL,
    "aeopcyxijshdqwvkmtbhrgl" + "oaeivptukxnvgil" + "abcdefghijklmnoprstuvwyz" + "abcdefghijklmnopqrstuvwxyz",
)
LONG_FORMS = re.compile("[\ufdf0-\ufdfc\u3300-\u3357]")
"""Arabic phrases and squared kana, whose compatibility forms are up to 18 times as long and hold no phrase of ours."""
_LOOK_ALIKE = re.compile(f"[{''.join(map(chr, LOOK_ALIKES))}]")
_SPACED_OUT = re.compile(r"(?<!\w)(?:\w[ .\-_*·]){3,}\w(?!\w)")
_LEET_WORD = re.compile(r"[a-z][0-9]+[a-z]|[0-9][a-z]+[0-9]")
_LEET = str.maketrans("430157@$", "aeoistas")
_FEW = 4
"""So many signs of a code, or words with digits among their letters, make a text worth another reading."""
_LONG = 16
_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})")
_PERCENT = re.compile(r"%([0-7][0-9A-Fa-f])")
_HEX = re.compile(r"(?:[2-7][0-9a-fA-F]){16,}")
_BASE32 = re.compile(r"[A-Z2-7]{32,}")
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{24,}")
_BITS = re.compile(r"(?<!\w)(?:[01]{8}[ ,]?){12,}")
_DECIMALS = re.compile(r"(?<!\w)(?:[0-9]{2,3}[ ,;]{1,2}){12,}[0-9]{2,3}(?!\w)")
_MORSE = re.compile(r"(?:[.\-]{1,5}[ /|]{1,3}){16,}[.\-]{1,5}")
_MORSE_CODE = dict(zip([".-", "-...", "-.-.", "-..", ".", "..-.", "--.", "....", "..", ".---", "-.-", ".-..", "--", "-.", "---", ".--.", "--.-", ".-.", "...", "-", "..-", "...-", ".--", "-..-", "-.--", "--.."], "abcdefghijklmnopqrstuvwxyz", strict=True))  # fmt: skip
_TELLING = [word for words in CLASSES.values() for word in words.split() if len(word) >= 4 and word.isalpha()]
_ROTATED = frozenset(codecs.encode(word, "rot13") for word in _TELLING)
_REVERSED = frozenset(word[::-1] for word in _TELLING) - frozenset(_TELLING)
_PAIR = 2
"""So many words of orders with rotated or reversed letters: one alone may be another word."""


def undisguised(text: str) -> str:
    """The text in compatibility form, without invisible characters, with spaced-out words closed; lines and case stay."""
    plain = text if text.isascii() else INVISIBLE.sub("", unicodedata.normalize("NFKC", LONG_FORMS.sub(" ", text)))
    return _SPACED_OUT.sub(lambda found: re.sub(r"[ .\-_*·]", "", found.group()), plain)


def one_line(text: str) -> str:
    """One blank between words, no quotation marks, no emphasis."""
    return re.sub(r"[\s\"“”«»„*_]+", " ", text).replace("’", "'")


def folded(text: str) -> str:
    """A text of lower case with look-alikes and accents turned to Latin letters."""
    if text.isascii():
        return text
    latin = unicodedata.normalize("NFKD", text.translate(LOOK_ALIKES) if _LOOK_ALIKE.search(text) else text)
    marks = "".join(c for c in set(latin) if unicodedata.combining(c))  # few: each character is looked up once
    return re.sub(" {2,}", " ", re.sub(f"[{marks}]", "", latin)) if marks else latin


def other_readings(line: str, words: frozenset[str]) -> Iterator[str]:
    """The folded line with digits read as letters, rotated or turned about, where its words call for that."""
    if len(words & _ROTATED) >= _PAIR:
        yield codecs.encode(line, "rot13")
    if len(words & _REVERSED) >= _PAIR:
        yield line[::-1]
    if sum(1 for word in words if not word.isalpha() and _LEET_WORD.search(word)) >= _FEW:
        yield line.translate(_LEET)
        yield line.translate({**_LEET, ord("1"): "l"})


def decoded(text: str, words: frozenset[str]) -> Iterator[str]:
    """What stands in the text in a common code, as far as it is readable ASCII; `words` are those of the text."""
    if "&#" in text:
        yield html.unescape(text)
    for mark, code in (("%", _PERCENT), ("\\u", _ESCAPE)):
        if mark in text and text.count(mark) >= _FEW:
            yield code.sub(lambda found: chr(int(found[1], 16)), text)
    for pattern, read in _codes(text, words):
        for found in pattern.finditer(text):
            yield from _readable(read, found.group())


def _codes(text: str, words: frozenset[str]) -> Iterator[tuple[re.Pattern[str], Callable[[str], bytes]]]:
    """The codes that the text can hold: those of letters are long words, those of numbers need several numbers."""
    if max(map(len, words), default=0) >= _LONG:
        yield from _LETTER_CODES
    if sum(map(str.isdigit, words)) >= _FEW:
        yield from _NUMBER_CODES
    if ".-" in text and "-." in text:
        yield _MORSE, _morse


def _readable(read: Callable[[str], bytes], code: str) -> Iterator[str]:
    try:
        letters = read(code).decode("ascii")
    except (ValueError, binascii.Error):
        return
    if letters.isprintable():
        yield letters


def _base64(code: str) -> bytes:
    plain = code.replace("-", "+").replace("_", "/")
    return base64.b64decode(plain[: len(plain) // 4 * 4])


def _base32(code: str) -> bytes:
    return base64.b32decode(code[: len(code) // 8 * 8])


def _hex(code: str) -> bytes:
    return bytes.fromhex(code)


def _numbers(base: int) -> Callable[[str], bytes]:
    return lambda code: bytes(int(number, base) for number in re.findall("[0-9]+", code))


def _morse(code: str) -> bytes:
    words = re.split(r" *[/|] *| {2,}", code)
    return " ".join("".join(_MORSE_CODE.get(sign, "?") for sign in word.split()) for word in words).encode()


_LETTER_CODES: tuple[tuple[re.Pattern[str], Callable[[str], bytes]], ...] = (
    (_HEX, _hex),
    (_BASE64, _base64),
    (_BASE32, _base32),
)
_NUMBER_CODES = ((_BITS, _numbers(2)), (_DECIMALS, _numbers(10)))
