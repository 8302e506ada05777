"""A real model on this computer judges from end to end: whatever it says, each reply is a verdict or a loss with its cause.

The model is so small that its replies are worth nothing and often broken, which is what they are wanted for here.
It is asked warm, so that its replies differ, and cut short, so that many are broken off.
"""

from __future__ import annotations

import hashlib
import re
import socket
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import httpx
import pytest

from judge_core import Judge
from judge_core.interfaces.detail.match import Exchange
from judge_core.interfaces.library.item_results import ItemResults
from judge_core.interfaces.library.results import Ranking
from judge_core.providers.kinds.gguf_server import lend, running, take_back
from judge_core.providers.registry import judge_spec
from judge_core.records.event import MatchJudged, Stored
from judge_core.records.item_verdict import ItemJudgment
from judge_core.records.spec import JudgeSpec
from judge_core.records.verdict import DECIDED, Judgment, Turn
from tests.real_model import real_model

QUESTION = "Why do leaves fall?"
TEXTS = {
    "sealing": "Short days make the tree seal each stem.",
    "wind": "The wind blows the leaves down.",
    "list": "Because of: cold, wind, age.",
    "saving": "A leaf loses water that frozen soil cannot give back.",
    "wrong": "Gravity grows stronger in autumn.",
    "story": "My grandmother said that leaves get tired.",
    "hormone": "Less auxin reaches the stem, whose cells weaken.",
    "doubt": "I do not really know.",
}
FEW = dict(list(TEXTS.items())[:3])
ANSWER = {
    "question": "When do leaves fall?",
    "answer": "They fall in autumn.",
    "passages": ["Leaves fall in autumn, when days grow short.", "Wind moves sand."],
}
AGENT = {
    "goal": "Find the tallest tree.",
    "steps": [
        {"role": "assistant", "content": "", "tool_calls": [{"name": "search", "arguments": {"q": "tallest tree"}}]},
        {"role": "tool", "name": "search", "content": "Hyperion, 116 m"},
        {"role": "assistant", "content": "It is Hyperion."},
    ],
}
CONTEXT = 2048
WARM: dict[str, Any] = {"temperature": 1.0, "concurrency": 2}
MODES: dict[str, Callable[[Judge], ItemResults]] = {
    "review": lambda judge: judge.review(FEW, **WARM),
    "rag": lambda judge: judge.evaluate_rag(ANSWER, **WARM),
    "agent": lambda judge: judge.evaluate_agent(AGENT, **WARM),
    "listwise": lambda judge: judge.rank_list(FEW, **WARM),
}
NUMBER = r"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?"


@pytest.fixture
def panel() -> Iterator[JudgeSpec]:
    """The model as a judge; afterwards nothing of it is left running in this process."""
    threads = set(threading.enumerate())
    yield judge_spec(f"local:{real_model()}", context_tokens=CONTEXT, max_tokens=48, temperature=1.0)
    assert running() == 0
    assert set(threading.enumerate()) <= threads


def address(judge: JudgeSpec) -> httpx.URL:
    """Where the server of a judge that is being asked now listens."""
    server = lend(Path(judge.model), CONTEXT)
    take_back(server)
    return httpx.URL(server.url)


def lost(turn: Turn) -> bool:
    """Whether a turn says that it brought no reading, and why."""
    assert (turn.status == "ok") == (turn.error is None)
    return turn.status != "ok"


def classified(judgment: Judgment | ItemJudgment) -> str:
    """A judgment's class, after a look at whether its turns bear it out."""
    last = {turn.first: turn for turn in judgment.turns}
    if judgment.outcome in (*DECIDED, "judged"):
        assert judgment.decided and not all(map(lost, last.values()))
    else:
        assert not judgment.decided and any(map(lost, last.values()))
        assert judgment.outcome in {turn.status for turn in last.values()}
    return judgment.outcome


def stated(reply: str, side: str) -> float:
    """The score that a reply gives a side, brought onto the scale: the first number there, read by a plain pattern."""
    found = re.search(rf'"score_{side}"\s*:\s*({NUMBER})', reply)
    assert found, reply
    return min(10.0, max(0.0, float(found[1])))


def check_kept(reply: str | None, turn: Turn) -> None:
    """The raw reply is stored, and it is the one that the turn tells of."""
    if turn.status == "failed":
        assert reply is None
    else:
        assert reply is not None and turn.reply_sha256 == hashlib.sha256(reply.encode()).hexdigest()


def check_exchange(one: Exchange, model: str) -> None:
    """What was read stands in the raw reply; what could not be read was given no scores."""
    check_kept(one.reply, one.turn)
    assert one.prompt and one.model in (model, "")
    if one.turn.status == "ok":
        assert one.reply and one.reading and one.reading.reading
        scores = one.reading.reading.scores["Overall"]
        assert (scores.a, scores.b) == (stated(one.reply, "a"), stated(one.reply, "b"))


@pytest.mark.slow
def test_a_ranking_by_a_real_model_accounts_for_every_reply(panel: JudgeSpec, tmp_path: Path) -> None:
    heard: list[httpx.URL] = []

    def listen(stored: Stored) -> None:
        if isinstance(stored.event, MatchJudged) and not heard:
            heard.append(address(panel))

    with Judge([panel], question=QUESTION, home=tmp_path) as judge:
        ranking = judge.rank(TEXTS, rounds=5, on_event=listen, **WARM)
        assert ranking.status == "done"
        _check_ledger(ranking)
        for view in ranking.state.matches.values():
            exchanges = ranking.match(view.place).exchanges
            assert [one.turn for one in exchanges] == [turn for made in view.judgments for turn in made.turns]
            for one in exchanges:
                check_exchange(one, Path(panel.model).stem)
        assert ranking.record()["judges"] == [panel.name]
        assert set(ranking.judgments_frame()["judge"]) == {panel.name}
        assert ranking.cost == 0.0
    with pytest.raises(ConnectionError):
        socket.create_connection((heard[0].host, heard[0].port or 0), 2).close()


def _check_ledger(ranking: Ranking) -> None:
    judgments = [made for view in ranking.state.matches.values() for made in view.judgments]
    counts = Counter(map(classified, judgments))
    assert {name: number for name, number in ranking.state.ledger.items() if number} == counts
    assert counts.total() == ranking.state.planned_judgments >= 20
    assert ranking.state.spent.calls == sum(len(made.turns) for made in judgments)
    for made in judgments:
        assert made.result in ((0.0, 0.5, 1.0) if made.decided else (None,))
        for pair in made.scores.values():
            assert 0 <= pair.a <= 10 and 0 <= pair.b <= 10
    assert len(ranking.standings) == len(TEXTS)


@pytest.mark.slow
def test_every_other_mode_takes_what_a_real_model_says(panel: JudgeSpec, tmp_path: Path) -> None:
    with Judge([panel.model_copy(update={"max_tokens": 64})], question=QUESTION, home=tmp_path) as judge:
        for mode, ask in MODES.items():
            results = ask(judge)
            assert (results.mode, results.record()["judges"]) == (mode, [panel.name])
            _check_items(results)


def _check_items(results: ItemResults) -> None:
    state = results.state
    assert len(state.items) == len(state.spec.items)
    judgments = [made for view in state.items.values() for made in view.judgments]
    counts = Counter(map(classified, judgments))
    assert {name: number for name, number in state.ledger.items() if number} == counts
    assert results.status == ("done" if counts["judged"] else "failed")
    for alias, view in state.items.items():
        exchanges = results.detail(alias).exchanges
        assert [one.sent.turn for one in exchanges] == [turn for made in view.judgments for turn in made.turns]
        for one in exchanges:
            check_kept(one.sent.reply, one.sent.turn)
        _check_scales([made for made in view.judgments if made.decided])


def _check_scales(judgments: Sequence[ItemJudgment]) -> None:
    for made in judgments:
        verdict = made.verdict
        assert verdict is not None
        if verdict.kind == "point":
            assert 0 <= verdict.total <= 1 and all(0 <= score <= 10 for score in verdict.scores.values())
        elif verdict.kind == "list":
            assert sorted(verdict.ranking) == [1, 2, 3] and all(1 <= place <= 3 for place in verdict.positions)
        else:
            figures = verdict.metrics.model_dump().values()
            assert all(figure is None or 0 <= figure <= 1 for figure in figures)
