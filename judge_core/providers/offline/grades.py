"""How the demo judge comes from statistics to a score: which of them speak for a criterion, and how loudly.

A criterion's name and description decide. A score depends on one text and the criterion alone: not on the side the
text is shown on, nor on another text, nor on weights.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from math import exp
from typing import NamedTuple

from judge_core.providers.offline.text_statistics import TextStatistics
from judge_core.records.criteria import Criterion


class Measure(NamedTuple):
    """One statistic that can speak for a criterion."""

    grade: Callable[[TextStatistics], float]
    """0..1, higher is better."""
    say: Callable[[TextStatistics], str]
    """The statistic in plain words, with its number."""
    english: bool = False
    """Whether it rests on English word lists: it is silent on a text in another language."""


def between(value: float, poor: float, fine: float) -> float:
    """A logistic grade: 0.12 at `poor`, 0.88 at `fine`, so that nothing grows without end.

    >>> [round(between(value, 5, 11), 2) for value in (5, 8, 11)]
    [0.12, 0.5, 0.88]
    """
    return 1 / (1 + exp(max(-40.0, min(40.0, 4 * ((poor + fine) / 2 - value) / (fine - poor)))))


def counted(number: int, noun: str, nouns: str = "") -> str:
    """A number with its noun: `1 figure`, `2 figures`."""
    return f"{number} {noun if number == 1 else nouns or noun + 's'}"


def _slip_rate(text: TextStatistics) -> float:
    return 100 * text.slip_count / (text.fresh_words + 20)


def _say_slips(text: TextStatistics) -> str:
    kinds = Counter(text.slips).most_common(3)
    named = f" ({', '.join(f'{count} {kind}' for kind, count in kinds)})" if kinds else ""
    return f"{counted(text.slip_count, 'slip')} of mechanics{named}"


def _even_length(text: TextStatistics) -> float:
    return exp(-(((text.sentence_length - 18) / 12) ** 2))


MEASURES: dict[str, Measure] = {
    "richness": Measure(
        lambda text: between(text.richness, 5.5, 10.0),
        lambda text: f"{text.richness:.1f} distinct words per square root of words",
    ),
    "long words": Measure(
        lambda text: between(text.long_words, 0.08, 0.30),
        lambda text: f"{text.long_words:.0%} of words have seven letters or more",
    ),
    "precision": Measure(
        lambda text: between(-text.vague_words, -0.06, 0.0),
        lambda text: f"{text.vague_words:.1%} vague words",
        english=True,
    ),
    "mechanics": Measure(lambda text: exp(-_slip_rate(text) / 4), _say_slips),
    "sentence length": Measure(_even_length, lambda text: f"{text.sentence_length:.0f} words a sentence"),
    "sentence variety": Measure(
        lambda text: between(text.sentence_spread, 2.0, 9.0),
        lambda text: f"sentence lengths vary by {text.sentence_spread:.1f} words",
    ),
    "openings": Measure(
        lambda text: between(text.openings, 0.4, 0.9),
        lambda text: f"{text.openings:.0%} of sentences open in a new way",
    ),
    "paragraphs": Measure(
        lambda text: between(text.paragraphs, 0.5, 4.0), lambda text: counted(text.paragraphs, "paragraph")
    ),
    "sentences": Measure(
        lambda text: between(min(text.sentences, 12), 1.0, 9.0),
        lambda text: counted(text.sentences, "distinct sentence"),
    ),
    "connectives": Measure(
        lambda text: between(min(text.connectives, 6), 0.0, 5.0),
        lambda text: counted(text.connectives, "different connective"),
        english=True,
    ),
    "reasons": Measure(
        lambda text: between(min(text.reasons, 4), 0.0, 3.0),
        lambda text: counted(text.reasons, "different marker of reasons", "different markers of reasons"),
        english=True,
    ),
    "other views": Measure(
        lambda text: between(min(text.concessions, 5), 0.0, 3.0),
        lambda text: counted(text.concessions, "different marker of another view", "different markers of other views"),
        english=True,
    ),
    "evidence": Measure(
        lambda text: between(min(text.evidence, 6), 0.0, 3.0),
        lambda text: counted(text.evidence, "different marker of evidence", "different markers of evidence"),
        english=True,
    ),
    "figures": Measure(
        lambda text: between(min(text.figures, 5) + min(text.quotations, 2), 0.0, 4.0),
        lambda text: f"{counted(text.figures, 'figure')} and {counted(text.quotations, 'quotation')}",
    ),
}

ASPECTS: dict[str, dict[str, float]] = {
    "vocabulary": {"richness": 0.6, "long words": 0.25, "precision": 0.15},
    "mechanics": {"mechanics": 0.8, "sentence length": 0.2},
    "organisation": {
        "paragraphs": 0.25, "connectives": 0.15, "sentences": 0.15, "sentence variety": 0.15, "richness": 0.3,
    },
    "evidence": {"evidence": 0.3, "figures": 0.3, "richness": 0.3, "long words": 0.1},
    "clarity": {"sentence length": 0.3, "mechanics": 0.3, "precision": 0.15, "richness": 0.25},
    "argument": {"reasons": 0.2, "other views": 0.25, "evidence": 0.1, "richness": 0.35, "long words": 0.1},
    "style": {"sentence variety": 0.25, "openings": 0.1, "precision": 0.2, "long words": 0.15, "richness": 0.3},
    "overall": {
        "richness": 0.5, "mechanics": 0.15, "long words": 0.1, "sentence variety": 0.05, "sentences": 0.05,
        "reasons": 0.03, "other views": 0.04, "evidence": 0.04, "figures": 0.04,
    },
}  # fmt: skip
"""Which measures speak for which aspect of a text, and how much."""

KEYWORDS: dict[str, tuple[str, ...]] = {
    "vocabulary": ("vocab", "word", "lexi", "language", "diction", "wortsch", "sprache"),
    "mechanics": ("mechanic", "gramm", "spell", "punctu", "capital", "slip", "convention", "ortho", "ortogr", "rechtschr"),
    "organisation": ("organi", "struct", "strukt", "estruct", "paragraph", "coheren", "cohes", "flow", "order", "aufbau"),
    "evidence": ("eviden", "support", "fact", "source", "example", "figure", "citation", "beleg", "data"),
    "clarity": ("clear", "clar", "klar", "readab", "concis", "understandab"),
    "argument": ("argument", "reason", "logic", "persua", "convinc", "thesis", "claim", "counter", "position", "critical"),
    "style": ("styl", "stil", "estil", "tone", "voice", "fluen", "express", "creativ", "engag"),
    "overall": ("overall", "quality", "holistic"),
}  # fmt: skip
"""Beginnings of words by which a criterion is known to speak of an aspect."""

NAME_COUNTS = 5
"""How many mentions in the description one mention in the name outweighs."""


def aspects_of(criterion: Criterion) -> dict[str, float]:
    """The share of each aspect that a criterion speaks of, by its name first and its description second; sum 1.

    >>> aspects_of(Criterion(name="Vocabulary"))
    {'vocabulary': 1.0}
    >>> aspects_of(Criterion(name="Merit"))
    {'overall': 1.0}
    """
    name, description = _mentions(criterion.name), _mentions(criterion.description)
    counts = {aspect: NAME_COUNTS * (aspect in name) + (aspect in description) for aspect in KEYWORDS}
    found = {aspect: count for aspect, count in counts.items() if count} or {"overall": 1}
    ordered = sorted(found, key=lambda aspect: -found[aspect])
    return {aspect: found[aspect] / sum(found.values()) for aspect in ordered}


def _mentions(text: str) -> set[str]:
    return {aspect for aspect, stems in KEYWORDS.items() if mentions(text, stems)}


def mentions(text: str, stems: tuple[str, ...]) -> bool:
    """Whether a word of the text begins with one of the stems.

    >>> mentions("Answer relevance", ("relevan",))
    True
    """
    return any(word.startswith(stems) for word in re.findall(r"[^\W\d_]+", text.lower()))


def measures_of(criterion: Criterion, english: bool = True) -> dict[str, float]:
    """The share of each measure in a criterion's score, the most telling first; sum 1. Never empty."""
    shares: dict[str, float] = {}
    for aspect, part in aspects_of(criterion).items():
        for name, share in ASPECTS[aspect].items():
            if english or not MEASURES[name].english:
                shares[name] = shares.get(name, 0.0) + part * share
    total = sum(shares.values())
    return {name: share / total for name, share in shares.items()}


def grade(text: TextStatistics, criterion: Criterion) -> float:
    """A text's grade 0..1 on a criterion: its measures, lowered for what repeats itself and for a mere line or two."""
    if not text.fresh_words:
        return 0.0
    spoken = sum(share * MEASURES[name].grade(text) for name, share in measures_of(criterion, text.english).items())
    return spoken * (1 - text.repetition) ** 2 * (1 - exp(-text.fresh_words / 25))


def score(text: TextStatistics, criterion: Criterion) -> float:
    """The grade on the criterion's own scale, as `on_scale` has it."""
    return on_scale(grade(text, criterion), criterion)


def on_scale(share: float, criterion: Criterion) -> float:
    """A grade 0..1 on the criterion's own scale, in tenths (hundredths where the scale is shorter than 3).

    >>> on_scale(0.5, Criterion(name="Style", scale_min=1, scale_max=5))
    3.0
    """
    low, high = criterion.scale_min, criterion.scale_max
    value = round(low + (high - low) * share, 1 if high - low >= 3 else 2)
    return min(max(value, low), high)


def reason(text: TextStatistics, criterion: Criterion) -> str:
    """What the score rests on: the measures with the largest shares, with their numbers, in plain words."""
    if not text.fresh_words:
        return "no words"
    speaking = list(measures_of(criterion, text.english))[:4]
    said = [MEASURES[name].say(text) for name in speaking]
    if text.repetition >= 0.05:
        said.append(f"{text.repetition:.0%} repeats itself")
    return ", ".join(said)
