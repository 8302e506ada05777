"""The adaptive method: what it asks for, how much, and that it is worth it."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from judge_core.ranking.bradley_terry import fit
from judge_core.ranking.comparison import Comparison
from judge_core.ranking.schedules.adaptive.focus import stakes
from judge_core.ranking.schedules.adaptive.gain import gains, noise, stepped
from judge_core.ranking.schedules.adaptive.matching import WHOLE_GRAPH, heaviest
from judge_core.ranking.schedules.adaptive.together import LEAST, worthiest
from judge_core.ranking.schedules.schedule import schedule_of
from judge_core.records.spec import Goal
from tests.ranking.schedules.play import Play, names, played, spec

TOP = Goal(kind="top", ranks=(5,))
GOALS = [TOP, Goal(kind="cut", ranks=(5, 12)), Goal(kind="cut", ratings=(1450.0, 1600.0))]


def entropy(variance):
    return np.log(variance) / 2


def test_the_gain_is_what_one_more_verdict_takes_off_the_entropy_of_the_gap():
    """Against the posterior itself: two texts of equal strength, where the model's information is exactly 1/4."""
    drawn = [Comparison("a", "b", 0.5), Comparison("b", "a", 0.5)]
    before, after = fit(["a", "b"], drawn), fit(["a", "b"], [*drawn, Comparison("a", "b", 0.5)])

    def gap(posterior):
        return posterior.variances.sum() - 2 * posterior.covariance[0, 1]

    assert gains(before, ["a", "b"])[0, 1] == pytest.approx(entropy(gap(before)) - entropy(gap(after)))


def test_the_less_known_pair_and_the_closer_pair_tell_more():
    seen = [Comparison("a", "b", 1.0)] * 8 + [Comparison("b", "a", 1.0)] * 8 + [Comparison("a", "c", 1.0)] * 16
    worth = gains(fit(list("abcd"), seen), list("abcd"))
    assert worth[0, 3] > worth[0, 1]
    assert worth[2, 3] > 0 and np.allclose(worth, worth.T) and np.allclose(np.diag(worth), 0)


@given(st.integers(2, 6), st.integers(0, 10_000))
def test_what_is_at_stake_is_the_doubt_about_all_pairs_each_by_its_density_at_zero(n, seed):
    strengths, covariance = posterior_like(n, seed)
    doubt = 0.0
    for i, j in combinations(range(n), 2):
        variance = covariance[i, i] + covariance[j, j] - 2 * covariance[i, j]
        gap = strengths[i] - strengths[j]
        doubt += variance * norm.pdf(0, gap, math.sqrt(variance)) * math.sqrt(2 * math.pi)
    assert np.trace(stakes(None, strengths, covariance) @ covariance) == pytest.approx(doubt)


def test_at_a_border_pairs_across_it_count_and_the_nearest_most():
    strengths, covariance = np.arange(6.0)[::-1], np.eye(6) / 4
    weight = -stakes(Goal(kind="top", ranks=(3,)), strengths, covariance)
    assert weight[2, 3] == weight[np.triu_indices(6, 1)].max() > 0
    assert not weight[:3, :3][np.triu_indices(3, 1)].any() and not weight[3:, 3:][np.triu_indices(3, 1)].any()


def test_at_a_rating_each_text_counts_by_itself():
    strengths = np.array([2.0, 0.1, -2.0])
    at_stake = stakes(Goal(kind="cut", ratings=(1500.0,)), strengths, np.eye(3) / 4)
    assert (at_stake == np.diag(at_stake.diagonal())).all() and at_stake.diagonal().argmax() == 1


@given(st.integers(3, 6), st.integers(0, 10_000))
def test_each_pair_takes_off_most_of_what_is_at_stake_after_those_before(n, seed):
    """Against the posterior's precision, to which each verdict adds its own."""
    strengths, covariance = posterior_like(n, seed)
    at_stake, spread = stakes(None, strengths, covariance), noise(strengths)
    chosen = worthiest(covariance, at_stake, spread, np.triu(np.ones((n, n), dtype=bool), 1), n)
    assert len(chosen) == n // 2
    free, precision = set(range(n)), np.linalg.inv(covariance)

    def after(pair):
        contrast = np.zeros(n)
        contrast[list(pair)] = 1, -1
        return precision + np.outer(contrast, contrast) / spread[pair]

    for pair in chosen:
        left = {other: np.trace(at_stake @ np.linalg.inv(after(other))) for other in combinations(sorted(free), 2)}
        whole = np.trace(at_stake @ np.linalg.inv(precision))
        assert whole - left[pair] == pytest.approx(whole - min(left.values()), rel=1e-3)
        free, precision = free - set(pair), after(pair)


def test_a_verdict_on_texts_that_are_worlds_apart_tells_nothing():
    assert noise(np.array([0.0, 1e6]))[0, 1] > 1e20 and noise(np.zeros(2))[0, 1] == 4


def posterior_like(n, seed):
    """Strengths and a covariance as after a few verdicts."""
    lots = np.random.default_rng(seed)
    games = [Comparison(*lots.choice(names(n), 2, replace=False).tolist(), float(lots.integers(2))) for _ in range(n)]
    found = fit(names(n), games)
    return found.strengths, found.covariance


def best(worth, free=None):
    """The greatest sum of a matching, by trying them all."""
    free = tuple(range(len(worth))) if free is None else free
    if len(free) < 2:
        return 0
    first, rest = free[0], free[1:]
    met = (worth[first, j] + best(worth, tuple(k for k in rest if k != j)) for j in rest if worth[first, j] > 0)
    return max([best(worth, rest), *met])


@given(st.integers(0, 7), st.integers(0, 10_000))
def test_no_other_pairs_are_worth_more(n, seed):
    lots = np.random.default_rng(seed)
    worth = np.triu(lots.integers(0, 9, (n, n)), 1)
    pairs = heaviest(worth, full=False)
    assert sum(worth[pair] for pair in pairs) == best(worth)
    assert [worth[pair] for pair in pairs] == sorted((worth[pair] for pair in pairs), reverse=True)


def test_as_many_pairs_as_can_be_come_first_where_asked_for():
    worth = np.array([[0, 1, 0, 0], [0, 0, 9, 0], [0, 0, 0, 1], [0, 0, 0, 0]])
    assert heaviest(worth, full=False) == [(1, 2)]
    assert heaviest(worth, full=True) == [(0, 1), (2, 3)]


def test_of_many_texts_the_worthiest_pair_is_taken_each_time():
    size = WHOLE_GRAPH + 2
    worth = np.zeros((size, size), dtype=np.int64)
    worth[0, 1], worth[1, 2], worth[2, 3] = 5, 8, 5
    assert heaviest(worth, full=False) == [(1, 2)]


def test_steps_hide_the_last_bits_of_a_float():
    worth = np.array([[0.0, 0.3], [0.3, 0.0]])
    assert (stepped(worth) == stepped(worth * (1 + 1e-9))).all()
    assert (stepped(np.zeros((2, 2))) == 0).all()


@given(st.integers(2, 24), st.integers(1, 6), st.integers(0, 5))
def test_as_many_matches_as_so_many_full_rounds(n, rounds, seed):
    play = played(n, method="adaptive", rounds=rounds, seed=seed)
    assert len(play.results) == min(rounds * (n // 2), n * (n - 1) // 2)
    assert len(set(play.pairs)) == len(play.pairs)


@pytest.mark.parametrize("goal", GOALS)
def test_with_a_border_waves_are_small_and_the_budget_is_the_same(goal):
    play = played(40, method="adaptive", rounds=6, goal=goal)
    sizes = [len(wave.pairs) for wave in play.waves]
    assert sizes[:2] == [20, 20] and all(4 <= size <= 10 for size in sizes[2:-1]) and sum(sizes) == 120


@pytest.mark.parametrize(("n", "pairs"), [(4, 2), (6, 3), (10, 4), (16, 4), (24, 6)])
def test_a_focused_wave_has_four_pairs_at_the_least(n, pairs):
    play = played(n, method="adaptive", rounds=4, goal=Goal(kind="top", ranks=(2,)))
    assert min(pairs, 4) <= len(play.waves[2].pairs) <= pairs


def test_after_the_opening_a_top_goal_asks_about_the_border_most():
    play = played(40, method="adaptive", rounds=10, goal=TOP, run={"noise": 0.5})
    asked = np.array([sum(text in pair for pair in play.pairs) for text in play.texts])
    assert asked[:10].mean() > 2 * asked[20:].mean() and asked.min() >= 2


def test_with_scores_nothing_is_left_to_lot():
    made = spec(8, method="adaptive", warm_start=True)
    first = [Play(names(8), noise=0.0, seed=seed).on(schedule_of(made), waves=2).waves[1].pairs for seed in range(3)]
    assert first[0] == first[1] == first[2]
    assert all(abs(int(a[1:]) - int(b[1:])) == 1 for a, b in first[0][:3])


def test_texts_whose_pair_tells_little_wait_for_a_better_one():
    """Ten pairs of neighbours on a line: the last two texts left over would be the ends of it."""
    n = 2 * LEAST + 2
    covariance, distance = np.eye(n), np.abs(np.subtract.outer(np.arange(n), np.arange(n)))
    allowed = np.triu(np.where(distance % 2 == 1, True, False), 1)
    spread = np.where(distance == 1, 4.0, 400.0)
    allowed[:, n - 1] = [False] * n
    allowed[0, n - 1] = True
    pairs = worthiest(covariance, stakes(None, np.zeros(n), covariance), spread, allowed, n)
    assert len(pairs) >= LEAST and all(spread[pair] == 4.0 for pair in pairs)


def test_no_pair_is_asked_over_and_over_because_it_brings_no_verdict():
    play = Play(names(10), silent=0.5).on(schedule_of(spec(10, method="adaptive", rounds=9)))
    assert len(set(play.pairs)) == len(play.pairs) == 45


def precision(goal, seed):
    """The share of the true best 16 of 64 that five calls a text find, with a judge that is right on 80 % of pairs."""
    lots = np.random.default_rng(seed)
    play = Play(names(64), seed=seed, noise=1.7)
    play.strength = dict(zip(names(64), lots.normal(0, 1.5, 64), strict=True))
    play.on(schedule_of(spec(64, method="adaptive", rounds=10, goal=goal, seed=seed)))
    ranks = play.posterior().ranks()
    best = sorted(play.strength, key=lambda text: -play.strength[text])[:16]
    return sum(ranks[text] <= 16 for text in best) / 16


def test_a_top_goal_finds_more_of_the_top_for_the_same_calls():
    goal = Goal(kind="top", ranks=(16,))
    focused, whole = (np.mean([precision(kind, seed) for seed in range(16)]) for kind in (goal, None))
    assert focused > whole + 0.02 and focused > 0.75
