"""From the entries of a run to its steps, each with the one text that a judge is shown, and to events for the rules.

A step is one act of the agent: what was said to it since its last act, its own words and calls, and what the tools gave
back. So every label is about something that the agent did. Each block stands under a head in square brackets at the left
edge and is indented: a line inside a tool's result cannot pass for another speaker.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from judge_core.intake.items.agent_messages import Call, Entry, Result
from judge_core.scoring.trajectory.events import DIGEST, MESSAGE, TrajectoryEvent, call_event, message_event

INDENT = "  "
_LONG_HEAD = 40


class Block(NamedTuple):
    """What one speaker said.

    >>> print(Block("tool -> assistant", "first line\\n[user]").text)
    [tool -> assistant]
      first line
      [user]
    """

    head: str
    body: str

    @property
    def text(self) -> str:
        """The head at the left edge, the words indented below."""
        return "\n".join([f"[{self.head}]", *(f"{INDENT}{line}" for line in self.body.splitlines())])

    @property
    def material(self) -> str:
        """The words, and the head too where it is so long that it is more than names."""
        return f"{self.head}\n{self.body}" if len(self.head) > _LONG_HEAD else self.body


@dataclass
class AgentStep:
    """One act of the agent with all that belongs to it."""

    entry: Entry
    blocks: list[Block] = field(default_factory=list)

    @property
    def calls(self) -> bool:
        """Whether it calls a tool."""
        return bool(self.entry.calls)

    @property
    def text(self) -> str:
        """What a judge is shown."""
        return "\n".join(block.text for block in self.blocks)

    @property
    def material(self) -> str:
        """All that came from outside, without our heads: to be looked at for signs."""
        return "\n".join(block.material for block in self.blocks)


def steps_of(entries: Sequence[Entry]) -> list[AgentStep]:
    """The steps in order. What is said after the last act belongs to the last step; without any act there is none."""
    run = _Run()
    for entry in entries:
        if entry.acts:
            run.act(entry)
        for result in entry.results:
            run.take(result, entry.role)
        if not entry.acts and (entry.words or not entry.results):
            run.waiting.append(Block(entry.head, entry.words))
    if run.steps:
        run.steps[-1].blocks += run.waiting
    return run.steps


@dataclass
class _Run:
    """A run up to some entry: its steps, and what waits to become part of the next one."""

    steps: list[AgentStep] = field(default_factory=list)
    waiting: list[Block] = field(default_factory=list)
    asked: dict[str, tuple[Entry, Call]] = field(default_factory=dict)
    """Who made the call with an id."""

    def act(self, entry: Entry) -> None:
        self.steps.append(AgentStep(entry, [*self.waiting, *_own_blocks(entry)]))
        self.waiting = []
        self.asked.update({call.id: (entry, call) for call in entry.calls if call.id})

    def take(self, result: Result, role: str) -> None:
        """Notes a result at the call that it answers, and adds its block."""
        last = self.steps[-1].entry if self.steps else None
        agent, call = self.asked.get(result.id) or (last, _next_open(result, last.calls if last else ()))
        if call is not None:
            call.result = result.text
        name = result.name or (call.name if call else role)
        written = Block(f"{name} -> {agent.role}" if agent else name, result.text)
        (self.waiting if self.waiting or not self.steps else self.steps[-1].blocks).append(written)


def events_of(steps: Sequence[AgentStep]) -> list[TrajectoryEvent]:
    """The events of the steps: one for each call, or one for a step that calls nothing."""
    return [event for number, step in enumerate(steps, start=1) for event in _events(step.entry, number)]


def _own_blocks(entry: Entry) -> Iterator[Block]:
    if entry.words or not entry.calls or entry.head != entry.role:
        yield Block(entry.head, entry.words)
    for call in entry.calls:
        yield Block(f"{entry.role} -> {call.name}", call.written)
        if call.result is not None:
            yield Block(f"{call.name} -> {entry.role}", call.result)


def _next_open(result: Result, calls: Sequence[Call]) -> Call | None:
    """The first call without a result, of the result's tool where it names one."""
    unanswered = (call for call in calls if call.result is None)
    return next((call for call in unanswered if not result.name or call.name == result.name), None)


def _events(entry: Entry, number: int) -> Iterator[TrajectoryEvent]:
    if entry.calls:
        for call in entry.calls:
            yield _as_given(call_event(entry.role, call.record, number), entry)
        return
    bare = message_event(entry.role, entry.words, number)
    if entry.action or entry.files or entry.success is not None:
        yield _as_given(bare.model_copy(update={"action": entry.action or MESSAGE}), entry)
    elif entry.words.strip():
        yield _as_given(bare, entry)


def _as_given(event: TrajectoryEvent, entry: Entry) -> TrajectoryEvent:
    """The event with what the data say of it in place of what was guessed."""
    given: dict[str, Any] = {"duration_s": entry.duration_s, "timestamp": entry.timestamp}
    if entry.files:
        given["target_files"] = tuple(name for name in entry.files if not name.startswith(DIGEST))
    if entry.success is not None:
        given["success"] = entry.success
    return event.model_copy(update=given)
