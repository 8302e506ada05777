"""Labels of people, replayed as a judge's replies, give the figures that are known for them."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from typing import Any, NamedTuple

import pytest

from judge_core.intake.items.rag_files import read_rag_files
from judge_core.records.item import ReadItem
from judge_core.records.item_verdict import RagVerdict
from judge_core.records.prompt import Ask
from judge_core.scoring.rag import mean_of
from tests.data_sets import data_folder
from tests.modes.rag_play import JUDGE, item_read, labels_reply, play, score_reply


class Example(NamedTuple):
    item: ReadItem
    support: tuple[str, ...]
    """What people said of each claim that could be checked."""
    evidence: tuple[tuple[int, ...], ...]
    passages: int


@pytest.fixture(scope="module")
def examples() -> list[Example]:
    path = data_folder("expertqa") / "rag_examples.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    for row in rows:
        row["claims"] = [claim for claim in row["claims"] if claim["support"] not in ("N/A", None)]
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    reading = read_rag_files([("rag_examples.jsonl", lines.encode())])
    assert reading.problems == ()
    return [_example(item, row) for item, row in zip(reading.items, rows, strict=True)]


def _example(item: ReadItem, row: dict[str, Any]) -> Example:
    numbers = {passage["passage_id"]: number for number, passage in enumerate(row["passages"], start=1)}
    claims = row["claims"]
    return Example(
        item=item,
        support=tuple(claim["support"] for claim in claims),
        evidence=tuple(tuple(sorted({numbers[id] for id in claim["evidence_ids"] or ()})) for claim in claims),
        passages=len(numbers),
    )


def faithfulness(example: Example, supported: Sequence[Sequence[str]]) -> list[float | None]:
    """By judge: each counts other words of the people as supported. A passage is relevant where a claim rests on it."""
    cited = {number for numbers in example.evidence for number in numbers}
    relevant = [number in cited for number in range(1, example.passages + 1)]

    def answer(ask: Ask) -> str:
        if ask.mode == "pointwise":
            return score_reply(3)
        verdicts = ["supported" if said in supported[ask.judge] else "not_found" for said in example.support]
        return labels_reply(list(zip(verdicts, example.evidence, strict=True)), relevant)

    judges = tuple(JUDGE.model_copy(update={"name": f"j{i}", "model": f"m{i}"}) for i in range(len(supported)))
    game = play(item_read(example.item), answer, judges)
    verdicts = [played.verdict.verdict for played in game.panel.played if played.verdict]
    return [verdict.metrics.faithfulness for verdict in verdicts if isinstance(verdict, RagVerdict)]


def test_each_answer_and_the_mean_of_all_come_out_as_known(examples: list[Example]) -> None:
    """A strict judge takes 'Complete' as supported; with one beside it that takes 'Partial' too, the mean is the lenient one."""
    folder = data_folder("expected")
    with (folder / "expertqa_faithfulness.csv").open(encoding="utf-8", newline="") as stream:
        known = {row["example_id"]: row for row in csv.DictReader(stream)}
    strict, lenient = [], []
    for example in examples:
        figures = faithfulness(example, (("Complete",), ("Complete", "Partial")))
        row = known.pop(example.item.id)
        assert len(example.support) == int(row["claims"])
        assert figures[0] == pytest.approx(float(row["faithfulness_strict"]), abs=1e-6)
        assert mean_of(figures).mean == pytest.approx(float(row["faithfulness_lenient"]), abs=1e-6)
        strict.append(figures[0])
        lenient.append(mean_of(figures).mean)
    assert not known
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))["expertqa"]
    assert mean_of(strict) == (pytest.approx(expected["mean_strict"], abs=1e-6), expected["n"])
    assert mean_of(lenient) == (pytest.approx(expected["mean_lenient"], abs=1e-6), expected["n"])
