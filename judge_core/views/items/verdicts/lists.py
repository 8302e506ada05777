"""Listwise: the judges' rankings of an item's candidates merged into one, and how far the judges agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from judge_core.records.item_verdict import ListVerdict
from judge_core.views.items.state import ItemState
from judge_core.views.items.verdicts.panel import LEVEL_MARGIN, voices, weighted_mean


@dataclass(frozen=True, slots=True)
class ListPanel:
    """The merged ranking of one item's candidates, which are numbered from 1 in the item's order."""

    positions: tuple[float, ...]
    """Weighted mean position of candidate 1, 2, ...; 1 is best."""
    places: tuple[int, ...]
    """The place of candidate 1, 2, ...; equal positions share one, and the next place is then left out."""
    ranking: tuple[int, ...]
    """The candidates, best first; those with equal positions in the item's order."""
    agreement: float | None
    """Kendall's W over the judges, 0 none to 1 full; None below two judges, and where no judge tells any two apart."""
    by_judge: Mapping[int, tuple[float, ...]]
    """Judge -> its positions."""

    @property
    def judges(self) -> int:
        """How many brought a verdict."""
        return len(self.by_judge)


def list_panel(state: ItemState, alias: str) -> ListPanel | None:
    """The merged ranking of an item's candidates; None where no judge brought a verdict."""
    heard = voices(state.items.get(alias), state.spec.judges, ListVerdict)
    if not heard:
        return None
    columns = zip(*(voice.verdict.positions for voice in heard), strict=True)
    weights = [voice.weight for voice in heard]
    means = [weighted_mean(zip(weights, column, strict=True)).value or 0.0 for column in columns]
    shared = places(means)
    return ListPanel(
        positions=tuple(means),
        places=shared,
        ranking=tuple(sorted(range(1, len(means) + 1), key=lambda number: (shared[number - 1], number))),
        agreement=kendalls_w([voice.verdict.positions for voice in heard]),
        by_judge={voice.judge: voice.verdict.positions for voice in heard},
    )


def places(positions: Sequence[float]) -> tuple[int, ...]:
    """The place of each position, equal ones sharing one.

    >>> places([2.0, 1.0, 2.0, 4.0])
    (2, 1, 2, 4)
    """
    return tuple(_first(group) for group in _groups(positions))


def mid_ranks(positions: Sequence[float]) -> tuple[float, ...]:
    """The rank of each position, equal ones sharing the mean of the ranks that they take up.

    >>> mid_ranks([2.0, 1.0, 2.0, 4.0])
    (2.5, 1.0, 2.5, 4.0)
    """
    return tuple((_first(group) + group[1]) / 2 for group in _groups(positions))


def _groups(positions: Sequence[float]) -> list[tuple[int, int]]:
    """For each position how many lie before its group of equals, and how many before the group's end."""
    order = sorted(range(len(positions)), key=lambda index: positions[index])
    found: list[tuple[int, int]] = [(0, 0)] * len(positions)
    start = 0
    for end in range(1, len(order) + 1):
        if end < len(order) and positions[order[end]] - positions[order[end - 1]] <= LEVEL_MARGIN:
            continue
        for index in order[start:end]:
            found[index] = (start, end)
        start = end
    return found


def _first(group: tuple[int, int]) -> int:
    return group[0] + 1


def kendalls_w(positions: Sequence[Sequence[float]]) -> float | None:
    """Kendall's coefficient of concordance with the correction for ties, of judges by objects.

    W = 12 S / (m^2 (n^3 - n) - m sum T), S the squared deviations of the rank sums from their mean, T the sum of t^3 - t
    over the groups of t tied objects of a judge. M. G. Kendall, Rank Correlation Methods (1948), chapter 6.

    >>> kendalls_w([[1, 2, 3], [1, 2, 3]]), kendalls_w([[1, 2, 3], [3, 2, 1]]), kendalls_w([[1, 2, 3]])
    (1.0, 0.0, None)
    """
    judges, objects = len(positions), len(positions[0]) if positions else 0
    if judges < 2 or objects < 2:
        return None
    ranks = [mid_ranks(own) for own in positions]
    sums = [sum(column) for column in zip(*ranks, strict=True)]
    mean = sum(sums) / objects
    spread = sum((total - mean) ** 2 for total in sums)
    ties = sum(size**3 - size for own in ranks for size in Counter(own).values())
    whole = judges**2 * (objects**3 - objects) - judges * ties
    return min(12 * spread / whole, 1.0) if whole > 0 else None
