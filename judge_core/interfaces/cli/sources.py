"""Which files of the given paths are texts to be judged, and which stand beside them.

In a folder, `criteria.json` is the rubric (used where no other is given), README and LICENSE files are left out, and so
are tables without a column named like a text, if the folder holds documents as well: such tables are rosters or keys.
A file that is named itself is always read.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from judge_core.intake import ReadOptions, read_paths, table_columns
from judge_core.intake.formats.kinds import TABLE_ENDINGS
from judge_core.intake.formats.tables import TEXT_HEADINGS, heading_key
from judge_core.intake.naming import ending, plain_path
from judge_core.records.artifact import FileProblem, Reading
from judge_core.records.errors import InputError

EXAMPLES = Path(__file__).parents[3] / "examples"
CRITERIA = "criteria.json"
BESIDE = ("readme", "license", "licence")


@dataclass
class Sources:
    """What was found in some paths."""

    texts: list[Path] = field(default_factory=list)
    criteria: list[Path] = field(default_factory=list)
    left_out: list[FileProblem] = field(default_factory=list)

    def leave_out(self, file: Path, reason: str) -> None:
        """Notes a file that is not read, and why."""
        self.left_out.append(FileProblem(file=plain_path(file.name), message=f"Left out: {reason}"))


def find_sources(paths: Sequence[Path | str], options: ReadOptions) -> Sources:
    """The files behind the paths. `examples` stands for the examples that come with Podium where no such path is here.

    InputError where a path given as a string is empty (as a `Path` it would be the current folder).
    """
    found = Sources()
    for given in paths:
        if isinstance(given, str) and not given.strip():
            raise InputError(
                f"The path {given!r} is empty. Name a file or a folder; . is the current folder.", field="paths"
            )
        path = Path(given)
        if path == Path("examples") and not path.exists() and EXAMPLES.is_dir():
            path = EXAMPLES
        if path.is_dir():
            _sort_folder(path, options, found)
        else:
            found.texts.append(path)
    return found


def read_sources(sources: Sources, options: ReadOptions) -> Reading:
    """The texts; what was left out stands among the problems."""
    reading = read_paths(sources.texts, options)
    return reading.model_copy(update={"problems": (*sources.left_out, *reading.problems)})


def only_criteria(sources: Sources) -> Path | None:
    """The rubric that came with the texts, if any. InputError where there are several."""
    if len(sources.criteria) > 1:
        folders = ", ".join(str(file.parent) for file in sources.criteria)
        raise InputError(
            f"There are several {CRITERIA}: in {folders}. Say which one with --criteria.", field="criteria"
        )
    return sources.criteria[0] if sources.criteria else None


def _sort_folder(folder: Path, options: ReadOptions, found: Sources) -> None:
    candidates = []
    for file in _files(folder, found):
        if file.name.casefold() == CRITERIA:
            found.criteria.append(file)
        elif file.stem.casefold() in BESIDE:
            found.leave_out(file, "it tells about the folder. Name it itself to have it judged.")
        else:
            candidates.append(file)
    documents = any(ending(file.name) not in TABLE_ENDINGS for file in candidates)
    for file in candidates:
        if documents and ending(file.name) in TABLE_ENDINGS and not _has_texts(file, options):
            found.leave_out(file, "a table without a column of texts. Name it itself to have its rows judged.")
        else:
            found.texts.append(file)


def _files(folder: Path, found: Sources) -> Iterator[Path]:
    """All files of a folder, sorted; hidden ones and links are left out."""
    for place, folders, names in os.walk(folder):
        hidden = [name for name in folders if name.startswith(".")]
        folders[:] = sorted(set(folders) - set(hidden))
        for name in sorted([*names, *hidden]):
            file = Path(place) / name
            if name.startswith("."):
                found.leave_out(file, "it is hidden (its name begins with a dot).")
            elif file.is_symlink():
                found.leave_out(file, "it is a link.")
            else:
                yield file


def _has_texts(file: Path, options: ReadOptions) -> bool:
    if options.text_column is not None:
        return True
    try:
        if file.stat().st_size > options.max_file_bytes:
            return True
        columns = table_columns(file.name, file.read_bytes())
    except OSError:
        return True  # reading it will say what is wrong
    return columns is None or heading_key(columns.text_column) in TEXT_HEADINGS
