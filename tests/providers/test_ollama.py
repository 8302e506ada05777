"""What goes to Ollama, how its answers are read, and where it is looked for."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_core.providers.protocol import Access, Health, UncertainCallError
from judge_core.providers.registry import check_judge, judge_spec, open_provider
from judge_core.providers.wire.ollama import LEAST_CONTEXT, MOST_CONTEXT, context_for, ollama_address, runs_here
from judge_core.providers.wrappers.retry import Retrying, RetryPolicy
from judge_core.records.errors import CallError, InputError, JudgeUnusableError, RefusedCallError, TransientCallError
from judge_core.records.prompt import Completion, Prompt
from judge_core.records.spec import JudgeSpec, Price
from tests.judge_server import JudgeServer
from tests.providers.scripted_server import GOOD, Naps, ScriptedServer, a_prompt, keyed

SCHEMA = {"type": "object"}


def said(content: str | None = GOOD, **changes: Any) -> dict[str, Any]:
    """A good answer of Ollama; `changes` replace fields of its body."""
    message = {"role": "assistant", "content": content, **changes.pop("message", {})}
    body = {
        "model": "m",
        "message": message,
        "done": True,
        "done_reason": "stop",
        "prompt_eval_count": 90,
        "eval_count": 7,
    }
    return {"status": 200, "body": {**body, **changes}}  # fmt: skip


def fault(status: int, error: str, **headers: str) -> dict[str, Any]:
    return {"status": status, "headers": headers, "body": {"error": error}}


def judge_at(server: ScriptedServer, **settings: Any) -> JudgeSpec:
    return judge_spec("ollama:m", ollama_host=server.host, **{"timeout_s": 5.0, **settings})


async def ask(judge: JudgeSpec, *prompts: Prompt, access: Access | None = None) -> list[Completion]:
    opened = open_provider(judge, access or Access())
    assert isinstance(opened, Retrying)
    provider = Retrying(opened._provider, RetryPolicy(), Naps())
    try:
        return [await provider.complete(prompt) for prompt in prompts or (a_prompt(schema=SCHEMA),)]
    finally:
        await provider.aclose()


def one(script: list[dict[str, Any]], prompt: Prompt | None = None, **settings: Any) -> tuple[Completion, Any]:
    with ScriptedServer(script) as server:
        (completion,) = asyncio.run(ask(judge_at(server, **settings), prompt or a_prompt(schema=SCHEMA)))
    return completion, server.requests


def error(script: list[dict[str, Any]], access: Access | None = None) -> CallError:
    with ScriptedServer(script) as server, pytest.raises(CallError) as caught:
        asyncio.run(ask(judge_at(server), access=access))
    return caught.value


def codes(completion: Completion) -> list[str]:
    return [notice.code for notice in completion.notices]


def test_a_request_carries_the_judges_settings_in_ollamas_own_form() -> None:
    completion, (seen,) = one([said()], max_tokens=77)
    assert seen.path == "/api/chat"
    assert {**seen.body, "messages": None} == {
        "model": "m", "messages": None, "stream": False, "think": False, "truncate": False, "shift": False,
        "format": SCHEMA, "options": {"temperature": 0.0, "num_predict": 77, "num_ctx": LEAST_CONTEXT},
    }  # fmt: skip
    assert (completion.text, completion.finish_reason, completion.model) == (GOOD, "stop", "m")
    assert (completion.usage.prompt_tokens, completion.usage.completion_tokens) == (90, 7)
    assert completion.temperature_sent == 0.0 and completion.notices == ()


def test_a_temperature_of_none_is_not_sent() -> None:
    completion, (seen,) = one([said()], temperature=None)
    assert "temperature" not in seen.body["options"] and completion.temperature_sent is None


def test_room_is_made_for_the_whole_prompt_and_never_taken_back() -> None:
    long, short = a_prompt("word " * 10_000), a_prompt()
    with ScriptedServer([said(prompt_eval_count=12_000)]) as server:
        asyncio.run(ask(judge_at(server), long, short))
    assert [seen.body["options"]["num_ctx"] for seen in server.requests] == [32_768, 32_768]


def test_a_known_context_is_asked_for_as_it_is() -> None:
    _, (seen,) = one([said()], context_tokens=5_000)
    assert seen.body["options"]["num_ctx"] == 5_000


@pytest.mark.parametrize(("context", "words"), [(None, 600_000), (2_000, 3_000)])
def test_a_prompt_that_cannot_fit_is_refused_before_it_is_sent(context: int | None, words: int) -> None:
    with ScriptedServer([said()]) as server, pytest.raises(RefusedCallError, match="too long") as caught:
        asyncio.run(ask(judge_at(server, context_tokens=context), a_prompt("word " * words)))
    assert server.requests == [] and caught.value.calls == 0


@given(st.integers(0, 10**7), st.integers(1, 10**6))
def test_the_room_is_a_power_of_two_within_its_bounds(tokens: int, reply: int) -> None:
    room = context_for(tokens, reply)
    assert LEAST_CONTEXT <= room <= MOST_CONTEXT and room & (room - 1) == 0
    assert room >= tokens + reply or room == MOST_CONTEXT


def test_far_fewer_tokens_than_were_sent_are_said_to_be_a_cut() -> None:
    prompt = a_prompt("word " * 10_000)
    cut, _ = one([said(prompt_eval_count=4_096)], prompt)
    whole, _ = one([said(prompt_eval_count=10_050)], prompt)
    lines, _ = one([said(prompt_eval_count=900)], a_prompt((" " * 80 + "=" * 80 + "word ") * 500))
    assert codes(lines) == []
    assert codes(cut) == ["context_cut"] and "memory" in cut.notices[0].message
    assert codes(whole) == []


def test_a_count_that_is_missing_is_unknown_and_no_cut() -> None:
    answer = said()
    del answer["body"]["prompt_eval_count"]
    completion, _ = one([answer], a_prompt("word " * 10_000))
    assert completion.usage.prompt_tokens is None and codes(completion) == ["usage_missing"]


@pytest.mark.parametrize(
    ("refusal", "field"),
    [('"m" does not support thinking', "think"), ("invalid JSON schema in format", "format")],
)
def test_what_a_model_refuses_is_left_out_once_and_for_all(refusal: str, field: str) -> None:
    prompt = a_prompt(schema=SCHEMA)
    with ScriptedServer([fault(400, refusal), said()]) as server:
        first, second = asyncio.run(ask(judge_at(server), prompt, prompt))
    assert [field in seen.body for seen in server.requests] == [True, False, False]
    assert codes(first) == codes(second) == ["parameter_refused"] and field in first.notices[0].message
    assert (first.calls, second.calls) == (2, 1)


@pytest.mark.parametrize(
    ("answer", "text", "finish", "notices"),
    [
        (said("", message={"thinking": GOOD}), GOOD, "stop", ["reasoning_field"]),
        (said('{"cut', done_reason="length"), '{"cut', "length", []),
        (said("", message={"thinking": "so"}, done_reason="length"), "", "length", []),
    ],
)
def test_the_text_is_the_content_or_else_the_finished_thoughts(
    answer: dict[str, Any], text: str, finish: str, notices: list[str]
) -> None:
    completion, _ = one([answer])
    assert (completion.text, completion.finish_reason, codes(completion)) == (text, finish, notices)


@pytest.mark.parametrize(
    ("answer", "kind", "words", "calls"),
    [
        (fault(404, "model 'm' not found"), JudgeUnusableError, "ollama pull m", 1),
        (fault(401, "unauthorized"), JudgeUnusableError, "key", 1),
        (fault(400, "the input length exceeds the context length"), RefusedCallError, "too long", 1),
        (fault(400, "odd"), RefusedCallError, "odd", 1),
        (fault(503, "server busy, please try again"), TransientCallError, "busy", 5),
        (fault(500, "llama runner process has terminated"), TransientCallError, "terminated", 5),
        (said("", done_reason="load"), CallError, "no answer", 1),
        ({"status": 200, "body": {"done": True}}, CallError, "no answer", 1),
        ({"status": 200, "body": {"error": "out of memory"}}, CallError, "out of memory", 1),
        ({"status": 200, "body": b'{"model": "m", "mess'}, UncertainCallError, "broken", 3),
        ({"status": 200, "body": b"<html>"}, JudgeUnusableError, "web page", 1),
    ],
)
def test_each_failure_has_its_kind_its_remedy_and_its_number_of_tries(
    answer: dict[str, Any], kind: type[CallError], words: str, calls: int
) -> None:
    failure = error([answer])
    assert type(failure) is kind and words in str(failure) and failure.calls == calls


def test_a_key_that_comes_back_is_masked() -> None:
    failure = error([fault(403, "PLANTED-9f8e7d6c may not")], keyed("PLANTED-9f8e7d6c"))
    assert "PLANTED" not in str(failure)


@pytest.mark.parametrize(
    ("host", "address"),
    [
        (None, "http://127.0.0.1:11434"),
        ("  ", "http://127.0.0.1:11434"),
        ("localhost", "http://localhost:11434"),
        ("127.0.0.1:8080", "http://127.0.0.1:8080"),
        (":8080", "http://127.0.0.1:8080"),
        ("0.0.0.0:8080", "http://127.0.0.1:8080"),
        ("[::]", "http://127.0.0.1:11434"),
        ("[::1]:8080", "http://[::1]:8080"),
        ("http://localhost", "http://localhost"),
        ("https://gpu.example/ollama/", "https://gpu.example/ollama"),
    ],
)
def test_every_spelling_of_the_host_is_an_address(host: str | None, address: str) -> None:
    assert ollama_address(host) == address


@pytest.mark.parametrize("host", ["ftp://host", "ho st", "http://user:pw@host", "host:99999", "a:b:c"])
def test_a_host_that_cannot_be_read_is_refused_with_the_variables_name(host: str) -> None:
    with pytest.raises(InputError, match="OLLAMA_HOST") as caught:
        ollama_address(host)
    assert "pw@" not in str(caught.value)


def test_the_environment_says_where_ollama_listens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLLAMA_HOST", "127.0.0.1:9")
    assert judge_spec("ollama:m").base_url == "http://127.0.0.1:9"
    assert judge_spec("ollama:m", ollama_host="localhost").base_url == "http://localhost:11434"


def test_other_computers_are_asked_over_https_and_only_where_allowed() -> None:
    with pytest.raises(InputError, match="https://gpu.example"):
        judge_spec("ollama:m", ollama_host="gpu.example")
    judge = judge_spec("ollama:m", ollama_host="https://gpu.example")
    with pytest.raises(InputError, match="not allowed here"):
        open_provider(judge, Access(allowed_hosts=("other.example",)))


@pytest.mark.parametrize(
    ("model", "host", "here"),
    [
        ("llama3.2", "localhost", True),
        ("llama3.2:1b", "localhost", True),
        ("gpt-oss:20b-cloud", "localhost", False),
        ("minimax-m2:cloud", "localhost", False),
        ("llama3.2", "https://gpu.example", False),
    ],
)
def test_only_a_model_that_runs_on_this_computer_is_free(model: str, host: str, here: bool) -> None:
    judge = judge_spec(f"ollama:{model}", ollama_host=host)
    assert runs_here(judge) is here and judge.free is here
    assert judge_spec(f"ollama:{model}", ollama_host=host, price=Price(input=1, output=1)).price == Price(
        input=1, output=1
    )


def health(model: str, host: str) -> Health:
    return asyncio.run(check_judge(judge_spec(f"ollama:{model}", ollama_host=host, timeout_s=5.0), Access()))


def test_the_health_check_looks_for_the_model_and_asks_no_question() -> None:
    with JudgeServer() as server:
        assert health("small", server.host).ok and health("small:latest", server.host).ok
        missing = health("large", server.host)
        assert missing.ok is False and "ollama pull large" in missing.message
        assert server.requests == 0
        server.refuse = 500
        assert health("small", server.host).ok is False
    gone = health("small", server.host)
    assert gone.ok is False and "ollama serve" in gone.message
