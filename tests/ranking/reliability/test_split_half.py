"""Split halves: sound judges agree with themselves, coins do not, and where nothing can be halved nothing is said."""

from __future__ import annotations

import numpy as np
import pytest

from judge_core.ranking.bradley_terry import Comparison, Verdicts, fit
from judge_core.ranking.comparison import Ranked, Score
from judge_core.ranking.reliability.split_half import spearman_brown, split_half
from tests.ranking.reliability.simulated import all_pairs, coin, judged, sound, texts, truths


def panel(judges, seed=1, times=1):
    return Verdicts(judged(all_pairs(10) * times, truths(10, seed), judges, seed))


def test_sound_judges_agree_between_halves_and_coins_do_not():
    steady = split_half(texts(10), panel([sound], times=6))
    lots = split_half(texts(10), panel([coin], times=6))
    assert steady.splits == lots.splits == 20
    assert steady.correlation > 0.9
    assert lots.correlation < 0.5


def test_the_correction_is_that_of_spearman_and_brown():
    found = split_half(texts(10), panel([sound]), splits=3)
    assert found.corrected == pytest.approx(2 * found.correlation / (1 + found.correlation))
    assert spearman_brown(1.0) == 1.0
    assert spearman_brown(-0.9) == -0.9


def test_two_judges_split_into_each_of_them():
    verdicts = panel([sound, coin])
    by = [[row for row in verdicts.comparisons if row.judge == judge] for judge in "01"]
    ratings = [[posterior.rating(text) for text in texts(10)] for posterior in (fit(texts(10), rows) for rows in by)]
    assert split_half(texts(10), verdicts, "judges").correlation == pytest.approx(np.corrcoef(*ratings)[0, 1])


def test_one_judge_cannot_be_split_by_judges():
    assert split_half(texts(10), panel([sound]), "judges") is None


def test_seeds_decide_the_halves():
    found = [split_half(texts(10), panel([sound]), splits=2, seed=seed) for seed in (1, 1, 2)]
    assert found[0] == found[1] != found[2]


@pytest.mark.parametrize(
    "rows",
    [[], [Comparison("t00", "t01", 1.0)], [Comparison(a, b, 0.5) for a, b in all_pairs(5)]],
    ids=["nothing judged", "one match", "all tied"],
)
def test_where_halves_have_nothing_to_compare_there_is_no_figure(rows):
    assert split_half(texts(5), Verdicts(rows), splits=4) is None


def test_lists_and_scores_are_halved_too():
    lists = [Ranked(tuple(texts(6)))] * 8
    assert split_half(texts(6), Verdicts(rankings=lists), splits=4).correlation > 0.95
    scores = [
        Score(text, place + 0.1 * judge, judge=str(judge)) for place, text in enumerate(texts(6)) for judge in (0, 1)
    ]
    assert split_half(texts(6), Verdicts(scores=scores), "judges", splits=4).correlation > 0.95
