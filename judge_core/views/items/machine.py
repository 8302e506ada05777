"""The record that ends a run of items for other programs: strict JSON with every verdict and what it rests on."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from judge_core.records.item import Item
from judge_core.records.item_verdict import ItemJudgment, ItemVerdict, RagVerdict
from judge_core.records.notices import explain
from judge_core.scoring.rag import METRICS, explain_metric
from judge_core.views.exports.machine import strict_json
from judge_core.views.exports.ranked import DEMO
from judge_core.views.items.judgments import answered_by, tokens
from judge_core.views.items.sentence import item_verdict
from judge_core.views.items.state import ItemState
from judge_core.views.items.tables import has_demo, warnings_of
from judge_core.views.items.verdicts.agent import agent_panel, patterns
from judge_core.views.items.verdicts.lists import list_panel
from judge_core.views.items.verdicts.points import gate_decision, gate_passed, point_panel
from judge_core.views.items.verdicts.rag import rag_panel
from judge_core.views.items.verdicts.summary import summary

SCHEMA_VERSION = 1
"""Rises when a field of the record changes its meaning or goes."""


def item_record(run: str, state: ItemState) -> dict[str, Any]:
    """The object that ends a run's machine output; only what JSON knows, unknown values None.

    `cost` is None where a part is unknown; then `cost_known` is the known part. `passed` is None but for a gate.
    """
    spent, said, spec = state.spent, item_verdict(state), state.spec
    record: dict[str, object] = {
        "type": "ended",
        "schema_version": SCHEMA_VERSION,
        "run": run,
        "name": spec.name,
        "mode": spec.mode,
        "prompt_version": spec.prompt_version,
        "app_version": spec.app_version,
        "status": state.status,
        "reason": state.reason,
        "verdict": said.sentence,
        "remarks": said.remarks,
        "passed": gate_passed(state) if spec.mode == "gate" else None,
        "bar": spec.bar if spec.mode == "gate" else None,
        "judges": [judge.name for judge in spec.judges],
        "parameters": spec.judges,
        "fallbacks": spec.fallbacks,
        "criteria": spec.rubric.criteria,
        "calls": spent.calls,
        "cached": spent.cached,
        "usage": {"prompt_tokens": spent.prompt_tokens, "completion_tokens": spent.completion_tokens},
        "cost": spent.cost.exact,
        "cost_known": spent.cost.known,
        "charged_calls": state.charged.calls,
        "charged_cost": state.charged.cost.exact,
        "counts": {"items": len(spec.items), **{str(name): number for name, number in state.ledger.items()}},
        "summary": _summary(state),
        "items": [_item(state, item) for item in spec.items],
    }
    plain: dict[str, Any] = json.loads(strict_json(record))
    return plain


def _summary(state: ItemState) -> dict[str, object]:
    whole = summary(state)
    return {**asdict(whole), "share_passed": whole.share_passed}


def _item(state: ItemState, item: Item) -> dict[str, object]:
    view = state.items.get(item.alias)
    made = zip(view.places, view.judgments, strict=True) if view else ()
    found = warnings_of(state, item.alias)
    demo = {DEMO: len(view.judgments) if view else 0} if has_demo(state.spec) else {}
    return {
        "id": item.id,
        "title": item.title,
        "alias": item.alias,
        "author": item.author,
        "trial": item.trial,
        "success": item.success,
        "columns": item.columns,
        "status": state.item_status(item.alias),
        "panel": _panel(state, item.alias),
        "warnings": [{"code": c, "message": explain(c), "count": n} for c, n in {**demo, **found}.items()],
        "judgments": [_judgment(state, place, judgment) for place, judgment in made],
    }


def _panel(state: ItemState, alias: str) -> dict[str, object] | None:
    """The panel's verdict with its fields; for a gate also the decision, for an agent the patterns. None without a verdict."""
    match state.spec.mode:
        case "review" | "gate":
            points = point_panel(state, alias)
            scores = {**asdict(points), "score5": points.score5, "spread": points.spread} if points else {}
            decision = asdict(gate_decision(state, alias)) if state.spec.mode == "gate" else {}
            return {**scores, **decision} or None
        case "agent":
            runs = agent_panel(state, alias)
            found = [asdict(pattern) for pattern in patterns(state, alias)]
            return {**(asdict(runs) if runs else {}), "patterns": found} if runs or found else None
        case "listwise":
            lists = list_panel(state, alias)
            return {**asdict(lists), "judges": lists.judges} if lists else None
        case "rag":
            rag = rag_panel(state, alias)
            return asdict(rag) if rag else None


def _basis(verdict: ItemVerdict | None) -> dict[str, object] | None:
    """What each figure of an answer rests on, by number of claim and passage; None for other verdicts."""
    if not isinstance(verdict, RagVerdict):
        return None
    return {name: explain_metric(name, verdict) for name in METRICS}


def _judgment(state: ItemState, place: int, judgment: ItemJudgment) -> dict[str, object]:
    return {
        "judge": state.spec.judges[judgment.judge].name,
        "place": place,
        "outcome": judgment.outcome,
        "verdict": judgment.verdict,
        "basis": _basis(judgment.verdict),
        "warnings": judgment.warnings,
        "errors": [turn.error for turn in judgment.turns if turn.error],
        "calls": sum(turn.calls for turn in judgment.turns),
        "tokens": tokens(judgment),
        "cost": judgment.cost,
        "cached": judgment.cached,
        "answered_by": answered_by(judgment),
    }
