"""The record that ends a tournament for other programs, and its folded state; no text stands in either, but its hash does."""

from __future__ import annotations

import json
from typing import Any

from judge_core.records.refinement.nouns import STEPS, Vote, Writing
from judge_core.views.exports.machine import SCHEMA_VERSION, strict_json
from judge_core.views.refine.files import pass_result
from judge_core.views.refine.sentence import verdict
from judge_core.views.refine.state import Asked, PassView, RefineState


def refine_record(run: str, state: RefineState) -> dict[str, Any]:
    """The object that ends a tournament's machine output; only what JSON knows, unknown values None.

    `passes` counts those that were decided; `cost` is None where a part is unknown, then `cost_known` is the known part.
    """
    spent, said, spec, ended = state.spent, verdict(state), state.spec, state.ended
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
        "outcome": None if ended is None else ended.outcome,
        "passes": len(state.decided),
        "winners": [view.decision.effective for view in state.decided if view.decision],
        "streak": state.streak,
        "agreement": state.agreement,
        "initial_hash": state.first.sha256,
        "final_hash": state.incumbent.sha256,
        "final_words": state.incumbent.words,
        "changed": state.incumbent.sha256 != state.first.sha256,
        "calls": spent.calls,
        "cached": spent.cached,
        "cost": spent.cost.exact,
        "cost_known": spent.cost.known,
        "charged_calls": state.charged.calls,
        "charged_cost": state.charged.cost.exact,
        "usage": {"prompt_tokens": spent.prompt_tokens, "completion_tokens": spent.completion_tokens},
        "calls_planned": state.calls_planned,
        "judges": list(dict.fromkeys(judge.name for judge in spec.judges)),
        "parameters": spec.judges,
        "fallbacks": spec.fallbacks,
    }
    return _plain(record)


def refine_folded(run: str, state: RefineState) -> dict[str, Any]:
    """A tournament's folded state: the record, with its spec, and every pass with its steps and votes."""
    record: dict[str, object] = {
        **refine_record(run, state),
        "type": "state",
        "stage": state.stage,
        "started_at": state.started_at,
        "ended_at": state.ended_at,
        "last_seq": state.last_seq,
        "caps": state.caps,
        "spec": state.spec,
        "notes_waiting": state.notes,
        "history": [_pass(state, view) for view in state.passes.values()],
    }
    return _plain(record)


def _pass(state: RefineState, view: PassView) -> dict[str, object]:
    return {
        "pass_num": view.number,
        "began_at": view.began_at,
        "ended_at": view.ended_at,
        "notes": view.notes,
        "versions": {"A": view.before, "B": view.version("B"), "AB": view.version("AB")},
        "steps": {role: [_asked(asked) for asked in view.steps.get(role, ())] for role in STEPS},
        "votes": {str(seat): [_asked(asked) for asked in attempts] for seat, attempts in sorted(view.votes.items())},
        "result": None if view.decision is None else pass_result(state, view, {}),
    }


def _asked(asked: Asked) -> dict[str, object]:
    share: Writing | Vote = asked.share
    return {"place": asked.place, **share.model_dump()}


def _plain(record: dict[str, object]) -> dict[str, Any]:
    plain: dict[str, Any] = json.loads(strict_json(record))
    return plain
