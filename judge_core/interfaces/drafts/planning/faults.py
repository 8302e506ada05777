"""Choices about what is compared that cannot be met, each with its remedy."""

from __future__ import annotations

from collections.abc import Iterator

from judge_core.interfaces.bench.ranking import check_ranking
from judge_core.records.errors import InputError
from judge_core.records.spec import Spec


def plan_faults(spec: Spec) -> Iterator[str]:
    """What about a complete spec cannot be met; nothing where all can."""
    n, panel, goal = len(spec.texts), len(spec.judges), spec.goal
    if goal is not None and goal.kind == "top" and goal.ranks[0] >= n:
        yield f"The best {goal.ranks[0]:,} of {n:,} texts are all of them. Enter {n - 1:,} at most."
        return
    try:
        check_ranking(spec)
    except InputError as error:
        yield str(error)
    if goal is not None and goal.ratings and all(text.anchor is None for text in spec.texts):
        yield (
            "Lines at ratings have no meaning without texts whose rating is known. "
            "Choose their column, or draw the lines after ranks."
        )
    if spec.judges_per_match is not None and spec.judges_per_match > panel:
        yield (
            f"{spec.judges_per_match} judges were to decide each time, but the panel has {panel}. "
            f"Add judges, or enter {panel} at most."
        )
    if all(text.anchor is not None for text in spec.texts):
        yield (
            "Every text has a known rating, so there is nothing to find out. "
            "Choose another column, or leave it empty for the texts in question."
        )
