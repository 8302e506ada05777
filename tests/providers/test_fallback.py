"""Who stands in for a judge that cannot answer, what the reply says of it, and what is raised when nobody answers."""

from __future__ import annotations

import asyncio

import pytest

from judge_core.providers.protocol import UncertainCallError
from judge_core.providers.wrappers.fallback import Fallback
from judge_core.records.errors import CallError, InputError, JudgeUnusableError, RefusedCallError, TransientCallError
from judge_core.records.prompt import Completion, Prompt
from judge_core.records.record import Notice
from tests.providers.scripted_server import a_prompt

OK = Completion(text="ok", calls=1)


class Judge:
    """A provider that gives one answer or failure for ever, and counts how often it was asked."""

    def __init__(self, answer: Completion | Exception):
        self.answer = answer
        self.asked = 0
        self.closed = False

    async def complete(self, prompt: Prompt) -> Completion:
        self.asked += 1
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer

    async def aclose(self) -> None:
        self.closed = True


def failing(error: CallError, calls: int = 1) -> Judge:
    error.calls = calls
    return Judge(error)


def standing(*judges: Judge, may_repeat: bool = True) -> Fallback:
    names = ("openai:x", "groq:y", "minimax:z")
    return Fallback([(names[n], judge) for n, judge in enumerate(judges)], lambda: may_repeat)


def ask(fallback: Fallback) -> Completion:
    return asyncio.run(fallback.complete(a_prompt()))


def test_the_first_judge_answers_as_if_nobody_stood_behind_it() -> None:
    second = Judge(OK)
    assert ask(standing(Judge(OK), second)) is OK
    assert second.asked == 0


@pytest.mark.parametrize(
    ("failure", "why"),
    [
        (TransientCallError("busy", status=429), "rate limited"),
        (TransientCallError("down", status=503), "overloaded or out of order"),
        (TransientCallError("none"), "no connection"),
        (UncertainCallError("slow"), "no whole answer in time"),
        (RefusedCallError("no", status=400), "request refused"),
        (RefusedCallError("long", status=413), "texts too long"),
        (JudgeUnusableError("key", status=401), "key rejected"),
        (JudgeUnusableError("day"), "not usable now"),
        (CallError("empty", status=200), "no answer"),
    ],
)
def test_after_every_kind_of_failed_call_the_next_answers_and_both_are_named(failure: CallError, why: str) -> None:
    reply = ask(standing(failing(failure, calls=3), Judge(OK.model_copy(update={"calls": 2}))))
    assert (reply.text, reply.answered_by, reply.calls) == ("ok", "groq:y", 5)
    message = f"openai:x could not answer ({why}); groq:y answered in its place."
    assert reply.notices == (Notice(code="provider_fallback", message=message),)


def test_nothing_that_a_provider_said_stands_in_the_notice() -> None:
    reply = ask(standing(failing(CallError("The provider says: <b>Ignore</b>", status=418)), Judge(OK)))
    assert "Ignore" not in reply.notices[0].message


def test_the_judges_are_asked_in_their_order() -> None:
    third = Judge(OK)
    reply = ask(standing(failing(TransientCallError("a")), failing(RefusedCallError("b")), third))
    assert (reply.answered_by, reply.calls) == ("minimax:z", 3)


def test_where_nobody_answers_the_first_judges_error_counts_all_calls() -> None:
    first = TransientCallError("openai:x: rate limited (429).", status=429, retry_after=3)
    with pytest.raises(TransientCallError) as caught:
        ask(standing(failing(first, 5), failing(UncertainCallError("slow"), 3), failing(JudgeUnusableError("key"))))
    error = caught.value
    assert str(error) == "openai:x: rate limited (429). The 2 judges that may stand in could not answer either."
    assert (error.kind, error.status, error.calls, error.uncertain) == ("transient", 429, 9, True)


def test_a_judge_that_proved_unusable_is_not_asked_again_and_costs_no_further_call() -> None:
    first, second = failing(JudgeUnusableError("key", status=401)), Judge(OK)
    fallback = standing(first, second)
    assert [ask(fallback).calls for _ in range(3)] == [2, 1, 1]
    assert (first.asked, second.asked) == (1, 3)


def test_unusable_judges_raise_the_same_error_each_time_without_a_call() -> None:
    fallback = standing(failing(JudgeUnusableError("key")), failing(JudgeUnusableError("money")))
    said = []
    for calls in (2, 0, 0):
        with pytest.raises(JudgeUnusableError) as caught:
            ask(fallback)
        said.append(str(caught.value))
        assert caught.value.calls == calls
    assert set(said) == {"key The judge that may stand in could not answer either."}


@pytest.mark.parametrize("fault", [InputError("odd"), KeyError("choices")])
def test_a_fault_that_is_no_failed_call_is_not_covered_up(fault: Exception) -> None:
    second = Judge(OK)
    with pytest.raises(type(fault)):
        ask(standing(Judge(fault), second))
    assert second.asked == 0


def test_nobody_is_asked_beyond_a_cap_on_calls() -> None:
    second = Judge(OK)
    with pytest.raises(TransientCallError, match=r"^busy$"):
        ask(standing(failing(TransientCallError("busy")), second, may_repeat=False))
    assert second.asked == 0


def test_a_first_judge_that_sent_nothing_leaves_its_call_to_the_next() -> None:
    assert ask(standing(failing(JudgeUnusableError("day"), calls=0), Judge(OK), may_repeat=False)).calls == 1


def test_all_judges_are_closed() -> None:
    judges = [Judge(OK), Judge(OK)]
    asyncio.run(standing(*judges).aclose())
    assert all(judge.closed for judge in judges)
