"""Listwise: in each wave the texts are shared out among lists, each ranked in one call.

A text stands in new company and at another place each time, so that neither its company nor its place in the list
tells on its rating. Some lists are asked a second time in reversed order, which shows what the places are worth.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.optimize import linear_sum_assignment

from judge_core.ranking.schedules.wave import Planned, Progress, Wave

SMALLEST = 3
"""Texts of a list where there are so many at all."""
PASSES = 3
"""How often each text may change its list for newer company."""
Counts = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Listwise:
    """So many waves of lists."""

    rounds: int
    group_size: int = 8
    reverse_share: float = 0.1

    def next(self, progress: Progress) -> Wave | None:
        """Every text in one list, and of some lists the reverse."""
        if progress.round >= self.rounds or len(progress.texts) < 2:
            return None
        places = Places(progress)
        groups = [places.shown(group) for group in self._shared_out(progress)]
        return Wave(groups=(*groups, *self._reversed(groups, progress)))

    def planned(self, n: int) -> Planned:
        """Lists of all waves, with those in reversed order."""
        lists = len(sizes(n, self.group_size)) * self.rounds
        return Planned(groups=lists + self._due(lists))

    def _shared_out(self, progress: Progress) -> list[list[str]]:
        shares = sizes(len(progress.texts), self.group_size)
        groups = _newest_company(together(progress), shares, progress.lots("company"))
        return [[progress.texts[place] for place in group] for group in groups]

    def _reversed(self, groups: Sequence[tuple[str, ...]], progress: Progress) -> list[tuple[str, ...]]:
        lists = len(groups) * progress.round
        number = self._due(lists + len(groups)) - self._due(lists)
        drawn = progress.lots("reversed").permutation(len(groups))[:number]
        return [groups[place][::-1] for place in sorted(drawn.tolist())]

    def _due(self, lists: int) -> int:
        """How many of so many lists are asked in reverse too: at least one where any are."""
        return max(round(self.reverse_share * lists), 1) if self.reverse_share and lists else 0


class Places:
    """Where in their lists the texts have stood."""

    def __init__(self, progress: Progress):
        self.stood: dict[str, list[tuple[int, int]]] = {text: [] for text in progress.texts}
        self.lots = progress.lots("places")
        for texts in progress.grouped:
            self._note(texts)

    def shown(self, group: Sequence[str]) -> tuple[str, ...]:
        """The group in the order that evens out places best: each text where it stood least often, and off its mean."""
        mixed = [group[place] for place in self.lots.permutation(len(group))]
        cost = np.array([[self._cost(text, place, len(group)) for place in range(len(group))] for text in mixed])
        rows, columns = linear_sum_assignment(cost)
        placed = dict(zip(columns.tolist(), rows.tolist(), strict=True))
        return tuple(mixed[placed[place]] for place in range(len(group)))

    def _cost(self, text: str, place: int, size: int) -> int:
        before = self.stood[text]
        lean = sum(2 * at - length + 1 for at, length in before) + 2 * place - size + 1
        return 1000 * sum(at == place for at, _ in before) + lean * lean

    def _note(self, texts: tuple[str, ...]) -> None:
        for place, text in enumerate(texts):
            if text in self.stood:
                self.stood[text].append((place, len(texts)))


def sizes(n: int, group_size: int) -> list[int]:
    """Sizes of the lists: as few lists as hold all, even to one text. A list may be longer where another were under three.

    >>> sizes(20, 8), sizes(7, 3), sizes(2, 8), sizes(1, 8)
    ([7, 7, 6], [4, 3], [2], [])
    """
    if n < 2:
        return []
    lists = max(1, min(-(-n // group_size), n // SMALLEST))
    return [n // lists + (place < n % lists) for place in range(lists)]


def together(progress: Progress) -> Counts:
    """How often each two texts have stood in one list."""
    place = {text: number for number, text in enumerate(progress.texts)}
    company = np.zeros((len(place),) * 2, dtype=np.int64)
    for texts in progress.grouped:
        known = [place[text] for text in texts if text in place]
        company[np.ix_(known, known)] += 1
    np.fill_diagonal(company, 0)
    return company


def _newest_company(company: Counts, shares: Sequence[int], lots: np.random.Generator) -> list[list[int]]:
    """Shares the texts out by lot; then each in turn changes places with whoever that spares most repeated company."""
    group = np.repeat(np.arange(len(shares)), shares)[lots.permutation(len(company))]
    known = company @ (group[:, None] == np.arange(len(shares)))
    everyone = np.arange(len(group))
    for one in np.tile(lots.permutation(len(group)), PASSES).tolist():
        own = group[one]
        moving = known[one, group] - known[one, own] + known[:, own] - known[everyone, group] - 2 * company[one]
        other = int(np.where(group == own, 0, moving).argmin())
        if group[other] == own or moving[other] >= 0:
            continue
        change = company[:, one] - company[:, other]
        known[:, own] -= change
        known[:, group[other]] += change
        group[[one, other]] = group[[other, one]]
    return [np.flatnonzero(group == number).tolist() for number in range(len(shares))]
