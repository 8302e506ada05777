"""Agreement coefficients equal the published formulas, and known values on a public set of judgments."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_core.scoring.habits.agreement import (
    Votes,
    agreement,
    cohen_kappa,
    fleiss_kappa,
    krippendorff_alpha,
    majority,
    pair_agreement,
)
from tests.data_sets import data_folder

PEOPLE = ("annotator1", "annotator2", "annotator3")
LABELS = st.sampled_from(["A", "B", "tie"])
VOTES = st.dictionaries(st.text(max_size=3), st.dictionaries(st.sampled_from("xyz"), LABELS, max_size=3), max_size=12)


def test_fleiss_kappa_of_the_published_example() -> None:
    """The worked table of ten subjects and fourteen raters on five categories: 0.210."""
    table = [
        (0, 0, 0, 0, 14), (0, 2, 6, 4, 2), (0, 0, 3, 5, 6), (0, 3, 9, 2, 0), (2, 2, 8, 1, 1),
        (7, 7, 0, 0, 0), (3, 2, 6, 3, 0), (2, 5, 3, 2, 2), (6, 5, 2, 1, 0), (0, 2, 2, 3, 7),
    ]  # fmt: skip
    units = [[str(k) for k, n in enumerate(row) for _ in range(n)] for row in table]
    assert fleiss_kappa(units) == pytest.approx(0.210, abs=5e-4)


def test_krippendorffs_alpha_of_the_published_example() -> None:
    """Four observers, twelve units, missing values: 0.743 for nominal data."""
    rows = {
        "A": "1 2 3 3 2 1 4 1 2 . . .", "B": "1 2 3 3 2 2 4 1 2 5 . 3",
        "C": ". 3 3 3 2 3 4 2 2 5 1 .", "D": "1 2 3 3 2 4 4 1 2 5 1 .",
    }  # fmt: skip
    votes: dict[str, dict[str, str]] = defaultdict(dict)
    for rater, row in rows.items():
        for unit, label in enumerate(row.split()):
            if label != ".":
                votes[str(unit)][rater] = label
    assert krippendorff_alpha(votes) == pytest.approx(0.743, abs=5e-4)


def test_where_chance_alone_agrees_there_is_no_coefficient() -> None:
    one_label = {"1": {"x": "A", "y": "A"}, "2": {"x": "A", "y": "A"}}
    found = agreement(one_label)
    assert (found.alpha, found.fleiss, found.pairs[0].kappa) == (None, None, None)
    assert found.pairs[0].agreed.share == 1
    assert cohen_kappa([]) is None and fleiss_kappa([]) is None and krippendorff_alpha({}) is None
    assert krippendorff_alpha({"1": {"x": "A"}, "2": {"y": "B"}}) is None


def test_missing_votes_are_left_out_and_never_a_disagreement() -> None:
    votes = {"1": {"x": "A", "y": "A"}, "2": {"x": "B"}, "3": {"x": "B", "y": "B"}, "4": {}}
    found = agreement(votes)
    assert (found.units, found.fleiss_units) == (2, 2)
    assert found.alpha == found.fleiss == found.pairs[0].kappa == 1
    assert pair_agreement(votes, "x", "z") is None


def test_fleiss_kappa_needs_equally_many_labels() -> None:
    with pytest.raises(ValueError, match="same number"):
        fleiss_kappa([("A", "B"), ("A", "B", "B")])
    with pytest.raises(ValueError, match="at least two"):
        fleiss_kappa([("A",)])


@given(VOTES)
def test_coefficients_never_exceed_1_and_do_not_depend_on_order_or_on_the_labels_names(votes: Votes) -> None:
    found = agreement(votes)
    values = [found.alpha, found.fleiss, *(pair.kappa for pair in found.pairs)]
    assert all(value is None or value <= 1 + 1e-9 for value in values)
    renamed = {"A": "B", "B": "tie", "tie": "A"}
    turned = {unit: {rater: renamed[v] for rater, v in by.items()} for unit, by in reversed(votes.items())}
    other = agreement(turned)
    for one, two in zip(values, [other.alpha, other.fleiss, *(pair.kappa for pair in other.pairs)], strict=True):
        assert (one is None) == (two is None) and (one is None or one == pytest.approx(two, abs=1e-9))


@given(st.lists(st.tuples(LABELS, LABELS), min_size=1, max_size=20))
def test_two_raters_without_gaps_have_cohens_kappa_1_exactly_when_they_always_agree(labels: list[Any]) -> None:
    kappa = cohen_kappa(labels)
    assert kappa is None or (kappa == pytest.approx(1)) == all(a == b for a, b in labels)


# known values on pandalm


@pytest.fixture(scope="module")
def votes() -> dict[str, dict[str, str]]:
    """Three people and two models on 999 pairs."""
    found: dict[str, dict[str, str]] = defaultdict(dict)
    with (data_folder("pandalm") / "verdicts.jsonl").open(encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            found[row["pair_id"]][row["judge_id"]] = row["winner"]
    return found


@pytest.fixture(scope="module")
def expected() -> Mapping[str, Any]:
    values: Mapping[str, Any] = json.loads((data_folder("expected") / "expected.json").read_text("utf-8"))["pandalm"]
    return values


def of_people(votes: Votes) -> dict[str, dict[str, str]]:
    return {unit: {rater: by[rater] for rater in PEOPLE} for unit, by in votes.items()}


def test_alpha_fleiss_and_cohen_of_people_equal_the_known_values(votes: Votes, expected: Mapping[str, Any]) -> None:
    found = agreement(of_people(votes))
    assert (found.units, found.fleiss_units) == (expected["pairs"], expected["pairs"])
    assert found.alpha == pytest.approx(expected["krippendorff_alpha_nominal"], abs=1e-6)
    assert found.fleiss == pytest.approx(expected["fleiss_kappa"], abs=1e-6)
    kappas = {f"{pair.one}|{pair.other}": pair.kappa for pair in found.pairs}
    assert kappas == pytest.approx(expected["cohen"], abs=1e-6)


def test_percent_agreement_of_every_two_raters_equals_the_known_values(
    votes: Votes, expected: Mapping[str, Any]
) -> None:
    shares = {f"{pair.one}|{pair.other}": pair.agreed.share for pair in agreement(votes).pairs}
    assert {name: shares[name] for name in expected["percent_agreement"]} == pytest.approx(
        expected["percent_agreement"], abs=1e-6
    )


def test_the_majority_and_the_agreement_with_it_equal_the_known_values(
    votes: Votes, expected: Mapping[str, Any]
) -> None:
    labels = {unit: majority(list(by.values())) for unit, by in of_people(votes).items()}
    counts = {label: list(labels.values()).count(label) for label in ("A", "B", "tie")}
    assert counts == expected["majority"]
    right = {
        rater: sum(by[rater] == labels[unit] for unit, by in votes.items()) / len(votes)
        for rater in expected["accuracy_vs_majority"]
    }
    assert right == pytest.approx(expected["accuracy_vs_majority"], abs=1e-6)
