"""Warnings that stand beside a verdict: quotes that are not in the text, a much longer winner, a winner of the judge's own kin.

Each is a function of what is known anyway and returns notices only. No score, winner or result is an output of this
module, so none can change by a warning. Messages hold numbers and names of ours, never a word of a text or a reply.
"""

from __future__ import annotations

from collections.abc import Iterable

from judge_core.records.notices import explain
from judge_core.records.record import Notice
from judge_core.records.spec import TextRef
from judge_core.records.verdict import Quote, Winner
from judge_core.scoring.habits.families import author_of, family_of
from judge_core.scoring.quotes import find_quote

LONGER = 1.5
"""A text is much longer from this many times the other's words on,"""
LONGER_BY = 50
"""and only if it also has this many words more: among short answers a few words are half the length."""


def quote_notices(quotes: Iterable[tuple[str, str, str]]) -> tuple[Notice, ...]:
    """One `quote_not_found` for each label with a quote that does not stand in its text: how many of how many.

    `quotes`: (label of ours such as 'text A', the text, the quote).

    >>> [n.message for n in quote_notices([("text A", "Trees cool streets.", "trees cool"), ("text A", "Trees.", "bees")])]
    ['1 of 2 quotes that the judge gives from text A does not stand there word for word.']
    """
    found: dict[str, list[bool]] = {}
    for label, text, quote in quotes:
        found.setdefault(label, []).append(bool(find_quote(text, quote)))
    return tuple(_not_found(label, there) for label, there in found.items() if not all(there))


def _not_found(label: str, there: list[bool]) -> Notice:
    missing, given = there.count(False), len(there)
    quotes = "quote" if given == 1 else "quotes"
    verb = "does" if missing == 1 else "do"
    message = f"{missing} of {given} {quotes} that the judge gives from {label} {verb} not stand there word for word."
    return Notice(code="quote_not_found", message=message)


def pair_quote_notices(quotes: Iterable[Quote], text_a: str | None, text_b: str | None) -> tuple[Notice, ...]:
    """The same for a pairwise reply; sides as shown to the judge. What is quoted from an erased text (None) is not checked."""
    texts = {"A": text_a, "B": text_b}
    sided = ((f"text {quote.side}", texts[quote.side], quote.text) for quote in quotes)
    return quote_notices((label, text, quote) for label, text, quote in sided if text is not None)


def verbosity_notice(words_a: int, words_b: int, winner: Winner) -> Notice | None:
    """`verbosity` where the winner has at least 1.5 times the other's words, and at least 50 more.

    >>> verbosity_notice(300, 150, "A").message
    'The preferred text has 300 words and the other 150; look whether length alone was rewarded.'
    >>> verbosity_notice(300, 150, "B"), verbosity_notice(60, 20, "A"), verbosity_notice(300, 150, "tie")
    (None, None, None)
    """
    if winner == "tie":
        return None
    won, lost = (words_a, words_b) if winner == "A" else (words_b, words_a)
    if won < LONGER * lost or won - lost < LONGER_BY:
        return None
    message = f"The preferred text has {won} words and the other {lost}; look whether length alone was rewarded."
    return Notice(code="verbosity", message=message)


def self_preference_notice(judge_model: str, author_a: str, author_b: str, winner: Winner) -> Notice | None:
    """`self_preference` where the winner's author is a model of the judge's family and the loser's is not.

    Nothing is said where a family is not known, or where both texts are of it: then it decided nothing.

    >>> self_preference_notice("gpt-4o", "gpt-3.5-turbo", "claude-3-opus", "A").message
    'The judge and the author of the preferred text are both of the OpenAI family of models.'
    >>> self_preference_notice("gpt-4o", "gpt-3.5-turbo", "claude-3-opus", "B") is None
    True
    """
    own = family_of(judge_model)
    if own is None or winner == "tie":
        return None
    won, lost = (author_a, author_b) if winner == "A" else (author_b, author_a)
    if family_of(won) != own or family_of(lost) == own:
        return None
    message = f"The judge and the author of the preferred text are both of the {own} family of models."
    return Notice(code="self_preference", message=message)


def identity_notice(a: TextRef, b: TextRef, winner: Winner) -> Notice | None:
    """`identical_texts` where one of two equal texts was preferred."""
    if a.sha256 != b.sha256 or winner == "tie":
        return None
    return Notice(code="identical_texts", message=explain("identical_texts"))


def match_cautions(a: TextRef, b: TextRef, judge_model: str, winner: Winner) -> tuple[Notice, ...]:
    """What can be said of a match's verdict from lengths and authors; a flip counts as 'tie'. Authors stand in the columns."""
    found = (
        identity_notice(a, b, winner),
        verbosity_notice(a.words, b.words, winner),
        self_preference_notice(judge_model, author_of(a.columns), author_of(b.columns), winner),
    )
    return tuple(notice for notice in found if notice)
