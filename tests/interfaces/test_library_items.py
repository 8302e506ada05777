"""`Judge`, item by item: every method and its sibling for event loops, frames and files, and what is refused."""

from __future__ import annotations

import asyncio
import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from judge_core import InputError, ItemResults, Judge, JudgeSpec
from judge_core.records.event import Ended, Stored
from judge_core.records.spec import Price
from tests.engine.item_world import LONG, ItemServer
from tests.interfaces.doors import EXAMPLES, Cli

TEXTS = {"long": LONG, "short": "Wind."}
RAG: dict[str, Any] = {
    "id": "q7", "question": "When do leaves fall?", "answer": "They fall in autumn.", "model": "some-model",
    "passages": ["Leaves fall in autumn, when days grow short.", "Wind moves sand."], "page": 3,
}  # fmt: skip
RUN: dict[str, Any] = {
    "goal": "Find the tallest tree.",
    "steps": [
        {"role": "assistant", "content": "I look.", "tool_calls": [{"name": "search", "arguments": {"q": "tree"}}]},
        {"role": "tool", "name": "search", "content": "Hyperion, 116 m"},
        {"role": "assistant", "content": "The tallest tree is Hyperion, at 116 m."},
    ],
}
CALLS: dict[str, tuple[str, tuple[Any, ...]]] = {
    "review": ("review", (TEXTS,)), "gate": ("gate", (TEXTS,)), "listwise": ("rank_list", (TEXTS,)),
    "rag": ("evaluate_rag", (RAG,)), "agent": ("evaluate_agent", (RUN,)),
}  # fmt: skip


@pytest.fixture
def judge(cli: Cli) -> Iterator[Judge]:
    """An offline judge with the data folder of the test."""
    with Judge() as judge:
        yield judge


@pytest.fixture
def items() -> Iterator[ItemServer]:
    with ItemServer() as server:
        yield server


def loop(server: ItemServer, **more: Any) -> JudgeSpec:
    given = {"name": "loop", "provider": "openai_compatible", "model": "m", "base_url": server.url, **more}
    return JudgeSpec.model_validate({"price": Price(input=1, output=1), **given})


def run(judge: Judge, mode: str, **options: Any) -> ItemResults:
    name, arguments = CALLS[mode]
    results = getattr(judge, name)(*arguments, **options)
    assert isinstance(results, ItemResults)
    return results


@pytest.mark.parametrize("mode", CALLS)
def test_every_method_brings_results_of_its_mode(judge: Judge, mode: str) -> None:
    results = run(judge, mode)
    assert (results.mode, results.status, results.cost, results.problems) == (mode, "done", 0, ())
    assert results.summary.judged == len(results.state.spec.items)
    assert "demo judge" in results.sentence.casefold()
    json.dumps(results.record(), allow_nan=False)


@pytest.mark.parametrize("mode", CALLS)
def test_the_sibling_for_event_loops_brings_the_same(judge: Judge, mode: str) -> None:
    name, arguments = CALLS[mode]
    there = asyncio.run(getattr(judge, f"a{name}")(*arguments))
    here = run(judge, mode)
    strip = {"run", "calls", "cached"}
    plain = [{k: v for k, v in r.record()["summary"].items() if k not in strip} for r in (here, there)]
    assert plain[0] == plain[1] and here.run_id != there.run_id


def test_score_compare_and_rank_have_siblings_too(judge: Judge) -> None:
    async def all_three() -> list[Any]:
        rank = judge.arank(TEXTS)
        return await asyncio.gather(judge.ascore(LONG), judge.acompare("Wind.", LONG), rank)

    score, verdict, ranking = asyncio.run(all_three())
    assert score.total == judge.score(LONG).total and verdict.winner == "b"
    assert ranking.standings[0].id == "long"


def test_every_option_of_the_plain_methods_is_known_to_the_siblings() -> None:
    plain = {name for name in dir(Judge) if not name.startswith("_")} - {"open", "close", "estimate"}
    asked = {name for name in plain if f"a{name}" in plain}
    assert asked == {
        "rank", "compare", "score", "review", "gate", "rank_list", "refine", "evaluate_rag", "evaluate_agent",
    }  # fmt: skip


@pytest.mark.parametrize("mode", CALLS)
@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"temprature": 0}, "There is no option 'temprature'"),
        ({"judges": ["offline"]}, "There is no option 'judges'"),
        ({"rounds": 3}, "There is no option 'rounds'"),
        ({"on_error": "draw"}, "Choose skip or abort"),
        ({"temperature": 9}, "temperature"),
        ({"max_calls": -1}, "max_calls"),
        ({"concurrency": 0}, "concurrency"),
    ],
)
def test_an_option_that_cannot_be_is_named_and_nothing_is_started(
    judge: Judge, mode: str, options: dict[str, Any], word: str
) -> None:
    with pytest.raises(InputError, match=word):
        run(judge, mode, **options)
    assert judge.bench.runs() == []


@pytest.mark.parametrize("bar", [0.9, 5.1, float("nan")])
def test_a_bar_off_its_scale_is_refused(judge: Judge, bar: float) -> None:
    with pytest.raises(InputError, match="bar"):
        judge.gate(TEXTS, bar=bar)


@pytest.mark.parametrize(
    ("name", "given", "word"),
    [
        ("review", {"a": " "}, "'a' is empty"),
        ("review", {}, "Nothing can be judged"),
        ("gate", [Path("gone.txt")], "gone.txt"),
        ("rank_list", {"a": "One."}, "2 to 20"),
        ("rank_list", {f"{n}": f"Text {n}." for n in range(21)}, "2 to 20"),
        ("evaluate_rag", [], "Nothing can be judged"),
        ("evaluate_rag", {"question": "?"}, "answer"),
        ("evaluate_rag", "gone.jsonl", "cannot be read"),
        ("evaluate_rag", [{**RAG, "x": object()}], "JSON"),
        ("evaluate_agent", {"goal": "x", "steps": []}, "Nothing can be judged"),
        ("evaluate_agent", {"steps": RUN["steps"]}, "goal"),
    ],
)
def test_what_cannot_be_judged_is_refused_with_its_name(judge: Judge, name: str, given: Any, word: str) -> None:
    with pytest.raises(InputError, match=word):
        getattr(judge, name)(given)
    assert judge.bench.runs() == []


def test_a_row_with_a_fault_is_a_problem_and_loses_no_good_one(judge: Judge) -> None:
    results = judge.evaluate_rag([RAG, {"question": "Who?"}])
    assert len(results.state.spec.items) == 1 and "answer" in results.problems[0].message


def test_files_are_read_like_rows(judge: Judge) -> None:
    file = EXAMPLES / "rag" / "town_answers.jsonl"
    by_file, by_text = judge.evaluate_rag(file), judge.evaluate_rag(str(file))
    rows = judge.evaluate_rag([json.loads(line) for line in file.read_text("utf-8").splitlines() if line.strip()])
    assert by_file.to_frame().equals(by_text.to_frame()) and len(rows.to_frame()) == len(by_file.to_frame())
    assert by_file.summary == rows.summary


@pytest.mark.parametrize("mode", CALLS)
def test_a_frame_has_the_rows_and_columns_of_the_file(judge: Judge, mode: str) -> None:
    results = run(judge, mode)
    for name, table in results.tables.items():
        frame = results.to_frame(name)
        assert list(frame.columns) == list(table.header) and len(frame) == len(table.rows)
    content = results.files()[f"{mode}.csv"].content(results)
    rows = list(csv.reader(io.StringIO(content.decode("utf-8-sig"))))
    assert rows[0] == list(results.to_frame().columns) and len(rows) - 1 == len(results.to_frame())
    assert len(results.to_frame("judgments")) == len(results.state.spec.items)
    with pytest.raises(InputError, match="Tables are: "):
        results.to_frame("nonsense")


@pytest.mark.parametrize("mode", CALLS)
def test_equal_runs_give_equal_files(judge: Judge, mode: str, tmp_path: Path) -> None:
    results = run(judge, mode)
    again = ItemResults.of(judge.bench, results.run_id)
    files, others = results.files(), again.files()
    assert set(files) == set(others) >= {f"{mode}.csv", f"{mode}.xlsx", f"{mode}.json", "summary.csv", "judgments.csv"}
    for name in files:
        assert files[name].content(results) == others[name].content(again), name
    assert results.save_csv(tmp_path / "a.csv").read_bytes() == files[f"{mode}.csv"].content(results)
    assert results.save_xlsx(tmp_path / "a.xlsx").read_bytes() == files[f"{mode}.xlsx"].content(results)


@pytest.mark.parametrize("mode", CALLS)
def test_the_details_are_the_very_prompts_and_replies_of_the_wire(cli: Cli, items: ItemServer, mode: str) -> None:
    with Judge(loop(items)) as judge:
        results = run(judge, mode)
        exchanges = [e for item in results.state.spec.items for e in results.detail(item.id).exchanges]
    shown = [[m.model_dump() for m in e.sent.prompt] for e in exchanges]
    sent = [body["messages"] for body in items.bodies]
    assert sorted(map(json.dumps, shown)) == sorted(map(json.dumps, sent))
    for exchange in exchanges:
        system, question = (message.content for message in exchange.sent.prompt[:2])
        assert exchange.sent.reply == items.answer({"messages": [{"content": system}, {"content": question}]})
        assert exchange.said and exchange.said.error is None and exchange.said.lines


def test_a_detail_is_found_by_id_or_alias_and_an_unknown_one_is_refused(judge: Judge) -> None:
    results = judge.review(TEXTS)
    alias = next(item.alias for item in results.state.spec.items if item.id == "long")
    assert results.detail("long") == results.detail(alias)
    with pytest.raises(InputError, match="no item 'none'"):
        results.detail("none")


def test_events_are_told_in_their_order_up_to_the_end(judge: Judge) -> None:
    events: list[Stored] = []
    judge.review(TEXTS, on_event=events.append)
    assert [stored.seq for stored in events] == list(range(1, len(events) + 1))
    assert isinstance(events[-1].event, Ended)


def test_an_interrupt_pauses_the_run_and_the_same_call_goes_on(cli: Cli, items: ItemServer) -> None:
    def give_up(stored: Stored) -> None:
        raise KeyboardInterrupt

    texts = {f"t{n}": f"Text {n} of some words." for n in range(12)}
    with Judge(loop(items)) as judge:
        items.latency_s = 0.05
        with pytest.raises(KeyboardInterrupt):
            judge.review(texts, on_event=give_up, concurrency=1)
        before = items.requests
        assert before < 12
        assert judge.review(texts, concurrency=1).status == "done"
        assert items.requests == 12


def test_a_score_is_the_panels_with_its_reasons(cli: Cli, items: ItemServer) -> None:
    criteria = [{"name": "Clarity", "scale_min": 1, "scale_max": 5}, {"name": "Depth", "scale_min": 1, "scale_max": 5}]
    with Judge(loop(items), criteria=criteria) as judge:
        score = judge.score(LONG, reference="A model answer.")
    assert (score.total, score.criteria) == (0.75, {"Clarity": 4, "Depth": 4})
    assert len(score.reasons) == 1 and "Clarity: 4: why Clarity" in score.reasons[0]
    assert score.warnings and "1 of 1 quote" in score.warnings[0]
    assert "A model answer." in items.bodies[0]["messages"][1]["content"]


def test_without_a_verdict_a_score_is_none_and_never_0(cli: Cli, items: ItemServer) -> None:
    items.refuse = 400
    with Judge(loop(items)) as judge:
        score = judge.score(LONG)
    assert (score.total, score.criteria, score.reasons) == (None, {}, ())
    assert score.results.status == "failed"


def test_a_gate_is_passed_only_if_all_pass(cli: Cli, items: ItemServer) -> None:
    items.total = 10.0
    with Judge(loop(items)) as judge:
        assert judge.gate(TEXTS).passed
        items.say = lambda mode, prompt: "no" if "Sand." in prompt else None
        assert not judge.gate({**TEXTS, "sand": "Sand."}).passed
        assert not judge.review(TEXTS).passed, "a review is no gate"


def test_a_name_that_looks_like_an_alias_is_left_alone(judge: Judge) -> None:
    """Warnings and reasons name the texts as the caller does, whatever that is."""
    verdict = judge.compare(LONG, "Wind.")
    assert verdict.winner == "a" and verdict.sentence("E-002", "E-001") == "E-002 is the better one."


def test_a_ranking_is_no_run_of_items_and_the_other_way_round(judge: Judge) -> None:
    ranking, results = judge.rank(TEXTS), judge.review(TEXTS)
    with pytest.raises(InputError, match="does not judge items"):
        ItemResults.of(judge.bench, ranking.run_id)
    with pytest.raises(InputError, match="has no ranking"):
        judge.open(results.run_id)


def test_a_notebook_shows_names_as_text(judge: Judge) -> None:
    assert "<script>" not in judge.review({"<script>alert(1)</script>": "One text."})._repr_html_()
