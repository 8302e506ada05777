"""Swiss rounds: texts of like standing meet, nobody twice; from the third round on the field may narrow."""

from judge_core.ranking.schedules.swiss.method import Swiss

__all__ = ["Swiss"]
