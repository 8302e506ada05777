"""Runs recorded before there were items, stand-ins and forms: they open, and they go on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from judge_core.interfaces.detail.match import match_detail
from judge_core.interfaces.settings import Settings
from judge_core.interfaces.workbench import Workbench, new_spec
from judge_core.providers.registry import judge_spec
from judge_core.records.event import EVENT, MatchJudged
from judge_core.records.record import canonical_json, digest
from judge_core.records.spec import ANY_SPEC, LATER, ItemSpec, Spec
from judge_core.store import schema
from tests.interfaces.doors import wait_for
from tests.interfaces.test_workbench import spec_for
from tests.judge_server import JudgeServer

TEXT = {"columns": {}, "notices": [], "prior_elo": None, "words": 1, "characters": 5}
OLD: dict[str, Any] = {
    "app_version": "0.1.0", "both_orders": True, "caps": {"max_calls": None, "max_cost": None}, "elo_k": 32.0,
    "elo_start": 1500.0,
    "judges": [
        {"base_url": "http://127.0.0.1:9/v1", "context_tokens": None, "max_tokens": 4096, "model": "m", "name": "loop",
         "price": None, "provider": "openai_compatible", "temperature": 0.0, "timeout_s": 120.0, "weight": 1.0}
    ],
    "lookahead": 4, "method": "swiss", "mode": "rank", "name": "", "narrowing": {"focus": "all", "k": None},
    "on_error": "skip", "prompt_version": "1", "rounds": 3,
    "rubric": {
        "criteria": [{"description": "", "levels": [], "name": "Overall", "scale_max": 10.0, "scale_min": 0.0, "weight": 1.0}],
        "name": "", "question": "Which?", "source_extract": "", "word_limit": None,
    },
    "schema_version": 1, "seed": 0,
    "texts": [
        {**TEXT, "alias": "E-001", "id": "t6", "title": "t6", "sha256": "4722fe87" * 8},
        {**TEXT, "alias": "E-002", "id": "t5", "title": "t5", "sha256": "b2676e4c" * 8},
    ],
}  # fmt: skip
"""A stored spec as it was spelled before."""
OLD_MATCH = {
    "type": "match_judged", "place": 1, "round": 1, "a": "E-001", "b": "E-002", "replicate": 0,
    "judgments": [
        {"judge": 0, "outcome": "won", "result": 1.0, "scores": {"Overall": {"a": 1.8, "b": 1.5}},
         "totals": {"a": 0.18, "b": 0.15},
         "orders": [{"first": "E-002", "turn": 0, "scores": {"Overall": {"a": 1.8, "b": 1.5}},
                     "totals": {"a": 0.18, "b": 0.15}, "winner": "A", "stated": "A"}],
         "turns": [{"turn": 0, "first": "E-002", "repair": False, "status": "ok", "reply_sha256": "a7" * 32, "key": "12" * 32,
                    "cached": False, "usage": {"prompt_tokens": 500, "completion_tokens": 50}, "cost": None, "calls": 1,
                    "seconds": 0.007, "error": None}],
         "warnings": []}
    ],
    "result": 1.0, "elo": {"E-001": 1516.0, "E-002": 1484.0},
}  # fmt: skip
NEW_FIELDS = (*LATER, "answered_by", "groups", "singles", "level", "probability", "chances")
"""Of specs, texts, judges, rounds, verdicts and turns."""


def test_a_stored_spec_of_before_is_a_ranking_with_nobody_standing_in() -> None:
    spec = ANY_SPEC.validate_json(json.dumps(OLD))
    assert isinstance(spec, Spec) and not isinstance(spec, ItemSpec)
    assert spec.fallbacks == () and spec.texts[0].alias == "E-001" and spec.prompt_version == "1"


def test_every_field_of_before_is_kept_as_it_was() -> None:
    again = json.loads(ANY_SPEC.validate_json(json.dumps(OLD)).canonical())
    assert older(again) == OLD
    assert {key: again[key] for key in LATER if key in again} == {key: LATER[key] for key in LATER if key in again}


def test_a_spec_of_before_keeps_its_identity() -> None:
    whole = {key: value for key, value in OLD.items() if key not in ("name", "app_version")}
    assert ANY_SPEC.validate_json(json.dumps(OLD)).identity == digest(whole)


def test_equal_specs_have_one_identity_whatever_they_are_called() -> None:
    spec = ANY_SPEC.validate_json(json.dumps(OLD))
    named = spec.model_copy(update={"name": "x", "app_version": "9"})
    assert named.identity == spec.identity
    assert spec.model_copy(update={"seed": 1}).identity != spec.identity


def test_a_recorded_match_of_before_is_read_and_nothing_is_added_to_its_meaning() -> None:
    event = EVENT.validate_python(OLD_MATCH)
    assert isinstance(event, MatchJudged)
    [judgment] = event.judgments
    assert (judgment.outcome, judgment.decided, judgment.turns[0].answered_by) == ("won", True, "")
    again = json.loads(event.model_dump_json())
    assert older(again) == OLD_MATCH


def older(value: Any) -> Any:
    """A stored value in the spelling of before: without the fields that there were not."""
    if isinstance(value, list):
        return [older(each) for each in value]
    if isinstance(value, dict):
        return {
            key: older(each) for key, each in value.items() if key not in NEW_FIELDS and (key, each) != ("title", "")
        }
    return value


def make_older(bench: Workbench, run: str) -> str:
    """Rewrites a run as the version before would have written it, and returns its identity then."""
    with bench._database.begin() as connection:
        row = connection.execute(sa.select(schema.runs).where(schema.runs.c.id == run)).one()
        spec = older(json.loads(row.spec)) | {"prompt_version": "1"}
        identity = digest({key: value for key, value in spec.items() if key not in ("name", "app_version")})
        changed = schema.runs.update().where(schema.runs.c.id == run)
        connection.execute(changed.values(spec=canonical_json(spec), identity=identity))
        for table, key in ((schema.events, "seq"), (schema.completions, "turn")):
            for stored in connection.execute(sa.select(table).where(table.c.run == run)).all():
                body = canonical_json(older(json.loads(stored.body)))
                where = sa.and_(table.c.run == run, table.c[key] == getattr(stored, key))
                if key == "turn":
                    where = sa.and_(where, table.c.place == stored.place)
                connection.execute(table.update().where(where).values(body=body))
    return identity


class HoldingServer(JudgeServer):
    """Answers so many requests and then holds the next ones back."""

    def __init__(self, after: int):
        super().__init__()
        self.after = after

    def answer(self, body: dict[str, Any]) -> str:
        if self.requests == self.after:
            self.hold.clear()
        return super().answer(body)


def test_a_paused_run_of_before_opens_and_goes_on_and_pays_nothing_twice(tmp_path: Path) -> None:
    """Its recorded events are taken as they are: new kinds of warnings change nothing that was judged."""
    with HoldingServer(after=3) as server:
        bench = Workbench(Settings(home=tmp_path / "home"))
        run = bench.start(spec_for(bench, judge_spec(server.url + "#m"), both_orders=True, lookahead=3), concurrency=1)
        wait_for(lambda: server.requests == 4)
        bench.pause(run)
        wait_for(lambda: bench.runner.handle(run).player._world.desk.closing)  # type: ignore[union-attr]
        server.hold.set()
        assert bench.wait(run, 30).status == "paused"
        bench.close()

        bench = Workbench(Settings(home=tmp_path / "home"))
        make_older(bench, run)
        before = [stored.event for stored in bench.journal.events(run)]
        answered = len(bench.journal.completions(run))
        assert server.requests == answered
        assert match_detail(bench, run, 1).exchanges[0].prompt
        bench.resume(run)
        state = bench.wait(run, 30)
        assert state.status == "done" and len(bench.state(run).matches) == 6
        assert [stored.event for stored in bench.journal.events(run)][: len(before)] == before
        assert server.requests == 12, "six matches in both orders, none asked twice"
        bench.close()


def test_a_done_run_of_before_plays_again(tmp_path: Path) -> None:
    bench = Workbench(Settings(home=tmp_path / "home"))
    with JudgeServer() as server:
        run = bench.start(spec_for(bench, judge_spec(server.url + "#m")))
        bench.wait(run, 30)
        make_older(bench, run)
        bench.resume(run)
        assert bench.wait(run, 30).status == "done" and server.requests == 6
    bench.close()


@pytest.mark.parametrize("field", ["answered", "fallback", "texts_"])
def test_an_unknown_field_is_refused_and_never_passed_over(field: str) -> None:
    with pytest.raises(ValueError, match=field):
        ANY_SPEC.validate_python({**OLD, field: 1})


def test_a_new_ranking_is_spelled_with_all_its_fields() -> None:
    spec = new_spec(rubric={}, texts=[], judges=OLD["judges"])
    assert ANY_SPEC.validate_json(spec.canonical()) == spec
