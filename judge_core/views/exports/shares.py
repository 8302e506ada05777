"""Cells that every row of a judgment has, be it on a match or on a listing."""

from __future__ import annotations

from judge_core.records.notices import explain
from judge_core.records.spec import JudgeSpec
from judge_core.records.verdict import JudgesShare
from judge_core.views.exports.cells import Cell, rounded
from judge_core.views.exports.ranked import DEMO


def judge_label(judge: JudgeSpec) -> list[str]:
    """In words that the demo judge decided, where it did."""
    return [explain(DEMO)] if judge.provider == "offline" else []


def costs(judgment: JudgesShare) -> tuple[Cell, ...]:
    """Calls, tokens read and written, and US dollars (None: unknown)."""
    usages = [turn.usage for turn in judgment.turns]
    prompt = [usage.prompt_tokens for usage in usages if usage.prompt_tokens is not None]
    completion = [usage.completion_tokens for usage in usages if usage.completion_tokens is not None]
    return (
        sum(turn.calls for turn in judgment.turns),
        sum(prompt) if prompt else None,
        sum(completion) if completion else None,
        rounded(judgment.cost, 8),
    )
