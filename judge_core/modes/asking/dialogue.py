"""The dialogue with a panel, for every mode: what is asked of each judge, what is asked again, what each turn brought.

A mode gives one `Script` for each judge: a generator that yields the steps to be asked in parallel, is sent how each was
answered, and returns the judge's verdict. The scripts go forward together, so that the turns are numbered the same
whatever the network does. A reply that could not be read is asked for once more before its script goes on.
No I/O, nothing drawn at random.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple, TypeVar

from judge_core.modes.asking.prompts import NO_PART_OF_A_CALL
from judge_core.records.errors import ReplyError
from judge_core.records.item_verdict import ItemVerdict
from judge_core.records.notices import explain
from judge_core.records.prompt import Ask, Failure, Received, Repair, WinnerChances
from judge_core.records.record import Notice
from judge_core.records.spec import JudgeSpec
from judge_core.records.verdict import Turn

Reply = Received | Failure
Reading = TypeVar("Reading")
Verdict = TypeVar("Verdict")

SHORTER = "It was cut at the token limit before all that counts was said. Keep each reasoning to a few words."


@dataclass
class Step(Generic[Reading]):
    """One question to one judge. After it was asked, all that came back for it."""

    ask: Ask
    name: str
    """Which of the judge's questions it is: 'claims', or in a match the alias of the text shown first."""
    read: Callable[[str, str | None], Reading]
    """(reply, finish reason) -> what it says. Raises ReplyError."""
    turns: list[Turn] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    reading: Reading | None = None
    """None where no reply came, or none that could be read."""
    chances: WinnerChances | None = None
    """Of the winner in the reply that was read, where its tokens told."""
    problem: Repair | None = None
    """What to ask again for; None where there is nothing to repair."""
    unusable: str | None = None


Script = Generator[list[Step[Any]], None, Verdict]
"""Yields steps, goes on when all of them are answered or given up, returns the verdict on what they brought."""


class Opinion(NamedTuple):
    """A judge's verdict on an item, and the warnings that its readings gave rise to."""

    verdict: ItemVerdict | None
    """None where a step that it rests on brought nothing."""
    warnings: tuple[Notice, ...] = ()


@dataclass
class Played(Generic[Verdict]):
    """A judge's script, played to its end. `verdict` is None only where the dialogue had to stop."""

    judge: int
    steps: list[Step[Any]] = field(default_factory=list)
    verdict: Verdict | None = None

    @property
    def turns(self) -> tuple[Turn, ...]:
        """All turns of this judge, in their order."""
        return tuple(sorted((turn for step in self.steps for turn in step.turns), key=lambda turn: turn.turn))

    @property
    def notices(self) -> list[Notice]:
        """What calls and repairs gave rise to."""
        return [notice for step in self.steps for notice in step.notices]

    @property
    def unread(self) -> bool:
        """Whether a last word of the judge was a reply that could not be read: `unparseable` rather than `failed`."""
        return any(step.turns and step.turns[-1].status == "unparseable" for step in self.steps)


@dataclass
class Panel(Generic[Verdict]):
    """What a panel's dialogue returns."""

    played: list[Played[Verdict]]
    stop: str | None
    """Why no judge can go on (a key, a balance), or None."""


Flow = Generator[list[Ask], list[Reply], Panel[Verdict]]


def panel_dialogue(scripts: Mapping[int, Script[Verdict]], judges: Sequence[JudgeSpec]) -> Flow[Verdict]:
    """Plays the scripts (by the judge's index) together.

    Turns are numbered in the order yielded, from 0. Where a judge is unusable, nothing more is asked and `stop` says why.
    Raises ValueError where a list of another length is sent.
    """
    played = {judge: Played[Verdict](judge) for judge in scripts}
    waiting = {judge: steps for judge in scripts if (steps := _advance(scripts[judge], played[judge])) is not None}
    turn = 0
    while waiting:
        steps = [step for own in waiting.values() for step in own]
        turn = yield from _asked(steps, judges, turn)
        stop = next((step.unusable for step in steps if step.unusable), None)
        if stop:
            return Panel(list(played.values()), stop)
        waiting = {judge: more for judge in waiting if (more := _advance(scripts[judge], played[judge])) is not None}
    return Panel(list(played.values()), None)


def _advance(script: Script[Verdict], played: Played[Verdict]) -> list[Step[Any]] | None:
    """The script's next steps, noted; None where it has come to its verdict, which is noted too."""
    try:
        steps = next(script)
    except StopIteration as end:
        played.verdict = end.value
        return None
    played.steps += steps
    return steps


def _asked(steps: list[Step[Any]], judges: Sequence[JudgeSpec], turn: int) -> Generator[list[Ask], list[Reply], int]:
    """Asks all steps, then once more for each reply that could not be read; returns the next turn's number."""
    replies = yield [step.ask for step in steps]
    for number, (step, reply) in enumerate(zip(steps, replies, strict=True), start=turn):
        _take(step, reply, number, judges)
    turn += len(steps)
    unread = [step for step in steps if step.problem]
    if not unread or any(step.unusable for step in steps):
        return turn
    repaired = yield [step.ask.model_copy(update={"repair": step.problem}) for step in unread]
    for number, (step, reply) in enumerate(zip(unread, repaired, strict=True), start=turn):
        _take(step, reply, number, judges)
    return turn + len(unread)


def _take(step: Step[Any], reply: Reply, number: int, judges: Sequence[JudgeSpec]) -> None:
    repaired = step.problem is not None
    step.problem = None
    if isinstance(reply, Failure):
        step.unusable = reply.message if reply.kind == "unusable" else None
        free = judges[step.ask.judge].free
        step.turns.append(_failed_turn(step, reply, number, repaired, None if reply.uncertain and not free else 0.0))
        return
    step.notices += reply.completion.notices
    error = _read(step, reply)
    if error is None and repaired:
        step.notices.append(Notice(code="repaired", message=explain("repaired")))
    step.turns.append(_turn(step, reply, number, repaired, error))


def _read(step: Step[Any], reply: Received) -> ReplyError | None:
    completion = reply.completion
    try:
        step.reading = step.read(completion.text, completion.finish_reason)
        step.chances = completion.chances
    except ReplyError as error:
        problem = SHORTER if error.code == "truncated" else str(error)
        step.problem = Repair(reply_sha256=reply.reply_sha256, problem=problem)
        return error
    return None


def _failed_turn(step: Step[Any], failure: Failure, number: int, repaired: bool, cost: float | None) -> Turn:
    return Turn(
        turn=number,
        first=step.name,
        repair=repaired,
        status="failed",
        calls=failure.calls,
        cost=cost,
        error=failure.message,
    )


def _turn(step: Step[Any], reply: Received, number: int, repaired: bool, error: ReplyError | None) -> Turn:
    """The record of an answered prompt. A cached answer cost this run no request and no time."""
    return Turn(
        turn=number,
        first=step.name,
        repair=repaired,
        status="unparseable" if error else "ok",
        reply_sha256=reply.reply_sha256,
        key=reply.key,
        cached=reply.cached,
        usage=reply.completion.usage,
        cost=reply.cost,
        calls=0 if reply.cached else reply.completion.calls,
        seconds=0.0 if reply.cached else reply.completion.seconds,
        error=str(error) if error else None,
        answered_by=reply.completion.answered_by,
    )


def replicates(judges: Sequence[JudgeSpec], raised: int) -> list[int]:
    """A replicate for each judge; judges that would make equal calls get different ones, at every raise."""
    calls = [judge.model_dump_json(exclude=set(NO_PART_OF_A_CALL)) for judge in judges]
    equals = Counter(calls)
    seen: defaultdict[str, int] = defaultdict(int)
    numbers = []
    for call in calls:
        numbers.append(raised * equals[call] + seen[call])
        seen[call] += 1
    return numbers


def unique(notices: Sequence[Notice]) -> tuple[Notice, ...]:
    """The notices in their order, each once."""
    return tuple({(notice.code, notice.message): notice for notice in notices}.values())
