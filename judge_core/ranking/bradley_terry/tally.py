"""Comparisons counted per pair and presentation order: all that the likelihood needs, however many there were."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from judge_core.ranking.comparison import Comparison
from judge_core.records.errors import InputError

Vector = npt.NDArray[np.float64]
Matrix = npt.NDArray[np.float64]
Indices = npt.NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Tally:
    """One entry per pair and order; `first` and `second` are indices of texts with first < second."""

    size: int
    """Number of texts."""
    first: Indices
    second: Indices
    position: Vector
    """+1: the text `first` was shown first, -1: the other, 0: neither."""
    wins: Vector
    """Weight won by `first`; a tie gives half of its weight."""
    games: Vector
    """Weight in all."""
    counts: Indices
    """Per text: in how many comparisons it stood."""

    def restricted(self, kept: npt.NDArray[np.bool_]) -> Tally:
        """The same texts with the entries marked in `kept` alone."""
        return Tally(
            self.size,
            self.first[kept],
            self.second[kept],
            self.position[kept],
            self.wins[kept],
            self.games[kept],
            self.counts,
        )


def count(items: Sequence[str], comparisons: Sequence[Comparison], *, with_position: bool) -> Tally:
    """Counts the comparisons. InputError for an unknown or repeated text, a text against itself, a bad result or weight."""
    a, b = _indices(items, comparisons)
    rows = np.array([row[2:] for row in comparisons], dtype=np.float64).reshape(-1, 3)
    _check(comparisons, a, b, rows)
    turned = a > b
    result = np.where(turned, 1.0 - rows[:, 0], rows[:, 0])
    position = np.where(turned, -rows[:, 2], rows[:, 2]) if with_position else np.zeros(len(rows))
    size = len(items)
    code = (np.minimum(a, b) * size + np.maximum(a, b)) * 3 + (position + 1).astype(np.intp)
    found, entry = np.unique(code, return_inverse=True)
    pairs = found // 3
    return Tally(
        size=size,
        first=pairs // max(size, 1),
        second=pairs % max(size, 1),
        position=(found % 3 - 1).astype(np.float64),
        wins=_sums(entry, rows[:, 1] * result, len(found)),
        games=_sums(entry, rows[:, 1], len(found)),
        counts=np.bincount(np.concatenate([a, b]), minlength=size),
    )


def _sums(entry: Indices, values: Vector, size: int) -> Vector:
    # bincount without any entry counts in whole numbers
    return np.bincount(entry, values, size).astype(np.float64, copy=False)


def _indices(items: Sequence[str], comparisons: Sequence[Comparison]) -> tuple[Indices, Indices]:
    index = {item: place for place, item in enumerate(items)}
    if len(index) != len(items):
        raise InputError("The same text stands twice in the list of texts to rate. Give each its own id.")
    try:
        a = [index[row[0]] for row in comparisons]
        b = [index[row[1]] for row in comparisons]
    except KeyError as error:
        raise InputError(f"A comparison names {error.args[0]!r}, which is not among the texts to rate.") from None
    return np.array(a, dtype=np.intp), np.array(b, dtype=np.intp)


def _check(comparisons: Sequence[Comparison], a: Indices, b: Indices, rows: Matrix) -> None:
    result, weight, position = rows.T
    bad = (
        (a == b)
        | ~((result >= 0) & (result <= 1))
        | ~((weight > 0) & np.isfinite(weight))
        | ~np.isin(position, (-1, 0, 1))
    )
    if bad.any():
        row = comparisons[int(np.argmax(bad))]
        raise InputError(
            f"The comparison of {row.a!r} and {row.b!r} cannot be used: two different texts are needed, a result from"
            f" 0 to 1 (found {row.result!r}), a weight above 0 (found {row.weight!r}) and a position of -1, 0 or 1"
            f" (found {row.position!r})."
        )
