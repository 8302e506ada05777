"""Judges that are asked no more than their quotas allow, over one ledger that all runs share.

A request is counted before it is sent, with its prompt and the longest reply as tokens, and put right with the
provider's own count afterwards. Who finds the minute full waits, first come, first served. Who finds the day full is
told when the next one begins.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import threading
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Protocol
from weakref import WeakKeyDictionary

from judge_core.providers.prices import count_tokens
from judge_core.providers.protocol import Provider
from judge_core.providers.wrappers.limits import (
    DAY_S,
    VARIABLE,
    WINDOW_S,
    Quota,
    Slot,
    first_second,
    is_over,
    keys_of,
    midnight,
    sums,
    wait_needed,
)
from judge_core.providers.wrappers.retry import Retrying
from judge_core.records.errors import CallError, JudgeUnusableError, RefusedCallError, StoreError
from judge_core.records.prompt import Completion, Prompt, Usage
from judge_core.records.record import Record
from judge_core.records.spec import JudgeSpec

MARGIN = 4 / 3
"""By how much a prompt may have more tokens than the estimate says."""
NAPS_S = (0.01, 1.0)
"""The shortest and the longest sleep before the ledger is looked at again: another process may have freed something."""


class QuotaUse(Record):
    """How much of a quota is used: for people."""

    key: str
    quota: Quota
    minute_requests: int
    minute_tokens: int
    day_requests: int
    day_tokens: int
    next_free_at: str | None
    """UTC, ISO 8601: when a small request fits again; None: now."""


class QuotaLedger(Protocol):
    """What was used, by key. Each method is one step that no other can come between, from any thread."""

    async def take(
        self, key: str, at: float, since: int, tokens: int, wait: Callable[[Sequence[Slot]], float]
    ) -> float:
        """Asks `wait` with the use from second `since` on; at 0 it counts a request and its tokens, else nothing."""
        ...

    async def correct(self, key: str, at: float, requests: int, tokens: int) -> None:
        """Adds to (or takes off) what was counted at that moment."""
        ...

    def spent(self, key: str, since: int) -> Sequence[Slot]:
        """The use from second `since` on."""
        ...


class MemoryLedger:
    """A ledger of this process alone, forgotten with it."""

    def __init__(self) -> None:
        self._used: dict[str, dict[int, tuple[int, int]]] = {}
        self._lock = threading.Lock()  # guards _used: runs may live in several loops

    async def take(
        self, key: str, at: float, since: int, tokens: int, wait: Callable[[Sequence[Slot]], float]
    ) -> float:
        with self._lock:
            self._used[key] = {began: use for began, use in self._used.get(key, {}).items() if began >= since}
            needed = wait(self._slots(key))
            if needed <= 0:
                self._add(key, int(at), 1, tokens)
            return needed

    async def correct(self, key: str, at: float, requests: int, tokens: int) -> None:
        with self._lock:
            self._add(key, int(at), requests, tokens)

    def spent(self, key: str, since: int) -> Sequence[Slot]:
        with self._lock:
            return [slot for slot in self._slots(key) if slot[0] >= since]

    def _slots(self, key: str) -> list[Slot]:
        return [(began, *use) for began, use in self._used.get(key, {}).items()]

    def _add(self, key: str, began: int, requests: int, tokens: int) -> None:
        slots = self._used.setdefault(key, {})
        before = slots.get(began, (0, 0))
        slots[began] = (before[0] + requests, before[1] + tokens)


class Bucket:
    """One quota, what is used of it, and the queue of those who wait for it."""

    def __init__(
        self,
        key: str,
        quota: Quota,
        ledger: QuotaLedger,
        clock: Callable[[], float] = time.time,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ):
        """`clock` gives Unix time in seconds."""
        self.key = key
        self.quota = quota
        self._ledger = ledger
        self._clock = clock
        self._sleep = sleep
        self._queues: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Lock] = WeakKeyDictionary()

    def use(self) -> QuotaUse:
        """What is used now."""
        now = self._clock()
        slots = self._ledger.spent(self.key, first_second(now))
        minute, day = sums(slots, now - WINDOW_S + 1, now), sums(slots, midnight(now), now)
        wait = min(wait_needed(self.quota, slots, 1, now), midnight(now) + DAY_S - now)
        free = datetime.fromtimestamp(now + wait, UTC).isoformat(timespec="seconds") if wait else None
        return QuotaUse(
            key=self.key, quota=self.quota, minute_requests=minute[0], minute_tokens=minute[1],
            day_requests=day[0], day_tokens=day[1], next_free_at=free,
        )  # fmt: skip

    async def reserve(self, tokens: int, check: Callable[[], None]) -> float:
        """Waits its turn, then until a request of that many tokens fits; returns the moment at which it is counted."""
        queue = self._queues.setdefault(asyncio.get_running_loop(), asyncio.Lock())
        async with queue:  # only the first in the queue looks at the ledger: the order is that of arrival
            while True:
                check()
                at = self._clock()
                wait = await self._take(at, tokens)
                if wait <= 0:
                    return at
                if wait == math.inf:
                    raise self._day_full(at)
                await self._sleep(min(max(wait, NAPS_S[0]), NAPS_S[1]))

    async def _take(self, at: float, tokens: int) -> float:
        """The ledger's answer; a caller that is cancelled meanwhile gives back what it was given."""
        answer = asyncio.ensure_future(
            self._ledger.take(
                self.key, at, first_second(at), tokens, lambda slots: wait_needed(self.quota, slots, tokens, at)
            )
        )
        try:
            return await asyncio.shield(answer)
        except asyncio.CancelledError:
            with contextlib.suppress(StoreError):
                if await answer <= 0:
                    await self.correct(at, -1, -tokens)
            raise

    def _day_full(self, now: float) -> JudgeUnusableError:
        begins = datetime.fromtimestamp(midnight(now) + DAY_S, UTC)
        error = JudgeUnusableError(
            f"{self.key}: this day's quota is used up ({VARIABLE}). The next day begins at {begins:%Y-%m-%d %H:%M} UTC: "
            "resume then, or raise the quota. What is judged so far is kept."
        )
        error.calls = 0
        return error

    async def correct(self, at: float, requests: int, tokens: int) -> None:
        """Puts right what was counted. A database that refuses leaves the estimate: no paid reply is lost for it."""
        if requests or tokens:
            with contextlib.suppress(StoreError):
                await self._ledger.correct(self.key, at, requests, tokens)


class QuotaProvider:
    """A judge that is asked no more than its quota allows. It stands below `Retrying`, so that each try counts."""

    def __init__(self, provider: Provider, bucket: Bucket, reply_tokens: int, check: Callable[[], None] | None = None):
        """`reply_tokens` is the longest reply; `check` is called while waiting, and may raise to give the call up."""
        self._provider = provider
        self._bucket = bucket
        self._reply_tokens = reply_tokens
        self._check = check or (lambda: None)

    async def complete(self, prompt: Prompt) -> Completion:
        """The reply, once the quota allows it. Raises RefusedCallError for a prompt that no minute or day allows."""
        asked = sum(count_tokens(message.content) for message in prompt.messages)
        most = Usage(prompt_tokens=asked, completion_tokens=self._reply_tokens)
        tokens = self._reserved(asked)
        at = await self._bucket.reserve(tokens, self._check)
        try:
            completion = await self._provider.complete(prompt)
        except CallError as error:
            await self._bucket.correct(at, error.calls - 1, 0 if error.uncertain else -tokens)
            raise
        await self._bucket.correct(at, completion.calls - 1, _used(completion.usage, most) - tokens)
        return completion

    async def aclose(self) -> None:
        """Closes the provider."""
        await self._provider.aclose()

    def _reserved(self, asked: int) -> int:
        """The tokens to count beforehand: at most a whole quota, which then serves one call a minute."""
        quota = self._bucket.quota
        for limit, span in ((quota.tokens_per_minute, "minute"), (quota.tokens_per_day, "day")):
            if is_over(asked, limit):
                error = RefusedCallError(
                    f"The prompt has about {asked:,} tokens, more than the quota of {limit:,} tokens a {span} allows "
                    f"at all. Shorten the texts, take another judge, or raise {VARIABLE}."
                )
                error.calls = 0
                raise error
        limits = [limit for limit in (quota.tokens_per_minute, quota.tokens_per_day) if limit is not None]
        return min([math.ceil(asked * MARGIN) + self._reply_tokens, *limits])


def _used(usage: Usage, most: Usage) -> int:
    """The tokens of a call: the provider's count, the estimate where it gave none."""
    pairs = ((usage.prompt_tokens, most.prompt_tokens), (usage.completion_tokens, most.completion_tokens))
    return sum((counted if counted is not None else guess) or 0 for counted, guess in pairs)


class Quotas:
    """All quotas of a data folder, over one ledger."""

    def __init__(
        self,
        limits: Mapping[str, Quota],
        ledger: QuotaLedger,
        clock: Callable[[], float] = time.time,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ):
        """`limits` as `read_quotas` gives them."""
        self._buckets = {key: Bucket(key, quota, ledger, clock, sleep) for key, quota in limits.items()}

    def around(self, provider: Provider, judge: JudgeSpec, check: Callable[[], None] | None = None) -> Provider:
        """The provider within its judge's quota; the provider itself where there is none."""
        bucket = next((self._buckets[key] for key in keys_of(judge) if key in self._buckets), None)
        if bucket is None:
            return provider
        if isinstance(provider, Retrying):
            return provider.around(lambda inner: QuotaProvider(inner, bucket, judge.max_tokens, check))
        return QuotaProvider(provider, bucket, judge.max_tokens, check)

    def used(self) -> tuple[QuotaUse, ...]:
        """What is used of each quota, in the order given."""
        return tuple(bucket.use() for bucket in self._buckets.values())
