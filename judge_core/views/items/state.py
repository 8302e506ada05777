"""The fold of a run that judges items: events in, state out. A live page folds only the new events; the result is the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Literal

from judge_core.records.errors import StoreError
from judge_core.records.event import Event, ItemJudged, RunStatus, Stored
from judge_core.records.item import Item
from judge_core.records.item_verdict import ItemJudgment
from judge_core.records.retries import counting
from judge_core.records.spec import ItemSpec
from judge_core.views.folding import Folded, Folding

ItemClass = Literal["judged", "unparseable", "failed", "held", "cancelled", "waiting"]
"""What became of an item before one judge: every planned judgment is exactly one of them."""
ITEM_LEDGER: tuple[ItemClass, ...] = ("judged", "unparseable", "failed", "held", "cancelled", "waiting")
ItemStatus = Literal["judged", "partly judged", "no verdict", "held", "cancelled", "waiting"]
"""How far an item is: by the whole panel, by a part of it, by none that could be read or reached, or not asked."""
_UNASKED: dict[RunStatus, Literal["held", "cancelled"]] = {"budget": "held", "cancelled": "cancelled"}


@dataclass(frozen=True, slots=True)
class ItemView:
    """One item with the judgments that count, one a judge, retries already taken in."""

    place: int
    """The first place at which it was asked."""
    alias: str
    judgments: tuple[ItemJudgment, ...]
    """In the panel's order."""
    places: tuple[int, ...]
    """Where each judgment was made: the raw replies of `judgments[i]` are kept under `places[i]`."""
    replicate: int = 0
    """The highest one asked: how many times it was judged again."""
    replaced: tuple[tuple[int, ItemJudgment], ...] = ()
    """Attempts, with their places, that count no more."""

    @property
    def decided(self) -> tuple[ItemJudgment, ...]:
        """The judgments that carry a verdict."""
        return tuple(judgment for judgment in self.judgments if judgment.decided)

    @property
    def retryable(self) -> bool:
        """Whether a retry would ask for it again: a judge still owes its verdict."""
        return any(not judgment.decided for judgment in self.judgments)


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemState(Folded):
    """All that the events say about a run that judges items. Never changed: `extended` gives a new one."""

    spec: ItemSpec
    items: Mapping[str, ItemView] = field(default_factory=dict)
    """By alias, in the order first judged."""
    by_place: Mapping[int, str] = field(default_factory=dict)
    """Each place, those of retries included -> the alias of its item."""
    outcomes: Mapping[tuple[int, ItemClass], int] = field(default_factory=dict)
    """(judge, class) -> judgments that count."""

    def extended(self, events: Iterable[Stored]) -> ItemState:
        """The state after further events; those already folded are passed over. StoreError where one is missing."""
        folding = _Folding(self)
        for stored in events:
            folding.take(stored)
        return folding.state()

    def item(self, place: int) -> ItemView | None:
        """The item asked at a place, be it its first asking or a retry; None where none was judged there."""
        return self.items.get(self.by_place.get(place, ""))

    def item_status(self, alias: str) -> ItemStatus:
        """How far an item is."""
        view = self.items.get(alias)
        if view is None:
            return _UNASKED.get(self.status, "waiting")
        if not view.decided:
            return "no verdict"
        return "judged" if len(view.decided) == len(self.spec.judges) else "partly judged"

    @property
    def planned_judgments(self) -> int:
        """Each item by each judge."""
        return len(self.spec.items) * len(self.spec.judges)

    @property
    def ledger(self) -> dict[ItemClass, int]:
        """Judgments by class, in the fixed order of the six classes; they sum to `planned_judgments`."""
        counts: Counter[ItemClass] = Counter()
        for (_, outcome), number in self.outcomes.items():
            counts[outcome] += number
        counts[_UNASKED.get(self.status, "waiting")] += self.planned_judgments - counts.total()
        return {outcome: counts[outcome] for outcome in ITEM_LEDGER}

    def judge_ledger(self, judge: int) -> dict[ItemClass, int]:
        """One judge's judgments by class; they sum to the number of items."""
        made = {outcome: self.outcomes.get((judge, outcome), 0) for outcome in ITEM_LEDGER}
        made[_UNASKED.get(self.status, "waiting")] += len(self.spec.items) - sum(made.values())
        return made


def fold_items(spec: ItemSpec, events: Iterable[Stored]) -> ItemState:
    """The state of a run after its events, which come in their sequence from the first. StoreError where one is missing."""
    return ItemState(spec=spec, caps=spec.caps).extended(events)


class _Folding(Folding):
    """A state under construction: copies each container once."""

    def __init__(self, state: ItemState) -> None:
        super().__init__(state)
        self.base = state
        self.known: Mapping[str, Item] = state.spec.by_alias
        self.items = dict(state.items)
        self.by_place = dict(state.by_place)

    def own(self, event: Event) -> None:
        """The only events that are of this kind of run alone: items judged."""
        if not isinstance(event, ItemJudged):
            return
        if event.item not in self.known:
            raise StoreError(f"Event {self.last_seq} judges {event.item!r}, which is no item of this run.")
        self.pay(event.judgments)
        earlier = self.items.get(event.item)
        for judgment in earlier.judgments if earlier else ():
            self.outcomes[judgment.judge, judgment.outcome] -= 1
        view = _merged(earlier, event)
        for judgment in view.judgments:
            self.outcomes[judgment.judge, judgment.outcome] += 1
        self.items[event.item] = view
        self.by_place[event.place] = event.item

    def state(self) -> ItemState:
        return replace(self.base, **self.shared(), items=self.items, by_place=self.by_place)


def _merged(earlier: ItemView | None, event: ItemJudged) -> ItemView:
    """The item after an event, with the judgments that count."""
    places = (event.place,) * len(event.judgments)
    if earlier is None:
        return ItemView(event.place, event.item, event.judgments, places, event.replicate)
    found = counting(
        chain(zip(earlier.places, earlier.judgments, strict=True), zip(places, event.judgments, strict=True))
    )
    return replace(
        earlier,
        judgments=found.judgments,
        places=found.places,
        replicate=max(earlier.replicate, event.replicate),
        replaced=(*earlier.replaced, *found.replaced),
    )
