"""The stand-in for a judge: what it says is looked up in a fixed order, and what it was asked is kept."""

from __future__ import annotations

import asyncio

import pytest

from judge_core.providers import registry
from judge_core.providers.kinds.doubles import StubJudge
from judge_core.providers.protocol import Access
from judge_core.providers.registry import judge_spec, open_provider, register_provider
from judge_core.records.errors import InputError, TransientCallError
from judge_core.records.prompt import Completion, Prompt, Usage
from tests.providers.scripted_server import a_prompt


def prompt(role: str = "pairwise") -> Prompt:
    asked = a_prompt()
    return asked.model_copy(update={"sheet": asked.sheet.model_copy(update={"mode": role})})


def say(stub: StubJudge, *roles: str) -> list[str]:
    return [asyncio.run(stub.complete(prompt(role))).text for role in roles]


def test_the_nth_reply_of_a_role_comes_before_the_roles_and_that_before_the_default() -> None:
    stub = StubJudge(replies={("pairwise", 2): "second", "pairwise": "pair", "default": "any"})
    assert say(stub, "pairwise", "pointwise", "pairwise", "pairwise") == ["pair", "any", "second", "pair"]


def test_each_role_is_counted_by_itself_from_one() -> None:
    stub = StubJudge(replies={("pairwise", 1): "a", ("pointwise", 1): "b"})
    assert say(stub, "pointwise", "pairwise") == ["b", "a"]


def test_a_call_that_it_was_told_nothing_for_is_an_error_that_names_it() -> None:
    with pytest.raises(InputError, match="call 1 of 'pairwise'"):
        say(StubJudge(replies={"pointwise": "x"}), "pairwise")


def test_it_remembers_what_it_was_asked_even_where_it_fails() -> None:
    stub = StubJudge(replies={"default": TransientCallError("down")})
    with pytest.raises(TransientCallError, match="down"):
        say(stub, "pairwise")
    assert [asked.messages for asked in stub.calls] == [prompt().messages]


def test_a_callback_gets_the_prompt_and_may_answer_raise_or_wait() -> None:
    async def slow(asked: Prompt) -> str:
        await asyncio.sleep(0)
        return asked.sheet.texts[0]

    def down(asked: Prompt) -> str:
        raise TransientCallError("down")

    assert say(StubJudge(lambda asked: asked.messages[0].content), "pairwise") == ["Be fair."]
    assert say(StubJudge(slow), "pairwise") == ["An essay."]
    with pytest.raises(TransientCallError):
        say(StubJudge(down), "pairwise")


def test_it_is_never_labelled_as_a_real_judge() -> None:
    told = Completion(text="x", model="gpt-x", usage=Usage(prompt_tokens=3), finish_reason="length")
    reply = asyncio.run(StubJudge(lambda _: told).complete(prompt()))
    assert reply.model == "stub" and reply.usage.prompt_tokens == 3 and reply.finish_reason == "length"
    assert asyncio.run(StubJudge(lambda _: "x").complete(prompt())).model == "stub"


def test_it_wants_one_way_of_being_told() -> None:
    with pytest.raises(InputError):
        StubJudge()
    with pytest.raises(InputError):
        StubJudge(lambda _: "x", replies={"default": "y"})


def test_it_can_be_named_once_it_is_registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_FACTORIES", dict(registry._FACTORIES))
    stub = StubJudge(replies={"default": "said"})
    register_provider("stub", lambda judge, access: stub)
    assert open_provider(judge_spec("stub"), Access()) is stub
