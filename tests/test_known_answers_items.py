"""Whole runs of items against answers that are known: labels counted by hand, designed levels, planted patterns."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from scipy.stats import spearmanr

from judge_core import Judge, JudgeSpec
from tests.engine.item_world import ItemServer, mode_of

EXAMPLES = Path(__file__).parents[1] / "examples"


@pytest.fixture
def server() -> Iterator[ItemServer]:
    with ItemServer() as server:
        yield server


def loop(server: ItemServer, name: str = "loop", weight: float = 1.0) -> JudgeSpec:
    given = {"name": name, "provider": "openai_compatible", "model": name, "base_url": server.url, "weight": weight}
    return JudgeSpec.model_validate(given)


def test_the_demo_judge_scores_the_example_essays_by_their_designed_levels(tmp_path: Path) -> None:
    with (EXAMPLES / "sleep" / "intended_order.csv").open(encoding="utf-8") as file:
        levels = {row["id"]: int(row["level"]) for row in csv.DictReader(file)}
    with Judge(criteria=EXAMPLES / "sleep" / "criteria.json", home=tmp_path) as judge:
        frame = judge.review([EXAMPLES / "sleep" / "essays"]).to_frame()
    assert set(frame["id"]) == set(levels)
    assert spearmanr(frame["score"], [-levels[id] for id in frame["id"]]).statistic >= 0.9


def test_the_example_runs_show_the_patterns_that_were_planted(tmp_path: Path) -> None:
    with Judge(home=tmp_path) as judge:
        frame = judge.evaluate_agent(EXAMPLES / "agents" / "runs.json").to_frame().set_index("id")
    planted = {"find-recipe": "repetition_loop", "fix-date-parser": "stuck_on_test", "agree-on-title": "ping_pong"}
    for id, found in frame["patterns"].items():
        assert planted[id] in found if id in planted else not found
    assert frame.loc["book-hall", "goal"] == 1.0 and frame.loc["find-recipe", "goal"] == 0.0


def test_a_refusal_among_the_example_answers_has_no_faithfulness(tmp_path: Path) -> None:
    with Judge(home=tmp_path) as judge:
        results = judge.evaluate_rag(EXAMPLES / "rag" / "town_answers.jsonl")
    frame = results.to_frame().set_index("id")
    assert frame["faithfulness"].isna().to_dict() == {id: id == "waste-1" for id in frame.index}
    assert frame.loc["waste-1", "claims"] == 0


def test_the_figures_of_an_answer_are_those_counted_by_hand(tmp_path: Path, server: ItemServer) -> None:
    """Four claims: two supported (one by two passages), one contradicted, one not found; passages 1 and 3 of 4 relevant.

    Faithfulness 2/4, contradiction 1/4; context precision as the mean of precision at the relevant ranks,
    (1/1 + 2/3) / 2; answer relevance 4 on 1 to 5 is 3/4.
    """
    labels = [("supported", ["1", "3"]), ("contradicted", ["2"]), ("not_found", []), ("supported", ["1"])]
    said = {
        "claims": [{"id": str(n), "verdict": v, "passages": p} for n, (v, p) in enumerate(labels, start=1)],
        "passages": [{"id": str(n), "relevant": n in (1, 3)} for n in range(1, 5)],
    }
    server.say = lambda mode, prompt: json.dumps(said) if mode == "rag_labels" else None
    row = {
        "question": "Q?",
        "answer": "A.",
        "passages": [f"P{n}." for n in range(4)],
        "claims": [f"C{n}." for n in range(4)],
    }
    with Judge(loop(server), home=tmp_path) as judge:
        results = judge.evaluate_rag(row)
    [found] = results.to_frame().to_dict("records")
    assert (found["faithfulness"], found["contradiction"], found["answer_relevance"]) == (0.5, 0.25, 0.75)
    assert found["context_precision"] == pytest.approx((1 + 2 / 3) / 2, abs=1e-4), "tables show four digits"
    assert (found["claims"], found["supported"], found["contradicted"], found["not_found"]) == (4, 2, 1, 1)
    assert server.requests == 2


def test_a_panel_of_unequal_weights_decides_at_the_bar_as_on_paper(tmp_path: Path) -> None:
    """Scores 3 and 5 with weights 3 and 1 are 3.5 together: the bar 3.5 is reached, 3.6 is not."""
    criteria = [{"name": "Clarity", "scale_min": 1, "scale_max": 5}]
    with ItemServer() as low, ItemServer() as high:
        low.total, high.total = 3.0, 5.0
        with Judge([loop(low, "low", 3.0), loop(high, "high", 1.0)], criteria=criteria, home=tmp_path) as judge:
            at, above = judge.gate({"a": "A text."}, bar=3.5), judge.gate({"a": "A text."}, bar=3.6)
    assert (at.passed, above.passed) == (True, False)
    assert [float(r.to_frame()["score"].iloc[0]) for r in (at, above)] == [3.5, 3.5]


def test_a_gate_lets_pass_just_the_texts_that_reach_the_bar(tmp_path: Path, server: ItemServer) -> None:
    criteria = [{"name": "Clarity", "scale_min": 1, "scale_max": 5}]
    texts = {f"t{n}": f"Worth {n / 10}." for n in range(10, 51, 5)}

    def by_worth(mode: str, prompt: str) -> str:
        worth = float(prompt.split("Worth ")[1].split(".\n")[0])
        return json.dumps({"criteria": [{"name": "Clarity", "score": worth, "reasoning": ""}], "verdict": "pass"})

    server.say = by_worth
    with Judge(loop(server), criteria=criteria, home=tmp_path) as judge:
        record = judge.gate(texts, bar=3.5).record()
    passed = {item["id"] for item in record["items"] if item["panel"]["passed"]}
    assert passed == {"t35", "t40", "t45", "t50"} and record["passed"] is False
    assert record["summary"]["share_passed"] == pytest.approx(4 / 9)


def test_a_list_is_ranked_by_mean_positions_over_both_directions(tmp_path: Path, server: ItemServer) -> None:
    """The judge knows the best and else prefers what it sees first: forwards C A B D, in reverse C D B A.

    Mean positions: A (2+4)/2 = 3, B 3, C 1, D (4+2)/2 = 3; so C leads and the others are level.
    """

    def by_eye(mode: str, prompt: str) -> str:
        first = prompt.index("Text A.") < prompt.index("Text D.")
        return json.dumps({"ranking": ["3", "1", "2", "4"] if first else ["2", "1", "3", "4"], "reasoning": ""})

    server.say = by_eye
    with Judge(loop(server), home=tmp_path) as judge:
        results = judge.rank_list({name: f"Text {name}." for name in "ABCD"})
    frame = results.to_frame().set_index("candidate")
    assert frame["place"].to_dict() == {"C": 1, "A": 2, "B": 2, "D": 2}
    assert "list_order" in json.dumps(results.record()["items"][0]["warnings"])


def test_the_figures_of_a_run_are_those_counted_by_hand(tmp_path: Path, server: ItemServer) -> None:
    """Four steps: two useful, one redundant, one harmful; of two calls one was right; the goal partly reached."""
    rows = [("useful", "correct"), ("redundant", "wrong"), ("harmful", "none"), ("useful", "none")]
    steps = [{"step": str(n), "label": label, "call": call} for n, (label, call) in enumerate(rows, start=1)]
    server.say = lambda mode, prompt: json.dumps({"goal": "partly", "steps": steps, "quotes": [], "reasoning": ""})
    call = {"role": "assistant", "content": "x", "tool_calls": [{"name": "look", "arguments": {}}]}
    run = {
        "goal": "Find it.",
        "steps": [call, {**call, "content": "y"}, *({"role": "assistant", "content": c} for c in "zw")],
    }
    with Judge(loop(server), home=tmp_path) as judge:
        [found] = judge.evaluate_agent(run).to_frame().to_dict("records")
    assert (found["goal"], found["useful"], found["redundant"], found["harmful"]) == (0.5, 0.5, 0.25, 0.25)
    assert found["call_correctness"] == 0.5
    assert {mode_of(body["messages"][0]["content"]) for body in server.bodies} == {"agent"}
