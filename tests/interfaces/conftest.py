"""A fresh data folder for each test of the doors, without the settings of the one who runs it."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from judge_core.interfaces.settings import VARIABLES
from tests.interfaces.doors import Cli
from tests.judge_server import JudgeServer


@pytest.fixture
def cli(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cli:
    """The command line with a data folder of its own; the working folder is empty."""
    for name in {*VARIABLES, *(name for name in os.environ if name.startswith("PODIUM_"))}:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PODIUM_HOME", str(tmp_path / "home"))
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    return Cli(tmp_path / "home")


@pytest.fixture
def server() -> Iterator[JudgeServer]:
    """A judge on loopback."""
    with JudgeServer() as server:
        yield server


@pytest.fixture
def free_port() -> int:
    """A port of loopback that nobody listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
