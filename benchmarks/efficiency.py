"""How many calls a ranking costs, how sure it then is, and whether that is what it says: simulated judges, Podium's own schedules.

`python efficiency.py [--seeds N] [--quick] [--texts N ...] [--only PART ...]`. The judge's model stands in `simulation/judge.py`.
"""

from __future__ import annotations

import argparse
import itertools
import random
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from multiprocessing.pool import Pool
from typing import NamedTuple, TypeVar

from simulation.curves import Curve, curve
from simulation.games import Setting, coverage, states, stop

from judge_core.ranking.bradley_terry import Verdicts, estimate
from judge_core.ranking.comparison import Comparison
from judge_core.records.spec import Goal

Found = TypeVar("Found")
TEXTS, ACCURACIES = (16, 64, 256), (0.80, 0.75)
TAU, PRECISION = 0.8, 0.8
WORKERS = 2
WEAK = 1.75
"""A 75 % judge is asked so many times as often."""
SURE = 0.9999
"""Of a goal that only says what the pairs are chosen for: it never stops the run."""


class Row(NamedTuple):
    """A way to rank, and what it should cost at most: calls a text for tau 0.8 with an 80 % judge, by number of texts."""

    name: str
    calls: float
    """To play with an 80 % judge; a 75 % judge gets more."""
    fields: Mapping[str, object]
    aims: Mapping[int, float] = {}
    traits: Mapping[str, float] = {}
    by_elo: bool = False
    texts: tuple[int, ...] = TEXTS

    def setting(self, n: int, accuracy: float) -> Setting:
        calls = self.calls * (1 if accuracy >= 0.8 else WEAK)
        return Setting(n, accuracy, calls, self.fields, self.traits, by_elo=self.by_elo)


LISTS = {"method": "listwise"}
GRADED = {"evidence": "margins"}
ROWS = (
    Row("groups of 8", 2.0, {**LISTS, "group_size": 8}, {64: 1.4}),
    Row("groups of 8, lists 1.3 times noisier", 3.0, {**LISTS, "group_size": 8}, {64: 2.1}, {"list_noise": 1.3}),
    Row("groups of 5", 3.5, {**LISTS, "group_size": 5}),
    Row("groups of 5, lists 1.3 times noisier", 5.0, {**LISTS, "group_size": 5}, {}, {"list_noise": 1.3}),
    Row("pairs, graded scores, Swiss", 8.5, {"method": "swiss", **GRADED}, {64: 6.1, 256: 7.8}),
    Row("pairs, graded scores, adaptive", 8.5, {"method": "adaptive", **GRADED}, {64: 5.5, 256: 7.8}),
    Row("pairs, five levels, Swiss", 10.0, {"method": "swiss", "evidence": "levels"}),
    Row("pairs, winners, Swiss", 13.0, {"method": "swiss"}, {64: 10.5, 256: 10.5}),
    Row("pairs, winners, adaptive", 13.0, {"method": "adaptive"}, {64: 10.5, 256: 10.5}),
    Row("scores first, then graded pairs, Swiss", 7.0, {"method": "swiss", "warm_start": True, **GRADED}),
    Row("scores only", 2.0, {"method": "pointwise"}),
    Row("knockout", 5.0, {"method": "knockout"}),
    Row("pairs, winners, Swiss, rated by Elo", 20.0, {"method": "swiss"}, by_elo=True, texts=(16, 64)),
)


class Top(NamedTuple):
    """A way to find the best 16 of 64."""

    name: str
    calls: float
    fields: Mapping[str, object]
    aim: float | None = None


TOP_GOAL = Goal(kind="top", ranks=(16,), probability=SURE - 1e-4)
TOPS = (
    Top("winners, adaptive for the top 16", 9.0, {"method": "adaptive", "goal": TOP_GOAL}, 4.8),
    Top("graded scores, adaptive for the top 16", 9.0, {"method": "adaptive", "goal": TOP_GOAL, **GRADED}, 4.0),
    Top("winners, Swiss", 9.0, {"method": "swiss"}),
    Top("graded scores, Swiss", 9.0, {"method": "swiss", **GRADED}),
    Top("groups of 8", 2.0, {**LISTS, "group_size": 8}),
)


def shared_out(pool: Pool, work: Callable[[int], Found], seeds: int) -> list[Found]:
    """The work for each seed, over the processes."""
    return pool.map(work, range(seeds), chunksize=max(1, min(5, seeds // 4)))


def climb(pool: Pool, setting: Setting, seeds: int, measure: str = "tau") -> Curve:
    """The mean of a measure after so many calls."""
    runs = shared_out(pool, partial(states, setting), seeds)
    return curve([[(state.calls, getattr(state, measure)) for state in run] for run in runs])


def cost(found: Curve, target: float, aim: float | None = None) -> str:
    """Calls a text to the target, their standard error and the aim; or where the schedule ended."""
    calls = found.reaches(target)
    goal = "" if aim is None else f" (aim {aim:g})"
    if calls is None:
        return f"ends {found.mean[-1]:.2f} at {found.end:.1f}{goal}"
    return f"{calls:.2f} ±{found.doubt(target):.2f}{goal}"


def tell_tau(pool: Pool, seeds: int, texts: Sequence[int], part: str = "") -> None:
    """The main table."""
    print(f"\nCalls a text to Kendall tau {TAU}, mean of {seeds} seeds")
    heads = [f"{accuracy:.0%}, N = {n}" for accuracy, n in itertools.product(ACCURACIES, texts)]
    print(" | ".join(["work", *heads]))
    for row in (row for row in ROWS if part in row.name):
        cells = []
        for accuracy, n in itertools.product(ACCURACIES, texts):
            aim = row.aims.get(n) if accuracy == 0.8 else None
            played = n in row.texts and climb(pool, row.setting(n, accuracy), seeds)
            cells.append(cost(played, TAU, aim) if played else "not played")
        print(" | ".join([row.name, *cells]), flush=True)


def tell_top(pool: Pool, seeds: int) -> None:
    """The best quarter alone."""
    print(f"\nCalls a text until {PRECISION:.0%} of the top 16 of 64 are found, mean of {seeds} seeds")
    print("pairs | 80% | 75%")
    for row in TOPS:
        settings = [Setting(64, 0.8, row.calls, row.fields), Setting(64, 0.75, row.calls * WEAK, row.fields)]
        cells = [
            cost(climb(pool, setting, seeds, "top"), PRECISION, row.aim if setting.accuracy == 0.8 else None)
            for setting in settings
        ]
        print(" | ".join([row.name, *cells]), flush=True)


BIASES = (0.0, 0.6, 1.5, 3.0)
STRATEGIES: Mapping[str, Mapping[str, object]] = {
    "always once": {"orders": "once"},
    "always both": {"orders": "both"},
    "one pair in ten both": {"orders": "check"},
    "the same, all both once the effect is clearly over 1": {"orders": "check", "strong": 1.0},
}


def tell_orders(pool: Pool, seeds: int, evidence: str = "winner") -> None:
    """Whether asking in both orders pays, by what standing first is worth to the judge."""
    print(f"\nCalls a text to tau {TAU} at N = 64, 80 % judge, Swiss, {evidence}: by first-position effect in logits")
    print(" | ".join(["strategy", *(f"{bias:g}" for bias in BIASES)]))
    for name, strategy in STRATEGIES.items():
        cells = []
        for bias in BIASES:
            fields = {"method": "swiss", "evidence": evidence}
            setting = Setting(64, 0.8, 30.0, fields, {"first_position": bias}, **strategy)
            cells.append(cost(climb(pool, setting, seeds), TAU))
        print(" | ".join([name, *cells]), flush=True)


JUDGES = (0.75, 0.80, 0.85, 0.90)
GOALS: Mapping[str, tuple[Goal, Mapping[str, object], float]] = {
    "order@0.9, winners, Swiss": (Goal(kind="order", probability=0.9), {"method": "swiss"}, 31.0),
    "order@0.9, groups of 8": (Goal(kind="order", probability=0.9), {**LISTS, "group_size": 8}, 8.0),
    "top:16@0.8, winners, adaptive": (
        Goal(kind="top", ranks=(16,), probability=0.8),
        {"method": "adaptive", "goal": TOP_GOAL},
        16.0,
    ),
}


def tell_goals(pool: Pool, seeds: int) -> None:
    """What stopping at a goal saves, and whether what it promises is so."""
    print(
        f"\nStopping at a goal, N = 64: calls a text and the share that was truly right, by the judge's accuracy ({seeds} seeds)"
    )
    for name, (goal, fields, calls) in GOALS.items():
        stops = {a: shared_out(pool, partial(stop, Setting(64, a, calls, fields), goal), seeds) for a in JUDGES}
        used = {a: sum(one.calls for one in found) / seeds for a, found in stops.items()}
        true = {a: sum(one.truly for one in found) / seeds for a, found in stops.items()}
        cells = [f"{a:.0%}: {used[a]:.2f} ({true[a]:.3f})" for a in JUDGES]
        mean, most = sum(used.values()) / len(used), max(used.values())
        print(
            " | ".join([name, *cells, f"all: {mean:.2f}, {1 - mean / most:.0%} less than {most:.2f} for each"]),
            flush=True,
        )


COVERED: Mapping[str, tuple[Mapping[str, object], tuple[float, ...]]] = {
    "winners, Swiss": ({"method": "swiss"}, (1.5, 4.0, 10.0)),
    "graded scores, Swiss": ({"method": "swiss", **GRADED}, (1.5, 4.0, 10.0)),
    "five levels, Swiss": ({"method": "swiss", "evidence": "levels"}, (1.5, 4.0, 10.0)),
    "winners, adaptive": ({"method": "adaptive"}, (1.5, 4.0, 10.0)),
    "groups of 8": ({**LISTS, "group_size": 8}, (1.5, 4.0, 10.0)),
}


def tell_coverage(pool: Pool, seeds: int) -> None:
    """Whether 95 % intervals hold 95 % of the truths."""
    print(f"\nTruths inside the 95 % intervals (mean width in logits), N = 64, 80 % judge, {seeds} seeds")
    print("evidence | 1.5 calls a text | 4 | 10")
    for name, (fields, budgets) in COVERED.items():
        cells = []
        for calls in budgets:
            found = shared_out(pool, partial(coverage, Setting(64, 0.8, calls, fields)), seeds)
            covered, width = (sum(values) / seeds for values in zip(*found, strict=True))
            cells.append(f"{covered:.3f} ({width:.2f})")
        print(" | ".join([name, *cells]), flush=True)


SPEEDS = ((64, 1_000, "5 ms"), (1_000, 100_000, "1 s"))


def tell_speed() -> None:
    """Ratings and all intervals from as many judgments."""
    print("\nRatings and intervals, processor time of one process, best of 5")
    for n, number, aim in SPEEDS:
        rng = random.Random(0)
        names = [f"{place:04}" for place in range(n)]
        drawn = [Comparison(*rng.sample(names, 2), rng.choice((0.0, 0.5, 1.0)), position=1) for _ in range(number)]
        taken = []
        for _ in range(5):
            started = time.process_time()
            posterior = estimate(names, Verdicts(drawn))
            intervals = [posterior.interval(name) for name in names]
            taken.append(time.process_time() - started)
            assert len(intervals) == n
        print(f"{n:,} texts, {number:,} judgments: {min(taken) * 1000:.1f} ms (aim under {aim})")


def main() -> None:
    """Prints the tables asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=50)
    parser.add_argument("--quick", action="store_true", help="6 seeds, 16 and 64 texts")
    parser.add_argument("--texts", type=int, nargs="*", default=TEXTS, help="of the main table")
    parser.add_argument("--rows", default="", help="of the main table those whose name has this")
    parser.add_argument("--only", nargs="*", default=["tau", "top", "orders", "goals", "coverage", "speed"])
    asked = parser.parse_args()
    seeds, texts = (6, TEXTS[:2]) if asked.quick else (asked.seeds, asked.texts)
    parts: Mapping[str, Callable[[Pool], None]] = {
        "tau": lambda pool: tell_tau(pool, seeds, texts, asked.rows),
        "top": lambda pool: tell_top(pool, seeds),
        "orders": lambda pool: tell_orders(pool, seeds),
        "goals": lambda pool: tell_goals(pool, seeds),
        "coverage": lambda pool: tell_coverage(pool, seeds),
        "speed": lambda _: tell_speed(),
    }
    with Pool(WORKERS) as pool:
        for name in asked.only:
            started = time.monotonic()
            parts[name](pool)
            print(f"({time.monotonic() - started:.0f} s)")


if __name__ == "__main__":
    main()
