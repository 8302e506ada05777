"""1,000 judgments at 50 ms against the ideal N x L / C and against the bare client, journal and cache on.

Each row is one run of both, one after the other, so that a busy machine slows both. `throughput.py 1000` takes another
latency in milliseconds: real judges need a second or more, and then the client's own work no longer shows.
"""

from __future__ import annotations

import asyncio
import sys
import time

import httpx
from world import quick_judge, texts, workbench

from judge_core.interfaces.workbench import new_spec
from judge_core.providers.registry import judge_spec
from judge_core.records.criteria import Rubric

CALLS = 1000
LATENCY_S = float(sys.argv[1]) / 1000 if len(sys.argv) > 1 else 0.05


async def bare(url: str, in_flight: int, body: dict[str, object]) -> float:
    """Seconds for all calls with plain httpx, split over clients of at most 8 connections each."""
    clients = [httpx.AsyncClient(limits=httpx.Limits(max_connections=8)) for _ in range(-(-in_flight // 8))]
    left = iter(range(CALLS))

    async def worker(client: httpx.AsyncClient) -> None:
        for _ in left:
            (await client.post(url + "/chat/completions", json=body)).json()

    started = time.perf_counter()
    await asyncio.gather(*(worker(clients[k % len(clients)]) for k in range(in_flight)))
    seconds = time.perf_counter() - started
    for client in clients:
        await client.aclose()
    return seconds


def ours(url: str, in_flight: int) -> float:
    """Seconds for a run of as many judgments, from Start to the end on the disk."""
    with workbench() as bench:
        judge = judge_spec(url + "#quick")
        refs = bench.keep_texts(texts(1000))
        spec = new_spec(rubric=Rubric(question="Which?"), texts=refs, judges=[judge], rounds=2, lookahead=4 * in_flight)
        started = time.perf_counter()
        run = bench.start(spec, concurrency=in_flight)
        state = bench.wait(run)
        seconds = time.perf_counter() - started
        assert state.status == "done" and state.spent.calls == CALLS, (state.reason, state.spent)
        return seconds


def main() -> None:
    print(f"{CALLS} calls at {LATENCY_S * 1000:.0f} ms")
    print("in flight | ideal s | bare s | ours s | bare/ideal | ours/ideal | ours against bare")
    prompt = "word " * 450
    body: dict[str, object] = {"model": "quick", "messages": [{"role": "user", "content": prompt}], "temperature": 0}
    with quick_judge(LATENCY_S * 1000) as url:
        for in_flight in (8, 32, 64):
            ideal = CALLS * LATENCY_S / in_flight
            plain, run = asyncio.run(bare(url, in_flight, body)), ours(url, in_flight)
            shares = f"{ideal / plain:.2f} | {ideal / run:.2f} | {plain / run:.2f}"
            print(f"{in_flight:>9} | {ideal:.2f} | {plain:.2f} | {run:.2f} | {shares}", flush=True)


if __name__ == "__main__":
    main()
