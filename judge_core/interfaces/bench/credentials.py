"""Where a judge's key is found: the environment, then the system's keyring, then the password store `pass`.

In the keyring it stands under the service `llm-judge` and the user `HOST://api_key`; in `pass` it is the first line of
`llm-judge/HOST`. HOST has its port where that is not the usual one, so a key goes to its own address and no other.
What was looked up is remembered in memory until the process ends, a key that was not found too; nothing is logged.
"""

from __future__ import annotations

import importlib
import os
import shutil
import signal
import subprocess
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

import httpx
from pydantic import SecretStr

from judge_core.providers.hosts import origin, read_url
from judge_core.providers.protocol import clean_key
from judge_core.providers.registry import key_for
from judge_core.records.errors import InputError
from judge_core.records.spec import JudgeSpec

SERVICE = "llm-judge"
PASS_LIMIT_S = 5.0
"""Seconds that `pass` may take; it may wait for a passphrase that nobody is there to type."""


class KeyStore(Protocol):
    """A place outside Podium that keeps keys by host."""

    name: str

    def key(self, host: str) -> str | None:
        """The key for that host; None where there is none or the store cannot be used. Never raises."""
        ...


class Keyring:
    """The system's keyring, through the optional package `keyring`; it is loaded when it is first asked."""

    name = "keyring"

    def key(self, host: str) -> str | None:
        """The password of `HOST://api_key`."""
        try:
            found = importlib.import_module("keyring").get_password(SERVICE, f"{host}://api_key")
        except Exception:  # not installed, locked, no backend: then there is no key here
            return None
        return found if isinstance(found, str) else None


class PasswordStore:
    """The program `pass`, where it is on PATH and has a store."""

    name = "pass"

    def __init__(self, environ: Mapping[str, str] | None = None, limit_s: float = PASS_LIMIT_S):
        self._environ, self._limit_s = environ, limit_s

    def key(self, host: str) -> str | None:
        """The first line of the entry."""
        environ = os.environ if self._environ is None else self._environ
        program = shutil.which("pass", path=environ.get("PATH", ""))
        if program is None or not _store_folder(environ).is_dir():
            return None
        try:
            output = _output([program, "show", f"{SERVICE}/{host}"], environ, self._limit_s)
        except OSError:
            return None
        return next(iter(output.decode("utf-8", "replace").splitlines()), None)


STORES: tuple[KeyStore, ...] = (Keyring(), PasswordStore())
_lock = threading.Lock()  # guards _known, and asks each store once, not once a thread
_known: dict[tuple[str, str], SecretStr | None] = {}


def find_key(judge: JudgeSpec, environ: Mapping[str, str], stores: Sequence[KeyStore] = STORES) -> SecretStr | None:
    """The key that may go to this judge's address, or None. The environment's rules are those of `registry.key_for`.

    May take seconds where a store waits for a person. Raises InputError, without showing the key, where it cannot be one.
    """
    found = key_for(judge, environ)
    if found is not None or not judge.base_url:
        return found
    host = host_name(read_url(judge.base_url))
    with _lock:
        for store in stores:
            if (store.name, host) not in _known:
                _known[store.name, host] = _asked(store, host)
            if (key := _known[store.name, host]) is not None:
                return key
    return None


def forget_keys() -> None:
    """Forgets what the stores said, so that they are asked again."""
    with _lock:
        _known.clear()


def host_name(address: httpx.URL) -> str:
    """The name under which a host's key is kept.

    >>> host_name(httpx.URL("https://API.openai.com:443/v1")), host_name(httpx.URL("https://host:8443"))
    ('api.openai.com', 'host:8443')
    """
    _, host, port = origin(address)
    return f"{host}:{port}" if address.port else host


def _asked(store: KeyStore, host: str) -> SecretStr | None:
    text = store.key(host)
    if text is None:
        return None
    try:
        return clean_key(text, f"the key for {host} in {store.name}")
    except InputError as error:
        raise InputError(str(error), field="key") from None


def _store_folder(environ: Mapping[str, str]) -> Path:
    named = environ.get("PASSWORD_STORE_DIR")
    return Path(named) if named else Path(environ.get("HOME") or "~").expanduser() / ".password-store"


def _output(line: Sequence[str], environ: Mapping[str, str], limit_s: float) -> bytes:
    """What a program prints; nothing where it fails or takes too long. It is ended with all that it started."""
    with subprocess.Popen(
        line,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=dict(environ),
        start_new_session=True,
    ) as process:
        try:
            output, _ = process.communicate(timeout=limit_s)
        except subprocess.TimeoutExpired:
            _kill(process)
            process.communicate()
            return b""
    return output if process.returncode == 0 else b""


def _kill(process: subprocess.Popen[bytes]) -> None:
    if hasattr(os, "killpg"):
        os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
