"""How rankings by recorded judges stand to people's votes: calls to a target, promised against kept, criteria against choice.

`python people.py [--seeds N]`. The data sets are looked for under PODIUM_TEST_DATA, else beside the repository.
"""

from __future__ import annotations

import argparse
import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq
from scipy.special import ndtr, ndtri
from scipy.stats import spearmanr
from simulation.curves import Curve, curve
from simulation.judge import SPREAD, Judge
from simulation.run import Run, spec_of, tau
from simulation.votes import (
    DATA,
    PEOPLE,
    Ballots,
    Voters,
    both_orders,
    chat_answers,
    dialogue_scores,
    essay_levels,
    majority,
    ukp,
    writing_samples,
)

from judge_core.ranking.bradley_terry import Posterior, Verdicts, estimate

TARGET = 0.85
SWISS_ELO_CALLS = 204
SURE = 0.975
LABELLED = 50
"""Pairs that people are asked for, to measure how far the judge's order is theirs."""
CRITERIA = ("understandability", "naturalness", "coherence", "engagingness", "groundedness")


class Way(NamedTuple):
    """A way of choosing pairs and of rating them."""

    name: str
    fields: Mapping[str, object]
    by_elo: bool = False


WAYS = (
    Way("Swiss, Elo", {"method": "swiss"}, by_elo=True),
    Way("Swiss, Bradley-Terry", {"method": "swiss"}),
    Way("Swiss, graded by votes", {"method": "swiss", "evidence": "margins"}),
    Way("adaptive", {"method": "adaptive"}),
    Way("adaptive, graded by votes", {"method": "adaptive", "evidence": "margins"}),
)


def spearman(run: Run, by_elo: bool) -> float:
    """Rank correlation of the order so far with the published one."""
    found = [run.ratings[text] for text in run.items] if by_elo else run.posterior().strengths
    return float(spearmanr(found, [run.judge.truth[text] for text in run.items]).statistic)


def climb(data: tuple[Ballots, Mapping[str, float]], way: Way, single: bool, seeds: int, calls: float) -> Curve:
    """Spearman after each wave, over seeds; Podium draws sides and first opponents anew for each."""
    ballots, truth = data
    runs = []
    for seed in range(seeds):
        rng = np.random.default_rng(seed)
        aliases = rng.permutation(sorted(truth)).tolist()
        run = Run(spec_of(aliases, seed, **way.fields), Voters(ballots, truth, rng if single else None), rng)
        runs.append([(run.calls / len(truth), spearman(run, way.by_elo)) for _ in run.play(calls)])
    return curve(runs)


def tell_climb(name: str, data: tuple[Ballots, Mapping[str, float]], seeds: int, singles: Sequence[bool]) -> None:
    n = len(data[1])
    print(
        f"\n{name}: calls to Spearman {TARGET} with the published order, mean of {seeds} seeds (reached after 204 calls)"
    )
    for single, way in itertools.product(singles, WAYS):
        if single and "votes" in way.name:
            continue
        found = climb(data, way, single, seeds, (n - 1) / 2)
        calls = found.reaches(TARGET)
        judged = "one voter a pair" if single else "the majority"
        reached = f"never (ends at {found.mean[-1]:.3f})" if calls is None else f"{calls * n:.0f}"
        print(f"  {judged:<17} {way.name:<26} {reached:<24} {found.at(SWISS_ELO_CALLS / n):.3f}", flush=True)


class Promise(NamedTuple):
    """An order of two texts that the judge's posterior favours, and whether people's majority has it so."""

    chance: float
    kept: bool


def promises(posterior: Posterior, held_out: Ballots) -> Iterator[Promise]:
    """Of the pairs on which people have a majority."""
    for pair, ballot in held_out.items():
        a, b = sorted(pair)
        chosen = majority(ballot)
        if chosen is not None and {a, b} <= set(posterior.items):
            chance = posterior.probability_above(a, b)
            yield Promise(max(chance, 1 - chance), (chance > 0.5) == (chosen == a))


def widened(found: Sequence[Promise], rng: np.random.Generator) -> list[Promise]:
    """The promises with the intervals widened until, over 50 labelled pairs, what is promised is what is kept.

    The labelled pairs are not among those returned. Nothing is made narrower.
    """
    order = rng.permutation(len(found))
    labelled, rest = ([found[place] for place in part] for part in (order[:LABELLED], order[LABELLED:]))
    agreement = min(max(np.mean([promise.kept for promise in labelled]), 0.5 + 1e-6), 1 - 1e-6)
    reach = ndtri(np.clip([promise.chance for promise in labelled], 0.5, 1 - 1e-12))

    def surplus(factor: float) -> float:
        return float(ndtr(reach / factor).mean() - agreement)

    factor = 1.0 if surplus(1.0) <= 0 else brentq(surplus, 1.0, 1e7)
    return [Promise(float(ndtr(ndtri(min(p.chance, 1 - 1e-12)) / factor)), p.kept) for p in rest]


def wilson(share: float, n: int) -> tuple[float, float]:
    """95 % interval of a share seen in n cases (E. B. Wilson, 1927)."""
    z = 1.96
    middle, reach = share + z * z / (2 * n), z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return (middle - reach) / (1 + z * z / n), (middle + reach) / (1 + z * z / n)


def tell_promises(name: str, runs: Sequence[Sequence[Promise]]) -> None:
    """Shares over all runs; the interval counts the pairs of one run alone, since runs share their pairs."""
    rng = np.random.default_rng(0)
    for title, sets in (("as published", runs), ("widened", [widened(run, rng) for run in runs])):
        every = [promise for run in sets for promise in run]
        sure = [promise.kept for promise in every if promise.chance >= SURE]
        inside = np.mean([p.kept or p.chance < SURE for p in every])
        said = "none is promised"
        if sure:
            low, high = wilson(float(np.mean(sure)), max(1, len(sure) // len(sets)))
            said = f"{len(sure) / len(every):.0%} promised, of these kept {np.mean(sure):.3f} [{low:.2f}, {high:.2f}]"
        print(
            f"  {name:<34} {title:<13} {len(every) // len(sets):>4} pairs: inside {inside:.3f}; {said}; {bins(every)}"
        )


def bins(found: Sequence[Promise]) -> str:
    """Kept in each band of what was promised."""
    edges = (0.5, 0.6, 0.7, 0.8, 0.9, SURE, 1.0001)
    parts = []
    for low, high in itertools.pairwise(edges):
        kept = [promise.kept for promise in found if low <= promise.chance < high]
        parts.append(f"{low:g}-{min(high, 1):g} {np.mean(kept):.2f}" if kept else f"{low:g}-{min(high, 1):g} -")
    return ", ".join(parts)


def run_against_the_rest(single: bool, seed: int, calls: float) -> list[Promise]:
    """A Swiss run on part of the pairs; the majority of five on the pairs that it did not ask."""
    ballots, truth = ukp()
    rng = np.random.default_rng(seed)
    spec = spec_of(rng.permutation(sorted(truth)).tolist(), seed, method="swiss")
    run = Run(spec, Voters(ballots, truth, rng if single else None), rng)
    for _ in run.play(calls):
        pass
    return list(promises(run.posterior(), {pair: votes for pair, votes in ballots.items() if pair not in run.met}))


def model_against_people(name: str, seed: int) -> list[Promise]:
    """A language model's verdicts (or people's own votes) on half of the pairs; people's votes on the other half."""
    verdicts, people = chat_answers(name)
    pairs = sorted({frozenset((verdict.a, verdict.b)) for verdict in verdicts}, key=sorted)
    rng = np.random.default_rng(seed)
    asked = {pairs[place] for place in rng.permutation(len(pairs))[: len(pairs) // 2]}
    texts = sorted({text for pair in pairs for text in pair})
    used = [verdict for verdict in verdicts if frozenset((verdict.a, verdict.b)) in asked]
    posterior = estimate(texts, Verdicts(used))
    return list(promises(posterior, {pair: votes for pair, votes in people.items() if pair not in asked}))


def tell_criteria() -> None:
    """Criteria against the overall score of the same people, each tried on how the two systems fare in other dialogues."""
    rows = dialogue_scores()
    systems, tasks = sorted({row["author"] for row in rows}), sorted({row["task_id"] for row in rows})
    of = {(row["task_id"], row["author"]): row for row in rows}
    signals: dict[str, Callable[[Mapping[str, float]], float]] = {
        "sum of criteria": lambda row: sum(
            row[name] / (1 if name in ("understandability", "groundedness") else 3) for name in CRITERIA
        ),
        "overall score": lambda row: row["overall"],
    }
    grid = {name: np.array([[signal(of[t, s]) for s in systems] for t in tasks]) for name, signal in signals.items()}
    print(f"\nTopical-Chat, {len(tasks)} dialogues x {len(systems)} systems, people's mean scores:")
    for standard, name in itertools.product(grid, grid):
        hits = [hit for task in range(len(tasks)) for hit in _hits(grid[name], grid[standard], task)]
        low, high = wilson(float(np.mean(hits)), len(hits))
        print(
            f"  {name:<16} orders two replies as the {standard} of other dialogues: {np.mean(hits):.3f} [{low:.3f}, {high:.3f}] of {len(hits)}"
        )


def _hits(signal: np.ndarray, standard: np.ndarray, task: int) -> Iterator[float]:
    elsewhere = (standard.sum(axis=0) - standard[task]) / (len(standard) - 1)
    for s, t in itertools.combinations(range(signal.shape[1]), 2):
        gap, true = signal[task, s] - signal[task, t], elsewhere[s] - elsewhere[t]
        yield 0.5 if abs(gap) < 1e-9 else float(gap * true > 0)


ESSAY_WORK: Mapping[str, tuple[Mapping[str, object], float]] = {
    "groups of 8": ({"method": "listwise", "group_size": 8}, 1.5),
    "pairs, graded scores, Swiss": ({"method": "swiss", "evidence": "margins"}, 6.0),
    "pairs, winners, Swiss": ({"method": "swiss"}, 10.0),
}


def tell_orders() -> None:
    """What a call tells of the right answer, in bits: one order of a pair, or both, merged to a tie where they differ."""
    print(
        "\nLLMBar, 419 pairs in both orders: first place in logits; bits a call, asked once / both kept / both merged"
    )
    for name, rows in both_orders().items():
        first = np.mean([(ab == "A") + (ba == "B") for _, ab, ba in rows]) / 2
        once = (shared([(true, ab) for true, ab, _ in rows]) + shared([(true, ba) for true, _, ba in rows])) / 2
        both = shared([(true, ab + ba) for true, ab, ba in rows]) / 2
        merged = shared([(true, ab if ab == ba else "tie") for true, ab, ba in rows]) / 2
        print(f"  {name:<16} {math.log(first / (1 - first)):>5.2f}; {once:.3f} / {both:.3f} / {merged:.3f}")


def shared(rows: Sequence[tuple[str, str]]) -> float:
    """Mutual information of two columns, in bits."""
    left, right = Counter(a for a, _ in rows), Counter(b for _, b in rows)
    return sum(
        count / len(rows) * math.log2(count * len(rows) / (left[a] * right[b]))
        for (a, b), count in Counter(rows).items()
    )


def tell_essays(seeds: int) -> None:
    """1,000 essays: the levels at which they were written are real, the judge is simulated."""
    levels = np.random.default_rng(0).permutation(essay_levels())
    truth = dict(zip((f"{place:04}" for place in range(len(levels))), levels * SPREAD[0.8] / levels.std(), strict=True))
    print(
        f"\npairwiseLLM, 1,000 essays at 20 levels, 80 % judge (simulated), {seeds} seeds: tau over essays of unlike level"
    )
    for name, (fields, calls) in ESSAY_WORK.items():
        taus = []
        for seed in range(seeds):
            rng = np.random.default_rng(seed)
            run = Run(spec_of(truth, seed, **fields), Judge(truth, rng), rng)
            for _ in run.play(calls):
                pass
            true = np.array(list(truth.values()))
            unlike = (np.subtract.outer(true, true) != 0).sum() / (len(true) * (len(true) - 1))
            taus.append(tau(run.posterior().strengths, true) / unlike)
        print(f"  {name:<28} {calls:>4} calls a text: {np.mean(taus):.3f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=20)
    seeds = parser.parse_args().seeds
    if not DATA.is_dir():
        raise SystemExit(f"Skipped: the data sets are not under {DATA}. Set PODIUM_TEST_DATA to their folder.")
    tell_climb("UKPConvArg1, 35 texts", ukp(), seeds, (False, True))
    tell_climb("pairwiseLLM, 20 texts", writing_samples(), seeds, (False,))
    tell_essays(3)
    print(
        "\nHeld-out orders of people's majorities: inside the 95 % intervals; promised (P >= .975) and kept; kept by band"
    )
    for single, calls in itertools.product((False, True), (4.0, 10.0)):
        name = f"UKP, {'one voter' if single else 'majority'}, {calls:.0f} calls a text"
        tell_promises(name, [run_against_the_rest(single, seed, calls) for seed in range(seeds)])
    for name in ("gpt-4", "gpt-3.5-turbo-instruct", PEOPLE):
        tell_promises(f"LLMFAO, {name}", [model_against_people(name, seed) for seed in range(seeds)])
    tell_criteria()
    tell_orders()


if __name__ == "__main__":
    main()
