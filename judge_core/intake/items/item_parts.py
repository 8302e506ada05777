"""From the fields of a row to an item's parts: cleaned, scanned, and named in every warning; ids made unique."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from typing import NamedTuple

from judge_core.intake.artifacts import even_lines, too_long, unbroken, without_controls
from judge_core.intake.formats.tables import heading_key
from judge_core.intake.items.item_rows import kind_of
from judge_core.intake.naming import brief, shown
from judge_core.intake.options import ReadOptions
from judge_core.records.artifact import FileProblem
from judge_core.records.errors import InputError
from judge_core.records.item import ItemReading, PartRole, ReadItem, ReadPart
from judge_core.records.record import Notice, canonical_json
from judge_core.scoring.counting import is_blank
from judge_core.scoring.signals import scan_text

LONGEST_TITLE = 80


class Found(NamedTuple):
    """A field of a row, under the name that the file gives it."""

    name: str
    value: object


class MadePart(NamedTuple):
    part: ReadPart
    warnings: tuple[Notice, ...]


def find(row: Mapping[str, object], spellings: Sequence[str]) -> list[Found]:
    """The fields of a row that have one of the spellings (case, spaces, _ and - aside) and are not null, best first.

    >>> find({"Ground-Truth": "42", "id": 7}, ["reference", "ground truth"])
    [Found(name='Ground-Truth', value='42')]
    """
    keys = [(heading_key(name), Found(name, value)) for name, value in row.items() if value is not None]
    return [found for spelling in spellings for key, found in keys if key == spelling]


def numbered(row: Mapping[str, object], spellings: Sequence[str]) -> list[Found]:
    """The fields named by a spelling and a number (`passage_1`), in the order of their numbers.

    >>> [found.name for found in numbered({"passage_2": "b", "Passage 1": "a", "passage": "c"}, ["passage"])]
    ['Passage 1', 'passage_2']
    """
    pattern = re.compile(rf"(?:{'|'.join(map(re.escape, spellings))}) ?(\d{{1,6}})")
    keys = [(pattern.fullmatch(heading_key(name)), Found(name, value)) for name, value in row.items()]
    matched = [(int(match[1]), found) for match, found in keys if match and found.value is not None]
    return [found for _, found in sorted(matched, key=lambda each: each[0])]


def text_in(found: Found) -> str:
    """The words of a field. Raises InputError, with the field, the value's kind and the remedy, where it has none."""
    if not isinstance(found.value, str):
        raise InputError(
            f"{brief(found.name)} is {kind_of(found.value)}; give a text in quotation marks.", field=found.name
        )
    if is_blank(found.value):
        raise InputError(f"{brief(found.name)} is empty; give its text.", field=found.name)
    return found.value


def make_part(role: PartRole, label: str, text: str, name: str = "", *, call: bool = False) -> MadePart:
    """A part with the warnings about its words, each beginning with its label ('PASSAGE 3').

    Raises InputError where it is longer than any text that is read.
    """
    clean, notices = without_controls(even_lines(unbroken(text)))
    long = too_long(label, clean, ReadOptions())
    if long:
        raise InputError(f"{long} Split or shorten it.", field=label)
    warnings = tuple(
        Notice(code=notice.code, message=f"{label}: {notice.message}") for notice in (*notices, *scan_text(clean))
    )
    return MadePart(ReadPart(role=role, text=clean, name=shown(name), call=call), warnings)


def plain_text(value: object) -> str | None:
    """A single value as a cell of the export; None for null, lists and objects.

    >>> plain_text("x"), plain_text(2.5), plain_text(True), plain_text([1])
    ('x', '2.5', 'true', None)
    """
    if isinstance(value, str):
        return value
    return canonical_json(value) if isinstance(value, bool | int | float) else None


def id_in(found: Sequence[Found]) -> str:
    """The id of a row; '' where it gives none. Raises InputError where it is no text or number."""
    if not found:
        return ""
    value = found[0].value
    if not isinstance(value, str | int | float) or isinstance(value, bool):
        raise InputError(f"{brief(found[0].name)} is {kind_of(value)}; give a text or a number.", field=found[0].name)
    return shown(str(value)).strip()


def title_for(text: str) -> str:
    """The beginning of a text in one line, for people.

    >>> title_for("Why is the sky\\nblue?")
    'Why is the sky blue?'
    """
    line = " ".join(shown(text[: 4 * LONGEST_TITLE]).split())
    return line if len(line) <= LONGEST_TITLE else f"{line[: LONGEST_TITLE - 1].rstrip()}…"


def settle_items(items: Sequence[tuple[str, ReadItem]], problems: Sequence[FileProblem], most: int) -> ItemReading:
    """All that was read, each item given with its file: ids unique, no more than `most` items."""
    left = len(items) - most
    over = [FileProblem(file=items[most][0], message=_surplus(most, left), lost=True)] if left > 0 else []
    kept, renamed = _unique(items[:most])
    return ItemReading(items=tuple(kept), problems=(*problems, *renamed, *over))


def _surplus(most: int, left: int) -> str:
    return f"At most {most:,} items are read at once; {left:,} were left out, from this file on. Judge them apart."


def _unique(items: Sequence[tuple[str, ReadItem]]) -> tuple[list[ReadItem], list[FileProblem]]:
    """The first of an id keeps it; the others get the next free number."""
    count = Counter(item.id for _, item in items)
    numbers = {id: _free_numbers(id, count) for id in count}
    seen: set[str] = set()
    result, problems = [], []
    for file, item in items:
        if item.id not in seen:
            seen.add(item.id)
            result.append(item)
            continue
        new = f"{item.id} ({next(numbers[item.id])})"
        message = f"The id {brief(item.id)} came {count[item.id]} times; this one is now {brief(new)}."
        notice = Notice(code="duplicate_id", message=message)
        result.append(item.model_copy(update={"id": new, "warnings": (*item.warnings, notice)}))
        problems.append(FileProblem(file=file, message=message))
    return result, problems


def _free_numbers(id: str, taken: Container[str]) -> Iterator[int]:
    number = 2
    while True:
        if f"{id} ({number})" not in taken:
            yield number
        number += 1
