"""What a judgment's grade is, and that a rating never rests on anything finer than what was said."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from judge_core.records.spec import Evidence
from judge_core.records.verdict import Judgment, OrderReading, PairScores
from judge_core.scoring.grades import MOST_LOGITS, Declared, band_means, bands, graded

LEVEL = st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0])
EVIDENCE = st.sampled_from(["winner", "margins", "levels", "probabilities"])


def order(level: float | None, a: float, b: float) -> OrderReading:
    winner: Any = "A" if a > b else "B" if b > a else "tie"
    return OrderReading(first="E-001", turn=0, scores={}, totals=PairScores(a=a, b=b), winner=winner, level=level)


def judgment(*levels: float | None, a: float = 0.7, b: float = 0.4, **more: Any) -> Judgment:
    """One that a won by .7 to .4, with such a level in each order."""
    outcome: Any = "won" if a > b else "lost" if b > a else "tied"
    known = [level for level in levels if level is not None]
    fields: dict[str, Any] = {
        "judge": 0, "outcome": outcome, "result": {"won": 1.0, "lost": 0.0, "tied": 0.5}[outcome],
        "scores": {"Overall": PairScores(a=10 * a, b=10 * b)}, "totals": PairScores(a=a, b=b),
        "orders": tuple(order(level, a, b) for level in levels or (None,)),
        "level": sum(known) / len(known) if known else None,
    }  # fmt: skip
    return Judgment(**{**fields, **more})


def of(level: float, **more: Any) -> Judgment:
    """A judgment whose scores fit its level."""
    return judgment(level, a=0.5 + (level - 0.5) / 5, b=0.5 - (level - 0.5) / 5, **more)


def one(judged: Judgment, evidence: Evidence) -> tuple[float | None, float | None]:
    [grade] = graded([judged], evidence).grades
    return grade.result, None if grade.margin is None else round(grade.margin, 9)


WON = judgment(1.0, probability=0.8)
FAILED = Judgment(judge=0, outcome="failed")
DRAW = Judgment(judge=0, outcome="failed", result=0.5)
"""Recorded as a draw by the chosen policy."""
PROSE = judgment(None, a=1.0, b=0.0, scores={})
"""Only its winner was stated, which stands as totals of 1 and 0."""


@pytest.mark.parametrize(
    ("judged", "evidence", "grade"),
    [
        (WON, "winner", (1.0, None)),
        (WON, "margins", (1.0, 0.3)),
        (WON, "probabilities", (0.8, 1.386294361)),
        (judgment(None), "levels", (1.0, None)),
        (judgment(None), "probabilities", (1.0, None)),
        (judgment(probability=1.0), "probabilities", (1.0, MOST_LOGITS)),
        (judgment(probability=0.0), "probabilities", (0.0, -MOST_LOGITS)),
        (judgment(probability=0.5), "probabilities", (0.5, 0.0)),
        (PROSE, "margins", (1.0, None)),
        *((FAILED, evidence, (None, None)) for evidence in ("winner", "margins", "levels", "probabilities")),
        *((DRAW, evidence, (0.5, None)) for evidence in ("winner", "margins", "levels", "probabilities")),
        (judgment(0.75, outcome="flipped", result=0.5), "margins", (0.5, 0.3)),
    ],
)  # fmt: skip
def test_a_grade_is_what_was_said_or_the_winner(judged: Judgment, evidence: Evidence, grade: tuple[Any, Any]) -> None:
    assert one(judged, evidence) == grade


def test_what_no_longer_fits_the_winner_that_counts_is_left_out() -> None:
    """Other weights, or the judge's stated choice, made the other text the winner."""
    turned = WON.model_copy(update={"outcome": "lost", "result": 0.0})
    tied = WON.model_copy(update={"outcome": "tied", "result": 0.5})
    for judged in (turned, tied):
        assert one(judged, "levels") == one(judged, "margins") == (judged.result, None)


def test_it_is_declared_how_many_judgments_have_what_the_rating_rests_on() -> None:
    judged = [WON, judgment(None), PROSE, FAILED, DRAW]
    told = {evidence: graded(judged, evidence).declared for evidence in ("margins", "levels", "winner")}
    assert told["margins"] == Declared(evidence="margins", judgments=4, by_winner=2)
    assert told["levels"] == Declared(evidence="levels", judgments=4, by_winner=3)
    assert told["levels"].words == "by the judges' five levels (1 of 4 judgments; 3 by winner)"
    assert told["winner"].words == "by who won (4 of 4 judgments)"


@given(st.lists(st.integers(0, 50), min_size=3, max_size=3).filter(any))
def test_bands_have_the_means_of_a_normal_variable(counts: list[int]) -> None:
    """Against scipy's truncated means; the shares times the means give the mean size of it all."""
    edges = norm.ppf((1 + np.cumsum([0, *counts]) / sum(counts)) / 2)
    wanted = [
        norm.expect(lb=low, ub=high, conditional=True) if count else 0.0
        for low, high, count in zip(edges, edges[1:], counts, strict=False)
    ]
    assert band_means(counts) == pytest.approx(wanted, abs=1e-5)
    shares = np.array(counts) / sum(counts)
    assert shares @ band_means(counts) == pytest.approx(np.sqrt(2 / np.pi))


def test_a_level_counts_the_more_the_rarer_the_judge_gives_it() -> None:
    def worth(clearly: int, slightly: int) -> float:
        return graded([of(1.0)] * clearly + [of(0.75)] * slightly, "levels").grades[0].margin or 0.0

    assert worth(1, 9) > worth(5, 5) > worth(9, 1) > 0


def test_each_judge_has_its_own_bands() -> None:
    generous, strict = [of(1.0, judge=0)] * 9 + [of(0.75, judge=0)], [of(0.75, judge=1)] * 9 + [of(1.0, judge=1)]
    both = graded([*generous, *strict], "levels").grades
    assert both == (*graded(generous, "levels").grades, *graded(strict, "levels").grades)
    assert (both[0].margin or 0) < (both[-1].margin or 0)


def test_both_orders_count_by_the_mean_of_their_margins() -> None:
    judged = [of(1.0), of(0.75), judgment(1.0, 0.75)]
    much, better, merged = (grade.margin for grade in graded(judged, "levels").grades)
    assert merged == pytest.approx(((much or 0) + (better or 0)) / 2)
    assert graded(judged, "levels").grades[2].result == 0.875


def turned(judged: Judgment) -> Judgment:
    """The same with a and b exchanged."""
    back: dict[Any, Any] = {"won": "lost", "lost": "won"}
    orders = tuple(o.model_copy(update={"level": flipped(o.level), "totals": swapped(o.totals)}) for o in judged.orders)
    return judged.model_copy(update={
        "outcome": back.get(judged.outcome, judged.outcome), "result": flipped(judged.result), "orders": orders,
        "level": flipped(judged.level), "probability": flipped(judged.probability),
        "totals": judged.totals and swapped(judged.totals),
    })  # fmt: skip


def flipped(value: float | None) -> float | None:
    return None if value is None else 1 - value


def swapped(pair: PairScores) -> PairScores:
    return PairScores(a=pair.b, b=pair.a)


JUDGED = st.lists(
    st.builds(lambda level, p: of(level, probability=p), LEVEL, st.none() | st.floats(0, 1)) | st.just(FAILED),
    max_size=8,
)


@given(JUDGED, EVIDENCE)
def test_exchanging_the_texts_turns_every_grade(judged: list[Judgment], evidence: Evidence) -> None:
    there, back = graded(judged, evidence), graded([turned(each) for each in judged], evidence)
    assert there.declared == back.declared
    for one, other in zip(there.grades, back.grades, strict=True):
        assert (one.result is None) == (other.result is None) and (one.margin is None) == (other.margin is None)
        if one.result is not None and other.result is not None:
            assert one.result == pytest.approx(1 - other.result)
        if one.margin is not None and other.margin is not None:
            assert one.margin == pytest.approx(-other.margin, abs=1e-9)


@given(JUDGED)
def test_a_higher_level_never_has_a_lower_margin(judged: list[Judgment]) -> None:
    pairs = [
        (j.level, g.margin) for j, g in zip(judged, graded(judged, "levels").grades, strict=True) if j.level is not None
    ]
    ordered = sorted((level, margin) for level, margin in pairs if level is not None and margin is not None)
    assert len(ordered) == len(pairs)
    margins = [margin for _, margin in ordered]
    assert margins == sorted(margins)


@given(st.lists(st.integers(0, 50), min_size=3, max_size=3).filter(any))
def test_means_and_what_is_left_open_make_up_the_whole_variance(counts):
    found = bands(counts)
    shares = np.array(counts) / sum(counts)
    assert shares @ [band.mean**2 + band.variance for band in found] == pytest.approx(1.0)
    assert min(band.variance for band in found) >= 0


def test_two_orders_leave_half_as_much_open_as_one():
    """Each order rounds for itself."""
    single = graded([of(1.0), of(0.75)], "levels").grades
    both = graded([judgment(1.0, 1.0), judgment(0.75, 0.75)], "levels").grades
    assert [grade.rounding for grade in both] == pytest.approx([grade.rounding / 2 for grade in single])
    assert all(grade.rounding > 0 for grade in single)
    assert {grade.rounding for grade in graded([of(1.0), of(0.75)], "winner").grades} == {0.0}
