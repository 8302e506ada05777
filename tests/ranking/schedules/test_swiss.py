"""Swiss pairing: rules that hold for every field, and the best pairing compared with all there are."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge_core.ranking import elo
from judge_core.ranking.schedules.swiss.pairing import Pairing, pair, rank_order


def matchings(free: tuple[int, ...], met: set[frozenset[int]]) -> Iterator[list[tuple[int, int]]]:
    """Every set of pairs without a rematch, by trying them all."""
    if not free:
        yield []
        return
    first, rest = free[0], free[1:]
    yield from matchings(rest, met)
    for other in rest:
        if frozenset((first, other)) not in met:
            left = tuple(rank for rank in rest if rank != other)
            yield from ([(first, other), *more] for more in matchings(left, met))


def price(pairs: list[tuple[int, int]], byes: list[int]) -> tuple[int, int, int, int]:
    """What a pairing is judged by, in order: byes, earlier byes of those, their rank, distance."""
    size = len(byes)
    idle = set(range(size)).difference(*pairs)
    return (
        len(idle),
        sum(byes[rank] for rank in idle),
        sum(size - 1 - rank for rank in idle),
        sum(abs(i - j) for i, j in pairs),
    )


@st.composite
def fields(draw, largest=8):
    size = draw(st.integers(0, largest))
    pairs = list(combinations(range(size), 2))
    met = draw(st.sets(st.sampled_from(pairs))) if pairs else set()
    return {frozenset(pair) for pair in met}, draw(st.lists(st.integers(0, 3), min_size=size, max_size=size))


def paired(met: set[frozenset[int]], byes: list[int]) -> Pairing:
    names = [f"t{rank}" for rank in range(len(byes))]
    return pair(names, {frozenset(f"t{rank}" for rank in pair) for pair in met}, dict(zip(names, byes, strict=True)))


@settings(max_examples=300, deadline=None)
@given(fields())
def test_no_pairing_is_better_than_the_one_given(field):
    met, byes = field
    found = [(int(a[1:]), int(b[1:])) for a, b in paired(met, byes).pairs]
    best = min(price(pairs, byes) for pairs in matchings(tuple(range(len(byes))), met))
    assert price(found, byes) == best


@settings(max_examples=100, deadline=None)
@given(fields(largest=40))
def test_everyone_stands_once_and_no_two_meet_again(field):
    met, byes = field
    round = paired(met, byes)
    seen = [text for pair in round.pairs for text in pair] + list(round.byes)
    assert sorted(seen) == sorted(f"t{rank}" for rank in range(len(byes)))
    assert not {frozenset(int(text[1:]) for text in pair) for pair in round.pairs} & met


def test_equal_ratings_stand_in_the_order_of_their_ids():
    assert rank_order({"b": 1500.0, "c": 1501.0, "a": 1500.0}) == ("c", "a", "b")


def test_neighbours_meet_first():
    assert pair(list("abcd"), set(), {}) == Pairing((("a", "b"), ("c", "d")), ())


def test_the_last_sits_out_once_then_the_next():
    assert pair(list("abc"), set(), {}).byes == ("c",)
    assert pair(list("abc"), set(), {"c": 1}).byes == ("b",)


def test_nobody_sits_out_where_greedy_pairing_would_strand_two():
    met = {frozenset("ab"), frozenset("cd"), frozenset("ef"), frozenset("ac"), frozenset("bd")}
    round = pair(list("abcdef"), met, {})
    assert len(round.pairs) == 3 and not round.byes


def test_when_all_have_met_all_sit_out():
    assert pair(["a", "b"], {frozenset("ab")}, {}) == Pairing((), ("a", "b"))


def test_meetings_with_texts_outside_the_band_do_not_count():
    assert pair(["a", "b"], {frozenset(("a", "gone"))}, {"gone": 3}).pairs == (("a", "b"),)


class Run:
    """Rounds played by a judge that errs, for the rules that span rounds."""

    def __init__(self, size: int, seed: int = 0):
        self.rng = random.Random(seed)
        self.truth = {f"t{place:04}": self.rng.gauss(0, 1.5) for place in range(size)}
        self.elo = dict.fromkeys(self.truth, 1500.0)
        self.met: set[frozenset[str]] = set()
        self.byes: Counter[str] = Counter()

    def play(self, rounds: int) -> None:
        for _ in range(rounds):
            round = pair(rank_order(self.elo), self.met, self.byes)
            self.byes.update(round.byes)
            for a, b in round.pairs:
                assert frozenset((a, b)) not in self.met
                self.met.add(frozenset((a, b)))
                won = self.truth[a] - self.truth[b] + self.rng.gauss(0, 1.7) > 0
                self.elo[a], self.elo[b] = elo.update(self.elo[a], self.elo[b], float(won))


@pytest.mark.parametrize(("size", "rounds"), [(20, 17), (34, 30), (64, 20)])
def test_an_even_field_has_no_byes_until_late(size, rounds):
    run = Run(size)
    run.play(rounds)
    assert not run.byes and len(run.met) == rounds * size // 2


def test_an_odd_field_has_one_bye_a_round_each_for_another_text():
    run = Run(35)
    run.play(30)
    assert len(run.byes) == 30 and max(run.byes.values()) == 1


def test_a_full_round_robin_ends_without_a_rematch():
    run = Run(20)
    run.play(25)
    assert len(run.met) <= 190
    assert pair(rank_order(run.elo), run.met, run.byes).pairs == ()


def test_three_rounds_of_three_are_a_round_robin():
    run = Run(3)
    run.play(3)
    assert len(run.met) == 3 and set(run.byes.values()) == {1}


@pytest.mark.parametrize(("size", "rounds"), [(200, 30), (501, 12)])
def test_late_rounds_of_many_texts_are_full(size, rounds):
    run = Run(size)
    run.play(rounds)
    assert len(run.met) == rounds * (size // 2)


def test_an_odd_number_never_gives_one_text_two_byes_before_all_had_one(case):
    example = case("R-029")
    ratings, met, byes = dict.fromkeys(example["input"]["items"], 1500.0), set(), Counter()
    for _ in range(example["input"]["rounds"]):
        round = pair(rank_order(ratings), met, byes)
        assert len(round.byes) == example["expect"]["byes_per_round"]
        idle = {text: ratings[text] for text in round.byes}
        byes.update(round.byes)
        for a, b in round.pairs:
            met.add(frozenset((a, b)))
            ratings[a], ratings[b] = elo.update(ratings[a], ratings[b], float(a < b))
        assert {text: ratings[text] for text in round.byes} == idle
    assert max(byes.values()) == example["expect"]["max_byes_per_item"]
    assert len(met) == example["expect"]["matches"]
