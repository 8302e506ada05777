"""People's recorded votes as a judge: ask for a pair, and get what they said of it."""

from __future__ import annotations

import csv
import json
import os
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from judge_core.ranking.comparison import Comparison

Ballots = Mapping[frozenset[str], tuple[str | None, ...]]
"""By pair: the text that each voter chose; None for a tie."""
DATA = Path(os.environ.get("PODIUM_TEST_DATA", Path(__file__).parents[3] / "shared" / "data"))
PEOPLE = "human"
"""In place of a judge's name: everyone who voted."""
UKP_TASK = "is-the-school-uniform-a-good-or-bad-idea-_good"


@dataclass
class Voters:
    """The majority of a pair's votes, or one of its voters, drawn once a pair."""

    ballots: Ballots
    truth: Mapping[str, float]
    """The order to be found: higher is better."""
    rng: np.random.Generator | None = None
    """Draws the one voter; None: the majority decides."""
    _chosen: dict[frozenset[str], tuple[str | None, ...]] = field(default_factory=dict)

    def margin(self, first: str, second: str) -> float:
        """Votes for the text named first, less those for the other."""
        pair = frozenset((first, second))
        if pair not in self._chosen:
            ballot = self.ballots[pair]
            self._chosen[pair] = ballot if self.rng is None else (ballot[self.rng.integers(len(ballot))],)
        return float(sum((vote == first) - (vote == second) for vote in self._chosen[pair]))

    def ranking(self, shown: Sequence[str]) -> tuple[str, ...]:
        raise NotImplementedError("No list was ranked by these people.")

    def score(self, text: str) -> float:
        raise NotImplementedError("No text was scored by itself by these people.")


def majority(ballot: Sequence[str | None]) -> str | None:
    """The text with more votes; None where they are even."""
    counts = {text: ballot.count(text) for text in ballot if text is not None}
    ordered = sorted(counts, key=lambda text: -counts[text])
    if not ordered or (len(ordered) > 1 and counts[ordered[0]] == counts[ordered[1]]):
        return None
    return ordered[0]


def ukp() -> tuple[Ballots, dict[str, float]]:
    """35 texts, every pair judged by about five people; the published score, turned so that higher is better."""
    with (DATA / "ukpconvarg1" / "verdicts_5judges.jsonl").open(encoding="utf-8") as file:
        ballots = _ballots(map(json.loads, file))
    rows = _rows("ukpconvarg1/gold_ranks.csv")
    return ballots, {row["artifact_id"]: -float(row["rank_score"]) for row in rows if row["task_id"] == UKP_TASK}


def writing_samples() -> tuple[Ballots, dict[str, float]]:
    """20 texts of rising quality, one outcome for every pair."""
    with (DATA / "pairwisellm" / "artifacts20.jsonl").open(encoding="utf-8") as file:
        truth = {row["artifact_id"]: float(row["quality_score"]) for row in map(json.loads, file)}
    return _ballots(_rows("pairwisellm/pairs20_complete.csv")), truth


def essay_levels() -> list[float]:
    """The levels of quality at which 1,000 essays were written."""
    with (DATA / "pairwisellm" / "essays1000.jsonl").open(encoding="utf-8") as file:
        return [float(json.loads(line)["theta_true"]) for line in file]


def chat_answers(judge: str) -> tuple[list[Comparison], Ballots]:
    """70 chat models by their answers to 13 tasks: the verdicts of one judge (or of all `PEOPLE`), and people's votes."""
    rows = [{**row, "a_id": _model(row["a_id"]), "b_id": _model(row["b_id"])} for row in _rows("llmfao/verdicts.csv")]
    result = {"A": 1.0, "B": 0.0, "tie": 0.5}
    verdicts = [
        Comparison(row["a_id"], row["b_id"], result[row["winner"]], position=1)
        for row in rows
        if judge in (row["judge_id"], row["judge_kind"])
    ]
    return verdicts, _ballots(row for row in rows if row["judge_kind"] == PEOPLE)


def dialogue_scores() -> list[dict[str, Any]]:
    """Replies in 60 dialogues: people's mean scores by criterion, and over all."""
    with (DATA / "topicalchat" / "artifacts.jsonl").open(encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def both_orders() -> dict[str, list[tuple[str, str, str]]]:
    """By language model, for each pair: the right answer, and the verdicts with either text shown first."""
    right = {row["pair_id"]: row["winner"] for row in _rows("llmbar/pairs_gold.csv")}
    said: dict[tuple[str, str], dict[str, str]] = defaultdict(dict)
    with (DATA / "llmbar" / "llm_judgments_both_orders.jsonl").open(encoding="utf-8") as file:
        for row in map(json.loads, file):
            said[row["judge_id"], row["pair_id"]][row["shown_order"]] = row["winner"]
    found: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
    for (judge, pair), orders in sorted(said.items()):
        found[judge].append((right[pair], orders["AB"], orders["BA"]))
    return found


def _model(answer: str) -> str:
    return answer.rpartition("-")[2]


def _rows(name: str) -> list[dict[str, str]]:
    with (DATA / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _ballots(rows: Iterable[Mapping[str, str]]) -> Ballots:
    found: dict[frozenset[str], list[str | None]] = defaultdict(list)
    for row in rows:
        chosen = {"A": row["a_id"], "B": row["b_id"]}.get(row["winner"])
        found[frozenset((row["a_id"], row["b_id"]))].append(chosen)
    return {pair: tuple(votes) for pair, votes in found.items()}
