"""Changing a ranking that was started: late texts, withdrawn texts, further rounds; through a workbench and the offline judge."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from judge_core.interfaces.bench.changes import add_texts, extend_run, withdraw_texts
from judge_core.interfaces.detail.exchanges import all_sent
from judge_core.interfaces.library.bundle import bundle, import_bundle
from judge_core.interfaces.settings import Settings
from judge_core.interfaces.workbench import Workbench, new_spec
from judge_core.providers.offline.judge import OfflineJudge
from judge_core.providers.registry import judge_spec
from judge_core.records.artifact import Artifact
from judge_core.records.criteria import Rubric
from judge_core.records.errors import InputError
from judge_core.records.prompt import Completion, Prompt
from judge_core.records.record import text_hash
from judge_core.records.spec import Goal
from judge_core.views.standings import standings
from judge_core.views.state import RunState


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    made = Workbench(Settings(home=tmp_path / "home"))
    yield made
    made.close()


def artifact(number: int) -> Artifact:
    words = f"Text {number}: " + "because the study shows it, therefore we know. " * number
    return Artifact(
        id=f"t{number}.txt", title=f"t{number}", text=words, words=len(words.split()), characters=len(words),
        sha256=text_hash(words), encoding="utf-8",
    )  # fmt: skip


def started(bench: Workbench, texts: int = 6, **fields: object) -> str:
    refs = bench.keep_texts([artifact(number) for number in range(1, texts + 1)])
    run = bench.start(new_spec(rubric=Rubric(question="?"), texts=refs, judges=[judge_spec("offline")], **fields))
    bench.wait(run, 60)
    return run


def state_of(bench: Workbench, run: str) -> RunState:
    state = bench.wait(run, 60)
    assert isinstance(state, RunState)
    return state


METHODS = ("swiss", "round-robin", "knockout", "adaptive", "listwise", "pointwise")


@pytest.mark.parametrize("method", METHODS)
def test_a_late_text_is_ranked_by_calls_that_all_show_it(bench: Workbench, method: str) -> None:
    run = started(bench, method=method, rounds=3, group_size=3)
    before = state_of(bench, run)
    (late,) = add_texts(bench, run, [artifact(9), artifact(1)])
    state = state_of(bench, run)
    assert state.status == "done" and state.late == {late.alias} and late.id == "t9.txt"
    new = [set(view.texts) for view in state.listings.values() if view.place > before.judged]
    new += [{view.a, view.b} for view in state.matches.values() if view.place > before.judged]
    assert new and all(late.alias in unit for unit in new)
    assert standings(state).row(late.alias).rank is not None


@pytest.mark.parametrize("method", METHODS)
def test_every_call_of_every_method_traces_to_its_prompt_and_reply_after_export_and_import(
    bench: Workbench, method: str, tmp_path: Path
) -> None:
    run = started(bench, method=method, rounds=2, group_size=3, order_check=True)
    add_texts(bench, run, [artifact(9)])
    state = state_of(bench, run)
    other = Workbench(Settings(home=tmp_path / "other"))
    copy = import_bundle(other, bundle(bench, run))
    assert other.state(copy) == state
    for home, id in ((bench, run), (other, copy)):
        sent = list(all_sent(home, id, home.journal.events(id), home.journal.completions(id)))
        judgments = [*state.matches.values(), *state.listings.values()]
        assert len(sent) == sum(len(j.turns) for view in judgments for j in view.judgments)
        assert all(one.prompt and one.reply for one in sent)
    other.close()


def test_a_withdrawn_text_is_judged_no_more_in_further_rounds(bench: Workbench) -> None:
    run = started(bench, rounds=2)
    assert withdraw_texts(bench, run, ["t3.txt"]) == (alias := tuple(state_of(bench, run).withdrawn))
    before = state_of(bench, run).judged
    extend_run(bench, run, 2)
    state = state_of(bench, run)
    later = [view for view in state.matches.values() if view.place > before]
    assert later and not any(alias[0] in (view.a, view.b) for view in later)


def test_a_withdrawn_text_comes_back_under_another_id_alone(bench: Workbench) -> None:
    run = started(bench)
    withdraw_texts(bench, run, ["t3.txt", "t4.txt"])
    state_of(bench, run)
    with pytest.raises(InputError, match="Withdrawn from this run already: 't3.txt'. .* under another id"):
        add_texts(bench, run, [artifact(3), artifact(1)])
    with pytest.raises(InputError, match=r"'t\d.txt' and 1 more"):
        add_texts(bench, run, [artifact(3), artifact(4)])
    (back,) = add_texts(bench, run, [artifact(3).model_copy(update={"id": "again.txt"})])
    assert standings(state_of(bench, run)).row(back.alias).rank is not None


def test_a_late_text_under_an_id_of_the_run_gets_a_number(bench: Workbench) -> None:
    """As in one upload, so that the rows of the ranking can be told apart; the same file again is still known."""
    run = started(bench)
    late = [artifact(number).model_copy(update={"id": "t1.txt", "title": "t1"}) for number in (8, 9)]
    first = add_texts(bench, run, late[:1])
    second = add_texts(bench, run, late)
    assert [(text.id, text.title) for text in (*first, *second)] == [("t1.txt (2)", "t1 (2)"), ("t1.txt (3)", "t1 (3)")]
    assert first[0].notices == ("duplicate_id",)
    ids = [row.id for row in standings(state_of(bench, run)).rows]
    assert len(set(ids)) == len(ids) == 8
    with pytest.raises(InputError, match="all in the run already"):
        add_texts(bench, run, late)
    withdraw_texts(bench, run, ["t1.txt"])
    state_of(bench, run)
    with pytest.raises(InputError, match="Withdrawn"):
        add_texts(bench, run, [artifact(1)])


def test_a_goal_of_further_rounds_is_about_the_texts_that_take_part(bench: Workbench) -> None:
    run = started(bench, rounds=2)
    withdraw_texts(bench, run, ["t3.txt", "t4.txt"])
    state_of(bench, run)
    with pytest.raises(InputError, match="Rank 4 draws no line among 4 texts: possible are from 1 to 3"):
        extend_run(bench, run, 1, Goal(kind="cut", ranks=(2, 4)))
    extend_run(bench, run, 1, Goal(kind="cut", ranks=(2, 3)))


@pytest.mark.parametrize("method", ["swiss", "adaptive", "knockout"])
def test_further_rounds_are_refused_once_all_pairs_have_met(bench: Workbench, method: str) -> None:
    run = started(bench, texts=3, rounds=3, method=method)
    if method == "knockout":
        extend_run(bench, run, 2)
    seq = state_of(bench, run).last_seq
    with pytest.raises(InputError, match="All pairs of texts have met.*allows rematches or has another judge"):
        extend_run(bench, run, 1)
    assert state_of(bench, run).last_seq == seq
    add_texts(bench, run, [artifact(9)])
    state_of(bench, run)
    again = started(bench, texts=3, rounds=3, method=method, rematches=True)
    before = state_of(bench, again).judged
    extend_run(bench, again, 2)
    assert state_of(bench, again).judged > before


def test_further_rounds_stop_at_a_goal_and_play_again_after_a_restart(bench: Workbench) -> None:
    run = started(bench, texts=8, rounds=2)
    extend_run(bench, run, 5, Goal(kind="order", probability=0.55))
    state = state_of(bench, run)
    assert state.reached is not None and len(state.rounds) < 7 and "Settled" in state.reason
    bench.resume(run)
    assert state_of(bench, run).ended_at and state_of(bench, run).matches == state.matches


def test_what_cannot_be_changed_is_refused_with_the_remedy_and_nothing_is_written(bench: Workbench) -> None:
    run = started(bench, texts=2, rounds=1)
    seq = state_of(bench, run).last_seq
    with pytest.raises(InputError, match="all in the run already"):
        add_texts(bench, run, [artifact(1)])
    with pytest.raises(InputError, match="no text 'x.txt'"):
        withdraw_texts(bench, run, ["x.txt"])
    with pytest.raises(InputError, match="At least two texts"):
        withdraw_texts(bench, run, ["t1.txt"])
    with pytest.raises(InputError, match="1 to 1,000"):
        extend_run(bench, run, 0)
    with pytest.raises(InputError, match="Rank 5"):
        extend_run(bench, run, 1, Goal(kind="top", ranks=(5,)))
    assert state_of(bench, run).last_seq == seq


def test_anchors_set_the_scale(bench: Workbench) -> None:
    refs = bench.keep_texts([artifact(number) for number in range(1, 7)])
    held = tuple(ref.model_copy(update={"anchor": 1800.0 if ref.id == "t6.txt" else None}) for ref in refs)
    run = bench.start(new_spec(rubric=Rubric(question="?"), texts=held, judges=[judge_spec("offline")], rounds=5))
    anchored = {row.id: row.rating or 0 for row in standings(state_of(bench, run)).rows}
    free = {row.id: row.rating or 0 for row in standings(state_of(bench, started(bench, rounds=5))).rows}
    assert anchored["t6.txt"] == pytest.approx(1800.0, abs=0.5)
    assert [id for id in sorted(free, key=free.__getitem__) if id != "t6.txt"] == [
        id for id in sorted(anchored, key=anchored.__getitem__) if id != "t6.txt"
    ]
    assert anchored["t1.txt"] - anchored["t4.txt"] == pytest.approx(free["t1.txt"] - free["t4.txt"], abs=40)


def test_two_who_add_at_once_lose_no_text(bench: Workbench) -> None:
    run = started(bench, texts=4)
    with ThreadPoolExecutor(2) as pool:
        added = [found for one in pool.map(lambda n: add_texts(bench, run, [artifact(n)]), (8, 9)) for found in one]
    bench.resume(run)
    state = state_of(bench, run)
    assert {text.id for text in state.spec.texts if text.alias in state.late} == {"t8.txt", "t9.txt"}
    assert len({text.alias for text in added}) == 2 and standings(state).rows


def test_a_run_that_another_process_plays_takes_a_late_text_in(
    bench: Workbench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, added, complete = threading.Event(), threading.Event(), OfflineJudge.complete

    async def held(self: OfflineJudge, prompt: Prompt) -> Completion:
        asked.set()
        while not added.is_set():
            await asyncio.sleep(0.01)
        return await complete(self, prompt)

    monkeypatch.setattr(OfflineJudge, "complete", held)
    refs = bench.keep_texts([artifact(number) for number in range(1, 5)])
    run = bench.start(new_spec(rubric=Rubric(question="?"), texts=refs, judges=[judge_spec("offline")]))
    assert asked.wait(30)
    other = Workbench(Settings(home=tmp_path / "home"))
    (late,) = add_texts(other, run, [artifact(9)])
    added.set()
    assert standings(state_of(bench, run)).row(late.alias).rank is not None
    other.close()


def test_what_is_refused_for_want_of_a_key_is_not_carried_out_later(bench: Workbench) -> None:
    refs = bench.keep_texts([artifact(number) for number in range(1, 5)])
    judge = judge_spec("openai:gpt-x")
    run = bench.journal.create(new_spec(rubric=Rubric(question="?"), texts=refs, judges=[judge]))
    for change in (
        lambda: add_texts(bench, run, [artifact(9)]),
        lambda: extend_run(bench, run, 50),
        lambda: withdraw_texts(bench, run, ["t1.txt"]),
    ):
        with pytest.raises(InputError, match="key"):
            change()
    assert bench.journal.waiting_inputs(run) == []


def test_an_alias_names_its_own_text_and_an_id_that_two_share_names_none(bench: Workbench) -> None:
    twins = [artifact(1), artifact(9).model_copy(update={"id": "t1.txt"}), artifact(2), artifact(3)]
    spec = new_spec(rubric=Rubric(question="?"), texts=bench.keep_texts(twins), judges=[judge_spec("offline")])
    run = bench.start(spec)
    late = next(text for text in state_of(bench, run).spec.texts if text.sha256 == twins[1].sha256)
    with pytest.raises(InputError, match="Several texts"):
        withdraw_texts(bench, run, ["t1.txt"])
    assert withdraw_texts(bench, run, [late.alias]) == (late.alias,)


@pytest.mark.parametrize("fields", [{"method": "knockout"}, {"warm_start": True}, {"method": "pointwise"}])
def test_one_further_round_is_one_round(bench: Workbench, fields: dict[str, object]) -> None:
    run = started(bench, texts=6, **fields)
    before = state_of(bench, run)
    extend_run(bench, run, 1)
    state = state_of(bench, run)
    assert 1 <= state.judged - before.judged <= 3
