"""The vendors' own clients read from our test server what our client reads, so its wire format is theirs."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any, NamedTuple

import groq
import ollama
import openai
import pytest

from judge_core.providers.protocol import Access
from judge_core.providers.registry import judge_spec, open_provider
from judge_core.records.criteria import Rubric
from judge_core.records.errors import JudgeUnusableError
from judge_core.records.prompt import Completion, Message, Prompt, Sheet
from judge_core.records.spec import JudgeSpec
from tests.judge_server import JudgeServer

TEXTS = ("many quite different words stand here", "few few few")
ASKED = "\n".join(
    f"<<< TEXT {side} begins | t1 >>>\n{text}\n<<< TEXT {side} ends | t1 >>>"
    for side, text in zip("AB", TEXTS, strict=True)
)
SCHEMA = {"type": "object", "properties": {"winner": {"enum": ["A", "B", "tie"]}}}
PROMPT = Prompt(
    messages=(Message(role="system", content="Be fair."), Message(role="user", content=f'{ASKED}\n"name":"Clarity"')),
    reply_schema=SCHEMA,
    sheet=Sheet(mode="pairwise", rubric=Rubric(), texts=TEXTS),
)
MESSAGES: Any = [message.model_dump() for message in PROMPT.messages]
FORM: Any = {"type": "json_schema", "json_schema": {"name": "reply", "schema": SCHEMA}}


class Read(NamedTuple):
    """What a client read out of an answer."""

    text: str | None
    finish_reason: str | None
    model: str | None
    prompt_tokens: int | None
    completion_tokens: int | None


@pytest.fixture
def server() -> Iterator[JudgeServer]:
    with JudgeServer(keep_bodies=True) as server:
        yield server


def ours(judge: JudgeSpec) -> Read:
    async def ask() -> Completion:
        provider = open_provider(judge, Access())
        try:
            return await provider.complete(PROMPT)
        finally:
            await provider.aclose()

    reply = asyncio.run(ask())
    usage = reply.usage
    return Read(reply.text, reply.finish_reason, reply.model, usage.prompt_tokens, usage.completion_tokens)


def chat_read(answer: Any) -> Read:
    choice, usage = answer.choices[0], answer.usage
    return Read(
        choice.message.content, choice.finish_reason, answer.model, usage.prompt_tokens, usage.completion_tokens
    )


def test_openais_client_reads_the_same(server: JudgeServer) -> None:
    with openai.OpenAI(base_url=server.url, api_key="k", max_retries=0) as client:
        answer = client.chat.completions.create(
            model="m", messages=MESSAGES, max_tokens=4096, temperature=0, response_format=FORM
        )
        listed = [model.id for model in client.models.list()]
    assert chat_read(answer) == ours(judge_spec(f"{server.url}#m"))
    assert server.bodies[0] == server.bodies[1] and listed == server.models


def test_groqs_client_reads_the_same(server: JudgeServer) -> None:
    with groq.Groq(base_url=f"http://{server.host}", api_key="k", max_retries=0) as client:
        answer = client.chat.completions.create(
            model="m", messages=MESSAGES, max_tokens=4096, temperature=0, response_format=FORM
        )
        listed = [model.id for model in client.models.list().data]
    assert answer.x_groq is not None and answer.x_groq.id == "req_1"
    assert chat_read(answer) == ours(judge_spec(f"http://{server.host}/openai/v1#m"))
    assert server.bodies[0] == server.bodies[1] and listed == server.models


def test_ollamas_client_reads_the_same(server: JudgeServer) -> None:
    client = ollama.Client(host=server.host)
    options = {"temperature": 0.0, "num_predict": 4096, "num_ctx": 8192}
    answer = client.chat(model="small", messages=MESSAGES, format=SCHEMA, think=False, options=options)
    listed = [model.model for model in client.list().models]
    client._client.close()
    theirs = Read(answer.message.content, answer.done_reason, answer.model, answer.prompt_eval_count, answer.eval_count)
    assert theirs == ours(judge_spec("ollama:small", ollama_host=server.host))
    own = {key: value for key, value in server.bodies[1].items() if key not in ("truncate", "shift")}
    sent = {key: value for key, value in server.bodies[0].items() if key != "tools"}
    assert sent == own and listed == server.models


def test_a_missing_model_is_the_same_error_to_ollamas_client(server: JudgeServer) -> None:
    server.refuse = 404
    client = ollama.Client(host=server.host)
    with pytest.raises(ollama.ResponseError) as theirs:
        client.chat(model="small", messages=MESSAGES)
    client._client.close()
    with pytest.raises(JudgeUnusableError, match="ollama pull small") as own:
        ours(judge_spec("ollama:small", ollama_host=server.host))
    assert theirs.value.status_code == own.value.status == 404
