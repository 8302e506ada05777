"""Plays a run: pulls dialogues (matches, items) from its mode, has them answered, hands the results back in the order asked.

Playing a run for the first time and playing it again after a crash are the same thing. A place with a recorded result
is answered by it; events are compared with the recorded ones and appended only beyond the last.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial

from judge_core.engine.desk import Closing, Desk
from judge_core.engine.ports import Dialogue, Journal, Mode
from judge_core.engine.writer import Writer
from judge_core.records.errors import ReplayMismatchError
from judge_core.records.event import (
    INPUTS,
    Cancelled,
    CapsRaised,
    Ended,
    Event,
    Input,
    Judged,
    RunStatus,
    Stored,
    TakenOver,
)
from judge_core.records.journal import Lease
from judge_core.records.refinement.events import IncumbentAccepted
from judge_core.records.result import Result
from judge_core.records.spec import RunSpec

MISMATCH = "This run was recorded by another version of Podium: it can be opened and exported, but not resumed."
POLL_S = 1.0
"""How often a run looks for inputs that another process sent."""


@dataclass(slots=True)
class _Place:
    """A dialogue that was pulled, with the task that brings its result, or the result that is recorded."""

    dialogue: Dialogue
    task: asyncio.Task[Result] | None
    recorded: Judged | None


@dataclass(slots=True)
class World:
    """What a player works with."""

    journal: Journal
    writer: Writer
    desk: Desk
    clock: Callable[[], str]
    read: Callable[[Input], Awaitable[None]]
    """Gets what an input brings, the words of late texts, before it is taken."""


class Player:
    """Plays one run until it is done, pauses or must stop."""

    def __init__(self, spec: RunSpec, mode: Mode, lease: Lease, world: World):
        self._spec, self._mode, self._lease, self._world = spec, mode, lease, world
        self._budget = world.desk.budget
        self._open: deque[_Place] = deque()
        self._held: Dialogue | None = None
        self._expected: deque[Stored] = deque()
        self._results: dict[int, Judged] = {}
        self._seq = 0
        self._new: list[Stored] = []
        self._useless_in_a_row: dict[int, int] = {}
        self._judged = self._decided = 0
        self._accepted = False
        self._last_error = ""
        self._stop: tuple[RunStatus, str] | None = None
        self._polled_at = float("-inf")
        self._wake = asyncio.Event()
        self._live = asyncio.Event()

    async def play(self, recorded: tuple[Stored, ...]) -> Ended:
        """Plays again what is recorded, goes on from there, and returns the `ended` event, which is then on the disk."""
        self._expected = deque(s for s in recorded if not isinstance(s.event, Ended))
        self._results = {s.event.place: s.event for s in recorded if isinstance(s.event, Judged)}
        self._seq = recorded[-1].seq if recorded else 0
        self._emit(self._mode.begin())
        try:
            self._pull()
            self._play_again()
            if recorded and not self._lease.clean:
                self._take_over(self._charge())
            await self._go_on()
        finally:
            broken = await self._close()
        if broken is not None:
            raise broken
        ended = self._ended()
        self._emit([ended])
        await self._flush()
        return ended

    def pause(self, reason: str = "Paused. Resume goes on from here.") -> None:
        """Starts no further call; calls in flight are waited for and kept. Call it on the run's own event loop."""
        self._stop = self._stop or ("paused", reason)
        self._world.desk.close()
        self._wake.set()

    def look_up(self) -> None:
        """Says that an input is waiting. Call it on the run's own event loop."""
        self._polled_at = float("-inf")
        self._wake.set()

    # the recorded part

    def _play_again(self) -> None:
        while self._expected:
            event = self._expected[0].event
            head = self._open[0].recorded if self._open else None
            if isinstance(event, TakenOver):
                self._take_over(event)
            elif isinstance(event, INPUTS):
                self._take_input(event)
            elif head is not None:
                self._take_result(self._mode.recall(head))
            else:
                raise ReplayMismatchError(MISMATCH)
        self._useless_in_a_row.clear()

    def _take_over(self, event: TakenOver) -> None:
        self._emit([event])
        self._budget.charge(event.calls_charged, event.cost_charged)
        self._pull()

    def _charge(self) -> TakenOver:
        """Calls that may have been in flight when the process before died: prompts without a stored reply, up to C."""
        answered = Counter(place for place, _ in self._world.desk.recorded)
        waiting = [place.dialogue for place in self._open if place.recorded is None]
        panel = len(self._spec.judges)
        unanswered = sum(max(0, dialogue.need.all_prompts(panel) - answered[dialogue.place]) for dialogue in waiting)
        calls = min(self._world.desk.concurrency, unanswered)
        cost = self._budget.guess(calls, waiting[0].need) if calls else 0.0
        return TakenOver(calls_charged=calls, cost_charged=cost)

    # the live part

    async def _go_on(self) -> None:
        while True:
            await self._flush()
            await self._take_waiting_inputs()
            self._go_live()
            if not self._open:
                if await self._take_waiting_inputs(now=True):
                    continue
                return
            await self._head_or_wake()
            if not self._take_ready():
                return

    def _go_live(self) -> None:
        """Lets the dialogues begin to ask, once, after all recorded events and waiting inputs were taken."""
        if not self._live.is_set():
            self._budget.go_live(
                sum(reply.completion.calls for reply in self._world.desk.recorded.values() if not reply.cached)
            )
            self._live.set()

    async def _head_or_wake(self) -> None:
        head = self._open[0].task
        assert head is not None, "a recorded result is taken before the live part begins"
        if head.done():
            return
        wake = asyncio.ensure_future(self._wake.wait())
        await asyncio.wait({head, wake}, return_when=asyncio.FIRST_COMPLETED, timeout=POLL_S)
        wake.cancel()
        self._wake.clear()

    def _take_ready(self) -> bool:
        """Takes the results that are there, in the order asked; False when the run stops here."""
        while self._open:
            task = self._open[0].task
            if task is None or not task.done():
                return True
            if isinstance(task.exception(), Closing):
                return False
            result = task.result()
            if result.stop is not None:
                self._stop = ("failed", result.stop)
                return False
            self._take_result(result)
            self._stop = self._stop or self._hopeless(result)
            if self._stop is not None and self._stop[0] == "failed":
                return False
        return True

    def _hopeless(self, result: Result) -> tuple[RunStatus, str] | None:
        """Why to stop after this result: the policy says so, or a judge has been of no use 2 W times in a row."""
        for judgment in result.judgments:
            useless = judgment.outcome in ("failed", "unparseable")
            row = self._useless_in_a_row.get(judgment.judge, 0) + 1 if useless else 0
            self._useless_in_a_row[judgment.judge] = row
            name = self._spec.judges[judgment.judge].name
            cause = next((turn.error for turn in judgment.turns if turn.error), "no reason given")
            if useless and self._spec.on_error == "abort":
                return "failed", f"{name} gave no verdict ({cause}), and the run is set to stop at the first failure."
            if row >= 2 * self._spec.lookahead:
                return "failed", f"{name} gave no verdict {row} times in a row, the last time: {cause}"
        return None

    async def _take_waiting_inputs(self, *, now: bool = False) -> bool:
        """Takes what waits in the inbox, looked at once a second or `now`; whether there was anything."""
        time, journal = asyncio.get_running_loop().time(), self._world.journal
        if time - self._polled_at < POLL_S and not now:
            return False
        self._polled_at = time
        waiting = await self._world.writer.call(lambda: journal.waiting_inputs(self._lease.run))
        for inbox_id, message in waiting:
            await self._world.read(message)
            self._take_input(message)
            stored, self._new = self._new, []
            await self._world.writer.call(partial(journal.accept_input, self._lease, inbox_id, stored))
        return bool(waiting)

    # both parts

    def _take_result(self, result: Result) -> None:
        place = self._open.popleft().dialogue.place
        self._budget.settle(place, result)
        self._world.desk.settle(place, result)
        self._judged += 1
        self._decided += any(judgment.decided for judgment in result.judgments)
        errors = [turn.error for judgment in result.judgments for turn in judgment.turns if turn.error]
        self._last_error = errors[-1] if errors else self._last_error
        self._emit(self._mode.take(result, place))
        self._pull()

    def _take_input(self, message: Input) -> None:
        self._emit([message, *self._mode.take(message)])
        if isinstance(message, CapsRaised):
            self._budget.caps = message.caps
        if isinstance(message, Cancelled | IncumbentAccepted):
            self._held = None
        self._accepted = self._accepted or isinstance(message, IncumbentAccepted)
        if isinstance(message, Cancelled):
            self._stop = ("cancelled", "Cancelled. What was judged until then is kept.")
            self._world.desk.close()
        self._pull()

    def _pull(self) -> None:
        """Opens dialogues until the lookahead is full, there is nothing to ask now, or the next one may not fit the caps."""
        while len(self._open) < self._spec.lookahead:
            dialogue, self._held = self._held or self._mode.ask(), None
            if dialogue is None:
                return
            if not self._budget.fits(self._budget.worst(dialogue.need)):
                self._held = dialogue
                return
            self._budget.reserve(dialogue.place, dialogue.need)
            recorded = self._results.get(dialogue.place)
            task = None if recorded else asyncio.ensure_future(self._ask(dialogue))
            self._open.append(_Place(dialogue, task, recorded))

    async def _ask(self, dialogue: Dialogue) -> Result:
        """A dialogue's verdict. Nothing is asked before the inputs that waited were read: one may cancel the run."""
        await self._live.wait()
        return await self._world.desk.judge(dialogue)

    def _emit(self, events: Sequence[Event]) -> None:
        for event in events:
            if self._expected:
                if self._expected.popleft().event != event:
                    raise ReplayMismatchError(MISMATCH)
                continue
            self._seq += 1
            self._new.append(Stored(seq=self._seq, at=self._world.clock(), event=event))

    async def _flush(self) -> None:
        if self._new:
            stored, self._new = tuple(self._new), []
            await self._world.writer.write(self._lease, events=stored)

    async def _close(self) -> BaseException | None:
        """Starts nothing more and waits for what is in flight; returns what broke an open match, if anything did."""
        self._world.desk.close()
        self._live.set()
        open_tasks = [place.task for place in self._open if place.task is not None]
        outcomes = await asyncio.gather(*open_tasks, return_exceptions=True)
        return next((o for o in outcomes if isinstance(o, BaseException) and not isinstance(o, Closing)), None)

    def _ended(self) -> Ended:
        complete = not self._open and self._held is None
        if self._stop is not None and not (complete and self._stop[0] == "paused"):
            status, reason = self._stop
        elif self._held is not None or (self._open and self._budget.exhausted):
            status, reason = "budget", self._budget.shortage()
        elif self._open:
            status, reason = "paused", "Stopped with matches open. Resume goes on from here."
        elif self._judged and not self._decided and not self._accepted:
            status, reason = (
                "failed",
                f"No judge gave a single verdict. {self._last_error} Mend that, then ask again for the failed ones.",
            )
        elif self._mode.hopeless is not None:
            status, reason = "failed", f"{self._mode.hopeless} {self._last_error} Mend that, then ask again."
        else:
            status, reason = "done", self._mode.conclusion
        return Ended(status=status, reason=reason)
