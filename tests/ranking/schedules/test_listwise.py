"""Lists: a fair share for all, new company, even places, and some lists in reverse."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_core.ranking.schedules.listwise import sizes
from tests.ranking.schedules.play import played


@given(st.integers(2, 500), st.integers(3, 10))
def test_lists_share_all_texts_out_evenly(n, group_size):
    found = sizes(n, group_size)
    assert sum(found) == n and max(found) - min(found) <= 1
    assert min(found) >= min(3, n)
    assert max(found) <= group_size or len(found) == n // 3  # one list more would leave one with fewer than three


def forward(play):
    """The lists of each wave without those in reverse, which stand last."""
    for wave in play.waves:
        first = len(sizes(len(play.texts), 8))
        yield wave.groups[:first], wave.groups[first:]


@given(st.integers(2, 40), st.integers(1, 8), st.integers(0, 9))
def test_each_wave_holds_every_text_in_one_list(n, rounds, seed):
    play = played(n, method="listwise", rounds=rounds, seed=seed, group_size=8)
    assert len(play.waves) == rounds
    for lists, reverse in forward(play):
        assert sorted(text for group in lists for text in group) == sorted(play.texts)
        assert {group[::-1] for group in reverse} <= set(lists)


@pytest.mark.parametrize(
    ("share", "rounds", "reverse"), [(0.0, 5, 0), (0.01, 5, 1), (0.1, 5, 4), (1.0, 5, 40), (0.5, 1, 4)]
)
def test_the_asked_for_share_is_repeated_in_reverse(share, rounds, reverse):
    play = played(64, method="listwise", rounds=rounds, reverse_share=share, group_size=8)
    assert sum(len(turned) for _, turned in forward(play)) == reverse


def repeats(n, lists):
    """How often two texts shared a list beyond their fair share of lists."""
    shared = Counter(frozenset(pair) for group in lists for pair in combinations(group, 2))
    fair = np.ceil(shared.total() / (n * (n - 1) / 2))
    return sum(max(0, times - fair) for times in shared.values())


def by_lot(n, rounds):
    """Lists as chance alone would share the texts out."""
    lots, ends = np.random.default_rng(0), np.cumsum(sizes(n, 8))[:-1]
    return [group.tolist() for _ in range(rounds) for group in np.split(lots.permutation(n), ends)]


@pytest.mark.parametrize(("n", "rounds"), [(64, 8), (40, 8), (100, 12)])
def test_company_repeats_less_than_half_as_often_as_by_lot(n, rounds):
    play = played(n, method="listwise", rounds=rounds, reverse_share=0.0)
    assert repeats(n, [ranked.shown for ranked in play.rankings]) < repeats(n, by_lot(n, rounds)) / 2


def test_no_two_share_a_list_twice_while_new_company_is_easily_found():
    play = played(100, method="listwise", rounds=3, reverse_share=0.0)
    assert repeats(100, [ranked.shown for ranked in play.rankings]) == 0


@given(st.integers(8, 64), st.integers(0, 9))
def test_places_are_evened_out(n, seed):
    """In as many waves as a list has places a text stands nowhere often, and on the whole in the middle."""
    play = played(n, method="listwise", rounds=8, seed=seed)
    stood: dict[str, list[float]] = {text: [] for text in play.texts}
    places: Counter[tuple[str, int]] = Counter()
    for ranked in play.rankings:
        for place, text in enumerate(ranked.shown):
            stood[text].append(place / (len(ranked.shown) - 1) - 0.5)
            places[text, place] += 1
    assert max(abs(np.mean(where)) for where in stood.values()) < 0.15
    assert max(places.values()) <= 4


def test_two_texts_make_one_list_and_one_text_none():
    assert played(2, method="listwise", rounds=2, reverse_share=0.0).asked == (0, 2, 0)
    assert played(1, method="listwise", rounds=2).asked == (0, 0, 0)
