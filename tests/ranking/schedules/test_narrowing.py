"""Narrowing: known bands and call counts, the edges of K, and what a person is told."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_core.ranking.schedules.swiss.narrowing import band, notes, planned_matches, survivors, useful_rounds
from judge_core.records.errors import InputError
from judge_core.records.spec import Narrowing


def rank(k):
    return Narrowing(focus="rank", k=k)


def class_(k):
    return Narrowing(focus="class", k=k)


@pytest.mark.parametrize(
    ("n", "narrowing", "expected"),
    [
        (20, rank(5), (1, 7)),
        (20, class_(5), (3, 7)),
        (8, class_(4), (2, 6)),
        (6, class_(2), (1, 4)),
        (6, class_(1), (1, 3)),
        (6, rank(5), (1, 6)),
        (6, rank(6), (1, 6)),
        (6, class_(9), (1, 6)),
        (6, Narrowing(), (1, 6)),
    ],
)
def test_the_band_from_round_three_on(n, narrowing, expected):
    assert band(narrowing, n, 3) == band(narrowing, n, 7) == expected


@pytest.mark.parametrize("round", [1, 2])
def test_the_first_two_rounds_are_open_to_all(round):
    assert band(rank(5), 20, round) == (1, 20)


@pytest.mark.parametrize(
    ("n", "rounds", "narrowing", "matches"),
    [
        (20, 3, rank(5), 23),
        (20, 3, class_(5), 22),
        (100, 3, rank(10), 106),
        (100, 3, class_(10), 102),
        (20, 3, Narrowing(), 30),
        (5, 3, Narrowing(), 6),
        (2, 3, Narrowing(), 1),
        (4, 9, Narrowing(), 6),
        (20, 2, rank(5), 20),
        (1, 3, Narrowing(), 0),
        (0, 3, Narrowing(), 0),
    ],
)
def test_planned_matches(n, rounds, narrowing, matches):
    assert planned_matches(n, rounds, narrowing) == matches


@given(st.integers(0, 60), st.integers(1, 80), st.integers(1, 70), st.sampled_from(["all", "rank", "class"]))
def test_no_schedule_plans_more_than_every_pair_once(n, rounds, k, focus):
    narrowing = Narrowing(focus=focus, k=None if focus == "all" else k)
    assert 0 <= planned_matches(n, rounds, narrowing) <= n * (n - 1) // 2


def test_a_narrow_band_runs_out_of_pairs():
    assert planned_matches(20, 19, class_(5)) == 20 + 10


@pytest.mark.parametrize(("n", "rounds", "useful"), [(2, 3, 1), (3, 3, 3), (3, 9, 3), (4, 9, 3), (20, 3, 3), (1, 3, 0)])
def test_rounds_end_when_all_have_met(n, rounds, useful):
    assert useful_rounds(n, rounds) == useful


def test_two_texts_have_one_match():
    (note,) = notes(2, 3, Narrowing())
    assert "only 1 distinct match" in note


@pytest.mark.parametrize(
    ("n", "rounds", "narrowing", "words"),
    [
        (20, 2, rank(5), "begins in round 3"),
        (20, 3, rank(20), "keeps all of them"),
        (12, 3, rank(5), "20 texts or more"),
        (6, 9, Narrowing(), "5 rounds will be run instead of 9"),
    ],
)
def test_what_is_said_of_a_schedule(n, rounds, narrowing, words):
    (note,) = notes(n, rounds, narrowing)
    assert words in note


def test_a_plain_schedule_needs_no_words():
    assert notes(20, 3, rank(5)) == notes(20, 3, Narrowing()) == ()


def test_a_class_is_listed_by_id_and_a_rank_in_order():
    ranked = ["d", "b", "c", "a"]
    assert survivors(ranked, class_(3)) == ("b", "c", "d")
    assert survivors(ranked, rank(3)) == ("d", "b", "c")
    assert survivors(ranked, Narrowing()) == ("d", "b", "c", "a")


def test_narrowing_without_k_is_refused_with_an_example():
    with pytest.raises(InputError, match="rank:5"):
        band(Narrowing(focus="rank"), 20, 3)
