"""Runs the benchmarks one after the other, each in a process of its own."""

from __future__ import annotations

import subprocess
import sys

from world import HERE

NAMES = ("maths", "startup", "throughput", "rerun", "server", "injection")

if __name__ == "__main__":
    for name in NAMES:
        print(f"\n== {name}", flush=True)
        subprocess.run([sys.executable, str(HERE / f"{name}.py")], check=False)
