"""Whole runs whose rating is to rest on levels or probabilities: what is asked, kept, cached, and never paid twice."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from judge_core.interfaces.settings import Settings
from judge_core.interfaces.workbench import Workbench
from judge_core.providers.registry import judge_spec
from judge_core.records.event import MatchJudged
from judge_core.records.spec import JudgeSpec
from judge_core.records.verdict import Judgment
from tests.interfaces.test_workbench import spec_for
from tests.judge_server import JudgeServer

CALLS = 6
"""Two rounds of six texts."""


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    bench = Workbench(Settings(home=tmp_path / "home"))
    yield bench
    bench.close()


@pytest.fixture
def server() -> Iterator[JudgeServer]:
    with JudgeServer(keep_bodies=True) as server:
        yield server


def played(bench: Workbench, judge: JudgeSpec, **changes: object) -> list[Judgment]:
    """The judgments of a new run, played to its end."""
    run = bench.start(spec_for(bench, judge, **changes))
    assert bench.wait(run, 30).status == "done"
    return judgments(bench, run)


def judgments(bench: Workbench, run: str) -> list[Judgment]:
    events = [stored.event for stored in bench.journal.events(run)]
    return [judgment for event in events if isinstance(event, MatchJudged) for judgment in event.judgments]


def judge_at(server: JudgeServer, **fields: Any) -> JudgeSpec:
    return judge_spec(server.url + "#m", **fields)


def test_levels_are_kept_with_every_judgment_and_a_rerun_is_free(bench: Workbench, server: JudgeServer) -> None:
    first = played(bench, judge_at(server), evidence="levels")
    assert {judgment.level for judgment in first} <= {0.0, 0.25, 0.5, 0.75, 1.0} and server.requests == CALLS
    assert all(judgment.level == order.level for judgment in first for order in judgment.orders)
    again = played(bench, judge_at(server), evidence="levels", name="again", rounds=2, seed=0, on_error="abort")
    assert [each.level for each in again] == [each.level for each in first] and server.requests == CALLS


def test_replies_without_tokens_do_not_serve_a_run_that_asks_for_them(bench: Workbench, server: JudgeServer) -> None:
    plain = played(bench, judge_at(server))
    assert server.requests == CALLS and all(each.probability is None for each in plain)
    telling = judge_at(server, log_probabilities=True)
    told = played(bench, telling, evidence="probabilities")
    assert server.requests == 2 * CALLS and all(each.probability is not None for each in told)
    assert [(each.probability or 0) > 0.5 for each in told] == [each.result == 1 for each in told]
    again = played(bench, telling, evidence="probabilities", on_error="abort")
    assert [each.probability for each in again] == [each.probability for each in told] and server.requests == 2 * CALLS
    later = played(bench, judge_at(server), on_error="abort")
    assert server.requests == 2 * CALLS and [each.result for each in later] == [each.result for each in plain]


def test_a_judge_that_refuses_is_asked_twice_once_and_its_winners_count(bench: Workbench, server: JudgeServer) -> None:
    server.unknown_fields = {"logprobs": 403}
    told = played(bench, judge_at(server, log_probabilities=True), evidence="probabilities", lookahead=1)
    assert server.requests == CALLS + 1 and [each.probability for each in told] == [None] * CALLS
    assert all(each.result is not None for each in told)
    for each in told:
        assert {"parameter_refused", "probability_missing"} <= {notice.code for notice in each.warnings}


@pytest.mark.parametrize("evidence", ["levels", "probabilities"])
def test_a_finished_run_plays_again_with_the_same_verdicts_and_no_call(
    bench: Workbench, server: JudgeServer, evidence: str
) -> None:
    judge = judge_at(server, log_probabilities=evidence == "probabilities")
    run = bench.start(spec_for(bench, judge, evidence=evidence))
    bench.wait(run, 30)
    before = judgments(bench, run)
    bench.resume(run)
    assert bench.wait(run, 30).status == "done"
    assert judgments(bench, run) == before and server.requests == CALLS


def test_the_demo_judge_gives_levels_without_a_key(bench: Workbench) -> None:
    told = played(bench, judge_spec("offline"), evidence="levels")
    assert told and all(judgment.level is not None for judgment in told)
