"""Whole tournaments through the engine, against roles on loopback: the known best text, kills, caps, outages, steering."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from judge_core.interfaces.bench.refinement import new_refine_spec
from judge_core.interfaces.detail.exchanges import all_sent
from judge_core.interfaces.library.bundle import bundle, import_bundle
from judge_core.interfaces.settings import Settings
from judge_core.interfaces.workbench import Workbench
from judge_core.providers.registry import judge_spec
from judge_core.records.artifact import Artifact
from judge_core.records.criteria import Rubric
from judge_core.records.errors import InputError
from judge_core.records.event import RunExtended
from judge_core.records.record import text_hash
from judge_core.records.refinement.events import IncumbentAccepted
from judge_core.records.refinement.nouns import Seat
from judge_core.records.spec import Caps, RefineSpec
from tests.engine.test_kill import LIFE, ROOT
from tests.refine_server import FIRST, TARGET, RefineServer

BEST = " ".join(dict.fromkeys(TARGET))


def prepared(home: Path, server: RefineServer, judges: int = 3, **fields: object) -> tuple[Workbench, RefineSpec]:
    bench = Workbench(Settings(home=home))
    text = Artifact(
        id="street.md", title="street", text=FIRST, words=len(FIRST.split()), characters=len(FIRST),
        sha256=text_hash(FIRST), encoding="utf-8",
    )  # fmt: skip
    (ref,) = bench.keep_texts([text])
    spec = new_refine_spec(
        rubric=Rubric(question="Say why trees cool."), text=ref, judges=(judge_spec(server.url + "#m"),),
        panel=tuple(Seat(judge=0) for _ in range(judges)), **{"stopping": {"max_rounds": 30}, **fields},
    )  # fmt: skip
    return bench, spec


def test_roles_with_a_known_preference_come_to_the_known_text(tmp_path: Path) -> None:
    with RefineServer() as server:
        bench, spec = prepared(tmp_path, server)
        run = bench.start(spec)
        bench.wait(run, 60)
        state = bench.refine_state(run)
        assert state.status == "done" and state.ended and state.ended.outcome == "converged"
        assert bench.archive.text(state.incumbent.sha256) == BEST
        assert server.requests == state.spent.calls == len(state.passes) * (3 + 3)
        assert (state.agreement or 0) > 0.5, (
            "revision and synthesis are often the same words, which judges rank as shown"
        )
        again = bench.start(spec.model_copy(update={"name": "again"}))
        if again != run:
            bench.wait(again, 60)
            assert bench.refine_state(again).spent.calls == 0, "at temperature 0 an equal tournament costs nothing"
        bench.close()


def test_every_step_and_vote_traces_to_its_prompt_and_reply_after_export_and_import(tmp_path: Path) -> None:
    with RefineServer() as server:
        bench, spec = prepared(tmp_path / "one", server, judges=2, stopping={"max_rounds": 2})
        run = bench.start(spec)
        bench.wait(run, 60)
        other = Workbench(Settings(home=tmp_path / "other"))
        copy = import_bundle(other, bundle(bench, run))
        assert other.refine_state(copy) == bench.refine_state(run)
        for home, id in ((bench, run), (other, copy)):
            sent = list(all_sent(home, id, home.journal.events(id), home.journal.completions(id)))
            assert len(sent) == 2 * (3 + 2) and all(one.prompt and one.reply for one in sent)
        bench.close()
        other.close()


def test_killed_anywhere_a_tournament_ends_as_if_nothing_had_happened(tmp_path: Path) -> None:
    lots = random.Random(7)
    with RefineServer(latency_s=0.03) as server:
        whole, spec = prepared(tmp_path / "whole", server, stopping={"max_rounds": 6})
        run = whole.start(spec)
        whole.wait(run, 60)
        bench, spec = prepared(tmp_path / "killed", server, stopping={"max_rounds": 6})
        killed = bench.journal.create(spec)
        for _ in range(5):
            life = subprocess.Popen([sys.executable, str(LIFE), str(tmp_path / "killed"), killed], cwd=ROOT)
            try:
                life.wait(lots.uniform(0.8, 1.6))
            except subprocess.TimeoutExpired:
                life.send_signal(signal.SIGKILL)
            life.wait()
        bench.resume(killed)
        bench.wait(killed, 60)
        one, other = whole.refine_state(run), bench.refine_state(killed)
        assert [view.decision for view in one.passes.values()] == [view.decision for view in other.passes.values()]
        assert one.incumbent == other.incumbent and one.ended == other.ended
        whole.close()
        bench.close()


def test_a_cap_holds_within_a_pass_and_raising_it_goes_on(tmp_path: Path) -> None:
    with RefineServer() as server:
        bench, spec = prepared(tmp_path, server, stopping={"max_rounds": 2}, caps=Caps(max_calls=5))
        run = bench.start(spec)
        bench.wait(run, 60)
        assert bench.refine_state(run).status == "budget" and server.requests <= 5
        bench.raise_caps(run, Caps(max_calls=100))
        bench.wait(run, 60)
        assert bench.refine_state(run).status == "done" and server.requests == 12
        bench.close()


def test_an_outage_fails_the_run_with_the_remedy_and_asking_again_goes_on(tmp_path: Path) -> None:
    with RefineServer() as server:
        bench, spec = prepared(tmp_path, server, stopping={"max_rounds": 2})
        server.refuse = 400
        run = bench.start(spec)
        bench.wait(run, 60)
        state = bench.refine_state(run)
        assert state.status == "failed" and not state.decided
        server.refuse = None
        bench.retry(run)
        bench.wait(run, 60)
        assert bench.refine_state(run).status == "done" and len(bench.refine_state(run).decided) == 2
        bench.close()


def test_judges_of_no_signal_show_no_agreement(tmp_path: Path) -> None:
    with RefineServer() as server:
        server.undecided = True
        bench, spec = prepared(tmp_path, server, judges=5, stopping={"max_rounds": 6})
        run = bench.start(spec)
        bench.wait(run, 60)
        agreement = bench.refine_state(run).agreement
        assert agreement is not None and agreement < 0.5
        bench.close()


def test_a_finished_tournament_goes_on_and_can_be_accepted(tmp_path: Path) -> None:
    with RefineServer() as server:
        bench, spec = prepared(tmp_path, server, stopping={"max_rounds": 1})
        run = bench.start(spec)
        bench.wait(run, 60)
        bench.send(run, RunExtended(rounds=2))
        bench.wait(run, 60)
        state = bench.refine_state(run)
        assert state.status == "done" and len(state.decided) == 3
        bench.send(run, IncumbentAccepted())
        bench.wait(run, 60)
        assert bench.refine_state(run).ended == state.ended, "what is over is not accepted a second time"
        bench.close()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"critic": 3}, "critic is judge 4 of 1"),
        ({"panel": [Seat(judge=2)]}, "judge is judge 3 of 1"),
        ({"veto_threshold": 9}, "9 of 3 judges"),
        ({"panel": [Seat(judge=0)] * 30}, "30 judges are too many"),
    ],
)
def test_what_cannot_be_played_is_refused_before_anything_is_asked(
    tmp_path: Path, change: dict[str, object], words: str
) -> None:
    with RefineServer() as server:
        bench, spec = prepared(tmp_path, server)
        with pytest.raises(InputError, match=words):
            bench.start(RefineSpec.model_validate({**spec.model_dump(), **change}))
        assert server.requests == 0
        bench.close()


def test_the_price_is_three_calls_and_one_a_judge_for_each_pass(tmp_path: Path) -> None:
    with RefineServer() as server:
        bench, spec = prepared(tmp_path, server, judges=5, stopping={"max_rounds": 15})
        assert bench.estimate(spec).calls == 15 * (3 + 5)
        bench.close()
