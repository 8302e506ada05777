"""Replies about agent runs: what is read of them, and what is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_core.modes.agent.reading import read_agent, read_patterns
from judge_core.records.errors import ReplyError
from tests.modes.agent_replies import ROWS, named, patterns_reply, reply, row

# --- reading labels


def test_a_plain_reply_is_read_whole() -> None:
    reading = read_agent(reply(quotes=[{"text": "booked"}, {"text": ""}, 7]), 3, "stop", {1, 3})
    assert (reading.goal, reading.overall, reading.quotes) == ("achieved", "r", ("booked",))
    assert [(step.step, step.label, step.call_correct) for step in reading.steps] == [
        (1, "useful", True), (2, "redundant", None), (3, "harmful", False),
    ]  # fmt: skip


def test_rows_may_come_in_any_order_and_numbers_in_plain_spellings() -> None:
    rows = [row("Step 3", "HARMFUL", "Wrong"), row(1), row("2.", " Redundant ", "none")]
    assert read_agent(reply(rows, goal="Not achieved"), 3, None, {1, 3}).model_copy(
        update={"goal": "achieved"}
    ) == read_agent(reply(), 3, None, {1, 3})


def test_a_label_for_a_call_that_there_is_none_of_is_dropped() -> None:
    rows = [row("1"), row("2", "redundant", "wrong"), row("3")]
    assert read_agent(reply(rows), 3, None, {1, 3}).steps[1].call_correct is None


def test_without_knowing_the_run_its_labels_count_as_given() -> None:
    assert [step.call_correct for step in read_agent(reply()).steps] == [True, None, False]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (reply(ROWS[:2]), "missing_step"),
        (reply([*ROWS, row("4")]), "unknown_step"),
        (reply([*ROWS[:2], row("7")]), "missing_step"),
        (reply([*ROWS, ROWS[0]]), "repeated_step"),
        (reply([*ROWS[:2], row("three")]), "bad_step"),
        (reply([*ROWS[:2], row("0")]), "bad_step"),
        (reply([*ROWS[:2], row("2-3")]), "bad_step"),
        (reply([*ROWS[:2], row("3", "fine")]), "bad_label"),
        (reply([*ROWS[:2], row("3", ["useful"])]), "bad_label"),
        (reply([*ROWS[:2], row("3", "useful", "none")]), "missing_call"),
        (reply([*ROWS[:2], {"step": "3", "label": "useful"}]), "missing_call"),
        (reply(goal="mostly"), "bad_label"),
        (reply(goal=None), "bad_label"),
        (reply(rows={"1": "useful"}), "no_verdict"),
        (reply([]), "missing_step"),
        ('{"goal": "achieved"}', "no_verdict"),
        ("All steps were useful.", "no_verdict"),
        ("", "empty"),
    ],
)
def test_what_is_not_plainly_labelled_is_refused(text: str, code: str) -> None:
    with pytest.raises(ReplyError) as refused:
        read_agent(text, 3, "stop", {1, 3})
    assert refused.value.code == code
    assert not any(word in str(refused.value) for word in ("fine", "mostly", "three"))


def test_a_reply_cut_before_its_last_step_is_truncated() -> None:
    with pytest.raises(ReplyError) as refused:
        read_agent(reply(ROWS[:2]), 3, "length", {1, 3})
    assert refused.value.code == "truncated"


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(
    st.sampled_from(["goal", "steps", "step", "label", "call", "patterns", "name", "confidence", "quotes"]), inner), max_leaves=12))  # fmt: skip
def test_any_reply_is_read_or_refused(value: Any) -> None:
    for read in (read_agent, read_patterns):
        try:
            read(json.dumps(value), 3)
        except ReplyError:
            continue


# --- reading patterns


def test_patterns_are_read_with_their_severity() -> None:
    (found,) = read_patterns(patterns_reply(named("stuck on test", ["STEP 3", 1], "0.8")), 3).patterns
    assert (found.name, found.steps, found.confidence, found.source) == ("stuck_on_test", (1, 3), 0.8, "judge")
    assert (found.severity, found.taxonomy) == (5, "reasoning_error")


def test_no_pattern_is_an_answer_too() -> None:
    assert read_patterns(patterns_reply(), 3).patterns == ()


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (patterns_reply(named("laziness")), "bad_pattern"),
        (patterns_reply(named(steps=["4"])), "bad_step"),
        (patterns_reply(named(steps=[])), "bad_step"),
        (patterns_reply(named(steps="1")), "bad_step"),
        (patterns_reply(named(confidence=1.2)), "bad_confidence"),
        (patterns_reply(named(confidence=True)), "bad_confidence"),
        (patterns_reply(named(confidence="high")), "bad_confidence"),
        ('{"patterns": "none"}', "bad_json"),
        ('{"patterns": 3}', "no_verdict"),
        ("There is none.", "no_verdict"),
    ],
)
def test_patterns_that_are_not_plain_are_refused(text: str, code: str) -> None:
    with pytest.raises(ReplyError) as refused:
        read_patterns(text, 3)
    assert refused.value.code == code


def test_a_cut_list_of_patterns_is_no_answer() -> None:
    with pytest.raises(ReplyError) as refused:
        read_patterns(patterns_reply(named()), 3, "length")
    assert refused.value.code == "truncated"
