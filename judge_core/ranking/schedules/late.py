"""Texts that come late to a run that is over: they alone are compared, with those that tell most about them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from statistics import median

import numpy as np
from scipy.special import ndtri

from judge_core.ranking.schedules.adaptive.gain import free, gains, stepped
from judge_core.ranking.schedules.adaptive.matching import heaviest
from judge_core.ranking.schedules.listwise import Places, together
from judge_core.ranking.schedules.wave import Progress, Wave
from judge_core.records.spec import Method

TITLE = "Late texts"
MOST = 12
"""Comparisons of a late text, however many the others had."""

REPEATED = 0.5
"""Logits of distance that a member may lie further off for each list that it has shared with the late texts."""


@dataclass(frozen=True)
class Latecomers:
    """Waves in which each late text stands once, until it has stood as often as half of the others had."""

    method: Method
    group_size: int = 8
    rematches: bool = False

    def next(self, progress: Progress) -> Wave | None:
        """A match, a list or a score for each late text that is owed one."""
        if self.method == "pointwise":
            unscored = tuple(text for text in progress.texts if text in progress.late - progress.scored)
            return Wave(singles=unscored, title=TITLE) if unscored else None
        owed = self._owed(progress)
        if not owed:
            return None
        wave = self._lists(progress, owed) if self.method == "listwise" else self._matches(progress, owed)
        return wave if wave.pairs or wave.groups else None

    def _owed(self, progress: Progress) -> list[int]:
        """The late texts that have stood less often than is due, by their number among the texts."""
        due = self._due(progress)
        return [
            number
            for number, text in enumerate(progress.texts)
            if text in progress.late and progress.appearances[text] < due
        ]

    def _due(self, progress: Progress) -> float:
        """How often half of the others stood among themselves: what late texts bring them raises no debt."""
        shown = [*((result.a, result.b) for result in progress.results if result.asked), *progress.grouped]
        stood = Counter(text for texts in shown if progress.late.isdisjoint(texts) for text in texts)
        return min(MOST, median([stood[text] for text in progress.on_time] or [MOST]))

    def _matches(self, progress: Progress, owed: list[int]) -> Wave:
        """The pairs with a late text that tell most, no text in two of them."""
        allowed = free(progress, self.rematches)
        concerned = np.zeros_like(allowed)
        concerned[owed, :] = concerned[:, owed] = True
        worth = stepped(gains(progress.posterior(), progress.texts))
        pairs = heaviest(np.where(allowed & concerned, worth + 1, 0), full=True)
        return Wave(tuple((progress.texts[i], progress.texts[j]) for i, j in pairs), title=TITLE)

    def _lists(self, progress: Progress, owed: list[int]) -> Wave:
        """Late texts fill at most half of a list, and in a wave no text stands in two while others are free."""
        size = min(self.group_size, len(progress.texts))
        number = -(-len(owed) // max(size // 2, 1))
        company, places, taken, groups = Company(progress), Places(progress), set(owed), []
        for late in (owed[first::number] for first in range(number)):
            group = [*late, *company.chosen(late, size - len(late), taken, set(owed))]
            taken.update(group)
            groups.append(places.shown([progress.texts[member] for member in group]))
        return Wave(groups=tuple(group for group in groups if len(group) > 1), title=TITLE)


class Company:
    """Whom late texts meet in a list: texts spread over the range where they may belong, new ones before known ones."""

    def __init__(self, progress: Progress):
        posterior = progress.posterior()
        places = posterior.places(progress.texts)
        self.strengths, self.sds = posterior.strengths[places], np.sqrt(posterior.variances[places])
        self.together = together(progress)

    def chosen(self, late: list[int], number: int, taken: set[int], never: set[int]) -> list[int]:
        """So many members, by number: for each late text in turn whoever is nearest to a quantile of its strength."""
        members: list[int] = []
        for slot in range(number):
            text = late[slot % len(late)]
            target = self.strengths[text] + self.sds[text] * ndtri((slot + 0.5) / number)
            distance = np.abs(self.strengths - target) + REPEATED * self.together[late].sum(axis=0)
            order = np.argsort(distance.round(4), kind="stable").tolist()
            fresh = [member for member in order if member not in taken and member not in members]
            known = [member for member in order if member not in never and member not in members]
            members += (fresh or known)[:1]
        return members
