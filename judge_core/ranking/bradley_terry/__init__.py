"""Bradley-Terry ratings with their uncertainty: `fit` takes comparisons, the `Posterior` answers questions about them."""

from judge_core.ranking.bradley_terry.estimate import POSITION_PRIOR_SD, PRIOR_SD, fit
from judge_core.ranking.bradley_terry.posterior import PositionEffect, Posterior
from judge_core.ranking.comparison import Comparison

__all__ = ["POSITION_PRIOR_SD", "PRIOR_SD", "Comparison", "PositionEffect", "Posterior", "fit"]
