"""Answers for which nothing was retrieved: no support is invented, and an entry without words is named, not guessed at."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from judge_core import Judge
from judge_core.intake.items.rag_files import read_rag_files
from judge_core.records.item import ItemReading, ReadItem
from judge_core.records.item_verdict import RagMetrics, RagVerdict
from judge_core.scoring.rag import mean_of
from tests.modes.case_files import CASES
from tests.modes.rag_play import Game, claims_reply, item_read, labels_reply, play, score_reply

ROWS: dict[str, dict[str, Any]] = {row["id"]: row for row in CASES["I-020"]["input"]["rows"]}


def read(*rows: dict[str, Any]) -> ItemReading:
    return read_rag_files([("answers.jsonl", "".join(json.dumps(row) + "\n" for row in rows).encode())])


def item(name: str) -> ReadItem:
    (found,) = read(ROWS[name]).items
    return found


def judged(name: str, claims: Sequence[str]) -> Game:
    """The row, by a judge that finds these claims and calls each of them what it is without a passage."""
    replies = {
        "rag_claims": claims_reply(*claims),
        "rag_labels": labels_reply([("not_found", [])] * len(claims)),
        "pointwise": score_reply(3),
    }
    return play(item_read(item(name)), lambda ask: replies[ask.mode])


def metrics(game: Game) -> RagMetrics:
    verdict = game.opinion.verdict
    assert isinstance(verdict, RagVerdict)
    return verdict.metrics


def test_i_020_a_row_with_blank_passages_is_named_with_the_entry_and_left_out() -> None:
    reading = read(*ROWS.values())
    assert [each.id for each in reading.items] == ["made_up", "refusal"]
    (problem,) = reading.problems
    assert problem.file == "answers.jsonl"
    assert problem.message.startswith("Line 3: 'contexts, entry 1' is empty")
    assert problem.message.endswith("The row was left out.")


@pytest.mark.parametrize("blank", ["", "  ", "\n\t", "\u200b", "\u00a0"])
@pytest.mark.parametrize("place", [1, 2, 3])
def test_i_020_one_blank_passage_among_others_is_named_by_its_place(blank: str, place: int) -> None:
    passages = ["Trees cost 40 euros.", "Parks are free."]
    reading = read(ROWS["blank_context"] | {"contexts": [*passages[: place - 1], blank, *passages[place - 1 :]]})
    assert reading.items == ()
    (problem,) = reading.problems
    assert f"'contexts, entry {place}' is empty" in problem.message


@pytest.mark.parametrize("name", ["made_up", "refusal"])
def test_i_020_nothing_retrieved_is_an_answer_without_passages_and_no_fault(name: str) -> None:
    assert [part.role for part in item(name).parts] == ["question", "answer"]


def test_i_020_claims_without_any_passage_are_unsupported_each_time() -> None:
    figures = {metrics(judged("made_up", ["It is 40 euros per year."])).model_dump_json() for _ in range(3)}
    (only,) = figures
    assert json.loads(only)["faithfulness"] == 0.0
    assert json.loads(only)["context_precision"] is None and json.loads(only)["context_utilisation"] is None


def test_i_020_a_refusal_is_not_measured_and_stays_out_of_the_mean() -> None:
    refusal, made_up = judged("refusal", []), judged("made_up", ["It is 40 euros per year."])
    assert metrics(refusal).faithfulness is None
    assert refusal.codes == ["no_claims"]
    mean = mean_of(metrics(game).faithfulness for game in (refusal, made_up))
    assert (mean.mean, mean.n) == (0.0, 1)


def test_i_020_the_same_rows_from_reading_to_the_table(tmp_path: Path) -> None:
    with Judge(home=tmp_path) as judge:
        results = judge.evaluate_rag(list(ROWS.values()))
    table = results.to_frame().set_index("id")
    assert list(table.index) == ["made_up", "refusal"]
    assert table.loc["made_up", "faithfulness"] == 0.0
    assert table["faithfulness"].isna().tolist() == [False, True]
    (problem,) = results.problems
    assert "'contexts, entry 1' is empty" in problem.message
