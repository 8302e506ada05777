"""Nominal 95 % intervals hold the truth as often as they promise, simulated under the model of the judge."""

from __future__ import annotations

import numpy as np
import pytest

from judge_core.ranking.bradley_terry import MEAN, POINTS_PER_LOGIT, Ranked, Terms, Verdicts, estimate
from judge_core.scoring.grades import MOST_LOGITS, bands
from tests.ranking.verdicts import FIRST, SIDE, judged_lists, judged_pairs, judged_singly, world

SIZE = 40
KINDS = ("winners", "margins", "levels", "probabilities", "lists")
GRADED = ("margins", "levels", "probabilities")


def said(kind, rng, items, truth, calls):
    """What a judge that is right on 80 % of random pairs says in so many calls a text."""
    number = round(calls * len(items))
    if kind == "lists":
        return Verdicts(rankings=judged_lists(rng, items, truth, number))
    pairs = judged_pairs(rng, items, truth, number)
    if kind == "levels":
        pairs = in_levels(pairs)
    if kind == "probabilities":
        pairs = [row._replace(margin=min(max(row.margin, -MOST_LOGITS), MOST_LOGITS)) for row in pairs]
    return Verdicts(pairs)


def in_levels(pairs):
    """The margins as five levels: much better from 2 logits on."""
    sizes = [0 if row.result == 0.5 else 1 + (abs(row.margin) >= 2 * 0.7) for row in pairs]
    worth = bands([sizes.count(size) for size in range(3)])
    return [
        row._replace(margin=float(np.copysign(worth[size].mean, row.margin)), rounding=worth[size].variance)
        for row, size in zip(pairs, sizes, strict=True)
    ]


def held(posterior, items, truth):
    """Per text: whether the interval holds its true rating."""
    points = MEAN + POINTS_PER_LOGIT * (truth - truth.mean())
    bounds = np.array([posterior.interval(item) for item in items])
    return (bounds[:, 0] <= points) & (points <= bounds[:, 1])


@pytest.mark.parametrize("calls", [1.5, 4, 10])
@pytest.mark.parametrize("kind", KINDS)
def test_intervals_cover_93_to_99_of_100_truths(kind, calls):
    inside = []
    for seed in range(20):
        rng, items, truth = world([seed, int(10 * calls)], SIZE)
        given = said(kind, rng, items, truth, calls)
        inside.append(held(estimate(items, given, Terms(margins=kind in GRADED)), items, truth))
    assert 0.93 <= np.mean(inside) <= 0.99


def in_both_orders(rng, items, truth, number):
    """Lists with their reverses, each by half."""
    rows = []
    for one in judged_lists(rng, items, truth, number):
        shown = one.shown[::-1]
        seen = truth[[items.index(text) for text in shown]] + FIRST * (0.5 - np.arange(len(shown)) / (len(shown) - 1))
        order = np.argsort(-(seen + rng.normal(0, SIDE, len(shown))))
        rows += [one._replace(weight=0.5), Ranked(tuple(shown[place] for place in order), 0.5, shown)]
    return rows


def test_what_levels_leave_open_makes_ratings_unbiased_and_less_sure():
    """Known: strengths from levels regress on those from the margins themselves with a slope of about 1."""
    slopes, widths = [], []
    for seed in range(8):
        rng, items, truth = world([seed, 13], SIZE)
        pairs = judged_pairs(rng, items, truth, 10 * SIZE)
        rough = in_levels(pairs)
        exact = [row._replace(rounding=0.0) for row in rough]
        fine, levels, bare = (estimate(items, Verdicts(rows), Terms(margins=True)) for rows in (pairs, rough, exact))
        slopes.append(np.polyfit(fine.strengths, levels.strengths, 1)[0])
        widths.append(np.sqrt(levels.variances.mean() / bare.variances.mean()))
    assert np.mean(slopes) == pytest.approx(1.0, abs=0.05)
    assert 1.05 < np.mean(widths) < 1.25


@pytest.mark.parametrize("calls", [1.5, 4])
def test_intervals_cover_where_every_list_is_asked_in_reverse_too(calls):
    """They are meant for a judge that repeats itself, so they are wide for one whose errors are new each time."""
    inside = []
    for seed in range(12):
        rng, items, truth = world([seed, 11], SIZE)
        rows = in_both_orders(rng, items, truth, round(calls * SIZE / 8))
        inside.append(held(estimate(items, Verdicts(rankings=rows)), items, truth))
    assert np.mean(inside) >= 0.93


@pytest.mark.parametrize("kind", ["winners", "margins", "lists"])
def test_the_expected_tau_is_the_one_that_comes(kind):
    expected, found = [], []
    for seed in range(12):
        rng, items, truth = world([seed, 7], SIZE)
        posterior = estimate(items, said(kind, rng, items, truth, 4), Terms(margins=kind == "margins"))
        signs = np.sign(np.subtract.outer(posterior.strengths, posterior.strengths))
        agreement = signs * np.sign(np.subtract.outer(truth, truth))
        found.append(agreement.sum() / (SIZE * (SIZE - 1)))
        expected.append(posterior.expected_tau())
    assert np.mean(expected) == pytest.approx(np.mean(found), abs=0.04)


def test_intervals_from_scores_with_pairs_and_lists_cover_too():
    inside = []
    for seed in range(12):
        rng, items, truth = world([seed, 3], SIZE)
        pairs, lists = judged_pairs(rng, items, truth, 40, judge="a"), judged_lists(rng, items, truth, 12, judge="b")
        given = Verdicts(pairs, lists, judged_singly(rng, items, truth, judge="c"))
        inside.append(held(estimate(items, given, Terms(margins=True)), items, truth))
    assert 0.93 <= np.mean(inside) <= 0.99


def test_intervals_cover_where_judges_differ_and_their_sharpness_is_estimated():
    inside = []
    for seed in range(6):
        rng, items, truth = world([seed, 5], SIZE)
        pairs = []
        for judge, sharpness in (("a", 2.0), ("b", 1.0), ("c", 0.5)):
            rows = judged_pairs(rng, items, truth, 120, sharpness=sharpness, judge=judge)
            pairs += [row._replace(margin=None) for row in rows]
        inside.append(held(estimate(items, Verdicts(pairs), Terms(discrimination=True)), items, truth))
    assert 0.92 <= np.mean(inside) <= 0.99


def test_anchored_intervals_cover_absolute_ratings():
    inside = []
    for seed in range(12):
        rng, items, truth = world([seed, 9], SIZE)
        anchors = {item: MEAN + POINTS_PER_LOGIT * value for item, value in zip(items[:6], truth[:6], strict=True)}
        posterior = estimate(items, said("winners", rng, items, truth, 6), Terms(anchors=anchors))
        bounds = np.array([posterior.interval(item) for item in items[6:]])
        points = MEAN + POINTS_PER_LOGIT * truth[6:]
        inside.append((bounds[:, 0] <= points) & (points <= bounds[:, 1]))
    assert 0.92 <= np.mean(inside) <= 0.99
