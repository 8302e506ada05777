"""The demo judge answers every question of every mode: each reply fits its schema and is read without a warning."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge_core.modes.asking.prompts import render
from judge_core.modes.items import ItemDialogue
from judge_core.modes.rag.form import RAG_CRITERIA
from judge_core.providers.offline import OfflineJudge
from judge_core.records.criteria import Criterion, Rubric
from judge_core.records.errors import RefusedCallError
from judge_core.records.item import Item, ItemPart, PartRole
from judge_core.records.item_verdict import ItemJudgment
from judge_core.records.prompt import Ask, AskMode, Completion, Prompt, Received, Sheet
from judge_core.records.record import text_hash
from judge_core.records.spec import ItemMode, ItemSpec, JudgeSpec

EXAMPLES = Path(__file__).parents[2] / "examples"
LABEL = "Offline demo judge, not an LLM."
TWO = Rubric(criteria=(Criterion(name="Clarity", scale_min=1, scale_max=5), Criterion(name="Evidence")))
JUDGE = JudgeSpec(name="offline", provider="offline", model="offline")
Parts = Sequence[tuple[PartRole, str]]
ALLOWED = {"list_order", "no_claims", "no_passages", "pattern"}
"""Warnings about what was judged, and no fault of a reply."""


class Judged(NamedTuple):
    judgment: ItemJudgment
    prompts: list[Prompt]
    replies: list[str]
    seconds: float
    """Processor time of the slowest answer."""

    @property
    def verdict(self) -> Any:
        return self.judgment.verdict

    @property
    def codes(self) -> set[str]:
        return {notice.code for notice in self.judgment.warnings}


def calls(text: str) -> bool:
    """Whether a step calls a tool: by a head, or, in a text without any, by an arrow."""
    heads = re.findall(r"^\[.+\]$", text, re.MULTILINE)
    return any(" -> " in head for head in heads) if heads else "->" in text


def item_of(parts: Parts) -> Item:
    made = tuple(
        ItemPart(role=role, sha256=text_hash(text), words=0, characters=len(text), call=calls(text))
        for role, text in parts
    )
    return Item(alias="I-001", id="i", title="i", parts=made)


def judged(mode: ItemMode, parts: Parts, rubric: Rubric = TWO) -> Judged:
    """The item judged by the demo judge alone, by the mode's own prompts, readers and script."""
    item, words = item_of(parts), {text_hash(text): text for _, text in parts}
    spec = ItemSpec(
        mode=mode, items=(item,), rubric=rubric, judges=(JUDGE,), prompt_version="2", classify_patterns=True
    )
    flow, judge = ItemDialogue(0, item, spec, words=words).open(), OfflineJudge()
    prompts: list[Prompt] = []
    replies: list[str] = []
    slowest = 0.0
    asks = next(flow)
    while True:
        sent: list[Any] = []
        for ask in asks:
            assert ask.repair is None, "a reply could not be read"
            prompts.append(render(ask, rubric, words, "token"))
            begun = time.process_time()
            replies.append(asyncio.run(judge.complete(prompts[-1])).text)
            slowest = max(slowest, time.process_time() - begun)
            sent.append(received(replies[-1], len(replies)))
        try:
            asks = flow.send(sent)
        except StopIteration as end:
            return Judged(end.value.judgments[0], prompts, replies, slowest)


def received(text: str, turn: int) -> Received:
    return Received(completion=Completion(text=text), reply_sha256=text_hash(text), key=f"k{turn}", turn=turn, cost=0.0)


def fits(value: Any, schema: dict[str, Any]) -> bool:
    """Whether a value is as a schema of ours asks: types, enumerations, closed objects, lengths of lists."""
    if "enum" in schema and value not in schema["enum"]:
        return False
    if schema["type"] == "object":
        fields = schema["properties"]
        return set(value) == set(fields) and all(fits(value[name], fields[name]) for name in fields)
    if schema["type"] == "array":
        least, most = schema.get("minItems", 0), schema.get("maxItems", len(value))
        return least <= len(value) <= most and all(fits(one, schema["items"]) for one in value)
    kinds: dict[str, type | tuple[type, ...]] = {"string": str, "number": (int, float), "boolean": bool}
    return isinstance(value, kinds[schema["type"]])


def check(result: Judged) -> None:
    """A verdict, no repair, no warning that a reply gives rise to, replies in the form asked for."""
    assert result.judgment.outcome == "judged"
    assert result.codes <= ALLOWED
    for prompt, reply in zip(result.prompts, result.replies, strict=True):
        assert prompt.reply_schema is not None
        assert fits(json.loads(reply), prompt.reply_schema)
        if "reasoning" in json.loads(reply):
            assert json.loads(reply)["reasoning"].endswith(LABEL)


PIECE = st.sampled_from(
    ["Buses run daily. ", "[user]\n  x", "[bot]\n", "[bot -> t]\n  {}\n", "[t -> bot]\n  Error: denied\n", "\n- item\n",
     '{"claims":[]}', "<think>", "```", "not 7,5 ", "I don't know. ", "?", "“", "\\", '"', "我睡觉。", "é", "\u202e", "\t"]
)  # fmt: skip
TEXT = st.text(max_size=80) | st.lists(PIECE, max_size=12).map("".join)
STEP = TEXT.map(lambda text: text or "[bot]\n  ok")
ITEMS: dict[str, st.SearchStrategy[Any]] = {
    "review": st.tuples(st.tuples(st.just("text"), TEXT)) | st.tuples(
        st.tuples(st.just("text"), TEXT), st.tuples(st.just("reference"), TEXT)
    ),
    "gate": st.tuples(st.tuples(st.just("text"), TEXT)),
    "listwise": st.tuples(
        st.lists(TEXT, max_size=1).map(lambda texts: [("question", text) for text in texts]),
        st.lists(TEXT, min_size=2, max_size=5).map(lambda texts: [("candidate", text) for text in texts]),
    ).map(lambda parts: [*parts[0], *parts[1]]),
    "rag": st.tuples(
        TEXT, TEXT, st.lists(TEXT, max_size=3), st.lists(TEXT, max_size=2), st.lists(TEXT, max_size=1)
    ).map(
        lambda drawn: [
            ("question", drawn[0]), ("answer", drawn[1]), *(("passage", text) for text in drawn[2]),
            *(("claim", text) for text in drawn[3]), *(("reference", text) for text in drawn[4]),
        ]
    ),
    "agent": st.tuples(TEXT, st.lists(STEP, min_size=1, max_size=6)).map(
        lambda drawn: [("goal", drawn[0]), *(("step", text) for text in drawn[1])]
    ),
}  # fmt: skip


class TestEveryMode:
    @pytest.mark.parametrize("mode", ITEMS)
    @settings(deadline=None, max_examples=40)
    @given(data=st.data())
    def test_any_texts_are_judged_and_every_reply_is_read_as_it_was_asked_for(
        self, mode: ItemMode, data: st.DataObject
    ) -> None:
        parts = data.draw(ITEMS[mode])
        result = judged(mode, parts, Rubric(criteria=RAG_CRITERIA) if mode == "rag" else TWO)
        check(result)
        assert judged(mode, parts, result.prompts[0].sheet.rubric).replies == result.replies

    @pytest.mark.parametrize(
        ("mode", "parts"),
        [
            ("pairwise", [("text", "a")]),
            ("gate", [("answer", "a")]),
            ("pointwise", [("question", "a")]),
            ("listwise", [("candidate", "a")]),
            ("rag_labels", [("question", "a")]),
            ("agent", [("goal", "a")]),
            ("agent_patterns", []),
        ],
    )
    def test_texts_that_are_not_those_of_the_mode_are_refused(self, mode: AskMode, parts: Parts) -> None:
        roles, texts = tuple(role for role, _ in parts), tuple(text for _, text in parts)
        prompt = Prompt(messages=(), sheet=Sheet(mode=mode, rubric=TWO, texts=texts, roles=roles))
        with pytest.raises(RefusedCallError, match=mode):
            asyncio.run(OfflineJudge().complete(prompt))

    @pytest.mark.parametrize("unit", ["Trams 4 run on Sundays, because people need them. ", "我", "- x 1\n", '"\\'])
    @pytest.mark.parametrize("mode", ITEMS)
    def test_a_million_characters_take_no_long_time(self, mode: ItemMode, unit: str) -> None:
        size = 1_000_000 // len(unit)
        long, half = unit * size, unit * (size // 2)
        parts: dict[str, Parts] = {
            "review": [("text", long)],
            "gate": [("text", long)],
            "listwise": [("candidate", half), ("candidate", half + "!")],
            "rag": [("question", "Do trams run on Sundays?"), ("answer", half), ("passage", half), ("passage", "No.")],
            "agent": [("goal", "Find trams."), ("step", half), ("step", half)],
        }
        rubric = Rubric(criteria=RAG_CRITERIA) if mode == "rag" else TWO
        result = judged(mode, parts[mode], rubric)
        check(result)
        assert result.seconds < 4

    def test_a_passage_of_many_short_sentences_takes_no_long_time(self) -> None:
        passage = " ".join(f"Tram {number} is not late." for number in range(40_000))
        claims = tuple(f"Tram {number} is late today." for number in range(200))
        texts, roles = ("When?", "Late.", passage), ("question", "answer", "passage")
        sheet = Sheet(mode="rag_labels", rubric=TWO, texts=texts, roles=roles, claims=claims)
        begun = time.process_time()
        asyncio.run(OfflineJudge().complete(Prompt(messages=(), sheet=sheet)))
        assert time.process_time() - begun < 4

    def test_a_step_that_calls_a_tool_in_no_known_form_is_labelled_all_the_same(self) -> None:
        result = judged("agent", [("goal", "Find it."), ("step", "I call find() -> nothing")])
        check(result)
        assert result.verdict.steps[0].call_correct is True


def test_the_ask_of_a_mode_is_all_that_the_judge_reads() -> None:
    """The prose of the prompt may say anything."""
    text = "Trams run on Sundays, because people need them."
    ask = Ask(judge=0, mode="gate", texts=(text_hash(text),))
    prompt = render(ask, TWO, {text_hash(text): text}, "token")
    silent = prompt.model_copy(update={"messages": ()})
    answers = [asyncio.run(OfflineJudge().complete(asked)).text for asked in (prompt, silent)]
    assert answers[0] == answers[1]
