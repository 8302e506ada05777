"""What the tests of the doors share: the command line in a fresh data folder, and a judge on loopback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from typer.testing import CliRunner, Result

from judge_core.interfaces.cli.app import app

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
ESSAYS = EXAMPLES / "sleep" / "essays"
CASES = ROOT / "tests" / "cases"


@dataclass(frozen=True)
class Cli:
    """The command line, in this process by `run` and in one of its own by `start`; both with the data folder `home`."""

    home: Path

    def run(self, *arguments: object, input: str | bytes | None = None) -> Result:
        """Runs a command to its end; an unexpected error fails the test."""
        result = CliRunner().invoke(app, [str(each) for each in arguments], input=input)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    def json(self, *arguments: object, status: int = 0, input: str | bytes | None = None) -> Any:
        """The last line of a command's standard output, which must be strict JSON, after checking its exit status."""
        result = self.run(*arguments, input=input)
        assert result.exit_code == status, result.output
        return lines(result.stdout)[-1]

    def start(self, *arguments: object, stdin: int | None = None, **environment: str) -> subprocess.Popen[str]:
        """Starts a command in a process of its own."""
        return subprocess.Popen(
            [sys.executable, "-m", "judge_core", *map(str, arguments)],
            cwd=ROOT,
            stdin=stdin,
            env={**os.environ, "PODIUM_HOME": str(self.home), **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )


def lines(output: str) -> list[Any]:
    """The lines of an output, each of which must be strict JSON."""
    return [json.loads(line, parse_constant=refuse_constant) for line in output.splitlines()]


def refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def wait_for(what: Callable[[], bool], seconds: float = 20.0) -> None:
    """Waits until something holds; AssertionError where it does not come to hold in time."""
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)


def write_texts(folder: Path, number: int) -> Path:
    """A folder with so many different texts."""
    folder.mkdir(parents=True, exist_ok=True)
    for n in range(1, number + 1):
        words = " ".join(f"word{k}" for k in range(n * 5))
        (folder / f"text-{n:02d}.txt").write_text(f"Text {n} says this: {words}.", "utf-8")
    return folder
