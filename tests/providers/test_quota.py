"""Quotas at work: that no minute ever holds more, and that nobody waits for ever."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge_core.providers.protocol import UncertainCallError
from judge_core.providers.registry import judge_spec
from judge_core.providers.wrappers.limits import DAY_S, WINDOW_S, read_quotas
from judge_core.providers.wrappers.quota import MemoryLedger, Quotas
from judge_core.providers.wrappers.retry import Retrying
from judge_core.records.errors import (
    CallError,
    JudgeUnusableError,
    RefusedCallError,
    StoreError,
    TransientCallError,
)
from judge_core.records.prompt import Completion, Prompt, Usage
from judge_core.records.spec import JudgeSpec
from tests.providers.hours import NOON, Hours
from tests.providers.scripted_server import a_prompt


class Sent(NamedTuple):
    at: float
    text: str
    tokens: int


class Judge:
    """Remembers when it was asked; takes `seconds` a call and reports `tokens`, or raises its failures first."""

    def __init__(
        self, hours: Hours, tokens: int | None = 100, seconds: float = 0.0, failures: Sequence[CallError] = ()
    ):
        self.hours, self.tokens, self.seconds = hours, tokens, seconds
        self.failures = list(failures)
        self.sent: list[Sent] = []

    async def complete(self, prompt: Prompt) -> Completion:
        self.sent.append(Sent(self.hours.now, prompt.sheet.texts[0], self.tokens or 0))
        if self.seconds:
            await self.hours.sleep(self.seconds)
        if self.failures:
            raise self.failures.pop(0)
        return Completion(
            text="ok", usage=Usage(prompt_tokens=self.tokens, completion_tokens=0 if self.tokens else None)
        )

    async def aclose(self) -> None: ...


def openai() -> JudgeSpec:
    return judge_spec("openai:gpt-4.1", max_tokens=200)


class Scene:
    """One judge with a quota, and time that passes by itself."""

    def __init__(self, quota: str, judge: Judge | None = None, hours: Hours | None = None, retrying: bool = False):
        self.hours = hours or (judge.hours if judge else Hours())
        self.judge = judge or Judge(self.hours)
        limits = read_quotas(f"openai={quota}")
        self.quotas = Quotas(limits, MemoryLedger(), self.hours.clock, self.hours.sleep)
        inner = Retrying(self.judge, sleep=self.hours.sleep) if retrying else self.judge
        self.provider = self.quotas.around(inner, openai())

    def ask(self, *arrivals: float, text: str = "essay") -> list[Completion | BaseException]:
        async def late(number: int, after: float) -> Completion:
            await self.hours.sleep(after)
            return await self.provider.complete(a_prompt(f"{text} {number}"))

        async def all_of_them() -> list[Completion | BaseException]:
            calls = [late(number, after) for number, after in enumerate(arrivals)]
            done = asyncio.ensure_future(asyncio.gather(*calls, return_exceptions=True))
            await self.hours.pass_until(done)
            return await done

        return asyncio.run(all_of_them())

    @property
    def moments(self) -> list[float]:
        return [sent.at - NOON for sent in self.judge.sent]


# the minute


def test_one_request_too_many_waits_until_a_minute_is_over() -> None:
    scene = Scene("2rpm")
    scene.ask(0, 1, 2)
    assert scene.moments[:2] == [0, 1]
    assert 60 < scene.moments[2] <= WINDOW_S


@settings(max_examples=60, deadline=None)
@given(
    arrivals=st.lists(st.floats(0, 200), min_size=1, max_size=25),
    requests=st.integers(1, 6),
    tokens=st.integers(300, 2000),
    used=st.integers(0, 200),
    seconds=st.floats(0, 90),
)
def test_no_60_seconds_ever_hold_more_than_the_quota_and_everyone_is_served_in_order(
    arrivals: list[float], requests: int, tokens: int, used: int, seconds: float
) -> None:
    hours = Hours()
    scene = Scene(f"{requests}rpm,{tokens}tpm", Judge(hours, used, seconds))
    replies = scene.ask(*arrivals)
    assert all(isinstance(reply, Completion) for reply in replies)
    sent = scene.judge.sent
    for first in sent:
        window = [each for each in sent if first.at <= each.at < first.at + 60]
        assert len(window) <= requests
        assert sum(each.tokens for each in window) <= tokens
    in_order = sorted(range(len(arrivals)), key=lambda number: (NOON + arrivals[number], number))
    assert [each.text for each in sent] == [f"essay {number}" for number in in_order]


def test_the_longest_reply_is_counted_beforehand_and_the_real_one_afterwards() -> None:
    scene = Scene("620tpm", Judge(Hours(), tokens=100, seconds=5))
    scene.ask(0, 0, 0, 0)
    gaps = [later - sooner for sooner, later in zip(scene.moments, scene.moments[1:], strict=False)]
    assert all(gap <= 7 for gap in gaps), "what is not used is free as soon as that is known"
    assert scene.quotas.used()[0].minute_tokens == 400


def test_an_unknown_count_leaves_the_estimate() -> None:
    scene = Scene("5000tpm", Judge(Hours(), tokens=None))
    scene.ask(0)
    assert 200 < scene.quotas.used()[0].minute_tokens < 230


def test_a_quota_smaller_than_the_longest_reply_still_serves_one_call_a_minute() -> None:
    scene = Scene("150tpm", Judge(Hours(), tokens=50, seconds=3))
    assert [type(reply) for reply in scene.ask(0, 0)] == [Completion, Completion]
    assert scene.moments[1] == WINDOW_S


def test_a_prompt_that_no_minute_allows_is_refused_without_a_request() -> None:
    scene = Scene("150tpm")
    [error] = scene.ask(0, text="word " * 200)
    assert isinstance(error, RefusedCallError) and error.calls == 0
    assert "more than the quota of 150 tokens a minute allows at all. Shorten" in str(error)
    assert not scene.judge.sent


def test_runs_that_share_the_quotas_share_the_count() -> None:
    scene = Scene("2rpm")
    other = scene.quotas.around(Judge(scene.hours), openai())
    scene.ask(0)
    scene.provider = other
    scene.ask(0, 0)
    assert scene.hours.now - NOON > 60


def test_each_try_of_a_call_counts() -> None:
    busy = [TransientCallError("busy", status=429, retry_after=1) for _ in range(2)]
    scene = Scene("2rpm", Judge(Hours(), failures=busy), retrying=True)
    [reply] = scene.ask(0)
    assert isinstance(reply, Completion) and reply.calls == 3
    assert scene.moments[1] == 1 and scene.moments[2] > 60


@pytest.mark.parametrize(
    ("failure", "tokens"), [(TransientCallError("busy", status=429), False), (UncertainCallError("slow"), True)]
)
def test_a_failed_call_counts_as_a_request_and_its_tokens_where_they_may_have_been_used(
    failure: CallError, tokens: bool
) -> None:
    scene = Scene("9rpm,9000tpm", Judge(Hours(), failures=[failure]))
    assert scene.ask(0) == [failure]
    use = scene.quotas.used()[0]
    assert use.minute_requests == 1 and (use.minute_tokens > 0) is tokens


def test_whoever_gives_up_waiting_leaves_the_place_to_the_next() -> None:
    scene = Scene("1rpm")

    async def play() -> None:
        calls = [asyncio.ensure_future(scene.provider.complete(a_prompt(name))) for name in ("a", "b", "c")]
        await asyncio.sleep(0.01)
        calls[1].cancel()
        await scene.hours.pass_until(asyncio.gather(calls[0], calls[2]))
        assert calls[1].cancelled()

    asyncio.run(play())
    assert [sent.text for sent in scene.judge.sent] == ["a", "c"] and scene.moments[1] <= WINDOW_S


def test_what_is_cancelled_while_the_ledger_answers_is_given_back() -> None:
    class Slow(MemoryLedger):
        async def take(self, *args: Any) -> float:
            await asyncio.sleep(0.02)
            return await super().take(*args)

    hours = Hours()
    quotas = Quotas(read_quotas("openai=1rpm"), Slow(), hours.clock)
    provider = quotas.around(Judge(hours), openai())

    async def play() -> None:
        call = asyncio.ensure_future(provider.complete(a_prompt()))
        await asyncio.sleep(0.01)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call

    asyncio.run(play())
    assert quotas.used()[0].minute_requests == 0


def test_a_paid_reply_is_kept_where_the_ledger_cannot_be_put_right() -> None:
    class Full(MemoryLedger):
        async def correct(self, *args: Any) -> None:
            raise StoreError("The disk is full.")

    hours = Hours()
    quotas = Quotas(read_quotas("openai=9rpm"), Full(), hours.clock)
    reply = asyncio.run(quotas.around(Judge(hours), openai()).complete(a_prompt()))
    assert reply.text == "ok" and quotas.used()[0].minute_tokens > 200


def test_a_run_that_closes_need_not_wait() -> None:
    class Closing(Exception):
        pass

    scene, asked = Scene("1rpm"), []

    def check() -> None:
        asked.append(scene.hours.now)
        if scene.hours.now > NOON + 3:
            raise Closing

    scene.provider = scene.quotas.around(scene.judge, openai(), check)
    first, second = scene.ask(0, 0)
    assert isinstance(first, Completion) and isinstance(second, Closing)
    assert scene.hours.now <= NOON + 5


# the day


def test_a_full_day_stops_the_run_and_says_when_the_next_begins() -> None:
    scene = Scene("2rpd")
    *_, error = scene.ask(0, 0, 0)
    assert isinstance(error, JudgeUnusableError) and error.calls == 0
    assert "openai: this day's quota is used up (PODIUM_QUOTAS)" in str(error)
    assert "The next day begins at 2024-10-05 00:00 UTC: resume then" in str(error)
    scene.hours.now = NOON + DAY_S / 2
    assert isinstance(scene.ask(0)[0], Completion)


def test_the_days_tokens_count_too() -> None:
    scene = Scene("450tpd", Judge(Hours(), tokens=200))
    assert [type(reply) for reply in scene.ask(0, 10, 20)] == [Completion, Completion, JudgeUnusableError]


# looking


def test_what_is_used_can_be_seen() -> None:
    scene = Scene("2rpm,5000tpm,100rpd")
    scene.ask(0)
    assert scene.quotas.used()[0].next_free_at is None
    scene.ask(0)
    use = scene.quotas.used()[0]
    assert (use.key, use.minute_requests, use.minute_tokens, use.day_requests, use.day_tokens) == (
        "openai",
        2,
        200,
        2,
        200,
    )
    assert use.next_free_at == "2024-10-04T12:01:02+00:00"
    scene.hours.now += 3600
    later = scene.quotas.used()[0]
    assert (later.minute_requests, later.day_requests, later.next_free_at) == (0, 2, None)


def test_a_full_day_is_free_again_at_midnight() -> None:
    scene = Scene("1rpd")
    scene.ask(0)
    assert scene.quotas.used()[0].next_free_at == "2024-10-05T00:00:00+00:00"
