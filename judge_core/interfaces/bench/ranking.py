"""What must hold of a ranking before it can start."""

from __future__ import annotations

from judge_core.providers.registry import gives_log_probabilities
from judge_core.ranking.goals import check_goal
from judge_core.records.errors import InputError
from judge_core.records.spec import Spec

MOST_ROUNDS = 1000
"""With rematches a run would go on for as long as it is told to."""


def check_ranking(spec: Spec) -> None:
    """Refuses what cannot be ranked: InputError with the value and the remedy."""
    if len(spec.texts) < 2:
        raise InputError(f"A ranking needs at least two texts; there is {len(spec.texts)}.", field="texts")
    if spec.rounds > MOST_ROUNDS:
        raise InputError(f"{spec.rounds:,} rounds are not possible. Give 1 to {MOST_ROUNDS:,}.", field="rounds")
    if spec.goal is not None:
        check_goal(spec.goal, len(spec.texts))
    if spec.evidence == "probabilities":
        unable = [judge.name for judge in spec.judges if gives_log_probabilities(judge) is False]
        if unable:
            raise InputError(
                f"{', '.join(unable)} cannot say how probable its winner is. Choose another judge, or let verdicts count by "
                "winner, margins or levels.",
                field="evidence",
            )
