"""The dashboard's server: memory at rest and after a run of 1,000 judgments, and how quickly pages answer then.

Pages are timed in a real Chromium, from the click to the end of the page's script.
"""

from __future__ import annotations

import contextlib
import os
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Page, sync_playwright
from world import ROOT, texts

from judge_core.interfaces.settings import Settings
from judge_core.interfaces.workbench import Workbench, new_spec
from judge_core.providers.registry import judge_spec
from judge_core.records.criteria import Rubric

PORT = 8671
SETTLED = "[data-testid=stApp][data-test-script-state=notRunning]"
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]


def resident_mb(pid: int) -> float:
    """Resident memory of a process."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1]) / 1024


@contextlib.contextmanager
def server(home: str) -> Iterator[subprocess.Popen[bytes]]:
    """The dashboard on a port of its own."""
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(PORT)]
    environment = {**os.environ, "PODIUM_HOME": home}
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL) as process:
        for _ in range(200):
            with contextlib.suppress(OSError):
                urllib.request.urlopen(f"http://127.0.0.1:{PORT}/_stcore/health")
                break
            time.sleep(0.1)
        yield process
        process.terminate()


def seeded(home: str) -> str:
    """A finished run of 1,000 judgments, made before the server starts."""
    bench = Workbench(Settings(home=Path(home)))
    refs = bench.keep_texts(texts(100, 120))
    spec = new_spec(rubric=Rubric(question="?"), texts=refs, judges=[judge_spec("offline")], rounds=20)
    run = bench.start(spec)
    assert len(bench.wait(run).matches) == 1000
    bench.close()
    return run


def settled(page: Page, act: str, name: str) -> float:
    """Seconds from a click in the sidebar to the end of that page's script."""
    started = time.perf_counter()
    page.get_by_role("link", name=name).click()
    page.wait_for_url(f"**{act}**")
    page.wait_for_timeout(50)
    page.wait_for_selector(SETTLED)
    return time.perf_counter() - started


def main() -> None:
    with tempfile.TemporaryDirectory() as home:
        run = seeded(home)
        with server(home) as process, sync_playwright() as playwright:
            time.sleep(3)
            print(f"memory, idle: {resident_mb(process.pid):.0f} MB")
            browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=ARGUMENTS)
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            page.goto(f"http://127.0.0.1:{PORT}/")
            page.wait_for_selector(SETTLED)
            print(f"memory, one tab: {resident_mb(process.pid):.0f} MB")
            page.goto(f"http://127.0.0.1:{PORT}/result?run={run}")
            page.wait_for_selector(SETTLED)
            times = {"history": [], "result": [], "new_ranking": []}
            for _ in range(5):
                for act, name in (("history", "History"), ("result", "Result"), ("new_ranking", "New ranking")):
                    times[act].append(settled(page, act, name))
            for act, seconds in times.items():
                print(f"page switch to {act}: median {statistics.median(seconds):.2f} s, worst {max(seconds):.2f} s")
            print(f"memory, with a run of 1,000 judgments open: {resident_mb(process.pid):.0f} MB")
            browser.close()


if __name__ == "__main__":
    main()
