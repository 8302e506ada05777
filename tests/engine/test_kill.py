"""kill -9 at 20 random points of one run: nothing paid is lost, next to nothing is paid twice, the result is the same."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from judge_core.intake import read_paths
from judge_core.interfaces.settings import Settings
from judge_core.interfaces.workbench import Workbench, new_spec
from judge_core.providers.registry import judge_spec
from judge_core.records.criteria import Rubric
from judge_core.views.standings import standings
from tests.judge_server import JudgeServer

KILLS = 20
IN_FLIGHT = 8
LIFE = Path(__file__).with_name("life.py")
ROOT = Path(__file__).parents[2]


def prepared(home: Path, server: JudgeServer) -> tuple[Workbench, str]:
    """A workbench with a run of 28 texts that waits to be started: 14 matches a round, both orders, 10 rounds."""
    bench = Workbench(Settings(home=home))
    essays = read_paths([ROOT / "examples" / "sleep" / "essays"]).artifacts
    halves = [part for essay in essays for part in halved(essay.text)]
    artifacts = [
        essay.model_copy(update={"text": text, "sha256": sha, "id": f"{n}.txt"})
        for n, (essay, (text, sha)) in enumerate(zip([*essays, *essays, *essays], halves, strict=False))
    ][:28]
    judge = judge_spec(server.url + "#m")
    spec = new_spec(
        rubric=Rubric(question="Which is richer?"), texts=bench.keep_texts(artifacts), judges=[judge], rounds=10, both_orders=True
    )  # fmt: skip
    return bench, bench.journal.create(spec)


def halved(text: str) -> list[tuple[str, str]]:
    from judge_core.records.record import text_hash

    words = text.split()
    thirds = [words[: len(words) // 3], words[len(words) // 3 :], words]
    return [(" ".join(part), text_hash(" ".join(part))) for part in thirds]


def outcome(bench: Workbench, run: str) -> list[tuple[object, ...]]:
    """All that a result shows: places, pairs, results, Elo, and the standings."""
    state = bench.state(run)
    matches = [(m.place, m.round, m.a, m.b, m.result, dict(m.elo)) for m in state.matches.values()]
    rows = [(r.alias, r.rank, r.rating, r.low, r.high, r.elo, r.wins, r.losses, r.ties) for r in standings(state).rows]
    return [*matches, *rows]


@pytest.mark.slow
def test_killed_at_twenty_random_points_the_run_ends_as_if_nothing_had_happened(tmp_path: Path) -> None:
    rng = random.Random(20)
    with JudgeServer(latency_s=0.05) as server:
        bench, run = prepared(tmp_path / "whole", server)
        bench.resume(run, concurrency=IN_FLIGHT)
        assert bench.wait(run, 120).status == "done"
        whole, calls = outcome(bench, run), server.requests
        bench.close()

        server.requests = 0
        bench, run = prepared(tmp_path / "killed", server)
        bench.close()
        kills = 0
        while kills < KILLS:
            life = subprocess.Popen([sys.executable, str(LIFE), str(tmp_path / "killed"), run], cwd=ROOT)
            at = server.requests + rng.randint(1, calls // (KILLS + 4))
            wait_for_requests(server, at, life)
            time.sleep(rng.random() * 0.05)
            life.send_signal(signal.SIGKILL)
            life.wait()
            kills += 1
        bench = Workbench(Settings(home=tmp_path / "killed"))
        bench.resume(run, concurrency=IN_FLIGHT)
        assert bench.wait(run, 120).status == "done"
        assert outcome(bench, run) == whole
        assert calls <= server.requests <= calls + KILLS * IN_FLIGHT
        stored = bench.journal.completions(run)
        assert len(stored) == calls, "every reply that counts is in the journal"
        bench.close()


def wait_for_requests(server: JudgeServer, number: int, life: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 60
    while server.requests < number and time.monotonic() < deadline:
        assert life.poll() is None, "the run ended before it could be killed"
        time.sleep(0.002)
    assert server.requests >= number


def test_a_process_that_leaves_with_calls_in_flight_closes_its_run_in_order(tmp_path: Path) -> None:
    with JudgeServer(latency_s=1.2) as server:
        bench, run = prepared(tmp_path / "home", server)
        bench.close()
        left = subprocess.run(
            [sys.executable, str(LIFE.with_name("leaving.py")), str(tmp_path / "home"), run],
            cwd=ROOT, capture_output=True, text=True, timeout=60,
        )  # fmt: skip
        assert left.returncode == 0 and left.stderr == "", left.stderr
        bench = Workbench(Settings(home=tmp_path / "home"))
        row = bench.journal.row(run)
        assert (row.status, row.lease_owner) == ("paused", None)
        assert len(bench.journal.completions(run)) == server.requests, "each call in flight was waited for and kept"
        server.latency_s = 0.0
        bench.resume(run, concurrency=IN_FLIGHT)
        assert bench.wait(run, 120).status == "done"
        assert bench.state(run).charged.calls == 0
        assert len(bench.journal.completions(run)) == server.requests, "and none was asked twice"
        bench.close()
