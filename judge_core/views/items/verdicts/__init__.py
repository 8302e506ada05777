"""The panel's verdict on each item, by mode, and what a whole run comes to."""

from judge_core.views.items.verdicts.agent import AGENT_METRICS as AGENT_METRICS
from judge_core.views.items.verdicts.agent import AgentPanel as AgentPanel
from judge_core.views.items.verdicts.agent import PatternPanel as PatternPanel
from judge_core.views.items.verdicts.agent import StepPanel as StepPanel
from judge_core.views.items.verdicts.agent import agent_panel as agent_panel
from judge_core.views.items.verdicts.agent import patterns as patterns
from judge_core.views.items.verdicts.lists import ListPanel as ListPanel
from judge_core.views.items.verdicts.lists import kendalls_w as kendalls_w
from judge_core.views.items.verdicts.lists import list_panel as list_panel
from judge_core.views.items.verdicts.panel import Mean as Mean
from judge_core.views.items.verdicts.points import GateDecision as GateDecision
from judge_core.views.items.verdicts.points import PointPanel as PointPanel
from judge_core.views.items.verdicts.points import five as five
from judge_core.views.items.verdicts.points import gate_decision as gate_decision
from judge_core.views.items.verdicts.points import gate_passed as gate_passed
from judge_core.views.items.verdicts.points import point_panel as point_panel
from judge_core.views.items.verdicts.rag import RAG_METRICS as RAG_METRICS
from judge_core.views.items.verdicts.rag import ClaimPanel as ClaimPanel
from judge_core.views.items.verdicts.rag import RagPanel as RagPanel
from judge_core.views.items.verdicts.rag import rag_panel as rag_panel
from judge_core.views.items.verdicts.summary import Figure as Figure
from judge_core.views.items.verdicts.summary import Summary as Summary
from judge_core.views.items.verdicts.summary import summary as summary
