"""Widgets bound to the way a text is to be improved."""

from __future__ import annotations

from typing import Any

from judge_core.interfaces.dashboard.new_ranking.state import bound
from judge_core.interfaces.drafts import Draft


def chosen(draft: Draft, name: str) -> dict[str, Any]:
    """Binds a widget to a plain field of the improvement."""
    value = getattr(draft.inputs.improvement, name)
    return bound(f"improve:{name}", value, lambda d, entered: d.with_improvement(**{name: entered}))
