"""What the benchmarks share: a quick judge in a process of its own, invented texts, a workbench in a new folder."""

from __future__ import annotations

import contextlib
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from judge_core.interfaces.settings import Settings
from judge_core.interfaces.workbench import Workbench
from judge_core.records.artifact import Artifact
from judge_core.records.record import text_hash

HERE = Path(__file__).parent
ROOT = HERE.parent
WORDS = [
    "school",
    "sleep",
    "early",
    "late",
    "night",
    "pupils",
    "teachers",
    "bus",
    "study",
    "morning",
    "rest",
    "grades",
    "lessons",
    "tired",
    "parents",
    "clock",
    "light",
]


@contextlib.contextmanager
def quick_judge(latency_ms: float) -> Iterator[str]:
    """The base URL of a judge with that latency."""
    command = [sys.executable, str(HERE / "quick_judge.py"), str(latency_ms)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield f"http://127.0.0.1:{int(process.stdout.readline())}/v1"
        finally:
            process.terminate()


@contextlib.contextmanager
def workbench() -> Iterator[Workbench]:
    """A workbench in a folder that is removed afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        bench = Workbench(Settings(home=Path(folder) / "home"))
        try:
            yield bench
        finally:
            bench.close()


def texts(number: int, words: int = 200, seed: int = 0) -> list[Artifact]:
    """Invented texts, all different."""
    rng = random.Random(seed)
    made = []
    for n in range(number):
        text = f"Text {n}. " + " ".join(rng.choice(WORDS) for _ in range(words))
        made.append(
            Artifact(id=f"{n}.txt", title=str(n), text=text, sha256=text_hash(text), words=words, characters=len(text))
        )
    return made
