"""The recorded troubles of providers, played back by a server on loopback."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from judge_core.records.errors import CallError, JudgeUnusableError, RefusedCallError, TransientCallError
from judge_core.records.prompt import Completion
from tests.providers.scripted_server import GOOD, Naps, ScriptedServer, a_prompt, ask, judge_at, keyed

LINES = (Path(__file__).parents[1] / "cases" / "cases.jsonl").read_text(encoding="utf-8").strip().split("\n")
CASES = {case["id"]: case for case in map(json.loads, LINES) if case["kind"] == "provider"}


class Played:
    """What became of one call against a case's server."""

    def __init__(self, case_id: str, real_time: bool = False, **judge: Any):
        given = CASES[case_id]["input"]["http"]
        script = given["http"] if isinstance(given, dict) else given
        self.naps = Naps()
        self.error: CallError | None = None
        self.completion: Completion | None = None
        with ScriptedServer(script) as server:
            access = keyed(given["key"] if isinstance(given, dict) else "sk-test")
            sleep = asyncio.sleep if real_time else self.naps
            try:
                (self.completion,) = asyncio.run(ask(judge_at(server, **judge), access, sleep=sleep))
            except CallError as error:
                self.error = error
            self.requests = server.requests

    @property
    def gap(self) -> float:
        return self.requests[1].at - self.requests[0].at


def answered(case_id: str, **options: Any) -> tuple[Played, Completion]:
    played = Played(case_id, **options)
    assert played.completion is not None, f"{case_id}: {played.error}"
    return played, played.completion


def failed(case_id: str, **options: Any) -> tuple[Played, CallError]:
    played = Played(case_id, **options)
    assert played.error is not None, f"{case_id} brought a reply"
    assert played.error.calls == len(played.requests)
    return played, played.error


def requests_of(case_id: str) -> int:
    expect = CASES[case_id]["expect"]
    return int(expect.get("requests", expect.get("max_requests", 1)))


@pytest.mark.parametrize(
    "case_id", ["P-003", "P-008", "P-013", "P-014", "P-017", "P-018", "P-024", "P-027", "P-037", "P-041"]
)
def test_the_reply_comes_after_the_expected_number_of_requests(case_id: str) -> None:
    played, completion = answered(case_id)
    assert completion.text == GOOD
    assert len(played.requests) == requests_of(case_id) == completion.calls


@pytest.mark.parametrize("case_id", ["P-002", "P-004"])
def test_the_second_request_is_not_sent_before_the_named_moment(case_id: str) -> None:
    played, _ = answered(case_id, real_time=True)
    expect = CASES[case_id]["expect"]
    assert len(played.requests) == requests_of(case_id)
    assert expect["min_wait_s"] <= played.gap <= expect.get("max_wait_s", 2)


def test_p003_a_date_that_is_past_makes_no_negative_and_no_long_wait() -> None:
    played, _ = answered("P-003")
    assert [0 < wait <= 5 for wait in played.naps.waits] == [True]


def test_p006_a_wait_of_hours_is_said_at_once_and_stops_the_run() -> None:
    played, error = failed("P-006")
    assert isinstance(error, JudgeUnusableError)
    assert "rate limited; try again in about 3 hours" in str(error)
    assert len(played.requests) == 1 and not played.naps.waits


def test_p009_an_error_object_inside_a_success_is_an_error_with_the_providers_words() -> None:
    played, error = failed("P-009")
    assert "This content was flagged by the provider." in str(error)
    assert len(played.requests) <= requests_of("P-009")


def test_p011_a_key_rejected_inside_a_success_is_not_tried_again() -> None:
    played, error = failed("P-011")
    assert isinstance(error, JudgeUnusableError) and "key rejected" in str(error)
    assert len(played.requests) == 1


def test_p014_there_is_a_growing_pause_between_tries() -> None:
    played, _ = answered("P-014")
    assert 0 < played.naps.waits[0] < played.naps.waits[1]


def test_p016_a_money_problem_inside_a_server_error_is_named_and_not_tried_again() -> None:
    played, error = failed("P-016")
    assert isinstance(error, JudgeUnusableError) and "insufficient balance" in str(error)
    assert len(played.requests) == 1


def test_p020_a_server_that_never_answers_is_given_up_after_three_tries() -> None:
    played, error = failed("P-020", timeout_s=0.2)
    assert isinstance(error, TransientCallError) and "timed out" in str(error)
    assert len(played.requests) == 3


def test_p024_the_refused_temperature_is_left_out_and_the_reply_says_so() -> None:
    played, completion = answered("P-024")
    assert "temperature" in played.requests[0].body and "temperature" not in played.requests[1].body
    assert completion.temperature_sent is None
    assert [notice.code for notice in completion.notices] == ["temperature_refused"]


def test_p027_the_failed_generation_is_never_shown_as_an_answer() -> None:
    _, completion = answered("P-027")
    assert completion.text == GOOD


def test_p028_missing_counts_are_unknown_never_zero_and_the_reply_is_kept() -> None:
    with ScriptedServer(CASES["P-028"]["input"]["http"]) as server:
        replies = asyncio.run(ask(judge_at(server), None, *[a_prompt()] * 4))
    counts = [(reply.usage.prompt_tokens, reply.usage.completion_tokens) for reply in replies]
    assert counts == [(None, None), (None, None), (7180, None), (None, None)]
    assert {reply.text for reply in replies} == {GOOD}
    assert all("usage_missing" in [notice.code for notice in reply.notices] for reply in replies)


def test_p029_an_answer_without_choices_is_said_so_without_advice_about_the_key() -> None:
    _, error = failed("P-029")
    assert "the provider sent no answer" in str(error) and "key" not in str(error)


def test_p031_a_prompt_beyond_the_window_names_the_texts_and_the_limit() -> None:
    played, error = failed("P-031")
    assert isinstance(error, RefusedCallError)
    assert "too long" in str(error) and "limit 4,096 tokens" in str(error) and "text A about 3 tokens" in str(error)
    assert len(played.requests) == 1


def test_p033_a_filtered_answer_names_the_content_filter() -> None:
    _, error = failed("P-033")
    assert isinstance(error, RefusedCallError) and "provider's content filter" in str(error)


def test_p037_an_empty_key_sends_no_authorization_header() -> None:
    played, _ = answered("P-037")
    assert "authorization" not in {name.lower() for name in played.requests[0].headers}


def test_p041_refused_system_words_move_to_the_head_of_the_user_message() -> None:
    played, completion = answered("P-041")
    assert [m["role"] for m in played.requests[0].body["messages"]] == ["system", "user"]
    assert played.requests[1].body["messages"] == [{"role": "user", "content": "Be fair.\n\nCompare: An essay."}]
    assert [notice.code for notice in completion.notices] == ["system_role_refused"]


def test_p043_a_rejected_key_makes_the_judge_unusable_after_one_request() -> None:
    played, error = failed("P-043")
    assert isinstance(error, JudgeUnusableError) and "key rejected (401)" in str(error)
    assert len(played.requests) == 1


@pytest.mark.parametrize("case_id", CASES)
def test_every_case_ends_as_it_should_within_its_number_of_requests(case_id: str) -> None:
    """A reply or a named failure, never a bare exception; and no word of how an answer is taken apart."""
    expect = CASES[case_id]["expect"]
    played = Played(case_id, timeout_s=0.2 if case_id == "P-020" else 5.0)
    assert (played.completion is not None) is expect["result"].startswith("ok"), played.error
    assert len(played.requests) <= expect.get("max_requests", expect.get("requests", 3))
    assert len(played.requests) == expect.get("requests", len(played.requests))
    if played.error is not None:
        assert not any(word in str(played.error) for word in ("KeyError", "IndexError", "choices", "Traceback"))


def test_there_are_cases_and_each_is_played() -> None:
    assert len(CASES) == 22
