"""A ranked list, or a text scored by itself, opened: for each judge the exact prompt, the raw reply, and what it says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from judge_core.interfaces.bench.cook import PromptCook
from judge_core.interfaces.detail.exchanges import Sent, sent, shown_in, stored_words
from judge_core.modes.shown.said import Said, said
from judge_core.records.errors import InputError
from judge_core.records.event import GroupJudged, TextScored
from judge_core.records.item import Item, ItemPart
from judge_core.records.record import Record
from judge_core.records.spec import ItemMode, ItemSpec, RunSpec, Spec

if TYPE_CHECKING:
    from judge_core.interfaces.workbench import Workbench


class ListingExchange(Record):
    """One prompt about a listing, its reply as it came, and what it says."""

    sent: Sent
    said: Said | None = None
    """None where no reply came, or it was erased."""


class ListingDetail(Record):
    """A listing with everything behind its verdicts. Retries follow the first asking."""

    texts: tuple[str, ...]
    """Aliases in the order shown."""
    words: dict[str, str]
    """By alias; without those that were erased."""
    exchanges: tuple[ListingExchange, ...]


def listing_detail(bench: Workbench, run: str, place: int) -> ListingDetail:
    """The list, or single text, that was asked at `place`, with its retries; InputError where none was."""
    state = bench.state(run)
    view = state.listing(place)
    if view is None:
        raise InputError(f"Nothing but a match, if anything, was judged at place {place} of this run.", field="match")
    spec, secret = state.spec, bench.journal.secret(run)
    exchanges: list[ListingExchange] = []
    words = stored_words(bench, (spec.text(alias).sha256 for alias in view.texts))
    for stored in bench.journal.events(run):
        event = stored.event
        if isinstance(event, GroupJudged | TextScored) and _key(event) == (view.round, view.texts):
            received = bench.journal.completions(run, from_place=event.place, to_place=event.place)
            replies = {turn: reply for (_, turn), reply in received.items()}
            cook = PromptCook(spec, secret, stored_words(bench, shown_in(spec, event)))
            exchanges += _opened(sent(spec, event, cook, replies, words), as_items(spec, view.texts), words)
    by_alias = {alias: words[sha] for alias in view.texts if (sha := spec.text(alias).sha256) in words}
    return ListingDetail(texts=view.texts, words=by_alias, exchanges=tuple(exchanges))


def as_items(spec: Spec, texts: Sequence[str]) -> ItemSpec:
    """The spec of an item whose parts are these texts, as a reply about it is read."""
    role = "text" if len(texts) == 1 else "candidate"
    refs = [spec.text(alias) for alias in texts]
    parts = [ItemPart(role=role, sha256=ref.sha256, words=ref.words, characters=ref.characters) for ref in refs]
    item = Item(alias="+".join(texts), id="", title="", parts=tuple(parts))
    mode: ItemMode = "review" if len(texts) == 1 else "listwise"
    shared = {name: getattr(spec, name) for name in RunSpec.model_fields}
    return ItemSpec.model_construct(mode=mode, items=(item,), both_orders=False, **shared)


def _key(event: GroupJudged | TextScored) -> tuple[int, tuple[str, ...]]:
    return event.round, event.texts if isinstance(event, GroupJudged) else (event.text,)


def _opened(found: Iterator[Sent], spec: ItemSpec, words: Mapping[str, str]) -> Iterator[ListingExchange]:
    for one in found:
        yield ListingExchange(sent=one, said=_said(one, spec, words))


def _said(one: Sent, spec: ItemSpec, words: Mapping[str, str]) -> Said | None:
    if not one.reply or one.received is None:
        return None
    if one.turn.status == "unparseable":  # what the run refused is not read a second time, and perhaps otherwise
        return Said(error=one.turn.error)
    return said(one.ask, one.reply, one.received.completion.finish_reason, spec, words)
