"""Waves of pairs, each text at most once in a wave, that are together expected to tell most about what is to be settled."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from judge_core.ranking.schedules.adaptive.focus import stakes
from judge_core.ranking.schedules.adaptive.gain import STEPS, Marks, Steps, free, noise
from judge_core.ranking.schedules.adaptive.matching import Pairs, heaviest
from judge_core.ranking.schedules.adaptive.together import LEAST, worthiest
from judge_core.ranking.schedules.wave import Planned, Progress, Wave
from judge_core.records.spec import Goal

OPENING = 2
"""Comparisons of each text that are left to lot, so that there is something to go by."""
SHARE = 4
"""With a border to settle, one pair for so many texts in a wave: few, so that each wave knows the results before it."""


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
        texts = progress.texts
        if not (progress.scored or self.after) and len(progress.results) < OPENING * (n // 2):
            pairs = heaviest(np.where(allowed, _lots(progress) + 1, 0), full=True)
        else:
            focused = self.goal is not None and self.goal.kind != "order"
            size = max(min(LEAST, n // 2), round(n / SHARE)) if focused else n // 2
            pairs = self._worthiest(progress, allowed, size)
        return Wave(tuple((texts[i], texts[j]) for i, j in pairs[:left]))

    def planned(self, n: int) -> Planned:
        """The budget, or every pair once where that is less."""
        budget = self.rounds * (n // 2)
        return Planned(budget if self.rematches else min(budget, n * (n - 1) // 2))

    def _worthiest(self, progress: Progress, allowed: Marks, number: int) -> Pairs:
        posterior = progress.posterior()
        places = posterior.places(progress.texts)
        level = 0.0 if posterior.anchored else posterior.strengths.mean()
        strengths = posterior.strengths[places] - level
        whole = np.diag(posterior.variances) if posterior.covariance is None else posterior.covariance
        covariance = whole[np.ix_(places, places)]
        at_stake = stakes(self.goal, strengths, covariance)
        return worthiest(covariance, at_stake, noise(strengths), allowed, number)


def _lots(progress: Progress) -> Steps:
    drawn = progress.lots("opening").integers(0, STEPS, (len(progress.texts),) * 2)
    return np.asarray((drawn + drawn.T) // 2)
