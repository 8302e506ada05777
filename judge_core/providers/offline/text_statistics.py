"""What can be counted in a text without a dictionary or a model: words, sentences, markers and slips of mechanics.

Sentences that occur twice are counted once, so that padding brings nothing, and richness is measured in windows of
a fixed size, so that length alone brings little. On a text that is not English the English word lists find nothing and
accuse of nothing. Time is linear in the text's length.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import sqrt
from statistics import fmean, pstdev

from judge_core.providers.offline.word_lists import COMMON, CONCESSION, CONNECTIVE, EVIDENCE, MISSPELT, REASON, VAGUE

WINDOW = 200
"""Words in one window of lexical richness: about a page, so that short essays are one window."""

LONG_WORD = 7
"""Letters from which a word counts as long."""

RUN_ON = 45
"""Words above which a sentence counts as a run-on."""

_MARKS = r"\u0300-\u036f\u0590-\u05c7\u0610-\u065f\u0900-\u0963\u0966-\u0dff\u1100-\u135f"
_WORD = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]"  # scripts without spaces: a character is a word
    r"|[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]{1,4}"  # Thai, Lao, Burmese, Khmer: pieces of up to four signs
    rf"|[^\W_](?:[^\W_\u3040-\u30ff\u3400-\u9fff]|[{_MARKS}]|['’](?=[^\W_]))*"
)
_END = r".!?…。！？؟।॥"
_CLOSERS = "\"'”’»)]*_"
_BREAK = re.compile(r"(?:(?<=[.!?…؟।॥])|(?<=[.!?…؟।॥][\"'”’»)\]*_]))\s+|(?<=[。！？])")
_ABBREVIATION = re.compile(
    r"(?:\b(?i:e\.g|i\.e|etc|cf|vs|approx|mr|mrs|ms|dr|prof|fig|al)|\b[A-Za-z]\.[A-Za-z]|\b[A-HJ-Z])\.$"
)
_PARAGRAPH = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*•#]|\d+[.)])\s)")
_LINE_TAG = re.compile(r"<br\s*/?>", re.I)
_LIST_MARK = re.compile(r"^\s*(?:[-*•#>]+|\d+[.)])\s+")

_WRONG_PHRASE = re.compile(
    r"\b(?:should|could|would|must) of\b|\bmore (?:better|easier|worse|bigger|smarter)\b"
    r"|(?-i:\ba )(?!one|once|eu|uni|use|usu)[aeio][a-z]|\ban (?!hour|honest|honou?r|heir)[bcdfghjklmnpqrstvwxz][aeiou]"
    r"|\b(?:he|she|it) don't\b|\b(?:they|we|you) was\b"
    r"|\b(?:more|less|better|worse|earlier|later|bigger|rather|other) then\b|\bits (?:not|a|the|to|so|very|true|ok|like|too)\b",
    re.I,
)
_SPACING = re.compile(r"\s[,.](?=\s|$)|[^\W\d_],[^\W\d_]|[a-z][.!?][A-Z][a-z]")
_REPEATED_MARK = re.compile(r"([!?,;:])\1+|(?<!\.)\.\.(?!\.)|\.{4,}|[!?]{2,}")
_DOUBLED = re.compile(r"\b(?!had\b|that\b)([^\W\d_]{2,})\s+\1\b", re.I)
_SHOUTING = re.compile(r"\b[A-Z]{2,}(?:\s+[A-Z]{2,}){2,}\b")
_SMALL_I = re.compile(r"(?<![\w.'’])i(?=['’ ]|$)(?!\.)")
_NUMBER = re.compile(r"(?<![\w.])\d[\d.,:]*\s?%?")
_QUOTED = re.compile(r"[\"“«][^\"“”«»]{8,}[\"”»]")


@dataclass(frozen=True, slots=True)
class TextStatistics:
    """What was counted. Everything but `words` and `repetition` is of the distinct sentences only."""

    words: int = 0
    fresh_words: int = 0
    """Words in sentences that did not stand there before."""
    repetition: float = 0.0
    """Share 0..1 of the text that repeats itself, in whole sentences or in runs of five words."""
    richness: float = 0.0
    """Guiraud's index, distinct words / square root of words, averaged over windows of 200 words."""
    long_words: float = 0.0
    """Share of words of seven letters and more."""
    vague_words: float = 0.0
    """Share of words that say little ("very", "stuff", "things")."""
    sentences: int = 0
    sentence_length: float = 0.0
    """Mean words a sentence."""
    sentence_spread: float = 0.0
    """Standard deviation of the words a sentence."""
    openings: float = 0.0
    """Share of sentences whose first word opens no sentence before."""
    paragraphs: int = 0
    reasons: int = 0
    """Different markers of a reason."""
    concessions: int = 0
    """Different markers of another view."""
    connectives: int = 0
    """Different markers of order."""
    evidence: int = 0
    """Different markers of evidence."""
    figures: int = 0
    """Different numbers."""
    quotations: int = 0
    slips: dict[str, int] = field(default_factory=dict)
    """Slips of mechanics by kind."""
    english: bool = False
    quote: str = ""
    """The sentence that says most, an exact part of the text, at most 200 characters; empty where none fits."""

    @property
    def slip_count(self) -> int:
        """All slips together."""
        return sum(self.slips.values())


def words_of(text: str) -> list[str]:
    """The words in lower case; in scripts without spaces, characters or short pieces stand for words.

    >>> words_of("It's 7 o'clock, Zoë.")
    ["it's", '7', "o'clock", 'zoë']
    >>> words_of("睡眠 ok")
    ['睡', '眠', 'ok']
    """
    return _WORD.findall(text.lower().replace("’", "'"))


def paragraphs_of(text: str) -> Iterator[str]:
    """The paragraphs, headings and items of lists that hold a word, with their marks.

    >>> list(paragraphs_of("Two ways:\\n- walk\\n- run\\n\\n***"))
    ['Two ways:', '- walk', '- run']
    """
    return (part.strip("\n") for part in _PARAGRAPH.split(_LINE_TAG.sub("\n", text)) if words_of(part))


def unlisted(paragraph: str) -> str:
    """A paragraph without the mark of a list, a heading or a quotation before it."""
    return _LIST_MARK.sub("", paragraph).strip()


def sentences_of(paragraph: str) -> list[str]:
    """The sentences of a paragraph, each an exact part of it.

    >>> sentences_of("He slept, e.g. late. Why? No one knows")
    ['He slept, e.g. late.', 'Why?', 'No one knows']
    """
    found: list[str] = []
    start = 0
    for gap in _BREAK.finditer(paragraph):
        before, after = paragraph[max(start, gap.start() - 8) : gap.start()], paragraph[gap.end() : gap.end() + 1]
        if _ABBREVIATION.search(before) or (before[-1:] in _CLOSERS and after.islower()):
            continue
        found.append(paragraph[start : gap.start()].strip())
        start = gap.end()
    return [sentence for sentence in [*found, paragraph[start:].strip()] if sentence]


def guiraud(words: Sequence[str], window: int = WINDOW) -> float:
    """Guiraud's index (P. Guiraud, 1954), averaged over windows so that it stops growing with length.

    The last window reaches back to be full.

    >>> guiraud(["a", "b", "a", "c"])
    1.5
    >>> guiraud(["a", "b"] * 500, window=4)
    1.0
    """
    if not words:
        return 0.0
    if len(words) <= window:
        return len(set(words)) / sqrt(len(words))
    starts = [*range(0, len(words) - window, window), len(words) - window]
    return fmean(len(set(words[start : start + window])) / sqrt(window) for start in starts)


def slips_of(sentences: Sequence[str], english: bool) -> dict[str, int]:
    """Slips within sentences by kind. Kinds without a slip are left out.

    >>> slips_of(["the the cat sat , i think!!"], english=True)
    {'doubled words': 1, 'faulty spacing': 1, 'repeated marks': 1, 'small i': 1}
    """
    counts: Counter[str] = Counter()
    for sentence in sentences:
        counts["doubled words"] += len(_DOUBLED.findall(sentence))
        counts["faulty spacing"] += len(_SPACING.findall(sentence))
        counts["repeated marks"] += len(_REPEATED_MARK.findall(sentence))
        counts["words in capitals"] += len(_SHOUTING.findall(sentence))
        words = words_of(sentence)
        counts["run-on sentences"] += len(words) // RUN_ON
        if english:
            counts["small i"] += len(_SMALL_I.findall(sentence))
            counts["misspellings"] += sum(word in MISSPELT for word in words)
            counts["wrong phrases"] += len(_WRONG_PHRASE.findall(sentence))
    return {kind: count for kind, count in counts.items() if count}


def _starts_small(sentence: str) -> bool:
    first = sentence.lstrip(_CLOSERS + "“«‘([{*_-—–…. ")[:1]
    return first.islower() and not "\u10d0" <= first <= "\u10ff"  # Georgian has no capitals at a sentence's start


@dataclass(frozen=True, slots=True)
class _Outline:
    """The distinct sentences of a text (words -> as written), and what hangs on its paragraphs."""

    fresh: dict[tuple[str, ...], str]
    words: int
    paragraphs: int
    slips: dict[str, int]
    """Slips at the sentences' ends and beginnings."""


def measure(text: str) -> TextStatistics:
    """All statistics of a text; an empty one has zeros.

    >>> counted = measure("It rains. It rains. It rains because clouds are heavy.")
    >>> counted.words, counted.fresh_words, counted.sentences, counted.reasons
    (10, 8, 2, 1)
    """
    outline = _outline(paragraphs_of(text))
    return _statistics(outline) if outline.fresh else TextStatistics()


def _outline(parts: Iterable[str]) -> _Outline:
    fresh: dict[tuple[str, ...], str] = {}
    slips: Counter[str] = Counter()
    total = paragraphs = 0
    for part in parts:
        known = len(fresh)
        paragraph = unlisted(part)
        for sentence in sentences_of(paragraph):
            words = tuple(words_of(sentence))
            total += len(words)
            if words and words not in fresh:
                fresh[words] = sentence
                slips["sentences without a capital"] += paragraph == part.strip() and _starts_small(sentence)
        if len(fresh) > known:
            paragraphs += 1
            slips["missing end marks"] += _lacks_end(paragraph)
    return _Outline(fresh, total, paragraphs, {kind: count for kind, count in slips.items() if count})


def _lacks_end(paragraph: str) -> bool:
    heading = len(words_of(paragraph)) <= 8 and "\n" not in paragraph
    return not heading and paragraph.rstrip(_CLOSERS)[-1:] not in _END + ":;"


def _statistics(outline: _Outline) -> TextStatistics:
    fresh = outline.fresh
    words = [word for sentence in fresh for word in sentence]
    lengths = [len(sentence) for sentence in fresh]
    english = is_english(words)
    plain = [f" {' '.join(sentence)} " for sentence in fresh]
    body, raw = "|".join(plain), "\n".join(fresh.values())
    return TextStatistics(
        words=outline.words,
        fresh_words=len(words),
        repetition=min(1.0, 1 - len(words) / outline.words + _repeated_runs(words)),
        richness=guiraud(words),
        long_words=sum(len(word) >= LONG_WORD for word in words) / len(words),
        vague_words=sum(word in VAGUE for word in words) / len(words),
        sentences=len(fresh),
        sentence_length=fmean(lengths),
        sentence_spread=pstdev(lengths),
        openings=len({sentence[0] for sentence in fresh}) / len(fresh),
        paragraphs=outline.paragraphs,
        reasons=_kinds(body, REASON),
        concessions=_kinds(body, CONCESSION),
        connectives=_kinds(body, CONNECTIVE),
        evidence=_kinds(body, EVIDENCE),
        figures=len(set(_NUMBER.findall(raw))),
        quotations=len(set(_QUOTED.findall(raw))),
        slips=outline.slips | slips_of(list(fresh.values()), english),
        english=english,
        quote=_quote(fresh),
    )


def is_english(words: Sequence[str]) -> bool:
    """Whether so many of the words are common English ones that English word lists apply."""
    if not words:
        return False
    share = sum(word in COMMON for word in words) / len(words)
    return share >= 0.08 or (len(words) < 30 and "".join(words).isascii())


def _repeated_runs(words: Sequence[str]) -> float:
    runs = list(zip(*(words[offset:] for offset in range(5)), strict=False))
    return 1 - len(set(runs)) / len(runs) if runs else 0.0


def _kinds(body: str, markers: Sequence[str]) -> int:
    return sum(f" {marker} " in body for marker in markers)


def _is_marked(sentence: str) -> bool:
    """Whether a sentence holds a reason, a figure or a marker of evidence."""
    return any(f" {marker} " in sentence for marker in (*REASON, *EVIDENCE)) or any(map(str.isdigit, sentence))


def is_quotable(sentence: str) -> bool:
    """Whether a piece of a text may be quoted: short, in one line, and with a letter or digit by which it is found again."""
    return len(sentence) <= 200 and sentence.isprintable() and any(map(str.isalnum, sentence))


def _quote(fresh: dict[tuple[str, ...], str]) -> str:
    """The marked sentence with the most distinct words, or any where none is marked; the first of equals."""
    fitting = [words for words, sentence in fresh.items() if is_quotable(sentence)]
    marked = [words for words in fitting if _is_marked(f" {' '.join(words)} ")] or fitting
    return fresh[max(marked, key=lambda words: len(set(words)))] if marked else ""
