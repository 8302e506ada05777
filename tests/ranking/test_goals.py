"""Forecasts of goals: quick ways to the answers that looking at everything gives."""

from __future__ import annotations

import numpy as np
import pytest

from judge_core.ranking import goals
from judge_core.ranking.bradley_terry import Verdicts, estimate
from judge_core.records.spec import Goal
from tests.ranking.verdicts import judged_pairs, world

GOALS = [
    Goal(kind="top", ranks=(1,), probability=0.9),
    Goal(kind="top", ranks=(5,), probability=0.9),
    Goal(kind="cut", ranks=(20, 60), probability=0.9),
]


@pytest.fixture(scope="module")
def posterior():
    rng, items, truth = world([1, 17], 250)
    return estimate(items, Verdicts(judged_pairs(rng, items, truth, 5 * 250)))


@pytest.mark.parametrize("goal", GOALS)
@pytest.mark.parametrize("left", [0.9, 0.3, 0.02])
def test_texts_far_from_a_line_change_no_forecast(posterior, goal, left):
    forecast = goals._Forecast(goal, posterior)
    centres = forecast.centre + np.sqrt(1 - left) * forecast.moves
    whole = [goals._share(goal, centre, centre + np.sqrt(left) * forecast.doubts) for centre in centres]
    assert forecast.certainty(left) == pytest.approx(np.mean(whole), abs=1e-4)
    centre, reach = centres[0], 0.1 * forecast.reach
    assert all(len(goals._near(centre, reach, rank)[0]) < 125 for rank in goal.ranks)


def test_pairs_by_lot_tell_the_certainty_of_the_order_within_a_hundredth(posterior):
    goal = Goal(kind="order", probability=0.9)
    assert len(goals._some_pairs(250)[0]) == goals.FORECAST_PAIRS < 250 * 249 / 2
    certainty = goals._Forecast(goal, posterior)._at(posterior.strengths, 1.0)
    assert certainty == pytest.approx(goals.certainty(goal, posterior), abs=0.01)


def test_bands_of_draws_are_those_of_sorting_them(posterior):
    for goal in GOALS:
        draws = posterior.draws()[:50]
        assert (goals._drawn_bands(goal, draws) == goals._bands(goal, draws)).all()
