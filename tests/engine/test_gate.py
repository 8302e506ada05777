"""The gate: one call until the judge has proved itself, then as many as allowed, none once it is unusable."""

from __future__ import annotations

import asyncio

import pytest

from judge_core.engine.gate import Gate
from judge_core.records.prompt import Completion, Failure


async def crowd(gate: Gate, outcomes: list[Completion | Failure]) -> int:
    """Sends one caller per outcome through the gate at once; returns the most that were inside together."""
    inside = most = 0

    async def call(outcome: Completion | Failure) -> None:
        nonlocal inside, most
        async with gate.entered(lambda: None):
            inside += 1
            most = max(most, inside)
            await asyncio.sleep(0.001)
            inside -= 1
            gate.learn(outcome)

    await asyncio.gather(*(call(outcome) for outcome in outcomes))
    return most


GOOD = Completion(text="ok")


def test_many_are_let_in_only_after_one_good_answer() -> None:
    assert asyncio.run(crowd(Gate(5), [GOOD] * 20)) == 5
    busy = Failure(kind="failed", message="no verdict")
    assert asyncio.run(crowd(Gate(5), [busy] * 6)) == 1


def test_everyone_gets_through_whatever_the_outcomes() -> None:
    outcomes = [GOOD, Failure(kind="failed", message="x"), GOOD, Failure(kind="unusable", message="key")] * 10
    assert asyncio.run(asyncio.wait_for(crowd(Gate(3), outcomes), 5)) <= 3


def test_an_unusable_judge_is_remembered_with_its_remedy() -> None:
    gate = Gate(2)
    gate.learn(Failure(kind="unusable", message="Enter a valid key."))
    assert gate.blocked == "Enter a valid key."


@pytest.mark.parametrize(("status", "calls"), [(None, 1), (503, 2)])
def test_a_judge_that_never_answered_is_given_up_at_once(status: int | None, calls: int) -> None:
    gate = Gate(2)
    for number in range(1, calls + 1):
        gate.learn(Failure(kind="transient", message="No connection.", status=status))
        assert (gate.blocked is None) == (number < calls)
    assert "No connection. This judge has not answered once." in (gate.blocked or "")


def test_a_judge_that_has_answered_before_is_not_given_up_for_some_failures() -> None:
    gate = Gate(2)
    gate.learn(GOOD)
    for _ in range(10):
        gate.learn(Failure(kind="transient", message="No connection."))
    assert gate.blocked is None


def test_who_waits_is_told_when_the_run_closes() -> None:
    class Closed(Exception):
        pass

    async def scene() -> None:
        gate, closing = Gate(1), False

        def check() -> None:
            if closing:
                raise Closed

        async def second() -> None:
            async with gate.entered(check):
                raise AssertionError("nobody may enter a closing run")

        async with gate.entered(check):
            waiting = asyncio.ensure_future(second())
            await asyncio.sleep(0)
            closing = True
            gate.wake_all()
            with pytest.raises(Closed):
                await waiting

    asyncio.run(scene())
