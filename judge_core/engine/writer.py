"""Group commit: one thread writes for all runs, so that many calls in flight share one synchronous disk write."""

from __future__ import annotations

import asyncio
import contextlib
import queue
import threading
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from judge_core.engine.ports import Journal
from judge_core.records.event import Stored
from judge_core.records.journal import Batch, Lease, StoredCompletion

MOST_PER_COMMIT = 500


T = TypeVar("T")


@dataclass(slots=True)
class _Work:
    """Something else to be done on the writer's thread."""

    do: Callable[[], Any]
    loop: asyncio.AbstractEventLoop
    done: asyncio.Future[Any]


@dataclass(slots=True)
class _Order:
    lease: Lease
    completions: tuple[StoredCompletion, ...]
    events: tuple[Stored, ...]
    loop: asyncio.AbstractEventLoop
    done: asyncio.Future[list[StoredCompletion]]


class Writer:
    """Writes in the order given. What a future returns has reached the disk."""

    def __init__(self, journal: Journal):
        self._journal = journal
        self._orders: queue.SimpleQueue[_Order | _Work | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="podium-writer", daemon=True)
        self._thread.start()

    def write(
        self, lease: Lease, *, completions: tuple[StoredCompletion, ...] = (), events: tuple[Stored, ...] = ()
    ) -> asyncio.Future[list[StoredCompletion]]:
        """Queues a write; the future gives the completions that stand, or LeaseLostError, StoreError."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[list[StoredCompletion]] = loop.create_future()
        self._orders.put(_Order(lease, completions, events, loop, done))
        return done

    def call(self, do: Callable[[], T]) -> asyncio.Future[T]:
        """Runs blocking work on the writer's thread, after all writes queued before it.

        The interpreter's own thread pool is closed before a server's last words are said; this thread is not.
        """
        loop = asyncio.get_running_loop()
        done: asyncio.Future[T] = loop.create_future()
        self._orders.put(_Work(do, loop, done))
        return done

    def close(self) -> None:
        """Writes what is queued, then ends the thread. A second call does nothing."""
        if self._thread.is_alive():
            self._orders.put(None)
            self._thread.join()

    def _work(self) -> None:
        while True:
            batch, then = self._drain()
            by_lease: dict[Lease, list[_Order]] = defaultdict(list)
            for order in batch:
                by_lease[order.lease].append(order)
            for lease, orders in by_lease.items():
                self._commit(lease, orders)
            if isinstance(then, _Work):
                _done(then)
            elif then is None:
                return

    def _drain(self) -> tuple[list[_Order], _Work | bool | None]:
        """The writes that are queued, up to a bound, and what comes after them: other work, more, or the end (None)."""
        batch: list[_Order] = []
        order = self._orders.get()
        while isinstance(order, _Order):
            batch.append(order)
            if len(batch) >= MOST_PER_COMMIT:
                return batch, True
            try:
                order = self._orders.get_nowait()
            except queue.Empty:
                return batch, True
        return batch, order

    def _commit(self, lease: Lease, orders: list[_Order]) -> None:
        sent = tuple(c for order in orders for c in order.completions)
        events = tuple(e for order in orders for e in order.events)
        try:
            standing = iter(self._journal.commit(lease, Batch(completions=sent, events=events)))
            answers = [[next(standing) for _ in order.completions] for order in orders]
        except Exception as error:  # whatever the database says goes to the run that asked, and the writer lives on
            for order in orders:
                _tell(order.loop, _fail, order.done, error)
            return
        loops: dict[asyncio.AbstractEventLoop, list[tuple[_Order, list[StoredCompletion]]]] = defaultdict(list)
        for order, answer in zip(orders, answers, strict=True):
            loops[order.loop].append((order, answer))
        for loop, settled in loops.items():
            _tell(loop, _settle, settled)


def _settle(settled: list[tuple[_Order, list[StoredCompletion]]]) -> None:
    for order, answer in settled:
        if not order.done.done():
            order.done.set_result(answer)


def _done(work: _Work) -> None:
    try:
        result = work.do()
    except Exception as error:  # it goes to who asked, and the writer lives on
        _tell(work.loop, _fail, work.done, error)
    else:
        _tell(work.loop, _give, work.done, result)


def _tell(loop: asyncio.AbstractEventLoop, what: Callable[..., None], *words: Any) -> None:
    """Calls back on the loop that asked; one that is closed meanwhile no longer wants to know."""
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(what, *words)


def _give(done: asyncio.Future[Any], result: Any) -> None:
    if not done.done():
        done.set_result(result)


def _fail(done: asyncio.Future[Any], error: Exception) -> None:
    if not done.done():
        done.set_exception(error)
