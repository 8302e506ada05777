"""The reply cache: safe, bounded, and never in a run's way."""

from __future__ import annotations

import pickle
import shutil
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from judge_core.engine.cache import DiskReplyCache
from judge_core.records.prompt import Completion
from tests.engine.toy import ToyJudge, ToyWorld, spec

DAMAGED = Path(__file__).parents[1] / "cases" / "files" / "C-012"
REPLY = Completion(text="a reply\ud800", model="m", temperature_sent=0.0)


def played(tmp_path: Path, cache: DiskReplyCache) -> int:
    """Plays a whole run with that cache and returns how many calls were made."""
    judge = ToyJudge()
    world = ToyWorld(f"sqlite:///{tmp_path}/podium-{time.monotonic_ns()}.db", judge, cache=cache)
    assert world.play(world.journal.create(spec())).status == "done"
    return len(judge.asked)


def test_what_is_put_comes_back_in_a_later_process(tmp_path: Path) -> None:
    cache = DiskReplyCache(tmp_path / "cache")
    plain = REPLY.model_copy(update={"text": "é\u0000 \U0001f600"})
    cache.put("k", plain)
    cache.close()
    again = DiskReplyCache(tmp_path / "cache")
    assert again.get("k") == plain and again.get("other") is None
    assert (again.hits, again.misses) == (1, 1)
    again.close()


@pytest.mark.parametrize("name", sorted(p.name for p in DAMAGED.iterdir()))
def test_a_damaged_cache_is_set_aside_with_a_message_and_the_run_works(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "cache"
    folder.mkdir()
    shutil.copy(DAMAGED / name, folder / "cache.db")
    cache = DiskReplyCache(folder)
    assert played(tmp_path, cache) > 0
    cache.put("k", Completion(text="x"))
    kept = (DAMAGED / name).read_bytes() in [p.read_bytes() for p in folder.iterdir()]
    assert cache.get("k") is not None
    assert kept == ("set aside" in (cache.trouble or "")), "the damaged file is still there, and it was said"
    cache.close()


@pytest.mark.parametrize("lock", ["BEGIN IMMEDIATE", "BEGIN EXCLUSIVE"])
@pytest.mark.parametrize("when", ["before it is opened", "after it is opened"])
def test_a_cache_that_another_process_locks_does_not_stop_a_run(tmp_path: Path, lock: str, when: str) -> None:
    folder = tmp_path / "cache"
    DiskReplyCache(folder).close()
    cache = DiskReplyCache(folder) if when.startswith("after") else None
    with closing(sqlite3.connect(folder / "cache.db", isolation_level=None)) as other:
        other.execute(lock)
        cache = cache or DiskReplyCache(folder)
        started = time.monotonic()
        assert played(tmp_path, cache) > 0
        assert time.monotonic() - started < 20
        assert "goes on without it" in (cache.trouble or "")
        other.execute("ROLLBACK")
    cache.close()


def test_a_folder_that_cannot_be_used_switches_the_cache_off_with_a_message(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    cache = DiskReplyCache(tmp_path / "file")
    assert played(tmp_path, cache) > 0
    assert "cannot be used" in (cache.trouble or "")
    assert cache.stats()["cached"] == 0


class Planted:
    """Unpickling it touches a file."""

    def __init__(self, marker: Path):
        self.marker = marker

    def __reduce__(self) -> tuple[object, tuple[Path]]:
        return Path.touch, (self.marker,)


@pytest.mark.parametrize("column", ["value", "key"])
def test_a_pickled_row_or_key_is_refused_and_its_code_does_not_run(tmp_path: Path, column: str) -> None:
    marker, folder = tmp_path / "ran", tmp_path / "cache"
    cache = DiskReplyCache(folder)
    cache.put("k", REPLY)
    cache.close()
    change = {"value": "mode = 4, filename = NULL, value = ?", "key": "raw = 0, key = ?"}[column]
    with closing(sqlite3.connect(folder / "cache.db")) as connection, connection:
        connection.execute(f"UPDATE Cache SET {change}", (pickle.dumps(Planted(marker)),))
    cache = DiskReplyCache(folder, max_entries=1)
    assert cache.get("k") is None
    for number in range(200):  # until the oldest are looked for
        cache.put(f"new{number}", REPLY)
    assert (column == "key") == ("cannot be used" in (cache.trouble or ""))
    assert not marker.exists()
    cache.close()


@pytest.mark.parametrize("row", ["mode = 1, value = 5", "mode = 1, value = 'no json'", "mode = 1, value = '[1]'"])
def test_a_row_that_is_no_reply_is_removed_and_the_cache_goes_on(tmp_path: Path, row: str) -> None:
    folder = tmp_path / "cache"
    cache = DiskReplyCache(folder)
    cache.put("k", REPLY)
    with closing(sqlite3.connect(folder / "cache.db")) as connection, connection:
        connection.execute(f"UPDATE Cache SET filename = NULL, {row}")
    assert cache.get("k") is None and cache.stats()["cached"] == 0
    cache.put("k", REPLY)
    assert cache.get("k") == REPLY and cache.trouble is None
    cache.close()


def test_the_oldest_entries_leave_first_when_there_are_too_many(tmp_path: Path) -> None:
    cache = DiskReplyCache(tmp_path / "cache", max_entries=100)
    for number in range(400):
        cache.put(f"k{number}", Completion(text=str(number)))
    assert cache.stats()["cached"] == 100
    assert cache.get("k299") is None and cache.get("k399") is not None
    assert cache.clear() == 100 and cache.get("k399") is None
    cache.close()


def test_only_the_owner_can_read_the_folder(tmp_path: Path) -> None:
    DiskReplyCache(tmp_path / "cache").close()
    assert (tmp_path / "cache").stat().st_mode & 0o077 == 0
