"""Which ranks are settled, and where each text may truly stand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from judge_core.ranking.bradley_terry import Posterior
from judge_core.ranking.standings import tie_groups

SURE = 0.95
"""Chance of being among the top, or of not being there, from which on that is settled."""
TAIL = 0.025
"""Left out at either end of a text's likely ranks."""
Matrix = npt.NDArray[np.float64]


class LikelyRanks(NamedTuple):
    """Where a text may truly stand."""

    median: int
    best: int
    """With `worst` the ranks that hold the truth with 95 %, as many left out at either end."""
    worst: int


def settled_ranks(posterior: Posterior, level: float = 0.95, among: Sequence[str] | None = None) -> dict[str, bool]:
    """For each text whether it is told apart, at the level of the tie groups, from both its neighbours in the order.

    `among` names the texts that take part, all by default. A text without a finite rating, and one that is alone, is not
    settled: nothing was measured.
    """
    texts = set(posterior.items if among is None else among)
    tied = {item: set(others) for item, others in tie_groups(posterior, level).items()}
    falling = (posterior.items[place] for place in (-posterior.strengths).argsort(kind="stable"))
    order = [item for item in falling if item in texts]
    settled = dict.fromkeys(order, len(order) > 1)
    for above, below in zip(order, order[1:], strict=False):
        if below in tied[above]:
            settled[above] = settled[below] = False
    return {item: settled[item] and item not in posterior.unbounded for item in posterior.items if item in texts}


def rank_chances(posterior: Posterior, among: Sequence[str] | None = None) -> Matrix:
    """Texts by ranks: the chance of each text to be truly at each rank among these; all texts by default."""
    if among is None or tuple(among) == posterior.items:
        return posterior.rank_probabilities()
    place = {item: number for number, item in enumerate(posterior.items)}
    falling = np.argsort(-posterior.draws()[:, [place[text] for text in among]], axis=1)
    size = len(among)
    table = np.bincount((falling * size + np.arange(size)).ravel(), minlength=size * size).reshape(size, size)
    return np.asarray(table / len(falling))


def likely_ranks(chances: Matrix) -> list[LikelyRanks]:
    """Median and range of each row of a matrix of texts by ranks.

    >>> likely_ranks(np.array([[0.9, 0.09, 0.01], [0.1, 0.5, 0.4]]))
    [LikelyRanks(median=1, best=1, worst=2), LikelyRanks(median=2, best=1, worst=3)]
    """
    below = np.cumsum(chances, axis=1)
    ends = [(below < share - 1e-9).sum(axis=1) + 1 for share in (0.5, TAIL, 1 - TAIL)]
    return [LikelyRanks(*(int(end) for end in row)) for row in zip(*ends, strict=True)]


def settled_place(chance: float, sure: float = SURE) -> bool:
    """Whether it is clear that a text is among the top, or that it is not, by its chance to be there.

    >>> settled_place(0.97), settled_place(0.5), settled_place(0.02)
    (True, False, True)
    """
    return max(chance, 1 - chance) >= sure
