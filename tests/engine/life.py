"""One life of a process that plays a run, to be killed by a test: `python life.py HOME RUN`."""

from __future__ import annotations

import sys

from judge_core.interfaces.settings import Settings
from judge_core.interfaces.workbench import Workbench


def main(home: str, run: str) -> None:
    bench = Workbench(Settings(home=home))
    bench.resume(run, concurrency=8)
    print(bench.wait(run).status, flush=True)
    bench.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
