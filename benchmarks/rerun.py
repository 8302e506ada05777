"""An identical rerun of 10,000 judgments, all from the cache, against reading as many entries from diskcache alone."""

from __future__ import annotations

import time

import diskcache
from quick_judge import VERDICT
from world import texts, workbench

from judge_core.engine.cache import SafeDisk
from judge_core.interfaces.workbench import Workbench, new_spec
from judge_core.providers.registry import judge_spec, register_provider
from judge_core.records.criteria import Rubric
from judge_core.records.prompt import Completion, Prompt, Usage
from judge_core.records.spec import Price


class Instant:
    """A judge that needs no time, to fill the cache."""

    async def complete(self, prompt: Prompt) -> Completion:
        """Always the same verdict."""
        return Completion(text=VERDICT, usage=Usage(prompt_tokens=900, completion_tokens=60), temperature_sent=0.0)

    async def aclose(self) -> None:
        """Nothing to close."""


def timed(bench: Workbench) -> tuple[float, int, int]:
    """Seconds, calls and cached answers of one run."""
    judge = judge_spec("instant:x", price=Price(input=0, output=0))
    spec = new_spec(rubric=Rubric(question="?"), texts=bench.keep_texts(texts(1000)), judges=[judge], rounds=20)
    started = time.perf_counter()
    run = bench.start(spec)
    state = bench.wait(run)
    return time.perf_counter() - started, state.spent.calls, state.spent.cached


def main() -> None:
    register_provider("instant", lambda judge, access: Instant())
    with workbench() as bench:
        first, calls, _ = timed(bench)
        again, asked, cached = timed(bench)
        assert (asked, cached) == (0, 10_000), (asked, cached)
        raw_cache = diskcache.Cache(str(bench.home.cache), disk=SafeDisk)
        keys = list(raw_cache)
        started = time.perf_counter()
        for key in keys:
            raw_cache.get(key)
        raw = time.perf_counter() - started
        raw_cache.close()
    print(f"first run: {calls} calls in {first:.1f} s (a judge that needs no time)")
    print(f"identical rerun: {cached} answers from the cache, {asked} calls, {again:.2f} s")
    print(f"diskcache alone: {len(keys)} reads, {raw:.2f} s; the rerun takes {again / raw:.1f} times as long")


if __name__ == "__main__":
    main()
