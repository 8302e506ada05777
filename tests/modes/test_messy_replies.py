"""Messy replies in every mode: what real small models wrote, and what no one should ever write."""

from __future__ import annotations

import json
import re
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge_core.modes.shown.read_reply import READERS, read_reply
from judge_core.records.criteria import OVERALL, Criterion
from tests.data_sets import data_folder

MODES = tuple(READERS)
CRITERIA = (Criterion(name="Clarity", scale_min=1, scale_max=5), Criterion(name="Evidence"))
BOUNDS = {1.0, 5.0, 0.0, 10.0}
VALID = {
    "pairwise": '{"criteria":[{"name":"Clarity","score_a":3,"score_b":4.5,"reasoning":"r"},{"name":"Evidence","score_a":7,"score_b":10}],'
    '"quotes":[{"side":"A","text":"q"}],"winner":"B","reasoning":"x"}',
    "pointwise": '{"criteria":[{"name":"Clarity","score":3},{"name":"Evidence","score":10}],"quotes":[{"text":"q"}],"reasoning":"x"}',
    "gate": '{"criteria":[{"name":"Clarity","score":3},{"name":"Evidence","score":10}],"verdict":"fail","reasoning":"x"}',
    "listwise": '{"ranking":["3","10","2","1","9","8","7","6","5","4"],"quotes":[{"candidate":"3","text":"q"}],"reasoning":"x"}',
    "refine": "All three open well.\n**RANKING: 2, 1, 3**",
    "rag": '{"claims":[{"id":1,"verdict":"supported","passages":[2]},{"id":2,"verdict":"not_found","passages":[]}],'
    '"passages":[{"id":1,"relevant":false},{"id":2,"relevant":true}]}',
    "agent": '{"goal":"partly","steps":[{"step":1,"label":"useful","call":"correct"},{"step":2,"label":"redundant"}],"reasoning":"x"}',
}
SHOWN: dict[str, dict[str, Any]] = {"listwise": {"labels": [str(n) for n in range(1, 11)]}, "rag": {"claims": 2}}
"""What the judge was shown, where the reading needs it."""
PIECES = st.sampled_from(
    [
        *VALID.values(), '{"criteria":', '{"ranking":', '{"claims":', '{"steps":', "[", "]", "{", "}", ",", '"', "\\", "NaN", "Infinity", "1e999",
        '"3"', "3", "10", " > ", " = ", "RANKING:", "\nRANKING: 2, 1, 3", "**", "(", ")", "1.", "\n", "<think>", "</think>", "```",
        '{"id":1,"verdict":"supported"}', '"passages":', '"verdict":"pass"', "Winner: A", "Score A: 7", "\ud800", '"\\ud800"', "\x00", "not ", "tie",
    ]
)  # fmt: skip
REPLIES = (
    st.text() | st.lists(PIECES, max_size=12).map("".join) | st.binary().map(lambda raw: raw.decode("utf-8", "replace"))
)


def read(mode: str, text: str, finish_reason: str | None = None) -> dict[str, Any]:
    return read_reply(mode, text, CRITERIA, finish_reason, **SHOWN.get(mode, {}))


def numbers_of(value: Any) -> Iterator[float]:
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from numbers_of(item)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield float(value)


def written_in(text: str) -> set[float]:
    return {float(found) for found in re.findall(r"[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?", text)}


def check_nothing_invented(got: dict[str, Any], text: str) -> None:
    """Every score, label and number of a reading stands in the reply, or was moved to its scale's end, which is said."""
    codes = {warning["code"] for warning in got["warnings"]}
    allowed = written_in(text) | (BOUNDS if "score_clamped" in codes else set())
    read_from_text = {name: got.get(name) for name in ("scores", "claims", "passages", "steps")}
    assert set(numbers_of(read_from_text)) <= allowed
    missing = [label for label in got["ranking"] or () if label not in text]
    assert len(missing) <= ("ranking_completed" in codes)


def check_sound(got: dict[str, Any], text: str) -> None:
    json.dumps(got, allow_nan=False).encode()
    assert (got["status"] == "ok") == (got["error"] is None)
    if got["status"] == "ok":
        check_nothing_invented(got, text)
    else:
        assert got["status"] in ("parse_error", "abstain") and got["error"]
        assert (got["scores"], got["totals"], got["winner"], got["ranking"]) == ({}, None, None, None)


# real replies


def real_replies() -> list[dict[str, Any]]:
    lines = (data_folder("messy") / "llm_completions.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("criteria", [(OVERALL,), CRITERIA], ids=["overall", "two criteria"])
def test_no_real_reply_crashes_a_reader_or_brings_a_number_that_it_does_not_hold(
    mode: str, criteria: tuple[Criterion, ...]
) -> None:
    replies = real_replies()
    for row in replies:
        check_sound(read_reply(mode, row["completion"], criteria, row["finish_reason"]), row["completion"])
    assert len(replies) == 96


def test_of_the_real_ballots_only_whole_rankings_count() -> None:
    """Eight of 44 are whole; template echoes, unknown labels and a label named twice abstain."""
    ballots = [row for row in real_replies() if row["kind"] == "ranking"]
    read_ = [read_reply("refine", row["completion"], finish_reason=row["finish_reason"]) for row in ballots]
    said = Counter(row["completion"].strip() for row, one in zip(ballots, read_, strict=True) if one["status"] == "ok")
    assert said == {"RANKING: 1, 2, 3": 5, "RANKING: 3, 2, 1": 2, "RANKING: 2, 1, 3": 1}
    assert {one["status"] for one in read_} == {"ok", "abstain"}


# any reply


@pytest.mark.parametrize("mode", MODES)
@settings(max_examples=150, deadline=None)
@given(text=REPLIES, finish_reason=st.sampled_from([None, "stop", "length"]))
def test_any_text_is_a_sound_reading_or_said_to_be_none(mode: str, text: str, finish_reason: str | None) -> None:
    got = read(mode, text, finish_reason)
    check_sound(got, text)


@pytest.mark.parametrize("mode", MODES)
@settings(max_examples=60, deadline=None)
@given(content=st.none() | REPLIES | st.lists(REPLIES, max_size=2) | st.integers(), reasoning=REPLIES)
def test_any_message_object_is_a_sound_reading_or_said_to_be_none(mode: str, content: Any, reasoning: str) -> None:
    got = read_reply(mode, {"content": content, "reasoning_content": reasoning}, CRITERIA, **SHOWN.get(mode, {}))
    json.dumps(got, allow_nan=False)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("finish_reason", [None, "stop", "length"])
def test_a_reply_cut_anywhere_is_read_rightly_or_not_at_all(mode: str, finish_reason: str | None) -> None:
    whole = read(mode, VALID[mode])
    assert whole["status"] == "ok"
    for end in range(len(VALID[mode])):
        got = read(mode, VALID[mode][:end], finish_reason)
        check_sound(got, VALID[mode][:end])
        if got["status"] == "ok":
            kept = ("scores", "totals", "ranking", "claims", "passages", "steps", "goal")
            assert [got.get(name) for name in kept] == [whole.get(name) for name in kept]
            assert got["warnings"] or end >= len(VALID[mode].rstrip("*"))


@pytest.mark.parametrize("mode", MODES)
def test_a_field_named_twice_is_refused(mode: str) -> None:
    field = READERS[mode].wanted
    if mode != "refine":
        doubled = f'{VALID[mode][:-1]},"{field.upper()}":[]}}'
        assert read(mode, doubled)["status"] == "parse_error"


@pytest.mark.parametrize("mode", [mode for mode in MODES if mode != "refine"])
@pytest.mark.parametrize(
    "value", ["NaN", "Infinity", "-Infinity", "1e999", "9" * 5000, "[[1]]", "true", "null", '"1,5"']
)
def test_what_is_no_plain_number_is_never_a_score_or_a_label(mode: str, value: str) -> None:
    spoilt = {
        "pairwise": ('"score_a":3', f'"score_a":{value}'),
        "pointwise": ('"score":3', f'"score":{value}'),
        "gate": ('"score":3', f'"score":{value}'),
        "listwise": ('"10"', value),
        "rag": ('"id":2,"verdict"', f'"id":{value},"verdict"'),
        "agent": ('"step":2', f'"step":{value}'),
    }[mode]
    assert read(mode, VALID[mode].replace(*spoilt))["status"] == "parse_error"


MEGABYTE = 1_000_000
HOSTILE = {
    "open brackets": "[" * MEGABYTE,
    "open lists in the verdict": '{"FIELD":' + "[" * 390_000,
    "open objects": '{"FIELD":' * 40_000,
    "open reasoning": "<think>" * 55_000,
    "ends of reasoning": "</think>" * 49_000,
    "ranking headers": "RANKING:\n" * 44_000,
    "one long ranking line": "RANKING: " + "1, " * 130_000,
    "parentheses": "RANKING: " + "(" * 390_000,
    "emphasis": "*" * 390_000 + "RANKING: 1, 2, 3",
    "many lists": "RANKING:\n" + "1. 2\n" * 78_000,
    "quotes": "“" * 390_000,
    "escapes": '{"FIELD": "' + "\\" * 390_000,
    "many labels": '{"FIELD": [' + "1," * 190_000 + "1]}",
    "many rows": '{"FIELD": [' + '{"id":1},' * 43_000 + '{"id":1}]}',
    "many words": "not " * 100_000,
    "a megabyte of words": "fine words " * 91_000,
    "a huge string as ranking": '{"FIELD": "' + "1, " * 130_000 + '"}',
}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_reply_costs_less_than_a_second_and_is_no_verdict(mode: str, name: str) -> None:
    text = HOSTILE[name].replace("FIELD", READERS[mode].wanted)
    start = time.process_time()
    got = read(mode, text)
    assert time.process_time() - start < 1.0
    assert got["status"] != "ok"


def test_time_grows_with_the_length_and_no_faster() -> None:
    """Eight times the reply, about eight times the time: were it quadratic, it would be 64 times."""
    for text in ("<think>a</think>b\n", "RANKING: 1, 2\n", '{"a":1}\n', "(1 = 2)\n"):
        short, long = (min(seconds(text * times) for _ in range(3)) for times in (2_500, 20_000))
        assert long < 24 * short + 0.05


def seconds(text: str) -> float:
    start = time.process_time()
    read("refine", text)
    read("listwise", text)
    return time.process_time() - start
