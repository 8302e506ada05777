"""How files are read: which columns to take, and how much is taken at most."""

from __future__ import annotations

from pydantic import Field

from judge_core.records.record import Record

MEGABYTE = 1024 * 1024


class ReadOptions(Record):
    """Choices for reading files. A column that is None is guessed, and the guess is told in `Artifact.guesses`."""

    text_column: str | None = None
    id_column: str | None = None
    title_column: str | None = None
    max_file_bytes: int = Field(default=50 * MEGABYTE, gt=0)
    """The largest single file, and the largest single entry of an archive."""
    max_unzipped_bytes: int = Field(default=200 * MEGABYTE, gt=0)
    """The most that an archive, a Word file or a workbook may hold once unpacked."""
    max_entries: int = Field(default=5000, gt=0)
    """The most entries of an archive, and the most files of a folder."""
