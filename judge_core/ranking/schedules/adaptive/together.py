"""Pairs that are asked together, chosen one after another, as if the verdicts on those before had come.

What a verdict will be is not known, but what it does to a normal posterior's covariance is: it takes off the part that
goes with the difference measured (a design for linear contrasts, V. V. Fedorov, Theory of optimal experiments, 1972).
"""

from __future__ import annotations

import numpy as np

from judge_core.ranking.schedules.adaptive.gain import Marks, Matrix, stepped
from judge_core.ranking.schedules.adaptive.matching import WHOLE_GRAPH, Pairs, heaviest

WORTH_ASKING = 0.5
"""Of what the first pair of a wave takes off; a text whose pair takes off less waits for a better one."""
LEAST = 4
"""Pairs of a wave, whatever they are worth: judges that answer several calls at once shall not wait for each single one."""


def worthiest(covariance: Matrix, stakes: Matrix, noise: Matrix, allowed: Marks, number: int) -> Pairs:
    """Up to so many of the allowed pairs (upper triangle), each the one that then takes off most of what is at stake.

    `covariance` and `stakes` (see `focus`): of the texts, in logits; `noise`: variance of a verdict on each pair, in
    logits squared. No text is in two pairs; of equal pairs the first in the texts' order. Beyond `WHOLE_GRAPH` texts
    the choices do not know of each other.
    """
    allowed, pairs = allowed.copy(), Pairs()
    staked = covariance @ stakes @ covariance
    first = 0.0
    while len(pairs) < number and allowed.any():
        gain = np.where(allowed, _across(staked) / (_across(covariance) + noise), 0.0)
        first = first or float(gain.max())
        if len(pairs) >= LEAST and gain.max() < WORTH_ASKING * first:
            break
        worth = stepped(gain)
        if len(worth) > WHOLE_GRAPH:
            return heaviest(np.where(allowed, worth + 1, 0), full=False)[:number]
        i, j = divmod(int(np.where(allowed, worth, -1).argmax()), len(worth))
        pairs.append((i, j))
        allowed[[i, j], :] = False
        allowed[:, [i, j]] = False
        seen = covariance[:, i] - covariance[:, j]
        total = seen[i] - seen[j] + noise[i, j]
        mixed = np.outer(staked[:, i] - staked[:, j], seen) / total
        staked = staked - mixed - mixed.T + np.outer(seen, seen) * (seen @ stakes @ seen / total**2)
        covariance = covariance - np.outer(seen, seen) / total
    return pairs


def _across(matrix: Matrix) -> Matrix:
    """Of each pair the value for its difference, from a matrix of texts."""
    own = matrix.diagonal()
    return np.asarray(own[:, None] + own - 2 * matrix)
