"""A folder of results on the disk: each file is there whole or not at all, and nothing is written beside the folder."""

from __future__ import annotations

import hashlib
import io
import os
import re
import zipfile
from collections.abc import Mapping
from pathlib import Path

from judge_core.interfaces.library.results import entry, write_whole
from judge_core.records.errors import InputError
from judge_core.views.refine.files import INITIAL

OWN = re.compile(
    r"initial_a\.md|final_output\.md|history\.json|incumbent_after_\d{2,4}\.md"
    r"|pass_\d{2,4}/(version_a|critic|version_b|version_ab|note_\d{2,4})\.md|pass_\d{2,4}/result\.json"
)
"""The files of a tournament by their paths; nothing else in a folder is ever touched."""


def check_folder(folder: Path, first_sha256: str) -> None:
    """Says before a tournament, and not after it, that its folder cannot be written. Raises InputError.

    A folder that holds the tournament of another text is refused; one of the same text is brought up to date.
    """
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{str(folder)!r} is a file. Name a folder.", field="out")
    place = folder if folder.is_dir() else folder.parent
    if not place.is_dir():
        raise InputError(f"{str(folder)!r} lies in a folder that is not there. Make that first.", field="out")
    if not os.access(place, os.W_OK):
        raise InputError(f"The folder {str(place)!r} cannot be written. Choose another one.", field="out")
    first = _content(folder / INITIAL)
    if first is not None and hashlib.sha256(first).hexdigest() != first_sha256:
        raise InputError(
            f"{str(folder)!r} holds the tournament of another text. Name another folder, or remove that one.",
            field="out",
        )


def write_folder(folder: Path, files: Mapping[str, bytes]) -> list[str]:
    """Brings a folder up to date; returns the paths of the files that were written, whose bytes had been others.

    Files of an earlier tournament that this one does not have (yet) are removed, so that a folder tells one story.
    Raises InputError for a path that leads out of the folder, and where something cannot be written.
    """
    folder.mkdir(exist_ok=True)
    root = folder.resolve()
    written = []
    for path, content in files.items():
        target = _inside(root, path)
        if _content(target) != content:
            write_whole(target, content)
            written.append(path)
    for path in _ours(root):
        if path not in files:
            (root / path).unlink(missing_ok=True)
    return written


def folder_zip(files: Mapping[str, bytes]) -> bytes:
    """The same files as a zip; equal files give equal bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files.items():
            archive.writestr(entry(path), content)
    return buffer.getvalue()


def _inside(root: Path, path: str) -> Path:
    """The place of a file, its folder made where it is missing. InputError where that lies outside, by a link or a name."""
    if not OWN.fullmatch(path):
        raise InputError(f"{path[:80]!r} is no file of a tournament.", field="out")
    target = root / path
    try:
        target.parent.mkdir(exist_ok=True)
    except OSError as error:
        raise InputError(f"{str(target.parent)!r} cannot be made ({error.strerror}).", field="out") from None
    if target.parent.resolve() not in (root, root / target.parent.name):
        raise InputError(f"{str(target.parent)!r} is a link that leads out of the folder. Remove it.", field="out")
    return target


def _ours(root: Path) -> list[str]:
    """The tournament's files that are there; links are left alone."""
    places = [root, *(place for place in root.glob("pass_*") if place.is_dir() and not place.is_symlink())]
    found = [file for place in places for file in place.iterdir() if file.is_file() and not file.is_symlink()]
    paths = [file.relative_to(root).as_posix() for file in found]
    return [path for path in paths if OWN.fullmatch(path)]


def _content(file: Path) -> bytes | None:
    """A file's bytes; None where there is none, or a link in its place."""
    try:
        return None if file.is_symlink() or not file.is_file() else file.read_bytes()
    except OSError:
        return None
