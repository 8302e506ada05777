"""How far a run's ranking and its judges can be relied on, as data frames for the pages; each is the twin of a chart or a list.

Every function takes the state as the standings decide it: after other weights or another choice, that of `reweighed`.
"""

from judge_core.views.trust.judges import judge_table as judge_table
from judge_core.views.trust.panel import leave_one_out_tables as leave_one_out_tables
from judge_core.views.trust.panel import pair_agreement_table as pair_agreement_table
from judge_core.views.trust.panel import panel_summary as panel_summary
from judge_core.views.trust.position import position_table as position_table
from judge_core.views.trust.ranks import rank_table as rank_table
from judge_core.views.trust.reliability import reliability_summary as reliability_summary
from judge_core.views.trust.reliability import rounds_reliability as rounds_reliability
from judge_core.views.trust.reliability import triads_summary as triads_summary
from judge_core.views.trust.texts import text_table as text_table
