"""Asking again when the same call may work later: which failures, how often, and how long to wait."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable
from datetime import UTC
from email.utils import parsedate_to_datetime

from pydantic import Field
from tenacity import AsyncRetrying, RetryCallState, wait_exponential_jitter

from judge_core.providers.protocol import Provider, UncertainCallError
from judge_core.records.errors import CallError, JudgeUnusableError, TransientCallError
from judge_core.records.prompt import Completion, Prompt
from judge_core.records.record import Record


class RetryPolicy(Record):
    """How often and how slowly a call is tried again. Times are seconds."""

    attempts: int = Field(default=5, ge=1)
    """Tries in all for rate limits, overload, server errors and connections that could not be made."""
    uncertain_attempts: int = Field(default=3, ge=1)
    """Tries in all where each may have been charged: time-outs and answers broken on the way."""
    first_wait: float = Field(default=1.0, ge=0)
    longest_wait: float = Field(default=30.0, ge=0)
    """Waits double from the first to the longest."""
    jitter: float = Field(default=0.75, ge=0)
    """Up to this much is added at random, so that calls that failed together do not return together.

    Less than the first wait, so that each pause is clearly longer than the one before.
    """
    longest_retry_after: float = Field(default=60.0, ge=0)
    """A judge that asks for a longer wait is not waited for: the run stops and can be resumed."""


class Retrying:
    """A provider that tries again where that may help. Counts every HTTP request, in replies and in errors."""

    def __init__(
        self,
        provider: Provider,
        policy: RetryPolicy | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        may_repeat: Callable[[], bool] | None = None,
    ):
        """`may_repeat` is asked before each repeated request; False where a cap on calls is used up."""
        self._provider = provider
        self._given = policy, sleep, may_repeat
        self._policy = policy or RetryPolicy()
        self._sleep = sleep
        self._may_repeat = may_repeat or (lambda: True)
        self._backoff = wait_exponential_jitter(
            multiplier=self._policy.first_wait, max=self._policy.longest_wait, jitter=self._policy.jitter
        )

    async def complete(self, prompt: Prompt) -> Completion:
        """The reply, after as many tries as the policy allows; the last error where none of them brought one."""
        calls, uncertain = 0, False

        async def once() -> Completion:
            nonlocal calls, uncertain
            try:
                completion = await self._provider.complete(prompt)
            except CallError as error:
                calls += error.calls
                uncertain = uncertain or error.uncertain
                raise self._too_long_a_wait(error) from error.__cause__
            calls += completion.calls
            return completion

        retrying = AsyncRetrying(
            sleep=self._sleep, wait=self._wait, retry=self._worthwhile, stop=self._enough, reraise=True
        )
        try:
            completion: Completion = await retrying(once)
        except CallError as error:
            error.calls, error.uncertain = calls, uncertain
            raise
        return completion.model_copy(update={"calls": calls})

    async def aclose(self) -> None:
        """Closes the provider."""
        await self._provider.aclose()

    def around(self, wrap: Callable[[Provider], Provider]) -> Retrying:
        """The same tries with `wrap` around the provider that each of them asks."""
        return Retrying(wrap(self._provider), *self._given)

    def _worthwhile(self, state: RetryCallState) -> bool:
        return isinstance(_error(state), TransientCallError)

    def _enough(self, state: RetryCallState) -> bool:
        uncertain = isinstance(_error(state), UncertainCallError)
        most = self._policy.uncertain_attempts if uncertain else self._policy.attempts
        return state.attempt_number >= most or not self._may_repeat()

    def _wait(self, state: RetryCallState) -> float:
        error = _error(state)
        asked = error.retry_after if isinstance(error, TransientCallError) else None
        return asked or self._backoff(state)  # 0 says "now", which everyone would obey at once

    def _too_long_a_wait(self, error: CallError) -> CallError:
        asked = error.retry_after if isinstance(error, TransientCallError) else None
        if asked is None or asked <= self._policy.longest_retry_after:
            return error
        what = "rate limited" if error.status == 429 else f"not available now ({error.status})"
        words = f"The judge is {what}; try again in about {in_words(asked)}. What is judged so far is kept."
        return JudgeUnusableError(words, status=error.status)


def _error(state: RetryCallState) -> BaseException | None:
    return state.outcome.exception() if state.outcome else None


def read_retry_after(value: str | None, now: float) -> float | None:
    """Seconds to wait by a Retry-After header: seconds, a fraction or an HTTP date. None where it says nothing.

    `now` is Unix time. A date has whole seconds, so the wait is rounded up; one that is past is 0.

    >>> read_retry_after("0.493", 0), read_retry_after("Thu, 01 Jan 1970 00:00:05 GMT", 1.5)
    (0.493, 4.0)
    >>> read_retry_after("-3", 0), read_retry_after("soon", 0)
    (0.0, None)
    """
    if value is None:
        return None
    try:
        seconds = float(value)
    except ValueError:
        return _until(value, now)
    return max(0.0, seconds) if math.isfinite(seconds) else None


def _until(date: str, now: float) -> float | None:
    try:
        moment = parsedate_to_datetime(date)
        stamp = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, TypeError, OverflowError):
        return None
    return float(max(0, math.ceil(stamp - now)))


def in_words(seconds: float) -> str:
    """A wait for people, rounded up to whole minutes or hours.

    >>> in_words(10800), in_words(61), in_words(59.2)
    ('3 hours', '2 minutes', '60 seconds')
    """
    for size, unit in ((86400, "days"), (3600, "hours"), (60, "minutes")):
        if seconds > size:
            return f"{math.ceil(seconds / size)} {unit}"
    return f"{math.ceil(seconds)} seconds"
