"""Replies about a run of three steps, as a judge would write them."""

from __future__ import annotations

import json
from typing import Any


def row(step: Any, label: Any = "useful", call: Any = "correct") -> dict[str, Any]:
    return {"step": step, "label": label, "call": call}


ROWS = [row("1"), row("2", "redundant", "none"), row("3", "harmful", "wrong")]


def reply(rows: Any = None, goal: Any = "achieved", **more: Any) -> str:
    return json.dumps({"goal": goal, "steps": ROWS if rows is None else rows, "quotes": [], "reasoning": "r", **more})


def patterns_reply(*rows: dict[str, Any]) -> str:
    return json.dumps({"patterns": list(rows)})


def named(name: Any = "ping_pong", steps: Any = ("1", "2"), confidence: Any = 0.9) -> dict[str, Any]:
    return {"name": name, "steps": list(steps) if isinstance(steps, tuple) else steps, "confidence": confidence}
