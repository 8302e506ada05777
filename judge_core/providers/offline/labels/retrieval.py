"""The demo judge's replies about retrieval answers: claims are sentences, support is shared words.

- a claim is a sentence or an item of a list with words that carry something; questions, headings, greetings, offers of
  help and refusals are none;
- a claim is supported by a text that holds more than half of its content words (`MOST_OF`), and all its numbers;
- it is contradicted where the sentence nearest to it in that text has another number in the place of a missing one, or
  where just one of the two is negated;
- else it is not found. Words of the same meaning are not known to be so, and swapped names are not noticed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import islice
from typing import Any, NamedTuple

from judge_core.providers.offline.content_words import content_words, is_negated, numbers_in, share_in
from judge_core.providers.offline.sheets import Shown
from judge_core.providers.offline.text_statistics import paragraphs_of, sentences_of, unlisted

MOST_CLAIMS = 200
"""Claims that an answer to this question may hold; those of a longer text are its first ones."""
LONGEST_CLAIM = 800
"""Characters of a claim; a longer sentence is taken in pieces."""
MOST_SENTENCES = 2000
"""Sentences of a text that are looked at one by one; of more, neighbours are looked at together."""
MOST_OF = 0.5
"""The share of a claim's content words of which a text must hold more to say something of it.

Chosen among a few values on the very labels of people that the tests compare with, so the agreement there flatters it."""
RELEVANT_TO_QUESTION = 0.5
"""The share of the question's content words from which a passage counts as relevant,"""
RELEVANT_TO_ANSWER = 0.3
"""or of the answer's."""
Reply = dict[str, Any]

_OPENING = r"(?:(?:sorry|unfortunately|regrettably|well|i am sorry|i'm sorry|i am afraid|i'm afraid|i apologi[sz]e)[ ,:;.]+){0,3}(?:but |that |because )?"
_ABLE = r"(?:cannot|can't|can not|could not|couldn't|am unable to|am not able to|are unable to|was unable to|were unable to|will not|won't)"
_REFUSAL = re.compile(
    rf"{_OPENING}(?:as an ai\b.*|(?:i|we) (?:really |simply |just )?(?:do not|don't|did not|didn't) (?:know|have|find)\b.*"
    rf"|(?:i|we) {_ABLE} (?:answer|help|say|tell|find|provide|determine|assist|comment|give|offer|share|confirm|know)\b.*"
    r"|(?:i|we) have no (?:information|idea|data|answer)\b.*|(?:there is |there's )?(?:no|not enough) (?:relevant )?information\b.*"
    r"|(?:i am |i'm )?not sure\b.*|(?:i am|i'm) (?:sorry|afraid)[.!]?)",
    re.IGNORECASE | re.DOTALL,
)
_TALK = re.compile(
    r"(?:hello|hi|dear|good (?:morning|day|evening)|thank you|thanks|i hope|let me know|feel free|please (?:let|feel|note that i)|"
    r"if you (?:have|need|would like) (?:any|more|further|me)|happy to help|great question|good question|sure|of course|certainly)\b",
    re.IGNORECASE,
)


def claims_reply(shown: Shown) -> Reply:
    """The claims of the answer, or of the reference answer where that is shown in its place."""
    text = shown.first("answer") or shown.first("reference")
    return {"claims": [{"id": str(n), "text": claim} for n, claim in enumerate(claims_of(text), start=1)]}


def labels_reply(shown: Shown) -> Reply:
    """A label for each claim against the passages, and whether each passage is relevant."""
    passages = [Source(text) for text in shown.of("passage")]
    rows = [label(claim, passages) for claim in shown.claims]
    wanted, said = content_words(shown.first("question")), content_words(shown.first("answer"))
    relevant = [
        share_in(wanted, passage.words) >= RELEVANT_TO_QUESTION or share_in(said, passage.words) >= RELEVANT_TO_ANSWER
        for passage in passages
    ]
    return {
        "claims": [
            {"id": str(n), "verdict": row.verdict, "passages": row.cited} for n, row in enumerate(rows, start=1)
        ],
        "passages": [{"id": str(n), "relevant": flag} for n, flag in enumerate(relevant, start=1)],
    }


def coverage_reply(shown: Shown) -> Reply:
    """A label for each claim against the answer."""
    answer = [Source(shown.first("answer"))]
    rows = [label(claim, answer) for claim in shown.claims]
    return {"claims": [{"id": str(n), "verdict": row.verdict} for n, row in enumerate(rows, start=1)]}


def claims_of(text: str) -> list[str]:
    """The claims of a text in their order, each once, in its own words.

    >>> claims_of("Sorry, I don't know the price. It opens at ten. Why? These rooms are free:\\n- the hall\\n- Room 2")
    ['It opens at ten.', 'the hall', 'Room 2']
    """
    found: dict[str, None] = {}
    for sentence in _sentences(text):
        if _claims_something(sentence):
            found.update(dict.fromkeys(islice(_pieces(sentence), MOST_CLAIMS)))
        if len(found) >= MOST_CLAIMS:
            break
    return list(found)[:MOST_CLAIMS]


def is_refusal(text: str) -> bool:
    """Whether a text refuses or does not know, and claims nothing beside.

    >>> is_refusal("I am sorry, but I cannot help with that."), is_refusal("I don't know. It may be 7."), is_refusal("")
    (True, False, False)
    """
    return not claims_of(text) and any(map(_refuses, _sentences(text)))


class Label(NamedTuple):
    verdict: str
    cited: list[str]
    """Numbers of the sources that it rests on."""


class Source:
    """A text that a claim is checked against."""

    def __init__(self, text: str):
        self._text = text
        self.words = content_words(text)
        self.numbers = numbers_in(text)

    @cached_property
    def sentences(self) -> list[tuple[frozenset[str], str]]:
        """Its sentences with their content words, at most `MOST_SENTENCES`."""
        plain = list(_sentences(self._text))
        step = -(-len(plain) // MOST_SENTENCES) or 1
        joined = (" ".join(plain[at : at + step]) for at in range(0, len(plain), step))
        return [(content_words(sentence), sentence) for sentence in joined]

    def nearest(self, words: frozenset[str]) -> tuple[frozenset[str], str]:
        """The sentence that shares most of these words, the first of equals, with its own."""
        return max(self.sentences, key=lambda sentence: len(words & sentence[0]), default=(frozenset(), ""))


def label(claim: str, sources: Sequence[Source]) -> Label:
    """What the sources say of a claim; cited are those that hold the largest share of its words.

    >>> bus = Source("Bus 4 leaves the market at 22:10. It does not run on Sundays.")
    >>> label("Bus 4 leaves the market at 22:10.", [bus])
    Label(verdict='supported', cited=['1'])
    >>> [label(claim, [bus]).verdict for claim in ("Bus 4 leaves the market at 9.", "It runs on Sundays.", "Trams run.")]
    ['contradicted', 'contradicted', 'not_found']
    """
    words = content_words(claim)
    shares = [share_in(words, source.words) for source in sources]
    best = max(shares, default=0.0)
    if best <= MOST_OF:
        return Label("not_found", [])
    verdicts = {n: _verdict(claim, words, sources[n]) for n, share in enumerate(shares) if share == best}
    for verdict in ("supported", "contradicted"):
        cited = [str(n + 1) for n, own in verdicts.items() if own == verdict]
        if cited:
            return Label(verdict, cited)
    return Label("not_found", [])


def _verdict(claim: str, words: frozenset[str], source: Source) -> str:
    """What one source says of a claim most of whose words it holds."""
    near, sentence = source.nearest(words)
    close = share_in(words, near) > MOST_OF
    if close and is_negated(claim) != is_negated(sentence):
        return "contradicted"
    numbers = numbers_in(claim)
    if numbers <= source.numbers:
        return "supported"
    return "contradicted" if numbers_in(sentence) - numbers else "not_found"


def _sentences(text: str) -> Iterator[str]:
    """Sentences and items of lists in one line, each once; headings and lines that only lead to a list are left out."""
    seen: set[str] = set()
    for paragraph in paragraphs_of(text):
        if paragraph.lstrip().startswith("#"):
            continue
        for sentence in sentences_of(unlisted(paragraph)):
            plain = " ".join(sentence.split())
            if not plain.isprintable():
                plain = " ".join("".join(c if c.isprintable() else " " for c in plain).split())
            if plain not in seen and not plain.endswith(":"):
                seen.add(plain)
                yield plain


def _claims_something(sentence: str) -> bool:
    asks = sentence.rstrip("\"'”’»)]*_ ").endswith(("?", "？", "؟"))
    return not asks and not _refuses(sentence) and not _TALK.match(sentence) and bool(content_words(sentence))


def _refuses(sentence: str) -> bool:
    return _REFUSAL.fullmatch(sentence.replace("’", "'")) is not None


def _pieces(sentence: str) -> Iterator[str]:
    """A sentence, or pieces of it that are short enough, cut at blanks where there are any, that say something."""
    start = 0
    while start < len(sentence):
        end = start + LONGEST_CLAIM
        blank = sentence.rfind(" ", start + 1, end) if end < len(sentence) else -1
        end = blank if blank > 0 else end
        piece = sentence[start:end].strip()
        if content_words(piece):
            yield piece
        start = end
