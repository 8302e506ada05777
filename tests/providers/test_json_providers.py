"""Objects with `complete_json` as judges: sync or async, with or without the extras."""

from __future__ import annotations

import asyncio
import threading
import time
from types import SimpleNamespace
from typing import Any

import pytest

from judge_core.providers.kinds.json_providers import JsonProvider, adapted
from judge_core.providers.protocol import Health, UncertainCallError
from judge_core.records.errors import CallError, InputError, TransientCallError
from judge_core.records.prompt import Completion
from judge_core.records.spec import JudgeSpec
from tests.providers.scripted_server import a_prompt

JUDGE = JudgeSpec(name="own:x", provider="own", model="x", timeout_s=0.5)


class Sync:
    model = "own-1"

    def __init__(self, says: Any = "a reply"):
        self.says = says
        self.seen: list[list[dict[str, str]]] = []
        self.threads: list[int] = []

    def complete_json(self, messages: list[dict[str, str]]) -> str:
        self.seen.append(messages)
        self.threads.append(threading.get_ident())
        if isinstance(self.says, Exception):
            raise self.says
        return self.says  # type: ignore[no-any-return]


class Async(Sync):
    async def complete_json(self, messages: list[dict[str, str]]) -> str:  # type: ignore[override]
        await asyncio.sleep(0)
        return super().complete_json(messages)


def ask(inner: Any, *, times: int = 1) -> list[Completion]:
    async def together() -> list[Completion]:
        provider = JsonProvider(inner, JUDGE)
        return await asyncio.gather(*(provider.complete(a_prompt()) for _ in range(times)))

    return asyncio.run(together())


def failure(inner: Any) -> CallError:
    with pytest.raises(CallError) as caught:
        ask(inner)
    return caught.value


@pytest.mark.parametrize("kind", [Sync, Async])
def test_the_messages_go_in_and_the_text_comes_out(kind: type[Sync]) -> None:
    inner = kind()
    (reply,) = ask(inner)
    assert inner.seen == [
        [{"role": "system", "content": "Be fair."}, {"role": "user", "content": "Compare: An essay."}]
    ]
    assert (reply.text, reply.model, reply.temperature_sent) == ("a reply", "own-1", None)
    assert [notice.code for notice in reply.notices] == ["usage_missing"]


def test_a_sync_judge_runs_in_a_thread_and_an_async_one_on_the_loop() -> None:
    sync, on_loop = Sync(), Async()
    ask(sync), ask(on_loop)
    assert sync.threads != [threading.get_ident()] and on_loop.threads == [threading.get_ident()]


def test_sync_judges_do_not_wait_for_each_other() -> None:
    class Slow(Sync):
        def complete_json(self, messages: list[dict[str, str]]) -> str:
            gate.wait(5)
            return "done"

    gate = threading.Barrier(3, timeout=5)
    assert [reply.text for reply in ask(Slow(), times=3)] == ["done"] * 3


@pytest.mark.parametrize(
    ("says", "kind", "words"),
    [
        (ValueError("odd\nwords"), CallError, "ValueError. It says: odd words"),
        (ValueError("key sk-abcdef123456"), CallError, "[key]"),
        (ConnectionResetError("x"), TransientCallError, "no connection"),
        (TimeoutError(), UncertainCallError, "timed out"),
        (TransientCallError("mine"), TransientCallError, "mine"),
        ({"winner": "A"}, CallError, "returned dict"),
    ],
)
def test_what_it_raises_becomes_a_failed_call_and_never_a_reply(says: Any, kind: type[CallError], words: str) -> None:
    for inner in (Sync(says), Async(says)):
        error = failure(inner)
        assert type(error) is kind and words in str(error)


def test_a_judge_that_takes_too_long_may_have_done_the_work() -> None:
    class Slow(Sync):
        async def complete_json(self, messages: list[dict[str, str]]) -> str:  # type: ignore[override]
            await asyncio.sleep(60)
            return "late"

    began = time.perf_counter()
    assert isinstance(failure(Slow()), UncertainCallError) and time.perf_counter() - began < 10


class Counting(Async):
    """Counts ten tokens in and three out for each call."""

    temperature = 0.0

    def __init__(self) -> None:
        super().__init__()
        self.usage = {"prompt_tokens": 100, "completion_tokens": 50}

    async def complete_json(self, messages: list[dict[str, str]]) -> str:  # type: ignore[override]
        await asyncio.sleep(0.01)
        self.usage["prompt_tokens"] += 10
        self.usage["completion_tokens"] += 3
        return "x"


def test_running_totals_give_the_usage_of_a_call_that_was_alone() -> None:
    (reply,) = ask(Counting())
    assert (reply.usage.prompt_tokens, reply.usage.completion_tokens) == (10, 3)
    assert reply.notices == () and reply.temperature_sent == 0.0


def test_the_usage_of_calls_that_overlapped_is_unknown_and_not_guessed() -> None:
    assert {reply.usage.prompt_tokens for reply in ask(Counting(), times=3)} == {None}


def test_totals_may_be_attributes_and_odd_ones_are_unknown() -> None:
    inner = Sync()
    inner.usage = SimpleNamespace(prompt_tokens=5, completion_tokens="many")  # type: ignore[attr-defined]
    (reply,) = ask(inner)
    assert (reply.usage.prompt_tokens, reply.usage.completion_tokens) == (0, None)


def health(check: Any) -> Health:
    inner = Sync()
    if check is not None:
        inner.health_check = check  # type: ignore[attr-defined]
    return asyncio.run(JsonProvider(inner, JUDGE).health())


async def fine() -> bool:
    return True


def broken() -> None:
    raise OSError("disk\nfull")


@pytest.mark.parametrize(
    ("check", "ok", "words"),
    [
        (None, None, "without a call"),
        (lambda: None, True, "nothing wrong"),
        (fine, True, "nothing wrong"),
        (lambda: False, False, "says no"),
        (lambda: "no licence", False, "no licence"),
        (broken, False, "OSError). disk full"),
    ],
)
def test_its_own_check_is_asked_where_it_has_one(check: Any, ok: bool | None, words: str) -> None:
    found = health(check)
    assert found.ok is ok and words in found.message


def test_it_is_closed_the_way_it_can_be() -> None:
    closed = []
    inner = Sync()
    inner.close = lambda: closed.append("close")  # type: ignore[attr-defined]
    asyncio.run(JsonProvider(inner, JUDGE).aclose())
    asyncio.run(JsonProvider(Sync(), JUDGE).aclose())
    assert closed == ["close"]


def test_what_a_factory_makes_must_be_a_judge() -> None:
    made = adapted(Sync(), JUDGE)
    assert isinstance(made, JsonProvider) and adapted(made, JUDGE) is made
    with pytest.raises(InputError, match="neither complete"):
        adapted(object(), JUDGE)
