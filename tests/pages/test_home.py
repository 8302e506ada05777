"""The home page: the doors, running and interrupted runs, and what stands at its foot."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from judge_core.interfaces.dashboard.result.words import KINDS_OF_RUN
from judge_core.interfaces.dashboard.session import close_workbenches, workbench
from judge_core.interfaces.drafts import Draft, add_examples, change, spec_of
from judge_core.records.spec import ItemMode
from judge_core.views.items.sentence import item_verdict
from tests.pages.stored_item_runs import stored_items
from tests.views.item_streams import MODES, ItemStream, golden, item_spec, judged, point


def address(app: AppTest, name: str) -> str:
    """A value of the page's address."""
    value = app.query_params[name]
    return value if isinstance(value, str) else value[0]


def shown(app: AppTest) -> str:
    """All text of the page."""
    parts = (
        app.title,
        app.subheader,
        app.markdown,
        app.caption,
        app.text,
        app.error,
        app.info,
        app.warning,
        app.success,
    )
    return "\n".join(str(element.value) for kind in parts for element in kind)


def test_the_first_use_asks_the_question_and_has_three_doors(app: AppTest) -> None:
    app.run()
    assert not app.exception
    assert app.title[0].value == "Which of these texts is best, and how sure can you be?"
    assert [b.label for b in app.button] == ["Rank the 12 example essays", "Use my own texts", "Open a saved run"]
    assert "Free. No key. Nothing leaves this computer. Uses a demo judge, not an AI." in shown(app)
    assert "Word, text PDF, txt, Excel, CSV, zip. No handwriting." in shown(app)


def test_one_click_ranks_the_example_essays_and_opens_the_result(app: AppTest) -> None:
    app.run().button(key="home:examples").click().run()
    assert not app.exception and not app.error
    run = address(app, "run")
    workbench().wait(run, 30)
    state = workbench().state(run)
    assert (state.status, len(state.spec.texts), len(state.matches)) == ("done", 12, 66)
    assert [judge.provider for judge in state.spec.judges] == ["offline"]


def test_a_second_visit_shows_the_verdict_of_recent_runs(app: AppTest) -> None:
    app.run().button(key="home:examples").click().run()
    run = address(app, "run")
    workbench().wait(run, 30)
    app.switch_page("home.py").run()
    assert not app.exception
    assert app.button(key="home:new").label == "New ranking"
    assert "comparisons" in shown(app) and "demo judge, not an AI" in shown(app)
    app.button(key=f"home:open:{run}").click().run()
    assert address(app, "run") == run


def test_own_texts_open_a_new_ranking(app: AppTest) -> None:
    app.run().button(key="home:own").click().run()
    assert not app.exception and app.title[0].value == "New ranking"


def test_an_interrupted_run_offers_resume_and_goes_on(app: AppTest) -> None:
    app.run()
    bench = workbench()
    run = bench.journal.create(spec_of(bench, add_examples(bench.archive, Draft())))
    app.run()
    assert "Interrupted" in shown(app)
    app.button(key=f"home:resume:{run}").click().run()
    assert not app.exception and address(app, "run") == run
    assert workbench().wait(run, 30).status == "done"


def test_a_running_run_shows_its_progress_and_reattach(app: AppTest) -> None:
    app.run()
    bench = workbench()
    run = bench.journal.create(spec_of(bench, add_examples(bench.archive, Draft())))
    bench.journal.take_lease(run, "elsewhere|1|x")
    app.run()
    assert not app.exception and "Running now" in shown(app)
    app.button(key=f"home:reattach:{run}").click().run()
    assert address(app, "run") == run


@pytest.mark.parametrize("mode", MODES)
def test_recent_runs_of_items_stand_with_their_kind_and_verdict(app: AppTest, mode: ItemMode) -> None:
    app.run()
    run = stored_items(golden(mode), name=f"A {mode} run")
    app.run()
    assert not app.exception
    page = shown(app).replace("\\", "")
    assert item_verdict(workbench().item_state(run)).sentence in page
    assert KINDS_OF_RUN[mode].kind in page and f"A {mode} run" in page
    app.button(key=f"home:open:{run}").click().run()
    assert address(app, "run") == run and not app.exception


def test_a_running_and_an_interrupted_run_of_items_show_how_far_they_are(app: AppTest) -> None:
    app.run()
    half = ItemStream(item_spec("review", 3)).item(1, judged(point(5, 5)))
    stored_items(half, name="Stopped")
    going = stored_items(half, name="Going")
    workbench().journal.take_lease(going, "elsewhere|1|x")
    app.run()
    assert not app.exception
    assert "1 of 3 texts are safe" in shown(app) and "Running now" in shown(app)
    assert app.button(key=f"home:reattach:{going}").label == "Reattach"


def test_the_other_jobs_are_one_click_away(app: AppTest) -> None:
    app.run()
    assert "other_jobs" in {link.proto.page.rpartition("/")[2] for link in app.get("page_link")}


def test_prepared_rankings_can_be_continued(app: AppTest, open_app: Callable[[], AppTest]) -> None:
    app.run().switch_page("new_ranking.py").run()
    next(b for b in app.button if b.label == "Use the example essays").click().run()
    draft = address(app, "draft")
    other = open_app().run()
    assert "Not started yet" in shown(other)
    other.button(key=f"home:draft:{draft}").click().run()
    assert address(other, "draft") == draft and len(other.dataframe[0].value) == 12


def prepare_examples(app: AppTest) -> str:
    app.run().switch_page("new_ranking.py").run()
    next(b for b in app.button if b.label == "Use the example essays").click().run()
    draft = address(app, "draft")
    assert draft is not None
    return draft


def test_untouched_drafts_do_not_pile_up(app: AppTest, open_app: Callable[[], AppTest]) -> None:
    first, second = prepare_examples(app), prepare_examples(open_app())
    assert first == second
    change(workbench().archive, first, lambda draft: draft.model_copy(update={"name": "Mine"}))
    assert prepare_examples(open_app()) != first


def test_a_draft_can_be_discarded(app: AppTest, open_app: Callable[[], AppTest]) -> None:
    draft, other = prepare_examples(app), open_app().run()
    other.button(key=f"home:discarded:{draft}").click().run()
    assert not other.exception and "Not started yet" not in shown(other)
    app.run()
    assert not app.exception and "not in the data folder any more" in shown(app)


def test_the_foot_names_keys_that_are_found_and_never_shows_one(
    app: AppTest, monkeypatch: pytest.MonkeyPatch, home: Path
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-xyzzy")
    app.run()
    assert "OPENAI" in shown(app) and "xyzzy" not in shown(app)
    assert "Data folder" in shown(app)


def test_trouble_with_the_cache_is_said(app: AppTest, home: Path) -> None:
    (home / "cache").mkdir(parents=True)
    (home / "cache" / "cache.db").write_bytes(b"this is no database" * 100)
    app.run()
    assert not app.exception and "cache was damaged" in shown(app)


def test_a_setting_that_cannot_be_used_is_said_on_each_page(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    close_workbenches()
    monkeypatch.setenv("PODIUM_CONCURRENCY", "many")
    app.run()
    assert not app.exception and "PODIUM" in app.error[0].value
