"""Retrieval answers from files: a question, an answer, the passages retrieved for it, and what else is known of them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from judge_core.intake.formats.tables import heading_key
from judge_core.intake.items.item_parts import (
    Found,
    MadePart,
    find,
    id_in,
    make_part,
    numbered,
    plain_text,
    settle_items,
    text_in,
    title_for,
)
from judge_core.intake.items.item_rows import Row, kind_of, read_rows
from judge_core.intake.items.json_values import decoded
from judge_core.intake.naming import base_name, brief, shown, without_guard
from judge_core.intake.options import ReadOptions
from judge_core.records.artifact import FileProblem
from judge_core.records.errors import InputError
from judge_core.records.item import ItemReading, PartRole, ReadItem

Field = Literal["id", "title", "question", "answer", "passages", "claims", "reference", "author"]
SPELLINGS: dict[Field, tuple[str, ...]] = {
    "id": ("id", "item id", "example id", "question id", "query id", "qid", "uuid", "key"),
    "title": ("title",),
    "question": ("question", "query", "user input", "user query", "user question"),
    "answer": ("answer", "response", "generated answer", "model answer", "actual output", "completion"),
    "passages": (
        "passages", "passage", "contexts", "context", "retrieved contexts", "retrieval context", "retrieved passages",
        "retrieved documents", "documents", "docs", "chunks",
    ),
    "claims": ("claims", "claim", "statements"),
    "reference": (
        "reference", "reference answer", "ground truth", "ground truth answer", "expected answer", "expected output",
        "gold answer", "ideal answer",
    ),
    "author": ("author", "model", "system", "model name", "generator"),
}  # fmt: skip
"""The names under which a field is taken, in the order of preference; case, spaces, _ and - do not matter."""
NUMBERED: dict[PartRole, tuple[str, ...]] = {
    "passage": ("passage", "context", "retrieved context", "document", "chunk"),
    "claim": ("claim",),
}
"""The names of columns that are numbered: passage_1, passage_2, ..."""
TEXT_SPELLINGS = ("text", "content", "page content", "passage", "claim", "body")
ID_SPELLINGS = ("id", "passage id", "claim id", "doc id", "document id", "chunk id")
MOST = 200
"""Passages, and claims, of one item."""
_REMEDIES: dict[Field, str] = {
    "question": "Add a field 'question' with the question that was asked.",
    "answer": "Add a field 'answer' with the answer that is to be judged.",
    "passages": "Add a field 'passages' with a list of the passages retrieved; [] where nothing was found.",
}
_LABELS: dict[PartRole, str] = {"question": "QUESTION", "answer": "ANSWER", "reference": "REFERENCE ANSWER"}
_LIST_CELL = re.compile(r"""\s*\[\s*(?:["'{]|\])""")
_TEMPLATE: tuple[dict[str, object], ...] = (
    {
        "id": "q1",
        "question": "When does the town library open on Saturdays?",
        "answer": "It opens at ten on Saturdays and closes at four.",
        "passages": ["The library is open from 10 to 16 on Saturdays.", "On Sundays the library is closed."],
        "reference": "On Saturdays it is open from 10 to 16.",
        "model": "my-assistant-1",
    },
    {
        "id": "q2",
        "question": "May dogs come in?",
        "answer": "Dogs are allowed on a lead.",
        "passages": [{"id": "rules-3", "text": "Animals stay outside, guide dogs excepted."}],
        "claims": ["Dogs are allowed in the library on a lead."],
    },
)
RAG_FORMAT = """\
One item a row: a JSON object on each line (.jsonl), a list of objects (.json), or a table (.csv, .xlsx).

question    required  the question that was asked                      also: query, user_input
answer      required  the answer that is to be judged                  also: response, generated_answer, actual_output
passages    required  what was retrieved, best first: a list of texts, also: contexts, retrieved_contexts, documents,
                      or of {"id", "text"}; [] where nothing was       chunks; in a table columns passage_1, passage_2 ...
claims      optional  the answer's claims, where they are known:       also: statements; in a table claim_1, claim_2 ...
                      a list of texts, or of {"text"}
reference   optional  an answer known to be good                       also: ground_truth, expected_output, gold_answer
id          optional  your name for the item                           also: example_id, question_id
model       optional  who wrote the answer; never shown to a judge     also: system, author

In a table, passages and claims may also stand in one cell as a JSON list. Other single values are kept for the export,
lists and objects are not; none of them is shown to a judge."""
"""The format as pages and the command line's help explain it."""


def rag_template() -> bytes:
    """A small file to start from: JSON lines, UTF-8."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in _TEMPLATE).encode()


def read_rag_files(
    files: Sequence[tuple[str, bytes]],
    options: ReadOptions = ReadOptions(),  # noqa: B008
) -> ItemReading:
    """The items of files given as (name, content), in their order; never raises for any content or name.

    A row with a fault is named with its file, line, field and remedy, and left out; the others are kept.
    """
    items: list[tuple[str, ReadItem]] = []
    problems: list[FileProblem] = []
    for name, data in files:
        label = base_name(name)
        rows = read_rows(name, data, options)
        problems += rows.problems
        dropped: dict[str, None] = {}
        for row in rows.rows:
            try:
                items.append((label, _item(label, row)))
            except InputError as error:
                message = f"{row.place}: {error} The row was left out."
                problems.append(FileProblem(file=label, message=message, lost=True))
            dropped.update(dict.fromkeys(_nested(row.value)))
        if dropped:
            problems.append(FileProblem(file=label, message=_not_kept(list(dropped))))
    return settle_items(items, problems, options.max_texts)


def _not_kept(names: Sequence[str]) -> str:
    more = f" and {len(names) - 5} more" if len(names) > 5 else ""
    return f"Fields that hold lists or objects are not kept for the export: {', '.join(map(brief, names[:5]))}{more}."


def _item(label: str, row: Row) -> ReadItem:
    """Raises InputError where the row is no item."""
    made = list(_parts(row.value))
    question = made[0].part.text
    title = plain_text(_first(row.value, "title"))
    return ReadItem(
        id=without_guard(id_in(find(row.value, SPELLINGS["id"]))) or f"{label} {row.place.lower()}",
        title=title_for(title or question),
        parts=tuple(each.part for each in made),
        author=shown(plain_text(_first(row.value, "author")) or "").strip(),
        columns=_columns(row.value),
        warnings=(*row.notices, *(notice for each in made for notice in each.warnings)),
    )


def _first(value: Mapping[str, object], field: Field) -> object:
    found = find(value, SPELLINGS[field])
    return found[0].value if found else None


def _parts(value: Mapping[str, object]) -> Iterator[MadePart]:
    """The parts in the order question, answer, passages, claims, reference."""
    for role in ("question", "answer"):
        yield make_part(role, _LABELS[role], text_in(_required(value, role)))
    yield from _list_parts(value, "passages", "passage")
    yield from _list_parts(value, "claims", "claim")
    reference = _only(value, "reference")
    if reference and not (isinstance(reference.value, str) and not reference.value.strip()):
        yield make_part("reference", _LABELS["reference"], text_in(reference))


def _required(value: Mapping[str, object], field: Field) -> Found:
    found = _only(value, field)
    if found is None:
        raise InputError(f"There is no {field}. {_REMEDIES[field]}", field=field)
    return found


def _only(value: Mapping[str, object], field: Field) -> Found | None:
    """The field under any of its names. Raises InputError where two of them say different things."""
    found = find(value, SPELLINGS[field])
    other = next((each for each in found[1:] if each.value != found[0].value), None)
    if other:
        raise InputError(
            f"Both {brief(found[0].name)} and {brief(other.name)} could be the {field}. Keep one, and name the other otherwise.",
            field=field,
        )
    return found[0] if found else None


def _list_parts(value: Mapping[str, object], field: Field, role: PartRole) -> Iterator[MadePart]:
    """The passages or claims: from a list, from a cell, or from numbered columns."""
    columns = numbered(value, NUMBERED[role])
    listed = _only(value, field)
    if listed and columns:
        raise InputError(
            f"There are both {brief(listed.name)} and {brief(columns[0].name)}. Keep one of them.", field=field
        )
    if not listed and not columns:
        if field in _REMEDIES:
            raise InputError(f"There are no {field}. {_REMEDIES[field]}", field=field)
        return
    pieces = _pieces(listed) if listed else columns
    if len(pieces) > MOST:
        raise InputError(
            f"There are {len(pieces)} {field}; at most {MOST} are read. Keep the first of them.", field=field
        )
    for number, piece in enumerate(pieces, start=1):
        name, words = _named_text(piece)
        yield make_part(role, f"{role.upper()} {number}", words, name)


def _pieces(listed: Found) -> list[Found]:
    """The entries of a list, each named as messages name it. A cell of a table may hold the list as JSON, or one text."""
    value = listed.value
    if isinstance(value, str) and _LIST_CELL.match(value):
        cell = decoded(value)
        if cell.fault or not isinstance(cell.value, list):
            raise InputError(
                f'{brief(listed.name)} looks like a list, but is no JSON. Write it as ["...", "..."], or use numbered columns.',
                field=listed.name,
            )
        value = cell.value
    if isinstance(value, str):
        return [Found(listed.name, value)]
    if not isinstance(value, list):
        raise InputError(f"{brief(listed.name)} is {kind_of(value)}; give a list of texts.", field=listed.name)
    return [Found(f"{listed.name}, entry {number}", entry) for number, entry in enumerate(value, start=1)]


def _named_text(piece: Found) -> tuple[str, str]:
    """Id ('' where there is none) and words of an entry: a text, or an object that holds one."""
    if not isinstance(piece.value, dict):
        return "", text_in(piece)
    texts = find(piece.value, TEXT_SPELLINGS)
    if not texts:
        raise InputError(f"{brief(piece.name)} is an object without a text; give it a field 'text'.", field=piece.name)
    words = text_in(Found(f"{piece.name}, {texts[0].name}", texts[0].value))
    return id_in(find(piece.value, ID_SPELLINGS)), words


def _taken(name: str) -> bool:
    """Whether a field's name is one of those that make up an item."""
    key = heading_key(name)
    numbers = re.sub(r" ?\d{1,6}$", "", key)
    return any(key in names for names in SPELLINGS.values()) or (
        numbers != key and any(numbers in names for names in NUMBERED.values())
    )


def _columns(value: Mapping[str, object]) -> dict[str, str]:
    """The other single values, for the export; a second id or author is one of them."""
    used = {found[0].name for field in SPELLINGS if (found := find(value, SPELLINGS[field]))}
    spare = {found.name for field in ("id", "author") for found in find(value, SPELLINGS[field])} - used
    plain = {shown(name): plain_text(item) for name, item in value.items() if name in spare or not _taken(name)}
    return {name: text for name, text in plain.items() if text is not None}


def _nested(value: Mapping[str, object]) -> Iterator[str]:
    """Other fields that hold lists or objects."""
    return (name for name, item in value.items() if isinstance(item, list | dict) and not _taken(name))
