"""Judging items one by one: the flow, without I/O. Each item is a dialogue of its own, and none waits for another."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field, replace

from judge_core.modes.agent.script import agent_script
from judge_core.modes.asking.dialogue import Opinion, Played, Reply, Script, panel_dialogue, replicates, unique
from judge_core.modes.listwise.script import listwise_script
from judge_core.modes.points.review import gate_script, review_script
from judge_core.modes.rag.form import MOST_CLAIMS
from judge_core.modes.rag.script import ROOM, rag_script
from judge_core.records.event import Cancelled, Event, Input, ItemJudged, ItemsStarted, Judged, RetryAsked
from judge_core.records.item import Item
from judge_core.records.item_verdict import ItemJudgment, ItemOutcome, ItemResult
from judge_core.records.prompt import Ask, Need
from judge_core.records.result import Result
from judge_core.records.spec import ItemMode, ItemSpec

MARKS = 240
"""Characters that a part of an item adds to a prompt beside its own: the marks around it, its row in the form of the answer."""
WORDS_A_CLAIM = 5
"""An answer is expected to make a claim in so many words at the least."""

ItemScript = Callable[[int, Item, ItemSpec, int, Mapping[str, str]], Script[Opinion]]
"""(judge, item, spec, replicate, words by content hash) -> one judge's questions about an item."""
ItemFlow = Generator[list[Ask], list[Reply], ItemResult]

SCRIPTS: dict[ItemMode, ItemScript] = {
    "review": review_script,
    "gate": gate_script,
    "listwise": listwise_script,
    "rag": rag_script,
    "agent": agent_script,
}
"""How each mode asks about an item."""


@dataclass(frozen=True, slots=True)
class ItemDialogue:
    """An item that is to be judged. `judges` are the panel's members to be asked (a retry asks only the silent ones)."""

    place: int
    item: Item
    spec: ItemSpec
    replicate: int = 0
    judges: tuple[int, ...] | None = None
    words: Mapping[str, str] = field(default_factory=dict, repr=False)

    @property
    def need(self) -> Need:
        """The prompts that one judge may be asked; each shows all of the item at most."""
        return need_of(self.item, self.spec).model_copy(update={"judges": self.judges})

    def open(self) -> ItemFlow:
        """Starts the dialogue with the panel."""
        script = SCRIPTS[self.spec.mode]
        numbers = replicates(self.spec.judges, self.replicate)
        asked = range(len(self.spec.judges)) if self.judges is None else self.judges
        scripts = {judge: script(judge, self.item, self.spec, numbers[judge], self.words) for judge in asked}
        panel = yield from panel_dialogue(scripts, self.spec.judges)
        judgments = tuple(_judgment(played) for played in panel.played)
        return ItemResult(item=self.item.alias, judgments=judgments, stop=panel.stop)


def need_of(item: Item, spec: ItemSpec) -> Need:
    """What judging an item may need of each judge, repairs aside: with the marks around each part and its row in the answer's form."""
    characters, words = sum(part.characters for part in item.parts), sum(part.words for part in item.parts)
    characters += MARKS * len(item.parts)
    prompts = 1
    if spec.mode == "listwise" and spec.both_orders or spec.mode == "agent" and spec.classify_patterns:
        prompts = 2
    elif spec.mode == "rag":  # claims that were found are shown again: at most as long as the item, and some more
        prompts = 2 + (not item.of("claim")) + 2 * bool(item.of("reference"))
        claims = min(MOST_CLAIMS, sum(part.words for part in item.of("answer")) // WORDS_A_CLAIM + 1)
        characters, words = 2 * characters + ROOM + MARKS * claims, 2 * words
    return Need(prompts=prompts, characters=characters, words=words)


def _judgment(played: Played[Opinion]) -> ItemJudgment:
    opinion = played.verdict or Opinion(None)
    warnings = unique([*played.notices, *opinion.warnings])
    if opinion.verdict is not None:
        return ItemJudgment(
            judge=played.judge, outcome="judged", verdict=opinion.verdict, turns=played.turns, warnings=warnings
        )
    outcome: ItemOutcome = "unparseable" if played.unread else "failed"
    return ItemJudgment(judge=played.judge, outcome=outcome, turns=played.turns, warnings=warnings)


@dataclass
class ItemsMode:
    """Items in their order, as a state machine: `begin`, then `ask` and `take` in turn."""

    spec: ItemSpec
    words: Mapping[str, str] = field(default_factory=dict, repr=False)
    conclusion: str = "Everything on the schedule was asked."
    hopeless: str | None = None
    _waiting: deque[ItemDialogue] = field(default_factory=deque)
    _places: int = 0
    _pulled: dict[int, ItemDialogue] = field(default_factory=dict)
    _silent: dict[str, ItemDialogue] = field(default_factory=dict)
    """By item: who still owes a verdict on it."""
    _over: bool = False

    def begin(self) -> list[Event]:
        """The start; every item waits."""
        self._waiting.extend(ItemDialogue(0, item, self.spec) for item in self.spec.items)
        names = tuple(judge.name for judge in self.spec.judges)
        return [ItemsStarted(mode=self.spec.mode, items=len(self.spec.items), judges=names)]

    def ask(self) -> ItemDialogue | None:
        """The next item; None when all are asked."""
        if self._over or not self._waiting:
            return None
        self._places += 1
        dialogue = replace(self._waiting.popleft(), place=self._places, words=self.words)
        self._pulled[dialogue.place] = dialogue
        return dialogue

    def take(self, result: Result | Input, place: int | None = None) -> list[Event]:
        """Takes an item's result or an input and returns what happened."""
        if place is not None:
            assert isinstance(result, ItemResult)
            return [self._judged(self._pulled.pop(place), result)]
        if isinstance(result, Cancelled):
            self._over = True
        elif isinstance(result, RetryAsked):
            self._waiting.extendleft(reversed(self._silent.values()))
            self._silent.clear()
        return []

    def recall(self, event: Judged) -> ItemResult:
        """A recorded item's result."""
        assert isinstance(event, ItemJudged)
        return ItemResult(item=event.item, judgments=event.judgments)

    def _judged(self, dialogue: ItemDialogue, result: ItemResult) -> ItemJudged:
        silent = tuple(judgment.judge for judgment in result.judgments if not judgment.decided)
        if silent:
            again = replace(dialogue, replicate=dialogue.replicate + 1, judges=silent, words={})
            self._silent[result.item] = again
        else:
            self._silent.pop(result.item, None)
        return ItemJudged(
            place=dialogue.place, item=result.item, replicate=dialogue.replicate, judgments=result.judgments
        )
