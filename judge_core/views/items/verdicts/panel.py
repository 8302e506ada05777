"""What a panel says together: its weighted mean and its majority. Only judges with a verdict have a say; silence is no value."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from judge_core.records.record import Record
from judge_core.records.spec import JudgeSpec
from judge_core.views.items.state import ItemView

LEVEL_MARGIN = 1e-9
"""Shares of the panel, positions and scores that lie no farther apart are equal."""
V = TypeVar("V", bound=Record)
L = TypeVar("L", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Voice(Generic[V]):
    """One judge's verdict on an item, with its say in the panel."""

    judge: int
    weight: float
    verdict: V


@dataclass(frozen=True, slots=True)
class Mean:
    """A weighted mean over judges and how many of them it rests on; None over none, never 0."""

    value: float | None = None
    judges: int = 0


def voices(view: ItemView | None, judges: Sequence[JudgeSpec], kind: type[V]) -> list[Voice[V]]:
    """The verdicts of that kind on an item, in the panel's order; empty where it was not judged."""
    return [
        Voice(judgment.judge, judges[judgment.judge].weight, judgment.verdict)
        for judgment in (view.judgments if view else ())
        if isinstance(judgment.verdict, kind)
    ]


def weighted_mean(values: Iterable[tuple[float, float | None]]) -> Mean:
    """The mean of (weight, value), values that are None left out; it never leaves the range of its values.

    >>> weighted_mean([(2, 4.0), (1, 1.0), (5, None)])
    Mean(value=3.0, judges=2)
    >>> weighted_mean([(1, None)])
    Mean(value=None, judges=0)
    """
    known = [(weight, value) for weight, value in values if value is not None]
    if not known:
        return Mean()
    heaviest = max(weight for weight, _ in known)
    shares = [(weight / heaviest, value) for weight, value in known]
    mean = sum(share * value for share, value in shares) / sum(share for share, _ in shares)
    low, high = min(value for _, value in known), max(value for _, value in known)
    return Mean(min(max(mean, low), high), len(known))


def majority(votes: Iterable[tuple[float, L]]) -> L | None:
    """The label with the most weight behind it; None where the most is shared, or nobody voted.

    >>> majority([(1, "a"), (1, "b"), (1, "a")]), majority([(1, "a"), (1, "b")]), majority([(2, "a"), (1, "b")])
    ('a', None, 'a')
    """
    weights: dict[L, float] = {}
    for weight, label in votes:
        weights[label] = weights.get(label, 0.0) + weight
    if not weights:
        return None
    most = max(weights.values())
    best = [label for label, weight in weights.items() if most - weight <= LEVEL_MARGIN * most]
    return best[0] if len(best) == 1 else None
