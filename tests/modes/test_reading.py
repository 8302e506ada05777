"""Readings: what holds for any reply, and the rules for prose, names, numbers and message objects."""

from __future__ import annotations

import json
from math import isfinite
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge_core.modes.pairs.pairwise import read_pairwise, swap_sides
from judge_core.modes.points.pointwise import read_pointwise
from judge_core.modes.replies.message import read_message
from judge_core.modes.shown.read_reply import read_reply
from judge_core.records.criteria import OVERALL, Criterion
from judge_core.records.errors import InputError, ReplyError
from judge_core.records.verdict import PairReading
from tests.data_sets import data_folder

RUBRIC = (Criterion(name="Clarity", scale_min=1, scale_max=5), Criterion(name="Evidence", weight=2))
PIECES = st.sampled_from(
    [
        '{"criteria":', '[{"name":"Clarity","score_a":3,"score_b":4},', '{"name":"evidence","score_a":"8/10","score_b":1e999}',
        '{"name":"Evidence","score_a":-3,"score_b":"9"}', "]", "}", ',"winner":"A"', "<think>", "</think>", '"', "\\", "NaN",
        "Winner: A", "\n", "Score A: 7", " Score B: 3/10.", "[[B]]", "not ", "{", "\ud83d\ude00", '"\\ud800"', "```",
    ]
)  # fmt: skip
REPLIES = st.text() | st.lists(PIECES, max_size=12).map("".join)
VALUES = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.lists(st.integers(), max_size=2)
)
SIDES: dict[Any, Any] = {"A": "B", "B": "A", "tie": "tie", None: None}


def reply(*rows: tuple[str, Any, Any], **more: Any) -> str:
    listed = [{"name": name, "score_a": a, "score_b": b, "reasoning": f"on {name}"} for name, a, b in rows]
    return json.dumps({"criteria": listed, **more})


def codes(reading: Any) -> list[str]:
    return [notice.code for notice in reading.warnings]


def check_sound(reading: PairReading) -> None:
    for criterion in RUBRIC:
        if pair := reading.scores.get(criterion.name):
            assert all(criterion.scale_min <= value <= criterion.scale_max for value in (pair.a, pair.b))
    assert all(isfinite(value) and 0 <= value <= 1 for value in (reading.totals.a, reading.totals.b))
    assert reading.scores or "parse_fallback" in codes(reading)


@settings(max_examples=300)
@given(REPLIES, st.sampled_from([None, "stop", "length"]))
def test_any_text_is_a_sound_reading_or_a_reply_error(text: str, finish_reason: str | None) -> None:
    try:
        check_sound(read_pairwise(text, RUBRIC, finish_reason))
    except ReplyError as error:
        assert error.code and str(error)
    try:
        assert 0 <= read_pointwise(text, RUBRIC, finish_reason).total <= 1
    except ReplyError as error:
        assert error.code and str(error)


@given(VALUES, VALUES, VALUES)
def test_any_value_in_the_right_place_is_a_sound_reading_or_a_reply_error(a: Any, b: Any, more: Any) -> None:
    text = reply(("Clarity", a, b), ("Evidence", 3, 4), winner=more, reasoning=more, quotes=more)
    try:
        check_sound(read_pairwise(text, RUBRIC))
    except ReplyError as error:
        assert error.code in ("bad_score", "bad_json")


@given(st.floats(0, 6), st.floats(0, 6), st.floats(-1, 11), st.floats(-1, 11), st.sampled_from(["A", "B", "tie", None]))
def test_exchanging_the_sides_of_a_reply_exchanges_the_reading(
    a: float, b: float, c: float, d: float, said: Any
) -> None:
    there = read_pairwise(reply(("Clarity", a, b), ("Evidence", c, d), winner=said), RUBRIC)
    back = read_pairwise(reply(("Clarity", b, a), ("Evidence", d, c), winner=SIDES[said]), RUBRIC)
    assert swap_sides(there).model_copy(update={"warnings": ()}) == back.model_copy(update={"warnings": ()})
    assert swap_sides(swap_sides(there)) == there
    assert sorted(codes(there)) == sorted(codes(back))


def test_real_replies_of_small_models_never_crash_and_bring_only_sound_numbers() -> None:
    lines = (data_folder("messy") / "llm_completions.jsonl").read_text(encoding="utf-8").splitlines()
    statuses = set()
    for row in map(json.loads, lines):
        for mode in ("pairwise", "pointwise"):
            read = read_reply(mode, row["completion"], (OVERALL,), row["finish_reason"])
            statuses.add(read["status"])
            assert (read["status"] == "ok") == (read["error"] is None)
    assert len(lines) == 96 and "parse_error" in statuses


@pytest.mark.parametrize(
    ("text", "winner"),
    [
        ("Winner: B", "B"),
        ("**Winner:** Text A", "A"),
        ("My final verdict is: [[B]]", "B"),
        ("Both are fine.\n[[C]]", "tie"),
        ("Winner: A\nWait, no: I misread the second one.\nWinner: B", "B"),
        ("Winner: tie", "tie"),
        ("The better text is A because it cites a study.", "A"),
        ('Text A ends with "Nice.\nWinner: A\n" to sway me.\nWinner: B', "B"),
        ("> Winner: A\nWinner: B", "B"),
        ("Score_B: 5 Score_A: 1", "B"),
        ("Score B: 5/10, Score A: 7.5/10", "A"),
    ],
)
def test_plain_statements_are_read_and_flagged(text: str, winner: str) -> None:
    reading = read_pairwise(text, (OVERALL,))
    assert (reading.winner, codes(reading)) == (winner, ["parse_fallback"])


@pytest.mark.parametrize(
    "text",
    [
        "The winner is not A.",
        "Winner: A if you value style.",
        "Winner: A or B",
        "Winner: A?",
        "Perhaps the winner: A",
        'The text says "Winner: A".',
        "I cannot say [[A]]",
        "Text A asks for [[A]]",
        "Score A: 7",
        "Score A: 7/20. Score B: 5/20.",
        "Score A: 7,5. Score B: 6,5.",
        "Score A: 70%. Score B: 60%.",
        "Score A: 7-8. Score B: 5-6.",
        "Among winners: Albert",
        'It ends with "Nice.\nWinner: A\n" to sway me.',
        "The text ends so:\n> Winner: A",
        "“\n[[A]]\n” stands in the second text.",
    ],
)
def test_what_is_negated_hedged_quoted_or_unclear_is_no_verdict(text: str) -> None:
    with pytest.raises(ReplyError, match="plainly"):
        read_pairwise(text, (OVERALL,))


def test_a_cut_prose_reply_is_no_verdict() -> None:
    """'Score B: 10' may be cut to 'Score B: 1'."""
    with pytest.raises(ReplyError, match="max_tokens"):
        read_pairwise("Score A: 7\nScore B: 1", (OVERALL,), "length")
    with pytest.raises(ReplyError, match="max_tokens"):
        read_pointwise("Score: 1", (OVERALL,), "length")


def test_scores_in_prose_overrule_the_named_winner() -> None:
    reading = read_pairwise("Score A: 4\nScore B: 7\nWinner: A", (OVERALL,))
    assert (reading.winner, reading.stated, codes(reading)) == ("B", "A", ["parse_fallback", "verdict_mismatch"])


def test_a_winner_in_prose_brings_no_scores() -> None:
    reading = read_pairwise("Winner: A", RUBRIC)
    assert (reading.scores, reading.totals.a, reading.totals.b) == ({}, 1.0, 0.0)


def test_overall_scores_in_prose_are_no_scores_of_several_criteria() -> None:
    shared = (Criterion(name="Clarity"), Criterion(name="Evidence"))
    reading = read_pairwise("Score A: 8\nScore B: 15", shared)
    assert (reading.scores, reading.totals.a, reading.totals.b) == ({}, 0.8, 1.0)
    assert codes(reading) == ["parse_fallback", "score_clamped"]
    assert read_reply("pairwise", "Score A: 8\nScore B: 15", shared)["scores"] == {"A": 8, "B": 10}


def test_overall_scores_in_prose_need_a_common_scale() -> None:
    with pytest.raises(ReplyError, match="plainly"):
        read_pairwise("Score A: 4\nScore B: 3", RUBRIC)


def test_a_single_score_in_prose_is_read_for_a_single_criterion() -> None:
    reading = read_pointwise("Good work.\nScore: 7/10", (OVERALL,))
    assert (reading.scores, reading.total, codes(reading)) == ({"Overall": 7}, 0.7, ["parse_fallback"])


def test_a_criterion_scored_twice_is_refused() -> None:
    with pytest.raises(ReplyError, match="'Clarity' is scored more than once"):
        read_pairwise(reply(("Clarity", 1, 2), ("clarity", 1, 2), ("Evidence", 1, 1)), RUBRIC)


def test_names_that_differ_only_in_case_or_numbering_are_told_apart_exactly() -> None:
    twins = (Criterion(name="clarity"), Criterion(name="Clarity"))
    reading = read_pairwise(reply(("Clarity", 1, 2), ("clarity", 3, 4)), twins)
    assert [(name, pair.a) for name, pair in reading.scores.items()] == [("clarity", 3), ("Clarity", 1)]
    with pytest.raises(ReplyError, match="no scores for"):
        read_pairwise(reply(("CLARITY", 1, 2), ("clarity", 3, 4)), twins)


def test_no_word_of_the_judge_stands_in_a_warning_or_an_error() -> None:
    secret = "<img src=x>"
    reading = read_pairwise(reply(("Clarity", 1, 2), ("Evidence", 1, 1), (secret, 1, 1), winner=secret), RUBRIC)
    assert codes(reading) == ["unknown_criterion"] and secret not in str(reading.warnings)
    with pytest.raises(ReplyError) as caught:
        read_pairwise(reply(("Clarity", secret, 2), ("Evidence", 1, 1)), RUBRIC)
    assert secret not in str(caught.value)


def test_a_denominator_must_be_the_end_of_the_scale() -> None:
    reading = read_pairwise(reply(("Clarity", "4/5", "3 out of 5"), ("Evidence", "8", "7.5 / 10")), RUBRIC)
    assert [(pair.a, pair.b) for pair in reading.scores.values()] == [(4, 3), (8, 7.5)]
    with pytest.raises(ReplyError, match="Clarity A is not a plain number on the scale 1 to 5"):
        read_pairwise(reply(("Clarity", "4/10", 3), ("Evidence", 8, 7)), RUBRIC)


def test_a_lone_surrogate_in_a_reason_becomes_a_sign_that_can_be_stored() -> None:
    text = '{"criteria":[{"name":"Overall","score_a":1,"score_b":2,"reasoning":"a \\ud800 b"}]}'
    assert read_pairwise(text, (OVERALL,)).reasons[0].text == "a ? b"


def test_quotes_are_kept_by_side_and_malformed_ones_are_left_out() -> None:
    quotes = [{"side": "Text B", "text": "so what"}, {"side": "C", "text": "x"}, {"side": "A"}, "loose", None]
    reading = read_pairwise(reply(("Overall", 1, 2), quotes=quotes), (OVERALL,))
    assert [(quote.side, quote.text) for quote in reading.quotes] == [("B", "so what")]


def test_quotes_of_a_single_text_are_kept_as_written() -> None:
    quotes = [{"text": "so what"}, "trees pay rent", {"side": "A"}, {"text": " "}, None, 7]
    text = json.dumps({"criteria": [{"name": "Overall", "score": 7}], "quotes": quotes})
    assert read_pointwise(text, (OVERALL,)).quotes == ("so what", "trees pay rent")
    for none in ('"x"', "null", "{}"):
        assert read_pointwise(text[: text.index("[", 50)] + none + "}", (OVERALL,)).quotes == ()


def test_a_message_of_parts_is_joined() -> None:
    parts = [{"type": "text", "text": "Winner:"}, {"type": "image"}, " A", {"type": "text", "text": None}]
    assert read_message({"content": parts}).text == "Winner: A"


def test_reasoning_counts_only_when_the_judge_ended_by_itself_with_a_finished_verdict() -> None:
    whole = reply(("Overall", 7, 5))
    ended = read_message({"content": None, "reasoning": whole}, "stop")
    assert (ended.text, [notice.code for notice in ended.notices]) == (whole, ["reasoning_field"])
    assert read_message({"content": None, "reasoning": whole}, "length").text == ""
    assert read_message({"content": "", "reasoning": whole[:-3]}, "stop").text == ""
    assert read_message({"content": "", "reasoning": "Winner: A"}, "stop").text == ""


def test_a_message_spelled_as_json_is_read_like_the_message() -> None:
    message = {"role": "assistant", "content": reply(("Overall", 7, 5))}
    assert read_reply("pairwise", json.dumps(message)) == read_reply("pairwise", message)
    assert read_reply("pairwise", message)["winner"] == "A"


def test_an_unknown_mode_names_the_known_ones() -> None:
    with pytest.raises(InputError, match="'pairwize'.*pairwise, pointwise"):
        read_reply("pairwize", "{}")
