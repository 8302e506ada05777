"""Infit and outfit: whether verdicts on a text, or of a judge, surprise more than chance allows.

Both are means of squared residuals about the fitted model, 1 where verdicts vary as the model says. Above, they contradict
it; below, they follow it too closely, as ties do, which are half results that chance never gives. Infit weighs each by its
information, so that surprises among equals count most; outfit counts all alike, so that upsets of far-apart texts do.
Sources: B. D. Wright and G. N. Masters, Rating scale analysis, 1982; J. M. Linacre, Rasch Measurement Transactions 16:2.

A fit follows the verdicts that it is made of, so in a short run both stay far below 1, whatever the judge does. `adjusted` is
the infit with that pull taken out, and the red line is drawn on it. Simulated, for a judge that decides by the model: infit
0.35 and adjusted 0.62 after 3 rounds of 16 texts, 0.73 and 0.90 after 10 rounds of 30.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log2
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from judge_core.ranking.bradley_terry import Posterior, Verdicts
from judge_core.ranking.reliability.bundles import JudgedPair, judged_pairs

Vector = npt.NDArray[np.float64]
Indices = npt.NDArray[np.intp]

MISFIT = 1.3
"""An infit from which on one should look at the text or the judge."""
FEWEST_DECISIONS = 20
"""Of a judge; with fewer, an infit is chance."""
SURE = 1e-12
"""Of a variance p(1-p): nearer to certainty a squared residual cannot be divided by it."""
MOST_PULL = 0.95
"""The largest share of a verdict's variance that its own pull on the fit is said to take; beyond, little is left to see."""


@dataclass(frozen=True, eq=False)
class Expectations:
    """Judged pairs with what the model expected; all vectors run along them."""

    pairs: tuple[JudgedPair, ...]
    chances: Vector
    """Of a, to win."""
    residuals: Vector
    """Result less chance."""
    variances: Vector
    """p(1-p) of a win or loss. A tie is a half result, whose residual is small: many ties lower all that follows."""
    weights: Vector
    pull: Vector | None
    """The share of the variance that is gone because the fit followed the verdict itself; None without a covariance."""


class Fit(NamedTuple):
    """How the verdicts on one text, or of one judge, agree with the model."""

    infit: float
    outfit: float
    adjusted: float | None
    """Squared residuals over what the model expects of them after the fit: nearer to 1 in short runs. Never below the
    infit. None where the covariance of the ratings is not known (beyond 2,000 texts)."""
    decisions: int

    @property
    def misfits(self) -> bool:
        """Whether it is at the red line or beyond: look here."""
        return (self.infit if self.adjusted is None else self.adjusted) >= MISFIT


def expectations(posterior: Posterior, verdicts: Verdicts, lengths: Mapping[str, float] | None = None) -> Expectations:
    """What the fitted model expected of each judged pair, with its effects of position and judges.

    `lengths` are the words by text, where the model has a length term. A list's pairs have the chances of Luce's choice
    axiom. The pull is that of a linear model: information of the verdict times posterior variance of the difference.
    """
    pairs = tuple(judged_pairs(verdicts))
    ends = _ends(posterior, pairs)
    chances = expit(_logits(posterior, pairs, ends, lengths))
    weights = np.array([pair.weight for pair in pairs], dtype=np.float64)
    variances = np.maximum(chances * (1 - chances), SURE)
    residuals = np.array([pair.result for pair in pairs], dtype=np.float64) - chances
    pull = _pull(posterior, ends, weights * variances)
    return Expectations(pairs, chances, residuals, variances, weights, pull)


def _ends(posterior: Posterior, pairs: Sequence[JudgedPair]) -> Indices:
    """Two rows: the numbers of all a, and of all b."""
    place = {item: number for number, item in enumerate(posterior.items)}
    return np.array([[place[pair.a] for pair in pairs], [place[pair.b] for pair in pairs]], dtype=np.intp)


def _logits(
    posterior: Posterior, pairs: Sequence[JudgedPair], ends: Indices, lengths: Mapping[str, float] | None
) -> Vector:
    doublings = [log2(lengths[pair.a] / lengths[pair.b]) if lengths else 0.0 for pair in pairs]
    effects = (
        (posterior.position_effect, [pair.position for pair in pairs]),
        (posterior.list_position_effect, [pair.list_position for pair in pairs]),
        (posterior.length_effect, doublings),
    )
    logits = posterior.strengths[ends[0]] - posterior.strengths[ends[1]]
    for effect, amounts in effects:
        if effect is not None:
            logits = logits + effect.logits * np.array(amounts, dtype=np.float64)
    sharpness = {judge: multiplier.logits for judge, multiplier in posterior.discriminations.items()}
    return np.asarray(logits * np.array([sharpness.get(pair.judge, 1.0) for pair in pairs], dtype=np.float64))


def _pull(posterior: Posterior, ends: Indices, information: Vector) -> Vector | None:
    if posterior.covariance is None:
        return None
    variances, covariance = posterior.variances, posterior.covariance[ends[0], ends[1]]
    return np.asarray(np.minimum(information * (variances[ends[0]] + variances[ends[1]] - 2 * covariance), MOST_PULL))


def text_fit(found: Expectations) -> dict[str, Fit]:
    """By text that was compared. With few decisions the figures are rough: read them beside the number.

    Of texts that fit, 4 to 9 in 100 pass the red line by chance when one judge compared each of them 3 to 10 times.
    """
    return _fits(found, [(pair.a, pair.b) for pair in found.pairs])


def judge_fit(found: Expectations) -> dict[str, Fit | None]:
    """By judge; None for one with fewer than 20 decisions, of which nothing can be said."""
    fits = _fits(found, [(pair.judge,) for pair in found.pairs])
    return {judge: fit if fit.decisions >= FEWEST_DECISIONS else None for judge, fit in fits.items()}


def _fits(found: Expectations, owners: Iterable[tuple[str, ...]]) -> dict[str, Fit]:
    """`owners` names for each pair to whom it counts."""
    rows: dict[str, list[int]] = {}
    for row, names in enumerate(owners):
        for name in names:
            rows.setdefault(name, []).append(row)
    return {name: _fit(found, np.array(own, dtype=np.intp)) for name, own in rows.items()}


def _fit(found: Expectations, own: Indices) -> Fit:
    weights, variances, squares = found.weights[own], found.variances[own], found.residuals[own] ** 2
    surprise = float(weights @ squares)
    outfit = float(weights @ (squares / variances)) / float(weights.sum())
    left = None if found.pull is None else float(weights @ (variances * (1 - found.pull[own])))
    adjusted = None if left is None else surprise / left
    decisions = round(sum(found.pairs[row].decisions for row in own))
    return Fit(surprise / float(weights @ variances), outfit, adjusted, decisions)
