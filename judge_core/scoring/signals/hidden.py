"""Characters that nobody sees, or that turn the direction of others, where neither script nor emoji needs them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

RTL = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")
OVERRIDES = "\u202d\u202e"
EMBEDDINGS = "\u202a\u202b\u202c\u2066\u2067\u2068\u2069"
"""Embeddings and isolates: usual where a line holds right-to-left letters, pointless elsewhere."""
ZERO_WIDTH = "\u200b\u2060\ufeff\u180e"
JOINERS = "\u200c\u200d"
ALWAYS_HIDDEN = re.compile(
    "[\u2061-\u2064\u206a-\u206f\ufff9-\ufffb\u115f\u1160\u3164\uffa0\x08\x1b\x7f]|[\ufe00-\ufe0f]{2,}"
)
FLAG_TAGS = re.compile("\U0001f3f4[\U000e0020-\U000e007e]{1,8}\U000e007f")
TAGS = re.compile(
    "[\U000e0000-\U000e007f]|[\U000e0100-\U000e01ef](?<![\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff][\U000e0100-\U000e01ef])"
)
JOINING = re.compile(
    "[\u0600-\u08ff\u0900-\u0dff\u0e00-\u109f\u1780-\u18af\ua800-\ua8ff\ua980-\uaadf\ufb50-\ufdff\ufe70-\ufefc]"
)
"""Scripts whose spelling uses joiners: Arabic and kin, Indic, South-East Asian, Mongolian."""
UNSPACED = re.compile("[\u0e00-\u109f\u1780-\u17ff\u2e80-\u9fff\uac00-\ud7ff\uf900-\ufaff]")
INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0"
    "\U000e0000-\U000e01ef]"
)
_PERHAPS_HIDDEN = re.compile(
    "[\x08\x1b\x7f\u034f\u115f\u1160\u180e\u200b-\u200d\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb"
    "\U000e0000-\U000e01ef]"
)
"""All that the patterns of hidden characters can begin with: most texts have none of it."""
_EMBEDDING = re.compile(f"[{EMBEDDINGS}]")
_ZERO_WIDTHS = re.compile(f"[{ZERO_WIDTH}{JOINERS}]+")
_LONGEST_NEEDED = 2
_IN_LATIN = re.compile(f"(?<=[A-Za-z])[{ZERO_WIDTH}{JOINERS}\u034f]+(?=[A-Za-z])")
"""Zero-width characters between plain Latin letters, whose spelling has no use for them."""


def hidden_count(text: str) -> int:
    """How many characters of the text are invisible or turn its direction without need."""
    body = FLAG_TAGS.sub("", text.removeprefix("\ufeff"))
    if not _PERHAPS_HIDDEN.search(body):
        return 0
    count = len(TAGS.findall(body)) + sum(len(found) for found in ALWAYS_HIDDEN.findall(body))
    count += sum(body.count(mark) for mark in OVERRIDES)
    if _EMBEDDING.search(body):
        count += sum(len(_EMBEDDING.findall(line)) for line in body.splitlines() if not RTL.search(line))
    count += sum(map(len, _IN_LATIN.findall(body)))
    return count + sum(_stray_zero_width(_IN_LATIN.sub("", body)))


def _stray_zero_width(text: str) -> Iterator[int]:
    """Lengths of the runs of zero-width characters that no script or emoji needs there: none needs three in a row."""
    for run in _ZERO_WIDTHS.finditer(text):
        if run.end() - run.start() > _LONGEST_NEEDED:
            yield run.end() - run.start()
        else:
            yield sum(1 for at in range(run.start(), run.end()) if not _is_needed(text, at))


def _is_needed(text: str, at: int) -> bool:
    around = text[max(at - 2, 0) : at] + text[at + 1 : at + 3]
    if text[at] in JOINERS:
        return JOINING.search(around) is not None or _emoji_beside(text, at)
    return UNSPACED.search(around) is not None or not _inside_word(text, at)


def _emoji_beside(text: str, at: int) -> bool:
    before = text[max(at - 2, 0) : at].rstrip("\ufe0f")[-1:]
    after = text[at + 1 : at + 2]
    return all(c and unicodedata.category(c) in ("So", "Sk", "Sm", "Cn") for c in (before, after))


def _inside_word(text: str, at: int) -> bool:
    """Whether the next visible characters on both sides are letters: beside a blank, such a mark changes nothing."""
    before, after = INVISIBLE.sub("", text[max(at - 8, 0) : at]), INVISIBLE.sub("", text[at + 1 : at + 9])
    return before[-1:].isalnum() and after[:1].isalnum()
