"""What other programs read: strict JSON, the events as lines, and the record that ends a run."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping
from numbers import Integral, Real

from pydantic import BaseModel

from judge_core.records.event import Stored
from judge_core.views.evidence import declared
from judge_core.views.exports.cells import writable
from judge_core.views.exports.ranked import standing_records
from judge_core.views.sentence import verdict
from judge_core.views.standings import Standings
from judge_core.views.state import RunState

SCHEMA_VERSION = 1
"""Rises when a field of the record changes its meaning or goes."""


def strict_json(value: object) -> bytes:
    """The value as JSON that every parser takes: NaN and infinities become null, lone surrogates U+FFFD.

    TypeError for a value that JSON does not know.

    >>> strict_json({"a": float("nan"), "b": (1, "\\ud800")}).decode()
    '{"a":null,"b":[1,"\ufffd"]}'
    """
    return json.dumps(_strict(value), ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


def _strict(value: object) -> object:
    if isinstance(value, str):
        return writable(value)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, BaseModel):
        return _strict(value.model_dump())
    if isinstance(value, Mapping):
        return {writable(str(key)): _strict(item) for key, item in value.items()}
    return _number(value) if isinstance(value, Real) else _items(value)


def _number(value: Real) -> int | float | None:
    if isinstance(value, Integral):
        return int(value)
    return float(value) if math.isfinite(value) else None


def _items(value: object) -> list[object]:
    if isinstance(value, (list, tuple, set, frozenset)):
        plain = sorted(value, key=repr) if isinstance(value, (set, frozenset)) else value
        return [_strict(item) for item in plain]
    raise TypeError(f"A {type(value).__name__} cannot be written as JSON.")


def event_record(stored: Stored) -> dict[str, object]:
    """An event as one flat object: its number, its time, then its own fields with `type`."""
    return {"seq": stored.seq, "at": stored.at, **stored.event.model_dump(mode="json")}


def _warnings(state: RunState) -> Counter[str]:
    """How many judgments carry each warning, by its code."""
    judgments = (judgment for view in state.units for judgment in view.judgments)
    return Counter(code for judgment in judgments for code in sorted({n.code for n in judgment.warnings}))


def run_record(run: str, state: RunState, table: Standings) -> dict[str, object]:
    """The object that ends a run's machine output: who, how it ended, what it cost, and the standings.

    `cost` is None where a part is unknown; then `cost_known` is the known part.
    """
    spent, said = state.spent, verdict(state, table)
    return {
        "type": "ended",
        "schema_version": SCHEMA_VERSION,
        "run": run,
        "mode": state.spec.mode,
        "prompt_version": state.spec.prompt_version,
        "app_version": state.spec.app_version,
        "method": state.spec.method,
        "rounds": len(state.rounds),
        "goal": state.goal,
        "goal_reached": None if state.goal is None else state.reached is not None,
        "certainty": None if state.reached is None else state.reached.certainty,
        "rated_by": declared(state, table.basis),
        "status": state.status,
        "reason": state.reason,
        "verdict": said.sentence,
        "remarks": list(said.remarks),
        "calls": spent.calls,
        "cached": spent.cached,
        "cost": spent.cost.exact,
        "cost_known": spent.cost.known,
        "charged_calls": state.charged.calls,
        "charged_cost": state.charged.cost.exact,
        "prompt_tokens": spent.prompt_tokens,
        "completion_tokens": spent.completion_tokens,
        "judgments": dict(state.ledger),
        "judges": [judge.name for judge in state.spec.judges],
        "parameters": [judge.model_dump() for judge in state.spec.judges],
        "fallbacks": [judge.model_dump() for judge in state.spec.fallbacks],
        "warnings": dict(_warnings(state)),
        "weights": dict(table.weights),
        "choice": table.choice,
        "connected": table.connected,
        "standings": standing_records(state, table),
    }
