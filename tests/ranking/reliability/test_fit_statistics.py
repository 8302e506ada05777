"""Misfit: figures by hand, a planted coin among judges, and a planted odd text."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from scipy.special import expit

from judge_core.ranking.bradley_terry import Comparison, Terms, Verdicts, estimate, fit
from judge_core.ranking.comparison import Ranked
from judge_core.ranking.reliability.fit_statistics import MISFIT, expectations, judge_fit, text_fit
from tests.ranking.matches import comparisons
from tests.ranking.reliability.simulated import all_pairs, coin, judged, sound, texts, truths


def found(rows, n):
    return expectations(fit(texts(n), rows), Verdicts(rows))


def test_infit_and_outfit_by_hand():
    rows = [Comparison("a", "b", 1.0), Comparison("a", "c", 0.0), Comparison("b", "c", 0.5, 0.5)]
    posterior = fit("abc", rows, first_position=False)
    a, b, c = posterior.strengths
    chance = expit([a - b, a - c])
    squares, variance = (np.array([1.0, 0.0]) - chance) ** 2, chance * (1 - chance)
    fit_of_a = text_fit(expectations(posterior, Verdicts(rows)))["a"]
    assert fit_of_a.infit == pytest.approx(squares.sum() / variance.sum())
    assert fit_of_a.outfit == pytest.approx((squares / variance).mean())
    assert fit_of_a.decisions == 2
    tied = text_fit(expectations(posterior, Verdicts(rows)))["c"]
    pair, weights = expit([a - c, b - c]), np.array([1.0, 0.5])
    by_hand = weights @ (np.array([0.0, 0.5]) - pair) ** 2 / (weights @ (pair * (1 - pair)))
    assert tied.infit == pytest.approx(by_hand)


def test_who_was_shown_first_is_part_of_what_was_expected():
    rows = judged(
        all_pairs(6) * 6, dict.fromkeys(texts(6), 0.0), [lambda gap, rng: float(rng.random() < expit(4 * gap))], 1
    )
    posterior = fit(texts(6), rows)
    assert posterior.position_effect.logits > 1
    chances = expectations(posterior, Verdicts(rows)).chances
    first = np.array([row.position for row in rows]) > 0
    assert chances[first].min() > 0.5 > chances[~first].max()


@pytest.mark.parametrize("seed", range(3))
def test_a_coin_among_four_judges_is_the_one_that_stands_out(seed):
    rows = judged(all_pairs(16), truths(16, seed), [sound, sound, sound, coin], seed)
    fits = judge_fit(found(rows, 16))
    assert max(fits, key=lambda judge: fits[judge].infit) == "3"
    assert fits["3"].misfits
    assert not any(fits[judge].misfits for judge in "012")


def test_a_text_that_is_judged_at_random_stands_out():
    """Strong texts lose to it and weak ones beat it: no rating fits."""
    truth = dict(zip(texts(12), np.linspace(-3, 3, 12).tolist(), strict=True))
    pairs = [(text, "odd") for text in texts(12)]
    rows = judged(all_pairs(12), truth, [sound], 4)
    rows += [Comparison(text, "odd", float(truth[text] < 0), judge="0") for text, _ in pairs]
    fits = text_fit(expectations(fit([*texts(12), "odd"], rows), Verdicts(rows)))
    assert max(fits, key=lambda text: fits[text].outfit) == "odd"
    assert fits["odd"].misfits
    assert sum(fit_.misfits for fit_ in fits.values()) <= 4


def test_a_sound_judge_is_near_one_once_the_pull_of_its_own_verdicts_is_taken_out():
    plain, adjusted = [], []
    for seed in range(6):
        fits = judge_fit(found(judged(all_pairs(16), truths(16, seed), [sound], seed), 16))
        plain.append(fits["0"].infit)
        adjusted.append(fits["0"].adjusted)
    assert np.mean(adjusted) == pytest.approx(1, abs=0.1)
    assert np.mean(plain) < np.mean(adjusted)


def test_nineteen_decisions_say_nothing_of_a_judge():
    rows = judged(all_pairs(7)[:20], truths(7, 1), [sound], 1)
    assert judge_fit(found(rows[:19], 7)) == {"0": None}
    assert judge_fit(found(rows, 7))["0"].decisions == 20


def test_a_list_of_k_texts_is_k_less_one_decisions():
    lists = [Ranked(tuple(texts(8)), judge="0", shown=tuple(texts(8)))] * 3
    verdicts = Verdicts(rankings=lists)
    posterior = estimate(texts(8), verdicts)
    fits = judge_fit(expectations(posterior, verdicts))
    assert fits["0"].decisions == 21
    assert fits["0"].infit < 1, "lists that agree surprise nobody"
    assert posterior.list_position_effect is not None


def test_a_list_in_the_order_shown_is_partly_laid_to_the_order_shown():
    order = tuple(texts(4))
    verdicts = Verdicts(rankings=[Ranked(order, shown=order), Ranked(order[::-1], shown=order[::-1])] * 4)
    posterior = estimate(texts(4), verdicts)
    expected = expectations(posterior, verdicts)
    assert posterior.list_position_effect.logits > 0
    assert (expected.chances > 0.5).all()


def test_length_and_judges_multipliers_are_part_of_what_was_expected():
    rows = judged(all_pairs(8) * 2, truths(8, 1), [sound, coin], 1)
    words = {text: 100.0 * 2 ** (place % 3) for place, text in enumerate(texts(8))}
    verdicts = Verdicts(rows)
    posterior = estimate(texts(8), verdicts, Terms(lengths=words, discrimination=True))
    chances = expectations(posterior, verdicts, words).chances
    row = rows[5]
    strength = dict(zip(posterior.items, posterior.strengths, strict=True))
    logit = strength[row.a] - strength[row.b] + posterior.position_effect.logits * row.position
    logit += posterior.length_effect.logits * np.log2(words[row.a] / words[row.b])
    assert chances[5] == pytest.approx(expit(posterior.discriminations[row.judge].logits * logit))


@settings(max_examples=40, deadline=None)
@given(comparisons(smallest=3))
def test_neither_names_nor_sides_change_the_fit_and_the_adjusted_one_is_never_below(drawn):
    items, rows = drawn
    names = {item: f"x{place}" for place, item in enumerate(reversed(items))}
    turned = [
        row._replace(a=names[row.b], b=names[row.a], result=1 - row.result, position=-row.position) for row in rows
    ]
    own = text_fit(expectations(fit(items, rows), Verdicts(rows)))
    other = text_fit(expectations(fit([names[item] for item in items], turned), Verdicts(turned)))
    assert {names[item] for item in own} == other.keys()
    for item, fit_ in own.items():
        assert fit_.adjusted >= fit_.infit
        assert other[names[item]] == pytest.approx(fit_, rel=1e-4, abs=1e-5)


def test_the_red_line_is_that_of_the_field():
    assert MISFIT == 1.3
