"""A real server and a real Chromium for the journeys."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, Request

from judge_core.interfaces.settings import VARIABLES
from tests.judge_server import JudgeServer

ROOT = Path(__file__).parents[2]
SETTLED = "[data-testid=stApp][data-test-script-state=notRunning]"
PATIENCE_MS = 30_000


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """Debian's Chromium, which loads nothing of its own accord."""
    quiet = "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking"
    return {
        **browser_type_launch_args,
        "executable_path": os.environ.get("CHROMIUM", "/usr/bin/chromium"),
        "args": [*quiet.split(), "--disable-component-update", "--disable-sync"],
    }


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    return {**browser_context_args, "reduced_motion": "reduce", "viewport": {"width": 1440, "height": 900}}


class Server:
    """The dashboard in a process of its own, with a data folder that outlives it."""

    def __init__(self, home: Path, log: Path):
        self.home, self._log = home, log
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.start()

    def start(self) -> None:
        environment = {k: v for k, v in os.environ.items() if k not in VARIABLES}
        environment |= {"PODIUM_HOME": str(self.home)}
        command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(self.port)]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log)
        for _ in range(300):
            with contextlib.suppress(OSError):
                urllib.request.urlopen(self.url + "/_stcore/health")
                return
            time.sleep(0.1)
        raise AssertionError(f"the server did not start: {self._log.read_text()}")

    def kill(self) -> None:
        """kill -9."""
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(60)
        assert "Traceback" not in self._log.read_text(), self._log.read_text()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A fresh server with an empty data folder."""
    server = Server(tmp_path / "home", tmp_path / "server.log")
    yield server
    server.stop()


@pytest.fixture
def judge() -> Iterator[JudgeServer]:
    """A judge on loopback."""
    with JudgeServer() as judge:
        yield judge


@pytest.fixture
def page(page: Page, server: Server) -> Iterator[Page]:
    """A page that fails the test if it asks any other host for anything."""
    page.set_default_timeout(PATIENCE_MS)
    foreign: list[str] = []

    def watch(request: Request) -> None:
        if not request.url.startswith((server.url, "data:", "blob:", f"ws://127.0.0.1:{server.port}")):
            foreign.append(request.url)

    page.on("request", watch)
    yield page
    assert foreign == []


def settle(page: Page) -> None:
    """Waits until the page's script has run to its end."""
    page.wait_for_timeout(300)
    page.wait_for_selector(SETTLED)


def examples(page: Page, server: Server) -> str:
    """Ranks the example essays from the home page; returns the address of the finished result."""
    page.goto(server.url)
    settle(page)
    page.get_by_role("button", name="Rank the 12 example essays").click()
    page.wait_for_url("**/result?run=**")
    page.get_by_text("Finished").first.wait_for()
    settle(page)
    return page.url


KNOWN_MINOR = {"presentation-role-conflict"}


def grave_faults(page: Page, name: object) -> list[object]:
    """What axe finds serious or critical on the page as it stands, each with `name`, the rule and three places."""
    found = Axe().run(page).response["violations"]
    grave = [fault for fault in found if fault["impact"] in ("serious", "critical") and fault["id"] not in KNOWN_MINOR]
    return [(name, fault["id"], [node["html"][:150] for node in fault["nodes"][:3]]) for fault in grave]


def too_wide(page: Page, name: object) -> list[object]:
    """Whether anything sticks out on a telephone of 390 pixels, with `name` and the width."""
    page.set_viewport_size({"width": 390, "height": 844})
    page.wait_for_timeout(500)
    width = page.evaluate("document.documentElement.scrollWidth")
    return [(name, "wide", width)] if width > 390 else []
