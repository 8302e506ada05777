"""How judges' rankings of the same few labels become one winner: Borda's count, or a count after vetoes.

A ballot lists labels, best first; None (or an empty ballot) abstains. The place p of n labels, from 0, earns n - p
points, a label that a ballot leaves out earns none from it (J.-C. de Borda, Mémoire sur les élections au scrutin, 1784).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Literal, Protocol

from judge_core.records.errors import InputError
from judge_core.records.record import Notice, Record

Ballot = Sequence[str] | None
DecidedBy = Literal["points", "tiebreak", "total_veto", "nobody"]
TOLERANCE = 1e-9


class Tally(Record):
    """The count, and how it came to its winner."""

    winner: str | None
    """None where no judge gave a ballot: an outage elects nobody."""
    scores: dict[str, float]
    """Points by label, in the labels' order; after a veto 0 for those vetoed."""
    valid_judges: int
    decided_by: DecidedBy
    borda: dict[str, float]
    """The plain Borda count, also where vetoes made `scores` differ."""
    vetoed_by: dict[str, tuple[int, ...]] = {}
    """Per vetoed label the judges (index of the ballot) that had it last."""
    warnings: tuple[Notice, ...] = ()


class VotingStrategy(Protocol):
    """Every way of voting takes the same, weights included."""

    def __call__(
        self,
        rankings: Sequence[Ballot],
        labels: Sequence[str],
        tiebreak_winner: str | None,
        weights: Sequence[float] | None = None,
    ) -> Tally: ...


def borda(
    rankings: Sequence[Ballot],
    labels: Sequence[str],
    tiebreak_winner: str | None,
    weights: Sequence[float] | None = None,
) -> Tally:
    """Most points win; among equals `tiebreak_winner`, else the first of `labels`. `weights` are per ballot.

    InputError for labels or ballots that do not fit together, and for weights that are not above 0.

    >>> borda([["A", "B", "AB"], ["B", "A", "AB"]], ["A", "B", "AB"], "A").scores
    {'A': 5.0, 'B': 5.0, 'AB': 2.0}
    """
    votes = _votes(rankings, labels, weights)
    points = _points(votes, labels)
    return _tally(points, points, votes, tiebreak_winner)


def veto(
    rankings: Sequence[Ballot],
    labels: Sequence[str],
    tiebreak_winner: str | None,
    weights: Sequence[float] | None = None,
    threshold: int = 1,
    named: Sequence[Collection[str]] | None = None,
) -> Tally:
    """Borda's count among the labels that fewer than `threshold` judges veto.

    A judge vetoes the last label of a complete ballot, or, where `named` is given, just the labels named for it there;
    one that abstains vetoes nothing. If every label is vetoed, `tiebreak_winner` (else the first label) stands, with all
    scores 0 and a warning; the plain count is kept beside it in `borda`.

    >>> tally = veto([["A", "B", "AB"], ["AB", "A", "B"]], ["A", "B", "AB"], "A")
    >>> tally.winner, tally.scores, tally.vetoed_by
    ('A', {'A': 5.0, 'B': 0.0, 'AB': 0.0}, {'B': (1,), 'AB': (0,)})
    """
    votes = _votes(rankings, labels, weights)
    if threshold < 1:
        raise InputError(f"A veto needs at least 1 judge; found a threshold of {threshold}.", field="threshold")
    if named is not None and len(named) != len(rankings):
        raise InputError(f"There are {len(named)} lists of named vetoes for {len(rankings)} ballots.")
    vetoed = _vetoed(votes, labels, threshold, named)
    points = _points(votes, labels)
    left = {label: 0.0 if label in vetoed else share for label, share in points.items()}
    tally = _tally(left, points, votes, tiebreak_winner, frozenset(vetoed))
    return tally.model_copy(update={"vetoed_by": vetoed})


STRATEGIES: Mapping[str, VotingStrategy] = {"borda": borda, "veto": veto}


class _Vote(Record):
    judge: int
    ballot: tuple[str, ...]
    weight: float


def _votes(rankings: Sequence[Ballot], labels: Sequence[str], weights: Sequence[float] | None) -> list[_Vote]:
    if not labels or len(set(labels)) < len(labels):
        raise InputError(f"Labels must be given, each once; found {list(labels)!r}.", field="labels")
    weights = [1.0] * len(rankings) if weights is None else weights
    if len(weights) != len(rankings):
        raise InputError(
            f"There are {len(weights)} weights for {len(rankings)} ballots. Give one for each, abstainers included.",
            field="weights",
        )
    for weight in weights:
        if not 0 < weight < math.inf:
            raise InputError(
                f"A judge's weight must be above 0; found {weight!r}. Leave out a judge that has no say.",
                field="weights",
            )
    for number, ballot in enumerate(rankings, start=1):
        _check_ballot(number, ballot or (), labels)
    return [
        _Vote(judge=judge, ballot=tuple(ballot), weight=weights[judge])
        for judge, ballot in enumerate(rankings)
        if ballot
    ]


def _check_ballot(number: int, ballot: Sequence[str], labels: Sequence[str]) -> None:
    for label in ballot:
        if label not in labels:
            raise InputError(f"Ballot {number} names {label!r}; the labels are {', '.join(map(repr, labels))}.")
    if len(set(ballot)) < len(ballot):
        raise InputError(f"Ballot {number} names a label twice: {list(ballot)!r}.")


def _points(votes: Sequence[_Vote], labels: Sequence[str]) -> dict[str, float]:
    points = dict.fromkeys(labels, 0.0)
    for vote in votes:
        for place, label in enumerate(vote.ballot):
            points[label] += vote.weight * (len(labels) - place)
    return points


def _vetoed(
    votes: Sequence[_Vote], labels: Sequence[str], threshold: int, named: Sequence[Collection[str]] | None
) -> dict[str, tuple[int, ...]]:
    judges: dict[str, list[int]] = {label: [] for label in labels}
    for vote in votes:
        last = vote.ballot[-1:] if len(vote.ballot) == len(labels) > 1 else ()
        for label in last if named is None else named[vote.judge]:
            _check_ballot(vote.judge + 1, [label], labels)
            judges[label].append(vote.judge)
    return {label: tuple(by) for label, by in judges.items() if len(by) >= threshold}


def _tally(
    scores: Mapping[str, float],
    plain: Mapping[str, float],
    votes: Sequence[_Vote],
    tiebreak_winner: str | None,
    barred: Collection[str] = frozenset(),
) -> Tally:
    standing = [label for label in scores if label not in barred] or list(scores)
    best = max(scores[label] for label in standing)
    equal = [label for label in standing if best - scores[label] <= TOLERANCE]
    winner: str | None = tiebreak_winner if tiebreak_winner in equal else equal[0]
    decided = _decided_by(bool(votes), len(barred) == len(scores), len(equal))
    return Tally(
        winner=winner if votes else None,
        scores=dict(scores),
        valid_judges=len(votes),
        decided_by=decided,
        borda=dict(plain),
        warnings=_WARNINGS.get(decided, ()),
    )


def _decided_by(voted: bool, all_vetoed: bool, equal: int) -> DecidedBy:
    if not voted:
        return "nobody"
    if all_vetoed:
        return "total_veto"
    return "tiebreak" if equal > 1 else "points"


_WARNINGS: Mapping[str, tuple[Notice, ...]] = {
    "nobody": (Notice(code="no_ballots", message="No judge gave a ballot, so there is no winner."),),
    "total_veto": (
        Notice(
            code="total_veto",
            message="Every label was vetoed; the winner stands by the tiebreak, and the plain count is kept beside it.",
        ),
    ),
    "tiebreak": (Notice(code="decided_by_tiebreak", message="Labels share the most points; decided by tiebreak."),),
}
