"""From files, folders and pasted text to artifacts. Whatever the bytes, the answer is a `Reading`: no error escapes."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from judge_core.intake.artifacts import Part, Remark, even_lines, make_artifact, settle, too_long, unbroken
from judge_core.intake.columns import choose_columns, parts_of
from judge_core.intake.formats.archive import entries
from judge_core.intake.formats.delimited import looks_like_table, read_delimited
from judge_core.intake.formats.encodings import decode
from judge_core.intake.formats.kinds import Kind, kind_guess, recognise
from judge_core.intake.formats.pdf import read_pdf
from judge_core.intake.formats.tables import Document, Table
from judge_core.intake.formats.word import read_word
from judge_core.intake.formats.workbook import read_workbook
from judge_core.intake.naming import base_name, brief, plain_path, shown, title_of
from judge_core.intake.options import ReadOptions, oversize
from judge_core.records.artifact import Artifact, FileProblem, Reading
from judge_core.records.errors import InputError
from judge_core.records.record import Record
from judge_core.scoring.counting import is_blank

PASTED = "pasted text"
BLANK = "The file holds no visible text."
UNREADABLE = "The file could not be read: it is broken or of an unknown kind."
HIDDEN = "it is hidden (its name begins with a dot)."
LINK = "it is a link."
SHUT = "the folder cannot be opened. Check that you may read it."
FIRST_ROWS = 5
NAMED_SURPLUS = 20


class TableColumns(Record):
    """The columns of a table, for a page where they are chosen."""

    columns: tuple[str, ...]
    first_rows: tuple[tuple[str, ...], ...]
    """The first rows, each as long as `columns`."""
    rows: int
    text_column: str
    """What would be taken as the text."""
    id_column: str | None
    title_column: str | None
    guesses: dict[str, str]


class _Harvest:
    """What has been read so far; texts beyond the most that are read are only named."""

    def __init__(self, options: ReadOptions) -> None:
        self.most = options.max_texts
        self.artifacts: list[Artifact] = []
        self.problems: list[FileProblem] = []
        self.surplus: list[FileProblem] = []

    def add(self, label: str, parts: Sequence[Part], problems: Sequence[Remark]) -> None:
        room = self.most - len(self.artifacts)
        self.artifacts += [make_artifact(part) for part in parts[:room]]
        self.problems += [FileProblem(file=label, message=told.message, lost=told.lost) for told in problems]
        self.surplus += [FileProblem(file=label, message=brief(part.id)) for part in parts[room:]]

    def reading(self) -> Reading:
        """All of it, settled."""
        problems = [*self.problems, *left_over(self.surplus, self.most)]
        return settle(self.artifacts, problems)


def left_over(surplus: Sequence[FileProblem], most: int) -> list[FileProblem]:
    """The one problem that names the texts for which there was no room, each given as its file and its quoted id."""
    if not surplus:
        return []
    names = ", ".join(each.message for each in surplus[:NAMED_SURPLUS])
    more = f" and {len(surplus) - NAMED_SURPLUS:,} more" if len(surplus) > NAMED_SURPLUS else ""
    message = f"At most {most:,} texts are read at once; left out: {names}{more}. Rank them apart."
    return [FileProblem(file=surplus[0].file, message=message, lost=True)]


def read_files(files: Sequence[tuple[str, bytes]], options: ReadOptions = ReadOptions()) -> Reading:  # noqa: B008
    """The texts of uploaded files, given as (name, content), in their order; never raises for any content or name."""
    harvest = _Harvest(options)
    for name, data in files:
        _take(harvest, name, data, options)
    return harvest.reading()


def _take(harvest: _Harvest, name: str, data: bytes, options: ReadOptions) -> None:
    label = base_name(name)
    parts, problems = _guarded(lambda: _texts(label, label, data, options, harvest))
    harvest.add(label, parts, problems)


def _guarded(read: Callable[[], tuple[list[Part], list[Remark]]]) -> tuple[list[Part], list[Remark]]:
    """What a reader brings; its failure becomes a problem, so that the files around it are kept."""
    try:
        return read()
    except InputError as error:
        return [], [Remark(str(error), lost=True)]
    except Exception:  # hostile bytes reach libraries that raise anything; their words may quote the file
        return [], [Remark(UNREADABLE, lost=True)]


def _texts(
    name: str, source: str, data: bytes, options: ReadOptions, archive: _Harvest | None
) -> tuple[list[Part], list[Remark]]:
    """The texts of one file. `archive`: where an archive's entries go; None inside one, where none may be nested."""
    if len(data) > options.max_file_bytes:
        raise InputError(oversize(len(data), options.max_file_bytes))
    kind = recognise(name, data)
    if kind != "archive":
        return _texts_of_kind(kind, name, source, data, options)
    if archive is None:
        raise InputError("It is an archive inside an archive. Unpack it, and upload its files.")
    return [], _unpack(archive, source, data, options)


def _unpack(harvest: _Harvest, source: str, data: bytes, options: ReadOptions) -> list[Remark]:
    """Adds the texts of an archive's entries; returns what is to say about the archive itself."""
    count = 0
    remarks: list[Remark] = []
    for entry in entries(data, options):
        if entry.refusal and not entry.path:
            remarks.append(Remark(entry.refusal))
            continue
        count += 1
        parts: list[Part] = []
        problems = [Remark(entry.refusal, lost=True)]
        if not entry.refusal:
            parts, problems = _guarded(lambda e=entry: _texts(base_name(e.path), source, e.data, options, None))  # type: ignore[misc]
        harvest.add(plain_path(f"{source}/{entry.path}"), parts, problems)
    return remarks if count else [*remarks, Remark("The archive holds no files.", lost=True)]


def _texts_of_kind(
    kind: Kind, name: str, source: str, data: bytes, options: ReadOptions
) -> tuple[list[Part], list[Remark]]:
    found = _content(kind, name, data, options)
    if isinstance(found, Table):
        parts, problems = parts_of(found, name, options)
        told = [*map(Remark, found.problems), *(Remark(message, lost=True) for message in found.losses)]
        return [part.model_copy(update={"source": source}) for part in parts], [*told, *problems]
    long = too_long(name, found.text, options)
    if long or is_blank(found.text):
        raise InputError(long or BLANK)
    part = Part(
        id=name,
        title=title_of(name),
        text=found.text,
        source=source,
        encoding=found.encoding,
        guesses=found.guesses,
        notices=found.notices,
    )
    return [part], [Remark(message) for message in found.problems]


def _content(kind: Kind, name: str, data: bytes, options: ReadOptions) -> Document | Table:
    guess = kind_guess(name, kind)
    found: Document | Table
    if kind == "word":
        found = read_word(data, options)
    elif kind == "workbook":
        found = read_workbook(data, options)
    elif kind == "pdf":
        found = read_pdf(data)
    else:
        found = decode(data)
        if kind == "table" or (name.lower().endswith((".txt", ".text")) and looks_like_table(found.text)):
            guess = kind_guess(name, "table")
            found = read_delimited(found)
    return found.model_copy(update={"guesses": {**guess, **found.guesses}})


def read_table(name: str, data: bytes, options: ReadOptions = ReadOptions()) -> Table:  # noqa: B008
    """The table of a CSV file or workbook. Raises InputError where it is none or cannot be read."""
    kind = recognise(name, data)
    found = _content("table" if kind == "text" else kind, name, data, options) if kind != "archive" else None
    if not isinstance(found, Table):
        raise InputError("This is not a table. Save it as .csv or .xlsx.")
    return found


def table_columns(name: str, data: bytes) -> TableColumns | None:
    """The columns, first rows and guesses of a CSV file or workbook; None for any other file. Never raises."""
    try:
        label = base_name(name)
        found = _content(recognise(label, data), label, data, ReadOptions())
        if not isinstance(found, Table):
            return None
        choice = choose_columns(found, ReadOptions())
    except Exception:  # what is wrong with the file, reading it will say
        return None
    width = len(found.header)
    return TableColumns(
        columns=found.header,
        first_rows=tuple((*row.cells, *("",) * (width - len(row.cells))) for row in found.rows[:FIRST_ROWS]),
        rows=len(found.rows),
        text_column=found.header[choice.text],
        id_column=None if choice.id is None else found.header[choice.id],
        title_column=None if choice.title is None else found.header[choice.title],
        guesses={**found.guesses, **choice.guesses},
    )


def read_paste(text: str, title: str = "") -> Reading:
    """The texts of a paste: one, or several between lines of three hyphens. Blank ones are counted in a problem."""
    pieces = re.split(r"^[ \t]*---[ \t]*$", even_lines(unbroken(text)), flags=re.MULTILINE)
    filled = [piece.strip("\n") if len(pieces) > 1 else piece for piece in pieces if not is_blank(piece)]
    name = shown(title).strip() or PASTED
    names = [name] if len(filled) == 1 else [f"{name} {i}" for i in range(1, len(filled) + 1)]
    options = ReadOptions()
    harvest = _Harvest(options)
    for id, piece in zip(names, filled, strict=True):
        long = too_long(id, piece, options)
        part = Part(id=id, title=id, text=piece, source=PASTED)
        harvest.add(PASTED, [] if long else [part], [Remark(long, lost=True)] if long else [])
    remark = _blank_pieces(len(pieces) - len(filled), len(pieces))
    harvest.add(PASTED, [], [Remark(remark, lost=not filled)] if remark else [])
    return harvest.reading()


def _blank_pieces(blank: int, pieces: int) -> str:
    if blank == pieces:
        return "There is no visible text in the paste."
    return f"{blank} blank piece{'s' if blank > 1 else ''} between the lines of --- skipped." if blank else ""


def read_paths(paths: Sequence[Path], options: ReadOptions = ReadOptions()) -> Reading:  # noqa: B008
    """The texts of files, and of folders with all that is in them, sorted. Hidden files and links are named, not read."""
    harvest = _Harvest(options)
    count = 0
    for path in paths:
        for file, refusal in _files_under(Path(path)):
            count += not refusal
            label = plain_path(file.name or str(file))
            if count > options.max_entries:
                message = f"Left out, with all that follows: at most {options.max_entries} files are read."
                harvest.add(label, [], [Remark(message, lost=True)])
                return harvest.reading()
            if refusal:
                harvest.add(label, [], [refusal])
            else:
                _take_file(harvest, file, options)
    return harvest.reading()


def _files_under(path: Path) -> Iterator[tuple[Path, Remark | None]]:
    """The file itself, or the files of a folder; each with the reason where it is not to be read."""
    if not path.is_dir():
        yield path, None if path.is_file() else Remark("There is no such file or folder.", lost=True)
        return
    for file, state in walk_folder(path):
        yield file, Remark(f"Skipped: {state}", lost=state != HIDDEN) if state else None


def walk_folder(folder: Path) -> Iterator[tuple[Path, str]]:
    """All that is in a folder, sorted; each file with why it cannot be read: hidden, a link, an unreadable folder, or ""."""
    shut: list[OSError] = []
    for place, folders, names in os.walk(folder, onerror=shut.append):
        for name in sorted([*names, *folders]):
            file = Path(place) / name
            state = HIDDEN if name.startswith(".") else LINK if file.is_symlink() else ""
            if state or name not in folders:
                yield file, state
        folders[:] = sorted(name for name in folders if not name.startswith("."))
    for error in shut:
        yield Path(error.filename), SHUT


def _take_file(harvest: _Harvest, file: Path, options: ReadOptions) -> None:
    label = plain_path(file.name)
    try:
        with file.open("rb") as stream:
            size = os.fstat(stream.fileno()).st_size
            data = b"" if size > options.max_file_bytes else stream.read(options.max_file_bytes + 1)
    except OSError:
        harvest.add(label, [], [Remark("The file cannot be opened. Check that you may read it.", lost=True)])
        return
    if size > options.max_file_bytes:
        harvest.add(label, [], [Remark(oversize(size, options.max_file_bytes), lost=True)])
    else:
        _take(harvest, file.name, data, options)
