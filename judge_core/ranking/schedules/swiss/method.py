"""Swiss rounds: in each, texts of like standing meet, and a narrowed run goes on with those about its cut.

Standing is the Elo at the round's start. Where texts were scored beforehand it is the posterior, which knows the scores.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from judge_core.ranking.schedules.swiss.narrowing import band, planned_matches
from judge_core.ranking.schedules.swiss.pairing import Pairing, pair, rank_order
from judge_core.ranking.schedules.wave import Planned, Progress, Wave
from judge_core.records.spec import Narrowing


@dataclass(frozen=True)
class Swiss:
    """So many rounds; fewer where everyone has met everyone and may not again."""

    rounds: int
    narrowing: Narrowing = Narrowing()
    rematches: bool = False

    def next(self, progress: Progress) -> Wave | None:
        """The round of least distance in rank."""
        if progress.round >= self.rounds:
            return None
        ranked = standing(progress)
        low, high = band(self.narrowing, len(ranked), progress.round + 1)
        paired = self._pairing(ranked[low - 1 : high], progress)
        return Wave(paired.pairs, byes=paired.byes, band=(low, high)) if paired.pairs else None

    def planned(self, n: int) -> Planned:
        """As the rounds and bands foresee it; with rematches no round falls away."""
        return Planned(planned_matches(n, self.rounds, self.narrowing, rematches=self.rematches))

    def _pairing(self, ranked: Sequence[str], progress: Progress) -> Pairing:
        most = max(progress.met.values(), default=0) if self.rematches else 0
        for often in range(most + 1):
            met = [pair for pair, meetings in progress.met.items() if meetings > often]
            paired = pair(ranked, met, progress.byes)
            if paired.pairs:
                break
        return paired


def standing(progress: Progress) -> tuple[str, ...]:
    """The texts, best first; equals by id."""
    if not progress.scored:
        return rank_order({text: progress.elo[text] for text in progress.texts})
    posterior = progress.posterior()
    known = dict(zip(posterior.items, posterior.strengths.round(6).tolist(), strict=True))
    return rank_order({text: known[text] for text in progress.texts})
