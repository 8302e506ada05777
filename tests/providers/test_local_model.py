"""Model files as judges: one server for each file and context, started late, stopped with its last user."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from judge_core.providers.kinds.gguf_server import lend, running, take_back
from judge_core.providers.protocol import Access, Provider
from judge_core.providers.registry import check_judge, judge_spec, open_provider
from judge_core.records.errors import InputError, JudgeUnusableError
from judge_core.records.prompt import Completion
from judge_core.records.spec import JudgeSpec, Price
from tests.providers.scripted_server import a_prompt
from tests.real_model import real_model

TASKS = Path("/proc/self/task")
RUNTIME = '''
"""Stands in for the runtime: the same few names, and a server of OpenAI's format behind them."""
import time
from types import SimpleNamespace
from tests.judge_server import JudgeServer

started, stopped = [], []

def CommonParams():
    return SimpleNamespace(model=SimpleNamespace(), cpuparams=SimpleNamespace(), cpuparams_batch=SimpleNamespace())

class Server:
    def __init__(self, wanted):
        if "broken" in wanted.model.path:
            raise RuntimeError("failed to load /secret/path")
        self._server = JudgeServer(latency_s=LATENCY)
        self.wanted = wanted
        self.listening_address = f"http://{self._server.host}"
        time.sleep(0.1)  # a model takes a while to load
        started.append(wanted)

    def __del__(self):
        if hasattr(self, "_server"):
            self._server.close()
            stopped.append(self.wanted)

LATENCY = 0.05
'''


class Runtime:
    """What the stand-in for the runtime saw."""

    def __init__(self, folder: Path):
        self.folder = folder

    def __getattr__(self, name: str) -> list[object]:
        return list(getattr(sys.modules["xllamacpp"], name)) if "xllamacpp" in sys.modules else []

    def model(self, name: str = "tiny") -> str:
        path = self.folder / f"{name}.gguf"
        path.write_bytes(b"GGUF\x03")
        return f"local:{path}"


@pytest.fixture
def runtime(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Runtime]:
    """A runtime found on the path, as an installed one is."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "xllamacpp.py").write_text(RUNTIME, "utf-8")
    monkeypatch.syspath_prepend(tmp_path / "site")
    monkeypatch.delitem(sys.modules, "xllamacpp", raising=False)
    monkeypatch.setenv("OMP_WAIT_POLICY", "passive")
    yield Runtime(tmp_path)
    sys.modules.pop("xllamacpp", None)
    assert running() == 0


def open_judge(name: str, **settings: Any) -> Provider:
    return open_provider(judge_spec(name, **settings), Access(allowed_hosts=("other.example",)))


def test_a_model_file_has_a_known_context_and_costs_nothing() -> None:
    judge = judge_spec("local:~/models/Tiny.GGUF")
    assert (judge.provider, judge.model, judge.base_url) == ("local", "~/models/Tiny.GGUF", "")
    assert judge.context_tokens == 8192 and judge.price == Price(input=0, output=0)
    assert judge_spec("local:x.gguf", context_tokens=2048).context_tokens == 2048


def test_a_model_is_loaded_by_its_first_call_and_freed_by_its_last_user(runtime: Runtime) -> None:
    async def use() -> tuple[Completion, ...]:
        one, two = open_judge(runtime.model()), open_judge(runtime.model())
        assert running() == 0
        replies = await asyncio.gather(*(judge.complete(a_prompt()) for judge in (one, two, one)))
        await one.aclose()
        assert running() == 1 and len(runtime.stopped) == 0
        await two.aclose()
        return tuple(replies)

    replies = asyncio.run(use())
    assert len(runtime.started) == len(runtime.stopped) == 1
    assert [reply.model for reply in replies] == ["tiny"] * 3


def test_another_context_is_another_server(runtime: Runtime) -> None:
    async def use() -> None:
        judges = [open_judge(runtime.model(), context_tokens=size) for size in (2048, 4096)]
        await asyncio.gather(*(judge.complete(a_prompt()) for judge in judges))
        assert running() == 2
        for judge in judges:
            await judge.aclose()

    asyncio.run(use())
    assert sorted(wanted.n_ctx for wanted in runtime.started) == [2048, 4096]  # type: ignore[attr-defined]


def test_the_server_listens_on_this_computer_alone_wants_a_key_and_shows_no_prompts(runtime: Runtime) -> None:
    async def use() -> None:
        judge = open_judge(runtime.model())
        await judge.complete(a_prompt())
        await judge.aclose()

    asyncio.run(use())
    (wanted,) = runtime.started
    assert wanted.hostnames == ["127.0.0.1"] and wanted.port == 0 and wanted.n_parallel == 1  # type: ignore[attr-defined]
    assert len(wanted.api_keys[0]) >= 24 and wanted.cors_origins == ""  # type: ignore[attr-defined]
    assert (wanted.ui, wanted.endpoint_slots, wanted.verbosity) == (False, False, -1)  # type: ignore[attr-defined]


def test_calls_wait_for_their_turn_outside_their_time_limit(runtime: Runtime) -> None:
    async def use() -> None:
        judge = open_judge(runtime.model(), timeout_s=0.3)
        await asyncio.gather(*(judge.complete(a_prompt()) for _ in range(10)))
        await judge.aclose()

    asyncio.run(use())


@pytest.mark.parametrize("waited", [0.0, 0.05, 0.13])
def test_a_load_that_nobody_waits_for_any_more_is_undone(runtime: Runtime, waited: float) -> None:
    async def use() -> None:
        judge = open_judge(runtime.model())
        call = asyncio.create_task(judge.complete(a_prompt()))
        await asyncio.sleep(0)
        await asyncio.sleep(waited)  # while it loads, or while it answers
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        await judge.aclose()

    asyncio.run(use())
    assert running() == 0 and len(runtime.started) == len(runtime.stopped)


def test_a_model_that_cannot_be_loaded_makes_the_judge_unusable(runtime: Runtime) -> None:
    async def use() -> None:
        judge = open_judge(runtime.model("broken"))
        try:
            await judge.complete(a_prompt())
        finally:
            await judge.aclose()

    with pytest.raises(JudgeUnusableError, match="cannot be loaded") as caught:
        asyncio.run(use())
    assert "/secret" not in str(caught.value)


@pytest.mark.parametrize("name", ["local:/nowhere/x.gguf", "local:/proc/self/cmdline.gguf"])
def test_a_file_that_is_not_there_is_refused_before_anything_is_loaded(runtime: Runtime, name: str) -> None:
    with pytest.raises(InputError, match="no model file"):
        open_judge(name)


def test_a_file_that_is_no_model_is_refused(runtime: Runtime, tmp_path: Path) -> None:
    (tmp_path / "x.gguf").write_bytes(b"#!/bin/sh")
    with pytest.raises(InputError, match="no model file"):
        open_judge(f"local:{tmp_path / 'x.gguf'}")
    with pytest.raises(InputError, match="no GGUF file"):
        judge_spec("local:/etc/passwd")


def test_without_the_extra_the_command_that_brings_it_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "xllamacpp", None)  # Python's own mark for a package that is not to be found
    name = Runtime(tmp_path).model()
    with pytest.raises(InputError, match=r"pip install -r requirements-local\.txt"):
        open_judge(name)
    assert asyncio.run(check_judge(judge_spec(name), Access())).ok is False


def test_the_health_check_looks_at_the_file_and_loads_nothing(runtime: Runtime) -> None:
    assert asyncio.run(check_judge(judge_spec(runtime.model()), Access())).ok
    gone = asyncio.run(check_judge(judge_spec("local:/nowhere/x.gguf"), Access()))
    assert gone.ok is False and "GGUF file" in gone.message
    assert runtime.started == []


@pytest.mark.slow
def test_a_real_model_answers_in_the_form_that_was_asked_for() -> None:
    form = {"type": "object", "properties": {"winner": {"enum": ["A", "B", "tie"]}}, "required": ["winner"]}
    prompt = a_prompt(schema={**form, "additionalProperties": False})

    async def use(judge: JudgeSpec) -> Completion:
        provider = open_provider(judge, Access())
        try:
            return await provider.complete(prompt)
        finally:
            await provider.aclose()

    completion = asyncio.run(use(judge_spec(f"local:{real_model()}", max_tokens=40, context_tokens=2048)))
    assert '"winner"' in completion.text and completion.finish_reason == "stop"
    assert completion.usage.prompt_tokens and completion.temperature_sent == 0.0
    assert running() == 0


@pytest.mark.slow
@pytest.mark.skipif(not TASKS.is_dir(), reason="native threads are counted by Linux alone")
def test_a_model_that_is_loaded_and_freed_again_and_again_leaves_no_native_threads() -> None:
    model = real_model()

    def used() -> int:
        server = lend(model, 512)
        assert httpx.get(server.url.removesuffix("/v1") + "/health", trust_env=False).status_code == 200
        take_back(server)
        return len(list(TASKS.iterdir()))

    assert used() >= max(used() for _ in range(3))
