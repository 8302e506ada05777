"""What a plan stands for: the fields of a spec that say what is compared. A choice that its method has no use for is kept and not used."""

from __future__ import annotations

import math
import re
from typing import Any

from judge_core.interfaces.drafts.records import GoalKind, Plan, Preset
from judge_core.ranking.schedules.swiss.narrowing import useful_rounds
from judge_core.records.errors import InputError
from judge_core.records.spec import Goal, Method, Narrowing

PRESETS: dict[Preset, str] = {
    "quick": "Quick look",
    "standard": "Standard",
    "top": "Only the best",
    "lists": "Lists",
    "custom": "Custom",
}
QUICK_ROUNDS, STANDARD_ROUNDS, TOP_ROUNDS, LIST_ROUNDS = 3, 20, 8, 8
SURE, SURE_ROUNDS = 0.9, 20
"""Only the best, to be sure of them: the certainty at which it stops, and the rounds after which it does so anyway."""
OF_PAIRS: tuple[Method, ...] = ("swiss", "adaptive", "round-robin", "knockout")
SETTLING: tuple[Method, ...] = ("swiss", "adaptive", "round-robin", "listwise")
"""Methods that can stop at a goal: the others ask no more than they must."""
MEETING_AGAIN: tuple[Method, ...] = ("swiss", "adaptive", "round-robin")
USUAL_CERTAINTY: dict[GoalKind, int] = {"none": 90, "order": 85, "top": 90, "cut": 90, "ratings": 90}
MOST_LINES = 20
_BREAKS = re.compile(r"[\s,;]+")


def method_of(plan: Plan) -> Method:
    """The method of a plan."""
    if plan.preset == "custom":
        return plan.method
    if plan.preset == "lists":
        return "listwise"
    return "adaptive" if plan.preset == "top" and plan.top_focus == "sure" else "swiss"


def choices(plan: Plan, n: int) -> dict[str, Any]:
    """The fields of a spec for n texts. InputError where lines cannot be read."""
    found: dict[str, Any] = {"method": method_of(plan)}
    match plan.preset:
        case "quick":
            return {**found, "rounds": _useful(n, QUICK_ROUNDS)}
        case "standard":
            return {**found, "rounds": _useful(n, STANDARD_ROUNDS)}
        case "top" if plan.top_focus == "sure":
            goal = Goal(kind="top", ranks=(plan.top_k,), probability=SURE)
            return {**found, "rounds": _useful(n, SURE_ROUNDS), "goal": goal}
        case "top":
            narrowing = Narrowing(focus=plan.top_focus, k=plan.top_k)
            return {**found, "rounds": _useful(n, TOP_ROUNDS), "narrowing": narrowing}
        case "lists":
            return {**found, "rounds": LIST_ROUNDS}
        case "custom":
            return {**found, **_custom(plan)}


def _useful(n: int, rounds: int) -> int:
    return max(1, useful_rounds(n, rounds))


def _custom(plan: Plan) -> dict[str, Any]:
    """The choices that fit the method."""
    method = plan.method
    found: dict[str, Any] = {"goal": goal_of(plan), "judges_per_match": plan.judges_per_match}
    if takes_rounds(plan):
        found["rounds"] = plan.most_rounds if found["goal"] else plan.lists if method == "listwise" else plan.rounds
    if method == "swiss":
        found["narrowing"] = Narrowing(focus=plan.focus, k=None if plan.focus == "all" else plan.k)
    if method == "knockout":
        found["third_place"] = plan.third_place
    if method == "listwise":
        found |= {"group_size": plan.group_size, "reverse_share": plan.reversed_percent / 100}
    if method in MEETING_AGAIN:
        found["rematches"] = plan.rematches
    if method in OF_PAIRS:
        found |= {"warm_start": plan.scores_first, "evidence": plan.evidence}
    return found


def takes_rounds(plan: Plan) -> bool:
    """Whether a number of rounds decides anything."""
    return plan.method in ("swiss", "adaptive", "listwise") or plan.method == "round-robin" and plan.rematches


def goal_of(plan: Plan) -> Goal | None:
    """The goal of a custom plan. InputError, naming what was typed, where its lines cannot be read."""
    if plan.method not in SETTLING or plan.goal == "none":
        return None
    probability = plan.certainty / 100
    match plan.goal:
        case "order":
            return Goal(kind="order", probability=probability)
        case "top":
            return Goal(kind="top", ranks=(plan.goal_k,), probability=probability)
        case "cut":
            return Goal(kind="cut", ranks=ranks_in(plan.goal_ranks), probability=probability)
        case "ratings":
            return Goal(kind="cut", ratings=ratings_in(plan.goal_ratings), probability=probability)


def ranks_in(typed: str) -> tuple[int, ...]:
    """Ranks as people type them, rising. InputError naming what is none.

    >>> ranks_in("12, 5")
    (5, 12)
    """
    return tuple(int(value) for value in _lines(typed, r"[1-9]\d{0,6}", "rank", "5, 12"))


def ratings_in(typed: str) -> tuple[float, ...]:
    """Ratings as people type them, rising. InputError naming what is none.

    >>> ratings_in("1600 1450.5")
    (1450.5, 1600.0)
    """
    return _lines(typed, r"-?\d{1,6}(\.\d{1,3})?", "rating", "1450, 1600")


def _lines(typed: str, form: str, what: str, example: str) -> tuple[float, ...]:
    parts = [part for part in _BREAKS.split(typed) if part]
    if not parts:
        raise InputError(f"Enter the {what}s at which to draw a line, for example {example}.", field="goal")
    for part in parts:
        if not re.fullmatch(form, part, re.ASCII):
            raise InputError(
                f"{part[:20]!r} is no {what}. Write {what}s with commas between them, for example {example}.",
                field="goal",
            )
    if len(parts) > MOST_LINES:
        raise InputError(f"{len(parts)} lines are too many; draw {MOST_LINES} at most.", field="goal")
    return tuple(sorted({float(part) for part in parts if math.isfinite(float(part))}))
