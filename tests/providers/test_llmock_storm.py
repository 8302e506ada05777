"""Our client in a storm of faults, judged by an independent server: what it repeats, how long it waits, when it stops."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest

from judge_core.providers.openai_compatible import OpenAICompatible
from judge_core.providers.protocol import Access, Provider, UncertainCallError
from judge_core.providers.registry import judge_spec, open_provider
from judge_core.providers.wrappers.retry import Retrying, RetryPolicy
from judge_core.records.errors import CallError, JudgeUnusableError, RefusedCallError, TransientCallError
from judge_core.records.prompt import Completion
from judge_core.records.spec import JudgeSpec
from tests.providers.scripted_server import a_prompt

PROGRAM = Path(__file__).parents[2] / ".venv-peers" / "bin" / "llmock"
IN_FLIGHT = 8
BRISK = RetryPolicy(first_wait=0.3, jitter=0.2)

Outcome = Completion | CallError


class Verdict(NamedTuple):
    """What the server says of its client."""

    findings: list[str]
    requests: int


class Storm:
    """The server, which plays what it is told and remembers every request."""

    def __init__(self, port: int):
        self.url = f"http://127.0.0.1:{port}"
        self._client = httpx.Client(base_url=f"{self.url}/_llmock", trust_env=False, timeout=10)

    def plan(self, *behaviours: dict[str, Any]) -> None:
        self._client.post("/reset").raise_for_status()
        self._client.post("/scenario", json={"behaviors": list(behaviours)}).raise_for_status()

    def pending(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self._client.get("/scenario").json()["pending"]
        return found

    def verdict(self) -> Verdict:
        said = self._client.get("/verdict").json()
        findings = [f"{each['code']}: {each['title']}" for each in said["findings"]]
        return Verdict(findings, self._client.get("/requests").json()["count"])

    def judge(self, model: str, timeout_s: float = 20.0) -> JudgeSpec:
        return judge_spec(f"{self.url}/v1#{model}", timeout_s=timeout_s)

    def close(self) -> None:
        self._client.close()


@pytest.fixture(scope="module")
def storm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Storm]:
    if not PROGRAM.exists():
        pytest.skip("The independent server is not installed: `make test` sets it up in .venv-peers.")
    port = _free_port()
    log = (tmp_path_factory.mktemp("llmock") / "log").open("wb")
    plain = {name: value for name, value in os.environ.items() if not name.startswith("LLMOCK_")}
    command = [str(PROGRAM), "serve", "--host", "127.0.0.1", "--port", str(port), "--log-level", "warning"]
    server = subprocess.Popen(command, stdout=log, stderr=log, env=plain)
    try:
        _await_port(server, port)
        played = Storm(port)
        yield played
        played.close()
    finally:
        server.terminate()
        server.wait(10)
        log.close()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _await_port(server: subprocess.Popen[bytes], port: int) -> None:
    for _ in range(300):
        assert server.poll() is None, "the server ended at once"
        try:
            socket.create_connection(("127.0.0.1", port), 0.2).close()
            return
        except OSError:
            time.sleep(0.1)
    raise AssertionError("the server does not answer")


def fail(status: int, times: int | None, model: str = "*", **more: Any) -> dict[str, Any]:
    return {"type": "fail", "status": status, "times": times, "match": {"model": model}, **more}


async def ask_all(provider: Provider, prompts: Sequence[str]) -> list[Outcome]:
    """Asks every prompt, eight at a time. Anything but a reply or a named failure is raised."""
    gate = asyncio.Semaphore(IN_FLIGHT)

    async def one(text: str) -> Outcome:
        async with gate:
            try:
                return await provider.complete(a_prompt(text))
            except CallError as error:
                return error

    try:
        return list(await asyncio.gather(*(one(text) for text in prompts)))
    finally:
        await provider.aclose()


def essays(count: int) -> list[str]:
    return [f"Essay number {number}." for number in range(count)]


def calls_of(outcomes: Sequence[Outcome]) -> int:
    return sum(outcome.calls for outcome in outcomes)


def test_a_storm_that_passes_costs_no_reply_and_every_request_is_counted(storm: Storm) -> None:
    """Rate limits with their waits, overload, server errors, a server's own time-out: all 40 calls are answered."""
    storm.plan(
        fail(429, 5, retry_after=1),
        fail(503, 3, retry_after=0.4),
        fail(500, 2),
        fail(429, 2, retry_after=0),
        *(fail(status, 1) for status in (502, 529, 408, 409)),
    )
    outcomes = asyncio.run(ask_all(open_provider(storm.judge("gpt-4o"), Access(concurrency=IN_FLIGHT)), essays(40)))
    assert [outcome for outcome in outcomes if not isinstance(outcome, Completion)] == []
    assert storm.pending() == []
    assert storm.verdict() == Verdict([], calls_of(outcomes)) and calls_of(outcomes) == 40 + 16


def test_an_outage_is_given_up_after_growing_pauses(storm: Storm) -> None:
    """A judge that stays down: five tries each, each pause longer than the last, then a failure with its name."""
    storm.plan(fail(500, None, "down"), fail(429, None, "limited", retry_after=1))

    async def both() -> list[list[Outcome]]:
        judges = [storm.judge(model) for model in ("down", "limited")]
        providers = [Retrying(OpenAICompatible(judge, Access(concurrency=IN_FLIGHT)), BRISK) for judge in judges]
        return await asyncio.gather(*(ask_all(provider, essays(8)) for provider in providers))

    down, limited = asyncio.run(both())
    assert {(type(error), error.status, error.calls) for error in down if isinstance(error, CallError)} == {
        (TransientCallError, 500, 5)
    }
    assert all("#limited: rate limited (429)" in str(error) for error in limited) and calls_of(limited) == 40
    assert storm.verdict() == Verdict([], 80)


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, RefusedCallError),
        (401, JudgeUnusableError),
        (403, JudgeUnusableError),
        (404, JudgeUnusableError),
        (422, RefusedCallError),
    ],
)
def test_what_will_fail_again_is_not_repeated(storm: Storm, status: int, kind: type[CallError]) -> None:
    storm.plan(fail(status, None))
    outcomes = asyncio.run(ask_all(open_provider(storm.judge("gpt-4o"), Access()), essays(8)))
    assert {type(outcome) for outcome in outcomes} == {kind}
    assert storm.verdict() == Verdict([], 8)


def test_an_answer_that_comes_too_late_is_asked_for_again_and_a_mute_judge_is_given_up(storm: Storm) -> None:
    """Past its time limit a call is repeated; what may have been charged for is repeated twice at most."""
    storm.plan(
        {"type": "delay", "seconds": 1.5, "times": 3, "match": {"model": "slow"}},
        {"type": "delay", "seconds": 1.5, "times": None, "match": {"model": "mute"}},
    )

    async def both() -> list[list[Outcome]]:
        judges = [storm.judge(model, timeout_s=0.75) for model in ("slow", "mute")]
        providers = [Retrying(OpenAICompatible(judge, Access(concurrency=IN_FLIGHT)), BRISK) for judge in judges]
        return await asyncio.gather(*(ask_all(provider, essays(8)) for provider in providers))

    slow, mute = asyncio.run(both())
    assert all(isinstance(outcome, Completion) for outcome in slow) and calls_of(slow) == 8 + 3
    assert {(type(error), error.calls, getattr(error, "uncertain", None)) for error in mute} == {
        (UncertainCallError, 3, True)
    }
    assert storm.verdict() == Verdict([], calls_of(slow) + calls_of(mute))


def test_a_wait_beyond_reason_stops_the_judge_at_once_with_the_time(storm: Storm) -> None:
    """Not repeating is what the server remarks on, and what is meant: the run stops, and is resumed then."""
    storm.plan(fail(429, None, retry_after=7200))
    [error] = asyncio.run(ask_all(open_provider(storm.judge("gpt-4o"), Access()), essays(1)))
    assert isinstance(error, JudgeUnusableError) and "try again in about 2 hours" in str(error)
    assert storm.verdict() == Verdict(["gave_up: Gave up after a 429 without a single retry."], 1)


@pytest.mark.parametrize("kind", ["disconnect", "truncate", "malformed"])
def test_no_answer_comes_in_pieces_so_no_piece_can_be_taken_for_an_answer(storm: Storm, kind: str) -> None:
    fault = {"type": "stream_fault", "kind": kind, "after_chunks": 1, "times": 1}
    storm.plan(fault)
    [reply] = asyncio.run(ask_all(open_provider(storm.judge("gpt-4o"), Access()), essays(1)))
    assert isinstance(reply, Completion) and reply.finish_reason == "stop"
    assert [each["type"] for each in storm.pending()] == ["stream_fault"] and storm.verdict().findings == []
