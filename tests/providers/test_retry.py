"""When a call is tried again, how long it waits, and what is counted."""

from __future__ import annotations

import asyncio
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_core.providers.protocol import UncertainCallError
from judge_core.providers.wrappers.retry import Retrying, RetryPolicy, in_words, read_retry_after
from judge_core.records.errors import CallError, JudgeUnusableError, RefusedCallError, TransientCallError
from judge_core.records.prompt import Completion, Prompt
from tests.providers.scripted_server import Naps, a_prompt


class Scripted:
    """A provider that raises or returns what it is given, one a call; the last repeats."""

    def __init__(self, *answers: CallError | Completion):
        self.answers = answers
        self.asked = 0

    async def complete(self, prompt: Prompt) -> Completion:
        answer = self.answers[min(self.asked, len(self.answers) - 1)]
        self.asked += 1
        if isinstance(answer, CallError):
            raise answer
        return answer

    async def aclose(self) -> None: ...


def busy(wait: float | None = None, status: int = 429) -> TransientCallError:
    return TransientCallError("busy", status=status, retry_after=wait)


def run(*answers: CallError | Completion, policy: RetryPolicy | None = None) -> tuple[Completion, list[float]]:
    naps = Naps()
    completion = asyncio.run(Retrying(Scripted(*answers), policy, naps).complete(a_prompt()))
    return completion, naps.waits


OK = Completion(text="ok")


def test_a_named_wait_is_kept_to_exactly() -> None:
    assert run(busy(7.25), OK)[1] == [7.25]


def test_without_a_named_wait_the_pauses_double_with_jitter_up_to_the_longest() -> None:
    policy = RetryPolicy(attempts=6, first_wait=1, longest_wait=5, jitter=0.5)
    _, waits = run(*[busy()] * 5, OK, policy=policy)
    assert [low <= wait <= low + 0.5 for low, wait in zip((1, 2, 4), waits, strict=False)] == [True] * 3
    assert waits[3:] == [5, 5]


def test_a_wait_of_zero_still_pauses() -> None:
    assert run(busy(0), OK)[1][0] > 0


def test_every_request_of_every_try_is_counted() -> None:
    first = busy()
    first.calls = 2
    completion, _ = run(first, busy(), Completion(text="ok", calls=2))
    assert completion.calls == 5


@pytest.mark.parametrize(
    ("failure", "tries"),
    [
        (busy(), 5),
        (UncertainCallError("slow"), 3),
        (RefusedCallError("no"), 1),
        (JudgeUnusableError("no"), 1),
        (CallError("no"), 1),
    ],
)
def test_each_kind_of_failure_has_its_number_of_tries(failure: CallError, tries: int) -> None:
    provider = Scripted(failure)
    with pytest.raises(type(failure)) as caught:
        asyncio.run(Retrying(provider, sleep=Naps()).complete(a_prompt()))
    assert provider.asked == tries == caught.value.calls


@pytest.mark.parametrize(
    ("wait", "status", "words"),
    [(61, 429, "rate limited; try again in about 2 minutes"), (90_000, 503, "not available now (503); try again in about 2 days")],
)  # fmt: skip
def test_a_wait_beyond_the_bound_is_not_waited_for(wait: float, status: int, words: str) -> None:
    with pytest.raises(JudgeUnusableError) as caught:
        run(busy(wait, status))
    assert words in str(caught.value) and caught.value.status == status


def test_a_cancelled_call_stops_at_once() -> None:
    provider = Scripted(busy(50))

    async def cancel() -> None:
        task = asyncio.create_task(Retrying(provider).complete(a_prompt()))
        await asyncio.sleep(0.01)
        task.cancel()
        await task

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(cancel())
    assert provider.asked == 1


def test_a_fault_of_ours_is_not_tried_again() -> None:
    class Broken(Scripted):
        async def complete(self, prompt: Prompt) -> Completion:
            self.asked += 1
            raise KeyError("choices")

    provider = Broken()
    with pytest.raises(KeyError):
        asyncio.run(Retrying(provider, sleep=Naps()).complete(a_prompt()))
    assert provider.asked == 1


DATE = "Sun, 06 Nov 1994 08:49:37 GMT"
STAMP = 784111777


@pytest.mark.parametrize(
    ("header", "now", "seconds"),
    [
        ("12", 0, 12.0),
        ("0.493", 0, 0.493),
        ("-5", 0, 0.0),
        (DATE, STAMP - 2.4, 3.0),
        (DATE, STAMP + 60, 0.0),
        ("Sun, 06 Nov 1994 08:49:37 -0000", STAMP - 1, 1.0),
        ("soon", 0, None),
        ("", 0, None),
        ("nan", 0, None),
        ("inf", 0, None),
        (None, 0, None),
    ],
)
def test_retry_after_is_read_in_every_form(header: str | None, now: float, seconds: float | None) -> None:
    assert read_retry_after(header, now) == seconds


@given(st.text(max_size=30))
def test_no_header_breaks_the_reading_or_makes_a_negative_wait(header: str) -> None:
    wait = read_retry_after(header, 1e9)
    assert wait is None or (wait >= 0 and math.isfinite(wait))


def test_a_wait_in_words_is_never_shorter_than_the_wait() -> None:
    assert [in_words(seconds) for seconds in (0.2, 61, 3601, 10800, 86401)] == [
        "1 seconds", "2 minutes", "2 hours", "3 hours", "2 days",
    ]  # fmt: skip


def test_by_default_each_pause_is_clearly_longer_than_the_one_before() -> None:
    for _ in range(200):
        _, waits = run(*[busy()] * 4, OK)
        assert all(later > 1.1 * sooner for sooner, later in zip(waits, waits[1:], strict=False))


def test_a_try_that_may_have_been_charged_is_remembered_whatever_came_after_it() -> None:
    with pytest.raises(RefusedCallError) as caught:
        run(UncertainCallError("slow"), RefusedCallError("no"))
    assert caught.value.uncertain and caught.value.calls == 2


def test_what_is_put_around_the_provider_is_asked_at_each_try() -> None:
    provider, naps = Scripted(busy(3), OK), Naps()

    class Outer(Scripted):
        async def complete(self, prompt: Prompt) -> Completion:
            self.asked += 1
            return await provider.complete(prompt)

    outer, wrapped = Outer(), []

    def wrap(inner: object) -> Outer:
        wrapped.append(inner)
        return outer

    completion = asyncio.run(Retrying(provider, sleep=naps).around(wrap).complete(a_prompt()))
    assert (completion.calls, outer.asked, naps.waits, wrapped) == (2, 2, [3], [provider])


@pytest.mark.parametrize("left", [0, 1, 2])
def test_nothing_is_sent_again_beyond_what_a_cap_allows(left: int) -> None:
    allowed = iter([True] * left)
    provider = Scripted(busy())
    with pytest.raises(TransientCallError):
        asyncio.run(Retrying(provider, sleep=Naps(), may_repeat=lambda: next(allowed, False)).complete(a_prompt()))
    assert provider.asked == 1 + left
