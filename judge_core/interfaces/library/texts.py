"""Texts as the library is given them: by id, in a list, or as files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from judge_core.intake import read_paths
from judge_core.intake.artifacts import Part, make_artifact, settle
from judge_core.intake.naming import brief, title_of
from judge_core.records.artifact import Artifact, FileProblem, Reading
from judge_core.records.errors import InputError
from judge_core.scoring.counting import is_blank

Texts = Mapping[str, str] | Sequence[str | Path | Artifact]
"""Texts by id; or a list whose strings are texts, and whose paths are files or folders to be read."""


def read_texts(texts: Texts) -> Reading:
    """The texts as artifacts. InputError where one is blank, or where a path brought nothing at all."""
    if isinstance(texts, str | Path | Artifact):
        raise InputError("Give several texts: a mapping of ids to texts, or a list.", field="texts")
    if isinstance(texts, Mapping):
        return settle([_artifact(str(id), text) for id, text in texts.items()])
    artifacts: list[Artifact] = []
    problems: list[FileProblem] = []
    for number, item in enumerate(texts, start=1):
        if isinstance(item, Path):
            reading = read_paths([item])
            if not reading.artifacts:
                message = reading.problems[0].message if reading.problems else "There is nothing in it."
                raise InputError(f"{brief(item.name)} brought no text. {message}", field="texts")
            artifacts += reading.artifacts
            problems += reading.problems
        else:
            artifacts.append(item if isinstance(item, Artifact) else _artifact(f"text-{number:03d}", item))
    settled = settle(artifacts)
    return settled.model_copy(update={"problems": (*problems, *settled.problems)})


def _artifact(id: str, text: str) -> Artifact:
    if not isinstance(text, str) or is_blank(text):
        raise InputError(f"The text {brief(id)} is empty. Leave it out, or give its words.", field="texts")
    return make_artifact(Part(id=id, title=title_of(id), text=text, source="library"))
