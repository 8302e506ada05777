"""What a ranking asks: a match of two texts, or a listing: several texts to be ranked, or one to be scored, by one call."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from judge_core.modes.items import ItemDialogue, ItemFlow, need_of
from judge_core.modes.pairs.match import MatchFlow, MatchOrder, match_dialogue
from judge_core.modes.rank.lots import heads
from judge_core.records.item import Item, ItemPart
from judge_core.records.prompt import Need
from judge_core.records.spec import ItemMode, ItemSpec, RunSpec, Spec, TextRef


@dataclass(frozen=True, slots=True)
class Match:
    """A match that is to be judged. `judges` are the panel's members to be asked; None: all of them."""

    place: int
    round: int
    a: TextRef
    b: TextRef
    spec: Spec
    replicate: int = 0
    judges: tuple[int, ...] | None = None
    words: Mapping[str, str] = field(default_factory=dict, repr=False)
    """The texts by content hash, for checking quotes."""
    first: str | None = None
    """Alias of the text shown first; None: drawn from (seed, place)."""
    both: bool = False
    """Both orders are asked, though the run as a whole asks one."""

    @property
    def aliases(self) -> tuple[str, ...]:
        """Of both texts."""
        return self.a.alias, self.b.alias

    @property
    def need(self) -> Need:
        """Each order is a prompt that shows both texts."""
        a, b = self.a, self.b
        prompts = 2 if self.both or self.spec.both_orders else 1
        size = {"characters": a.characters + b.characters, "words": a.words + b.words}
        return Need(prompts=prompts, judges=self.judges, **size)

    @property
    def shown_first(self) -> str:
        """Alias of the text that each judge sees first, in its first prompt."""
        return self.first or (self.a if heads(self.spec.seed, self.place) else self.b).alias

    def open(self) -> MatchFlow:
        """Starts the dialogue."""
        order = MatchOrder(place=self.place, first=self.shown_first, replicate=self.replicate, judges=self.judges)
        spec = self.spec.model_copy(update={"both_orders": True}) if self.both else self.spec
        return match_dialogue(self.a, self.b, order, spec, self.words)


@dataclass(frozen=True, slots=True)
class Listing:
    """Texts that are judged in one call, in the order shown: a list to be ranked, or one text to be scored."""

    place: int
    round: int
    texts: tuple[TextRef, ...]
    spec: Spec
    replicate: int = 0
    judges: tuple[int, ...] | None = None
    words: Mapping[str, str] = field(default_factory=dict, repr=False)

    @property
    def aliases(self) -> tuple[str, ...]:
        """In the order shown."""
        return tuple(text.alias for text in self.texts)

    @property
    def need(self) -> Need:
        """One prompt that shows all of the texts."""
        item = self._item()
        return need_of(item, self._spec(item)).model_copy(update={"judges": self.judges})

    def open(self) -> ItemFlow:
        """Starts the dialogue."""
        item = self._item()
        return ItemDialogue(self.place, item, self._spec(item), self.replicate, self.judges, self.words).open()

    def _item(self) -> Item:
        role = "text" if len(self.texts) == 1 else "candidate"
        parts = [ItemPart(role=role, sha256=t.sha256, words=t.words, characters=t.characters) for t in self.texts]
        return Item(alias="+".join(t.alias for t in self.texts), id="", title="", parts=tuple(parts))

    def _spec(self, item: Item) -> ItemSpec:
        """The same judges and criteria for an item; made of valid parts, so it is not checked again."""
        shared = {name: getattr(self.spec, name) for name in RunSpec.model_fields}
        mode: ItemMode = "review" if len(self.texts) == 1 else "listwise"
        return ItemSpec.model_construct(mode=mode, items=(item,), both_orders=False, **shared)
