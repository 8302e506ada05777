"""Two copies of one text: nothing tells them apart, so a judge that prefers one of them is shown to be unreliable."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from judge_core import Judge
from judge_core.modes.pairs.match import MatchOrder, match_dialogue
from judge_core.records.criteria import Criterion, Rubric
from judge_core.records.prompt import Ask, Completion, Received
from judge_core.records.record import text_hash
from judge_core.records.spec import JudgeSpec, Spec, TextRef
from judge_core.records.verdict import Judgment, MatchResult
from judge_core.scoring.signals import scan_text
from tests.judge_server import JudgeServer
from tests.modes.case_files import case_text

CLARITY = Rubric(criteria=(Criterion(name="Clarity"),))
NAMES = ("prose.md", "prose_copy.md")
PROSE, COPY = (case_text(f"I-016/{name}") for name in NAMES)
BULLETS = case_text("I-016/bullets.md")


def reply(a: float, b: float) -> str:
    return json.dumps({"criteria": [{"name": "Clarity", "score_a": a, "score_b": b, "reasoning": "r"}], "winner": "A"})


def ref(alias: str, text: str) -> TextRef:
    return TextRef(alias=alias, id=alias, title=alias, sha256=text_hash(text), words=21, characters=len(text))


def judged(first: str, answer: Callable[[Ask], str], both_orders: bool = True) -> Judgment:
    """The judgment on E-001 against its copy E-002."""
    a, b = ref("E-001", PROSE), ref("E-002", COPY)
    judge = JudgeSpec(name="j", provider="openai_compatible", model="m")
    spec = Spec(rubric=CLARITY, texts=(a, b), judges=(judge,), both_orders=both_orders, prompt_version="1")
    flow = match_dialogue(a, b, MatchOrder(place=1, first=first), spec)
    said = [answer(ask) for ask in next(flow)]
    with pytest.raises(StopIteration) as end:
        flow.send(
            [
                Received(
                    completion=Completion(text=text), reply_sha256=text_hash(text), key=f"k{turn}", turn=turn, cost=0
                )
                for turn, text in enumerate(said)
            ]
        )
    result: MatchResult = end.value.value
    (judgment,) = result.judgments
    return judgment


def codes(judgment: Judgment) -> list[str]:
    return [notice.code for notice in judgment.warnings]


class FirstServer(JudgeServer):
    """A judge that always prefers the text that it is shown first."""

    def answer(self, body: dict[str, Any]) -> str:
        return reply(8, 5)


@pytest.fixture
def first_judge(tmp_path: Path) -> Iterator[Judge]:
    with FirstServer() as server, Judge(f"{server.url}#m", criteria=CLARITY, question="?", home=tmp_path) as judge:
        yield judge


def test_the_copies_of_the_case_are_the_same_letter_by_letter() -> None:
    assert PROSE == COPY != BULLETS
    assert scan_text(COPY) == ()


@pytest.mark.parametrize("first", ["E-001", "E-002"])
def test_i_016_a_forced_win_between_copies_flips_and_counts_as_a_tie(first: str) -> None:
    judgment = judged(first, lambda ask: reply(8, 5))
    assert (judgment.outcome, judgment.result, codes(judgment)) == ("flipped", 0.5, ["position_flip"])
    assert (judgment.scores["Clarity"].a, judgment.scores["Clarity"].b) == (6.5, 6.5)


@pytest.mark.parametrize("both_orders", [True, False])
def test_i_016_a_judge_that_sees_no_difference_ties_copies_without_a_warning(both_orders: bool) -> None:
    judgment = judged("E-001", lambda ask: reply(7, 7), both_orders)
    assert (judgment.outcome, judgment.result) == ("tied", 0.5)
    assert "position_flip" not in codes(judgment)


def test_i_016_compared_copies_are_a_tie_that_says_why(first_judge: Judge) -> None:
    verdict = first_judge.compare(PROSE, COPY)
    assert verdict.winner == "tie"
    assert any("in the other order" in warning for warning in verdict.warnings)


@pytest.mark.parametrize("both_orders", [True, False])
def test_i_016_ranked_copies_are_tied_aloud_and_each_row_names_the_copy(first_judge: Judge, both_orders: bool) -> None:
    texts = dict(zip(NAMES, (PROSE, COPY), strict=True)) | {"bullets.md": BULLETS}
    ranking = first_judge.rank(texts, both_orders=both_orders)
    rows = {row.id: row for row in ranking.standings}
    one, other = (rows[name] for name in NAMES)
    assert other.alias in one.tied_with and one.alias in other.tied_with
    assert "duplicate_text" in one.warnings and "duplicate_text" in other.warnings
    assert "duplicate_text" not in rows["bullets.md"].warnings
    assert "too little is known to tell any two texts apart" in ranking.sentence
    if both_orders:
        assert {row.ties for row in rows.values()} == {2}
        assert all(row.warnings["position_flip"] == 2 for row in rows.values())
