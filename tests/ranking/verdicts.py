"""Verdicts of every kind: strategies, and judges simulated from known strengths."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from judge_core.ranking.bradley_terry import Comparison, Ranked, Score, Verdicts

NOISE = 1.702
"""Of a pair's margin, in logits; a list's or score's text has the share of one side."""
SIDE = NOISE / 2**0.5
FIRST = 0.6


@st.composite
def verdicts(draw, largest=6):
    """Items, and comparisons with and without margins, lists and scores of them, by two judges."""
    size = draw(st.integers(3, largest))
    items = [f"t{place}" for place in range(size)]
    judge, weight = st.sampled_from(["j", "k"]), st.sampled_from([1.0, 0.5, 1 / 3])
    pairs = st.permutations(items).map(lambda order: order[:2])
    margins = st.integers(-4, 4)
    comparisons = st.builds(
        lambda pair, margin, told, *rest: Comparison(
            *pair, (np.sign(margin) + 1) / 2, rest[0], rest[1], float(margin) if told else None, rest[2]
        ),
        pairs, margins, st.booleans(), weight, st.sampled_from([-1, 0, 1]), judge,
    )  # fmt: skip
    lists = st.builds(
        lambda order, shown, length, *rest: ranked(order[:length], shown, *rest),
        st.permutations(items), st.permutations(items), st.integers(2, size), weight, st.booleans(), judge,
    )  # fmt: skip
    scores = st.builds(Score, st.sampled_from(items), st.integers(1, 5).map(float), weight, judge)
    kinds = [st.lists(comparisons, max_size=30), st.lists(lists, max_size=5), st.lists(scores, max_size=10)]
    return items, Verdicts(*(draw(kind) for kind in kinds))


def ranked(texts, shown, weight, told, judge):
    """A list, with the order shown if that is told."""
    return Ranked(tuple(texts), weight, tuple(text for text in shown if text in texts) if told else (), judge)


def reversed_verdicts(given):
    """What the judges would have said of the opposite quality; whoever was favoured by a place is so no more."""
    return Verdicts(
        [
            row._replace(
                result=1 - row.result, margin=None if row.margin is None else -row.margin, position=-row.position
            )
            for row in given.comparisons
        ],
        [row._replace(texts=row.texts[::-1], shown=row.shown[::-1]) for row in given.rankings],
        [row._replace(value=-row.value) for row in given.scores],
    )


def world(seed, size, spread=1.51):
    """A generator, items and their true strengths."""
    rng = np.random.default_rng(seed)
    return rng, [f"t{place:03}" for place in range(size)], rng.normal(0, spread, size)


def rounds(rng, size, number):
    """So many pairs of indices, everyone once before anyone twice."""
    pairs = []
    while len(pairs) < number:
        order = rng.permutation(size)
        pairs += zip(order[0::2].tolist(), order[1::2].tolist(), strict=False)
    return pairs[:number]


def judged_pairs(rng, items, truth, number, **judge):
    """Comparisons with margins in the judge's `unit`, by its `sharpness`; the first place is worth 0.6 logits."""
    unit, sharpness, name = judge.get("unit", 0.7), judge.get("sharpness", 1.0), judge.get("judge", "")
    rows = []
    for a, b in rounds(rng, len(items), number):
        margin = sharpness * (truth[a] - truth[b] + FIRST) + rng.normal(0, NOISE)
        result = 0.5 if abs(margin) < 0.3 else float(margin > 0)
        rows.append(Comparison(items[a], items[b], result, 1.0, 1, margin * unit, name))
    return rows


def judged_lists(rng, items, truth, number, length=8, **judge):
    """Lists of texts that were dealt out in turn; the first place is worth 0.6 logits over the last."""
    sharpness, name = judge.get("sharpness", 1.0), judge.get("judge", "")
    rows, pool = [], []
    for _ in range(number):
        if len(pool) < length:
            pool = [*pool, *(text for text in rng.permutation(len(items)).tolist() if text not in pool)]
        shown, pool = pool[:length], pool[length:]
        places = FIRST * (0.5 - np.arange(length) / (length - 1))
        seen = sharpness * (truth[shown] + places) + rng.normal(0, SIDE, length)
        best_first = tuple(items[shown[place]] for place in np.argsort(-seen))
        rows.append(Ranked(best_first, 1.0, tuple(items[text] for text in shown), name))
    return rows


def judged_singly(rng, items, truth, *, unit=7.0, origin=50.0, judge=""):
    """A score for each text."""
    noise = rng.normal(0, SIDE, len(items))
    return [
        Score(item, float(origin + unit * value), 1.0, judge) for item, value in zip(items, truth + noise, strict=True)
    ]
