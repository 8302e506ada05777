"""The jobs: what each is called, what it does, and how its run judges."""

from __future__ import annotations

from typing import Literal, NamedTuple

from judge_core.records.spec import ItemMode

JobName = Literal["compare", "score", "review", "gate", "list", "rag", "agent"]


class Job(NamedTuple):
    """One job."""

    title: str
    says: str
    """What it does, in a line."""
    judged: str
    """What each judge of a panel judges."""
    mode: ItemMode | None
    """None: a comparison, which is a ranking of two texts."""
    criteria: bool = True
    """Whether its judges are given a question and criteria."""


JOBS: dict[JobName, Job] = {
    "compare": Job("Compare two texts", "Which of two is better, and why. Each is shown first once.", "the pair", None),
    "score": Job("Score one text", "A score on every criterion, with reasons.", "the text", "review"),
    "review": Job("Review many texts", "The same for many texts, each by itself.", "every text", "review"),
    "gate": Job("Pass or not (gate)", "Each text passes or not, by a bar that you set.", "every text", "gate"),
    "list": Job("Rank a short list (2 to 20) in one go", "Judges see all texts at once and put them in order.", "the list", "listwise"),
    "rag": Job(
        "Check answers against their sources (RAG)", "Is each claim of an answer backed by what was found for it?",
        "every answer", "rag", criteria=False,
    ),
    "agent": Job(
        "Check what an agent did", "Goal reached? Which steps helped, which did harm?", "every run", "agent",
        criteria=False,
    ),
}  # fmt: skip
UPLOADED: tuple[JobName, ...] = ("review", "gate", "list")
"""Jobs over uploaded texts."""


def scores_by_criteria(name: JobName, own_criteria: bool) -> bool:
    """Whether the draft's criteria are used; of answers with sources only where a person chose so.

    >>> scores_by_criteria("gate", False), scores_by_criteria("rag", False), scores_by_criteria("rag", True)
    (True, False, True)
    """
    return JOBS[name].criteria or (name == "rag" and own_criteria)
