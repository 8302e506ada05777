"""The arithmetic of a run: pairing, Bradley-Terry, folding of events; seconds of this process, the best of three."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable

from world import texts, workbench

from judge_core.interfaces.workbench import new_spec
from judge_core.providers.registry import judge_spec
from judge_core.ranking.bradley_terry import Comparison, fit
from judge_core.ranking.schedules.swiss.pairing import pair
from judge_core.records.criteria import Rubric
from judge_core.views.standings import standings
from judge_core.views.state import fold


def best(work: Callable[[], object]) -> float:
    """Processor seconds of the quickest of three calls."""
    taken = []
    for _ in range(3):
        started = time.process_time()
        work()
        taken.append(time.process_time() - started)
    return min(taken)


def pairing(size: int, rounds: int) -> float:
    """The slowest round of so many, with ratings that change at random."""
    rng, met, byes, slowest = random.Random(0), set(), Counter(), 0.0
    ratings = {f"E-{n:04d}": 0.0 for n in range(size)}
    for _ in range(rounds):
        ranked = sorted(ratings, key=lambda text: (-ratings[text], text))
        started = time.process_time()
        paired = pair(ranked, met, byes)
        slowest = max(slowest, time.process_time() - started)
        byes.update(paired.byes)
        for a, b in paired.pairs:
            met.add(frozenset((a, b)))
            ratings[rng.choice((a, b))] += 1
    return slowest


def fitting(size: int, number: int) -> float:
    """One posterior from so many comparisons."""
    rng = random.Random(0)
    names = [f"E-{n:04d}" for n in range(size)]
    drawn = [Comparison(*rng.sample(names, 2), rng.choice((0.0, 0.5, 1.0)), 1.0, 1) for _ in range(number)]
    return best(lambda: fit(names, drawn))


def main() -> None:
    for size, rounds in ((35, 20), (200, 60), (1000, 12)):
        print(f"pairing {size} texts, slowest of {rounds} rounds: {pairing(size, rounds) * 1000:.1f} ms")
    for size, number in ((16, 64), (64, 640), (256, 2560), (1000, 100_000)):
        print(
            f"Bradley-Terry with intervals, {size} texts, {number} comparisons: {fitting(size, number) * 1000:.1f} ms"
        )
    with workbench() as bench:
        refs = bench.keep_texts(texts(200))
        run = bench.start(new_spec(rubric=Rubric(question="?"), texts=refs, judges=[judge_spec("offline")], rounds=100))
        bench.wait(run)
        spec, events = bench.journal.row(run).spec, bench.journal.events(run)
    folded = fold(spec, events)
    print(f"folding {len(folded.matches)} judgments: {best(lambda: fold(spec, events)):.2f} s")
    print(f"standings of {len(folded.matches)} judgments: {best(lambda: standings(folded)):.2f} s")


if __name__ == "__main__":
    main()
