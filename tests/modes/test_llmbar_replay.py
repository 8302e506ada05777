"""5,028 recorded replies of six LLM judges (LLMBar), played through the real reading and merging of a match.

The judges were asked in both orders and answered in prose of their own ("Output (a) is better"); each answer is put into
the form that our prompts ask for, and all that follows is what a run does. The figures published with the data come
from its column `winner`. For five judges that is what they say. For PaLM2 it is '(a)' wherever a line of the reply
begins with 'Output (a)', also where the reply says "Output (b) is better" first, so its words bring better figures.
"""

from __future__ import annotations

import csv
import json
import re
from collections import defaultdict
from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

import pytest

from judge_core.modes.pairs.match import MatchOrder, match_dialogue
from judge_core.records.criteria import Rubric
from judge_core.records.prompt import Ask, Completion, Failure, Received
from judge_core.records.record import text_hash
from judge_core.records.spec import JudgeSpec, Spec, TextRef
from judge_core.records.verdict import Judgment, MatchResult
from tests.data_sets import data_folder

Row = dict[str, str]
PUBLISHED = {
    "ChatGPT/CoT": (0.403, 0.582),
    "ChatGPT/Vanilla": (0.400, 0.659),
    "GPT-4/CoT": (0.813, 0.893),
    "GPT-4/Vanilla": (0.845, 0.928),
    "LLaMA2/CoT": (0.470, 0.582),
    "PaLM2/CoT": (0.586, 0.461),
}
"""Accuracy over single replies, and the share of pairs with the same winner (or none) in both orders."""
ROUNDING = 0.0005 + 1e-9
WORDS = {"A": (10, 0), "B": (0, 10), "tie": (5, 5)}
_OTHER = {"A": "B", "B": "A", "tie": "tie"}
_BARE = re.compile(r"\s*Output \(([ab])\)\.?\s*")
_BETTER = re.compile(
    r"Output \(([ab])\) is (?:(?:the|a|more|also|clearly|slightly|considered) )*(?:better|best|superior)", re.I
)
_NONE = re.compile(r"(?:both [Oo]utput[^.]*equally good|neither Output)[^.]*\.?[^.]*\.?\s*$")


class Figures(NamedTuple):
    accuracy: float
    consistency: float
    read: float
    """Share of replies that were read."""
    merged: float
    """Accuracy of the merged judgments; a flipped one is a tie and so not right."""


def stated(text: str) -> str | None:
    """What a recorded reply says, by side as shown: A for '(a)'. None where it says nothing plainly."""
    if bare := _BARE.fullmatch(text):
        return bare[1].upper()
    if _NONE.search(text):
        return "tie"
    better = _BETTER.findall(text)
    return better[-1].upper() if better else None


def by_words(row: Row) -> str:
    """The reply as our prompt would have had it; as it is where it says nothing plainly."""
    side = stated(row["raw_completion"])
    return answer(side) if side else row["raw_completion"]


def by_column(row: Row) -> str:
    """The reply that the recorded winner stands for."""
    return answer(row["winner"] if row["shown_order"] == "AB" else _OTHER[row["winner"]])


def answer(side: str) -> str:
    a, b = WORDS[side]
    row = {"name": "Overall", "score_a": a, "score_b": b, "reasoning": ""}
    return json.dumps({"criteria": [row], "winner": side, "reasoning": ""})


@lru_cache(maxsize=1)
def recorded() -> tuple[dict[str, dict[str, dict[str, Row]]], dict[str, str]]:
    """Replies by judge, pair and order shown; the experts' winner by pair."""
    folder = data_folder("llmbar")
    by_judge: dict[str, dict[str, dict[str, Row]]] = defaultdict(lambda: defaultdict(dict))
    for line in (folder / "llm_judgments_both_orders.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        by_judge[row["judge_id"]][row["pair_id"]][row["shown_order"]] = row
    with (folder / "pairs_gold.csv").open(encoding="utf-8", newline="") as file:
        gold = {row["pair_id"]: row["winner"] for row in csv.DictReader(file)}
    return by_judge, gold


def ref(alias: str) -> TextRef:
    return TextRef(alias=alias, id=alias, title=alias, sha256=text_hash(alias), words=1, characters=1)


A, B = ref("E-001"), ref("E-002")
SPEC = Spec(
    rubric=Rubric(),
    texts=(A, B),
    judges=(JudgeSpec(name="recorded", provider="openai_compatible", model="m"),),
    both_orders=True,
    prompt_version="1",
)


def judged(pair: dict[str, Row], place: int, reply: Callable[[Row], str]) -> Judgment:
    """The match of a pair, played to its end; a repair brings the same reply again."""
    first = (A, B)[place % 2].alias
    flow = match_dialogue(A, B, MatchOrder(place=place, first=first), SPEC)
    turn, asks = 0, next(flow)
    while True:
        replies: list[Received | Failure] = []
        for ask in asks:
            replies.append(received(ask, pair, turn, reply))
            turn += 1
        try:
            asks = flow.send(replies)
        except StopIteration as end:
            result: MatchResult = end.value
            return result.judgments[0]


def received(ask: Ask, pair: dict[str, Row], turn: int, reply: Callable[[Row], str]) -> Received:
    text = reply(pair["AB" if ask.texts[0] == A.sha256 else "BA"])
    return Received(completion=Completion(text=text), reply_sha256=text_hash(text), key=f"k{turn}", turn=turn)


def figures(judge: str, reply: Callable[[Row], str]) -> Figures:
    by_judge, gold = recorded()
    pairs = by_judge[judge]
    right = consistent = orders = merged = 0
    for place, (pair_id, pair) in enumerate(pairs.items()):
        judgment = judged(pair, place, reply)
        winners = [order.winner for order in judgment.orders]
        right += winners.count(gold[pair_id])  # type: ignore[arg-type]
        orders += len(winners)
        consistent += len(winners) != 1 and len(set(winners)) <= 1
        merged += {"won": "A", "lost": "B"}.get(judgment.outcome) == gold[pair_id]
        check_merging(judgment)
    return Figures(right / (2 * len(pairs)), consistent / len(pairs), orders / (2 * len(pairs)), merged / len(pairs))


def check_merging(judgment: Judgment) -> None:
    """Two opposite winners are a flip, two equal ones a verdict, a lone one says that the other is missing."""
    winners = [order.winner for order in judgment.orders]
    codes = {notice.code for notice in judgment.warnings}
    assert (judgment.outcome == "flipped") == (sorted(winners) == ["A", "B"]) == ("position_flip" in codes)
    assert (len(winners) == 1) == ("order_missing" in codes)
    if not winners:
        assert (judgment.outcome, judgment.result) == ("unparseable", None)
    elif set(winners) == {"A"}:
        assert (judgment.outcome, judgment.result) == ("won", 1)


def test_all_recorded_replies_are_here() -> None:
    by_judge, gold = recorded()
    assert set(by_judge) == set(PUBLISHED) and len(gold) == 419
    assert sum(len(pair) for pairs in by_judge.values() for pair in pairs.values()) == 5028


@pytest.mark.parametrize("judge", PUBLISHED)
def test_merging_gives_the_published_accuracy_and_consistency(judge: str) -> None:
    got = figures(judge, by_column)
    assert (got.accuracy, got.consistency) == pytest.approx(PUBLISHED[judge], abs=ROUNDING)
    assert got.read == 1


READ = {
    "ChatGPT/CoT": (0.403, 0.582, 0.999),
    "ChatGPT/Vanilla": (0.400, 0.659, 1.0),
    "GPT-4/CoT": (0.813, 0.893, 1.0),
    "GPT-4/Vanilla": (0.845, 0.928, 1.0),
    "LLaMA2/CoT": (0.470, 0.582, 0.995),
    "PaLM2/CoT": (0.638, 0.680, 0.993),
}
"""Accuracy, consistency and share read where the judges' own words count."""


@pytest.mark.parametrize("judge", PUBLISHED)
def test_the_judges_own_words_lose_nothing_against_the_published_figures(judge: str) -> None:
    got = figures(judge, by_words)
    assert (got.accuracy, got.consistency, got.read) == pytest.approx(READ[judge], abs=ROUNDING)
    assert got.accuracy >= PUBLISHED[judge][0] - ROUNDING and got.consistency >= PUBLISHED[judge][1] - ROUNDING


def test_the_published_winner_of_one_judge_is_not_what_it_says() -> None:
    """Where words and column differ, the reply says that (b) is better, and a line of it begins with '(a)'."""
    by_judge, _ = recorded()
    differing: dict[str, list[Any]] = defaultdict(list)
    for judge, pairs in by_judge.items():
        for row in (row for pair in pairs.values() for row in pair.values()):
            side, column = stated(row["raw_completion"]), row["winner"]
            column = column if row["shown_order"] == "AB" else _OTHER[column]
            if side not in (None, column):
                differing[judge].append((column, bool(re.search(r"(?:^|\n) ?Output \(a\)", row["raw_completion"]))))
    assert set(differing) == {"PaLM2/CoT"}
    assert sum(found == ("A", True) for found in differing["PaLM2/CoT"]) >= 140
