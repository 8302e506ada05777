"""Which pairs matter for a border: between the top and the rest, or between two sides of a cut line."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from judge_core.ranking.bradley_terry import Posterior
from judge_core.ranking.schedules.adaptive.gain import Matrix
from judge_core.records.spec import Goal


def relevance(goal: Goal, posterior: Posterior, texts: Sequence[str]) -> Matrix:
    """For each pair how open it is on which side of a line its texts belong: 0 settled, 1 as open as can be."""
    places = [posterior.items.index(text) for text in texts]
    bands = posterior.band_probabilities(ranks=goal.ranks, ratings=goal.ratings)[places]
    above = np.cumsum(bands, axis=1)[:, :-1]
    openness = (4 * above * (1 - above)).max(axis=1)
    return np.asarray(np.add.outer(openness, openness) / 2)
