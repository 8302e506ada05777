"""Measures what order each method leaves, and prints the tables of `judge_core/ranking/certainty/`.

Run: python benchmarks/simulate_methods.py (some minutes on two cores). `--repeats 0.1` does a tenth of the runs; names of
tables as arguments print these alone. The model of the judge stands in `simulation/judge.py`; rated as published, by winners.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from multiprocessing.pool import Pool
from pprint import pformat

import numpy as np
from simulation.games import Setting

from judge_core.ranking.certainty.methods import GROUP_SIZES, LISTS
from judge_core.ranking.certainty.table import ACCURACIES, ROUNDS, TEXTS
from judge_core.records.spec import Narrowing

REPEATS = {2: 2000, 4: 800, 8: 400, 16: 200, 32: 100, 64: 50, 128: 24, 256: 12}
ENDLESS = 1e9
"""Calls a text: the schedule ends by itself."""
WORKERS = 2


def taus(setting: Setting, points: Sequence[int], seed: int) -> list[float]:
    """Tau after so many rounds of pairs or of lists; beyond the schedule's end its last value stands."""
    run, due, found = setting.run(seed), list(points), list[float]()
    pairs = setting.n // 2
    for _ in run.play(ENDLESS):
        done = len(run.comparisons) / pairs if run.comparisons else run.waves - bool(run.scores)
        while due and done >= due[0] - 1e-9:
            found.append(run.state(setting.top).tau)
            due.pop(0)
        if not due:
            return found
    return [*found, *[run.state(setting.top).tau] * len(due)]


def top(setting: Setting, seed: int) -> list[float]:
    """Share of the true best quarter that is kept at the end."""
    run = setting.run(seed)
    for _ in run.play(ENDLESS):
        pass
    return [run.state(setting.top).top]


def knockout(setting: Setting, seed: int) -> list[float]:
    """Tau at the end; whether the winner of the final is truly the best text; whether it is among the best tenth."""
    run = setting.run(seed)
    for _ in run.play(ENDLESS):
        pass
    final = run.results[-1]
    champion = final.a if final.result is None or final.result >= 0.5 else final.b
    better = sum(strength > run.judge.truth[champion] for strength in run.judge.truth.values())
    return [run.state(setting.top).tau, float(better == 0), float(better < max(1.0, setting.n / 10))]


Work = Callable[[int, float], Callable[[int], list[float]]]


def by_size(pool: Pool, share: float, work: Work) -> dict[float, dict[int, tuple[float, ...]]]:
    """Means over runs by accuracy and number of texts."""
    found: dict[float, dict[int, tuple[float, ...]]] = {}
    for accuracy in ACCURACIES:
        found[accuracy] = {}
        for n in TEXTS:
            runs = pool.map(work(n, accuracy), range(max(1, round(REPEATS[n] * share))), chunksize=2)
            found[accuracy][n] = tuple(np.mean(runs, axis=0).round(3).tolist())
    return found


def rounds(points: Sequence[int], **fields: object) -> Work:
    """Taus of a method after so many rounds."""
    return lambda n, accuracy: partial(taus, Setting(n, accuracy, ENDLESS, {"rounds": points[-1], **fields}), points)


def narrowed(n: int, accuracy: float) -> Callable[[int], list[float]]:
    """Three rounds narrowed to the best quarter."""
    keep = Narrowing(focus="rank", k=max(1, n // 4))
    return partial(top, Setting(n, accuracy, ENDLESS, {"rounds": 3, "narrowing": keep}))


def knocked_out(n: int, accuracy: float) -> Callable[[int], list[float]]:
    """A bracket with a match for the third place."""
    return partial(knockout, Setting(n, accuracy, ENDLESS, {"method": "knockout"}))


TABLES: Mapping[str, Work] = {
    "TAU": rounds(ROUNDS),
    "TOP_QUARTER": narrowed,
    "ADAPTIVE": rounds(ROUNDS, method="adaptive"),
    "SCORES_FIRST": rounds(ROUNDS, warm_start=True),
    "ROUND_ROBIN": rounds((10_000,), method="round-robin"),
    "SCORES_ONLY": rounds((1,), method="pointwise"),
    "KNOCKOUT": knocked_out,
    **{f"LISTWISE[{size}]": rounds(LISTS, method="listwise", group_size=size) for size in GROUP_SIZES},
}


ENDS: Mapping[str, tuple[str, ...]] = {
    "TOP_QUARTER": ("TOP_QUARTER",),
    "ROUND_ROBIN": ("ROUND_ROBIN",),
    "SCORES_ONLY": ("SCORES_ONLY",),
    "KNOCKOUT": ("KNOCKOUT", "WINNER_BEST", "WINNER_BEST_TENTH"),
}
"""Tables of single values, by their names: printed as a row of all sizes for each accuracy."""


def tell(name: str, found: Mapping[float, Mapping[int, Sequence[float]]]) -> None:
    """The table as a Python literal, or the tables of its columns."""
    if name not in ENDS:
        print(f"{name} =", pformat(found, width=110), flush=True)
    for place, label in enumerate(ENDS.get(name, ())):
        column = {accuracy: tuple(values[place] for values in sizes.values()) for accuracy, sizes in found.items()}
        print(f"{label} =", pformat(column, width=110), flush=True)


def main() -> None:
    """Prints the tables as Python literals."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tables", nargs="*", default=list(TABLES), help=", ".join(TABLES))
    parser.add_argument("--repeats", type=float, default=1.0, help="share of the usual number of runs")
    asked = parser.parse_args()
    with Pool(WORKERS) as pool:
        for name in asked.tables:
            tell(name, by_size(pool, asked.repeats, TABLES[name]))


if __name__ == "__main__":
    main()
