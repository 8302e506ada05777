"""Comparisons as columns, and counted per pair, presentation order and judge: all that the likelihood needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from judge_core.ranking.comparison import Comparison
from judge_core.records.errors import InputError

Vector = npt.NDArray[np.float64]
Matrix = npt.NDArray[np.float64]
Indices = npt.NDArray[np.intp]
Marks = npt.NDArray[np.bool_]


class Columns(NamedTuple):
    """One entry per comparison; `a` and `b` are indices of texts."""

    a: Indices
    b: Indices
    result: Vector
    weight: Vector
    position: Vector
    margin: Vector
    """NaN where it is not told."""
    judge: Indices
    rounding: Vector

    def where(self, kept: Marks) -> Columns:
        """The comparisons that are marked."""
        if kept.all():
            return self
        return Columns(
            self.a[kept],
            self.b[kept],
            self.result[kept],
            self.weight[kept],
            self.position[kept],
            self.margin[kept],
            self.judge[kept],
            self.rounding[kept],
        )


@dataclass(frozen=True, eq=False)
class Tally:
    """One entry per pair, order and judge; `first` and `second` are indices of texts with first < second."""

    size: int
    """Number of texts."""
    first: Indices
    second: Indices
    position: Vector
    """+1: the text `first` was shown first, -1: the other, 0: neither."""
    judge: Indices
    total: Vector
    """Sum of weight times value, as seen from `first`: half a point for a win and minus half for a loss, or the margins."""
    games: Vector
    """Weight in all."""

    @property
    def wins(self) -> Vector:
        """Weight won by `first`; a tie gives half of its weight."""
        return self.total + self.games / 2

    def where(self, kept: Marks) -> Tally:
        """The same texts with the marked entries alone."""
        return Tally(
            self.size,
            self.first[kept],
            self.second[kept],
            self.position[kept],
            self.judge[kept],
            self.total[kept],
            self.games[kept],
        )


def index_of(items: Sequence[str]) -> dict[str, int]:
    """The place of each text. InputError where one stands twice."""
    index = {item: place for place, item in enumerate(items)}
    if len(index) != len(items):
        raise InputError("The same text stands twice in the list of texts to rate. Give each its own id.")
    return index


def columns(index: Mapping[str, int], comparisons: Sequence[Comparison], judges: Mapping[str, int]) -> Columns:
    """The comparisons by column. InputError for an unknown text, a text against itself, a bad result, weight or margin."""
    a, b, result, weight, position, margin, judge, rounding = (
        zip(*comparisons, strict=True) if comparisons else ((),) * 8
    )
    try:
        first, second = (np.array([index[text] for text in side], dtype=np.intp) for side in (a, b))
    except KeyError as error:
        raise InputError(f"A comparison names {error.args[0]!r}, which is not among the texts to rate.") from None
    results, weights, positions, margins = (np.array(each, dtype=float) for each in (result, weight, position, margin))
    by = [judges[name] for name in judge] if len(judges) > 1 else [0] * len(judge)
    rounded = np.array(rounding, dtype=float)
    read = Columns(first, second, results, weights, positions, margins, np.array(by, dtype=np.intp), rounded)
    _check(comparisons, read)
    return read


def count(size: int, read: Columns, values: Vector, *, with_position: bool) -> Tally:
    """Sums the comparisons up; `values` are seen from a and change their sign with the side."""
    turned = np.where(read.a > read.b, -1.0, 1.0)
    position = turned * read.position if with_position else np.zeros(len(turned))
    judges = int(read.judge.max(initial=0)) + 1
    code = (np.minimum(read.a, read.b) * size + np.maximum(read.a, read.b)) * 3 + (position + 1).astype(np.intp)
    found, entry = np.unique(code * judges + read.judge, return_inverse=True)
    pairs = found // (3 * judges)
    return Tally(
        size=size,
        first=pairs // max(size, 1),
        second=pairs % max(size, 1),
        position=(found // judges % 3 - 1).astype(np.float64),
        judge=found % judges,
        total=sums(entry, read.weight * values * turned, len(found)),
        games=sums(entry, read.weight, len(found)),
    )


def sums(entry: Indices, values: Vector, size: int) -> Vector:
    """The sum of the values at each entry."""
    # bincount without any entry counts in whole numbers
    return np.bincount(entry, values, size).astype(np.float64, copy=False)


def _check(comparisons: Sequence[Comparison], read: Columns) -> None:
    bad = (
        (read.a == read.b)
        | ~((read.result >= 0) & (read.result <= 1))
        | ~((read.weight > 0) & np.isfinite(read.weight))
        | ~np.isin(read.position, (-1, 0, 1))
    )
    if bad.any():
        row = comparisons[int(np.argmax(bad))]
        raise InputError(
            f"The comparison of {row.a!r} and {row.b!r} cannot be used: two different texts are needed, a result from"
            f" 0 to 1 (found {row.result!r}), a weight above 0 (found {row.weight!r}) and a position of -1, 0 or 1"
            f" (found {row.position!r})."
        )
    for place in np.flatnonzero(~np.isfinite(read.margin)).tolist():
        row = comparisons[place]
        if row.margin is not None:
            raise InputError(
                f"The margin of {row.a!r} over {row.b!r} must be a plain number or None; found {row.margin!r}."
            )
