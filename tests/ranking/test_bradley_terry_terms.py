"""What the model can hold beside strengths: length, judges of different sharpness, anchors."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import settings
from scipy.optimize import minimize
from scipy.stats import kendalltau

from judge_core.ranking.bradley_terry import (
    MEAN,
    POINTS_PER_LOGIT,
    Comparison,
    Terms,
    Verdicts,
    estimate,
    fit,
)
from tests.ranking.verdicts import (
    SIDE,
    judged_lists,
    judged_pairs,
    judged_singly,
    world,
)

quick = settings(max_examples=15, deadline=None)


def test_a_planted_length_bias_is_found_with_its_sign_and_taken_out():
    """0.5 logits a doubling: with the term the top 16 of 64 are at least 90 % of what an unbiased judge gives."""
    kept = {"fair": 0.0, "biased": 0.0, "corrected": 0.0}
    effects = []
    for seed in range(6):
        rng, items, truth = world(seed, 64)
        words = 2.0 ** rng.normal(8, 1.2, 64)
        seen = truth + 0.5 * np.log2(words)
        fair = Verdicts(judged_pairs(np.random.default_rng(seed), items, truth, 384))
        biased = Verdicts(judged_pairs(np.random.default_rng(seed), items, seen, 384))
        lengths = dict(zip(items, words.tolist(), strict=True))
        best = {items[place] for place in np.argsort(-truth)[:16]}
        for name, said, terms in (
            ("fair", fair, Terms()), ("biased", biased, Terms()), ("corrected", biased, Terms(lengths=lengths)),
        ):  # fmt: skip
            posterior = estimate(items, said, terms)
            kept[name] += sum(posterior.ranks()[item] <= 16 for item in best)
        effects.append(posterior.length_effect.logits)
    assert np.mean(effects) == pytest.approx(0.5, abs=0.15)
    assert kept["corrected"] >= 0.9 * kept["fair"] and kept["corrected"] > kept["biased"]


def test_a_preference_for_short_texts_has_the_other_sign():
    rng, items, truth = world(9, 80)
    words = 2.0 ** rng.normal(8, 1, 80)
    given = Verdicts(judged_pairs(rng, items, truth - np.log2(words), 800))
    effect = estimate(items, given, Terms(lengths=dict(zip(items, words.tolist(), strict=True)))).length_effect
    assert effect.logits < -2 * effect.sd


def test_without_texts_of_different_length_no_length_effect_is_claimed():
    terms = Terms(lengths={"x": 100.0, "y": 100.0})
    assert estimate(["x", "y"], Verdicts([Comparison("x", "y", 1.0)]), terms).length_effect is None


@pytest.mark.parametrize("kind", ["winners", "margins", "lists"])
def test_sharp_and_blunt_judges_are_told_apart_without_labels(kind):
    rng, items, truth = world(11, 40)
    pairs, lists = [], []
    for judge, sharpness in (("sharp", 2.0), ("plain", 1.0), ("blunt", 0.5)):
        if kind == "lists":
            lists += judged_lists(rng, items, truth, 60, length=5, sharpness=sharpness, judge=judge)
        else:
            rows = judged_pairs(rng, items, truth, 300, sharpness=sharpness, judge=judge)
            pairs += rows if kind == "margins" else [row._replace(margin=None) for row in rows]
    posterior = estimate(items, Verdicts(pairs, lists), Terms(margins=True, discrimination=True))
    found = posterior.discriminations
    assert found["sharp"].logits > found["plain"].logits > found["blunt"].logits
    logarithms = np.array([[np.log(found[judge].logits), found[judge].sd] for judge in ("sharp", "plain", "blunt")])
    assert logarithms[:, 0].sum() == pytest.approx(0, abs=1e-9)
    assert logarithms[:, 0] == pytest.approx(np.log([2.0, 1.0, 0.5]), abs=0.35)
    assert ((logarithms[:, 1] > 0.01) & (logarithms[:, 1] < 0.4)).all()
    plain = estimate(items, Verdicts(pairs, lists), Terms(margins=True))
    assert plain.discriminations == {}
    taus = [kendalltau(each.strengths, truth).statistic for each in (plain, posterior)]
    assert taus[1] > taus[0] - 0.01


def test_a_single_judge_has_the_multiplier_one():
    rows = [Comparison("x", "y", 1.0, judge="j")]
    posterior = estimate(["x", "y"], Verdicts(rows), Terms(discrimination=True))
    assert posterior.discriminations == {"j": (1.0, 0.0)}
    assert posterior.strengths == pytest.approx(fit(["x", "y"], rows).strengths)


def test_multipliers_are_most_probable_over_all_strengths():
    """For scores that probability is exact: no other sharing of sharpness among the judges has a higher one."""
    rng, items, truth = world(12, 30)
    scores = judged_singly(rng, items, truth, judge="a") + judged_singly(rng, items, truth / 2, unit=9.0, judge="b")
    scores += judged_singly(rng, items, truth, unit=2.0, judge="c")
    found = estimate(items, Verdicts(scores=scores), Terms(discrimination=True)).discriminations
    logarithms = np.log([found[judge].logits for judge in "abc"])
    values = np.array([[row.value for row in scores if row.judge == judge] for judge in "abc"])
    values -= values.mean(axis=1, keepdims=True)

    def covariance(multiplier, spread):
        return multiplier**2 * (spread**2 * np.eye(30) + 100.0) + SIDE**2 * np.eye(30)

    units = [
        (own @ np.linalg.inv(covariance(np.exp(logarithm), 1.5)) @ own / 29) ** 0.5
        for logarithm, own in zip(logarithms, values, strict=True)
    ]
    logits = (values / np.array(units)[:, None]).ravel()

    def depth(free):
        tried = np.exp([*free, -sum(free)])
        whole = np.kron(np.outer(tried, tried), 4.0 * np.eye(30))
        whole += np.kron(np.diag(tried**2), np.full((30, 30), 100.0)) + SIDE**2 * np.eye(90)
        prior = (np.log(tried) @ np.log(tried)) / (2 * 0.5**2)
        return prior + logits @ np.linalg.solve(whole, logits) / 2 + np.linalg.slogdet(whole)[1] / 2

    best = minimize(depth, [0.0, 0.0], method="Nelder-Mead", options={"xatol": 1e-6, "fatol": 1e-10}).x
    assert logarithms[:2] == pytest.approx(best, abs=1e-4)


def test_anchors_stay_and_give_the_scale():
    rows = [Comparison("new", "old", 1.0), Comparison("new", "older", 0.0), Comparison("old", "older", 0.5)]
    posterior = estimate(["new", "old", "older"], Verdicts(rows), Terms(anchors={"old": 1800.0, "older": 1900.0}))
    assert posterior.anchored and not fit(["x"], []).anchored
    assert [posterior.rating(text) for text in ("old", "older")] == pytest.approx([1800, 1900], abs=0.5)
    assert 1750 < posterior.rating("new") < 1950
    low, high = posterior.interval("old")
    assert high - low < 1 < 300 < posterior.sd("new") * 4


def test_a_text_that_no_verdict_links_to_the_anchors_has_a_very_wide_interval():
    posterior = estimate(["known", "away"], Verdicts(), Terms(anchors={"known": 1600.0}))
    assert posterior.rating("away") == pytest.approx(1600)
    assert posterior.sd("away") == pytest.approx(POINTS_PER_LOGIT * (4 + 4) ** 0.5, rel=1e-3)


@pytest.mark.parametrize("place", [0, 5, 11], ids=["weakest", "middle", "best"])
def test_one_anchor_moves_all_ratings_by_as_much_and_nothing_else(place):
    rng, items, truth = world(15, 12)
    given = Verdicts(judged_pairs(rng, items, truth, 60))
    free = estimate(items, given)
    held = sorted(items, key=free.rating)[place]
    posterior = estimate(items, given, Terms(anchors={held: free.rating(held) + 200}))
    assert [posterior.rating(item) - free.rating(item) for item in items] == pytest.approx([200] * 12, abs=1.5)


def test_a_batch_far_above_its_anchors_is_found_there():
    """The level of new texts is not held near that of the anchors by how many they are."""
    rng, items, truth = world(13, 40)
    truth[:4] = truth[:4] - truth[:4].mean()
    truth[4:] += 4.0 - truth[4:].mean()
    given = Verdicts(judged_pairs(rng, items, truth, 400))
    anchors = {items[place]: MEAN + POINTS_PER_LOGIT * truth[place] for place in range(4)}
    posterior = estimate(items, given, Terms(anchors=anchors))
    level = np.mean([posterior.rating(item) for item in items[4:]])
    assert level == pytest.approx(MEAN + 4 * POINTS_PER_LOGIT, abs=130)


def test_two_linked_half_batches_equal_the_joint_run_within_their_intervals():
    rng, items, truth = world(14, 48)
    rows = judged_pairs(rng, items, truth, 1600)
    joint = estimate(items, Verdicts(rows))
    link = items[:8]
    inside, pairs = [], 0
    for batch in (items[:28], link + items[28:]):
        own = [row for row in rows if row.a in batch and row.b in batch]
        half = estimate(batch, Verdicts(own), Terms(anchors={item: joint.rating(item) for item in link}))
        for item in batch[8:] if batch[0] in link else batch:
            low, high = half.interval(item)
            inside.append(low <= joint.rating(item) <= high)
            pairs += 1
    assert np.mean(inside) > 0.93 and pairs == 40
