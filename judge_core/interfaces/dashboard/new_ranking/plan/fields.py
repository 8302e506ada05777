"""Widgets that are bound to the plan of the draft."""

from __future__ import annotations

from typing import Any

from judge_core.interfaces.dashboard.new_ranking.state import bound
from judge_core.interfaces.drafts import Plan


def planned(plan: Plan, field: str) -> dict[str, Any]:
    """Binds a widget to a field of the plan."""
    return bound(f"plan:{field}", getattr(plan, field), lambda d, value: d.with_plan(**{field: value}))
