"""Figures of retrieval answers, computed from labels: the labels come first, the figures second.

- faithfulness: the share of the answer's claims that the passages support (Es et al. 2024, "RAGAS: Automated Evaluation
  of Retrieval Augmented Generation", EACL demonstrations; atomic claims as in Min et al. 2023, "FActScore", EMNLP)
- contradiction: the share of its claims that a passage contradicts
- context precision: the average precision of the passages in the order retrieved (Buckley and Voorhees 2000,
  "Evaluating Evaluation Measure Stability", SIGIR), over the relevant ones among them
- context utilisation: the share of the relevant passages that a supported claim rests on
- coverage: the share of the reference answer's claims that the answer makes too (the recall that answers the
  precision of faithfulness)

Where there is nothing to measure a figure is None: never 1, never 0. Claims and passages are numbers from 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from pydantic import Field

from judge_core.records.errors import InputError
from judge_core.records.item_verdict import ClaimLabel, Label, RagMetrics, RagVerdict
from judge_core.records.record import Record

Metric = Literal[
    "faithfulness", "contradiction", "context_precision", "context_utilisation", "answer_relevance", "coverage"
]
METRICS: dict[Metric, str] = {
    "faithfulness": "Faithfulness",
    "contradiction": "Contradicted claims",
    "context_precision": "Context precision",
    "context_utilisation": "Context utilisation",
    "answer_relevance": "Answer relevance",
    "coverage": "Coverage of the reference",
}
"""The figures in the order shown, by the name of their field, with the words over their column."""
Counted = Literal["claims", "passages", "reference_claims", "scores"]


class Mean(NamedTuple):
    mean: float | None
    """None where there was nothing to average."""
    n: int
    """How many values it rests on."""


class Basis(Record):
    """What a figure rests on: numbers of claims and passages, nothing of their words."""

    metric: Metric
    value: float | None
    counted: Counted
    """What the numbers below are numbers of."""
    hits: tuple[int, ...] = ()
    """Those that count for the figure."""
    among: tuple[int, ...] = ()
    """All that it was measured on; a share is hits / among."""
    terms: tuple[float, ...] = ()
    """Context precision: the precision at the rank of each hit, whose mean is the figure."""
    evidence: dict[int, tuple[int, ...]] = Field(default_factory=dict)
    """By claim that hit, the passages that the judge gave; for context utilisation, by passage, the claims that rest on it."""
    scores: dict[str, float] = Field(default_factory=dict)
    """Answer relevance: the scores on the criteria, each on its own scale."""


def rag_metrics(
    claims: Sequence[ClaimLabel],
    relevant: Mapping[int, bool],
    n_passages: int,
    reference_claims: Sequence[ClaimLabel] = (),
    answer_relevance: float | None = None,
) -> RagMetrics:
    """All figures of one answer. `answer_relevance` is the weighted total of its scores, 0..1, where they were asked for.

    Raises InputError where a label names a passage beyond `n_passages`, or a relevance label is missing.

    >>> claims = [ClaimLabel(claim=1, verdict="supported", passages=(1,)), ClaimLabel(claim=2, verdict="not_found")]
    >>> figures = rag_metrics(claims, {1: True, 2: False, 3: True}, 3)
    >>> figures.faithfulness, figures.contradiction, round(figures.context_precision, 4), figures.context_utilisation
    (0.5, 0.0, 0.8333, 0.5)
    >>> rag_metrics([], {1: True}, 1).faithfulness is None
    True
    """
    _check(claims, relevant, n_passages)
    return RagMetrics(
        faithfulness=claim_share(claims, "supported"),
        contradiction=claim_share(claims, "contradicted"),
        context_precision=average_precision([relevant[number] for number in sorted(relevant)]),
        context_utilisation=utilisation(claims, relevant),
        answer_relevance=answer_relevance,
        coverage=claim_share(reference_claims, "supported"),
    )


def _check(claims: Sequence[ClaimLabel], relevant: Mapping[int, bool], n_passages: int) -> None:
    if set(relevant) != set(range(1, n_passages + 1)):
        raise InputError(f"Each of the {n_passages} passages needs one relevance label.", field="relevant")
    beyond = [number for claim in claims for number in claim.passages if number not in relevant]
    if beyond:
        raise InputError(f"A claim rests on passage {beyond[0]}, but there are {n_passages}.", field="claims")


def claim_share(claims: Sequence[ClaimLabel], label: Label) -> float | None:
    """The share of the claims that have a label; None where there are no claims.

    >>> claim_share([], "supported") is None
    True
    """
    return sum(claim.verdict == label for claim in claims) / len(claims) if claims else None


def precisions(relevant: Sequence[bool]) -> tuple[float, ...]:
    """The precision at the rank of each relevant passage, best rank first.

    >>> precisions([True, False, True])
    (1.0, 0.6666666666666666)
    """
    ranks = [rank for rank, flag in enumerate(relevant, start=1) if flag]
    return tuple(hit / rank for hit, rank in enumerate(ranks, start=1))


def average_precision(relevant: Sequence[bool]) -> float | None:
    """The mean of `precisions`: 1 where all relevant passages stand before all others, 0 where none is relevant.

    None where nothing was retrieved.

    >>> average_precision([True, True, False]), average_precision([False, True]), average_precision([False])
    (1.0, 0.5, 0.0)
    """
    terms = precisions(relevant)
    if not relevant:
        return None
    return sum(terms) / len(terms) if terms else 0.0


def used_passages(claims: Iterable[ClaimLabel]) -> tuple[int, ...]:
    """The passages that a supported claim rests on, in order.

    >>> used_passages([ClaimLabel(claim=1, verdict="contradicted", passages=(1,))])
    ()
    """
    return tuple(sorted({number for claim in claims if claim.verdict == "supported" for number in claim.passages}))


def utilisation(claims: Sequence[ClaimLabel], relevant: Mapping[int, bool]) -> float | None:
    """The share of the relevant passages that are used; None where none is relevant, or where no claim could use any."""
    wanted = {number for number, flag in relevant.items() if flag}
    return len(wanted & set(used_passages(claims))) / len(wanted) if wanted and claims else None


def mean_of(values: Iterable[float | None]) -> Mean:
    """The mean over items or judges, of those that have a value.

    >>> mean_of([1.0, None, 0.5])
    Mean(mean=0.75, n=2)
    >>> mean_of([None])
    Mean(mean=None, n=0)
    """
    known = [value for value in values if value is not None]
    return Mean(sum(known) / len(known) if known else None, len(known))


def explain_metric(name: Metric, verdict: RagVerdict) -> Basis:
    """What one figure of a verdict rests on. Raises InputError for a name that is no figure."""
    if name not in METRICS:
        raise InputError(f"There is no figure {name!r}. Choose from: {', '.join(METRICS)}.", field="metric")
    value = getattr(verdict.metrics, name)
    if name == "answer_relevance":
        return Basis(metric=name, value=value, counted="scores", scores=verdict.scores)
    if name == "context_precision":
        return _precision_basis(verdict)
    if name == "context_utilisation":
        return _utilisation_basis(verdict)
    reference = name == "coverage"
    claims = verdict.reference_claims if reference else verdict.claims
    label: Label = "contradicted" if name == "contradiction" else "supported"
    hits = [claim for claim in claims if claim.verdict == label]
    return Basis(
        metric=name,
        value=value,
        counted="reference_claims" if reference else "claims",
        hits=tuple(claim.claim for claim in hits),
        among=tuple(claim.claim for claim in claims),
        evidence={claim.claim: claim.passages for claim in hits},
    )


def _precision_basis(verdict: RagVerdict) -> Basis:
    ranked = sorted(verdict.relevant)
    return Basis(
        metric="context_precision",
        value=verdict.metrics.context_precision,
        counted="passages",
        hits=tuple(number for number in ranked if verdict.relevant[number]),
        among=tuple(ranked),
        terms=precisions([verdict.relevant[number] for number in ranked]),
    )


def _utilisation_basis(verdict: RagVerdict) -> Basis:
    relevant = tuple(number for number in sorted(verdict.relevant) if verdict.relevant[number])
    supported = [claim for claim in verdict.claims if claim.verdict == "supported"]
    hits = tuple(number for number in relevant if number in used_passages(supported))
    return Basis(
        metric="context_utilisation",
        value=verdict.metrics.context_utilisation,
        counted="passages",
        hits=hits,
        among=relevant,
        evidence={number: tuple(claim.claim for claim in supported if number in claim.passages) for number in hits},
    )
