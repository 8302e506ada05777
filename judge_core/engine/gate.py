"""A judge's gate: how many calls may be in flight, and none more once the judge has proved unusable."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from judge_core.records.prompt import Completion, Failure

SILENT_CALLS = 2
"""Calls refused for the moment, each tried again by itself, after which a judge that has never answered is given up."""


class Gate:
    """Lets one call through until the judge has answered once, then as many as the concurrency allows.

    So a wrong key costs one call and not one for each match that is open.
    """

    def __init__(self, concurrency: int):
        self.concurrency = concurrency
        self._inside = 0
        self._proved = False
        self._silent = 0
        self._waiting: list[asyncio.Future[None]] = []
        self.blocked: str | None = None
        """Why no call can work any more, with the remedy."""

    def wake_all(self) -> None:
        """Lets everyone who waits look again whether the run is closing."""
        for waiting in self._waiting:
            if not waiting.done():
                waiting.set_result(None)

    @asynccontextmanager
    async def entered(self, check: Callable[[], None]) -> AsyncIterator[None]:
        """Waits for a free place; `check` may raise before a place is taken."""
        while True:
            check()
            if self._inside < (self.concurrency if self._proved or self.blocked else 1):
                break
            turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.append(turn)
            try:
                await turn
            finally:
                self._waiting.remove(turn)
        self._inside += 1
        try:
            yield
        finally:
            self._inside -= 1
            self._wake()

    def learn(self, outcome: Completion | Failure) -> None:
        """Takes note of what a call brought."""
        if isinstance(outcome, Failure):
            if outcome.kind == "transient" and not self._proved:
                self._silent += 1 if outcome.status else SILENT_CALLS  # no HTTP answer at all: nobody is there
            if outcome.kind == "unusable":
                self.blocked = outcome.message
            elif self._silent >= SILENT_CALLS:
                self.blocked = f"{outcome.message} This judge has not answered once."
        else:
            self._proved = True
        self._wake()

    def _wake(self) -> None:
        free = (self.concurrency if self._proved or self.blocked else 1) - self._inside
        for waiting in self._waiting:
            if free <= 0:
                return
            if not waiting.done():
                waiting.set_result(None)
                free -= 1
