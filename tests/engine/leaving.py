"""A process that leaves while calls are in flight, as a server does: `python leaving.py HOME RUN`."""

from __future__ import annotations

import atexit
import sys
import time

from judge_core.interfaces.settings import Settings
from judge_core.interfaces.workbench import Workbench


def main(home: str, run: str) -> None:
    bench = Workbench(Settings(home=home))
    atexit.register(bench.close)
    bench.resume(run, concurrency=4)
    while not bench.state(run).matches:
        time.sleep(0.01)


if __name__ == "__main__":
    main(*sys.argv[1:])
