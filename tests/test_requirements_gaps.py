"""Rules that no other test states: failures by policy, who is shown first, whole files, hostile names, versions."""

from __future__ import annotations

import resource
import tomllib
from pathlib import Path

import pytest
from pydantic import ValidationError

from judge_core.interfaces.library.judge import Judge
from judge_core.interfaces.library.options import RankOptions
from judge_core.interfaces.library.results import write_whole
from judge_core.modes.match import MatchFlow
from judge_core.modes.prompts import PROMPT_VERSION
from judge_core.modes.rank import Match, RankMode
from judge_core.records.errors import InputError
from judge_core.records.event import Event, MatchJudged, RoundPaired
from judge_core.records.spec import OnError, Spec
from judge_core.records.verdict import Judgment, MatchResult
from tests.engine.toy import ToyJudge, ToyWorld, spec

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
    assert Spec.model_fields["rounds"].default == RankOptions().rounds == 3


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
