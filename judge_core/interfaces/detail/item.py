"""One item, opened: its parts, and for each judge the exact prompts, the raw replies, and what was read out of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from judge_core.interfaces.bench.cook import PromptCook
from judge_core.interfaces.detail.exchanges import Sent, all_sent, sent, stored_words
from judge_core.modes.shown.said import Said, said
from judge_core.records.errors import InputError
from judge_core.records.event import ItemJudged, Stored
from judge_core.records.item import Item, ItemPart
from judge_core.records.record import Record
from judge_core.records.spec import ItemSpec

if TYPE_CHECKING:
    from judge_core.interfaces.workbench import Workbench


class ItemExchange(Record):
    """One prompt about an item, its reply as it came, and what it says."""

    sent: Sent
    said: Said | None = None
    """None where no reply came, or it was erased."""


class ItemDetail(Record):
    """An item with everything behind its verdicts. Retries follow the first asking."""

    item: Item
    words: dict[str, str]
    """By content hash; without those that were erased."""
    events: tuple[ItemJudged, ...]
    exchanges: tuple[ItemExchange, ...]

    def text(self, part: ItemPart) -> str | None:
        """A part's words; None where they were erased."""
        return self.words.get(part.sha256)


def item_detail(bench: Workbench, run: str, alias: str) -> ItemDetail:
    """The item of that alias; InputError where there is none. Before it is judged it has no events and no exchanges."""
    spec = bench.journal.row(run).items
    item = spec.by_alias.get(alias)
    if item is None:
        raise InputError(f"There is no item {alias[:40]!r} in this run.", field="item")
    events = tuple(event for event in _judged(bench.journal.events(run)) if event.item == alias)
    words = stored_words(bench, {part.sha256 for part in item.parts})
    cook = PromptCook(spec, bench.journal.secret(run), words)
    exchanges: list[ItemExchange] = []
    for event in events:
        received = bench.journal.completions(run, from_place=event.place, to_place=event.place)
        replies = {turn: reply for (_, turn), reply in received.items()}
        for one in sent(spec, event, cook, replies, words):
            exchanges.append(ItemExchange(sent=one, said=_said(one, spec, words)))
    return ItemDetail(item=item, words=words, events=events, exchanges=tuple(exchanges))


def all_said(bench: Workbench, run: str) -> dict[tuple[int, int, int], str]:
    """What every readable reply of a run said, by (place, judge, turn), as plain text; erased replies are left out."""
    spec = bench.journal.row(run).items
    texts = {}
    for one in all_sent(bench, run, bench.journal.events(run), bench.journal.completions(run)):
        found = _said(one, spec, {})
        if found is not None and found.error is None:
            texts[one.place, one.judge, one.turn.turn] = found.text
    return texts


def _said(one: Sent, spec: ItemSpec, words: Mapping[str, str]) -> Said | None:
    if not one.reply or one.received is None:
        return None
    if one.turn.status == "unparseable":  # what the run refused is not read a second time, and perhaps otherwise
        return Said(error=one.turn.error)
    return said(one.ask, one.reply, one.received.completion.finish_reason, spec, words)


def _judged(events: Sequence[Stored]) -> Iterator[ItemJudged]:
    return (stored.event for stored in events if isinstance(stored.event, ItemJudged))
