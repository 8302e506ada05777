"""The nouns of what is judged: an artifact (one text), and what reading a set of files brought."""

from __future__ import annotations

from pydantic import Field

from judge_core.records.record import Notice, Record


class Artifact(Record):
    """One text as it was read from a file, a row or a paste. Pure value: where it is stored is known elsewhere."""

    id: str
    """The file name, or the cell of the id column, as given. Never shown to a judge."""
    title: str
    """What people see when names are shown: the file name without ending, or the title column."""
    text: str
    """The text that is hashed and judged (after masking, where names were masked)."""
    sha256: str
    """Full content hash of `text`."""
    words: int
    characters: int
    source: str = ""
    """Name of the uploaded file that held it ('pasted text' for a paste)."""
    encoding: str | None = None
    """The encoding that was found or guessed, e.g. 'utf-8', 'cp1252'; None where the format fixes it."""
    guesses: dict[str, str] = Field(default_factory=dict)
    """What else was guessed, e.g. {'delimiter': ';', 'text column': 'essay'}."""
    columns: dict[str, str] = Field(default_factory=dict)
    """The other columns of its row, kept for the export. Never shown to a judge."""
    warnings: tuple[Notice, ...] = ()


class FileProblem(Record):
    """A file, archive entry or row that could not be used, or was used with a remark."""

    file: str
    message: str
    lost: bool = False
    """Whether something that was given is not judged."""


class Reading(Record):
    """What reading some files brought: the artifacts in order, and the problems by name. A bad file loses no good one."""

    artifacts: tuple[Artifact, ...] = ()
    problems: tuple[FileProblem, ...] = ()
