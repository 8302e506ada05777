"""`Judge`: ranking from Python, with the same engine, cache and data folder as every other door."""

from __future__ import annotations

import csv
import io
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import judge_core
from judge_core import Criterion, InputError, Judge, JudgeSpec, PodiumError, Rubric
from judge_core.interfaces.library.results import FILES
from judge_core.records.event import Ended, Stored
from judge_core.records.spec import Price
from tests.interfaces.doors import ESSAYS, EXAMPLES, ROOT, Cli
from tests.judge_server import JudgeServer

TEXTS = {f"t{n}": " ".join(f"word{k}" for k in range(n * 6)) for n in range(1, 7)}


@pytest.fixture
def judge(cli: Cli) -> Iterator[Judge]:
    """An offline judge with the data folder of the test."""
    with Judge(question="Which is richest?") as judge:
        yield judge


def asked(server: JudgeServer, **settings: object) -> JudgeSpec:
    """A judge on loopback that costs a dollar for a million tokens."""
    given = {"name": "loop", "provider": "openai_compatible", "model": "m", "base_url": server.url, **settings}
    return JudgeSpec.model_validate({"price": Price(input=1, output=1), **given})


def test_a_mapping_of_texts_is_ranked(judge: Judge) -> None:
    ranking = judge.rank(TEXTS)
    assert ranking.status == "done" and ranking.cost == 0
    assert {row.id for row in ranking.standings} == set(TEXTS)
    assert "Offline demo judge" in ranking.sentence
    assert judge.open(ranking.run_id).standings == ranking.standings


def test_files_folders_and_bare_texts_can_be_mixed(judge: Judge) -> None:
    ranking = judge.rank([ESSAYS / "essay-01.txt", "A bare text of some words.", EXAMPLES / "sleep" / "README.md"])
    assert {row.id for row in ranking.standings} == {"essay-01.txt", "text-002", "README.md"}


def test_frames_and_files_show_the_same_rows(judge: Judge, tmp_path: Path) -> None:
    ranking = judge.rank({"007": TEXTS["t3"], "=SUM(A1)": TEXTS["t2"], "c": TEXTS["t1"]})
    frame = ranking.to_frame()
    assert list(frame["id"]) == [row.id for row in ranking.standings]
    assert list(frame.columns[:4]) == ["rank", "tied_with", "id", "title"]
    path = ranking.save_csv(tmp_path / "r.csv")
    rows = list(csv.DictReader(io.StringIO(path.read_bytes().decode("utf-8-sig"))))
    assert [row["id"].removeprefix("'") for row in rows] == list(frame["id"])
    judgments = ranking.judgments_frame()
    assert {"007", "=SUM(A1)", "c"} >= set(judgments["a"]) | set(judgments["b"])
    assert judgments["total_a"].between(0, 1).all()
    assert judgments["reasons"].str.contains("The judge saw").all()


def test_a_notebook_shows_names_as_text(judge: Judge) -> None:
    ranking = judge.rank({"<script>alert(1)</script>": "One text.", "b": "Another text here."})
    assert "<script>" not in ranking._repr_html_()


def test_a_match_opens_into_prompt_and_raw_reply(judge: Judge) -> None:
    detail = judge.rank(TEXTS, both_orders=True).match(1)
    assert len(detail.exchanges) == 2
    assert all(TEXTS["t1"] or exchange.prompt for exchange in detail.exchanges)
    assert all(exchange.reply and exchange.reading and exchange.reading.error is None for exchange in detail.exchanges)


def test_events_are_told_in_their_order_up_to_the_end(judge: Judge) -> None:
    events: list[Stored] = []
    judge.rank(TEXTS, on_event=events.append)
    assert [stored.seq for stored in events] == list(range(1, len(events) + 1))
    assert isinstance(events[-1].event, Ended)


def test_what_the_caller_raises_pauses_the_run_and_goes_up(judge: Judge) -> None:
    """The run is there afterwards, and the same call goes on with it."""

    def give_up(stored: Stored) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        judge.rank(TEXTS, on_event=give_up)
    [row] = judge.bench.runs()
    assert row.status in ("paused", "done")
    assert judge.rank(TEXTS).status == "done"


def test_prior_elo_is_where_a_text_begins(judge: Judge) -> None:
    ranking = judge.rank(TEXTS, prior_elo={"t1": 1600})
    alias = next(text.alias for text in ranking.state.spec.texts if text.id == "t1")
    assert ranking.state.elo[alias][0] == (0, 1600)
    with pytest.raises(InputError, match="'t9'"):
        judge.rank(TEXTS, prior_elo={"t9": 1600})


def test_equal_texts_stay_two_rows_and_tie(judge: Judge) -> None:
    ranking = judge.rank(
        {"draft_final.md": "Trees cool the street.\n", "draft_final (1).md": "Trees cool the street.\n"}
    )
    assert {row.ties for row in ranking.standings} == {1}
    assert all("duplicate_text" in row.warnings for row in ranking.standings)


@pytest.mark.parametrize(
    ("texts", "word"),
    [
        ({}, "at least two"),
        ({"a": "One."}, "at least two"),
        ({"a": "One.", "b": " \u200b"}, "'b' is empty"),
        (["One.", Path("gone.txt")], "gone.txt"),
        ("just a text", "several texts"),
    ],
)
def test_texts_that_cannot_be_ranked_are_refused_in_words(judge: Judge, texts: object, word: str) -> None:
    with pytest.raises(InputError, match=word):
        judge.rank(texts)  # type: ignore[arg-type]
    assert judge.bench.runs() == []


@pytest.mark.parametrize(
    "options", [{"round": 3}, {"judges": ["offline"]}, {"rounds": 0}, {"keep": "5"}, {"method": "x"}]
)
def test_options_that_cannot_be_are_refused_by_name(judge: Judge, options: dict[str, object]) -> None:
    with pytest.raises(InputError) as caught:
        judge.rank(TEXTS, **options)
    assert next(iter(options)) in str(caught.value) or caught.value.field == next(iter(options))


@pytest.mark.parametrize(
    "criteria",
    [
        "writing",
        '[{"name": "Content"}]',
        [{"name": "Content"}],
        {"Content": 1},
        Rubric(criteria=(Criterion(name="Content"),)),
        EXAMPLES / "sleep" / "criteria.json",
        str(EXAMPLES / "sleep" / "criteria.json"),
    ],
)
def test_criteria_come_in_many_forms(cli: Cli, criteria: object) -> None:
    with Judge(criteria=criteria) as judge:  # type: ignore[arg-type]
        assert judge.rubric.criteria[0].name in ("Content", "Argument")


def test_a_question_takes_the_place_of_the_rubrics_own(cli: Cli) -> None:
    with Judge(criteria=EXAMPLES / "sleep" / "criteria.json", question="Mine?") as judge:
        assert judge.rubric.question == "Mine?"


@pytest.mark.parametrize("swapped", [False, True])
def test_compare_names_the_better_of_two_whichever_comes_first(cli: Cli, server: JudgeServer, swapped: bool) -> None:
    better, worse = TEXTS["t6"], TEXTS["t1"]
    with Judge(asked(server)) as judge:
        verdict = judge.compare(worse, better) if swapped else judge.compare(better, worse)
    assert verdict.winner == ("b" if swapped else "a")
    assert server.requests == 2
    pair = verdict.scores[0]["Overall"]
    assert (pair.b > pair.a) is swapped
    assert len(verdict.reasons) == 2


def test_compare_without_any_verdict_has_no_winner(cli: Cli, server: JudgeServer) -> None:
    server.refuse = 400
    with Judge(asked(server)) as judge:
        verdict = judge.compare(TEXTS["t1"], TEXTS["t2"])
    assert verdict.winner is None


def test_a_rerun_and_other_weights_cost_no_call(cli: Cli, server: JudgeServer) -> None:
    for weight in (0.5, 0.5, 0.9):
        criteria = [{"name": "X", "weight": weight}, {"name": "Y", "weight": 1 - weight}]
        with Judge(asked(server), criteria=criteria) as judge:
            ranking = judge.rank(TEXTS)
    assert server.requests == 9
    assert ranking.cost == 0 and ranking.state.spent.cached == 9


def test_a_cap_in_dollars_is_never_overrun(cli: Cli, server: JudgeServer) -> None:
    with Judge(asked(server)) as judge:
        ranking = judge.rank(TEXTS, max_cost=0.02)
    assert ranking.status == "budget"
    assert ranking.cost is not None and ranking.cost <= 0.02


def test_estimate_asks_nobody(cli: Cli, server: JudgeServer) -> None:
    with Judge([asked(server), "offline"]) as judge:
        needed = judge.estimate(TEXTS)
    assert needed.calls == 18 and needed.cost is not None and needed.cost > 0
    assert server.requests == 0


@pytest.mark.parametrize("options", [{"until": "top:6@0.9"}, {"until": "cut:2,6"}, {"rounds": 1001}])
def test_what_cannot_be_ranked_gets_no_price_either(judge: Judge, options: dict[str, object]) -> None:
    with pytest.raises(InputError, match="among 6 texts|not possible"):
        judge.estimate(TEXTS, **options)


def test_the_files_of_a_ranking_are_the_same_each_time(judge: Judge) -> None:
    ranking = judge.rank(TEXTS)
    again = judge.open(ranking.run_id)
    for file in FILES.values():
        assert file.content(ranking) == file.content(again)


def test_the_package_offers_its_names_and_loads_them_when_they_are_used() -> None:
    code = "import judge_core, sys; print('judge_core.interfaces' in sys.modules, judge_core.Judge.__module__)"
    found = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert found.stdout.split() == ["False", "judge_core.interfaces.library.judge"]
    assert all(getattr(judge_core, name) is not None for name in judge_core.__all__)
    assert sorted(judge_core.__all__, key=str.casefold) == sorted(judge_core.__all__, key=str.casefold)
    with pytest.raises(AttributeError, match="nothing"):
        judge_core.nothing  # noqa: B018
    assert issubclass(InputError, PodiumError)
