"""Plays the script about a retrieval answer with judges made by hand."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from judge_core.modes.asking.dialogue import Opinion, Panel, panel_dialogue
from judge_core.modes.rag.form import RAG_CRITERIA
from judge_core.modes.rag.script import rag_script
from judge_core.records.criteria import Rubric
from judge_core.records.item import Item, ItemPart, PartRole, ReadItem
from judge_core.records.prompt import Ask, Completion, Failure, Received
from judge_core.records.record import text_hash
from judge_core.records.spec import ItemSpec, JudgeSpec

Answer = Callable[[Ask], str | Failure]
LOST = Failure(kind="transient", message="no answer")
RUBRIC = Rubric(criteria=RAG_CRITERIA)
JUDGE = JudgeSpec(name="j", provider="openai_compatible", model="m")


def part(role: PartRole, text: str) -> ItemPart:
    return ItemPart(role=role, sha256=text_hash(text), words=len(text.split()), characters=len(text))


def item_of(*parts: tuple[PartRole, str], alias: str = "I-001") -> Item:
    return Item(alias=alias, id=alias, title=alias, parts=tuple(part(*each) for each in parts))


def item_read(read: ReadItem, alias: str = "I-001") -> Item:
    """The item of a run, as it was read from a file."""
    return item_of(*((each.role, each.text) for each in read.parts), alias=alias)


def spec_of(*items: Item, judges: Sequence[JudgeSpec] = (JUDGE,)) -> ItemSpec:
    return ItemSpec(mode="rag", items=items, rubric=RUBRIC, judges=tuple(judges), prompt_version="2")


def claims_reply(*texts: str) -> str:
    return json.dumps({"claims": [{"id": str(i), "text": text} for i, text in enumerate(texts, start=1)]})


def labels_reply(claims: Sequence[tuple[str, Sequence[int]]], relevant: Sequence[bool] = ()) -> str:
    return json.dumps(
        {
            "claims": [
                {"id": str(i), "verdict": verdict, "passages": [str(p) for p in passages]}
                for i, (verdict, passages) in enumerate(claims, start=1)
            ],
            "passages": [{"id": str(i), "relevant": flag} for i, flag in enumerate(relevant, start=1)],
        }
    )


def score_reply(score: float) -> str:
    return json.dumps({"criteria": [{"name": "Answer relevance", "score": score, "reasoning": "r"}]})


@dataclass
class Game:
    rounds: list[list[Ask]]
    panel: Panel[Opinion]

    @property
    def opinion(self) -> Opinion:
        (played,) = self.panel.played
        assert played.verdict is not None
        return played.verdict

    @property
    def codes(self) -> list[str]:
        """Codes of all warnings of the only judge."""
        return [notice.code for notice in (*self.panel.played[0].notices, *self.opinion.warnings)]


def play(item: Item, answer: Answer, judges: Sequence[JudgeSpec] = (JUDGE,)) -> Game:
    """Runs the panel's dialogue; `answer` turns a recipe into the text of a reply or a failure."""
    spec = spec_of(item, judges=judges)
    scripts = {judge: rag_script(judge, item, spec, 0, {}) for judge in range(len(judges))}
    flow = panel_dialogue(scripts, spec.judges)
    rounds, asks, turn = [], next(flow), 0
    while True:
        rounds.append(asks)
        sent: list[Received | Failure] = []
        for ask in asks:
            sent.append(_reply(answer(ask), turn))
            turn += 1
        try:
            asks = flow.send(sent)
        except StopIteration as end:
            return Game(rounds, end.value)


def _reply(said: Any, turn: int) -> Received | Failure:
    if isinstance(said, Failure):
        return said
    return Received(completion=Completion(text=said), reply_sha256=text_hash(said), key=f"k{turn}", turn=turn, cost=0.0)
