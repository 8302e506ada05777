"""The Bradley-Terry estimate against independent ones, and the symmetries that it must keep."""

from __future__ import annotations

import itertools

import choix
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.special import log_expit
from scipy.stats import kendalltau

from judge_core.ranking.bradley_terry import POSITION_PRIOR_SD, Comparison, curvature, fit
from judge_core.records.errors import InputError
from tests.ranking.matches import comparisons

quick = settings(max_examples=60, deadline=None)


def simulated(size, matches, seed=0):
    """Items, comparisons with ties and a first-position effect of 0.6 logits, and the true strengths."""
    rng = np.random.default_rng(seed)
    truth = rng.normal(0, 1.5, size)
    items = [f"t{place:04}" for place in range(size)]
    first = rng.integers(0, size, matches)
    second = (first + rng.integers(1, size, matches)) % size
    position = rng.choice([1, -1], matches)
    margin = truth[first] - truth[second] + 0.6 * position + rng.logistic(0, 1, matches)
    result = np.where(np.abs(margin) < 0.3, 0.5, np.sign(margin) / 2 + 0.5)
    rows = zip(first, second, result, position, strict=True)
    return items, [Comparison(items[a], items[b], float(won), 1.0, int(side)) for a, b, won, side in rows], truth


def by_general_optimiser(items, rows, prior_sd, position_sd):
    """The same objective, term by term, climbed by a general optimiser."""
    index = {item: place for place, item in enumerate(items)}
    a, b = (np.array([index[row[side]] for row in rows], dtype=int) for side in (0, 1))
    result, weight, position = np.array([row[2:5] for row in rows], dtype=float).reshape(-1, 3).T

    def depth(parameters):
        margin = parameters[a] - parameters[b] + parameters[-1] * position
        likelihood = weight * (result * log_expit(margin) + (1 - result) * log_expit(-margin))
        prior = (parameters[:-1] ** 2).sum() / prior_sd**2 + parameters[-1] ** 2 / position_sd**2
        return prior / 2 - likelihood.sum()

    return minimize(depth, np.zeros(len(items) + 1), method="BFGS", options={"gtol": 1e-7}).x


@quick
@given(comparisons(), st.sampled_from([0.5, 2.0]))
def test_the_estimate_is_where_a_general_optimiser_finds_it(drawn, prior_sd):
    items, rows = drawn
    posterior = fit(items, rows, prior_sd=prior_sd)
    found = by_general_optimiser(items, rows, prior_sd, POSITION_PRIOR_SD)
    assert posterior.strengths == pytest.approx(found[:-1], abs=1e-4)
    if posterior.position_effect:
        assert posterior.position_effect.logits == pytest.approx(found[-1], abs=1e-4)


def test_the_covariance_is_the_inverse_of_the_curvature():
    items, rows, _ = simulated(5, 40)
    posterior = fit(items, rows)
    index = {item: place for place, item in enumerate(items)}
    inverse = np.diag([0.25] * 5 + [POSITION_PRIOR_SD**-2])
    peak = np.append(posterior.strengths, posterior.position_effect.logits)
    for row in rows:
        slope = np.zeros(6)
        slope[index[row.a]], slope[index[row.b]], slope[5] = 1, -1, row.position
        inverse += np.outer(slope, slope) * np.exp(log_expit(slope @ peak) + log_expit(-slope @ peak))
    covariance = np.linalg.inv(inverse)
    assert posterior.covariance == pytest.approx(covariance[:5, :5], abs=1e-9)
    assert posterior.position_effect.sd == pytest.approx(covariance[5, 5] ** 0.5)


def wins_by_index(items, rows):
    index = {item: place for place, item in enumerate(items)}
    return [
        (index[row.a], index[row.b]) if row.result else (index[row.b], index[row.a])
        for row in rows
        if row.result != 0.5
    ]


def test_choix_with_the_same_penalty_agrees():
    """Its penalty is alpha times the sum of squares, a prior's is half of that over the variance."""
    items, rows, _ = simulated(12, 120)
    decided = [row for row in rows if row.result != 0.5]
    ours = fit(items, decided, prior_sd=2.0, first_position=False)
    theirs = choix.opt_pairwise(len(items), wins_by_index(items, decided), alpha=1 / (2 * 2.0**2), tol=1e-10)
    assert ours.strengths == pytest.approx(theirs, abs=1e-5)


def test_choix_by_spectral_ranking_agrees_loosely():
    items, rows, _ = simulated(12, 600)
    decided = [row for row in rows if row.result != 0.5]
    ours = fit(items, decided, first_position=False).strengths
    theirs = choix.ilsr_pairwise(len(items), wins_by_index(items, decided), alpha=0.01)
    assert kendalltau(ours, theirs).statistic > 0.95
    assert ours == pytest.approx(theirs - theirs.mean(), abs=0.3)


def test_maximum_likelihood_agrees_with_choix_where_it_exists():
    items, rows, _ = simulated(10, 600)
    decided = [row for row in rows if row.result != 0.5]
    posterior = fit(items, decided, prior_sd=None, first_position=False)
    theirs = choix.opt_pairwise(len(items), wins_by_index(items, decided), alpha=0.0, tol=1e-10)
    assert not posterior.unbounded
    assert posterior.strengths - posterior.strengths.mean() == pytest.approx(theirs - theirs.mean(), abs=1e-5)


@quick
@given(comparisons(), st.randoms(use_true_random=False))
def test_the_order_of_the_comparisons_changes_nothing(drawn, rng):
    items, rows = drawn
    shuffled = list(rows)
    rng.shuffle(shuffled)
    assert fit(items, shuffled).strengths == pytest.approx(fit(items, rows).strengths, abs=1e-9)


@quick
@given(comparisons())
def test_writing_a_pair_the_other_way_round_changes_nothing(drawn):
    items, rows = drawn
    turned = [Comparison(row.b, row.a, 1 - row.result, row.weight, -row.position) for row in rows]
    assert fit(items, turned).strengths == pytest.approx(fit(items, rows).strengths, abs=1e-9)


@quick
@given(comparisons())
def test_relabelling_the_texts_relabels_the_result(drawn):
    items, rows = drawn
    renamed = {item: f"new {item}" for item in items}
    before = fit(items, rows)
    after = fit(
        [renamed[item] for item in reversed(items)], [row._replace(a=renamed[row.a], b=renamed[row.b]) for row in rows]
    )
    for item in items:
        assert after.rating(renamed[item]) == pytest.approx(before.rating(item), abs=1e-6)
        assert after.interval(renamed[item]) == pytest.approx(before.interval(item), abs=1e-6)
    assert {renamed[item]: rank for item, rank in before.ranks().items()} == after.ranks()


@quick
@given(comparisons())
def test_reversing_every_result_mirrors_the_ratings(drawn):
    items, rows = drawn
    before, after = fit(items, rows), fit(items, [row._replace(result=1 - row.result) for row in rows])
    assert after.strengths == pytest.approx(-before.strengths, abs=1e-9)


@quick
@given(comparisons())
def test_ratings_have_the_mean_1500(drawn):
    items, rows = drawn
    posterior = fit(items, rows)
    assert np.mean([posterior.rating(item) for item in items]) == pytest.approx(1500)


@quick
@given(comparisons())
def test_a_weight_of_two_is_the_same_comparison_twice(drawn):
    items, rows = drawn
    doubled = [row._replace(weight=2 * row.weight) for row in rows]
    assert fit(items, doubled).strengths == pytest.approx(fit(items, rows + rows).strengths, abs=1e-9)


def test_the_first_position_effect_is_found_and_taken_out():
    items, rows, _ = simulated(64, 2000)
    effect = fit(items, rows).position_effect
    assert effect.logits == pytest.approx(0.6, abs=3 * effect.sd) and effect.sd < 0.1


def test_without_known_positions_no_effect_is_claimed():
    assert fit(["x", "y"], [Comparison("x", "y", 1.0)]).position_effect is None
    assert fit(["x", "y"], [Comparison("x", "y", 1.0, 1.0, 1)], first_position=False).position_effect is None


def test_texts_that_all_tie_are_level():
    rows = [Comparison("A", "B", 0.5), Comparison("B", "C", 0.5), Comparison("A", "C", 0.5)]
    for prior in (2.0, None):
        posterior = fit(["A", "B", "C"], rows, prior_sd=prior)
        assert posterior.ranks() == {"A": 1, "B": 1, "C": 1}
        assert posterior.rating("A") == pytest.approx(1500)


def test_very_many_texts_are_rated_the_same_way(monkeypatch):
    """The way for thousands of texts finds the same strengths, and standard deviations within three per cent."""
    items, rows, _ = simulated(300, 1500)
    exact = fit(items, rows)
    monkeypatch.setattr(curvature, "DENSE_TEXTS", 100)
    monkeypatch.setattr(curvature, "DIRECT_TEXTS", 100)
    near = fit(items, rows)
    assert near.covariance is None
    assert near.strengths == pytest.approx(exact.strengths, abs=1e-8)
    assert near.position_effect == pytest.approx(exact.position_effect, rel=0.05)
    sds = np.array([[posterior.sd(item) for item in items] for posterior in (near, exact)])
    assert np.abs(sds[0] / sds[1] - 1).max() < 0.03
    assert near.expected_tau() == pytest.approx(exact.expected_tau(), abs=0.02)


@pytest.mark.parametrize("games", [1.0, 100.0])
def test_intervals_of_very_many_texts_are_honest_in_a_chain(monkeypatch, games):
    """Each text met the next alone: its doubt is that of the whole chain, which no look at its neighbours tells."""
    items = [f"t{place}" for place in range(300)]
    rows = [Comparison(a, b, place % 3 / 2, games) for place, (a, b) in enumerate(itertools.pairwise(items))]
    exact = fit(items, rows)
    monkeypatch.setattr(curvature, "DENSE_TEXTS", 100)
    monkeypatch.setattr(curvature, "DIRECT_TEXTS", 100)
    near = fit(items, rows)
    assert near.covariance is None
    assert np.sqrt(near.variances) == pytest.approx(np.sqrt(exact.variances), rel=0.2)
    assert np.sqrt(near.variances / exact.variances).mean() == pytest.approx(1, abs=0.03)


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (Comparison("x", "stranger", 1.0), "'stranger'"),
        (Comparison("x", "x", 1.0), "two different texts"),
        (Comparison("x", "y", 2.0), "found 2.0"),
        (Comparison("x", "y", float("nan")), "found nan"),
        (Comparison("x", "y", 1.0, 0.0), "found 0.0"),
        (Comparison("x", "y", 1.0, float("inf")), "found inf"),
        (Comparison("x", "y", 1.0, 1.0, 2), "found 2"),
    ],
)
def test_a_comparison_that_cannot_be_used_is_named(row, words):
    with pytest.raises(InputError, match=words):
        fit(["x", "y"], [Comparison("x", "y", 0.0), row])


def test_a_text_listed_twice_is_refused():
    with pytest.raises(InputError, match="twice"):
        fit(["x", "x"], [])


@pytest.mark.parametrize("prior", [0.0, -1.0, float("nan"), float("inf")])
def test_a_prior_that_is_none_is_refused(prior):
    with pytest.raises(InputError, match="above 0"):
        fit(["x", "y"], [], prior_sd=prior)
