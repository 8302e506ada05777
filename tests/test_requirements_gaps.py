"""Rules that no other test states: failures by policy, who is shown first, whole files, hostile names, versions."""

from __future__ import annotations

import resource
import tomllib
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from judge_core.interfaces.drafts import Draft, JudgeDraft, blockers
from judge_core.interfaces.drafts.records import RubricDraft
from judge_core.interfaces.drafts.texts import add_files
from judge_core.interfaces.library.judge import Judge
from judge_core.interfaces.library.rank_options import RankOptions, usual_rounds
from judge_core.interfaces.library.results import write_whole
from judge_core.interfaces.settings import Settings
from judge_core.interfaces.workbench import Workbench
from judge_core.modes.asking.prompts import PROMPT_VERSION
from judge_core.modes.pairs.match import MatchFlow
from judge_core.modes.rank import Match, RankMode
from judge_core.providers.wrappers.limits import read_quotas
from judge_core.records.criteria import Rubric
from judge_core.records.errors import InputError
from judge_core.records.event import Event, MatchJudged, RoundPaired
from judge_core.records.item_verdict import ItemJudgment
from judge_core.records.spec import OnError, Spec
from judge_core.records.verdict import Judgment, MatchResult
from judge_core.views.exports.machine import SCHEMA_VERSION, run_record
from judge_core.views.items.machine import item_record
from tests.engine.toy import ToyJudge, ToyWorld, spec
from tests.judge_server import JudgeServer

ROOT = Path(__file__).parents[1]


def lost(match: Match) -> MatchResult:
    """What a match brings whose only judge failed."""
    return MatchResult(a=match.a.alias, b=match.b.alias, judgments=(Judgment(judge=0, outcome="failed"),))


def play_without_verdicts(on_error: OnError) -> list[Event]:
    """The events of a run of two texts, of Elo 1600 and 1400, over two rounds in which the judge always fails."""
    run = spec(texts=2, rounds=2, on_error=on_error)
    texts = zip(run.texts, (1600.0, 1400.0), strict=True)
    mode = RankMode(run.model_copy(update={"texts": tuple(t.model_copy(update={"prior_elo": e}) for t, e in texts)}))
    events = mode.begin()
    while (match := mode.ask()) is not None:
        events += mode.take(lost(match), match.place)
    return events


def judged(events: list[Event]) -> list[MatchJudged]:
    return [event for event in events if isinstance(event, MatchJudged)]


def test_a_lost_match_moves_no_elo_and_the_pair_may_meet_again() -> None:
    events = play_without_verdicts("skip")
    first, second = judged(events)
    assert {first.a, first.b} == {second.a, second.b} and (first.round, second.round) == (1, 2)
    for event in (first, second):
        assert event.result is None and event.elo == {"E-001": 1600.0, "E-002": 1400.0}


def test_by_choice_a_lost_match_is_a_draw_that_says_so() -> None:
    events = play_without_verdicts("draw")
    (only,) = judged(events)
    (judgment,) = only.judgments
    assert only.result == 0.5 and only.elo == pytest.approx({"E-001": 1591.688098, "E-002": 1408.311902})
    assert judgment.outcome == "failed" and [notice.code for notice in judgment.warnings] == ["draw_on_error"]
    assert sum(isinstance(event, RoundPaired) for event in events) == 1, "a drawn pair has met"


def test_abort_ends_the_run_at_the_first_judgment_without_verdict(tmp_path: Path) -> None:
    world = ToyWorld(f"sqlite:///{tmp_path}/podium.db", ToyJudge(fail=lambda prompt: prompt.startswith("2|")))
    run = world.journal.create(spec(on_error="abort", lookahead=1))
    ended = world.play(run)
    assert ended.status == "failed" and "set to stop at the first failure" in ended.reason
    results = [event.result for event in judged(world.story(run))]
    assert results[-1] is None and None not in results[:-1]


def test_the_orders_of_a_match_are_asked_at_the_same_time(tmp_path: Path) -> None:
    judge = ToyJudge(pause_s=0.02)
    world = ToyWorld(f"sqlite:///{tmp_path}/podium.db", judge)
    assert world.play(world.journal.create(spec(lookahead=1))).status == "done"
    assert judge.most_inside == 2, "one match at a time, both of its prompts at once"


def first_shown(flow: MatchFlow) -> str:
    return next(flow)[0].texts[0]


def test_the_text_shown_first_is_a_fair_draw_from_seed_and_place() -> None:
    def shown(seed: int) -> list[bool]:
        run = spec(texts=2, seed=seed)
        a, b = run.texts
        matches = [Match(place=place, round=1, a=a, b=b, spec=run) for place in range(1, 1001)]
        return [first_shown(match.open()) == a.sha256 for match in matches]

    assert shown(1) == shown(1) != shown(2)
    assert 440 < sum(shown(1)) < 560, "within four standard deviations of half"


def test_three_rounds_are_played_unless_chosen() -> None:
    assert RankOptions().rounds is None
    assert Spec.model_fields["rounds"].default == usual_rounds("swiss", None) == 3


def test_a_file_that_cannot_be_written_whole_leaves_the_old_one(tmp_path: Path) -> None:
    file = tmp_path / "ranked.csv"
    write_whole(file, b"old")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))  # the disk is full after 1000 bytes
    try:
        with pytest.raises(InputError, match=r"ranked\.csv.* cannot be written"):
            write_whole(file, b"new" * 10_000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("ranked.csv", b"old")]
    write_whole(file, b"new")
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("ranked.csv", b"new")]


def test_hostile_names_write_nothing_outside_the_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    names = ("../../up.txt", str(tmp_path / "absolute.txt"), "a\\..\\b.txt", "nul\x00.txt")
    with Judge(question="Which is better?", home=tmp_path / "home") as judge:
        ranking = judge.rank({name: f"Text number {number} of four." for number, name in enumerate(names)})
    assert ranking.status == "done" and len(ranking.standings) == len(names)
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert written and all(path.is_relative_to(tmp_path / "home") for path in written)
    assert not any(part in path.name for path in written for part in ("up.txt", "absolute", "b.txt", "nul"))


def test_a_stored_run_carries_the_versions_of_its_form_and_of_its_prompts(tmp_path: Path) -> None:
    with Judge(question="Which is better?", home=tmp_path / "home") as judge:
        ranking = judge.rank({"a": "Wind.", "b": "The tree seals each stem."})
        stored = judge.bench.journal.row(ranking.run_id).spec
    assert (stored.schema_version, stored.prompt_version) == (1, PROMPT_VERSION)
    with pytest.raises(ValidationError, match="schema_version"):
        Spec.model_validate({**stored.model_dump(), "schema_version": 2})


def test_the_package_is_plain_python_for_3_11_and_newer() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["requires-python"] == ">=3.11"
    files = [path for path in (ROOT / "judge_core").rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    assert {path.suffix for path in files} <= {".py", ".typed"}


TEXTS = {"a": "Wind.", "b": "The tree seals each stem before the wind takes the leaf."}


def settings_with(home: Path, **chosen: object) -> Settings:
    return Settings.load().model_copy(update={"home": home, **chosen})


def test_a_stand_in_is_named_with_the_judge_that_failed_in_every_result(tmp_path: Path) -> None:
    with JudgeServer() as server:
        server.refuse = 401
        judge = f"{server.url}#m"
        with Judge(judge, question="?", settings=settings_with(tmp_path, fallback_judges=("offline",))) as chosen:
            ranking, review = chosen.rank(TEXTS), chosen.review(TEXTS)
    judgments: list[Judgment | ItemJudgment] = [j for view in ranking.state.matches.values() for j in view.judgments]
    judgments += [j for view in review.state.items.values() for j in view.judgments]
    assert len(judgments) == 3 and ranking.status == review.status == "done"
    for judgment in judgments:
        (turn,) = judgment.turns
        (told,) = [notice for notice in judgment.warnings if notice.code == "provider_fallback"]
        assert turn.answered_by == "offline" and "offline" in told.message and judge in told.message
    assert all("provider_fallback" in row.warnings for row in ranking.standings)


def test_without_that_setting_nobody_stands_in(tmp_path: Path) -> None:
    with JudgeServer() as server:
        server.refuse = 401
        with Judge(f"{server.url}#m", question="?", settings=settings_with(tmp_path)) as judge:
            ranking = judge.rank(TEXTS)
    assert (ranking.status, server.requests) == ("failed", 1)
    assert not any(judgment.decided for view in ranking.state.matches.values() for judgment in view.judgments)


def test_a_quota_of_the_settings_holds_for_all_runs_of_a_data_folder(tmp_path: Path) -> None:
    texts = {f"text {n}": f"Text number {n} of six." for n in range(6)}
    with JudgeServer() as server:
        settings = settings_with(tmp_path, quotas=read_quotas(f"{server.host}/m=4rpd"))
        for asked in (3, 4, 4):
            with Judge(f"{server.url}#m", question="?", settings=settings) as judge:
                ranking = judge.rank(texts, rounds=1, seed=asked, concurrency=1)
            assert server.requests == asked
    assert ranking.status == "failed" and "quota" in ranking.state.reason


def test_each_pattern_of_a_run_brings_one_correction_for_the_agent(tmp_path: Path) -> None:
    with Judge(home=tmp_path) as judge:
        results = judge.evaluate_agent(ROOT / "examples" / "agents" / "runs.json")
    table = results.tables["corrections"]
    found = [dict(zip(table.header, row, strict=True)) for row in table.rows]
    patterns = {item.id: [pattern.name for pattern in item.patterns] for item in results.state.spec.items}
    assert {row["pattern"] for row in found} >= {"repetition_loop", "stuck_on_test", "ping_pong"}
    assert [(row["id"], row["pattern"]) for row in found] == [
        (id, name) for id, names in patterns.items() for name in names
    ]
    assert all(len(str(row["correction"])) > 40 and row["steps"] for row in found)


def test_a_text_beyond_a_vendors_limit_is_named_before_the_start(tmp_path: Path) -> None:
    with closing(Workbench(settings_with(tmp_path))) as bench:
        files = [("short.txt", b"Wind."), ("long.txt", b"The tree seals each stem. " * 2_000)]
        draft = add_files(bench.archive, Draft(rubric=RubricDraft(rubric=Rubric(question="?"))), files)
        judge = JudgeDraft(key="1", kind="minimax", model="MiniMax-M2")
        told = [found.message for found in blockers(bench, draft.model_copy(update={"judges": (judge,)}), {"1"})]
    assert len(told) == 1 and "MiniMax refuses texts of more than 50,000 bytes" in told[0]


def test_a_machine_record_carries_the_versions_of_its_form_and_of_its_prompts(tmp_path: Path) -> None:
    with Judge(question="?", home=tmp_path) as judge:
        ranking, review = judge.rank(TEXTS), judge.review(TEXTS)
    for record in (run_record(ranking.run_id, ranking.state, ranking.table), item_record(review.run_id, review.state)):
        assert (record["schema_version"], record["prompt_version"]) == (SCHEMA_VERSION, PROMPT_VERSION)


class FickleServer(JudgeServer):
    """A judge that gives no verdict while it is `vague`."""

    vague = True

    def answer(self, body: dict[str, Any]) -> str:
        return "I like both." if self.vague else super().answer(body)


def test_an_unreadable_reply_is_kept_for_no_later_run(tmp_path: Path) -> None:
    server = FickleServer()
    with server, Judge(f"{server.url}#m", question="?", home=tmp_path) as judge:
        first = judge.rank(TEXTS, rounds=1)
        server.vague = False
        second = judge.rank(TEXTS, rounds=2)
    (lost,), (won,) = ([j for v in run.state.matches.values() for j in v.judgments][:1] for run in (first, second))
    assert (lost.outcome, won.decided, won.cached) == ("unparseable", True, False)
    assert lost.turns[0].key == won.turns[0].key, "the very same prompt"
