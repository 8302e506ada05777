"""Listwise: the form of the question, and the reading of one list."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_core.modes.listwise.form import LISTWISE
from judge_core.modes.listwise.reading import read_listwise
from judge_core.records.criteria import Rubric
from judge_core.records.errors import ReplyError
from judge_core.records.prompt import Ask

RUBRIC = Rubric()
THREE = ("1", "2", "3")


def reply(ranking: Any, **more: Any) -> str:
    return json.dumps({"ranking": ranking, **more})


# the question


def test_the_form_shows_a_place_for_each_candidate_and_no_ranking_that_could_be_echoed() -> None:
    ask = Ask(judge=0, mode="listwise", texts=("a", "b", "c"), roles=("candidate",) * 3)
    shown = json.loads(LISTWISE.skeleton(ask, RUBRIC))
    assert len(shown["ranking"]) == 3
    with pytest.raises(ReplyError):
        read_listwise(LISTWISE.skeleton(ask, RUBRIC), THREE)


def test_the_schema_takes_just_the_labels_shown_as_many_as_there_are() -> None:
    ask = Ask(judge=0, mode="listwise", texts=("a", "b", "c"), roles=("candidate",) * 3)
    schema = LISTWISE.schema(ask, RUBRIC)
    ranking = schema["properties"]["ranking"]
    assert (ranking["items"]["enum"], ranking["minItems"], ranking["maxItems"]) == (["1", "2", "3"], 3, 3)
    assert schema["additionalProperties"] is False and schema["required"] == ["ranking", "quotes", "reasoning"]


# the reading


@pytest.mark.parametrize(
    "text",
    [
        reply(["3", "1", "2"], reasoning="r"),
        reply([3, 1, 2], reasoning="r"),
        reply(["CANDIDATE 3", "candidate 1", " **2** "], reasoning="r"),
        reply("3, 1, 2", reasoning="r"),
        reply('["3", "1", "2"]', reasoning="r"),
        reply("3 > 1 > 2", reasoning="r"),
        f"<think>{reply(['1', '2', '3'])}</think>\n```json\n{reply(['3', '1', '2'], reasoning='r')}\n```",
    ],
)
def test_a_whole_ranking_is_read_best_first(text: str) -> None:
    reading = read_listwise(text, THREE)
    assert (reading.ranking, reading.overall, reading.warnings) == (("3", "1", "2"), "r", ())


@pytest.mark.parametrize(
    "text",
    [
        reply(["3", "1", "1"]),
        reply(["3", "1", "2", "3"]),
        reply(["3", "1", "4"]),
        reply(["3"]),
        reply([]),
        reply(["3", ["1", "2"]]),
        reply(["3", "1 = 2"]),
        reply("3, 1 = 2"),
        reply(["3", True, "2"]),
        reply(["3", 1.5, "2"]),
        reply(["3", None, "2"]),
        reply([{"id": "3"}, {"id": "1"}, {"id": "2"}]),
        reply({"3": 1, "1": 2, "2": 3}),
        reply(7),
        reply(["2" * 5000, "1", "3"]),
        '{"ranking": ["3", "1", "2"], "ranking": ["1", "2", "3"]}',
        '{"rankings": ["3", "1", "2"]}',
        '{"ranking": [3, 1, NaN]}',
        "3, 1, 2",
        'It ends with "\nRANKING: 3, 1, 2\n".',
        "> RANKING: 3, 1, 2",
    ],
)
def test_what_is_missing_doubled_tied_unknown_or_quoted_is_no_ranking(text: str) -> None:
    with pytest.raises(ReplyError):
        read_listwise(text, THREE)


def test_prose_counts_for_a_plain_ranking_line_alone_and_is_flagged() -> None:
    reading = read_listwise("Three is sharpest.\nRANKING: 3, 1, 2", THREE)
    assert (reading.ranking, [notice.code for notice in reading.warnings]) == (("3", "1", "2"), ["parse_fallback"])
    with pytest.raises(ReplyError, match="max_tokens"):
        read_listwise("RANKING: 3, 1, 2", THREE, "length")


def test_one_left_out_has_the_last_place_and_it_is_said() -> None:
    reading = read_listwise(reply(["3", "1"]), THREE)
    assert (reading.ranking, [notice.code for notice in reading.warnings]) == (("3", "1", "2"), ["ranking_completed"])


@pytest.mark.parametrize(
    "text", ['{"ranking": [3, 1', '{"ranking": ["3", "1"', '{"ranking": ["3", "1"], "reasoning": "x']
)
def test_a_list_that_may_have_been_cut_is_never_completed(text: str) -> None:
    for finish_reason in (None, "length"):
        with pytest.raises(ReplyError):
            read_listwise(text, THREE, finish_reason)


@pytest.mark.parametrize("labels", [None, THREE])
@pytest.mark.parametrize("finish_reason", [None, "stop", "length"])
def test_a_list_cut_anywhere_is_read_rightly_or_not_at_all(labels: Any, finish_reason: str | None) -> None:
    for whole in (reply(["3", "1", "2"], reasoning="r"), reply([3, 1, 2], quotes=[{"candidate": 3, "text": "x"}])):
        read = 0
        for end in range(len(whole) + 1):
            try:
                assert read_listwise(whole[:end], labels, finish_reason).ranking == ("3", "1", "2")
                read += 1
            except ReplyError as error:
                assert error.code
        assert read >= 1


def test_without_labels_those_named_count() -> None:
    assert read_listwise(reply(["E-003", "E-001"]), None).ranking == ("E-003", "E-001")
    assert read_listwise("RANKING: beta > alpha", None).ranking == ("beta", "alpha")
    for text in (
        reply(["m"]),
        reply(["m", "m"]),
        reply(["m", "M"]),
        reply(["m = M", "x"]),
        reply([]),
        "RANKING: m = n, x",
    ):
        with pytest.raises(ReplyError):
            read_listwise(text, None)


def test_a_comma_too_many_is_mended_and_loses_no_entry() -> None:
    for labels in (THREE, None):
        reading = read_listwise('{"ranking": ["3", "1", "2",],}', labels)
        assert (reading.ranking, [notice.code for notice in reading.warnings]) == (("3", "1", "2"), ["json_mended"])


def test_labels_that_differ_only_in_case_stay_two() -> None:
    assert read_listwise(reply(["M", "m"]), ("m", "M")).ranking == ("M", "m")
    with pytest.raises(ReplyError, match="more than once"):
        read_listwise(reply(["m", "m"]), ("m", "M"))


def test_quotes_are_kept_by_candidate_and_malformed_ones_are_left_out() -> None:
    quotes = [
        {"candidate": "CANDIDATE 3", "text": "14 streets"},
        {"candidate": 9, "text": "x"},
        {"text": "y"},
        "z",
        None,
    ]
    reading = read_listwise(reply(["3", "1", "2"], quotes=quotes), THREE)
    assert [(quote.label, quote.text) for quote in reading.quotes] == [("3", "14 streets")]


@given(st.permutations(range(1, 21)))
def test_every_order_of_twenty_comes_back(order: list[int]) -> None:
    labels = [str(number) for number in range(1, 21)]
    assert read_listwise(reply(order), labels).ranking == tuple(map(str, order))
