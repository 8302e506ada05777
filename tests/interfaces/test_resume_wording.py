"""A run recorded with other prompts opens and is exported, but never goes on with the prompts of now mixed in."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from judge_core.interfaces.library.bundle import bundle
from judge_core.interfaces.settings import Settings
from judge_core.interfaces.workbench import Workbench, new_item_spec
from judge_core.modes.asking.prompts import PROMPT_VERSION
from judge_core.providers.registry import judge_spec
from judge_core.records.criteria import Criterion, Rubric
from judge_core.records.errors import InputError
from judge_core.records.item import ReadItem, ReadPart
from judge_core.records.spec import AnySpec, ItemSpec
from judge_core.store import schema
from tests.interfaces.test_workbench import spec_for
from tests.judge_server import JudgeServer

OTHER = "recorded with other prompts .* it opens and can be exported, but not resumed; start it again"


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    bench = Workbench(Settings(home=tmp_path / "home"))
    yield bench
    bench.close()


def items_for(bench: Workbench, url: str) -> ItemSpec:
    words = "Trees cool the street."
    read = [ReadItem(id="1", title="1", parts=(ReadPart(role="text", text=words),))]
    return new_item_spec(
        mode="gate",
        items=bench.keep_items(read),
        rubric=Rubric(criteria=(Criterion(name="Clarity", scale_min=1, scale_max=5),)),
        judges=[judge_spec(url + "#m")],
    )


def recorded(bench: Workbench, spec: AnySpec, version: str) -> str:
    """A run of that spec as a Podium with that version of the prompts would have left it before its first question."""
    return bench.journal.create(spec.model_copy(update={"prompt_version": version}))


@pytest.mark.parametrize("version", ["1", PROMPT_VERSION])
def test_a_ranking_whose_prompts_read_the_same_goes_on(bench: Workbench, server: JudgeServer, version: str) -> None:
    run = recorded(bench, spec_for(bench, judge_spec(server.url + "#m")), version)
    bench.resume(run)
    assert bench.wait(run, 30).status == "done" and server.requests == 6


@pytest.mark.parametrize("version", ["1", "99", "", "two"])
def test_a_run_of_items_with_other_prompts_is_not_resumed_and_nothing_is_asked(
    bench: Workbench, server: JudgeServer, version: str
) -> None:
    run = recorded(bench, items_for(bench, server.url), version)
    for act in (bench.resume, bench.retry):
        with pytest.raises(InputError, match=OTHER):
            act(run)
    assert server.requests == 0 and bench.journal.events(run) == [] and not bench.live(run)
    assert bench.item_state(run).status == "waiting", "it opens"
    assert b"spec.json" in bundle(bench, run), "it is exported"


def test_a_ranking_with_the_prompts_of_a_later_version_is_not_resumed(bench: Workbench, server: JudgeServer) -> None:
    run = recorded(bench, spec_for(bench, judge_spec(server.url + "#m")), "99")
    with pytest.raises(InputError, match=r"\(version '99'; now"):
        bench.resume(run)
    assert server.requests == 0


def test_started_again_it_is_another_run(bench: Workbench, server: JudgeServer) -> None:
    spec = spec_for(bench, judge_spec(server.url + "#m"))
    old = recorded(bench, spec, "99")
    new = bench.start(spec)
    assert bench.wait(new, 30).status == "done" and new != old and bench.journal.events(old) == []


def test_a_run_with_other_prompts_can_be_cancelled(bench: Workbench, server: JudgeServer) -> None:
    """Ending it for good asks nothing."""
    run = recorded(bench, items_for(bench, server.url), "99")
    bench.cancel(run)
    assert bench.wait(run, 30).status == "cancelled" and server.requests == 0


def test_a_run_that_is_over_is_played_again_but_asks_nothing_anew(bench: Workbench) -> None:
    spec = spec_for(bench, judge_spec("offline"))
    run = bench.start(spec)
    assert bench.wait(run, 30).status == "done"
    with bench._database.begin() as connection:
        older = spec.model_copy(update={"prompt_version": "99"})
        change = schema.runs.update().where(schema.runs.c.id == run)
        connection.execute(change.values(spec=older.canonical(), identity=older.identity))
    before = bench.journal.events(run)
    assert bench.journal.row(run).spec.prompt_version == "99"
    bench.resume(run)
    assert bench.wait(run, 30).status == "done"
    with pytest.raises(InputError, match=OTHER):
        bench.retry(run)
    assert [one for one in bench.journal.events(run) if one.event.type != "ended"] == before[:-1]
