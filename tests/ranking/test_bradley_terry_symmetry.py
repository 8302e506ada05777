"""For evidence of every kind: turned round, renamed and shuffled verdicts; always a finite answer; errors by name."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge_core.ranking.bradley_terry import (
    Comparison,
    Ranked,
    Score,
    Terms,
    Verdicts,
    estimate,
)
from judge_core.records.errors import InputError
from tests.ranking.verdicts import (
    reversed_verdicts,
    verdicts,
)

quick = settings(max_examples=15, deadline=None)


TERMS = [Terms(margins=True), Terms(margins=True, discrimination=True), Terms(both_ends=False)]


@quick
@given(verdicts(), st.sampled_from(TERMS[:2]))
def test_reversing_all_verdicts_mirrors_the_ratings(drawn, terms):
    items, given_ = drawn
    before, after = estimate(items, given_, terms), estimate(items, reversed_verdicts(given_), terms)
    assert after.strengths == pytest.approx(-before.strengths, abs=1e-8)
    assert after.covariance == pytest.approx(before.covariance, abs=1e-8)


def test_lists_read_from_the_best_alone_need_not_turn_round():
    """Why lists are read from both ends: the textbook sets y and z level above x, and turned round x and z above y."""
    given_ = Verdicts(rankings=[Ranked(("y", "z", "x")), Ranked(("x", "y"))])
    before, after = (
        estimate(list("xyz"), each, Terms(both_ends=False)).ranks() for each in (given_, reversed_verdicts(given_))
    )
    assert (before, after) == ({"x": 3, "y": 1, "z": 1}, {"x": 1, "y": 3, "z": 1})


@quick
@given(verdicts(), st.sampled_from(TERMS), st.randoms(use_true_random=False))
def test_the_order_of_the_verdicts_changes_nothing(drawn, terms, rng):
    items, given_ = drawn
    shuffled = Verdicts(*(rng.sample(list(kind), len(kind)) for kind in given_))
    before, after = estimate(items, given_, terms), estimate(items, shuffled, terms)
    assert after.strengths == pytest.approx(before.strengths, abs=1e-9)
    assert after.covariance == pytest.approx(before.covariance, abs=1e-9)


@quick
@given(verdicts(), st.sampled_from(TERMS))
def test_relabelling_texts_and_judges_relabels_the_answer(drawn, terms):
    items, given_ = drawn
    text, judge = (lambda name: f"new {name}"), {"j": "z", "k": "a", "": ""}.__getitem__
    renamed = Verdicts(
        [row._replace(a=text(row.a), b=text(row.b), judge=judge(row.judge)) for row in given_.comparisons],
        [
            row._replace(texts=tuple(map(text, row.texts)), shown=tuple(map(text, row.shown)), judge=judge(row.judge))
            for row in given_.rankings
        ],
        [row._replace(text=text(row.text), judge=judge(row.judge)) for row in given_.scores],
    )
    before, after = estimate(items, given_, terms), estimate([text(item) for item in reversed(items)], renamed, terms)
    for item in items:
        assert after.rating(text(item)) == pytest.approx(before.rating(item), abs=1e-6)
        assert after.interval(text(item)) == pytest.approx(before.interval(item), abs=1e-6)
    assert {judge(name): effect for name, effect in before.discriminations.items()} == {
        name: pytest.approx(effect, abs=1e-8) for name, effect in after.discriminations.items()
    }


@quick
@given(verdicts(), st.sampled_from([{}, {"t0": 1650.0}]), st.booleans())
def test_there_is_always_a_finite_answer(drawn, anchors, discrimination):
    items, given = drawn
    lengths = {item: 50.0 * (place + 1) for place, item in enumerate(items)}
    terms = Terms(margins=True, lengths=lengths, anchors=anchors, discrimination=discrimination)
    posterior = estimate(items, given, terms)
    numbers = [posterior.rating(item) for item in items] + [posterior.sd(item) for item in items]
    numbers += [number for effect in posterior.effects.values() for number in effect]
    numbers += [number for effect in posterior.discriminations.values() for number in effect]
    assert np.isfinite(numbers).all() and np.isfinite(posterior.draws()).all()


@pytest.mark.parametrize("margin", [1e9, -1e-9])
def test_units_of_any_size_give_finite_ratings(margin):
    rows = [Comparison("x", "y", 1.0, 1e6, 1, margin * (1 + place % 3), "j") for place in range(9)]
    posterior = estimate(["x", "y", "z"], Verdicts(rows), Terms(margins=True))
    assert np.isfinite([posterior.rating(item) for item in "xyz"]).all()


@pytest.mark.parametrize(
    ("given", "terms", "words"),
    [
        (Verdicts(rankings=[Ranked(("x", "stranger"))]), Terms(), "'stranger'"),
        (Verdicts(rankings=[Ranked(("x",))]), Terms(), "two texts"),
        (Verdicts(rankings=[Ranked(("x", "y", "x"))]), Terms(), "none twice"),
        (Verdicts(rankings=[Ranked(("x", "y"), 0.0)]), Terms(), "weight above 0"),
        (Verdicts(rankings=[Ranked(("x", "y"), 1.0, ("x", "z"))]), Terms(), "not the texts"),
        (Verdicts(scores=[Score("stranger", 1.0)]), Terms(), "'stranger'"),
        (Verdicts(scores=[Score("x", float("nan"))]), Terms(), "found nan"),
        (Verdicts(scores=[Score("x", 1.0, -1.0)]), Terms(), "found -1.0"),
        (Verdicts([Comparison("x", "y", 1.0, margin=float("inf"))]), Terms(margins=True), "found inf"),
        (Verdicts(), Terms(anchors={"stranger": 1500.0}), "'stranger'"),
        (Verdicts(), Terms(anchors={"x": float("nan")}), "found nan"),
        (Verdicts(), Terms(lengths={"x": 10.0}), "words of 'y'"),
        (Verdicts(), Terms(lengths={"x": 10.0, "y": 0.0, "z": 1.0}), "found 0.0"),
        (Verdicts(rankings=[Ranked(("x", "y"))]), Terms(prior_sd=None), "ranked lists"),
        (Verdicts(scores=[Score("x", 1.0)]), Terms(prior_sd=None, margins=True), "scores and margins"),
        (Verdicts(), Terms(prior_sd=None, anchors={"x": 1500.0}, discrimination=True), "anchors and judge disc"),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_named(given, terms, words):
    with pytest.raises(InputError, match=words):
        estimate(["x", "y", "z"], given, terms)
