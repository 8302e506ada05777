"""The desk where a run's prompts are answered: from the journal, from the cache, or by the judge, in this order."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, cast

from judge_core.engine.budget import Budget
from judge_core.engine.gate import Gate
from judge_core.engine.ports import Dialogue, Provider, ReplyCache
from judge_core.engine.writer import Writer
from judge_core.records.errors import CallError
from judge_core.records.journal import Lease, StoredCompletion
from judge_core.records.notices import explain
from judge_core.records.prompt import Ask, Completion, Failure, Prompt, Received
from judge_core.records.record import Notice, digest, text_hash
from judge_core.records.refinement.nouns import StepResult
from judge_core.records.result import Result
from judge_core.records.spec import JudgeSpec, Price, RunSpec, cost_of
from judge_core.records.verdict import Turn


class Cook(Protocol):
    """What turns a recipe into a prompt; the mode's, without I/O."""

    def key_material(self, ask: Ask) -> dict[str, object]: ...

    def prompt(self, ask: Ask, place: int, turn: int, previous: str | None) -> tuple[Prompt, str]:
        """The prompt and its fence token."""
        ...


class Closing(Exception):
    """The run is being paused or ended: no new call is started."""


@dataclass
class Desk:
    """Answers the prompts of one run. Raises Closing instead of starting a call once `closing` is set."""

    spec: RunSpec
    lease: Lease
    cook: Cook
    providers: Mapping[int, Provider]
    gates: Mapping[int, Gate]
    cache: ReplyCache
    writer: Writer
    recorded: Mapping[tuple[int, int], Received]
    budget: Budget
    replies: Callable[[str], str]
    """A stored reply's text by hash, for repairs of replies that an earlier process received."""
    keep: Callable[[dict[str, str]], Awaitable[None]]
    """Stores texts that a dialogue wrote, by content hash, so that later prompts can show them."""
    closing: bool = False
    in_flight: int = 0
    _open_keys: dict[str, asyncio.Future[Received | None]] = field(default_factory=dict)
    _fresh: dict[tuple[int, int], Completion] = field(default_factory=dict)
    _said: dict[str, str] = field(default_factory=dict)

    async def judge(self, dialogue: Dialogue) -> Result:
        """Runs a dialogue to its verdict; its prompts are numbered in the order yielded."""
        flow, turn = dialogue.open(), 0
        asks = next(flow)
        while True:
            answers = await _all([self.answer(ask, dialogue.place, turn + k) for k, ask in enumerate(asks)])
            turn += len(asks)
            try:
                asks = flow.send(answers)
            except StopIteration as stop:
                result = cast(Result, stop.value)
                if isinstance(result, StepResult) and result.wrote:
                    await self.keep(result.wrote)
                return result

    async def answer(self, ask: Ask, place: int, turn: int) -> Received | Failure:
        """The reply at (place, turn). What is returned has been written to the journal."""
        recorded = self.recorded.get((place, turn))
        if recorded is not None:
            return self._remember(place, recorded)
        key = self._key(ask)
        shared = await self._open_elsewhere(key)
        if shared is not None:
            return await self._written(place, shared.model_copy(update={"turn": turn, "cached": True, "cost": 0.0}))
        self._open_keys[key] = done = asyncio.get_running_loop().create_future()
        outcome: Received | Failure | None = None
        try:
            outcome = await self._cached_or_called(ask, place, turn, key)
            return outcome
        finally:
            done.set_result(outcome if isinstance(outcome, Received) else None)
            del self._open_keys[key]

    async def _open_elsewhere(self, key: str) -> Received | None:
        """The reply to an equal prompt that is being asked at an earlier place: it is waited for, not paid twice."""
        while (waited := self._open_keys.get(key)) is not None:
            reply = await asyncio.shield(waited)
            if reply is not None:
                return reply
        return None

    def settle(self, place: int, result: Result) -> None:
        """Keeps the replies that could be read for later runs. One that could not is never kept.

        A reply that needed a repair is kept, repaired, under the first prompt's key too, so that a rerun is free.
        """
        for judgment in result.judgments:
            broken: dict[str, Turn] = {}
            for turn in judgment.turns:
                completion = self._fresh.pop((place, turn.turn), None)
                self._said.pop(turn.reply_sha256 or "", None)
                if turn.status == "unparseable" and not turn.repair:
                    broken[turn.first] = turn
                if turn.status != "ok" or completion is None or not self._lasting(judgment.judge, completion):
                    continue
                self.cache.put(turn.key, completion)
                if turn.repair and turn.first in broken:
                    note = Notice(code="repaired", message=explain("repaired"))
                    mended = completion.model_copy(update={"notices": (*completion.notices, note)})
                    self.cache.put(broken[turn.first].key, mended)

    async def _cached_or_called(self, ask: Ask, place: int, turn: int, key: str) -> Received | Failure:
        kept = self.cache.get(key)
        if kept is not None:
            received = Received(
                completion=kept, reply_sha256=text_hash(kept.text), key=key, turn=turn, cached=True, cost=0.0
            )
            return await self._written(place, received)
        gate = self.gates[ask.judge]
        async with gate.entered(
            self.check_open
        ):  # left only when the reply is on the disk: what a kill can cost is bounded
            outcome = await self._called(ask, place, turn)
            gate.learn(outcome)
            if isinstance(outcome, Failure):
                return (
                    outcome
                    if gate.blocked is None
                    else outcome.model_copy(update={"kind": "unusable", "message": gate.blocked})
                )
            cost = cost_of(self._price(ask.judge, outcome), outcome.usage)
            received = Received(completion=outcome, reply_sha256=text_hash(outcome.text), key=key, turn=turn, cost=cost)
            return await self._written(place, received)

    async def _called(self, ask: Ask, place: int, turn: int) -> Completion | Failure:
        blocked = self.gates[ask.judge].blocked
        if blocked is not None:
            return Failure(kind="unusable", message=blocked, calls=0)
        previous = None
        if ask.repair is not None:
            sha = ask.repair.reply_sha256
            previous = self._said[sha] if sha in self._said else self.replies(sha)
        prompt, token = self.cook.prompt(ask, place, turn, previous)
        if not self.budget.take_request():
            raise Closing
        self.in_flight += 1
        try:
            completion = await self.providers[ask.judge].complete(prompt)
        except CallError as error:
            return Failure(
                kind=error.kind, message=str(error), status=error.status, calls=error.calls, uncertain=error.uncertain
            )
        finally:
            self.in_flight -= 1
        return completion.model_copy(update={"token": token})

    async def _written(self, place: int, received: Received) -> Received:
        kept = StoredCompletion(place=place, received=received)
        try:
            [stands] = await self.writer.write(self.lease, completions=(kept,))
        except Exception:
            self.close()  # what cannot be kept must not be paid for
            raise
        return self._remember(place, stands.received)

    def _remember(self, place: int, received: Received) -> Received:
        self._said[received.reply_sha256] = received.completion.text
        if not received.cached:
            self._fresh[place, received.turn] = received.completion
        return received

    @property
    def concurrency(self) -> int:
        """Calls that can be in flight at once, over all judges."""
        return sum(gate.concurrency for gate in self.gates.values())

    def close(self) -> None:
        """Starts no new call from now on; who waits for a free place raises Closing."""
        self.closing = True
        for gate in self.gates.values():
            gate.wake_all()

    def check_open(self) -> None:
        """Raises Closing where no call may be started any more."""
        if self.closing:
            raise Closing

    def _key(self, ask: Ask) -> str:
        material = self.cook.key_material(ask)
        if self.spec.judges[ask.judge].temperature != 0:
            material = {**material, "run": self.lease.run}  # above temperature 0 a reply is one draw, this run's own
        return digest(material)

    def _lasting(self, judge: int, completion: Completion) -> bool:
        """Whether a later run may use the reply: the judge itself answered, at the temperature that was asked for."""
        return completion.temperature_sent == self._judge(judge).temperature and not completion.answered_by

    def _price(self, judge: int, completion: Completion) -> Price | None:
        """The price of the judge that answered: of the one that was asked, or of the one that stood in for it."""
        stood_in = (other for other in self.spec.fallbacks if other.name == completion.answered_by)
        return next(stood_in, self._judge(judge)).price

    def _judge(self, judge: int) -> JudgeSpec:
        return self.spec.judges[judge]


async def _all(calls: list[Coroutine[Any, Any, Received | Failure]]) -> list[Received | Failure]:
    """All answers; an exception is raised only after every call has come back, so that no paid reply is lost."""
    if len(calls) == 1:
        return [await calls[0]]
    answers = await asyncio.gather(*calls, return_exceptions=True)
    errors = [answer for answer in answers if isinstance(answer, BaseException)]
    if errors:  # a fault before a mere closing, which may only be what followed from it
        raise next((error for error in errors if not isinstance(error, Closing)), errors[0])
    return cast(list[Received | Failure], answers)
