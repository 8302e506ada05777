"""From a piece of text to an artifact: cleaned of what no text holds, counted, hashed, scanned; ids made unique."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from typing import NamedTuple

from pydantic import Field

from judge_core.intake.naming import brief, same_look
from judge_core.intake.options import ReadOptions
from judge_core.records.artifact import Artifact, FileProblem, Reading
from judge_core.records.errors import InputError
from judge_core.records.record import Notice, Record, text_hash
from judge_core.scoring.counting import count_characters, count_words
from judge_core.scoring.signals import scan_text

NAMED = 3
"""How many other texts a message names at most."""
CONTROLS = re.compile("[\0-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]")
"""Control characters other than tabs, line ends and page breaks."""
_SURROGATE = re.compile("[\ud800-\udfff]")
_LONE = re.compile("(?<![\ud800-\udbff])[\udc00-\udfff]|[\ud800-\udbff](?![\udc00-\udfff])")


class Part(Record):
    """One text as a format brought it, before it is counted and hashed."""

    id: str
    title: str
    text: str
    source: str
    encoding: str | None = None
    guesses: dict[str, str] = Field(default_factory=dict)
    columns: dict[str, str] = Field(default_factory=dict)
    notices: tuple[Notice, ...] = ()


class Remark(NamedTuple):
    """What is to say of a file, an entry or a row."""

    message: str
    lost: bool = False
    """Whether something that was given is left out."""


def without_controls(text: str) -> tuple[str, tuple[Notice, ...]]:
    """The text without control characters, and a notice with their number where there were any.

    >>> without_controls("a\\0b\\x1bc")[0], without_controls("a\\tb\\n")
    ('abc', ('a\\tb\\n', ()))
    """
    clean, count = CONTROLS.subn("", text)
    if not count:
        return text, ()
    plural = "" if count == 1 else "s"
    return clean, (Notice(code="nul_removed", message=f"{count} invisible control character{plural} removed."),)


def unbroken(text: str) -> str:
    """The text that can be sent: halves of characters (lone surrogates) become U+FFFD.

    >>> unbroken("a\\ud800b")
    'a\\ufffdb'
    """
    if _SURROGATE.search(text) is None:
        return text
    return _LONE.sub("\ufffd", text).encode("utf-16-le", "surrogatepass").decode("utf-16-le")


def even_lines(text: str) -> str:
    """The text with `\\n` as its only line end, and without a leading byte order mark."""
    return text.replace("\r\n", "\n").replace("\r", "\n").lstrip("\ufeff")


def too_long(name: str, text: str, options: ReadOptions) -> str:
    """What to say of a text that is longer than any that is read; empty for any other."""
    if len(text) <= options.max_characters:
        return ""
    return f"{brief(name)} has {len(text):,} characters; at most {options.max_characters:,} are read as one text."


def make_artifact(part: Part) -> Artifact:
    """The artifact of a part: line ends are `\\n`, control characters are gone, all else stands as it was."""
    text, notices = without_controls(even_lines(unbroken(part.text)))
    return Artifact(
        id=part.id,
        title=part.title,
        text=text,
        sha256=text_hash(text),
        words=count_words(text),
        characters=count_characters(text),
        source=part.source,
        encoding=part.encoding,
        guesses=part.guesses,
        columns=part.columns,
        warnings=(*part.notices, *notices, *scan_text(text)),
    )


def check_nothing_lost(problems: Sequence[FileProblem]) -> None:
    """InputError naming the first of what is not judged: at a gate, what was left out must not count as passed."""
    lost = [problem for problem in problems if problem.lost]
    if not lost:
        return
    rest = f" {len(lost)} such things in all; podium inspect names them." if len(lost) > 1 else ""
    raise InputError(
        f"{lost[0].file!r} was not read in full, so the gate cannot let it pass. {lost[0].message}{rest} "
        "Mend it or take it out.",
        field="texts",
    )


def settle(artifacts: Sequence[Artifact], problems: Sequence[FileProblem] = ()) -> Reading:
    """All that was read, with unique ids, and with a warning at each repeated id and repeated text."""
    unique, renamed = _unique_ids(artifacts)
    looks, alike = _warn_of_looks(unique)
    return Reading(artifacts=tuple(_warn_of_copies(looks)), problems=(*problems, *renamed, *alike))


def beside(artifacts: Sequence[Artifact], ids: Collection[str]) -> list[Artifact]:
    """The artifacts with ids that are none of those given: one whose id is there already gets the next free number."""
    present, taken = set(ids), {*ids, *(artifact.id for artifact in artifacts)}
    result = []
    for artifact in artifacts:
        if artifact.id in present:
            new = _free_id(artifact.id, 2, taken)
            message = f"The id {brief(artifact.id)} is in use already; this one is now {brief(new)}."
            artifact = _numbered(artifact, new, message)
        present.add(artifact.id)
        result.append(artifact)
    return result


def came_as(id: str, given: str) -> bool:
    """Whether a text of this id may have come under the id given: the same, or numbered since it was in use.

    >>> came_as("a.txt (2)", "a.txt"), came_as("b.txt", "a.txt")
    (True, False)
    """
    return id == given or re.fullmatch(r" \([1-9][0-9]*\)", id.removeprefix(given)) is not None


def _warned(artifact: Artifact, code: str, message: str) -> Artifact:
    return artifact.model_copy(update={"warnings": (*artifact.warnings, Notice(code=code, message=message))})


def _unique_ids(artifacts: Sequence[Artifact]) -> tuple[list[Artifact], list[FileProblem]]:
    """The first of an id keeps it; the others get the next free number, even where such a name was given."""
    taken = {artifact.id for artifact in artifacts}
    count = Counter(artifact.id for artifact in artifacts)
    used: Counter[str] = Counter()
    result: list[Artifact] = []
    problems: list[FileProblem] = []
    for artifact in artifacts:
        used[artifact.id] += 1
        if used[artifact.id] == 1:
            result.append(artifact)
            continue
        new = _free_id(artifact.id, max(used[artifact.id], 2), taken)
        message = f"The id {brief(artifact.id)} came {count[artifact.id]} times; this one is now {brief(new)}."
        result.append(_numbered(artifact, new, message))
        problems.append(FileProblem(file=artifact.source, message=message))
    return result, problems


def _numbered(artifact: Artifact, id: str, message: str) -> Artifact:
    title = f"{artifact.title}{id.removeprefix(artifact.id)}"
    return _warned(artifact.model_copy(update={"id": id, "title": title}), "duplicate_id", message)


def _free_id(id: str, number: int, taken: set[str]) -> str:
    while f"{id} ({number})" in taken:
        number += 1
    taken.add(f"{id} ({number})")
    return f"{id} ({number})"


def _warn_of_looks(artifacts: Sequence[Artifact]) -> tuple[list[Artifact], list[FileProblem]]:
    """Ids that differ only in how they are stored look the same on screen: both stay, and it is said."""
    groups: dict[str, list[Artifact]] = defaultdict(list)
    for artifact in artifacts:
        groups[same_look(artifact.id)].append(artifact)
    alike = {look: group for look, group in groups.items() if len(group) > 1}
    message = "The id {} looks the same as another one but is stored differently; both were kept."
    result = [
        _warned(a, "duplicate_id", message.format(brief(a.id))) if same_look(a.id) in alike else a for a in artifacts
    ]
    firsts = [group[0] for group in alike.values()]
    return result, [FileProblem(file=a.source, message=message.format(brief(a.id))) for a in firsts]


def _warn_of_copies(artifacts: Sequence[Artifact]) -> list[Artifact]:
    """Texts that differ at most in blanks around them are told of each other; all stay."""
    keys = [text_hash(artifact.text.strip()) for artifact in artifacts]
    groups: dict[str, list[str]] = defaultdict(list)
    for artifact, key in zip(artifacts, keys, strict=True):
        groups[key].append(artifact.id)
    return [
        _warned(artifact, "duplicate_text", _copies(artifact.id, groups[key])) if len(groups[key]) > 1 else artifact
        for artifact, key in zip(artifacts, keys, strict=True)
    ]


def _copies(own: str, group: Sequence[str]) -> str:
    others = [brief(id) for id in group[: NAMED + 1] if id != own][:NAMED]
    left = len(group) - 1 - len(others)
    more = f" and {left} more" if left else ""
    return f"The same text came as {', '.join(others)}{more}."
