"""What judges with a quota were asked, in the database: it outlives the process, and all processes share it.

Rows are of one second while any minute can depend on them, and of a whole minute later on; yesterday's go.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Connection, Engine

from judge_core.store.database import reading, writing
from judge_core.store.schema import quota_usage as table

GATE = 0
"""The `began` of a row that holds no use: to write it is to keep every other writer of that key out."""
MINUTE_S = 60
FRESH_S = 2 * MINUTE_S
"""Use younger than this stays by the second."""


class Used(NamedTuple):
    """Use that began in a second, of that second or of its whole minute."""

    began: int
    requests: int
    tokens: int


class UsageTable:
    """A quota ledger in the database. Times are Unix seconds. Raises StoreError where the database refuses."""

    def __init__(self, engine: Engine):
        self._engine = engine
        self._folded: dict[str, int] = {}

    async def take(
        self, key: str, at: float, since: int, tokens: int, wait: Callable[[Sequence[Used]], float]
    ) -> float:
        """Asks `wait` with the use from second `since` on; at 0 it counts a request and its tokens, else nothing."""
        return await asyncio.to_thread(self._take, key, at, since, tokens, wait)

    async def correct(self, key: str, at: float, requests: int, tokens: int) -> None:
        """Adds to (or takes off) what was counted at that moment."""
        await asyncio.to_thread(self._correct, key, Used(int(at), requests, tokens))

    def spent(self, key: str, since: int) -> Sequence[Used]:
        """The use from second `since` on, oldest first."""
        with reading(self._engine) as connection:
            return _read(connection, key, since)

    def _take(self, key: str, at: float, since: int, tokens: int, wait: Callable[[Sequence[Used]], float]) -> float:
        with writing(self._engine) as connection:
            _add(connection, key, Used(GATE, 0, 0))  # written before anything is read: from here on this one is alone
            if self._folded.get(key) != int(at) // MINUTE_S:
                _fold(connection, key, since, int(at))
                self._folded[key] = int(at) // MINUTE_S
            needed = wait(_read(connection, key, since))
            if needed <= 0:
                _add(connection, key, Used(int(at), 1, tokens))
            return needed

    def _correct(self, key: str, change: Used) -> None:
        with writing(self._engine) as connection:
            _add(connection, key, change)


def _read(connection: Connection, key: str, since: int) -> list[Used]:
    wanted = (
        sa.select(table.c.began, table.c.requests, table.c.tokens)
        .where(table.c.key == key, table.c.began >= since, table.c.began > GATE)
        .order_by(table.c.began)
    )
    return [Used(*row) for row in connection.execute(wanted)]


def _add(connection: Connection, key: str, used: Used) -> None:
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    row = dialect.insert(table).values(key=key, **used._asdict())
    sums = {name: table.c[name] + row.excluded[name] for name in ("requests", "tokens")}
    connection.execute(row.on_conflict_do_update(index_elements=[table.c.key, table.c.began], set_=sums))


def _fold(connection: Connection, key: str, since: int, now: int) -> None:
    """Sums seconds that are past into their minutes, and drops what no day needs any more."""
    past = (now - FRESH_S) // MINUTE_S * MINUTE_S
    old = [used for used in _read(connection, key, since) if used.began < past]
    requests: Counter[int] = Counter()
    tokens: Counter[int] = Counter()
    for used in old:
        minute = used.began // MINUTE_S * MINUTE_S
        requests[minute] += used.requests
        tokens[minute] += used.tokens
    connection.execute(sa.delete(table).where(table.c.began > GATE, table.c.began < since))
    connection.execute(sa.delete(table).where(table.c.key == key, table.c.began > GATE, table.c.began < past))
    for minute, count in requests.items():
        _add(connection, key, Used(minute, count, tokens[minute]))
