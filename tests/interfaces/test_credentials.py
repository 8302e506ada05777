"""Where a judge's key is found: environment before keyring before password store, each key for its own host alone."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from judge_core.interfaces.bench.credentials import Keyring, PasswordStore, find_key, forget_keys
from judge_core.providers.registry import judge_spec
from judge_core.records.errors import InputError


class Shelf:
    """A store of a few keys that counts how often it is asked."""

    def __init__(self, name: str, **keys: str):
        self.name = name
        self.keys = {host.replace("_", "."): key for host, key in keys.items()}
        self.asked: list[str] = []

    def key(self, host: str) -> str | None:
        self.asked.append(host)
        return self.keys.get(host)


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    forget_keys()
    yield
    forget_keys()


def found(name: str, environ: dict[str, str], *stores: Shelf) -> str | None:
    key = find_key(judge_spec(name), environ, stores)
    return key.get_secret_value() if key else None


def test_the_environment_comes_first_then_the_stores_in_order() -> None:
    first, second = Shelf("a", api_openai_com="k-a"), Shelf("b", api_openai_com="k-b", api_groq_com="k-c")
    assert found("openai:m", {"OPENAI_API_KEY": "k-env"}, first, second) == "k-env"
    assert first.asked == []
    assert found("openai:m", {}, first, second) == "k-a"
    assert found("groq:m", {}, first, second) == "k-c"
    assert found("minimax:m", {}, first, second) is None


def test_a_judge_without_an_address_needs_no_key_and_no_store_is_asked() -> None:
    shelf = Shelf("a")
    assert found("offline", {}, shelf) is None and found("cli:claude", {}, shelf) is None
    assert shelf.asked == []


def test_each_key_is_kept_under_its_own_host_and_port() -> None:
    shelf = Shelf("a", host_example="k")
    assert found("https://host.example/v1#m", {}, shelf) == "k"
    assert found("https://HOST.example:443#m", {}, shelf) == "k"
    assert found("https://host.example:8443/v1#m", {}, shelf) is None
    assert found("https://host.example.evil/v1#m", {}, shelf) is None
    assert shelf.asked == ["host.example", "host.example:8443", "host.example.evil"]


def test_a_store_is_asked_once_for_a_host_found_or_not() -> None:
    shelf = Shelf("a", api_openai_com="k")
    for _ in range(3):
        assert found("openai:m", {}, shelf) == "k" and found("groq:m", {}, shelf) is None
    assert shelf.asked == ["api.openai.com", "api.groq.com"]
    forget_keys()
    found("openai:m", {}, shelf)
    assert len(shelf.asked) == 3


def test_what_copying_adds_is_taken_off_and_what_is_no_key_is_refused_unseen() -> None:
    assert found("openai:m", {}, Shelf("a", api_openai_com=' "k-1"\n')) == "k-1"
    with pytest.raises(InputError, match="api.groq.com in b") as caught:
        found("groq:m", {}, Shelf("b", api_groq_com="two words-secret"))
    assert "secret" not in str(caught.value)


def a_keyring(folder: Path, monkeypatch: pytest.MonkeyPatch, body: str) -> None:
    (folder / "keyring.py").write_text(f"def get_password(service, user):\n    {body}\n", "utf-8")
    monkeypatch.syspath_prepend(folder)
    monkeypatch.delitem(sys.modules, "keyring", raising=False)


@pytest.mark.parametrize(
    ("body", "key"),
    [
        ('return {("llm-judge", "host.example://api_key"): "k"}.get((service, user))', "k"),
        ("return None", None),
        ('raise RuntimeError("no backend")', None),
    ],
)
def test_the_keyring_is_asked_by_service_and_host(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str, key: str | None
) -> None:
    a_keyring(tmp_path, monkeypatch, body)
    assert Keyring().key("host.example") == key
    sys.modules.pop("keyring", None)


def test_without_a_keyring_there_is_no_key_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "keyring", None)
    assert Keyring().key("host.example") is None


def a_store(folder: Path, script: str, *, store: bool = True) -> dict[str, str]:
    """An environment whose `pass` is that script."""
    program = folder / "pass"
    program.write_text(f"#!/bin/sh\n{script}\n", "utf-8")
    program.chmod(0o755)
    if store:
        (folder / ".password-store").mkdir()
    return {"PATH": f"{folder}{os.pathsep}{os.environ['PATH']}", "HOME": str(folder)}


def test_the_first_line_of_the_entry_is_the_key(tmp_path: Path) -> None:
    environ = a_store(tmp_path, '[ "$*" = "show llm-judge/host.example" ] && printf "k-1\\nuser: x\\n"')
    assert PasswordStore(environ).key("host.example") == "k-1"
    assert PasswordStore(environ).key("other.example") is None


@pytest.mark.parametrize("script", ["exit 1", "echo k; exit 1", "true"])
def test_an_entry_that_is_not_there_is_no_key(tmp_path: Path, script: str) -> None:
    assert PasswordStore(a_store(tmp_path, script)).key("host.example") is None


def test_without_a_store_the_program_is_not_started(tmp_path: Path) -> None:
    environ = a_store(tmp_path, f"touch {tmp_path}/started; echo k", store=False)
    assert PasswordStore(environ).key("host.example") is None
    assert PasswordStore({**environ, "PATH": "/nowhere"}).key("host.example") is None
    assert not (tmp_path / "started").exists()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    assert PasswordStore({**environ, "PASSWORD_STORE_DIR": str(elsewhere)}).key("host.example") == "k"


def test_a_store_that_waits_for_a_passphrase_is_not_waited_for(tmp_path: Path) -> None:
    environ = a_store(tmp_path, "sleep 60 &\nsleep 60")
    began = time.perf_counter()
    assert PasswordStore(environ, limit_s=0.2).key("host.example") is None
    assert time.perf_counter() - began < 10
