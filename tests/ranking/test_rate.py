"""Rating recorded matches and ballots: recorded cases, the keys that machines rely on, and messages for bad rows."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge_core.ranking.bradley_terry import Terms
from judge_core.ranking.rate import RecordedMatch, rate_ballots, rate_matches, read_matches
from judge_core.records.errors import InputError
from judge_core.scoring.voting import borda, veto

ITEM_KEYS = [
    "id", "elo", "rating", "low", "high", "rank", "tied_with", "wins", "losses", "ties", "unbounded",
]  # fmt: skip

KEYS = ["items", "scores", "winner", "valid_judges", "warnings", "effects", "judges"]


def elo_of(result):
    return {item.id: item.elo for item in result.items}


def codes(result):
    return {warning.code for warning in result.warnings}


def one(rows, **options):
    return rate_matches(read_matches(rows), **options)


@pytest.mark.parametrize("name", ["R-003", "R-004", "R-012"])
def test_recorded_cases_of_several_runs(case, name):
    example = case(name)
    start = example["input"].get("start", 1500)
    for run, expected in zip(example["input"]["cases"], example["expect"]["elo"], strict=True):
        result = one(run, k=example["input"]["k"], start=start)
        assert elo_of(result) == pytest.approx(expected, abs=example["expect"]["tolerance"])
        by_posterior = one(run, method="bradley-terry", start=start)
        assert elo_of(by_posterior) == elo_of(result)
        assert all(item.low < item.rating < item.high for item in by_posterior.items)


def test_the_sum_of_ratings_is_kept(case):
    example = case("R-006")
    found = elo_of(one(example["input"]["matches"]))
    assert found == pytest.approx(example["expect"]["elo"], abs=example["expect"]["tolerance"])
    assert sum(found.values()) == pytest.approx(example["expect"]["sum"])


def test_five_thousand_matches_drift_nowhere(case, long_run):
    expect = case("R-007")["expect"]
    found = elo_of(rate_matches(long_run))
    assert found == pytest.approx(expect["elo"], abs=expect["tolerance"])
    assert sum(found.values()) == pytest.approx(expect["sum"], abs=1e-6)


def test_an_unknown_result_is_named_with_its_match(case):
    with pytest.raises(InputError, match=r"Match 2 .*'tie \(bothbad\)'.*a, b or tie"):
        read_matches(case("R-008")["input"]["matches"])


@pytest.mark.parametrize("method", ["elo", "bradley-terry"])
def test_a_single_item_has_a_row_and_is_marked_unrated(case, method):
    first, second = case("R-016")["input"]["cases"]
    result = one(first["matches"], method=method, start=dict.fromkeys(first["items"], 1500.0))
    (only,) = result.items
    assert (only.rank, only.elo, only.rating, only.low, only.wins + only.losses + only.ties) == (1, 1500, 1500, None, 0)
    assert "unrated" in codes(result)
    assert one(second["matches"], method=method).items == ()


def test_an_interval_of_two_matches_is_marked(case):
    rows = case("R-032")["input"]["matches"]
    few = one(rows, method="bradley-terry")
    assert "too_little_data" in codes(few)
    assert all(item.high - item.low > 300 for item in few.items)
    many = one(rows * 100, method="bradley-terry")
    assert "too_little_data" not in codes(many)


def test_elo_claims_no_interval():
    (winner, loser) = one([{"a": "x", "b": "y", "result": "a"}]).items
    assert winner.rating == winner.elo == 1516 and winner.low is None and loser.high is None


def test_the_keys_that_machines_rely_on():
    result = one([{"a": "x", "b": "y", "result": "a"}, {"a": "z", "b": "y", "result": "tie"}], method="bradley-terry")
    data = json.loads(json.dumps(result.model_dump(mode="json"), allow_nan=False))
    assert list(data) == KEYS
    assert [list(item) for item in data["items"]] == [ITEM_KEYS] * 3
    assert all(list(warning) == ["code", "message"] for warning in data["warnings"])


def test_wins_losses_and_ties_are_counted():
    rows = [("x", "y", "a"), ("x", "y", "b"), ("y", "x", "tie"), ("x", "z", "a")]
    items = one([{"a": a, "b": b, "result": result} for a, b, result in rows]).items
    assert {item.id: (item.wins, item.losses, item.ties) for item in items} == {
        "x": (2, 1, 1), "y": (1, 1, 1), "z": (0, 1, 0),
    }  # fmt: skip


def test_without_a_prior_the_unbeaten_are_marked_and_get_no_number():
    rows = [
        {"a": "x", "b": "y", "result": "a"},
        {"a": "y", "b": "x", "result": "a"},
        {"a": "top", "b": "x", "result": "a"},
    ]
    result = one(rows, method="bradley-terry", terms=Terms(prior_sd=None, first_position=False))
    top, *others = result.items
    assert (top.id, top.rank, top.unbounded, top.rating, top.low) == ("top", 1, True, None, None)
    assert all(not item.unbounded and item.rating == pytest.approx(1500) for item in others)
    assert "unbounded" in codes(result)


def test_groups_that_never_met_are_warned_about():
    rows = [{"a": "x", "b": "y", "result": "a"}, {"a": "v", "b": "w", "result": "a"}]
    assert "not_connected" in codes(one(rows)) and "not_connected" in codes(one(rows, method="bradley-terry"))


def test_the_first_position_counts_only_when_asked():
    rows = [{"a": a, "b": b, "result": "a"} for a, b in [("x", "y"), ("y", "z"), ("z", "x"), ("x", "z")] * 3]
    plain, positional = (
        one(rows, method="bradley-terry", terms=Terms(first_position=asked)) for asked in (False, True)
    )
    spread = [result.items[0].rating - result.items[-1].rating for result in (plain, positional)]
    assert spread[1] != pytest.approx(spread[0], abs=1)


def test_a_weight_scales_the_move():
    assert elo_of(one([{"a": "x", "b": "y", "result": "a", "weight": "0.5"}])) == {"x": 1508, "y": 1492}


def test_items_level_in_elo_share_their_rank():
    items = one([{"a": "x", "b": "y", "result": "tie"}]).items
    assert [(item.rank, item.tied_with) for item in items] == [(1, ("y",)), (1, ("x",))]


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(1, 5), st.sampled_from(["a", "b", "tie"])), max_size=25))
def test_renaming_the_items_renames_the_answer(rows):
    def answer(prefix):
        matches = [
            RecordedMatch(a=f"{prefix}{a}", b=f"{prefix}{(a + step) % 6}", result=result) for a, step, result in rows
        ]
        found = rate_matches(matches, method="bradley-terry").items
        return [(item.id.removeprefix(prefix), item.rank, item.rating, item.wins) for item in found]

    assert answer("x") == answer("other ")


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"a": "x", "result": "a"}, "no b"),
        ({"a": "", "b": "", "result": None}, "no a and no b and no result"),
        ({"a": "x", "b": "x", "result": "a"}, "against itself"),
        ({"a": "x", "b": "y", "result": "ties"}, "Did you mean 'tie'"),
        ({"a": "x", "b": "y", "result": "a", "weight": "heavy"}, "'heavy'"),
        ({"a": "x", "b": "y", "result": "a", "weight": 0}, "above 0"),
        ({"a": "x", "b": "y", "result": "a", "weight": "nan"}, "'nan'"),
    ],
)
def test_a_bad_row_is_named(row, words):
    with pytest.raises(InputError, match=f"Match 2 .*{words}"):
        read_matches([{"a": "x", "b": "y", "result": "a"}, row])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"method": "glicko"}, "elo or bradley-terry or borda"),
        ({"k": 0}, "K must be above 0"),
        ({"k": float("nan")}, "K must be above 0"),
        ({"start": float("inf")}, "plain number"),
        ({"method": "bradley-terry", "terms": Terms(prior_sd=-1.0)}, "above 0"),
    ],
)
def test_a_bad_setting_is_named(options, words):
    with pytest.raises(InputError, match=words):
        one([{"a": "x", "b": "y", "result": "a"}], **options)


def test_ballots_count_as_given_and_ties_go_to_the_first_label():
    result = rate_ballots(["A", "B", "AB"], [["A", "B"], None, ["B", "A"]], None, borda)
    assert result.scores == {"A": 5, "B": 5, "AB": 0}
    assert (result.winner, result.valid_judges, codes(result)) == ("A", 2, {"decided_by_tiebreak", "empty_ballots"})


def test_ballots_with_vetoes_give_the_same_keys():
    result = rate_ballots(["A", "B", "AB"], [["A", "B", "AB"], ["AB", "A", "B"]], [1.0, 2.0], veto)
    assert (result.winner, result.scores) == ("A", {"A": 7, "B": 0, "AB": 0})
    assert list(result.model_dump(mode="json")) == KEYS


def test_ballots_without_labels_are_refused():
    with pytest.raises(InputError, match="labels"):
        rate_ballots([], [], None, borda)


def test_very_many_items_are_rated_without_lists_of_who_is_tied() -> None:
    matches = [RecordedMatch(a=f"i{n}", b=f"i{n + 1}", result="a") for n in range(5_001)]
    for method in ("elo", "bradley-terry"):
        answer = rate_matches(matches, method)
        assert len(answer.items) == 5_002 and not any(row.tied_with for row in answer.items)
        assert "ties_left_out" in [notice.code for notice in answer.warnings]


def test_a_long_chain_of_items_is_rated_in_time_that_grows_with_its_length():
    """Twice as many items take about twice as long: nothing is done over for each of them."""
    chain = [RecordedMatch(a=f"i{place}", b=f"i{place + 1}", result="a") for place in range(20_000)]
    began = time.process_time()
    result = rate_matches(chain, "bradley-terry")
    assert time.process_time() - began < 15
    assert len(result.items) == 20_001 and result.items[0].id == "i0"
    assert all(row.low < row.rating < row.high for row in result.items)
