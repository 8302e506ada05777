"""Which words of a text carry its matter, and how much of one text's matter stands in another.

English function words are left out and English endings cut off; in other languages the short words are left out and the
rest is compared as it stands. Nothing here understands a word: two texts can share all of them and say the opposite.
"""

from __future__ import annotations

import re
from collections.abc import Set

from judge_core.providers.offline.text_statistics import words_of
from judge_core.providers.offline.word_lists import NUMBER_WORDS, STOP

_ENDINGS = ("ing", "edly", "ed", "ly")
_FEWEST_LETTERS = 3
"""Letters that a word keeps at least when an ending is cut off, and below which a Latin word carries nothing."""
_CITED = re.compile(r"\[\d{1,3}(?:\s?[,;–-]\s?\d{1,3}){0,20}\]")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_NEGATION = re.compile(
    r"\b(?:not(?! only\b)|no|never|none|nobody|nothing|neither|nor|cannot|without|\w+n['’]t)\b", re.IGNORECASE
)


def content_words(text: str) -> frozenset[str]:
    """The words that carry the matter, without their endings, and the numbers.

    >>> sorted(content_words("The bridges were closed in 1911, and two bearings cracked [3]."))
    ['1911', '2', 'bear', 'bridg', 'clos', 'crack']
    """
    plain = _CITED.sub(" ", text)
    words = {word for word in words_of(plain) if word not in STOP and not word[0].isdigit()}
    stems = {NUMBER_WORDS.get(word) or _stem(word) for word in words if _carries(word)}
    return frozenset(stems) | _numbers(plain)


def numbers_in(text: str) -> frozenset[str]:
    """The numbers of a text: digits, and words from two to twelve; the marks of citations are none.

    >>> sorted(numbers_in("Two of 1,200 trains left at 22:10 [4]."))
    ['1200', '2', '22:10']
    """
    plain = _CITED.sub(" ", text)
    return _numbers(plain) | {NUMBER_WORDS[word] for word in set(words_of(plain)) & NUMBER_WORDS.keys()}


def is_negated(text: str) -> bool:
    """Whether a sentence holds an English word of negation.

    >>> is_negated("They may not cross."), is_negated("Not only trams cross."), is_negated("They don’t.")
    (True, False, True)
    """
    return _NEGATION.search(text) is not None


def share_in(words: Set[str], other: Set[str]) -> float:
    """The share of words that stand in the other set; 0 where there are none.

    >>> share_in({"bridg", "clos"}, {"bridg", "old"})
    0.5
    """
    return sum(word in other for word in words) / len(words) if words else 0.0


def likeness(words: Set[str], other: Set[str]) -> float:
    """Dice's coefficient (L. R. Dice, 1945), twice the shared words / all words of both; 0 where there are none.

    >>> likeness({"bridg", "clos"}, {"bridg", "old"})
    0.5
    """
    return 2 * len(words & other) / (len(words) + len(other)) if words or other else 0.0


def _numbers(text: str) -> frozenset[str]:
    return frozenset(_NUMBER.findall(_THOUSANDS.sub("", text)))


def _carries(word: str) -> bool:
    return len(word) >= _FEWEST_LETTERS or not word.isascii()


def _stem(word: str) -> str:
    """A word without its plural, its ending, a doubled consonant before it, and a silent e.

    >>> [_stem(word) for word in ("parties", "Thursdays".lower(), "stopped", "closes", "closing", "bus", "pass")]
    ['party', 'thursday', 'stop', 'clos', 'clos', 'bus', 'pass']
    """
    word = word.removesuffix("'s")
    if word.endswith("ies") and len(word) > _FEWEST_LETTERS + 1:
        word = word[:-3] + "y"
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _FEWEST_LETTERS:
            word = word[: -len(ending)]
            break
    if len(word) > _FEWEST_LETTERS and word[-1] == word[-2] and word[-1] in "bdgmnprt":
        word = word[:-1]
    return word[:-1] if len(word) > _FEWEST_LETTERS and word[-1] == "e" else word
