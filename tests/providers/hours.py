"""Time for tests of waiting: it passes only when everyone sleeps."""

from __future__ import annotations

import asyncio
import heapq
from typing import Any

from judge_core.providers.wrappers.limits import DAY_S

NOON = 20_000 * DAY_S + DAY_S / 2
"""Unix time of a noon, UTC."""


class Hours:
    """Time that passes only when everyone sleeps."""

    def __init__(self, now: float = NOON):
        self.now = now
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []
        self._count = 0

    def clock(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        waking: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._count += 1
        heapq.heappush(self._sleepers, (self.now + seconds, self._count, waking))
        await waking

    async def pass_until(self, task: asyncio.Future[Any]) -> None:
        """Lets time pass until a task is done."""
        while True:
            for _ in range(30):
                await asyncio.sleep(0)
            if task.done():
                return
            self.now, _, waking = heapq.heappop(self._sleepers)
            if not waking.done():
                waking.set_result(None)
