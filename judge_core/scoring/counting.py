"""How long a text is, in words and characters, in any script.

Words: a run between blanks that holds a letter or digit is one word. Scripts without blanks are counted in their own
way: each Chinese character and each Japanese kana is one word; Thai, Lao, Khmer and Burmese count one word for every
four letters begun in a run, vowel and tone marks aside (an estimate: their words cannot be told without a dictionary).
Characters: code points after composition (NFC), blanks and line ends included, invisible format characters (joiners,
direction marks) left out. Both are the same whichever way the script runs.
"""

from __future__ import annotations

import math
import re
import unicodedata

LETTERS_PER_WORD = 4
UNSEEN = ("Cc", "Cf", "Cs", "Zl", "Zp", "Zs")
"""Categories that show nothing. Not among them: letters that are newer than this system's tables (Cn)."""
_ONE_BY_ONE = re.compile(
    "[\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3041-\u3096\u30a1-\u30fa\u30fc\u3105-\u312f\u31a0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9d\U00020000-\U0003fffd]"
)
_WORD = re.compile(r"[^\W_]\S*")
"""A run between blanks from its first letter or digit on."""
_UNSPACED_RUN = re.compile("[\u0e01-\u0e4e\u0e81-\u0ecd\u1000-\u103f\u1050-\u109d\u1780-\u17d3]+")


def visible(text: str) -> str:
    """The text without format characters (zero-width, direction marks) and NUL."""
    if not text.isascii():
        unseen = [ord(c) for c in set(text) if unicodedata.category(c) == "Cf"]  # few: each character is looked up once
        text = text.translate(dict.fromkeys(unseen)) if unseen else text
    return text.replace("\0", "")


def is_blank(text: str) -> bool:
    """Whether nothing in the text can be seen."""
    return all(unicodedata.category(c) in UNSEEN for c in text.lstrip())


def count_words(text: str) -> int:
    """The number of words; see the module for scripts without blanks.

    >>> count_words("Trees cool the street - really."), count_words("我爱公园。"), count_words("GPT很好")
    (5, 4, 3)
    """
    seen = visible(text)
    if seen.isascii():
        return len(_WORD.findall(seen))
    spaced = _UNSPACED_RUN.sub(" ", _ONE_BY_ONE.sub(" ", seen))
    return (
        len(_WORD.findall(spaced))
        + len(_ONE_BY_ONE.findall(seen))
        + sum(_words_of_run(run) for run in _UNSPACED_RUN.findall(seen))
    )


def _words_of_run(run: str) -> int:
    letters = sum(1 for c in run if unicodedata.category(c) == "Lo")
    return math.ceil(letters / LETTERS_PER_WORD)


def count_characters(text: str) -> int:
    """The number of characters; see the module.

    >>> count_characters("cafe\\u0301"), count_characters("a b\\n"), count_characters("\\u202bשלום\\u202c")
    (4, 4, 4)
    """
    return len(visible(unicodedata.normalize("NFC", text)))
