"""Waves of pairs, each text at most once in a wave, that are together expected to tell most about what is to be settled."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from judge_core.ranking.schedules.adaptive.focus import relevance
from judge_core.ranking.schedules.adaptive.gain import STEPS, Steps, free, gains, stepped
from judge_core.ranking.schedules.adaptive.matching import heaviest
from judge_core.ranking.schedules.wave import Planned, Progress, Wave
from judge_core.records.spec import Goal

OPENING = 2
"""Comparisons of each text that are left to lot, so that there is something to go by."""
SHARE = 4
"""With a border to settle, one pair for so many texts in a wave: few, so that each wave knows the results before it."""
LEAST = 4
"""Pairs of such a wave, where there are so many."""


@dataclass(frozen=True)
class Adaptive:
    """As many matches as so many full rounds would have. A goal other than the whole order focuses them on its border."""

    rounds: int
    goal: Goal | None = None
    rematches: bool = False
    after: int = 0
    """The rounds are counted from this one on."""

    def next(self, progress: Progress) -> Wave | None:
        """The wave of greatest worth; beyond the budget none."""
        n = len(progress.texts)
        spent = sum(result.asked and result.round > self.after for result in progress.results)
        left = self.rounds * (len(progress.on_time) // 2) - spent
        allowed = free(progress, self.rematches)
        if left <= 0 or not allowed.any():
            return None
        opening = not (progress.scored or self.after) and len(progress.results) < OPENING * (n // 2)
        focused = self.goal is not None and self.goal.kind != "order" and not opening
        worth = _lots(progress) if opening else self._worth(progress)
        pairs = heaviest(np.where(allowed, worth + 1, 0), full=not focused)
        size = max(min(LEAST, n // 2), round(n / SHARE)) if focused else n // 2
        texts = progress.texts
        return Wave(tuple((texts[i], texts[j]) for i, j in pairs[: min(size, left)]))

    def planned(self, n: int) -> Planned:
        """The budget, or every pair once where that is less."""
        budget = self.rounds * (n // 2)
        return Planned(budget if self.rematches else min(budget, n * (n - 1) // 2))

    def _worth(self, progress: Progress) -> Steps:
        posterior = progress.posterior()
        worth = gains(posterior, progress.texts)
        if self.goal is not None and self.goal.kind != "order":
            worth = worth * relevance(self.goal, posterior, progress.texts)
        return stepped(worth)


def _lots(progress: Progress) -> Steps:
    drawn = progress.lots("opening").integers(0, STEPS, (len(progress.texts),) * 2)
    return np.asarray((drawn + drawn.T) // 2)
