"""The ledger of quotas in the database: it outlives a process, processes share it, and it stays small."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
import sqlalchemy as sa

from judge_core.providers.offline import OfflineJudge
from judge_core.providers.registry import judge_spec
from judge_core.providers.wrappers.limits import read_quotas
from judge_core.providers.wrappers.quota import Quotas
from judge_core.records.errors import JudgeUnusableError
from judge_core.store import schema
from judge_core.store.database import open_database, sqlite_url
from judge_core.store.usage import UsageTable, Used
from tests.providers.scripted_server import a_prompt

NOW = 1_700_000_040
MIDNIGHT = NOW // 86_400 * 86_400
Room = Callable[[Sequence[Used]], float]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "podium.db"


@pytest.fixture
def engine(path: Path) -> Iterator[sa.Engine]:
    engine = open_database(sqlite_url(path))
    yield engine
    engine.dispose()


def at_most(limit: int) -> Room:
    return lambda used: 0.0 if sum(each.requests for each in used) < limit else 7.0


def take(table: UsageTable, at: float = NOW, room: Room = lambda used: 0.0, key: str = "k", tokens: int = 10) -> float:
    return asyncio.run(table.take(key, at, MIDNIGHT, tokens, room))


def test_what_was_taken_is_there_after_the_process_and_by_its_key(path: Path, engine: sa.Engine) -> None:
    table = UsageTable(engine)
    assert [take(table), take(table), take(table, NOW + 1.9), take(table, key="other")] == [0, 0, 0, 0]
    again = open_database(sqlite_url(path))
    assert UsageTable(again).spent("k", MIDNIGHT) == [(NOW, 2, 20), (NOW + 1, 1, 10)]
    assert UsageTable(again).spent("nobody", MIDNIGHT) == []
    again.dispose()


def test_where_there_is_no_room_nothing_is_counted_and_the_wait_comes_back(engine: sa.Engine) -> None:
    table = UsageTable(engine)
    assert [take(table, room=at_most(2)) for _ in range(4)] == [0, 0, 7, 7]
    assert table.spent("k", 0) == [(NOW, 2, 20)]


def test_a_fault_while_room_is_sought_counts_nothing(engine: sa.Engine) -> None:
    def broken(used: Sequence[Used]) -> float:
        raise KeyError(len(used))

    with pytest.raises(KeyError):
        take(UsageTable(engine), room=broken)
    assert UsageTable(engine).spent("k", 0) == []


def test_a_correction_counts_at_the_moment_of_the_call(engine: sa.Engine) -> None:
    table = UsageTable(engine)
    take(table, NOW + 0.5, tokens=4000)
    asyncio.run(table.correct("k", NOW + 0.5, 1, -3000))
    assert table.spent("k", MIDNIGHT) == [(NOW, 2, 1000)]


def test_seconds_become_minutes_and_yesterday_goes_without_a_sum_being_changed(engine: sa.Engine) -> None:
    table = UsageTable(engine)
    for second in range(0, 600, 3):
        take(table, NOW + second)
    take(table, MIDNIGHT - 5, key="yesterday")
    take(table, NOW + 700)
    used = table.spent("k", MIDNIGHT)
    assert (sum(each.requests for each in used), sum(each.tokens for each in used)) == (201, 2010)
    assert len(used) <= 11 + 40 and all(each.began % 60 == 0 for each in used if each.began < NOW + 520)
    assert table.spent("yesterday", 0) == []


def test_a_correction_that_comes_late_is_summed_all_the_same(engine: sa.Engine) -> None:
    table = UsageTable(engine)
    take(table, NOW + 7, tokens=500)
    take(table, NOW + 400)
    asyncio.run(table.correct("k", NOW + 7, 0, -450))
    take(table, NOW + 500)
    assert sum(each.tokens for each in table.spent("k", MIDNIGHT)) == 50 + 20


def test_writers_at_the_same_time_never_take_more_than_there_is(path: Path, engine: sa.Engine) -> None:
    engines = [open_database(sqlite_url(path)) for _ in range(4)]
    answers: list[float] = []

    def greedy(own: sa.Engine) -> None:
        table = UsageTable(own)
        answers.extend(take(table, room=at_most(25)) for _ in range(10))

    threads = [threading.Thread(target=greedy, args=(own,)) for own in engines]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for own in engines:
        own.dispose()
    assert (answers.count(0), answers.count(7)) == (25, 15)
    assert UsageTable(engine).spent("k", 0) == [(NOW, 25, 250)]


GREEDY = """
import asyncio, sys
from pathlib import Path
from judge_core.store.database import open_database, sqlite_url
from judge_core.store.usage import UsageTable
table = UsageTable(open_database(sqlite_url(Path(sys.argv[1]))))
room = lambda used: 0.0 if sum(each.requests for each in used) < 15 else 1.0
print(sum(asyncio.run(table.take("k", 1_700_000_040, 0, 1, room)) == 0 for _ in range(10)))
"""


def test_two_processes_share_one_quota(path: Path, engine: sa.Engine) -> None:
    command = [sys.executable, "-c", GREEDY, str(path)]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    taken = [int(process.communicate(timeout=60)[0]) for process in running]
    assert sum(taken) == 15


def test_a_restart_forgets_nothing_of_the_day(path: Path) -> None:
    """Two lives of one data folder: what the first asked is counted against the second."""
    answers: list[str] = []
    for _ in range(2):
        engine = open_database(sqlite_url(path))
        quotas = Quotas(read_quotas("offline=3rpd"), UsageTable(engine), lambda: NOW)
        provider = quotas.around(OfflineJudge(), judge_spec("offline"))
        for _ in range(2):
            try:
                asyncio.run(provider.complete(a_prompt("One text. It has words.")))
                answers.append("ok")
            except JudgeUnusableError as error:
                answers.append(str(error).partition(":")[2][:25])
        assert quotas.used()[0].day_requests == min(3, len(answers))
        engine.dispose()
    assert answers == ["ok", "ok", "ok", " this day's quota is used"]


def test_an_older_database_gets_the_table(path: Path, engine: sa.Engine) -> None:
    with engine.begin() as connection:
        schema.quota_usage.drop(connection)
        connection.execute(sa.delete(schema.versions).where(schema.versions.c.version > 1))
    again = open_database(sqlite_url(path))
    assert take(UsageTable(again)) == 0
    again.dispose()


def test_a_full_day_is_read_quickly(engine: sa.Engine) -> None:
    rows = [{"key": "k", "began": MIDNIGHT + 60 * n, "requests": 9, "tokens": 900} for n in range(1440)]
    with engine.begin() as connection:
        connection.execute(sa.insert(schema.quota_usage), rows)
    table = UsageTable(engine)
    take(table, MIDNIGHT + 86_399)
    began = time.perf_counter()
    for _ in range(20):
        take(table, MIDNIGHT + 86_399)
    assert (time.perf_counter() - began) / 20 < 0.1
