"""A run from taking its lease to giving it back: reads the journal, seats a player at a desk, keeps the lease alive."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from judge_core.engine.budget import Budget
from judge_core.engine.desk import Cook, Desk
from judge_core.engine.gate import Gate
from judge_core.engine.player import Player, World
from judge_core.engine.ports import Journal, Mode, Provider, ReplyCache
from judge_core.engine.runner import Handle
from judge_core.engine.writer import Writer
from judge_core.records.errors import LeaseLostError, PodiumError
from judge_core.records.event import Ended, Input, Judged, RunStatus, Stored, brought_hashes, text_hashes
from judge_core.records.journal import Lease, Recorded
from judge_core.records.prompt import Received
from judge_core.records.spec import AnySpec

HEARTBEAT_S = 5.0


class RunJournal(Journal, Protocol):
    """The whole journal, as a job needs it."""

    def take_lease(self, run: str, owner: str) -> Lease: ...

    def release(self, lease: Lease, status: RunStatus) -> None: ...

    def abandon(self, lease: Lease) -> None: ...

    def recorded(self, run: str) -> Recorded: ...

    def completions(
        self, run: str, *, from_place: int = 1, to_place: int | None = None
    ) -> dict[tuple[int, int], Received]: ...


@dataclass(frozen=True, slots=True)
class Leave:
    """What a judge asks of its run while it works."""

    may_repeat: Callable[[], bool]
    """Before a request is sent again: False where a cap on calls is used up."""
    check_open: Callable[[], None]
    """While it waits for its quota: raises where the run is closing."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What a job is made of; the workbench fills it in."""

    journal: RunJournal
    writer: Writer
    cache: ReplyCache
    mode: Callable[[AnySpec, Mapping[str, str]], Mode]
    """Makes the state machine of a run; it may look at the texts, by content hash, but never needs them."""
    cook: Callable[[AnySpec, bytes, Mapping[str, str]], Cook]
    provider: Callable[[int, Leave], Provider]
    """Opens the judge of that index."""
    texts: Callable[[Iterable[str]], dict[str, str]]
    reply: Callable[[str], str]
    keep: Callable[[Mapping[str, str]], None]
    clock: Callable[[], str]
    owner: str
    concurrency: int


async def play_run(handle: Handle, parts: Parts) -> Ended:
    """Plays a run to its end or pause, and again while inputs came in at the last moment.

    The lease is given back in order when the run ended in order. After a fault or a kill it is left behind, and whoever
    takes it over charges for the calls that may have been in flight.
    """
    while True:
        ended = await _one_life(handle, parts)
        late = await parts.writer.call(lambda: parts.journal.waiting_inputs(handle.run))
        if not late or ended.status in ("cancelled", "failed"):
            return ended


async def _one_life(handle: Handle, parts: Parts) -> Ended:
    lease = await parts.writer.call(lambda: parts.journal.take_lease(handle.run, parts.owner))
    try:
        ended = await _played(handle, parts, lease)
    except BaseException:
        with contextlib.suppress(PodiumError):
            await parts.writer.call(lambda: parts.journal.abandon(lease))
        raise
    with contextlib.suppress(LeaseLostError):
        await parts.writer.call(lambda: parts.journal.release(lease, ended.status))
    return ended


async def _played(handle: Handle, parts: Parts, lease: Lease) -> Ended:
    recorded = await parts.writer.call(lambda: parts.journal.recorded(handle.run))
    spec = recorded.spec
    come = [stored.event for stored in recorded.events]
    texts = await parts.writer.call(lambda: parts.texts(text_hashes(spec, come)))

    async def read_late(message: Input) -> None:
        """Texts may come while the run goes on: their words join those that the mode and the cook were given."""
        texts.update(await parts.writer.call(lambda: parts.texts(brought_hashes([message]))))

    done = max((s.event.place for s in recorded.events if isinstance(s.event, Judged)), default=0)
    open_replies = await parts.writer.call(lambda: parts.journal.completions(handle.run, from_place=done + 1))

    async def keep(wrote: dict[str, str]) -> None:
        """What is written on the way is stored before any event speaks of it."""
        await parts.writer.call(lambda: parts.keep(wrote))
        texts.update(wrote)

    providers: dict[int, Provider] = {}
    budget = Budget(spec)
    try:
        seats: list[Desk] = []
        leave = Leave(budget.take_request, lambda: seats[0].check_open())
        for index in range(len(spec.judges)):
            providers[index] = parts.provider(index, leave)
        desk = Desk(
            spec=spec,
            lease=lease,
            cook=parts.cook(spec, recorded.secret, texts),
            providers=providers,
            gates={index: Gate(parts.concurrency) for index in providers},
            cache=parts.cache,
            writer=parts.writer,
            recorded=open_replies,
            budget=budget,
            replies=parts.reply,
            keep=keep,
        )
        seats.append(desk)
        world = World(journal=parts.journal, writer=parts.writer, desk=desk, clock=parts.clock, read=read_late)
        player = Player(spec, parts.mode(spec, texts), lease, world)
        handle.seat(player)
        return await _alive(player, parts, lease, recorded.events)
    finally:
        handle.leave()
        await asyncio.gather(*(provider.aclose() for provider in providers.values()))


async def _alive(player: Player, parts: Parts, lease: Lease, events: tuple[Stored, ...]) -> Ended:
    """Plays while a heartbeat keeps the lease; a lost lease stops the run here."""
    heart = asyncio.ensure_future(_heartbeat(parts, lease))
    play = asyncio.ensure_future(player.play(events))
    try:
        await asyncio.wait({heart, play}, return_when=asyncio.FIRST_COMPLETED)
        if not play.done():
            player.pause("Another process has taken this run over.")
        return await play
    finally:
        heart.cancel()
        play.cancel()
        await asyncio.gather(heart, play, return_exceptions=True)


async def _heartbeat(parts: Parts, lease: Lease) -> None:
    while True:
        await asyncio.sleep(HEARTBEAT_S)
        try:
            await parts.writer.call(lambda: parts.journal.renew(lease))
        except LeaseLostError:
            return
        except Exception:  # the database is busy; the lease runs for a while yet, and the next beat may get through
            continue


def last_status(events: Sequence[Stored]) -> RunStatus:
    """The status that the recorded events give: that of the last `ended`, 'waiting' before the first event."""
    if not events:
        return "waiting"
    last = events[-1].event
    return last.status if isinstance(last, Ended) else "paused"
