"""Hostile text in a run of items: as title, id, part, part's name, criterion, judge, claim, reason, quote and raw reply."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from judge_core.interfaces.dashboard.safe import plain
from judge_core.records.criteria import Criterion, Rubric
from judge_core.records.event import Ended
from judge_core.records.item import ReadItem, ReadPart
from judge_core.records.prompt import Prompt
from judge_core.records.spec import ItemMode, JudgeSpec
from tests.pages.stored_item_runs import KIND, register, spec_for, stored_items, texts_shown
from tests.pages.stored_runs import bench, opened, written
from tests.views.item_streams import MODES, ItemStream, item_spec, judged, point, silent
from tests.views.streams import case

HOSTILE = [*case("S-014")["input"]["texts"], *case("S-015")["input"]["strings"]]
SECTIONS = ("Results", "Why", "Can you trust this?", "Take away")
WORDS = "\n".join(HOSTILE)
ROLES: dict[ItemMode, tuple[Any, ...]] = {
    "review": ("text", "reference"),
    "gate": ("text",),
    "listwise": ("candidate", "candidate", "candidate"),
    "rag": ("question", "answer", "passage", "passage", "reference"),
    "agent": ("goal", "policy", "step", "step"),
}


def evil_say(prompt: Prompt) -> str:
    """A readable reply whose every word is hostile."""
    rows = [{"name": c.name, "score": c.scale_max, "reasoning": HOSTILE[0]} for c in prompt.sheet.rubric.criteria]
    quotes = [{"text": words, "candidate": "1"} for words in (*HOSTILE[:4], "not there ![x](http://127.0.0.1:9/y.png)")]
    claims = [{"id": str(n), "text": f"{words} is so"} for n, words in enumerate(HOSTILE, 1)]
    labelled = [
        {"id": str(n), "verdict": "supported", "passages": ["1"]} for n in range(1, len(prompt.sheet.claims) + 1)
    ]
    steps = [
        {"step": str(n), "label": "useful", "call": "none"} for n in range(1, prompt.sheet.roles.count("step") + 1)
    ]
    ranking = [str(n) for n in range(1, prompt.sheet.roles.count("candidate") + 1)]
    said: dict[str, Any] = {"quotes": quotes, "reasoning": WORDS, "verdict": "pass", "goal": "achieved", "steps": steps}
    said |= {"ranking": ranking, "criteria": rows, "patterns": []}
    said["claims"] = claims if prompt.sheet.mode == "rag_claims" else labelled
    said["passages"] = [{"id": str(n), "relevant": True} for n in range(1, prompt.sheet.roles.count("passage") + 1)]
    return json.dumps(said)


def hostile_run(mode: ItemMode) -> str:
    register(evil_say)
    parts = tuple(ReadPart(role=role, text=f"{n} {WORDS}", name=HOSTILE[n]) for n, role in enumerate(ROLES[mode]))
    items = tuple(ReadItem(id=f"{words}.x", title=words, parts=parts) for words in HOSTILE[:3])
    names = list({plain(words, 60): None for words in HOSTILE[:4]})
    spec = spec_for(mode, KIND, items=items, name=HOSTILE[7])
    rubric = Rubric(criteria=tuple(Criterion(name=name) for name in names), question=HOSTILE[1])
    run = bench().start(spec.model_copy(update={"rubric": rubric}))
    assert bench().wait(run, 30).status == "done"
    assert bench().item_state(run).ledger["judged"] == 3, "the replies are hostile, and readable"
    return run


def check_page(app: AppTest) -> None:
    page = written(app)
    for words in HOSTILE:
        assert not re.search(rf"(?<!\\){re.escape(words)}", page), words
    assert all(re.fullmatch(r"<style>[^<>]*</style>", html.proto.body) for html in app.get("html"))
    assert not re.search(r"(?<!\\)!\[", page)


@pytest.mark.parametrize("name", SECTIONS)
@pytest.mark.parametrize("mode", MODES)
def test_no_hostile_string_reaches_a_sink_that_reads_markdown(app: AppTest, mode: ItemMode, name: str) -> None:
    """S-014, S-015."""
    run = hostile_run(mode)
    app.session_state["show_names"] = app.session_state["show_ids"] = True
    opened(app, run)
    app.session_state["item_section"] = name
    app.run()
    assert not app.exception, app.exception
    check_page(app)


@pytest.mark.parametrize("mode", MODES)
def test_the_parts_of_an_item_are_shown_letter_by_letter(app: AppTest, mode: ItemMode) -> None:
    """S-014: quoted or not, cut into pieces or not, nothing of a text is lost or read as anything else."""
    run = hostile_run(mode)
    opened(app, run, item=bench().journal.row(run).items.items[0].alias)
    said = re.sub(r"\n?(\[\d+\])+\u00a0\n", "", texts_shown(app))
    for words in HOSTILE:
        assert "".join(words.split()).replace("\u200b", "") in "".join(said.split())


@pytest.mark.parametrize("words", HOSTILE, ids=range(len(HOSTILE)))
def test_no_hostile_judge_reason_or_error_reaches_markdown(app: AppTest, words: str) -> None:
    """S-015: as a judge's name, the stand-in's name, the error of a call, the alias in the address, the end's reason."""
    judge = JudgeSpec(name=words, provider="offline", model=words)
    turn = silent().turns[0].model_copy(update={"error": words, "answered_by": words, "first": words})
    stream = ItemStream(item_spec("gate", 2, judges=(judge,))).item(1, silent(turns=(turn,)))
    stream.item(2, judged(point(5, 5), turns=(turn.model_copy(update={"status": "ok"}),)))
    run = stored_items(stream.add(Ended(status="failed", reason=words)), name=words)
    for item, section in (("I-001", "Why"), (words, "Why"), ("I-002", "Can you trust this?"), ("I-001", "Results")):
        opened(app, run, item=item)
        app.session_state["item_section"] = section
        app.run()
        assert not app.exception
        check_page(app)
