"""What a posterior answers: intervals, chances, ranks; and that it invents no number where there is none."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from judge_core.ranking.bradley_terry import Comparison, fit
from judge_core.ranking.bradley_terry.posterior import KEPT
from judge_core.records.errors import InputError
from tests.ranking.matches import comparisons

quick = settings(max_examples=60, deadline=None)
CHAIN = [Comparison("m0", "m1", 1.0), Comparison("m0", "m2", 1.0), Comparison("m1", "m2", 1.0)]
CYCLE = [Comparison("x", "y", 1.0), Comparison("y", "z", 1.0), Comparison("z", "x", 1.0)]


@quick
@given(comparisons())
def test_chances_of_both_directions_make_one(drawn):
    items, rows = drawn
    posterior = fit(items, rows)
    for a, b in zip(items, items[1:], strict=False):
        assert posterior.probability_above(a, b) + posterior.probability_above(b, a) == pytest.approx(1)


@quick
@given(comparisons())
def test_a_higher_rating_is_more_probably_above(drawn):
    items, rows = drawn
    posterior = fit(items, rows)
    for a, b in zip(items, items[1:], strict=False):
        gap = posterior.rating(a) - posterior.rating(b)
        assert (posterior.probability_above(a, b) - 0.5) * gap >= 0


@quick
@given(comparisons())
def test_the_rating_lies_inside_its_interval_and_more_certainty_is_wider(drawn):
    items, rows = drawn
    posterior = fit(items, rows)
    for item in items:
        low, high = posterior.interval(item)
        wide_low, wide_high = posterior.interval(item, level=0.99)
        assert wide_low < low < posterior.rating(item) < high < wide_high


@quick
@given(comparisons())
def test_expected_tau_stays_in_range(drawn):
    items, rows = drawn
    posterior = fit(items, rows)
    assert 0 <= posterior.expected_tau() <= 1


def test_four_hundred_points_are_odds_of_ten_to_one():
    """The maximum likelihood of ten wins to one loss puts two texts 400 points apart."""
    rows = [Comparison("x", "y", 1.0, 10.0), Comparison("x", "y", 0.0, 1.0)]
    posterior = fit(["x", "y"], rows, prior_sd=None)
    assert posterior.rating("x") - posterior.rating("y") == pytest.approx(400)


def test_posterior_intervals_cover_the_truth_at_five_comparisons_each():
    """Simulated from the model itself: 95 % intervals cover at least 93 % of the true strengths."""
    rng, hits = np.random.default_rng(7), []
    items = [f"t{place}" for place in range(16)]
    for _ in range(40):
        truth = rng.normal(0, 1.5, 16)
        pairs = [rng.choice(16, 2, replace=False) for _ in range(40)]
        wins = [rng.random() < 1 / (1 + np.exp(truth[b] - truth[a])) for a, b in pairs]
        posterior = fit(
            items, [Comparison(items[a], items[b], float(won)) for (a, b), won in zip(pairs, wins, strict=True)]
        )
        points = 1500 + 400 / np.log(10) * (truth - truth.mean())
        bounds = [posterior.interval(item) for item in items]
        hits += [low <= point <= high for (low, high), point in zip(bounds, points, strict=True)]
    assert np.mean(hits) > 0.93


def test_more_matches_make_a_shorter_interval():
    few, many = (fit(["x", "y"], [Comparison("x", "y", 0.5)] * times) for times in (2, 200))
    assert few.sd("x") > 5 * many.sd("x") > 0
    assert (few.comparisons("x"), many.comparisons("x")) == (2, 200)


def test_a_single_text_has_a_rating_and_no_interval():
    posterior = fit(["only"], [])
    assert posterior.rating("only") == 1500 and posterior.ranks() == {"only": 1}
    assert posterior.interval("only") is None and posterior.comparisons("only") == 0
    assert posterior.expected_tau() == 1 and posterior.components == (("only",),)


@pytest.mark.parametrize("prior", [2.0, None])
def test_no_text_is_an_empty_posterior(prior):
    posterior = fit([], [], prior_sd=prior)
    assert posterior.ranks() == {} and posterior.components == () and posterior.unbounded == frozenset()
    assert posterior.expected_tau() == 1


def test_groups_that_never_met_are_told():
    posterior = fit(["a", "b", "c", "d", "e"], [Comparison("a", "c", 1.0), Comparison("c", "e", 0.5)])
    assert posterior.components == (("a", "c", "e"), ("b",), ("d",))


@quick
@given(comparisons())
def test_with_a_prior_nothing_is_unbounded(drawn):
    assert fit(*drawn).unbounded == frozenset()


def test_without_a_prior_a_chain_has_an_order_and_no_numbers():
    posterior = fit(["m2", "m1", "m0"], CHAIN, prior_sd=None)
    assert posterior.unbounded == {"m0", "m1", "m2"}
    assert posterior.ranks() == {"m0": 1, "m1": 2, "m2": 3}
    assert posterior.rating("m0") is None and posterior.interval("m0") is None


def test_without_a_prior_the_unbeaten_and_the_winless_stand_outside_the_scale():
    rows = [*CYCLE, Comparison("top", "x", 1.0), Comparison("z", "low", 1.0)]
    posterior = fit(["low", "x", "y", "z", "top", "away"], rows, prior_sd=None)
    assert posterior.unbounded == {"top", "low", "away"}
    assert posterior.rating("x") == posterior.rating("y") == pytest.approx(1500)
    assert posterior.ranks() == {"top": 1, "x": 2, "y": 2, "z": 2, "low": 5, "away": 1}
    assert posterior.interval("x") is not None


def test_without_a_prior_two_groups_of_one_size_have_no_common_scale():
    rows = [Comparison("a", "b", 0.5), Comparison("c", "d", 0.5)]
    assert fit(list("abcd"), rows, prior_sd=None).unbounded == set("abcd")


def test_questions_that_need_one_scale_are_refused_with_the_remedy():
    posterior = fit(["m0", "m1", "m2"], CHAIN, prior_sd=None)
    for question in (
        posterior.expected_tau,
        posterior.rank_probabilities,
        lambda: posterior.probability_above("m0", "m1"),
    ):
        with pytest.raises(InputError, match="prior"):
            question()


def test_the_chances_of_the_ranks_make_one_for_each_text_and_each_rank():
    items, rows = ["x", "y", "z", "w"], [*CYCLE, Comparison("x", "w", 1.0)]
    posterior = fit(items, rows)
    chances = posterior.rank_probabilities()
    assert chances.sum(axis=0) == pytest.approx(np.ones(4)) and chances.sum(axis=1) == pytest.approx(np.ones(4))


def test_the_chances_of_two_ranks_are_that_of_the_pair():
    posterior = fit(["x", "y"], [Comparison("x", "y", 1.0)] * 3)
    above = posterior.probability_above("x", "y")
    assert posterior.rank_probabilities() == pytest.approx(np.array([[above, 1 - above], [1 - above, above]]), abs=0.03)


def test_draws_spread_as_the_ratings_and_intervals_say():
    rng = np.random.default_rng(1)
    items = [f"t{place}" for place in range(6)]
    pairs = [rng.choice(6, 2, replace=False) for _ in range(40)]
    posterior = fit(items, [Comparison(items[a], items[b], float(a < b)) for a, b in pairs])
    draws = 1500 + 400 / np.log(10) * posterior.draws()
    assert draws.mean(axis=0) == pytest.approx([posterior.rating(item) for item in items], abs=12)
    assert draws.std(axis=0) == pytest.approx([posterior.sd(item) for item in items], rel=0.05)
    assert posterior.draws() is posterior.draws()
    with pytest.raises(ValueError, match="read-only"):
        posterior.draws()[0, 0] = 1.0


def test_the_chance_to_lie_over_a_rating_follows_the_interval():
    posterior = fit(["m0", "m1", "m2"], CHAIN)
    low, high = posterior.interval("m0")
    assert posterior.probability_over("m0", posterior.rating("m0")) == pytest.approx(0.5)
    assert posterior.probability_over("m0", low) == pytest.approx(0.975)
    assert posterior.probability_over("m0", high) == pytest.approx(0.025)
    single = fit(["only"], [])
    assert [single.probability_over("only", line) for line in (1400, 1500, 1600)] == [1.0, 0.5, 0.0]


def test_an_unbounded_text_has_no_chance_on_a_scale():
    posterior = fit(["m0", "m1", "m2"], CHAIN, prior_sd=None)
    for question in (
        posterior.draws,
        posterior.rank_probabilities,
        lambda: posterior.probability_over("m0", 1500),
    ):
        with pytest.raises(InputError, match="prior"):
            question()


def test_draws_are_kept_of_few_posteriors_and_never_of_very_large_ones(monkeypatch):
    known = [fit(["x", "y"], [Comparison("x", "y", 1.0)]) for _ in range(KEPT + 1)]
    first = known[0].draws()
    for other in known[1:]:
        other.draws()
    assert known[0].draws() is not first
    assert (known[0].draws() == first).all()
    monkeypatch.setattr("judge_core.ranking.bradley_terry.posterior.KEPT_TEXTS", 1)
    assert known[0].draws() is not known[0].draws()


def test_places_are_where_texts_stand_among_the_items():
    posterior = fit(["x", "y", "z"], [Comparison("x", "y", 1.0)])
    assert posterior.places(["z", "x"]).tolist() == [2, 0]
