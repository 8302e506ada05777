"""When tournaments end, and how far judges agree: known answers, a real tournament, an independent implementation."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import friedmanchisquare

from judge_core.records.refinement.nouns import VERSIONS, Stopping
from judge_core.scoring.convergence import Decided, end_of, kendall_w, score_stable, streak_after, winner_stable

REAL = [
    ("AB", 3, 6, 9), ("A", 9, 3, 6), ("AB", 7, 3, 8), ("AB", 4, 5, 9), ("AB", 6, 3, 9), ("AB", 6, 4, 8), ("AB", 3, 6, 9),
    ("A", 9, 3, 6), ("A", 8, 5, 5),
]  # fmt: skip
"""A real tournament of three judges: winner, and the points of A, B and AB."""


def decided(winner, *points, judges=3):
    return Decided(winner, dict(zip(VERSIONS, map(float, points), strict=True)), judges)


PASSES = [decided(*row) for row in REAL]


def played(passes, stopping):
    """Ends by number of passes."""
    streak = 0
    for number, one in enumerate(passes, start=1):
        streak = streak_after(streak, one.effective)
        if end := end_of(passes[:number], streak, stopping):
            return number, end
    return None


def test_the_real_tournament_converges_at_its_ninth_pass():
    assert played(PASSES, Stopping(k=2, max_rounds=15)) == (9, "converged")
    assert all(sum(one.scores.values()) == 18 for one in PASSES)


def test_points_that_swing_between_equal_ends_are_not_stable():
    """Passes 1 to 4 end where they began, with 9 points for AB, and had 6 and 8 between."""
    assert played(PASSES, Stopping(k=2, max_rounds=15, score_window=4)) == (9, "converged")
    assert not score_stable(PASSES[:4], 4, 1 / 3)


def test_points_that_hardly_move_under_one_winner_are_stable():
    steady = [decided("AB", 5, 4, 9), decided("AB", 5, 5, 8), decided("AB", 4, 5, 9)]
    assert score_stable(steady, 3, 1 / 3) and not score_stable(steady, 3, 0.3)
    assert not score_stable([*steady[:2], decided("B", 4, 5, 9)], 3, 1)
    fewer = [decided("AB", 5, 4, 9), decided("AB", 4, 2, 6, judges=2)]
    assert score_stable(fewer, 2, 1 / 3), "points are counted by judge, so that an abstention moves nothing"


@pytest.mark.parametrize("window", [2, 3, 4])
def test_a_challenger_that_always_wins_is_stable_and_the_incumbent_never(window):
    assert winner_stable([decided("AB", 4, 5, 9)] * window, window)
    assert not winner_stable([decided("AB", 4, 5, 9)] * (window - 1), window)
    assert not winner_stable([decided("A", 9, 5, 4)] * window, window)


def test_the_streak_is_tested_before_all_else_and_the_last_pass_ends_in_any_case():
    stopping = Stopping(k=2, max_rounds=2, score_window=2, winner_window=2)
    assert end_of([decided("A", 9, 3, 6)] * 2, 2, stopping) == "converged"
    assert end_of([decided("AB", 3, 6, 9)] * 2, 0, stopping) == "score_stable"
    assert end_of([decided("AB", 3, 6, 9), decided("B", 3, 9, 6)], 0, stopping) == "max_rounds"
    assert end_of([decided("A", 9, 3, 6)], 1, stopping) is None


@given(st.lists(st.permutations(VERSIONS), min_size=2, max_size=9))
def test_agreement_is_that_of_friedmans_test(rankings):
    ranks = [[ranking.index(label) + 1 for ranking in rankings] for label in VERSIONS]
    if all(len(set(row)) == 1 for row in ranks):
        assert kendall_w(rankings) == pytest.approx(1)
    else:
        statistic = friedmanchisquare(*ranks).statistic
        assert kendall_w(rankings) == pytest.approx(statistic / (len(rankings) * 2))


def test_one_ranking_agrees_with_nobody():
    assert kendall_w([["A", "B", "AB"]]) is None and kendall_w([]) is None
