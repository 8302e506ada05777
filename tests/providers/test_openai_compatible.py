"""What goes over the wire to an OpenAI-compatible judge, and how its answers are read."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest
from pydantic import SecretStr

from judge_core.providers.openai_compatible import LANE_WIDTH, OpenAICompatible, endpoint
from judge_core.providers.protocol import Access, UncertainCallError
from judge_core.records.errors import CallError, JudgeUnusableError, RefusedCallError, TransientCallError
from judge_core.records.prompt import Completion
from tests.providers.scripted_server import GOOD, ScriptedServer, a_prompt, ask, fault, good, judge_at, keyed, said

SCHEMA = {"type": "object"}


def one(script: list[dict[str, Any]], access: Access | None = None, **judge: Any) -> tuple[Completion, ScriptedServer]:
    with ScriptedServer(script) as server:
        (completion,) = asyncio.run(ask(judge_at(server, **judge), access, a_prompt(schema=SCHEMA)))
    return completion, server


def error(script: list[dict[str, Any]], access: Access | None = None) -> CallError:
    with pytest.raises(CallError) as caught:
        one(script, access)
    return caught.value


def codes(completion: Completion) -> list[str]:
    return [notice.code for notice in completion.notices]


@pytest.mark.parametrize(
    ("base", "asked"),
    [
        ("https://h", "https://h/v1/chat/completions"),
        ("https://h/", "https://h/v1/chat/completions"),
        ("https://h/v1/", "https://h/v1/chat/completions"),
        ("https://h/v1/chat/completions", "https://h/v1/chat/completions"),
        ("https://h/chat/completions/", "https://h/chat/completions"),
        ("https://h/api/v3", "https://h/api/v3/chat/completions"),
    ],
)
def test_every_spelling_of_a_base_url_names_one_endpoint(base: str, asked: str) -> None:
    assert str(endpoint(httpx.URL(base))) == asked


def test_a_request_carries_the_judges_settings_and_the_key() -> None:
    completion, server = one([good()], keyed("sk-1"), max_tokens=77)
    (seen,) = server.requests
    assert seen.path == "/v1/chat/completions" and seen.headers["Authorization"] == "Bearer sk-1"
    form = {"type": "json_schema", "json_schema": {"name": "reply", "schema": SCHEMA}}
    assert {**seen.body, "messages": None} == {
        "model": "m", "messages": None, "temperature": 0.0, "max_tokens": 77, "response_format": form,
    }  # fmt: skip
    assert completion.text == GOOD and completion.model == "stub-judge" and completion.finish_reason == "stop"
    assert completion.usage.prompt_tokens == 900 and completion.temperature_sent == 0.0 and completion.calls == 1
    assert completion.seconds > 0 and completion.asked_at.endswith("+00:00") and completion.notices == ()


def test_a_temperature_of_none_is_not_sent() -> None:
    completion, server = one([good()], temperature=None)
    assert "temperature" not in server.requests[0].body and completion.temperature_sent is None
    assert completion.notices == ()


@pytest.mark.parametrize(
    ("refusal", "lacks", "has", "code"),
    [
        ({"param": "temperature", "message": "no"}, "temperature", "max_tokens", "temperature_refused"),
        ({"message": "This model does not support response format `json_schema`."}, "response_format", "max_tokens", "parameter_refused"),
        ({"param": "max_tokens", "message": "Use 'max_completion_tokens' instead of temperature"}, "max_tokens", "max_completion_tokens", "parameter_refused"),
    ],
)  # fmt: skip
def test_a_refused_parameter_is_left_out_once_and_for_all(
    refusal: dict[str, str], lacks: str, has: str, code: str
) -> None:
    prompt = a_prompt(schema=SCHEMA)
    with ScriptedServer([fault(400, **refusal), good()]) as server:
        first, second = asyncio.run(ask(judge_at(server), None, prompt, prompt))
    bodies = [seen.body for seen in server.requests]
    assert [lacks in body for body in bodies] == [True, False, False] and all(has in body for body in bodies[1:])
    assert codes(first) == codes(second) == [code]
    assert (first.calls, second.calls) == (2, 1)


def test_several_refusals_are_met_one_by_one() -> None:
    script = [fault(400, param="temperature"), fault(422, param="response_format"), good()]
    completion, server = one(script)
    assert completion.calls == 3 and codes(completion) == ["temperature_refused", "parameter_refused"]


def test_a_refusal_that_goes_on_is_an_error_after_one_more_request() -> None:
    with ScriptedServer([fault(400, param="temperature", message="temperature: no")]) as server:
        with pytest.raises(RefusedCallError, match="temperature: no") as caught:
            asyncio.run(ask(judge_at(server)))
        assert len(server.requests) == 2 == caught.value.calls


def test_minimax_refuses_a_parameter_inside_a_success() -> None:
    refused = {"status": 200, "body": {"base_resp": {"status_code": 2013, "status_msg": "invalid params, temperature"}}}
    completion, _ = one([refused, good()])
    assert codes(completion) == ["temperature_refused"]


@pytest.mark.parametrize(
    ("message", "finish", "text", "notices"),
    [
        ({"content": None, "reasoning_content": GOOD}, "stop", GOOD, ["reasoning_field"]),
        ({"content": "", "reasoning": GOOD}, "stop", GOOD, ["reasoning_field"]),
        ({"content": GOOD, "reasoning_content": "thoughts"}, "stop", GOOD, []),
        ({"content": [{"type": "text", "text": "a"}, "b", {"type": "image"}]}, "stop", "ab", []),
        ({"content": "", "reasoning_content": "thoughts"}, "length", "", []),
        ({"content": '{"cut'}, "length", '{"cut', []),
        ({"content": "half \ud83d"}, "stop", "half \ufffd", []),
    ],
)
def test_the_text_of_a_message_is_its_content_or_else_its_finished_reasoning(
    message: dict[str, Any], finish: str, text: str, notices: list[str]
) -> None:
    completion, _ = one([said(message, finish)])
    assert (completion.text, completion.finish_reason, codes(completion)) == (text, finish, notices)


@pytest.mark.parametrize(
    ("answer", "kind", "words"),
    [
        (said({"content": None}), CallError, "sent no answer"),
        (said({"content": "", "refusal": "I can't help"}), RefusedCallError, "declined"),
        (said({"content": "partly"}, "content_filter"), RefusedCallError, "content filter"),
        (good(choices=None), CallError, "sent no answer"),
        (good(choices=[None]), CallError, "sent no answer"),
        ({"status": 200, "body": [1, 2]}, CallError, "sent no answer"),
        ({"status": 200, "body": b"<html>log in</html>"}, JudgeUnusableError, "web page"),
        ({"status": 302, "headers": {"Location": "http://127.0.0.1:9/"}, "body": b""}, JudgeUnusableError, "redirects"),
        (fault(402, message="pay"), JudgeUnusableError, "insufficient balance"),
        (fault(403, message="no"), JudgeUnusableError, "access denied"),
        (fault(404, message="The model `m` does not exist"), JudgeUnusableError, "model or address not found"),
        (fault(429, code="insufficient_quota", message="You exceeded"), JudgeUnusableError, "insufficient balance"),
        (fault(400, code="model_decommissioned"), JudgeUnusableError, "model"),
        (fault(400, code="content_filter"), RefusedCallError, "content filter"),
        (fault(400, message="bad request"), RefusedCallError, "bad request"),
        (fault(400, code=400, type="exceed_context_size_error", n_ctx=4096), RefusedCallError, "limit 4,096 tokens"),
        (fault(413, code="rate_limit_exceeded", message="Request too large"), RefusedCallError, "too long"),
        ({"status": 400, "body": {"detail": "nope"}}, RefusedCallError, "nope"),
        ({"status": 400, "body": [{"error": {"message": "in a list"}}]}, RefusedCallError, "in a list"),
        ({"status": 200, "body": {"error": "model crashed"}}, CallError, "model crashed"),
        ({"status": 200, "body": {"base_resp": {"status_code": 1008, "status_msg": ""}}}, JudgeUnusableError, "balance"),
        ({"status": 200, "body": {"base_resp": {"status_code": 1027}}}, RefusedCallError, "content filter"),
        ({"status": 200, "body": {"base_resp": {"status_code": 7, "status_msg": "new"}}}, CallError, "new"),
    ],
)  # fmt: skip
def test_what_cannot_work_is_said_after_one_request(answer: dict[str, Any], kind: type[CallError], words: str) -> None:
    failure = error([answer])
    assert type(failure) is kind and words in str(failure) and failure.calls == 1


@pytest.mark.parametrize("status", [408, 409, 425, 429, 500, 502, 503, 504, 529])
def test_what_may_pass_is_tried_five_times(status: int) -> None:
    failure = error([fault(status, message="later")])
    assert isinstance(failure, TransientCallError) and failure.status == status and failure.calls == 5


@pytest.mark.parametrize(
    "answer",
    [
        {"status": 200, "body": b'{"choices": [{"mess'},
        {"status": 200, "body": b""},
        {"status": 200, "body": GOOD.encode(), "behaviour": {"declared_length": 999, "close_after_bytes": 20}},
        fault(400, code="json_validate_failed", failed_generation="{"),
        {"status": 200, "body": {"error": {"code": 503, "message": "upstream"}}},
    ],
)
def test_what_may_have_been_charged_is_tried_three_times(answer: dict[str, Any]) -> None:
    failure = error([answer])
    assert isinstance(failure, UncertainCallError) and failure.calls == 3


def test_a_minimax_rate_limit_inside_a_success_is_tried_again() -> None:
    limited = {"status": 200, "body": {"choices": None, "base_resp": {"status_code": 1002, "status_msg": "rate"}}}
    completion, server = one([limited, good()])
    assert completion.calls == len(server.requests) == 2


def test_a_rate_in_the_middle_of_a_word_is_no_rate_limit() -> None:
    assert isinstance(error([fault(400, message="could not generate 14290 tokens, timeout 503")]), RefusedCallError)


def test_a_judge_that_is_not_there_is_a_transient_failure_with_a_remedy() -> None:
    with ScriptedServer() as server:
        judge = judge_at(server)
    with pytest.raises(TransientCallError, match="Check that the judge runs"):
        asyncio.run(ask(judge))


def test_lone_surrogates_are_replaced_before_they_go_out() -> None:
    with ScriptedServer() as server:
        asyncio.run(ask(judge_at(server), None, a_prompt("x \ud83d y \ud83d\ude00")))
    assert server.requests[0].body["messages"][1]["content"] == "Compare: x \ufffd y \U0001f600"


def test_a_key_is_in_no_repr_and_no_error() -> None:
    access = keyed("topsecret-1234")
    echo = fault(403, message="topsecret-1234 may not")
    failures = [error([echo], access), error([fault(401, message="Incorrect key: topsecret-1234")], access)]
    shown = [repr(access), str(access), access.model_dump_json(), *map(str, failures), *map(repr, failures)]
    assert not [text for text in shown if "topsecret" in text]
    assert "[key] may not" in str(failures[0])


def test_a_rejected_key_and_a_missing_one_have_different_remedies() -> None:
    rejected = fault(401, code="invalid_api_key")
    assert "Check the key" in str(error([rejected], keyed("sk-1")))
    assert "No key was sent" in str(error([rejected]))


def test_connections_are_kept_and_shared_among_small_clients() -> None:
    concurrency = 3 * LANE_WIDTH

    async def storm(server: ScriptedServer) -> int:
        provider = OpenAICompatible(judge_at(server), Access(concurrency=concurrency))
        for _ in range(3):
            await asyncio.gather(*(provider.complete(a_prompt()) for _ in range(concurrency)))
        await provider.aclose()
        return len(provider._lanes)

    with ScriptedServer([{**good(), "behaviour": {"delay_s": 0.02}}]) as server:
        lanes = asyncio.run(storm(server))
    assert len(server.requests) == 3 * concurrency
    assert server.connections <= concurrency and lanes == 3


def test_more_calls_than_expected_get_connections_of_their_own() -> None:
    async def burst(server: ScriptedServer) -> int:
        provider = OpenAICompatible(judge_at(server, timeout_s=2.0), Access(concurrency=1))
        await asyncio.gather(*(provider.complete(a_prompt()) for _ in range(20)))
        await provider.aclose()
        return len(provider._lanes)

    with ScriptedServer([{**good(), "behaviour": {"delay_s": 0.05}}]) as server:
        assert asyncio.run(burst(server)) == -(-20 // LANE_WIDTH)


def test_a_proxy_of_the_environment_is_not_used_for_this_computer(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    completion, _ = one([good()])
    assert completion.text == GOOD


def test_a_proxy_of_the_environment_is_used_for_other_hosts(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    with ScriptedServer() as proxy:
        monkeypatch.setenv("HTTPS_PROXY", f"http://{proxy.host}")
        monkeypatch.setenv("https_proxy", f"http://{proxy.host}")
        judge = judge_at(proxy, base_url="https://judge.invalid/v1")
        with pytest.raises(TransientCallError):
            asyncio.run(ask(judge))
        assert proxy.connections > 0


def test_an_answer_that_never_ends_is_cut_off_and_is_no_answer() -> None:
    endless = error([said({"role": "assistant", "content": "x" * 9_000_000})])
    assert type(endless) is CallError and "longer than 8 MB" in str(endless)


def test_a_key_that_a_server_repeats_is_masked_wherever_it_stands() -> None:
    key = "PLANTED-9f8e7d6c"
    echo = good(model=f"m {key}", choices=[
        {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": f"you sent Bearer {key}"}}
    ])  # fmt: skip
    completion, _ = one([echo], Access(key=SecretStr(key)))
    assert key not in completion.model_dump_json() and "Bearer [key]" in completion.text
