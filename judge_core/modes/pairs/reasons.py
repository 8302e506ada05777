"""Reasons: a judge's own words, re-made from its stored raw reply and never shown without the order that it saw.

A judge says 'text A' and means the text that was shown to it first, which in a swapped order is the other one. So its
words stay as they are, and stand beside a line that says which text was A.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from judge_core.modes.pairs.pairwise import read_pairwise
from judge_core.records.criteria import Criterion
from judge_core.records.errors import ReplyError
from judge_core.records.record import Notice, Record
from judge_core.records.verdict import CriterionReason, Judgment, OrderReading, PairReading, Side
from judge_core.scoring.quotes import Span, find_quote


class ShownAs(Record):
    """Which text the judge knew by which letter: aliases."""

    a: str
    b: str

    @property
    def line(self) -> str:
        """The sentence that stands beside the judge's words."""
        return f"The judge saw {self.a} as text A and {self.b} as text B."

    def alias(self, side: Side) -> str:
        """The text that a side stands for."""
        return self.a if side == "A" else self.b


class AliasQuote(Record):
    """A passage that the judge quoted, by the text that it says it is from."""

    alias: str
    text: str


class CheckedQuote(Record):
    """A quote, looked for in the text that the judge says it is from."""

    alias: str
    text: str
    number: int | None = None
    """From 1 over the whole match; stands beside the passage in the text too. None where it was not found."""
    spans: tuple[Span, ...] = ()
    """Where it stands in that text; () where it does not."""
    checked: bool = True
    """False where that text was erased: nobody can tell any more."""
    elsewhere: bool = False
    """It stands in the match's other text instead."""

    @property
    def invented(self) -> bool:
        """Whether it stands in neither text."""
        return self.checked and not self.spans and not self.elsewhere


class ReplyReading(Record):
    """One raw reply as the match page shows it."""

    shown: ShownAs
    reading: PairReading | None = None
    """Sides as the judge saw them; None where the reply could not be read."""
    reasons: tuple[CriterionReason, ...] = ()
    overall: str = ""
    quotes: tuple[AliasQuote, ...] = ()
    warnings: tuple[Notice, ...] = ()
    error: str | None = None
    """Why the reply could not be read: wording of ours."""


def shown_as(first: str, other: str) -> ShownAs:
    """The letters of a prompt that showed the text `first` before the text `other` (aliases).

    >>> shown_as("E-007", "E-002").line
    'The judge saw E-007 as text A and E-002 as text B.'
    """
    return ShownAs(a=first, b=other)


def reading_of(
    text: str, criteria: Sequence[Criterion], shown: ShownAs, finish_reason: str | None = None
) -> ReplyReading:
    """The stored raw reply of one turn, read again. An unreadable one has `error` and no reading; nothing is raised."""
    try:
        reading = read_pairwise(text, criteria, finish_reason)
    except ReplyError as error:
        return ReplyReading(shown=shown, error=str(error))
    return ReplyReading(
        shown=shown,
        reading=reading,
        reasons=reading.reasons,
        overall=reading.overall,
        quotes=tuple(AliasQuote(alias=shown.alias(quote.side), text=quote.text) for quote in reading.quotes),
        warnings=reading.warnings,
    )


def leading_order(judgment: Judgment) -> OrderReading | None:
    """The order whose reasons stand first: one that agrees with the judgment's own winner; None without any verdict."""
    agreed = (order for order in judgment.orders if agrees(judgment, order))
    return next(agreed, next(iter(judgment.orders), None))


def check_quotes(quotes: Iterable[AliasQuote], texts: Mapping[str, str | None]) -> tuple[CheckedQuote, ...]:
    """The quotes of a match, looked up; those found are numbered from 1, the same passage with the same number each time.

    `texts`: both texts by alias; None where one was erased.
    """
    checked: list[CheckedQuote] = []
    numbers: dict[tuple[str, tuple[Span, ...]], int] = {}
    for quote in quotes:
        found = _looked_up(quote, texts)
        number = numbers.setdefault((quote.alias, found.spans), len(numbers) + 1) if found.spans else None
        checked.append(found.model_copy(update={"number": number}))
    return tuple(checked)


def _looked_up(quote: AliasQuote, texts: Mapping[str, str | None]) -> CheckedQuote:
    text = texts.get(quote.alias)
    spans = find_quote(text, quote.text) if text is not None else ()
    others = (other for alias, other in texts.items() if alias != quote.alias and other is not None)
    elsewhere = text is not None and not spans and any(find_quote(other, quote.text) for other in others)
    return CheckedQuote(alias=quote.alias, text=quote.text, spans=spans, checked=text is not None, elsewhere=elsewhere)


def agrees(judgment: Judgment, order: OrderReading) -> bool:
    """Whether an order's own winner is the judgment's; a flip agrees with neither."""
    return {"won": "A", "lost": "B", "tied": "tie"}.get(judgment.outcome) == order.winner
