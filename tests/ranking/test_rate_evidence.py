"""Recorded matches rated by margins, lengths, judges and anchors; ballots rated as lists; points of matches."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge_core.ranking.bradley_terry import Comparison, Score, Terms, Verdicts, estimate
from judge_core.ranking.rate import rate_lists, rate_matches, read_matches, terms_of
from judge_core.ranking.rate.result import interval_warnings
from judge_core.records.errors import InputError

PLAIN = Terms(first_position=False)


def rows(*matches):
    """Matches from tuples of a, b, result and margin."""
    return read_matches([dict(zip(("a", "b", "result", "margin"), match, strict=False)) for match in matches])


def rating(result):
    return {row.id: row.rating for row in result.items}


def test_a_large_margin_moves_a_rating_further_than_a_small_one():
    matches = rows(*[("x", "y", "a", 6), ("y", "z", "a", 1), ("x", "z", "a", 7)] * 3)
    terms = terms_of(matches, Terms(first_position=False, margins=True))
    graded, bare = (rating(rate_matches(matches, "bradley-terry", each)) for each in (terms, PLAIN))
    assert graded["x"] - graded["y"] > 3 * (graded["y"] - graded["z"])
    assert bare["x"] - bare["y"] == pytest.approx(bare["y"] - bare["z"])


def test_too_few_margins_are_warned_about():
    matches = rows(("x", "y", "a", 6))
    result = rate_matches(matches, "bradley-terry", Terms(margins=True, first_position=False))
    told = {warning.code: warning.message for warning in result.warnings}
    assert told["margins_unused"].startswith("1 judge gave too few margins") and "scores_unused" not in told


def test_scores_that_do_not_count_are_not_called_margins():
    pairs = [Comparison("x", "y", 1.0, 1.0, 0, 6.0, judge) for judge in "jk"]
    scores = [Score(text, 7.0, 1.0, "kind") for text in "xyz"]
    for verdicts, codes in (
        (Verdicts(scores=scores), {"scores_unused"}),
        (Verdicts(pairs, (), scores), {"margins_unused", "scores_unused"}),
    ):
        posterior = estimate(list("xyz"), verdicts, terms := Terms(margins=True))
        told = {warning.code: warning.message for warning in interval_warnings(posterior, terms)}
        assert {code for code in told if code.endswith("unused")} == codes
        assert told["scores_unused"].startswith("1 judge gave too few scores")
        assert "margins_unused" not in told or told["margins_unused"].startswith("2 judges gave too few margins")


def test_the_length_term_and_its_effect_stand_in_the_answer():
    read = read_matches([
        {"a": a, "b": b, "result": "a", "words_a": words, "words_b": fewer}
        for a, b, words, fewer in [("x", "y", 400, 100), ("y", "z", 100, 50), ("x", "z", 400, 50)]
    ])  # fmt: skip
    result = rate_matches(read, "bradley-terry", terms_of(read, PLAIN, lengths=True))
    assert result.effects["length"].value > 0 and result.effects["length"].sd < 1
    assert rating(result)["x"] < rating(rate_matches(read, "bradley-terry"))["x"]


def test_multipliers_of_judges_stand_in_the_answer():
    agreed = [{"a": a, "b": b, "result": "a", "judge": "sure"} for a, b in combinations("uvwxyz", 2)] * 3
    turned = [
        {"a": a, "b": b, "result": "ab"[n % 2], "judge": "random"} for n, (a, b) in enumerate(combinations("uvwxyz", 2))
    ] * 3
    read = read_matches(agreed + turned)
    result = rate_matches(read, "bradley-terry", terms_of(read, Terms(first_position=False, discrimination=True)))
    assert result.judges["sure"].value > 1 > result.judges["random"].value


def test_an_anchor_gives_the_scale():
    result = rate_matches(rows(("x", "y", "tie")), "bradley-terry", Terms(first_position=False, anchors={"x": 1800.0}))
    assert rating(result)["x"] == pytest.approx(1800, abs=1)
    assert 1750 < rating(result)["y"] < 1850


@pytest.mark.parametrize(
    ("matches", "terms", "lengths", "words"),
    [
        (rows(("x", "y", "a")), Terms(margins=True), False, "No match has a margin"),
        (rows(("x", "y", "b", 2)), Terms(margins=True), False, "Match 1 has the result b and the margin 2.0"),
        (rows(("x", "y", "a")), Terms(discrimination=True), False, "two judges"),
        (rows(("x", "y", "a")), Terms(), True, "Match 1 has no words_a"),
    ],
)
def test_what_the_matches_lack_is_named(matches, terms, lengths, words):
    with pytest.raises(InputError, match=words):
        terms_of(matches, terms, lengths=lengths)


def test_an_item_of_two_lengths_is_named():
    told = {"result": "a", "words_b": 5}
    matches = read_matches([{"a": "x", "b": "y", "words_a": 10, **told}, {"a": "x", "b": "z", "words_a": 11, **told}])
    with pytest.raises(InputError, match="Match 2 gives 'x' 11 words, an earlier one 10"):
        terms_of(matches, Terms(), lengths=True)


@pytest.mark.parametrize(("column", "value"), [("margin", "big"), ("margin", "inf"), ("words_a", 0), ("words_b", "-3")])
def test_a_number_that_cannot_be_used_is_named(column, value):
    with pytest.raises(InputError, match=f"Match 1 has the {column} '{value}'"):
        read_matches([{"a": "x", "b": "y", "result": "a", column: value}])


def test_points_of_matches_are_wins_and_half_ties_by_weight():
    read = read_matches([
        {"a": "x", "b": "y", "result": "a", "weight": 2}, {"a": "x", "b": "z", "result": "tie"}, {"a": "y", "b": "z", "result": "b"},
    ])  # fmt: skip
    result = rate_matches(read, "borda")
    assert result.scores == {"x": 2.5, "y": 0.0, "z": 1.5} and result.winner == "x"
    assert [(row.id, row.rank, row.rating) for row in result.items] == [("x", 1, None), ("z", 2, None), ("y", 3, None)]
    assert result.warnings == ()


def test_points_of_uneven_matches_are_warned_about():
    result = rate_matches(rows(("x", "y", "a"), ("y", "z", "a")), "borda")
    assert {warning.code for warning in result.warnings} == {"unbalanced"}


def test_ballots_as_lists_have_ratings_with_intervals_and_a_winner():
    result = rate_lists(["A", "B", "C"], [["B", "A", "C"], ["B", "C"], None, ["A", "C", "B"], ["C"]])
    assert result.valid_judges == 3 and result.winner == "A"
    assert {row.id: (row.wins, row.losses) for row in result.items} == {"B": (3, 2), "A": (3, 1), "C": (1, 4)}
    assert all(row.low < row.rating < row.high and row.elo is None for row in result.items)
    assert sum(row.rating for row in result.items) == pytest.approx(4500)
    assert {warning.code for warning in result.warnings} >= {"short_ballots", "too_little_data"}


def test_without_a_ballot_nobody_wins():
    result = rate_lists(["A", "B"], [None, None])
    assert result.winner is None and result.valid_judges == 0
    assert [(row.rank, row.low) for row in result.items] == [(1, None), (1, None)]


def test_a_ballots_weight_counts():
    result = rate_lists(["A", "B"], [["A", "B"], ["B", "A"]], [1.0, 2.0])
    assert result.winner == "B"
    with pytest.raises(InputError, match="1 weights for 2 ballots"):
        rate_lists(["A", "B"], [["A", "B"], ["B", "A"]], [1.0])
    with pytest.raises(InputError, match="labels"):
        rate_lists([], [])


ballots = st.lists(
    st.permutations("ABCD").flatmap(lambda order: st.integers(2, 4).map(lambda n: order[:n])), max_size=8
)


@settings(max_examples=25, deadline=None)
@given(ballots)
def test_turning_all_ballots_round_turns_the_order_round(drawn):
    before, after = (rating(rate_lists("ABCD", each)) for each in (drawn, [ballot[::-1] for ballot in drawn]))
    for label in "ABCD":
        assert after[label] - 1500 == pytest.approx(1500 - before[label], abs=1e-6)


def test_where_scores_begin_is_told_as_no_effect():
    verdicts = Verdicts(scores=[Score("x", 3.0, 1.0, "j"), Score("y", 5.0, 1.0, "j"), Score("z", 8.0, 1.0, "j")])
    assert estimate(["x", "y", "z"], verdicts).effects == {}
