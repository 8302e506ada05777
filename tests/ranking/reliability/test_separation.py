"""Reliability of separation: the formula by hand, and where it is not defined."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from judge_core.ranking.bradley_terry import Comparison, Terms, Verdicts, estimate, fit
from judge_core.ranking.comparison import Ranked, Score
from judge_core.ranking.reliability.bundles import compared, joined, judges_of, marked, rated
from judge_core.ranking.reliability.separation import separation, separation_after, separation_reliability
from tests.ranking.matches import comparisons
from tests.ranking.reliability.simulated import all_pairs, coin, judged, sound, texts, truths


def test_it_is_one_less_mean_squared_error_over_the_variance_of_the_published_ratings():
    rows = judged(all_pairs(8), truths(8, 1), [sound], 1)
    posterior = fit(texts(8), rows)
    ratings = [posterior.rating(text) for text in texts(8)]
    errors = [posterior.sd(text) for text in texts(8)]
    by_hand = 1 - np.mean(np.square(errors)) / np.var(ratings, ddof=1)
    assert separation(posterior) == pytest.approx(by_hand)
    assert separation_reliability(posterior) == pytest.approx(by_hand)


def test_more_verdicts_of_a_sound_judge_bring_it_near_one_and_a_coin_in_a_round_robin_near_nothing():
    pairs = all_pairs(12)
    once = separation(fit(texts(12), judged(pairs, truths(12, 3), [sound], 3)))
    often = separation(fit(texts(12), judged(pairs * 10, truths(12, 3), [sound], 3)))
    lots = [separation(fit(texts(12), judged(pairs, truths(12, 3), [coin], seed))) for seed in range(12)]
    assert 0.7 < once < often
    assert often > 0.95
    assert np.mean(lots) < 0.2


def test_errors_larger_than_the_spread_are_below_zero_and_shown_as_zero():
    posterior = fit(["a", "b", "c", "d"], [Comparison("a", "b", 1.0), Comparison("c", "d", 1.0)])
    assert separation(posterior) < 0
    assert separation_reliability(posterior) == 0.0


@pytest.mark.parametrize(
    "rows",
    [
        [],
        [Comparison("a", "b", 0.5), Comparison("b", "c", 0.5), Comparison("a", "c", 0.5)],
        [Comparison("a", "b", 1.0), Comparison("b", "c", 1.0), Comparison("c", "a", 1.0)],
    ],
    ids=["nothing judged", "all tied", "a circle"],
)
def test_without_any_spread_there_is_no_reliability(rows):
    assert separation(fit(["a", "b", "c"], rows)) is None
    assert separation_reliability(fit(["a", "b", "c"], rows)) is None


def test_two_texts_are_too_few():
    assert separation(fit(["a", "b"], [Comparison("a", "b", 1.0)])) is None


def test_texts_without_a_finite_rating_are_left_out():
    rows = judged(all_pairs(6) * 3, dict.fromkeys(texts(6), 0.0), [coin], 5)
    unbeaten = [Comparison("x", text, 1.0) for text in texts(6)]
    alone = fit(texts(6), rows, prior_sd=None)
    beside = fit([*texts(6), "x"], [*rows, *unbeaten], prior_sd=None)
    assert beside.unbounded == {"x"}
    assert separation(beside) == pytest.approx(separation(alone))


def test_texts_held_at_a_known_rating_are_left_out():
    rows = judged(all_pairs(6), truths(6, 2), [sound], 2)
    anchored = estimate(texts(6), Verdicts(rows), Terms(anchors={"t00": 1600.0, "t01": 1450.0}))
    free = texts(6)[2:]
    by_hand = 1 - np.mean([anchored.sd(text) ** 2 for text in free]) / np.var(
        [anchored.rating(t) for t in free], ddof=1
    )
    assert separation(anchored) == pytest.approx(by_hand)


@settings(max_examples=40, deadline=None)
@given(comparisons(smallest=3))
def test_neither_names_nor_sides_change_it(drawn):
    items, rows = drawn
    names = {item: f"x{place}" for place, item in enumerate(reversed(items))}
    renamed = [row._replace(a=names[row.a], b=names[row.b]) for row in rows]
    turned = [row._replace(a=row.b, b=row.a, result=1 - row.result, position=-row.position) for row in rows]
    own = separation(fit(items, rows))
    for other in (separation(fit([names[item] for item in items], renamed)), separation(fit(items, turned))):
        assert (own is None) == (other is None)
        assert own is None or other == pytest.approx(own, rel=1e-4, abs=1e-4)


def test_after_a_round_only_texts_compared_by_then_count():
    first = [Comparison("a", "b", 1.0), Comparison("a", "c", 1.0), Comparison("b", "c", 1.0)]
    second = [Comparison("d", "a", 1.0)]
    rounds = [Verdicts(first), Verdicts(second)]
    assert separation_after("abcd", rounds, 1) == pytest.approx(separation(fit("abc", first)))
    assert separation_after("abcd", rounds, 2) == pytest.approx(separation(fit("abcd", [*first, *second])))
    assert separation_after("abcd", [Verdicts()], 1) is None


def test_bundles_are_joined_and_taken_apart_again():
    one = Verdicts([Comparison("a", "b", 1.0, judge="x")], [Ranked(("a", "b", "c"), judge="y")])
    other = Verdicts(scores=[Score("d", 0.5, judge="x")])
    whole = joined([one, other])
    assert compared("edcba", whole) == ["d", "c", "b", "a"]
    assert judges_of(whole) == ("x", "y")
    assert marked(whole, [True, True, False]) == joined([one])
    assert marked(whole, [False, False, True]) == joined([other])
    assert rated("abcd", whole).items == tuple("abcd")
