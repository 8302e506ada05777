"""llama.cpp's server inside this process: one for each model file and size of context, shared and stopped in order."""

from __future__ import annotations

import atexit
import importlib
import os
import secrets
import threading
from pathlib import Path
from typing import Any

PACKAGE = "xllamacpp"
Key = tuple[Path, int]


class Server:
    """A running server and how many use it."""

    def __init__(self, key: Key, handle: Any, secret: str):
        self.users = 0
        self.identity, self.key = key, secret
        self._handle = handle
        self.url: str = f"{handle.listening_address}/v1"

    def stop(self) -> None:
        """Frees the model; returns when the port is closed."""
        self._handle = None


_lock = threading.Lock()  # guards _running and the count of each server's users
_running: dict[Key, Server] = {}


def lend(path: Path, context: int) -> Server:
    """The server for that file and size of context, started where there is none. Blocks while it loads.

    Raises what the runtime raises where the model cannot be loaded.
    """
    key = (path.resolve(), context)
    with _lock:
        if key not in _running:
            _running[key] = _started(key)
        _running[key].users += 1
        return _running[key]


def take_back(server: Server) -> None:
    """Stops the server when its last user gives it back."""
    with _lock:
        server.users -= 1
        if server.users <= 0 and _running.get(server.identity) is server:
            del _running[server.identity]
            server.stop()


class Loan:
    """A server on its way to somebody who may stop waiting for it."""

    def __init__(self, path: Path, context: int):
        self._path, self._context = path, context
        self._lock = threading.Lock()  # guards the two below
        self._server: Server | None = None
        self._dropped = False

    def take(self) -> Server:
        """The server; see `lend`. It is given back at once where nobody waits any more."""
        server = lend(self._path, self._context)
        with self._lock:
            self._server = server
            dropped = self._dropped
        if dropped:
            take_back(server)
        return server

    def drop(self) -> None:
        """Nobody waits any more."""
        with self._lock:
            self._dropped, server = True, self._server
        if server is not None:
            take_back(server)


def running() -> int:
    """How many servers run in this process."""
    return len(_running)


@atexit.register
def _stop_all() -> None:
    with _lock:
        for server in _running.values():
            server.stop()
        _running.clear()


def _started(key: Key) -> Server:
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # read when the runtime loads: waiting threads shall not spin
    runtime = importlib.import_module(PACKAGE)
    secret = secrets.token_urlsafe(24)
    return Server(key, runtime.Server(_parameters(runtime, key, secret)), secret)


def _parameters(runtime: Any, key: Key, secret: str) -> Any:
    path, context = key
    threads = max(1, (os.cpu_count() or 2) // 2)
    wanted = runtime.CommonParams()
    wanted.model.path = str(path)
    wanted.hostnames = ["127.0.0.1"]
    wanted.port = 0  # any free one
    wanted.api_keys = [secret]  # others on this computer can reach the port
    wanted.ui = wanted.endpoint_slots = False  # both would show prompts
    wanted.cors_origins = ""
    wanted.n_ctx, wanted.n_parallel = context, 1
    wanted.cpuparams.n_threads = wanted.cpuparams_batch.n_threads = threads
    wanted.cache_ram_mib = 0  # by default 8 GB of old prompts are kept
    wanted.offline = True
    wanted.verbosity = -1  # its log would hold prompts
    return wanted
