"""Ranking many texts: rounds of matches, lists or scores, chosen by the run's method."""

from judge_core.modes.rank.dialogues import Listing, Match
from judge_core.modes.rank.mode import RankMode

__all__ = ["Listing", "Match", "RankMode"]
