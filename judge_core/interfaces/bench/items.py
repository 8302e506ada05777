"""Texts and files as the items of a run: their aliases, their words for the store, and what cannot be judged at all."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from judge_core.modes.agent.script import check_trajectory
from judge_core.modes.listwise.script import check_list
from judge_core.records.artifact import Artifact
from judge_core.records.errors import InputError
from judge_core.records.item import Item, ItemPart, PartRole, ReadItem, ReadPart
from judge_core.records.record import digest, text_hash
from judge_core.records.spec import ItemMode, ItemSpec
from judge_core.scoring.counting import count_words
from judge_core.scoring.habits.families import author_of

WANTED: dict[ItemMode, tuple[PartRole, ...]] = {
    "review": ("text",),
    "gate": ("text",),
    "listwise": ("candidate",),
    "rag": ("question", "answer"),
    "agent": ("goal", "step"),
}
"""What an item of a mode cannot do without."""


def text_items(artifacts: Sequence[Artifact], reference: str = "") -> tuple[ReadItem, ...]:
    """Texts as items to be reviewed, each against the reference answer where there is one."""
    model = (ReadPart(role="reference", text=reference),) if reference.strip() else ()
    return tuple(
        ReadItem(
            id=artifact.id,
            title=artifact.title,
            parts=(ReadPart(role="text", text=artifact.text), *model),
            author=author_of(artifact.columns) or "",
            columns=artifact.columns,
            warnings=artifact.warnings,
        )
        for artifact in artifacts
    )


def list_item(artifacts: Sequence[Artifact], title: str = "List") -> ReadItem:
    """Texts as one list of candidates."""
    notices = {(notice.code, notice.message): notice for artifact in artifacts for notice in artifact.warnings}
    parts = tuple(ReadPart(role="candidate", text=artifact.text, name=artifact.id) for artifact in artifacts)
    return ReadItem(id=title, title=title, parts=parts, warnings=tuple(notices.values()))


def as_items(read: Sequence[ReadItem]) -> tuple[Item, ...]:
    """What was read as items: I-001, I-002, ... in the order of their contents, listed in the order read."""
    keys = [_content(item) for item in read]
    width = max(3, len(str(len(read))))
    ranks = {at: n for n, at in enumerate(sorted(range(len(read)), key=lambda at: (keys[at], read[at].id)), start=1)}
    return tuple(_item(item, f"I-{ranks[at]:0{width}d}") for at, item in enumerate(read))


def words_of(read: Iterable[ReadItem]) -> dict[str, bytes]:
    """The words of all parts by content hash, as the store keeps them."""
    return {text_hash(part.text): part.text.encode("utf-8", "surrogatepass") for item in read for part in item.parts}


def check_items(spec: ItemSpec) -> None:
    """Refuses items that the mode cannot judge: InputError naming the item and the remedy."""
    for item in spec.items:
        for role in WANTED[spec.mode]:
            if not item.of(role):
                raise InputError(f"{item.id!r} has no {role}, which {spec.mode} needs.", field="items")
        if spec.mode == "listwise":
            check_list(item)
        elif spec.mode == "agent":
            check_trajectory(item)


def _content(item: ReadItem) -> str:
    return digest([[part.role, text_hash(part.text)] for part in item.parts])


def _item(read: ReadItem, alias: str) -> Item:
    parts = tuple(
        ItemPart(
            role=part.role,
            sha256=text_hash(part.text),
            words=count_words(part.text),
            characters=len(part.text),
            name=part.name,
            call=part.call,
        )
        for part in read.parts
    )
    return Item(
        alias=alias,
        id=read.id,
        title=read.title,
        parts=parts,
        author=read.author,
        columns=read.columns,
        notices=tuple(dict.fromkeys(notice.code for notice in read.warnings)),
        patterns=read.patterns,
        success=read.success,
        trial=read.trial,
    )
