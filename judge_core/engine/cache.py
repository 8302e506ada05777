"""The reply cache: diskcache behind one factory that cannot run code out of a doctored file and never stops a run.

Entries leave first in, first out, bounded by number and by bytes. Losing the cache loses money, never knowledge.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import diskcache
from diskcache.core import MODE_PICKLE

from judge_core.records.prompt import Completion

LOCK_WAIT_S = 0.5
"""How long one read or write waits for another process that holds the file."""
REST_S = 60.0
"""How long a cache that failed is left alone before it is tried again."""
CULL_EVERY = 200


class SafeDisk(diskcache.Disk):  # type: ignore[misc]
    """Stores JSON as text under text keys, and refuses pickled rows and keys, which would run code when they are read.

    diskcache's own JSONDisk does not refuse them (CVE-2025-69872), and compresses keys, which costs more than the reading.
    """

    def put(self, key: Any) -> tuple[str, bool]:
        """The key as it stands in the database."""
        return str(key), True

    def get(self, key: Any, raw: Any) -> Any:
        """A key out of the database; ValueError for one that is not text."""
        if not raw or not isinstance(key, str):
            raise ValueError("a pickled key in the cache was refused")
        return key

    def store(self, value: Any, read: bool, key: Any = diskcache.UNKNOWN) -> Any:
        """The value as JSON text: in the row, or in a file of its own where it is long."""
        return super().store(json.dumps(value, ensure_ascii=True), read, key=key)

    def fetch(self, mode: int, filename: str | None, value: Any, read: bool) -> Any:
        """The value of a row; ValueError for one that is not JSON text."""
        if mode == MODE_PICKLE:
            raise ValueError("a pickled row in the cache was refused")
        return json.loads(super().fetch(mode, filename, value, read))


class DiskReplyCache:
    """Replies by prompt key on disk. A failure is said in `trouble`, and the run goes on without the cache for a while."""

    def __init__(self, folder: Path, *, max_entries: int = 1_000_000, max_bytes: int = 2_000_000_000):
        self._folder, self._max_entries, self._max_bytes = folder, max_entries, max_bytes
        self._rest_until = 0.0
        self._puts = 0
        self.hits = self.misses = 0
        self.trouble: str | None = None
        """Why the cache was left out, in words; None while all is well."""
        self._cache: diskcache.Cache | None = None
        self._open()

    def get(self, key: str) -> Completion | None:
        """The reply of that key, or None. A row that is no reply of ours is removed and counts as a miss."""
        completion = self._tried(lambda cache: self._read(cache, key))
        self.hits, self.misses = self.hits + (completion is not None), self.misses + (completion is None)
        return cast(Completion | None, completion)

    def put(self, key: str, completion: Completion) -> None:
        """Keeps a reply; the oldest leave when there are too many."""
        self._tried(lambda cache: cache.set(key, completion.model_dump(mode="json")))
        self._puts += 1
        if self._puts % CULL_EVERY == 0:
            self._tried(self._cull)

    def stats(self) -> dict[str, int | str | None]:
        """Entries, their limit, bytes on disk, and hits and misses since this process began."""
        entries = self._tried(len) or 0
        volume = self._tried(lambda cache: cache.volume()) or 0
        return {
            "cached": entries, "max": self._max_entries, "bytes": volume, "max_bytes": self._max_bytes,
            "hits": self.hits, "misses": self.misses, "trouble": self.trouble,
        }  # fmt: skip

    def clear(self) -> int:
        """Removes all entries and returns how many there were."""
        return self._tried(lambda cache: cache.clear()) or 0

    def close(self) -> None:
        if self._cache is not None:
            self._cache.close()

    def _open(self) -> None:
        try:
            self._cache = self._opened()
        except (sqlite3.DatabaseError, OSError, ValueError, TypeError) as error:  # TypeError: made with other settings
            if isinstance(error, sqlite3.OperationalError | OSError) or not self._set_aside():
                self._trouble(error)
                return
            with contextlib.suppress(Exception):
                self._cache = self._opened()

    def _opened(self) -> diskcache.Cache:
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._check_free()
        cache = diskcache.Cache(
            str(self._folder), disk=SafeDisk, timeout=LOCK_WAIT_S, size_limit=self._max_bytes,
            eviction_policy="least-recently-stored",
        )  # fmt: skip
        len(cache)
        cache.get("")  # a file that only looks whole fails here and not in the middle of a run
        return cache

    def _check_free(self) -> None:
        """Raises OperationalError while another process holds the file: diskcache itself would try for a minute."""
        file = self._folder / "cache.db"
        if file.exists():
            with contextlib.closing(sqlite3.connect(file, timeout=LOCK_WAIT_S, isolation_level=None)) as connection:
                connection.execute("BEGIN IMMEDIATE")
                connection.execute("ROLLBACK")

    def _set_aside(self) -> bool:
        """Renames a damaged database so that a new one can be begun; nothing is deleted."""
        stamp = time.strftime("%Y%m%d-%H%M%S")
        moved = False
        for name in ("cache.db", "cache.db-wal", "cache.db-shm"):
            file = self._folder / name
            if file.exists():
                file.rename(self._folder / f"{name}.damaged-{stamp}")
                moved = True
        if moved:
            self.trouble = f"The reply cache was damaged; it was set aside as cache.db.damaged-{stamp} and begun anew."
        return moved

    @staticmethod
    def _read(cache: diskcache.Cache, key: str) -> Completion | None:
        try:
            stored = cache.get(key)
            return None if stored is None else Completion.model_validate(stored)
        except (ValueError, TypeError):  # doctored or damaged: refused by SafeDisk, no JSON, or no completion
            cache.delete(key)
            return None

    def _cull(self, cache: diskcache.Cache) -> None:
        surplus = len(cache) - self._max_entries
        if surplus > 0:
            with cache.transact():
                for key in list(itertools.islice(cache, surplus)):  # a cache is walked oldest first
                    cache.delete(key)

    def _tried(self, use: Callable[[diskcache.Cache], Any]) -> Any:
        if time.monotonic() < self._rest_until:
            return None
        if self._cache is None:
            self._open()
        if self._cache is None:
            return None
        try:
            return use(self._cache)
        except Exception as error:  # whatever it is, a cache must not stop a run
            self._trouble(error)
            return None

    def _trouble(self, error: Exception) -> None:
        self._rest_until = time.monotonic() + REST_S
        busy = isinstance(error, diskcache.Timeout) or "locked" in str(error)
        cause = "another process holds it" if busy else type(error).__name__
        self.trouble = f"The reply cache cannot be used ({cause}); judging goes on without it."
