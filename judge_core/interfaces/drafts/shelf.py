"""Rubrics that people saved under a name, as JSON files in the data folder."""

from __future__ import annotations

import contextlib
import re
import unicodedata
from pathlib import Path

from judge_core.records.criteria import Rubric
from judge_core.records.errors import InputError
from judge_core.records.record import digest
from judge_core.scoring.rubric.reading import read_rubric
from judge_core.scoring.rubric.writing import write_rubric

FOLDER = "rubrics"


def file_name(name: str) -> str:
    """A file name that any system takes, of its own for each rubric name.

    >>> file_name("../Réaction; 7b")
    'reaction-7b-114e107e.json'
    """
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    words = "-".join(re.findall(r"[a-z0-9]+", plain))[:40].strip("-")
    return f"{words or 'rubric'}-{digest(name)[:8]}.json"


def save(root: Path, rubric: Rubric, name: str) -> Path:
    """Saves a rubric under a name, over one of the same name. InputError without a name, or where it cannot be written."""
    name = " ".join(name.split())
    if not name:
        raise InputError("Give the rubric a name to save it under.", field="name")
    path = root / FOLDER / file_name(name)
    try:
        path.parent.mkdir(mode=0o700, exist_ok=True)
        part = path.with_suffix(".part")
        part.write_text(write_rubric(rubric.model_copy(update={"name": name})), "utf-8")
        part.replace(path)
    except OSError as error:
        raise InputError(f"The rubric could not be saved ({error.strerror}).", field="name") from None
    return path


def saved(root: Path) -> dict[str, Rubric]:
    """The saved rubrics by name, sorted; files that cannot be read are passed over."""
    found: dict[str, Rubric] = {}
    for path in sorted((root / FOLDER).glob("*.json")):
        with contextlib.suppress(InputError, OSError, ValueError):
            rubric = read_rubric(path.read_bytes()).rubric
            found[rubric.name or path.stem] = rubric
    return dict(sorted(found.items(), key=lambda item: item[0].casefold()))
