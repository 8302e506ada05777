"""The nouns of what is judged by itself: an item, the parts it is made of, and what its reading found in it.

An item is one text to be reviewed, a list of candidates, a retrieval answer with its passages, or an agent's trajectory.
Its words lie in the store by content hash; an item holds no text of its own.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from judge_core.records.artifact import FileProblem
from judge_core.records.record import Notice, Record

PartRole = Literal[
    "text", "reference", "candidate", "question", "answer", "passage", "claim", "goal", "policy", "step", "version",
    "critique", "note",
]  # fmt: skip
PatternName = Literal["repetition_loop", "ping_pong", "expansion_drift", "stuck_on_test", "context_thrash"]
"""Ways in which an agent goes astray; see `scoring/trajectory/`."""


class ItemPart(Record):
    """One piece of an item. Pieces of one role are numbered from 1 in their order: PASSAGE 1, PASSAGE 2, ..."""

    role: PartRole
    sha256: str
    words: int = Field(ge=0)
    characters: int = Field(ge=0)
    name: str = ""
    """Its id as the data gave it. For people; never shown to a judge."""
    call: bool = False
    """Agent steps: whether the step calls a tool."""


class Pattern(Record):
    """A pattern found in a trajectory by a rule or by a judge."""

    name: PatternName
    steps: tuple[int, ...] = ()
    """Step numbers from 1 that show it."""
    severity: int = Field(ge=1, le=5)
    taxonomy: Literal["reasoning_error", "specification_error", "coordination_error"]
    source: Literal["rules", "judge"] = "rules"
    confidence: float = Field(default=1.0, ge=0, le=1)


class Item(Record):
    """One thing to be judged by itself: known by its alias in every event, by its parts' hashes to prompts and cache."""

    alias: str
    """'I-001' ...: tells nothing of name or upload order."""
    id: str
    """The file name, or the id that the data gave. Never shown to a judge."""
    title: str
    parts: tuple[ItemPart, ...] = Field(min_length=1)
    author: str = ""
    """Model or system that wrote it, where the data says so: for the warning of self-preference. Never shown to a judge."""
    columns: dict[str, str] = Field(default_factory=dict)
    """The other columns of its row, kept for the export. Never shown to a judge."""
    notices: tuple[str, ...] = ()
    """Codes of the warnings found when it was read."""
    patterns: tuple[Pattern, ...] = ()
    """Agent: the patterns that the rules found in its steps when it was read."""
    success: bool | None = None
    """Agent: whether the run reached its goal by an outside check, where the data says so. Never shown to a judge."""
    trial: str = ""
    """Agent: the task that it is a trial of, where the data repeats tasks."""

    def of(self, role: PartRole) -> tuple[ItemPart, ...]:
        """The parts of a role, in their order."""
        return tuple(part for part in self.parts if part.role == role)


class ReadPart(Record):
    """A piece as it was read from a file: with its words."""

    role: PartRole
    text: str
    name: str = ""
    call: bool = False


class ReadItem(Record):
    """An item as it was read from a file. The fields of `Item` have the same meaning there."""

    id: str
    title: str
    parts: tuple[ReadPart, ...] = Field(min_length=1)
    author: str = ""
    columns: dict[str, str] = Field(default_factory=dict)
    warnings: tuple[Notice, ...] = ()
    patterns: tuple[Pattern, ...] = ()
    success: bool | None = None
    trial: str = ""


class ItemReading(Record):
    """What reading some files brought: items in order, and problems by file and line. A bad row loses no good one."""

    items: tuple[ReadItem, ...] = ()
    problems: tuple[FileProblem, ...] = ()
