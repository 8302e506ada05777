"""Reasons are shown with the order that the judge saw."""

from __future__ import annotations

import json

import pytest

from judge_core.modes.reasons import leading_order, reading_of, shown_as
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
