"""What a dialogue of any kind returns."""

from __future__ import annotations

from judge_core.records.item_verdict import ItemResult
from judge_core.records.refinement.nouns import StepResult, VoteResult
from judge_core.records.verdict import MatchResult

Result = MatchResult | ItemResult | StepResult | VoteResult
