"""Time from `python -m judge_core rank examples` to its end, in a new data folder, beside a Python that only starts."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time

from world import ROOT


def seconds(*words: str) -> float:
    """One whole process, in a data folder of its own."""
    with tempfile.TemporaryDirectory() as home:
        started = time.perf_counter()
        subprocess.run(
            [sys.executable, *words], cwd=ROOT, env={**os.environ, "PODIUM_HOME": home}, capture_output=True, check=True
        )
        return time.perf_counter() - started


def main() -> None:
    bare = statistics.median(seconds("-c", "pass") for _ in range(5))
    for name, words in {"rank examples": ("rank", "examples"), "--help": ("--help",)}.items():
        taken = statistics.median(seconds("-m", "judge_core", *words) for _ in range(5))
        print(f"{name}: {taken:.2f} s (a Python that does nothing: {bare:.2f} s)")


if __name__ == "__main__":
    main()
