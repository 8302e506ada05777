"""Which files of the given paths are texts to be judged, and which stand beside them.

In a folder, `criteria.json` is the rubric (used where no other is given), README and LICENSE files are left out, and so
are tables without a column named like a text, if the folder holds documents as well: such tables are rosters or keys.
So are JSON files other than the rubric: they hold rows for other verbs. A file that is named itself is always read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import judge_core
from judge_core.intake import ReadOptions, read_paths, table_columns
from judge_core.intake.artifacts import check_nothing_lost
from judge_core.intake.formats.kinds import TABLE_ENDINGS
from judge_core.intake.formats.tables import TEXT_HEADINGS, heading_key
from judge_core.intake.naming import base_name, ending, plain_path
from judge_core.intake.reading import HIDDEN, LINK, walk_folder
from judge_core.interfaces.cli.terminal.arguments import TextArguments
from judge_core.interfaces.cli.terminal.output import say
from judge_core.records.artifact import Artifact, FileProblem, Reading
from judge_core.records.criteria import Rubric
from judge_core.records.errors import InputError

EXAMPLES = Path(judge_core.__file__).parents[1] / "examples"
CRITERIA = "criteria.json"
MOST_PROBLEMS, MOST_LEFT_OUT = 20, 2
"""Problems, and files left out of a folder, that are said one by one."""
ROWS = ("json", "jsonl")
BESIDE = ("readme", "license", "licence")


@dataclass
class Sources:
    """What was found in some paths."""

    texts: list[Path] = field(default_factory=list)
    criteria: list[Path] = field(default_factory=list)
    left_out: list[FileProblem] = field(default_factory=list)

    def leave_out(self, file: Path, reason: str, *, lost: bool = False) -> None:
        """Notes a file that is not read, and why; `lost` where no rule says that it is none of the texts."""
        self.left_out.append(FileProblem(file=plain_path(file.name), message=f"Left out: {reason}", lost=lost))


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


def read_texts(arguments: TextArguments) -> tuple[Sources, Reading]:
    """The texts that the arguments name; what could not be read, or was read with a remark, is said."""
    options = ReadOptions(text_column=arguments.text_column, id_column=arguments.id_column)
    sources = find_sources(arguments.paths, options)
    reading = read_sources(sources, options)
    left_out = sources.left_out
    if len(left_out) > MOST_LEFT_OUT:
        say(f"{len(left_out)} files are left out, {left_out[0].file} among them; podium inspect says why.")
        tell_problems(reading.problems[len(left_out) :])
    else:
        tell_problems(reading.problems)
    return sources, reading


def tell_problems(problems: Sequence[FileProblem]) -> None:
    """Says what is odd about files, the first of it in words."""
    for problem in problems[:MOST_PROBLEMS]:
        say(f"{problem.file}: {problem.message}")
    if len(problems) > MOST_PROBLEMS:
        say(f"... and {len(problems) - MOST_PROBLEMS} more remarks; podium inspect shows all.")


def read_rubric(criteria: str | None, question: str, sources: Sources | None = None) -> Rubric:
    """The rubric of that name or file, else the one beside the texts, else the default; remarks on it are said."""
    from judge_core.interfaces.library.options import read_criteria

    beside = None if criteria or sources is None else only_criteria(sources)
    if beside is not None:
        say(f"Criteria: {beside} (beside the texts).")
    reading = read_criteria(criteria or beside, question)
    for note in reading.notes:
        say(note)
    return reading.rubric


def check_all_read(sources: Sources, reading: Reading) -> None:
    """InputError naming the first file, entry or row that is not judged: at a gate it must not count as passed."""
    check_nothing_lost(reading.problems)
    brought = {artifact.source for artifact in reading.artifacts}
    silent = [label for label in (base_name(file.name) for file in sources.texts) if label not in brought]
    check_nothing_lost([FileProblem(file=label, message="It brought no text.", lost=True) for label in silent])


def named_file(path: str) -> tuple[str, bytes]:
    """The name and content of a file. InputError where it cannot be read."""
    try:
        return Path(path).name, Path(path).read_bytes()
    except (OSError, ValueError) as error:
        cause = getattr(error, "strerror", None) or "not a path"
        raise InputError(f"The file {path!r} cannot be read ({cause}).", field="file") from None


def one_text(path: str) -> Artifact:
    """The one text of a file. InputError where it holds none or several."""
    reading = read_sources(find_sources([path], ReadOptions()), ReadOptions())
    if len(reading.artifacts) != 1:
        said = reading.problems[0].message if reading.problems else f"It holds {len(reading.artifacts)} texts."
        raise InputError(f"{path!r} must be a file with one text. {said}", field="paths")
    return reading.artifacts[0]


def _sort_folder(folder: Path, options: ReadOptions, found: Sources) -> None:
    candidates = []
    for file in _files(folder, found):
        if file.name.casefold() == CRITERIA:
            found.criteria.append(file)
        elif ending(file.name) in ROWS:
            found.leave_out(file, "rows of answers or agent runs are for podium rag and podium agent.")
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
    """All files of a folder, sorted; hidden ones and links are left out, and folders that cannot be opened."""
    for file, state in walk_folder(folder):
        if state:
            by_rule = state == HIDDEN or (state == LINK and _stands_beside(file))
            found.leave_out(file, state, lost=not by_rule)
        else:
            yield file


def _stands_beside(file: Path) -> bool:
    return file.stem.casefold() in BESIDE or (ending(file.name) in ROWS and file.name.casefold() != CRITERIA)


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
