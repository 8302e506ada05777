"""Ratings with their uncertainty: `estimate` takes verdicts of all kinds, the `Posterior` answers questions about them."""

from judge_core.ranking.bradley_terry.estimation import estimate, fit
from judge_core.ranking.bradley_terry.likelihood.effects import LENGTH_PRIOR_SD, POSITION_PRIOR_SD, Effect
from judge_core.ranking.bradley_terry.posterior import DRAWS, MEAN, POINTS_PER_LOGIT, Posterior
from judge_core.ranking.bradley_terry.terms import PRIOR_SD, Terms, Verdicts
from judge_core.ranking.comparison import Comparison, Ranked, Score

__all__ = [
    "DRAWS",
    "LENGTH_PRIOR_SD",
    "MEAN",
    "POINTS_PER_LOGIT",
    "POSITION_PRIOR_SD",
    "PRIOR_SD",
    "Comparison",
    "Effect",
    "Posterior",
    "Ranked",
    "Score",
    "Terms",
    "Verdicts",
    "estimate",
    "fit",
]
