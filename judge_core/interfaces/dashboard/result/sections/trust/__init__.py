"""Can you trust this? Checks in words, reliability, chances of ranks, position, and the judges and texts one by one."""

from judge_core.interfaces.dashboard.result.sections.trust.check import CAREFUL as CAREFUL
from judge_core.interfaces.dashboard.result.sections.trust.check import FINE as FINE
from judge_core.interfaces.dashboard.result.sections.trust.check import NEUTRAL as NEUTRAL
from judge_core.interfaces.dashboard.result.sections.trust.check import Check as Check
from judge_core.interfaces.dashboard.result.sections.trust.section import show_trust as show_trust
