"""Measures what order a Swiss run leaves, and prints the tables of `judge_core/ranking/certainty/table.py`.

Run: python -m benchmarks.simulate_swiss (about two minutes on one core). `--repeats 0.1` does a tenth of the runs.

Model of a judge: true strengths are normal; on a pair the judge sees the difference in strength, plus 0.6 logits for the text
shown first, plus normal noise of sd 1.702; within 0.3 it says tie. Side by lot, one presentation order a pair. The spread of the
strengths is set so that a decisive verdict on a random pair is right with the stated accuracy.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pprint import pformat

import numpy as np

from judge_core.ranking import elo, narrowing
from judge_core.ranking.bradley_terry import Comparison, fit
from judge_core.ranking.certainty.table import ACCURACIES, ROUNDS, TEXTS
from judge_core.ranking.swiss import pair, rank_order
from judge_core.records.spec import Narrowing

SPREAD = {0.75: 1.11, 0.80: 1.51, 0.85: 2.13, 0.90: 3.30}
REPEATS = {2: 2000, 4: 800, 8: 400, 16: 200, 32: 100, 64: 50, 128: 24, 256: 12}
FIRST_POSITION, NOISE, TIE = 0.6, 1.702, 0.3


@dataclass
class Tournament:
    """A simulated run: true strengths, the verdicts so far, and the state that pairing needs."""

    truth: dict[str, float]
    rng: np.random.Generator
    narrowing: Narrowing = Narrowing()
    elo: dict[str, float] = field(default_factory=dict)
    met: set[frozenset[str]] = field(default_factory=set)
    byes: Counter[str] = field(default_factory=Counter)
    verdicts: list[Comparison] = field(default_factory=list)

    def play(self, round: int) -> None:
        """Pairs a round by Elo within its band, and judges it."""
        ranked = rank_order(self.elo or dict.fromkeys(self.truth, elo.START))
        first, last = narrowing.band(self.narrowing, len(ranked), round)
        paired = pair(ranked[first - 1 : last], self.met, self.byes)
        self.byes.update(paired.byes)
        for a, b in paired.pairs:
            self.met.add(frozenset((a, b)))
            self.verdicts.append(self._judge(*((a, b) if self.rng.random() < 0.5 else (b, a))))
        self.elo = elo.rate(self.verdicts, dict.fromkeys(self.truth, elo.START))

    def _judge(self, a: str, b: str) -> Comparison:
        margin = self.truth[a] - self.truth[b] + FIRST_POSITION + self.rng.normal(0, NOISE)
        return Comparison(a, b, 0.5 if abs(margin) < TIE else float(margin > 0), position=1)

    def order(self) -> list[str]:
        """The published order, best first."""
        ranks = fit(list(self.truth), self.verdicts).ranks()
        return sorted(ranks, key=ranks.__getitem__)

    def tau(self) -> float:
        """Kendall's tau (a) of the published ratings with the truth: a tie counts 0."""
        found, true = fit(list(self.truth), self.verdicts).strengths, np.array(list(self.truth.values()))
        upper = np.triu_indices(len(true), 1)
        agreement = np.sign(np.subtract.outer(found, found)) * np.sign(np.subtract.outer(true, true))
        return float(agreement[upper].mean())


def _tournament(n: int, accuracy: float, repeat: int, narrowed: Narrowing) -> Tournament:
    rng = np.random.default_rng([n, round(accuracy * 100), repeat])
    strengths = rng.normal(0, SPREAD[accuracy], n)
    return Tournament({f"{place:03}": float(strength) for place, strength in enumerate(strengths)}, rng, narrowed)


def _taus(n: int, accuracy: float, repeat: int) -> Iterator[float]:
    """Tau after each number of rounds of the table; those beyond a full round robin repeat its value."""
    run, tau, possible = _tournament(n, accuracy, repeat, Narrowing()), 0.0, narrowing.useful_rounds(n, ROUNDS[-1])
    for played in range(1, ROUNDS[-1] + 1):
        if played <= possible:
            run.play(played)
        if played in ROUNDS or played == possible:
            tau = run.tau() if played <= possible else tau
        if played in ROUNDS:
            yield tau


def _top_precision(n: int, accuracy: float, repeat: int) -> float:
    """Share of the true best quarter that three rounds narrowed to it keep."""
    k = max(1, n // 4)
    run = _tournament(n, accuracy, repeat, Narrowing(focus="rank", k=k))
    for played in (1, 2, 3):
        run.play(played)
    best = sorted(run.truth, key=lambda text: -run.truth[text])[:k]
    return len(set(best) & set(run.order()[:k])) / k


def main() -> None:
    """Prints both tables as Python literals."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=float, default=1.0, help="share of the usual number of runs")
    share = parser.parse_args().repeats
    tau: dict[float, dict[int, tuple[float, ...]]] = {accuracy: {} for accuracy in ACCURACIES}
    top: dict[float, tuple[float, ...]] = {}
    for accuracy in ACCURACIES:
        precision = []
        for n in TEXTS:
            repeats = range(max(1, round(REPEATS[n] * share)))
            runs = np.array([list(_taus(n, accuracy, repeat)) for repeat in repeats])
            tau[accuracy][n] = tuple(round(float(mean), 3) for mean in runs.mean(axis=0))
            precision.append(round(float(np.mean([_top_precision(n, accuracy, repeat) for repeat in repeats])), 3))
        top[accuracy] = tuple(precision)
    print("TAU =", pformat(tau, width=110))
    print("TOP_QUARTER =", pformat(top, width=110))


if __name__ == "__main__":
    main()
