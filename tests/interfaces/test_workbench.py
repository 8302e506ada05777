"""The workbench: what is refused before Start, who may be called, one run for equal Starts, live state."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from judge_core.intake import read_files
from judge_core.interfaces.detail.match import match_detail
from judge_core.interfaces.settings import Settings
from judge_core.interfaces.workbench import Workbench, new_spec, text_refs
from judge_core.providers.registry import judge_spec
from judge_core.records.criteria import Criterion, Rubric
from judge_core.records.errors import InputError
from judge_core.records.spec import Caps, JudgeSpec, Price, Spec
from tests.judge_server import JudgeServer

TEXTS = [(f"{n}.txt", f"Text {n}: " + " ".join(f"word{k}" for k in range(10 + 7 * n))) for n in range(1, 7)]


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    bench = Workbench(Settings(home=tmp_path / "home"))
    yield bench
    bench.close()


def spec_for(bench: Workbench, judge: JudgeSpec, **changes: object) -> Spec:
    artifacts = read_files([(name, text.encode()) for name, text in TEXTS]).artifacts
    rubric = Rubric(question="Which is richer?")
    return new_spec(
        **{"rubric": rubric, "texts": bench.keep_texts(artifacts), "judges": [judge], "rounds": 2, **changes}
    )


class Listener:
    """Counts connections to a port of this computer."""

    def __init__(self) -> None:
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.connections = 0
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self.socket.accept()
            except OSError:
                return
            self.connections += 1
            connection.close()


def test_no_connection_is_made_to_a_host_that_is_not_allowed(tmp_path: Path) -> None:
    listener = Listener()
    bench = Workbench(Settings(home=tmp_path / "home", allowed_hosts=("judges.example.org",)))
    judge = judge_spec(f"http://127.0.0.1:{listener.port}/v1#m")
    with pytest.raises(InputError, match="127.0.0.1"):
        bench.start(spec_for(bench, judge))
    with pytest.raises(InputError, match="127.0.0.1"):
        bench.test_judge(judge)
    assert bench.runs() == [] and listener.connections == 0
    bench.close()
    listener.socket.close()


def test_equal_starts_join_one_run(bench: Workbench) -> None:
    with JudgeServer() as server:
        server.hold.clear()
        spec = spec_for(bench, judge_spec(server.url + "#m"))
        first, second = bench.start(spec), bench.start(spec)
        server.hold.set()
        assert first == second and len(bench.runs()) == 1
        assert bench.wait(first).status == "done"
        assert server.requests == 6


def test_a_finished_run_started_again_is_a_new_run_that_costs_nothing(bench: Workbench) -> None:
    with JudgeServer() as server:
        spec = spec_for(bench, judge_spec(server.url + "#m"))
        first = bench.start(spec)
        bench.wait(first)
        second = bench.start(spec)
        assert bench.wait(second).status == "done" and second != first
        assert server.requests == 6 and bench.state(second).spent.cached == 6


def test_a_new_weight_needs_no_new_call_and_a_new_scale_does(bench: Workbench) -> None:
    with JudgeServer() as server:
        judge = judge_spec(server.url + "#m")
        criteria = (Criterion(name="Clarity", weight=1), Criterion(name="Evidence", weight=1))
        bench.wait(bench.start(spec_for(bench, judge, rubric=Rubric(criteria=criteria))))
        asked = server.requests
        heavier = (criteria[0].model_copy(update={"weight": 9.0}), criteria[1])
        bench.wait(bench.start(spec_for(bench, judge, rubric=Rubric(criteria=heavier))))
        assert server.requests == asked
        longer = (criteria[0].model_copy(update={"scale_max": 20.0}), criteria[1])
        bench.wait(bench.start(spec_for(bench, judge, rubric=Rubric(criteria=longer))))
        assert server.requests == 2 * asked


def test_a_wrong_key_is_one_call_and_said_once(bench: Workbench) -> None:
    with JudgeServer() as server:
        server.refuse = 401
        run = bench.start(spec_for(bench, judge_spec(server.url + "#m")))
        state = bench.wait(run)
        assert state.status == "failed" and "key" in state.reason
        assert server.requests <= 2 and not state.matches
        server.refuse = None
        bench.resume(run)
        assert bench.wait(run).status == "done"


@pytest.mark.parametrize("number", [0, 1])
def test_fewer_than_two_texts_are_refused_with_the_number(bench: Workbench, number: int) -> None:
    spec = spec_for(bench, judge_spec("offline"))
    with pytest.raises(InputError, match=f"at least two texts; there (is|are) {number}"):
        bench.start(spec.model_copy(update={"texts": spec.texts[:number]}))


def test_a_pair_that_does_not_fit_the_judge_is_refused_and_nothing_is_cut(bench: Workbench) -> None:
    judge = judge_spec("offline", context_tokens=4500, max_tokens=4096)
    with pytest.raises(InputError, match="takes 4,500 tokens, but the two longest texts"):
        bench.start(spec_for(bench, judge))


def test_a_money_cap_with_an_unknown_price_wants_a_cap_on_calls(bench: Workbench) -> None:
    with JudgeServer() as server:
        judge = judge_spec(server.url + "#m")
        with pytest.raises(InputError, match="price of .* is unknown"):
            bench.start(spec_for(bench, judge, caps=Caps(max_cost=1)))
        state = bench.wait(bench.start(spec_for(bench, judge, caps=Caps(max_cost=1, max_calls=5))))
        assert state.status == "budget" and server.requests <= 5


def test_a_money_cap_stops_the_run_below_it_and_raising_it_goes_on(bench: Workbench) -> None:
    with JudgeServer() as server:
        judge = judge_spec(server.url + "#m", price=Price(input=10, output=10), max_tokens=100)
        run = bench.start(spec_for(bench, judge, caps=Caps(max_cost=0.06)))
        state = bench.wait(run)
        assert state.status == "budget"
        assert 0 < state.spent.cost.known <= 0.06
        assert state.ledger["held"] == 6 - len(state.matches) > 0
        bench.raise_caps(run, Caps(max_cost=10))
        state = bench.wait(run)
        assert state.status == "done" and server.requests == 6


def test_aliases_tell_nothing_of_names_or_upload_order() -> None:
    artifacts = read_files([(name, text.encode()) for name, text in TEXTS]).artifacts
    refs = text_refs(artifacts)
    assert refs == text_refs(artifacts[::-1])
    renamed = [a.model_copy(update={"id": f"z{a.id}", "title": "x"}) for a in artifacts]
    assert [r.sha256 for r in text_refs(renamed)] == [r.sha256 for r in refs]
    assert [r.alias for r in refs] == [f"E-{n:03d}" for n in range(1, 7)]


def test_no_name_id_alias_or_weight_reaches_the_judge(bench: Workbench) -> None:
    with JudgeServer(keep_bodies=True) as server:
        artifacts = read_files(
            [("draft_final_BEST.md", b"Parks are nice."), ("Zora Smith.md", b"Parks cost a lot.")]
        ).artifacts
        columns = [a.model_copy(update={"columns": {"name": "Zora Smith", "grade": "A+"}}) for a in artifacts]
        criteria = (Criterion(name="Clarity", weight=0.61803), Criterion(name="Evidence", weight=0.38197))
        spec = new_spec(
            rubric=Rubric(criteria=criteria, question="Which?"), texts=bench.keep_texts(columns),
            judges=[judge_spec(server.url + "#m")], rounds=1,
        )  # fmt: skip
        bench.wait(bench.start(spec))
        sent = str(server.bodies)
    assert len(server.bodies) == 1
    for secret in ("BEST", "draft", "Zora", "Smith", "A+", "E-001", "E-002", "61803", "38197"):
        assert secret not in sent


def test_a_match_opens_into_the_very_prompt_and_reply(bench: Workbench) -> None:
    with JudgeServer(keep_bodies=True) as server:
        run = bench.start(spec_for(bench, judge_spec(server.url + "#m"), both_orders=True))
        state = bench.wait(run)
        sent = [body["messages"] for body in server.bodies]
    for place in state.matches:
        detail = match_detail(bench, run, place)
        assert len(detail.exchanges) == 2
        for exchange in detail.exchanges:
            assert [m.model_dump() for m in exchange.prompt] in sent
            assert exchange.reply and exchange.reading and exchange.reading.reading
            assert exchange.reading.shown.a == exchange.turn.first
    with pytest.raises(InputError, match="No match was judged at place 99"):
        match_detail(bench, run, 99)


def test_two_runs_at_once_use_their_own_texts_and_keys(bench: Workbench) -> None:
    from pydantic import SecretStr

    with JudgeServer(keep_bodies=True) as one, JudgeServer(keep_bodies=True) as two:
        first = spec_for(bench, judge_spec(one.url + "#m"))
        second = spec_for(bench, judge_spec(two.url + "#m"), rubric=Rubric(question="Another question?"))
        runs = [
            bench.start(first, {first.judges[0].name: SecretStr("key-one")}),
            bench.start(second, {second.judges[0].name: SecretStr("key-two")}),
        ]
        assert [bench.wait(run).status for run in runs] == ["done", "done"]
    assert "Another question?" not in str(one.bodies) and "Another question?" in str(two.bodies)
    folder = bench.home.root
    bench.close()
    kept = b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())
    assert b"key-one" not in kept and b"key-two" not in kept


def test_a_text_sent_twice_is_two_rows_and_never_a_win(bench: Workbench) -> None:
    reading = read_files([("a.md", b"Trees cool the street.\n"), ("a (1).md", b"Trees cool the street.\n")])
    assert all("duplicate_text" in [n.code for n in a.warnings] for a in reading.artifacts)
    spec = new_spec(
        rubric=Rubric(question="?"), texts=bench.keep_texts(reading.artifacts), judges=[judge_spec("offline")], rounds=1
    )
    state = bench.wait(bench.start(spec))
    assert [view.result for view in state.matches.values()] == [0.5]
    assert state.elo_now("E-001") == state.elo_now("E-002") == 1500


def test_state_grows_while_the_run_goes_on(bench: Workbench) -> None:
    with JudgeServer(latency_s=0.02) as server:
        run = bench.start(spec_for(bench, judge_spec(server.url + "#m"), rounds=5), concurrency=1)
        seen = set()
        while bench.live(run):
            seen.add(len(bench.state(run).matches))
        bench.wait(run)
    assert len(seen) > 3 and len(bench.state(run).matches) == 15


def test_pause_keeps_what_was_answered_and_resume_goes_on(bench: Workbench) -> None:
    with JudgeServer(latency_s=0.03) as server:
        run = bench.start(spec_for(bench, judge_spec(server.url + "#m"), rounds=5), concurrency=2)
        while not bench.state(run).matches:
            pass
        bench.pause(run)
        state = bench.wait(run)
        assert state.status == "paused" and 0 < len(state.matches) < 15
        bench.resume(run)
        assert bench.wait(run).status == "done"
        assert server.requests == 15


def test_a_cap_on_calls_counts_every_request_repeats_included(bench: Workbench) -> None:
    with JudgeServer() as server:
        run = bench.start(
            spec_for(bench, judge_spec(server.url + "#m"), rounds=5, caps=Caps(max_calls=7)), concurrency=2
        )
        while not bench.state(run).matches and bench.live(run):
            pass
        server.refuse = 503
        state = bench.wait(run, 120)
        assert state.status == "budget"
        assert server.requests <= 7


def test_a_judge_that_is_not_there_ends_the_run_with_the_reason(bench: Workbench) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    state = bench.wait(bench.start(spec_for(bench, judge_spec(f"http://127.0.0.1:{port}/v1#m"))), 120)
    assert state.status == "failed" and "no connection" in state.reason
    assert not state.matches


def test_a_vendors_judge_without_its_key_is_refused_before_anything_is_sent(bench: Workbench) -> None:
    with pytest.raises(InputError, match="openai:gpt-4o needs a key: set OPENAI_API_KEY"):
        bench.start(spec_for(bench, judge_spec("openai:gpt-4o")))
    assert bench.runs() == []


def test_a_run_that_is_over_cannot_be_cancelled(bench: Workbench) -> None:
    run = bench.start(spec_for(bench, judge_spec("offline")))
    assert bench.wait(run).status == "done"
    with pytest.raises(InputError, match="over already"):
        bench.cancel(run)
    assert bench.state(run).status == "done"
