"""Recorded ballots: counted in a way of voting, or rated as ranked lists."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Protocol

from judge_core.ranking.bradley_terry import Ranked, Terms, Verdicts, estimate
from judge_core.ranking.rate.result import RateResult, estimated, graph_warnings, interval_warnings, posterior_rows
from judge_core.records.errors import InputError
from judge_core.records.record import Notice


class Counted(Protocol):
    """What counting ballots brings, of whatever way of voting."""

    @property
    def winner(self) -> str | None: ...
    @property
    def scores(self) -> dict[str, float]: ...
    @property
    def valid_judges(self) -> int: ...
    @property
    def vetoed_by(self) -> dict[str, tuple[int, ...]]: ...
    @property
    def warnings(self) -> tuple[Notice, ...]: ...


Ballots = Sequence[Sequence[str] | None]
CountBallots = Callable[[Ballots, Sequence[str], str | None, Sequence[float] | None], Counted]


def rate_ballots(
    labels: Sequence[str], rankings: Ballots, weights: Sequence[float] | None, count_ballots: CountBallots
) -> RateResult:
    """Counts ballots as given, ties to the first label, in the way of voting given (Borda's or with vetoes)."""
    _need_labels(labels)
    tally = count_ballots(rankings, labels, labels[0], weights)
    return RateResult(
        scores=tally.scores,
        winner=tally.winner,
        valid_judges=tally.valid_judges,
        warnings=(*tally.warnings, *_vetoes(tally.vetoed_by), *_empty(rankings)),
    )


def rate_lists(
    labels: Sequence[str], rankings: Ballots, weights: Sequence[float] | None = None, terms: Terms | None = None
) -> RateResult:
    """Rates labels by ballots as ranked lists (Plackett and Luce). Best first; wins and losses count pairs of a ballot.

    A ballot ranks the labels that it names and says nothing of others, so one that names a single label does not count.
    The winner has the best rating; among equals it is the first label.

    >>> rate_lists(["A", "B", "C"], [["B", "A", "C"], ["B", "C"], None]).winner
    'B'
    """
    _need_labels(labels)
    weights = [1.0] * len(rankings) if weights is None else weights
    if len(weights) != len(rankings):
        raise InputError(
            f"There are {len(weights)} weights for {len(rankings)} ballots. Give one each.", field="weights"
        )
    lists = [
        Ranked(tuple(ballot), weight)
        for ballot, weight in zip(rankings, weights, strict=True)
        if ballot is not None and len(ballot) > 1
    ]
    terms = terms or Terms()
    posterior = estimate(labels, Verdicts(rankings=lists), terms)
    pairs = [pair for ranked in lists for pair in combinations(ranked.texts, 2)]
    won, lost = Counter(above for above, _ in pairs), Counter(below for _, below in pairs)
    rows = [
        row.model_copy(update={"wins": won[row.id], "losses": lost[row.id]})
        for row in posterior_rows(posterior, None, terms.anchors)
    ]
    idle = sum(not posterior.comparisons(label) for label in labels)
    return RateResult(
        items=tuple(sorted(rows, key=lambda row: (row.rank, row.id))),
        winner=min(rows, key=lambda row: row.rank).id if lists else None,
        valid_judges=len(lists),
        warnings=(
            *interval_warnings(posterior, terms),
            *graph_warnings(idle, len(labels), len(posterior.components)),
            *_ballot_warnings(rankings),
        ),
        effects=estimated(posterior.effects),
    )


def _need_labels(labels: Sequence[str]) -> None:
    if not labels:
        raise InputError("Ballots need the list of labels that they rank.", field="labels")


def _vetoes(vetoed_by: Mapping[str, Sequence[int]]) -> list[Notice]:
    if not vetoed_by:
        return []
    named = ", ".join(f"{label} (last on {_ballots(len(by))})" for label, by in vetoed_by.items())
    return [Notice(code="vetoed", message=f"Vetoed, and therefore at 0 points: {named}.")]


def _empty(rankings: Ballots) -> list[Notice]:
    empty = sum(not ballot for ballot in rankings)
    if not empty:
        return []
    verb = "is empty and does" if empty == 1 else "are empty and do"
    return [Notice(code="empty_ballots", message=f"{empty} of {_ballots(len(rankings))} {verb} not count.")]


def _ballot_warnings(rankings: Ballots) -> list[Notice]:
    single = sum(ballot is not None and len(ballot) == 1 for ballot in rankings)
    if not single:
        return _empty(rankings)
    verbs = ("names", "does") if single == 1 else ("name", "do")
    message = (
        f"{single} of {_ballots(len(rankings))} {verbs[0]} one label, which ranks nothing, and {verbs[1]} not count."
    )
    return [Notice(code="short_ballots", message=message), *_empty(rankings)]


def _ballots(number: int) -> str:
    return f"{number} ballot{'' if number == 1 else 's'}"
