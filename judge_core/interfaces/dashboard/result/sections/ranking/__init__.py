"""The ranking: the verdict in a sentence, the table, each text's record, and the ratings with their intervals."""

from judge_core.interfaces.dashboard.result.sections.ranking.table import show_ranking as show_ranking
from judge_core.interfaces.dashboard.result.sections.ranking.table import show_short_table as show_short_table
from judge_core.interfaces.dashboard.result.sections.ranking.table import show_verdict as show_verdict
