"""Agreement of raters (judges, people) on labels such as A, B and tie, beyond what chance would give.

The unit is the pair that was judged; a rater may be missing at a unit. Coefficients are 1 for full agreement and 0 for
that of chance. Where they are not defined (one label only, no unit rated twice) they are None, never 0 or 1 for that.
Sources: Cohen 1960, "A coefficient of agreement for nominal scales"; Fleiss 1971, "Measuring nominal scale agreement
among many raters"; Krippendorff 2018, "Content Analysis" (alpha, computed by evalica).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import evalica
import pandas as pd

from judge_core.scoring.habits.bias import Share, share_of

Votes = Mapping[str, Mapping[str, str]]
"""Labels by unit and rater."""


class PairAgreement(NamedTuple):
    """How far two raters agree on the units that both have rated."""

    one: str
    other: str
    agreed: Share
    """Percent agreement, with its 95 % interval."""
    kappa: float | None
    """Cohen's."""


class Agreement(NamedTuple):
    """How far all raters agree."""

    units: int
    """With at least two labels."""
    raters: tuple[str, ...]
    pairs: tuple[PairAgreement, ...]
    """Every two raters with a unit in common."""
    alpha: float | None
    """Krippendorff's, nominal: over all labels, missing ones allowed."""
    fleiss: float | None
    """Fleiss' kappa over the `fleiss_units` that every rater has rated."""
    fleiss_units: int


def agreement(votes: Votes) -> Agreement:
    """All coefficients of a set of votes; raters in the order of their names."""
    raters = tuple(sorted({rater for labels in votes.values() for rater in labels}))
    whole = [tuple(labels.values()) for labels in votes.values() if len(labels) == len(raters)]
    pairs = (pair_agreement(votes, one, other) for one, other in combinations(raters, 2))
    return Agreement(
        units=sum(len(labels) > 1 for labels in votes.values()),
        raters=raters,
        pairs=tuple(pair for pair in pairs if pair),
        alpha=krippendorff_alpha(votes),
        fleiss=fleiss_kappa(whole) if len(raters) > 1 else None,
        fleiss_units=len(whole),
    )


def pair_agreement(votes: Votes, one: str, other: str) -> PairAgreement | None:
    """Two raters on the units that both have rated; None where there is none."""
    labels = [(by[one], by[other]) for by in votes.values() if one in by and other in by]
    if not labels:
        return None
    return PairAgreement(one, other, share_of(sum(a == b for a, b in labels), len(labels)), cohen_kappa(labels))


def cohen_kappa(labels: Sequence[tuple[str, str]]) -> float | None:
    """Cohen's kappa of (label of one rater, label of the other), a pair for each unit; None where chance alone agrees.

    >>> cohen_kappa([("A", "A"), ("A", "A"), ("B", "B"), ("A", "B")])
    0.5
    """
    if not labels:
        return None
    ours, theirs = (Counter(side) for side in zip(*labels, strict=True))
    observed = sum(a == b for a, b in labels) / len(labels)
    expected = sum(ours[label] * theirs[label] for label in ours) / len(labels) ** 2
    return _beyond_chance(observed, expected)


def fleiss_kappa(units: Sequence[Sequence[str]]) -> float | None:
    """Fleiss' kappa of units that have equally many labels, two or more; None where it is not defined.

    Raises ValueError where units have different numbers of labels, or fewer than two.

    >>> fleiss_kappa([("A", "A"), ("B", "B"), ("A", "B"), ("B", "A")])
    0.0
    """
    if not units:
        return None
    raters = len(units[0])
    if raters < 2 or any(len(unit) != raters for unit in units):
        raise ValueError("Fleiss' kappa needs the same number of labels, at least two, for every unit.")
    counts = [Counter(unit) for unit in units]
    observed = sum(n * (n - 1) for unit in counts for n in unit.values()) / (len(units) * raters * (raters - 1))
    totals = Counter(label for unit in units for label in unit)
    expected = sum((n / totals.total()) ** 2 for n in totals.values())
    return _beyond_chance(observed, expected)


def krippendorff_alpha(votes: Votes) -> float | None:
    """Krippendorff's alpha for nominal labels; labels may be missing. None where it is not defined.

    >>> krippendorff_alpha({"1": {"x": "A", "y": "A", "z": "A"}, "2": {"x": "B", "y": "B", "z": "A"}, "3": {"y": "T", "z": "T"}})
    0.65
    """
    rated_twice = {unit: labels for unit, labels in votes.items() if len(labels) > 1}
    labels = sorted({label for by in rated_twice.values() for label in by.values()})
    if len(labels) < 2:
        return None
    code = {label: float(number) for number, label in enumerate(labels)}
    coded = {unit: {rater: code[label] for rater, label in by.items()} for unit, by in rated_twice.items()}
    return float(evalica.alpha(pd.DataFrame(coded, dtype=float), distance="nominal").alpha)


def majority(labels: Sequence[str], otherwise: str = "tie") -> str:
    """The most frequent label; `otherwise` where several are equally frequent, or there is none.

    >>> majority(["A", "A", "B"]), majority(["A", "B"])
    ('A', 'tie')
    """
    most = Counter(labels).most_common(2)
    return most[0][0] if most and (len(most) == 1 or most[0][1] > most[1][1]) else otherwise


def _beyond_chance(observed: float, expected: float) -> float | None:
    return None if expected >= 1 else (observed - expected) / (1 - expected)
