"""Other weights, another choice, another basis: the ranking is made anew from the stored judgments, without a call."""

from judge_core.interfaces.dashboard.result.sections.weights.kept import chosen as chosen
from judge_core.interfaces.dashboard.result.sections.weights.section import show_weights as show_weights
