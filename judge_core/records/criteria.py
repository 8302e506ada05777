"""The nouns of a rubric: criterion, level, rubric."""

from __future__ import annotations

from pydantic import Field

from judge_core.records.record import Record


class Level(Record):
    """One step of a criterion's scale, shown to the judge word for word."""

    score: float
    label: str = ""
    descriptor: str = ""


class Criterion(Record):
    """One weighted criterion with its own scale. Reading and checking stand in `scoring/rubric/reading.py`."""

    name: str
    description: str = ""
    scale_min: float = 0.0
    scale_max: float = 10.0
    weight: float = 1.0
    """Positive; only its share of the sum counts. Never shown to a judge, never part of a cache key."""
    levels: tuple[Level, ...] = ()


OVERALL = Criterion(name="Overall", description="The overall quality of the text as an answer to the question.")
"""Used where no criteria are given."""


class Rubric(Record):
    """A question with its criteria, and what the judge may need to know about the task."""

    criteria: tuple[Criterion, ...] = (OVERALL,)
    question: str = ""
    """The question or task that the texts answer."""
    source_extract: str = ""
    """A source that the texts refer to, shown to the judge, optional."""
    word_limit: int | None = Field(default=None, gt=0)
    """Told to the judge, optional."""
    name: str = ""
