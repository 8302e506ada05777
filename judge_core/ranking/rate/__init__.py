"""Rates recorded matches and ballots, without any judge: what the verb `rate` answers."""

from judge_core.ranking.rate.ballots import Ballots, CountBallots, rate_ballots, rate_lists
from judge_core.ranking.rate.matches import MatchMethod, rate_matches, terms_of
from judge_core.ranking.rate.reading import read_matches
from judge_core.ranking.rate.result import Estimated, ItemRating, Outcome, RateResult, RecordedMatch

__all__ = [
    "Ballots",
    "CountBallots",
    "Estimated",
    "ItemRating",
    "MatchMethod",
    "Outcome",
    "RateResult",
    "RecordedMatch",
    "rate_ballots",
    "rate_lists",
    "rate_matches",
    "read_matches",
    "terms_of",
]
