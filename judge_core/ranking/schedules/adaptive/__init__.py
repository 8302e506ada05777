"""The adaptive method: the pairs that are expected to tell most are asked next."""

from judge_core.ranking.schedules.adaptive.method import Adaptive

__all__ = ["Adaptive"]
