"""Reasons are shown with the order that the judge saw."""

from __future__ import annotations

import json

import pytest

from judge_core.modes.pairs.reasons import AliasQuote, agrees, check_quotes, leading_order, reading_of, shown_as
from judge_core.records.criteria import OVERALL
from judge_core.records.verdict import Judgment, JudgmentClass, OrderReading, PairScores, Winner

TEXT_B_WINS = json.dumps(
    {
        "criteria": [{"name": "Overall", "score_a": 3, "score_b": 8, "reasoning": "Text B cites a study."}],
        "quotes": [{"side": "B", "text": "a study says so"}],
        "winner": "B",
        "reasoning": "Text B is better because it cites a study.",
    }
)


def test_words_about_text_b_stand_beside_the_text_that_was_b() -> None:
    """In the swapped order x was text B: its win, its quote and the judge's words belong together."""
    read = reading_of(TEXT_B_WINS, (OVERALL,), shown_as("y", "x"))
    assert read.reading is not None and read.shown.alias(read.reading.winner) == "x"  # type: ignore[arg-type]
    assert read.shown.line == "The judge saw y as text A and x as text B."
    assert read.overall == "Text B is better because it cites a study."
    assert [reason.text for reason in read.reasons] == ["Text B cites a study."]
    assert [(quote.alias, quote.text) for quote in read.quotes] == [("x", "a study says so")]


def test_an_unreadable_reply_is_shown_as_such_and_has_no_winner() -> None:
    read = reading_of("", (OVERALL,), shown_as("y", "x"), "length")
    assert read.reading is None and read.error is not None and "max_tokens" in read.error


def order(first: str, winner: Winner) -> OrderReading:
    return OrderReading(first=first, turn=0, scores={}, totals=PairScores(a=0, b=0), winner=winner)


@pytest.mark.parametrize(("outcome", "first"), [("won", "x"), ("lost", "y"), ("tied", "x"), ("flipped", "x")])
def test_the_reasons_that_agree_with_the_verdict_stand_first(outcome: JudgmentClass, first: str) -> None:
    judgment = Judgment(judge=0, outcome=outcome, orders=(order("x", "A"), order("y", "B")))
    leading = leading_order(judgment)
    assert leading is not None and leading.first == first


def test_a_judgment_without_a_verdict_has_no_reasons() -> None:
    assert leading_order(Judgment(judge=0, outcome="failed")) is None


def test_quotes_found_are_numbered_in_order_and_equal_passages_share_a_number() -> None:
    texts: dict[str, str | None] = {"x": "A study says so, and more.", "y": "Nobody asked."}
    said = [("x", "a study says so"), ("y", "bees fly"), ("y", "nobody asked"), ("x", "“A study says so”")]
    checked = check_quotes([AliasQuote(alias=alias, text=words) for alias, words in said], texts)
    assert [quote.number for quote in checked] == [1, None, 2, 1]
    assert [quote.invented for quote in checked] == [False, True, False, False]


def test_a_quote_from_the_other_text_is_told_from_an_invented_one() -> None:
    texts: dict[str, str | None] = {"x": "A study says so.", "y": "Nobody asked."}
    (quote,) = check_quotes([AliasQuote(alias="y", text="a study says so")], texts)
    assert (quote.spans, quote.elsewhere, quote.invented) == ((), True, False)


def test_a_quote_from_an_erased_text_is_neither_found_nor_invented() -> None:
    texts: dict[str, str | None] = {"x": None, "y": "A study says so."}
    (quote,) = check_quotes([AliasQuote(alias="x", text="a study says so")], texts)
    assert (quote.checked, quote.spans, quote.elsewhere, quote.invented) == (False, (), False, False)


def test_no_order_agrees_with_a_flip() -> None:
    judgment = Judgment(judge=0, outcome="flipped", orders=(order("x", "A"), order("y", "B")))
    assert not any(agrees(judgment, one) for one in judgment.orders)
