"""Panels: the odd judge is seen, copies do not count as opinions of their own, one judge is no panel."""

from __future__ import annotations

import numpy as np
import pytest

from judge_core.ranking.bradley_terry import Comparison, Verdicts, fit
from judge_core.ranking.reliability.fit_statistics import expectations
from judge_core.ranking.reliability.panel import alone, effective_judges, leave_one_out, of_judge, rank_correlation
from tests.ranking.reliability.simulated import all_pairs, coin, judged, sound, texts, truths


def panel(judges, seed=1, n=12):
    rows = judged(all_pairs(n), truths(n, seed), judges, seed)
    return Verdicts(rows), fit(texts(n), rows)


@pytest.mark.parametrize("seed", range(3))
def test_a_coin_agrees_with_the_panel_least_and_is_missed_least(seed):
    verdicts, joint = panel([sound, sound, coin], seed)
    taus = {judge: alone(verdicts, judge, joint) for judge in "012"}
    assert min(taus, key=taus.get) == "2"
    assert taus["2"] < 0.5 < min(taus["0"], taus["1"])


def test_without_a_judge_the_order_is_that_of_the_others():
    verdicts, joint = panel([sound, sound, coin])
    left = {one.judge: one for one in leave_one_out(verdicts, joint)}
    others = fit(texts(12), [row for row in verdicts.comparisons if row.judge != "2"])
    assert left["2"].ranks == others.ranks()
    assert left["2"].tau == pytest.approx(rank_correlation(others, joint, texts(12)))
    moves = {text: abs(others.ranks()[text] - joint.ranks()[text]) for text in texts(12)}
    assert moves[left["2"].moved] == max(moves.values()) == abs(left["2"].after - left["2"].before)


def test_a_judge_that_says_what_all_say_moves_nothing():
    rows = [Comparison(a, b, 1.0, judge=judge) for a, b in all_pairs(4) for judge in "xy"]
    [x, y] = leave_one_out(Verdicts(rows), fit(texts(4), rows))
    assert x.moved is y.moved is x.before is x.after is None
    assert x.tau == 1


def test_texts_that_only_one_judge_saw_are_not_ranked_without_it():
    rows = [Comparison(a, b, 1.0, judge="x") for a, b in all_pairs(3)] + [Comparison("t02", "z", 1.0, judge="y")]
    joint = fit([*texts(3), "z"], rows)
    without = {one.judge: one for one in leave_one_out(Verdicts(rows), joint)}
    assert set(without["y"].ranks) == set(texts(3))
    assert set(without["x"].ranks) == {"t02", "z"}
    assert without["x"].tau is None


def test_one_judge_has_nobody_to_be_compared_with():
    verdicts, joint = panel([sound])
    assert alone(verdicts, "0", joint) is None
    assert leave_one_out(verdicts, joint) == []
    assert effective_judges(expectations(joint, verdicts)) is None


def test_independent_judges_count_in_full_and_copies_as_one():
    verdicts, joint = panel([sound] * 4)
    own = effective_judges(expectations(joint, verdicts))
    assert own.judges == 4
    assert own.effective > 3
    lead = {row[:2]: (row.result, row.position) for row in of_judge(verdicts, "0").comparisons}
    copied = [row._replace(result=lead[row[:2]][0], position=lead[row[:2]][1]) for row in verdicts.comparisons]
    same = effective_judges(expectations(fit(texts(12), copied), Verdicts(copied)))
    assert same.correlation == pytest.approx(1)
    assert same.effective == pytest.approx(1)


def test_partly_copied_verdicts_are_worth_as_kish_says():
    verdicts, _ = panel([sound] * 3, n=14)
    rng = np.random.default_rng(1)
    lead = {row[:2]: row.result for row in of_judge(verdicts, "0").comparisons}
    rows = [row._replace(result=lead[row[:2]]) if rng.random() < 0.7 else row for row in verdicts.comparisons]
    found = effective_judges(expectations(fit(texts(14), rows), Verdicts(rows)))
    assert 1.1 < found.effective < 2.4
    assert found.effective == pytest.approx(3 / (1 + 2 * found.correlation))


def test_neither_the_order_of_a_pair_nor_names_change_the_number():
    verdicts, joint = panel([sound, sound, coin])
    names = {text: text[::-1] for text in texts(12)}
    turned = [
        row._replace(a=names[row.b], b=names[row.a], result=1 - row.result, position=-row.position)
        for row in verdicts.comparisons
    ]
    other = fit([names[text] for text in texts(12)], turned)
    assert effective_judges(expectations(other, Verdicts(turned))) == pytest.approx(
        effective_judges(expectations(joint, verdicts)), rel=1e-4
    )


def test_judges_with_fewer_than_twenty_pairs_in_common_say_nothing():
    rows = judged(all_pairs(7)[:19], truths(7, 1), [sound, sound], 1)
    assert effective_judges(expectations(fit(texts(7), rows), Verdicts(rows))) is None


def test_texts_all_equal_have_no_rank_correlation():
    level = fit(texts(4), [Comparison(a, b, 0.5) for a, b in all_pairs(4)])
    ranked = fit(texts(4), [Comparison(a, b, 1.0) for a, b in all_pairs(4)])
    assert rank_correlation(level, ranked, texts(4)) is None
    assert rank_correlation(ranked, ranked, texts(4)[:2]) is None
    assert rank_correlation(ranked, ranked, texts(4)) == 1
