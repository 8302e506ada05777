"""Margins, lists, scores and further terms against independent computations."""

from __future__ import annotations

import choix
import evalica
import numpy as np
import pytest
from hypothesis import settings
from scipy.optimize import minimize
from scipy.special import log_expit
from scipy.stats import kendalltau

from judge_core.ranking.bradley_terry import (
    MEAN,
    POINTS_PER_LOGIT,
    Comparison,
    Ranked,
    Score,
    Terms,
    Verdicts,
    curvature,
    estimate,
    fit,
)
from tests.ranking.verdicts import (
    NOISE,
    SIDE,
    judged_lists,
    judged_pairs,
    judged_singly,
    world,
)

quick = settings(max_examples=15, deadline=None)


class Objective:
    """The log posterior, term by term and verdict by verdict; independent of the code that it tests."""

    def __init__(self, items, given, terms):
        self.items, self.given, self.terms = items, given, terms
        self.size, self.index = len(items), {item: place for place, item in enumerate(items)}
        self.judges = sorted({score.judge for score in given.scores})
        self.names = ["position", "length", "list"] + self.judges
        logs = np.log2([(terms.lengths or dict.fromkeys(items, 1.0))[item] for item in items])
        self.doublings = logs - logs.mean()
        self.mean, self.covariance = self.prior(2.0)
        self.margin_rows = [self.pair_row(row) for row in given.comparisons]

    def prior(self, sd):
        """Mean and covariance of all parameters."""
        known = {self.index[item]: (rating - MEAN) / POINTS_PER_LOGIT for item, rating in self.terms.anchors.items()}
        variances = np.array([sd**2] * self.size + [1.0, 1.0, 1.0] + [100.0] * len(self.judges))
        if not known:
            return np.zeros(len(variances)), np.diag(variances)
        shared = np.array([100.0] * self.size + [0.0] * len(self.names))
        free = np.linalg.inv(np.diag(variances) + np.outer(shared, shared))
        level = np.where(shared > 0, np.mean(list(known.values())), 0.0)
        held, at = np.zeros(len(variances)), np.zeros(len(variances))
        for place, value in known.items():
            held[place], at[place] = 1e6, value
        covariance = np.linalg.inv(free + np.diag(held))
        return covariance @ (free @ level + held * at), covariance

    def row(self, **effects):
        return np.array([0.0] * self.size + [effects.get(name, 0.0) for name in self.names])

    def pair_row(self, row):
        a, b = self.index[row.a], self.index[row.b]
        features = self.row(position=row.position, length=self.doublings[a] - self.doublings[b])
        features[a] += 1
        features[b] -= 1
        return features

    def score_row(self, score):
        place = self.index[score.text]
        features = self.row(length=self.doublings[place], **{score.judge: 1.0})
        features[place] += 1
        return features

    def list_rows(self, ranked):
        last = len(ranked.texts) - 1
        rows = []
        for text in ranked.texts:
            place = 0.5 - ranked.shown.index(text) / last if ranked.shown else 0.0
            rows.append(self.row(length=self.doublings[self.index[text]], list=place))
            rows[-1][self.index[text]] += 1
        return np.array(rows)

    def unit(self, rows, values, weights, noise, lost):
        """Of highest likelihood, by inverting the covariance of the values as it stands."""
        mean, covariance = self.prior(1.5)
        rows, weights = np.array(rows), np.array(weights) / np.mean(weights)
        inverse = np.linalg.inv(rows @ covariance @ rows.T + np.diag(noise**2 / weights))
        free = len(values) - lost
        squares, product = values @ inverse @ values, values @ inverse @ (rows @ mean)
        return max(np.roots([free, product, -squares]).real)

    def graded(self):
        """Design, values in logits and precisions of all margins and scores that count."""
        parts = []
        for judge in sorted({row.judge for row in self.given.comparisons}):
            own = [row for row in self.given.comparisons if row.judge == judge and row.margin is not None]
            parts.append(([self.pair_row(row) for row in own], [row.margin for row in own], own, NOISE, 0))
        for judge in self.judges:
            own = [row for row in self.given.scores if row.judge == judge]
            mean = np.average([row.value for row in own], weights=[row.weight for row in own])
            parts.append(([self.score_row(row) for row in own], [row.value - mean for row in own], own, SIDE, 1))
        for rows, values, own, noise, lost in parts:
            weights = [row.weight for row in own]
            worth = self.unit(rows, np.array(values), weights, noise, lost)
            yield np.array(rows), np.array(values) / worth, np.array(weights) / noise**2

    def depth(self):
        graded = list(self.graded())
        inverse = np.linalg.inv(self.covariance)
        lists = [(self.list_rows(ranked), ranked.weight) for ranked in self.given.rankings]
        bare = [row for row in self.given.comparisons if row.margin is None]
        bare_rows = [(self.pair_row(row), row) for row in bare]

        def depth(parameters):
            away = parameters - self.mean
            value = away @ inverse @ away / 2
            for features, row in bare_rows:
                logit = features @ parameters
                value -= row.weight * (row.result * log_expit(logit) + (1 - row.result) * log_expit(-logit))
            for rows, values, precisions in graded:
                value += precisions @ (values - rows @ parameters) ** 2 / 2
            for rows, weight in lists:
                steep = (len(rows) / 2) ** -0.06
                for logits in (steep * (rows @ parameters), -steep * (rows @ parameters)[::-1]):
                    for place in range(len(rows) - 1):
                        value -= weight / 2 * (logits[place] - np.log(np.exp(logits[place:]).sum()))
            return value

        return depth


def all_kinds(seed=3, size=7):
    rng, items, truth = world(seed, size)
    pairs = judged_pairs(rng, items, truth, 12, judge="j") + judged_pairs(rng, items, truth, 10, unit=5.0, judge="k")
    pairs = [row._replace(weight=float(rng.choice([1.0, 0.5]))) for row in pairs]
    bare = [row._replace(margin=None) for row in judged_pairs(rng, items, truth, 9, judge="j")]
    lists = judged_lists(rng, items, truth, 3, length=4) + judged_lists(rng, items, truth, 2, length=5, judge="k")
    lists.append(Ranked(tuple(items[:3]), 0.5))
    scores = judged_singly(rng, items, truth, judge="j") + judged_singly(rng, items[:4], truth[:4], unit=0.5, judge="k")
    words = {item: float(rng.integers(50, 800)) for item in items}
    return items, Verdicts(bare + pairs, lists, scores), words


@pytest.mark.parametrize("anchored", [False, True])
def test_all_terms_together_are_where_a_general_optimiser_finds_them(anchored):
    items, given, words = all_kinds()
    anchors = {items[0]: 1700.0, items[3]: 1380.0} if anchored else {}
    terms = Terms(margins=True, lengths=words, anchors=anchors)
    objective = Objective(items, given, terms)
    found = minimize(objective.depth(), objective.mean, method="BFGS", options={"gtol": 1e-6}).x
    posterior = estimate(items, given, terms)
    assert posterior.strengths == pytest.approx(found[: len(items)], abs=2e-4)
    effects = (posterior.position_effect, posterior.length_effect, posterior.list_position_effect)
    assert [effect.logits for effect in effects] == pytest.approx(found[len(items) : len(items) + 3], abs=2e-4)


def test_the_covariance_is_the_inverse_of_the_curvature_of_all_terms():
    items, given, words = all_kinds(size=5)
    terms = Terms(margins=True, lengths=words)
    objective, posterior = Objective(items, given, terms), estimate(items, given, terms)
    depth, step = objective.depth(), 1e-3
    peak = minimize(depth, objective.mean, method="BFGS", options={"gtol": 1e-7}).x
    unit = np.eye(len(peak)) * step
    curvature = [
        [(depth(peak + a + b) - depth(peak + a - b) - depth(peak - a + b) + depth(peak - a - b)) / (4 * step**2) for b in unit]
        for a in unit
    ]  # fmt: skip
    covariance = np.linalg.inv(curvature)
    assert posterior.covariance == pytest.approx(covariance[:5, :5], rel=1e-3, abs=1e-4)
    assert posterior.length_effect.sd == pytest.approx(covariance[6, 6] ** 0.5, rel=1e-3)


def test_very_many_texts_are_rated_the_same_way_by_all_kinds(monkeypatch):
    rng, items, truth = world(6, 120)
    pairs, lists = judged_pairs(rng, items, truth, 500, judge="j"), judged_lists(rng, items, truth, 60, judge="k")
    given_ = Verdicts(pairs, lists, judged_singly(rng, items, truth, judge="l"))
    words = dict(zip(items, rng.uniform(50, 500, 120).tolist(), strict=True))
    exact = estimate(items, given_, Terms(margins=True, lengths=words))
    monkeypatch.setattr(curvature, "DENSE_TEXTS", 100)
    monkeypatch.setattr(curvature, "DIRECT_TEXTS", 100)
    near = estimate(items, given_, Terms(margins=True, lengths=words))
    assert near.covariance is None
    assert near.strengths == pytest.approx(exact.strengths, abs=1e-7)
    assert near.length_effect.logits == pytest.approx(exact.length_effect.logits, abs=1e-7)
    assert near.length_effect.sd == pytest.approx(exact.length_effect.sd, rel=1e-6)
    assert np.sqrt(near.variances) == pytest.approx(np.sqrt(exact.variances), rel=0.03)


def test_lists_read_from_the_best_agree_with_choix():
    rng, items, truth = world(1, 8)
    lists = judged_lists(rng, items, truth, 12, length=5)
    terms = Terms(first_position=False, both_ends=False)
    ours = estimate(items, Verdicts(rankings=lists), terms)
    as_numbers = [tuple(items.index(text) for text in ranked.texts) for ranked in lists]
    theirs = choix.opt_rankings(len(items), as_numbers, alpha=1 / (2 * 2.0**2), tol=1e-10)
    assert ours.strengths == pytest.approx(theirs, abs=1e-4)
    spectral = choix.ilsr_rankings(len(items), as_numbers, alpha=0.01)
    assert kendalltau(ours.strengths, spectral).statistic > 0.9


def test_lists_of_two_are_pairs():
    rng, items, truth = world(2, 6)
    pairs = [row._replace(margin=None, result=float(row.margin > 0)) for row in judged_pairs(rng, items, truth, 30)]
    lists = [Ranked((row.a, row.b) if row.result else (row.b, row.a), 1.0, (row.a, row.b)) for row in pairs]
    by_pairs, by_lists = fit(items, pairs), estimate(items, Verdicts(rankings=lists))
    assert by_lists.strengths == pytest.approx(by_pairs.strengths, abs=1e-9)
    assert by_lists.covariance == pytest.approx(by_pairs.covariance, abs=1e-9)
    assert by_lists.list_position_effect.logits == pytest.approx(by_pairs.position_effect.logits, abs=1e-9)


def test_dense_data_without_a_prior_agrees_with_evalica():
    rng, items, truth = world(4, 8, spread=0.8)
    rows = [row._replace(result=float(row.margin > 0)) for row in judged_pairs(rng, items, truth, 800)]
    ours = fit(items, rows, prior_sd=None, first_position=False)
    winners = [evalica.Winner.X if row.result else evalica.Winner.Y for row in rows]
    found = evalica.bradley_terry(
        [row.a for row in rows], [row.b for row in rows], winners, tolerance=1e-10, limit=5000
    )
    theirs = np.log(found.scores.loc[items].to_numpy())
    assert ours.strengths - ours.strengths.mean() == pytest.approx(theirs - theirs.mean(), abs=1e-3)


def test_margins_have_no_unit_of_their_own():
    """A judge that counts in hundreds says the same as one that counts in ones."""
    items, given, _ = all_kinds()
    larger = [row._replace(margin=row.margin and 100 * row.margin) for row in given.comparisons]
    before, after = (
        estimate(items, Verdicts(rows, (), scores), Terms(margins=True))
        for rows, scores in (
            (given.comparisons, given.scores),
            (larger, [row._replace(value=3 * row.value - 40) for row in given.scores]),
        )
    )
    assert after.strengths == pytest.approx(before.strengths, abs=1e-9)
    assert after.covariance == pytest.approx(before.covariance, abs=1e-9)


def test_margins_rate_on_the_scale_of_winners():
    """Many noisy verdicts: either way the same gap in logits is found."""
    rng, items, truth = world(5, 12)
    rows = judged_pairs(rng, items, truth, 3000, unit=4.0)
    bare, graded = (estimate(items, Verdicts(rows), Terms(margins=by_margin)) for by_margin in (False, True))
    slopes = [np.polyfit(truth - truth.mean(), posterior.strengths, 1)[0] for posterior in (bare, graded)]
    assert slopes == pytest.approx([1.0, 1.0], abs=0.06)
    assert graded.position_effect.logits == pytest.approx(0.6, abs=0.1)


@pytest.mark.parametrize("margins", [[0.0] * 20, [2.0] * 7])
def test_margins_that_tell_no_unit_count_as_winners_and_this_is_said(margins):
    rows = [Comparison("x", "y", 1.0, 1.0, 0, margin, "blunt") for margin in margins]
    posterior = estimate(["x", "y"], Verdicts(rows), Terms(margins=True))
    assert (posterior.silent_margins, posterior.silent_scores) == ({"blunt"}, set())
    assert posterior.strengths == pytest.approx(fit(["x", "y"], rows).strengths)


def test_scores_that_never_differ_say_nothing_and_this_is_said():
    given = Verdicts(scores=[Score(text, 7.0, 1.0, "kind") for text in "xyz"])
    posterior = estimate(list("xyz"), given)
    assert (posterior.silent_margins, posterior.silent_scores) == (set(), {"kind"})
    assert posterior.ranks() == {"x": 1, "y": 1, "z": 1}
    assert len(posterior.components) == 3


def test_scores_order_the_texts_and_set_them_on_one_scale():
    posterior = estimate(list("xyz"), Verdicts(scores=[Score("x", 3), Score("y", 9), Score("z", 5)]))
    assert posterior.ranks() == {"y": 1, "z": 2, "x": 3}
    assert len(posterior.components) == 1 and posterior.comparisons("x") == 1


def test_where_a_judges_scores_begin_is_no_effect():
    scores = [Score(text, value, 1.0, judge) for judge in "jk" for text, value in zip("xyz", (3, 9, 5), strict=True)]
    terms = Terms(lengths=dict(zip("xyz", (10.0, 30.0, 80.0), strict=True)))
    assert set(estimate(list("xyz"), Verdicts(scores=scores), terms).effects) == {"length"}
    both = Verdicts([Comparison("x", "y", 1.0, 1.0, 1), Comparison("z", "x", 1.0, 1.0, -1)], (), scores)
    assert set(estimate(list("xyz"), both).effects) == {"position"}
