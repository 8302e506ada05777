"""How long a trajectory may be to be judged in one prompt. Nothing is ever cut: a longer one is refused with a remedy."""

from __future__ import annotations

from judge_core.records.errors import InputError
from judge_core.records.item import Item, ReadItem

MOST_STEPS = 500
"""A judge labels every step; beyond this no reply holds the labels."""


def check_trajectory(item: Item | ReadItem) -> None:
    """Raises InputError where an item is no trajectory that can be judged: one goal, at most one policy, 1 to `MOST_STEPS` steps."""
    run = item.alias if isinstance(item, Item) else "The run"
    roles = [part.role for part in item.parts]
    steps, goals, policies = (roles.count(role) for role in ("step", "goal", "policy"))
    others = sorted(set(roles) - {"step", "goal", "policy"})
    if others:
        raise InputError(
            f"{run}: a trajectory has a goal, a policy and steps, and no part {others[0]!r}.", field="parts"
        )
    if goals != 1:
        raise InputError(f"{run} has {goals} goals; give it exactly one.", field="goal")
    if policies > 1:
        raise InputError(f"{run} has {policies} policies; put them into one text.", field="policy")
    if not steps:
        raise InputError(f"{run} has no step of an agent: there is nothing to judge.", field="steps")
    if steps > MOST_STEPS:
        raise InputError(
            f"{run} has {steps:,} steps; at most {MOST_STEPS} are judged at once. Split it into parts with a goal each.",
            field="steps",
        )
