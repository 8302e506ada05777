"""Borda and veto: known answers, sums that must hold, and who wins when votes are level, few or all vetoes."""

from __future__ import annotations

import json
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_core.records.errors import InputError
from judge_core.scoring.voting import STRATEGIES, borda, veto

CASES = Path(__file__).parents[1] / "cases" / "cases.jsonl"
LABELS = ["A", "B", "AB"]
ballots = st.lists(st.none() | st.permutations(LABELS), max_size=7)


def test_level_points_and_full_cycles_go_to_the_tiebreak():
    lines = (json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines())
    example = next(line for line in lines if line["id"] == "R-026")
    given, expect = example["input"], example["expect"]
    for rankings, scores, winner in zip(given["cases"], expect["scores"], expect["winner"], strict=True):
        tally = borda(rankings, given["labels"], given["tiebreak"])
        assert (tally.scores, tally.winner, tally.decided_by) == (scores, winner, "tiebreak")
        assert "decided by tiebreak" in tally.warnings[0].message


@pytest.mark.parametrize(
    ("scores", "rankings"),
    [
        ({"A": 9, "B": 3, "AB": 6}, [["A", "AB", "B"]] * 3),
        ({"A": 3, "B": 6, "AB": 9}, [["AB", "B", "A"]] * 3),
        ({"A": 7, "B": 3, "AB": 8}, [["AB", "A", "B"], ["AB", "A", "B"], ["A", "AB", "B"]]),
    ],
)
def test_three_judges_share_eighteen_points(scores, rankings):
    tally = borda(rankings, LABELS, "A")
    assert tally.scores == scores and sum(tally.scores.values()) == 18
    assert tally.winner == max(scores, key=scores.__getitem__) and tally.decided_by == "points"


@given(ballots, st.floats(0.1, 5))
def test_the_points_of_complete_ballots_have_a_fixed_sum(rankings, weight):
    tally = borda(rankings, LABELS, "A", [weight] * len(rankings))
    assert sum(tally.scores.values()) == pytest.approx(tally.valid_judges * weight * 6)
    assert tally.valid_judges == sum(ballot is not None for ballot in rankings)


@given(ballots, st.permutations(LABELS), st.sampled_from(sorted(STRATEGIES)))
def test_relabelling_relabels_the_count(rankings, others, strategy):
    renamed = dict(zip(LABELS, others, strict=True))
    turned = [ballot and [renamed[label] for label in ballot] for ballot in rankings]
    before = STRATEGIES[strategy](rankings, LABELS, "A")
    after = STRATEGIES[strategy](turned, [renamed[label] for label in LABELS], renamed["A"])
    assert after.scores == {renamed[label]: points for label, points in before.scores.items()}
    assert after.winner == (renamed[before.winner] if before.winner else None)


@given(ballots, st.randoms(use_true_random=False), st.sampled_from(sorted(STRATEGIES)))
def test_the_order_of_the_judges_changes_nothing(rankings, rng, strategy):
    shuffled = list(rankings)
    rng.shuffle(shuffled)
    before, after = (STRATEGIES[strategy](votes, LABELS, "A") for votes in (rankings, shuffled))
    assert (after.winner, after.scores) == (before.winner, before.scores)


@given(ballots, st.integers(1, 4))
def test_a_vetoed_label_never_wins_while_another_stands(rankings, threshold):
    tally = veto(rankings, LABELS, "A", threshold=threshold)
    if tally.winner and len(tally.vetoed_by) < len(LABELS):
        assert tally.winner not in tally.vetoed_by


def test_level_points_without_a_tiebreak_go_to_the_first_label():
    assert borda([["A", "B", "AB"], ["B", "A", "AB"]], ["B", "A", "AB"], None).winner == "B"


def test_a_tiebreak_that_is_not_level_does_not_win():
    assert borda([["A", "B", "AB"], ["B", "A", "AB"]], ["B", "A", "AB"], "AB").winner == "B"


def test_points_that_differ_in_the_last_digit_are_level():
    weights = [0.1, 0.2, 0.3]
    tally = borda([["A", "B"], ["A", "B"], ["B", "A"]], ["A", "B"], "B", weights)
    assert tally.decided_by == "tiebreak" and tally.winner == "B"


def test_weights_may_be_fractions():
    assert borda([["A", "B", "AB"]], LABELS, "A", [0.5]).scores == {"A": 1.5, "B": 1.0, "AB": 0.5}


@pytest.mark.parametrize("strategy", sorted(STRATEGIES))
@pytest.mark.parametrize("rankings", [[], [None, None, None], [[], None]])
def test_an_outage_elects_nobody(strategy, rankings):
    tally = STRATEGIES[strategy](rankings, LABELS, "A")
    assert tally.winner is None and tally.valid_judges == 0 and tally.decided_by == "nobody"
    assert tally.scores == {"A": 0, "B": 0, "AB": 0} and tally.warnings[0].code == "no_ballots"


def test_an_unnamed_label_earns_nothing():
    assert borda([["B", "A"]], LABELS, "A").scores == {"A": 2, "B": 3, "AB": 0}


def test_the_last_of_each_ballot_is_vetoed_and_the_count_kept_beside():
    tally = veto([["A", "AB", "B"], ["A", "AB", "B"], ["AB", "B", "A"]], LABELS, "A")
    assert tally.winner == "AB" and tally.vetoed_by == {"A": (2,), "B": (0, 1)}
    assert tally.borda == {"A": 7, "B": 4, "AB": 7} and tally.scores == {"A": 0, "B": 0, "AB": 7}


def test_a_total_veto_keeps_the_incumbent_and_says_so():
    cycle = [["A", "B", "AB"], ["B", "AB", "A"], ["AB", "A", "B"]]
    tally = veto(cycle, LABELS, "A")
    assert (tally.winner, tally.decided_by) == ("A", "total_veto")
    assert set(tally.scores.values()) == {0} and set(tally.borda.values()) == {6}
    assert tally.warnings[0].code == "total_veto"
    assert veto(cycle, LABELS, None).winner == "A"


def test_without_a_veto_the_plain_count_decides():
    """Incomplete ballots put nobody last."""
    rankings = [["A", "B"], ["A", "AB"]]
    assert veto(rankings, LABELS, "B").scores == borda(rankings, LABELS, "B").scores
    assert veto(rankings, LABELS, "B").winner == "A"


def test_a_threshold_asks_for_more_judges():
    rankings = [["A", "AB", "B"], ["A", "AB", "B"], ["AB", "B", "A"]]
    assert veto(rankings, LABELS, "A", threshold=2).vetoed_by == {"B": (0, 1)}
    assert veto(rankings, LABELS, "AB", threshold=2).winner == "AB"


def test_named_vetoes_take_the_place_of_the_last_ones():
    rankings = [["A", "AB", "B"], ["A", "AB", "B"], None]
    tally = veto(rankings, LABELS, "B", named=[["A"], [], ["AB"]])
    assert tally.vetoed_by == {"A": (0,)} and tally.winner == "AB"


def test_abstainers_veto_nothing():
    assert veto([None, ["A", "B", "AB"]], LABELS, "A").vetoed_by == {"AB": (1,)}


def test_every_ballot_alone_elects_its_first():
    for ballot in permutations(LABELS):
        assert borda([ballot], LABELS, "A").winner == veto([ballot], LABELS, "A").winner == ballot[0]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (([["A", "C"]], LABELS, "A"), "Ballot 1 names 'C'; the labels are 'A', 'B', 'AB'"),
        (([None, ["A", "A"]], LABELS, "A"), "Ballot 2 names a label twice"),
        (([], [], None), "Labels"),
        (([], ["A", "A"], None), "each once"),
        (([["A"]], LABELS, "A", [1.0, 1.0]), "2 weights for 1 ballots"),
        (([["A"]], LABELS, "A", [0.0]), "above 0"),
        (([["A"]], LABELS, "A", [float("nan")]), "above 0"),
    ],
)
def test_what_does_not_fit_together_is_refused(arguments, words):
    for count in (borda, veto):
        with pytest.raises(InputError, match=words):
            count(*arguments)


def test_a_veto_s_own_settings_are_checked():
    with pytest.raises(InputError, match="threshold of 0"):
        veto([["A", "B", "AB"]], LABELS, "A", threshold=0)
    with pytest.raises(InputError, match="0 lists of named vetoes for 1"):
        veto([["A", "B", "AB"]], LABELS, "A", named=[])
