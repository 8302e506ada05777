"""The example essays that come with Podium, as uploads of a draft."""

from __future__ import annotations

from pathlib import Path

import judge_core
from judge_core.interfaces.drafts.records import Draft
from judge_core.interfaces.drafts.rubrics import with_rubric
from judge_core.interfaces.drafts.texts import add_files
from judge_core.records.errors import InputError
from judge_core.scoring.rubric.reading import read_rubric
from judge_core.store.archive import Archive

FOLDER = Path(judge_core.__file__).parents[1] / "examples" / "sleep"


def add_examples(archive: Archive, draft: Draft) -> Draft:
    """The draft with the example essays, and their question and criteria where none of its own were given."""
    try:
        files = [(path.name, path.read_bytes()) for path in sorted((FOLDER / "essays").glob("*.txt"))]
        criteria = read_rubric((FOLDER / "criteria.json").read_bytes())
    except OSError:
        files = []
    if not files:
        raise InputError("The example essays are not on this computer: the folder examples/sleep is missing.")
    if draft.rubric == Draft().rubric:
        draft = draft.model_copy(update={"rubric": with_rubric(draft.rubric, criteria), "name": criteria.rubric.name})
    return add_files(archive, draft, files)
