"""When a refinement tournament has come to its end, and how far its judges agreed.

Convergence is no proof of quality: judges who draw lots end half of all tournaments too. Hence their agreement stands beside
the end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from judge_core.records.refinement.nouns import Stopping, Version

TOLERANCE = 1e-9
End = Literal["converged", "score_stable", "winner_stable", "max_rounds"]


class Decided(NamedTuple):
    """A pass that was decided."""

    effective: Version
    """A where the winner's words are the incumbent's."""
    scores: Mapping[str, float]
    """Borda points by version."""
    judges: int
    """Those that ranked."""


def streak_after(streak: int, effective: Version) -> int:
    """The incumbent's wins in a row after one more pass.

    >>> streak_after(1, "A"), streak_after(1, "AB")
    (2, 0)
    """
    return streak + 1 if effective == "A" else 0


def end_of(passes: Sequence[Decided], streak: int, stopping: Stopping) -> End | None:
    """Why the tournament ends after these passes (since its start, or since it was extended); None: it goes on.

    The streak is tested first, then points, then the winner, then the number of passes.
    """
    if streak >= stopping.k:
        return "converged"
    if stopping.score_window and score_stable(passes, stopping.score_window, stopping.score_delta):
        return "score_stable"
    if stopping.winner_window and winner_stable(passes, stopping.winner_window):
        return "winner_stable"
    return "max_rounds" if len(passes) >= stopping.max_rounds else None


def score_stable(passes: Sequence[Decided], window: int, delta: float) -> bool:
    """Whether over the last `window` passes one version won all, and none's points a judge moved by more than `delta`.

    The whole range within the window counts, and not only its two ends: points may swing between equal ends.
    """
    last = passes[-window:]
    if len(last) < max(window, 2) or len({one.effective for one in last}) > 1:
        return False
    each = [{label: points / max(one.judges, 1) for label, points in one.scores.items()} for one in last]
    return all(
        max(one[label] for one in each) - min(one[label] for one in each) <= delta + TOLERANCE for label in each[0]
    )


def winner_stable(passes: Sequence[Decided], window: int) -> bool:
    """Whether one and the same challenger won each of the last `window` passes. The incumbent's wins are its streak."""
    last = {one.effective for one in passes[-window:]}
    return len(passes) >= max(window, 2) and len(last) == 1 and last != {"A"}


def kendall_w(rankings: Sequence[Sequence[str]]) -> float | None:
    """Agreement of complete rankings of the same labels, from 0 (none) to 1 (all the same); None for fewer than two.

    W = 12 S / (m^2 (n^3 - n)), S the squared deviations of the labels' summed ranks (M. G. Kendall and B. Babington Smith,
    The problem of m rankings, 1939).

    >>> kendall_w([["A", "B", "AB"], ["A", "B", "AB"]]), kendall_w([["A", "B", "AB"], ["AB", "B", "A"]])
    (1.0, 0.0)
    """
    if len(rankings) < 2 or len(rankings[0]) < 2:
        return None
    judges, labels = len(rankings), len(rankings[0])
    sums = [sum(ranking.index(label) + 1 for ranking in rankings) for label in rankings[0]]
    mean = judges * (labels + 1) / 2
    return 12 * sum((total - mean) ** 2 for total in sums) / (judges**2 * (labels**3 - labels))
