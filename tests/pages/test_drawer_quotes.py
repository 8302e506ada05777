"""The match drawer: quotes are checked, those found are highlighted, and the reasons that agree with the verdict stand first."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from streamlit.testing.v1 import AppTest

from judge_core.intake import read_paste
from judge_core.interfaces.dashboard.result.exchanges import MOST_QUOTES
from judge_core.interfaces.dashboard.safe import MARKED_STYLE
from judge_core.interfaces.workbench import new_spec
from judge_core.providers.registry import judge_spec
from judge_core.records.criteria import Criterion, Rubric
from tests.judge_server import _FENCED, JudgeServer
from tests.pages.stored_runs import bench, opened, shown, written

LONG = "Trees  cool\ntowns in every summer — “a lot”.\n\n    Indented: 1 < 2 & *bold*. A second study says so."
SHORT = "Bees fly far."
IMAGE = "![x](http://192.0.2.1/leak) <img src=//192.0.2.1/y> $x$ :red[y]"
Reply = Callable[[str, str], dict[str, Any]]
"""(text A, text B as shown) -> fields of the reply."""


class Scripted(JudgeServer):
    """Answers by the two texts as shown."""

    def __init__(self, reply: Reply):
        super().__init__()
        self.script = reply

    def answer(self, body: dict[str, Any]) -> str:
        texts = {side: text for side, _, text in _FENCED.findall(body["messages"][-1]["content"])}
        fields = {"a": 8, "b": 4, **self.script(texts["A"], texts["B"])}
        row = {"name": "Clarity", "score_a": fields.pop("a"), "score_b": fields.pop("b"), "reasoning": ""}
        return json.dumps({"criteria": [row], **fields})


def judged(reply: Reply, texts: tuple[str, str] = (LONG, SHORT), **fields: Any) -> str:
    """A finished run of one match between two texts."""
    with Scripted(reply) as server:
        artifacts = [artifact for words in texts for artifact in read_paste(words, "t").artifacts]
        rubric = Rubric(criteria=(Criterion(name="Clarity"),))
        judges = (judge_spec(f"{server.url}#m"),)
        refs = bench().keep_texts(artifacts)
        run = bench().start(new_spec(texts=refs, rubric=rubric, judges=judges, rounds=1, **fields))
        assert bench().wait(run, 30).status == "done"
    return run


def quoting(*quotes: str) -> Reply:
    """Quotes all of them from the long text, whichever side it is on."""
    return lambda a, b: {"quotes": [{"side": "A" if a == LONG else "B", "text": quote} for quote in quotes]}


def texts_of(app: AppTest) -> list[str]:
    return [element.value for element in app.text]


def bare(words: str) -> str:
    return words.replace("\u200b", "")


def test_a_quote_that_is_found_is_numbered_in_the_text_and_at_the_reasons(app: AppTest) -> None:
    opened(app, judged(quoting("'trees cool towns'", "A second study")), match="1")
    said = texts_of(app)
    for number, passage in ((1, "Trees  cool\ntowns"), (2, "A second study")):
        at = said.index(f"[{number}]\u00a0\u200b")
        assert bare(said[at + 1]) == passage
        assert f"[{number}] From E-" in shown(app).replace("**", "")
    assert "Not found" not in shown(app)


def test_the_pieces_of_a_highlighted_text_are_the_text_letter_by_letter(app: AppTest) -> None:
    opened(app, judged(quoting("trees cool towns", "1 < 2", "second study ... so", "towns in")), match="1")
    whole = "".join(piece for piece in map(bare, texts_of(app)) if not re.fullmatch(r"(\[\d\])+\u00a0", piece))
    assert LONG in whole


def test_a_text_that_nobody_quoted_is_shown_in_one_piece(app: AppTest) -> None:
    opened(app, judged(quoting("trees cool towns")), match="1")
    assert SHORT in texts_of(app)


def test_an_invented_quote_is_flagged_and_one_from_the_other_text_is_told_apart(app: AppTest) -> None:
    opened(app, judged(quoting("Zebras swim at night", "bees fly far")), match="1")
    page = shown(app).replace("**", "")
    assert len(re.findall(r"Not found in E-00\d\. The judge gives it as a quote", page)) == 1
    assert len(re.findall(r"Not in E-00\d\. .* it stands in the other text", page)) == 1
    assert "highlighted above" not in page
    assert {"Zebras swim at night", "bees fly far"} <= set(texts_of(app))


def test_a_judge_that_quotes_without_end_fills_no_page(app: AppTest) -> None:
    opened(app, judged(quoting(*(f"zebra {number}" for number in range(MOST_QUOTES + 3)))), match="1")
    assert shown(app).count("Not found in") == MOST_QUOTES
    assert "3 further quotes in the raw reply" in shown(app)


def test_the_reasons_that_agree_with_both_orders_together_stand_first(app: AppTest) -> None:
    """The order asked first found both equal; the other one decided. Its words come first, the other's are marked."""

    def reply(a: str, b: str) -> dict[str, Any]:
        asked.append(a)
        equal = a == first
        return {"a": 6, "b": 6, "reasoning": "Equal."} if equal else {"a": 2, "b": 8, "reasoning": "Decided."}

    asked: list[str] = []
    for first in (LONG, SHORT):
        run = judged(reply, both_orders=True, name=first[:5])
        opened(app, run, match="1")
        said = texts_of(app)
        assert said.index("Decided.") < said.index("Equal.")
        assert shown(app).count("which is not what both orders give together") == 1
    assert {LONG, SHORT} == set(asked)


def test_a_hostile_quote_reaches_no_sink_that_reads_markdown(app: AppTest) -> None:
    """Found in a hostile text and invented: both are shown letter by letter."""
    hostile = f"It says {IMAGE} and more."
    quotes = [{"side": side, "text": text} for side in "AB" for text in (IMAGE, f"{IMAGE} invented")]
    opened(app, judged(lambda a, b: {"quotes": quotes, "reasoning": IMAGE}, (hostile, SHORT)), match="1")
    assert "192.0.2.1" not in written(app)
    assert "[1]\u00a0\u200b" in texts_of(app) and f"{IMAGE} invented" in texts_of(app)
    bodies = {html.proto.body for html in app.get("html")}
    assert f"<style>{MARKED_STYLE}</style>" in bodies
    assert all(re.fullmatch(r"<style>[^<>]*</style>", body) for body in bodies)
