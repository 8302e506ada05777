"""Whole runs against answers that are known: designed levels, people's votes, reversed qualities."""

from __future__ import annotations

import csv
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from scipy.stats import spearmanr

from judge_core.intake import read_paths
from judge_core.interfaces.settings import Settings
from judge_core.interfaces.workbench import Workbench, new_spec
from judge_core.providers.registry import judge_spec
from judge_core.records.criteria import Criterion, Rubric
from judge_core.records.event import MatchJudged
from judge_core.records.spec import Spec
from judge_core.scoring.rubric.reading import read_rubric
from judge_core.views.standings import Standings, standings
from judge_core.views.state import RunState
from tests.data_sets import data_folder
from tests.judge_server import JudgeServer, richness

EXAMPLES = Path(__file__).parents[1] / "examples" / "sleep"
UNIFORM = "is-the-school-uniform-a-good-or-bad-idea-_good"


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    bench = Workbench(Settings(home=tmp_path / "home"))
    yield bench
    bench.close()


def spec_of(bench: Workbench, folder: Path, judge: str, rounds: int, rubric: Rubric | None = None) -> Spec:
    reading = read_paths([folder])
    refs = bench.keep_texts(reading.artifacts)
    rubric = rubric or Rubric(question="Which text is better?")
    return new_spec(rubric=rubric, texts=refs, judges=[judge_spec(judge)], rounds=rounds)


def ranked(bench: Workbench, spec: Spec) -> tuple[RunState, Standings]:
    state = bench.wait(bench.start(spec), 120)
    assert state.status == "done", state.reason
    return state, standings(state)


def agreement(table: Standings, gold: dict[str, float]) -> float:
    """Spearman of the published rating with a gold in which more is better, over all texts."""
    rows = [row for row in table.rows if row.rating is not None]
    assert len(rows) == len(gold)
    return float(spearmanr([row.rating for row in rows], [gold[row.id] for row in rows]).statistic)


def uniform_gold(folder: Path) -> dict[str, float]:
    with (folder / "gold_ranks.csv").open(encoding="utf-8") as file:
        return {
            row["artifact_id"] + ".txt": -float(row["rank_score"])
            for row in csv.DictReader(file)
            if row["task_id"] == UNIFORM
        }


def test_the_offline_judge_finds_the_designed_levels_of_forty_essays(bench: Workbench) -> None:
    folder = data_folder("pairwisellm")
    with (folder / "upload40_gold.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    key, value = list(rows[0])[0], list(rows[0])[-1]
    gold = {Path(row[key]).stem + ".txt": float(row[value]) for row in rows}
    _, table = ranked(bench, spec_of(bench, folder / "upload40", "offline", 10))
    assert agreement(table, gold) >= 0.85


def test_the_offline_judge_agrees_with_people_on_35_arguments(bench: Workbench) -> None:
    folder = data_folder("ukpconvarg1")
    _, table = ranked(bench, spec_of(bench, folder / "upload" / UNIFORM, "offline", 10))
    assert agreement(table, uniform_gold(folder)) >= 0.5


@pytest.fixture(params=[(), ("--fail-rate", "0.1", "--malform-rate", "0.1")], ids=["sound judge", "judge with faults"])
def votes(request: pytest.FixtureRequest) -> Iterator[str]:
    """The base URL of a judge that replays people's votes."""
    folder = data_folder("ukpconvarg1")
    script = folder.parents[1] / "tools" / "replay_judge.py"
    if not script.exists():
        pytest.skip("the replaying judge is not beside the data sets")
    command = [sys.executable, str(script), "--port", "0", "--data", str(folder), *request.param]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield process.stdout.readline().split()[3].rstrip(":")
        process.terminate()


@pytest.mark.slow
@pytest.mark.parametrize(("rounds", "bar"), [(3, 0.6), (8, 0.75), (20, 0.85)])
def test_swiss_rounds_on_peoples_votes_reach_the_published_ranks(
    bench: Workbench, votes: str, rounds: int, bar: float
) -> None:
    folder = data_folder("ukpconvarg1")
    state, table = ranked(bench, spec_of(bench, folder / "upload" / UNIFORM, votes + "#majority", rounds))
    assert agreement(table, uniform_gold(folder)) >= bar
    for view in state.matches.values():
        for judgment in view.judgments:
            if judgment.outcome in ("failed", "unparseable"):
                assert view.result is None and view.elo == view.elo_before, "a failure moves no rating"
    assert sum(state.ledger.values()) == state.planned_judgments


def quality(text: str) -> float:
    """Half the richness, so that none reaches the end of the scale, told apart by length where it is equal."""
    return richness(text) / 2 + len(text) / 1e5


def poverty(text: str) -> float:
    """The reverse of `quality`."""
    return 10.0 - quality(text)


def test_reversing_all_qualities_reverses_the_ranking(bench: Workbench) -> None:
    orders = []
    for score in (quality, poverty):
        with JudgeServer(score=score) as server:
            _, table = ranked(bench, spec_of(bench, EXAMPLES / "essays", server.url + "#m", 11))
        orders.append([row.id for row in table.rated])
    assert orders[0] == orders[1][::-1]
    texts = {artifact.id: artifact.text for artifact in read_paths([EXAMPLES / "essays"]).artifacts}
    assert orders[0] == sorted(texts, key=lambda name: -quality(texts[name]))


def test_two_criteria_give_different_orders_of_the_examples(bench: Workbench) -> None:
    orders = []
    for name in ("Vocabulary", "Mechanics"):
        rubric = Rubric(criteria=(Criterion(name=name, description=f"{name} of the text."),), question="Which?")
        _, table = ranked(bench, spec_of(bench, EXAMPLES / "essays", "offline", 11, rubric))
        orders.append([row.id for row in table.rated])
    assert sorted(orders[0]) == sorted(orders[1]) and orders[0] != orders[1]


def test_the_examples_come_out_in_their_intended_order(bench: Workbench) -> None:
    rubric = read_rubric((EXAMPLES / "criteria.json").read_text("utf-8")).rubric
    _, table = ranked(bench, spec_of(bench, EXAMPLES / "essays", "offline", 11, rubric))
    with (EXAMPLES / "intended_order.csv").open(encoding="utf-8") as file:
        gold = {row["id"]: -float(row["level"]) for row in csv.DictReader(file)}
    assert agreement(table, gold) >= 0.8


def test_elo_sums_to_what_it_started_with_over_a_whole_run(bench: Workbench) -> None:
    state, _ = ranked(bench, spec_of(bench, EXAMPLES / "essays", "offline", 11))
    assert sum(state.elo_now(text.alias) for text in state.spec.texts) == pytest.approx(12 * 1500, abs=1e-6)


@pytest.mark.parametrize(("focus", "k", "planned"), [("all", None, 18), ("rank", 4, 15), ("class", 4, 14)])
def test_narrowing_plays_the_matches_it_announced(bench: Workbench, focus: str, k: int | None, planned: int) -> None:
    spec = spec_of(bench, EXAMPLES / "essays", "offline", 3)
    spec = Spec.model_validate({**spec.model_dump(), "narrowing": {"focus": focus, "k": k}})
    run = bench.start(spec)
    assert bench.wait(run).status == "done"
    events = [s.event for s in bench.journal.events(run)]
    assert sum(isinstance(event, MatchJudged) for event in events) == planned == events[0].planned_matches
