"""Runs belong to the process and not to a page: one background thread with one event loop plays them all."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future, wait
from dataclasses import dataclass, field
from typing import Any

from judge_core.engine.player import Player
from judge_core.records.event import Ended


@dataclass
class Handle:
    """A run that is being played. `player` is there once the journal was read."""

    run: str
    future: Future[Ended] | None = None
    player: Player | None = None
    pausing: str | None = None
    """Set when a pause was asked before the player was there."""
    lock: threading.Lock = field(default_factory=threading.Lock)
    """Guards `player` against `pausing`: one of the two sees the other."""

    def seat(self, player: Player) -> None:
        """Called on the loop once the player is there."""
        with self.lock:
            self.player = player
            if self.pausing is not None:
                player.pause(self.pausing)

    def leave(self) -> None:
        """Called on the loop when the player has ended: a finished run must not keep its texts in memory."""
        with self.lock:
            self.player = None


Play = Callable[[Handle], Coroutine[Any, Any, Ended]]


class Runner:
    """Starts, pauses and awaits runs from any thread."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="podium-runs", daemon=True)
        self._thread.start()
        self._handles: dict[str, Handle] = {}
        self._lock = threading.Lock()  # guards _handles: of two starts of one run only one plays it

    def start(self, run: str, play: Play) -> Handle:
        """Plays a run, or returns the handle of the one that already plays it."""
        with self._lock:
            handle = self._handles.get(run)
            if handle is None or handle.future is None or handle.future.done():
                handle = Handle(run)
                self._handles[run] = handle
                handle.future = asyncio.run_coroutine_threadsafe(play(handle), self._loop)
            return handle

    def handle(self, run: str) -> Handle | None:
        """The handle of a run that this process plays or has played."""
        with self._lock:
            return self._handles.get(run)

    def playing(self) -> list[str]:
        """Ids of the runs that are being played now."""
        with self._lock:
            return [run for run, h in self._handles.items() if h.future is not None and not h.future.done()]

    def pause(self, run: str, reason: str = "Paused. Resume goes on from here.") -> None:
        """Asks a run to start no further call; returns at once."""
        handle = self.handle(run)
        if handle is None:
            return
        with handle.lock:
            handle.pausing = reason
            player = handle.player
        if player is not None:
            self._loop.call_soon_threadsafe(player.pause, reason)

    def look_up(self, run: str) -> None:
        """Tells a run that an input is waiting for it."""
        handle = self.handle(run)
        player = handle.player if handle is not None else None
        if player is not None:
            self._loop.call_soon_threadsafe(player.look_up)

    def call(self, work: Coroutine[Any, Any, Any], timeout: float | None = None) -> Any:
        """Runs a coroutine on the loop and returns its result."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(timeout)

    def shut_down(self, patience_s: float = 30.0) -> None:
        """Pauses all runs, waits for their calls in flight, then ends the thread. A second call does nothing."""
        if self._loop.is_closed():
            return
        for run in self.playing():
            self.pause(run, "Podium was closed; Resume goes on from here.")
        futures = [handle.future for handle in list(self._handles.values()) if handle.future is not None]
        _, late = wait(futures, patience_s)
        for future in late:
            future.cancel()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(5)
        if not self._thread.is_alive():
            self._loop.close()
