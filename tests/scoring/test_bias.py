"""Habits over a run are counts with intervals; too few decisions tell nothing."""

from __future__ import annotations

import pytest

from judge_core.records.verdict import Judgment
from judge_core.scoring.habits.bias import Decision, decisions, family_bias, length_bias, share_of
from tests.views.streams import judge, lost, spec, text, turn, win


def test_the_interval_is_that_of_wilson() -> None:
    """Newcombe 1998, table I: 81 of 263 and 15 of 148, by the score method without correction."""
    for favoured, decided, low, high in ((81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605)):
        share = share_of(favoured, decided)
        assert (round(share.low, 4), round(share.high, 4)) == (low, high)


@pytest.mark.parametrize("decided", [0, 19])
def test_below_20_decisions_nothing_is_said(decided: int) -> None:
    longer = [Decision("gpt-4o", 200, 100, "gpt-4", "claude-2")] * decided
    assert length_bias(longer) is None and family_bias(longer) is None


def test_texts_of_equal_length_decide_nothing_about_length() -> None:
    found = length_bias([Decision("m", 200, 100)] * 15 + [Decision("m", 100, 200)] * 5 + [Decision("m", 9, 9)] * 50)
    assert found is not None and (found.favoured, found.decided, found.share) == (15, 20, 0.75)
    assert found.uneven == (found.low > 0.5)


def test_only_decisions_between_the_own_and_another_family_count() -> None:
    own, other = Decision("gpt-4o", 1, 1, "gpt-3.5", "claude-2"), Decision("gpt-4o", 1, 1, "claude-2", "o1-mini")
    void = [
        Decision("gpt-4o", 1, 1, "gpt-4", "o1"),
        Decision("gpt-4o", 1, 1, "claude-2", "gemini-pro"),
        Decision("gpt-4o", 1, 1, "gpt-4", "Ann"),
        Decision("offline", 1, 1, "gpt-4", "claude-2"),
    ]
    found = family_bias([own] * 24 + [other] * 6 + void * 10)
    assert found is not None and (found.favoured, found.decided, found.share) == (24, 30, 0.8)
    assert found.uneven


def test_each_judges_decisive_verdicts_are_taken_from_the_matches() -> None:
    texts = (text(1, words=300, columns={"model": "gpt-4"}), text(2, words=100, columns={"Author": "claude-2"}))
    judges = (judge(model="gpt-4o"), judge("x", model="claude-3-opus"))
    of = spec(texts, judges=judges, fallbacks=(judge("openai:own", model="llama-3"),))
    flip = win(judge=1).model_copy(update={"outcome": "flipped", "result": 0.5})
    tied = win(5, 5)
    stood_in = win(4, 8, judge=1, turns=(turn(answered_by="openai:own"), turn(turn=1)))
    matches: list[tuple[str, str, list[Judgment]]] = [
        ("E-001", "E-002", [win(), flip]),
        ("E-002", "E-001", [tied, win(judge=1)]),
        ("E-001", "E-002", [lost(), stood_in]),
    ]
    assert list(decisions(matches, of)) == [
        Decision("gpt-4o", 300, 100, "gpt-4", "claude-2"),
        Decision("claude-3-opus", 100, 300, "claude-2", "gpt-4"),
        Decision("llama-3", 100, 300, "claude-2", "gpt-4"),
    ]
