"""What was entered for a job, as it will be judged: texts or items, what is to be said of them, and what is missing."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256

import streamlit as st

from judge_core.intake.artifacts import Part, make_artifact, settle, too_long
from judge_core.intake.items.agent_files import read_agent_files
from judge_core.intake.items.rag_files import read_rag_files
from judge_core.intake.naming import title_of
from judge_core.intake.options import ReadOptions
from judge_core.interfaces.bench.items import as_items, list_item, text_items, words_of
from judge_core.interfaces.dashboard.jobs.kinds import UPLOADED, JobName
from judge_core.interfaces.drafts import Draft
from judge_core.interfaces.drafts.records import ItemFile, Words
from judge_core.interfaces.workbench import Workbench
from judge_core.records.artifact import Artifact, FileProblem
from judge_core.records.errors import StoreError
from judge_core.records.item import Item, ItemReading
from judge_core.records.record import Notice, Record, digest
from judge_core.scoring.counting import is_blank

READ = "jobs:read"
"""In the session: what was read last, without its words, and of what."""
TYPED = "Typed answer"
UNUSABLE = "Nothing in these files can be judged. The table of remarks says why, line by line."
FORM = {
    "question": "The answer that you typed has no question. Type the question that was asked.",
    "answer": "The question that you typed has no answer. Type the answer that is to be judged.",
    "passages": "The answer that you typed has no passages. Paste what it should rest on.",
}
"""The boxes of a typed answer, and what is said where one is empty and another is not."""


class Entered(Record):
    """What a job has to judge."""

    texts: tuple[Artifact, ...] = ()
    """Of a comparison: without their words."""
    items: tuple[Item, ...] = ()
    warnings: dict[str, tuple[Notice, ...]] = {}
    """By the item's alias."""
    problems: tuple[FileProblem, ...] = ()
    faults: tuple[str, ...] = ()
    """What keeps it from being judged."""


def entered(bench: Workbench, draft: Draft, job: JobName) -> Entered:
    """What was entered, read once for as long as it stays the same; the words of all of it are stored."""
    key = digest([job, draft.inputs.model_dump(mode="json"), [t.model_dump(mode="json") for t in draft.texts]])
    known: tuple[str, Entered] | None = st.session_state.get(READ)
    if known is not None and known[0] == key:
        return known[1]
    try:
        found = _read(bench, draft, job)
    except StoreError as error:  # erased meanwhile
        return Entered(faults=(str(error),))
    st.session_state[READ] = (key, found)
    return found


def _read(bench: Workbench, draft: Draft, job: JobName) -> Entered:
    if job == "compare":
        return _pair(bench, draft)
    if job in ("rag", "agent"):
        return _from_files(bench, draft, job)
    texts, faults = _texts(bench, draft, job)
    reference, wrong = boxed(bench, draft.inputs.reference, "The model answer", may_lack=True)
    if faults or wrong:
        return Entered(faults=(*faults, *wrong))
    if job == "list":
        return _kept(bench, ItemReading(items=(list_item(texts, "The list"),)))
    return _kept(bench, ItemReading(items=text_items(texts, reference[0].text if reference else "")))


def _pair(bench: Workbench, draft: Draft) -> Entered:
    sides = [boxed(bench, words, name) for words, name in ((draft.inputs.a, "Text A"), (draft.inputs.b, "Text B"))]
    faults = tuple(fault for _, found in sides for fault in found)
    if faults:
        return Entered(faults=faults)
    texts = settle([artifact for found, _ in sides for artifact in found]).artifacts
    bench.keep_texts(texts)
    return Entered(texts=tuple(artifact.model_copy(update={"text": ""}) for artifact in texts))


def _texts(bench: Workbench, draft: Draft, job: JobName) -> tuple[Sequence[Artifact], Sequence[str]]:
    if job not in UPLOADED:
        return boxed(bench, draft.inputs.one, "The text")
    if not draft.texts:
        return (), ("There are no texts yet. Drag in some files, or paste them.",)
    words = bench.archive.texts(text.artifact.sha256 for text in draft.texts)
    artifacts = [text.artifact for text in draft.texts]
    return [artifact.model_copy(update={"text": words[artifact.sha256]}) for artifact in artifacts], ()


def boxed(bench: Workbench, words: Words, name: str, *, may_lack: bool = False) -> tuple[list[Artifact], list[str]]:
    """The text of a box, or what is wrong with it."""
    text = bench.archive.text(words.sha256) if words.sha256 else ""
    if is_blank(text):
        return [], [] if may_lack else [f"{name} is empty. Paste or type it, or read it from a file."]
    if fault := too_long(name, text, ReadOptions()):
        return [], [fault]
    id = words.name or name
    title = title_of(words.name) if words.name else name
    return [make_artifact(Part(id=id, title=title, text=text, source=words.name or "pasted text"))], []


def _from_files(bench: Workbench, draft: Draft, job: JobName) -> Entered:
    rag = job == "rag"
    files = draft.inputs.rag_files if rag else draft.inputs.agent_files
    given = [(file.name, bench.archive.read(file.sha256)) for file in files]
    form = _form(bench, draft) if rag else {}
    missing = tuple(_form_faults(form))
    if form and not missing:
        given.append((f"{TYPED}.json", _form_row(form)))
    if not given:
        remedy = "type one answer in, or try the sample" if rag else "or try the sample"
        return Entered(faults=missing or (f"There is nothing to judge yet. Drag in a file, {remedy}.",))
    reading = read_rag_files(given) if rag else read_agent_files(given)
    if not reading.items:
        return Entered(problems=reading.problems, faults=(UNUSABLE, *missing))
    return _kept(bench, reading).model_copy(update={"faults": missing})


def _form(bench: Workbench, draft: Draft) -> dict[str, str]:
    """The answer that was typed, by field; empty where nothing was typed."""
    boxes: dict[str, Words] = {name: getattr(draft.inputs, name) for name in FORM}
    texts = {name: bench.archive.text(words.sha256) if words.sha256 else "" for name, words in boxes.items()}
    return {} if all(map(is_blank, texts.values())) else texts


def _form_faults(form: Mapping[str, str]) -> Iterator[str]:
    return (FORM[name] for name, text in form.items() if is_blank(text))


def _form_row(form: Mapping[str, str]) -> bytes:
    row = {"id": TYPED, "question": form["question"], "answer": form["answer"], "passages": pieces(form["passages"])}
    return json.dumps([row]).encode()


def pieces(text: str) -> list[str]:
    """The passages between lines of three hyphens, blank ones left out.

    >>> pieces("one\\n---\\n\\n---\\ntwo")
    ['one', 'two']
    """
    pieces: list[list[str]] = [[]]
    for line in text.splitlines():
        if line.strip() == "---":
            pieces.append([])
        else:
            pieces[-1].append(line)
    return [piece for lines in pieces if not is_blank(piece := "\n".join(lines).strip("\n"))]


def _kept(bench: Workbench, reading: ItemReading) -> Entered:
    """The items with their words stored."""
    bench.archive.keep(words_of(reading.items))
    items = as_items(reading.items)
    warnings = {item.alias: read.warnings for item, read in zip(items, reading.items, strict=True)}
    return Entered(items=items, warnings=warnings, problems=reading.problems)


def stored_file(bench: Workbench, name: str, data: bytes) -> ItemFile:
    """A file with its bytes stored."""
    hashed = sha256(data).hexdigest()
    bench.archive.keep({hashed: data})
    return ItemFile(name=name, sha256=hashed, size=len(data))
