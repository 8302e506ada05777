"""The command line in a process of its own: start, signals, broken pipes, loading time."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.interfaces.doors import ROOT, Cli, lines, wait_for, write_texts
from tests.judge_server import JudgeServer

HEAVY = ("pandas", "scipy", "sqlalchemy", "httpx", "openpyxl", "docx", "pypdf", "streamlit", "plotly")


def test_the_examples_are_ranked_from_the_shell_within_ten_seconds(cli: Cli) -> None:
    began = time.monotonic()
    process = cli.start("rank", "examples", "--json")
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    assert lines(out)[-1]["status"] == "done"
    assert "Traceback" not in err
    assert time.monotonic() - began < 10


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_pauses_the_run_and_keeps_what_was_asked(
    cli: Cli, server: JudgeServer, number: signal.Signals
) -> None:
    """The replies on their way are waited for; the same command goes on and asks only the rest."""
    folder = write_texts(Path("texts"), 6)
    command = ["rank", folder.absolute(), "--task", "?", "--judge", f"{server.url}#m", "--concurrency", "2", "--json"]
    server.latency_s = 0.2
    process = cli.start(*command)
    wait_for(lambda: server.requests >= 2)
    process.send_signal(number)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 1, err
    assert "Traceback" not in err and "podium runs resume" in err
    end = lines(out)[-1]
    assert end["type"] == "ended" and end["status"] == "paused"
    asked = server.requests
    assert asked < 9
    server.latency_s = 0.0
    again = cli.json(*command)
    assert again["run"] == end["run"] and again["status"] == "done"
    assert server.requests == 9


def test_a_reader_that_goes_away_ends_the_command_quietly(cli: Cli) -> None:
    process = cli.start("rank", "examples", "--json")
    assert process.stdout is not None and process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    err = process.stderr.read()
    process.wait(30)
    process.stderr.close()
    assert "Traceback" not in err


def test_an_unknown_option_is_said_to_people_and_to_machines(cli: Cli) -> None:
    process = cli.start("rank", "examples", "--jsn", "--json")
    out, err = process.communicate(timeout=30)
    assert process.returncode == 2
    assert "--jsn" in err and "Traceback" not in err
    assert lines(out)[-1]["type"] == "error"


def test_help_loads_none_of_the_heavy_libraries() -> None:
    code = "import sys, judge_core.interfaces.cli.app; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert "typer" in loaded.split()
    assert not set(HEAVY) & set(loaded.split())


def test_the_dashboard_is_served_until_a_signal_comes(cli: Cli, free_port: int) -> None:
    import urllib.request

    process = cli.start("serve", "--port", free_port)
    address = f"http://127.0.0.1:{free_port}/_stcore/health"

    def healthy() -> bool:
        try:
            with urllib.request.urlopen(address, timeout=1) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False

    try:
        wait_for(healthy, 30)
    finally:
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=30)
    assert process.returncode in (0, -signal.SIGTERM), err
    assert not healthy()
