"""Figures of retrieval answers: known answers by hand, and what holds for any labels."""

from __future__ import annotations

from math import isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_core.records.errors import InputError
from judge_core.records.item_verdict import ClaimLabel, Label, RagVerdict
from judge_core.scoring.rag import METRICS, average_precision, explain_metric, mean_of, rag_metrics, used_passages

LABELS: tuple[Label, ...] = ("supported", "contradicted", "not_found")


def claim(number: int, verdict: Label, *passages: int) -> ClaimLabel:
    return ClaimLabel(claim=number, verdict=verdict, passages=passages)


FOUR = (
    claim(1, "supported", 1, 4),
    claim(2, "supported", 2),
    claim(3, "contradicted", 3),
    claim(4, "not_found"),
)
FIVE = {1: True, 2: False, 3: True, 4: True, 5: False}


def verdict_of(claims: tuple[ClaimLabel, ...], relevant: dict[int, bool], **more: object) -> RagVerdict:
    reference = more.get("reference", ())
    metrics = rag_metrics(claims, relevant, len(relevant), reference, more.get("relevance"))  # type: ignore[arg-type]
    return RagVerdict(claims=claims, relevant=relevant, reference_claims=reference, metrics=metrics)  # type: ignore[arg-type]


def test_figures_by_hand() -> None:
    """Two of four claims supported, one contradicted; relevant at ranks 1, 3, 4; of those 1 and 4 are used."""
    figures = rag_metrics(FOUR, FIVE, 5, (claim(1, "supported"), claim(2, "not_found"), claim(3, "supported")), 0.75)
    assert figures.faithfulness == 0.5
    assert figures.contradiction == 0.25
    assert figures.context_precision == pytest.approx((1 / 1 + 2 / 3 + 3 / 4) / 3)
    assert figures.context_utilisation == pytest.approx(2 / 3)
    assert figures.coverage == pytest.approx(2 / 3)
    assert figures.answer_relevance == 0.75


def test_without_claims_nothing_is_measured_on_claims() -> None:
    """Neither 1 nor 0 stands where an answer makes no claim; the passages are still measured."""
    figures = rag_metrics((), {1: False, 2: True}, 2)
    assert (figures.faithfulness, figures.contradiction, figures.context_utilisation) == (None, None, None)
    assert (figures.coverage, figures.answer_relevance) == (None, None)
    assert figures.context_precision == 0.5


def test_without_passages_nothing_is_measured_on_passages() -> None:
    figures = rag_metrics((claim(1, "not_found"),), {}, 0)
    assert (figures.context_precision, figures.context_utilisation, figures.faithfulness) == (None, None, 0.0)


def test_no_relevant_passage_is_a_precision_of_zero_and_no_utilisation() -> None:
    figures = rag_metrics((claim(1, "supported", 1),), {1: False}, 1)
    assert (figures.context_precision, figures.context_utilisation) == (0.0, None)


def test_only_supported_claims_use_a_passage() -> None:
    assert used_passages([claim(1, "contradicted", 1), claim(2, "not_found", 2), claim(3, "supported", 3, 4)]) == (3, 4)


@pytest.mark.parametrize(
    ("claims", "relevant", "n"), [((), {1: True}, 2), ((), {2: True}, 1), ((claim(1, "supported", 3),), {1: True}, 1)]
)
def test_labels_of_other_passages_are_refused(
    claims: tuple[ClaimLabel, ...], relevant: dict[int, bool], n: int
) -> None:
    with pytest.raises(InputError):
        rag_metrics(claims, relevant, n)


def test_a_mean_leaves_out_what_was_not_measured_and_says_so() -> None:
    assert mean_of([0.0, None, 1.0, None, 0.5]) == (0.5, 3)
    assert mean_of([]) == (None, 0)


@given(st.lists(st.booleans(), min_size=1, max_size=12))
def test_average_precision_never_falls_when_a_relevant_passage_moves_up(flags: list[bool]) -> None:
    before = average_precision(flags)
    assert before is not None and 0 <= before <= 1
    assert (before == 1) == (any(flags) and flags == sorted(flags, reverse=True))
    for rank in range(1, len(flags)):
        if flags[rank] and not flags[rank - 1]:
            moved = [*flags]
            moved[rank - 1], moved[rank] = True, False
            assert average_precision(moved) > before  # type: ignore[operator]


@st.composite
def verdicts(draw: st.DrawFn) -> RagVerdict:
    n = draw(st.integers(0, 6))
    passages = st.lists(st.integers(1, n), max_size=3, unique=True) if n else st.just([])
    labelled = st.tuples(st.sampled_from(LABELS), passages)
    claims = tuple(claim(i, v, *sorted(p)) for i, (v, p) in enumerate(draw(st.lists(labelled, max_size=6)), start=1))
    reference = tuple(claim(i, v) for i, v in enumerate(draw(st.lists(st.sampled_from(LABELS), max_size=4)), start=1))
    relevant = {i: draw(st.booleans()) for i in range(1, n + 1)}
    return verdict_of(claims, relevant, reference=reference, relevance=draw(st.none() | st.floats(0, 1)))


@given(verdicts())
def test_every_figure_can_be_computed_again_from_what_it_is_said_to_rest_on(verdict: RagVerdict) -> None:
    for name in METRICS:
        basis = explain_metric(name, verdict)
        assert basis.value == getattr(verdict.metrics, name)
        if name == "answer_relevance" or basis.value is None:
            continue
        assert set(basis.hits) <= set(basis.among)
        if name == "context_precision":
            again = sum(basis.terms) / len(basis.terms) if basis.terms else 0.0
            assert len(basis.terms) == len(basis.hits)
        else:
            again = len(basis.hits) / len(basis.among)
        assert isclose(basis.value, again)


@given(verdicts())
def test_supported_contradicted_and_not_found_are_all_there_is(verdict: RagVerdict) -> None:
    figures = verdict.metrics
    if verdict.claims:
        not_found = sum(each.verdict == "not_found" for each in verdict.claims) / len(verdict.claims)
        assert isclose((figures.faithfulness or 0) + (figures.contradiction or 0) + not_found, 1)
    else:
        assert figures.faithfulness is None and figures.contradiction is None and figures.context_utilisation is None


def test_a_basis_names_claims_and_the_passages_they_rest_on() -> None:
    verdict = verdict_of(FOUR, FIVE)
    faithful = explain_metric("faithfulness", verdict)
    assert (faithful.hits, faithful.among, faithful.evidence) == ((1, 2), (1, 2, 3, 4), {1: (1, 4), 2: (2,)})
    assert explain_metric("contradiction", verdict).evidence == {3: (3,)}
    used = explain_metric("context_utilisation", verdict)
    assert (used.hits, used.among, used.evidence) == ((1, 4), (1, 3, 4), {1: (1,), 4: (1,)})


def test_an_unknown_figure_is_refused_with_those_there_are() -> None:
    with pytest.raises(InputError, match="faithfulness"):
        explain_metric("truth", verdict_of(FOUR, FIVE))  # type: ignore[arg-type]
