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
    max_characters: int = Field(default=1_000_000, gt=0)
    """The longest single text."""
    max_texts: int = Field(default=10_000, gt=0)
    """The most texts of one reading."""


def oversize(size: int, limit: int) -> str:
    """What to say of a file that is larger than the limit, both in one unit and so exact that they differ.

    >>> oversize(60 * MEGABYTE, 50 * MEGABYTE), oversize(4, 3)
    ('The file has 60.0 MB; at most 50.0 MB are read.', 'The file has 4 bytes; at most 3 bytes are read.')
    >>> oversize(50 * MEGABYTE + 1, 50 * MEGABYTE)
    'The file has 50.000001 MB; at most 50.000000 MB are read.'
    """
    if limit < MEGABYTE:
        return f"The file has {size:,} bytes; at most {limit:,} bytes are read."
    pairs = [(f"{size / MEGABYTE:,.{digits}f}", f"{limit / MEGABYTE:,.{digits}f}") for digits in (1, 2, 4, 6)]
    told, most = next((pair for pair in pairs if pair[0] != pair[1]), pairs[-1])
    return f"The file has {told} MB; at most {most} MB are read."
