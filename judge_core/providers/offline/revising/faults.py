"""Faults of a text that can be found by rule, and how the text reads without them.

A fault is a place in the text. Where a rule can mend it safely, it says by which words; code, tables, quotations and addresses
are left alone. Rules about English words hold for English texts only.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from judge_core.providers.offline.text_statistics import is_english, sentences_of, words_of

LONG_SENTENCE = 35
"""Words above which a sentence is too long for the demo critic."""
MOST_LINKS, MOST_TURNS = 20, 30
"""Places of a sentence that are looked at, from its middle; times that a text is gone through, each halving what is too long."""
SHORTEST_HALF = 6
"""Words that each half of a divided sentence keeps at the least."""
LONG_PARAGRAPH = 220
"""Words above which a paragraph wants a break."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A place where a rule is broken."""

    start: int
    end: int
    kind: str
    better: str | None
    """What to write instead; None where no rule can tell."""


@dataclass(frozen=True)
class Rule:
    """A kind of fault: how it is found by its words, and what stands there instead."""

    kind: str
    pattern: re.Pattern[str]
    better: Callable[[re.Match[str]], str]
    english: bool = False


_FILLERS = "very|really|basically|literally|totally|honestly|obviously"
_VERBS = "do|does|did|is|are|was|were|has|have|had|can|will|would|should|must"
_SPELT = {
    "teh": "the", "recieve": "receive", "recieved": "received", "definately": "definitely", "seperate": "separate",
    "becuase": "because", "beacuse": "because", "beleive": "believe", "wierd": "weird", "untill": "until", "alot": "a lot",
    "goverment": "government", "enviroment": "environment", "occured": "occurred", "tommorow": "tomorrow",
    "freind": "friend", "freinds": "friends", "realy": "really", "wich": "which", "dont": "don't", "doesnt": "doesn't",
    "didnt": "didn't", "isnt": "isn't", "wasnt": "wasn't", "arent": "aren't", "couldnt": "couldn't",
    "shouldnt": "shouldn't", "wouldnt": "wouldn't", "hasnt": "hasn't", "havent": "haven't", "youre": "you're",
    "theyre": "they're", "thats": "that's", "neccessary": "necessary", "arguement": "argument", "peple": "people",
    "poeple": "people", "begining": "beginning", "diffrent": "different", "intresting": "interesting",
}  # fmt: skip
_SUBJECTS = "I|he|she|it|we|they|you|this|these|there"
_WORDS = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_LINKS = re.compile(rf"(?P<mark>;\s+)(?=[^\W\d_])|,\s+(?P<link>and|but|so)\s+(?=(?:{_SUBJECTS})\b)")
_HANGS_ON = re.compile(
    r"(?i:if|when|although|because|while|since|as|after|before|unless|though|whenever|both|either)\b"
)
_PARAGRAPH = re.compile(r"\S(?:.*\S)?(?:\n[^\S\n]*\S.*)*")
_LISTED = re.compile(r"^\s*(?:[-*+•#>|]|\d+[.)])", re.MULTILINE)
_KEPT = re.compile(
    r"^(```|~~~).*?(?:^\1|\Z)"  # code between fences
    r"|^(?:[ ]{4}|\t|[ ]*\||[ ]*>).*$"  # indented code, tables, quotations
    r"|`[^`\n]{1,400}`|\b\w{1,20}://\S+|(?<!\S)\S{1,200}@\S+"  # code in a line, addresses
    r"|\"[^\"\n]{1,400}\"|“[^”\n]{1,400}”",  # the words of others
    re.MULTILINE | re.DOTALL,
)


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def _without(match: re.Match[str]) -> str:
    """The next word in the filler's place, with its capital where the filler had one."""
    return _capital(match["next"]) if match["filler"][0].isupper() else match["next"]


def _spelt(match: re.Match[str]) -> str:
    right = _SPELT[match[0].lower()]
    return _capital(right) if match[0][0].isupper() else right


RULES: tuple[Rule, ...] = (
    Rule("doubled word", re.compile(r"\b(?!(?i:had|that)\b)([^\W\d_]{2,})(?:\s+(?i:\1)\b)+"), lambda found: found[1]),
    Rule(
        "filler word",
        re.compile(
            r"(?<!\ba )(?<!\ban )(?<!\bnot )(?<!n['’]t )(?<!\bthe )(?<!\bhow )"
            rf"\b(?P<filler>(?i:{_FILLERS})) (?P<next>(?!(?i:much|well|few|little|same|{_FILLERS}|{_VERBS})\b)[^\W\d_])"
        ),
        _without,
        english=True,
    ),
    Rule("misspelt word", re.compile(rf"\b(?i:{'|'.join(_SPELT)})\b"), _spelt, english=True),
    Rule("missing apostrophe", re.compile(r"\b([Ii])ts(?= (?:not|ok|a|the|so|very|too)\b)"), lambda m: f"{m[1]}t's", english=True),
    Rule("small i", re.compile(r"(?<![\w.'’])i(?=['’ ][^\W\d_])(?!\.)"), lambda _: "I", english=True),
    Rule("space before a mark", re.compile(r"(?<=\w)[ ]+(?=[,.](?:\s|$))"), lambda _: "", english=True),
    Rule("repeated mark", re.compile(r"([!?,])\1+"), lambda found: found[1]),
    Rule("doubled space", re.compile(r"(?<=\S)[ ]{2,}(?=\S)"), lambda _: " "),
    Rule("needless blank line", re.compile(r"(?<=\n)(?:[^\S\n]*\n){2,}"), lambda _: "\n"),
    Rule("sentence without a capital", re.compile(r"(?:\A|(?<=\n\n)|(?<=[a-z]{2}[.!?] ))[a-z]{2,}(?:['’][a-z]+)?(?=,? [^\W\d_])"), lambda found: _capital(found[0]), english=True),
)  # fmt: skip
"""The rules of words and marks; sentences and paragraphs have their own below."""
KINDS = ("very long sentence", "no paragraph break", *(rule.kind for rule in RULES))
"""All kinds of faults, the gravest first."""


def faults_of(text: str) -> tuple[Fault, ...]:
    """All faults of a text in its order, none within another's place.

    >>> [(fault.kind, fault.better) for fault in faults_of("It was was  late.")]
    [('doubled word', 'was'), ('doubled space', ' ')]
    """
    english = is_english(words_of(text))
    kept = [match.span() for match in _KEPT.finditer(text)]
    found = [*_long(text), *(fault for rule in RULES if english or not rule.english for fault in _broken(rule, text))]
    faults: list[Fault] = []
    for fault in sorted(found, key=lambda fault: (fault.start, fault.end)):
        apart = not faults or fault.start >= faults[-1].end
        if apart and not _overlaps(fault, kept):
            faults.append(fault)
    return tuple(faults)


def mended(text: str) -> str:
    """The text with every fault mended that a rule can mend; without one, the very same text.

    What appears by mending is mended too, so that nothing is left for a second time.

    >>> mended("It was was  late.")
    'It was late.'
    """
    for _ in range(MOST_TURNS):
        better = _mended_once(text)
        if better == text:
            break
        text = better
    return text


def _mended_once(text: str) -> str:
    parts, at = [], 0
    for fault in faults_of(text):
        if fault.better is not None:
            parts += [text[at : fault.start], fault.better]
            at = fault.end
    return "".join([*parts, text[at:]])


def _broken(rule: Rule, text: str) -> Iterator[Fault]:
    for match in rule.pattern.finditer(text):
        yield Fault(match.start(), match.end(), rule.kind, rule.better(match))


def _overlaps(fault: Fault, kept: list[tuple[int, int]]) -> bool:
    at = bisect_right(kept, (fault.end, -1)) - 1
    return at >= 0 and kept[at][1] > fault.start


def _long(text: str) -> Iterator[Fault]:
    """Paragraphs without a break, and sentences that never end. Lists and headings have neither."""
    for match in _PARAGRAPH.finditer(text):
        paragraph = match[0]
        if _LISTED.search(paragraph):
            continue
        at, ends, words = 0, [], 0
        for sentence in sentences_of(paragraph):
            at = paragraph.index(sentence, at)
            length = len(words_of(sentence))
            if length > LONG_SENTENCE:
                yield _too_long(sentence, match.start() + at)
            at, words = at + len(sentence), words + length
            ends.append((words, at))
        if words > LONG_PARAGRAPH:
            yield _without_break(paragraph, match.start(), ends)


def _too_long(sentence: str, start: int) -> Fault:
    """A long sentence: at the link nearest to its middle it can be two, where both halves can stand alone."""
    middle = len(sentence) / 2
    near = sorted(_LINKS.finditer(sentence), key=lambda place: abs(place.start() - middle))[:MOST_LINKS]
    link = next((place for place in near if _can_part(sentence, place)), None)
    if link is None:
        return Fault(start, start, "very long sentence", None)
    word = link["link"]
    end = link.end() + 1
    first = sentence[link.end()]
    lead = f"{_capital(word)} {first}" if word in ("but", "so") else first.upper()
    return Fault(start + link.start(), start + end, "very long sentence", f". {lead}")


def _can_part(sentence: str, link: re.Match[str]) -> bool:
    before, after = sentence[: link.start()], sentence[link.end() :]
    if _HANGS_ON.match(before) or _HANGS_ON.match(after) or before.count("(") != before.count(")"):
        return False
    return len(_WORDS.findall(before)) >= SHORTEST_HALF and len(_WORDS.findall(after)) >= SHORTEST_HALF


def _without_break(paragraph: str, start: int, ends: list[tuple[int, int]]) -> Fault:
    """A long paragraph: the sentence's end nearest to its middle can be a paragraph's."""
    whole = ends[-1][0]
    words, at = min(ends, key=lambda end: abs(end[0] - whole / 2))
    gap = len(paragraph[at:]) - len(paragraph[at:].lstrip())
    if not gap or not LONG_SENTENCE <= words <= whole - LONG_SENTENCE:
        return Fault(start, start, "no paragraph break", None)
    return Fault(start + at, start + at + gap, "no paragraph break", "\n\n")
