"""The result of a run that judges items: what was lost and why, how sure it is, its states, and its files."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from judge_core.interfaces.dashboard.item_result.shown import look_items
from judge_core.interfaces.dashboard.item_result.take_away import file_names
from judge_core.interfaces.library.bundle import bundle
from judge_core.interfaces.library.item_results import ItemResults, item_files
from judge_core.providers.registry import judge_spec
from judge_core.records.errors import CallError
from judge_core.records.notices import explain
from judge_core.records.prompt import Prompt
from judge_core.records.spec import ItemMode
from tests.pages.stored_item_runs import (
    CRITERIA,
    KIND,
    OTHER,
    alias_of,
    frame,
    item_run,
    read,
    register,
    say,
    section,
    seen,
    spec_for,
    stored_items,
    texts_shown,
)
from tests.pages.stored_runs import bench, opened
from tests.views.item_streams import MODES, ItemStream, item_spec, judged, point, silent

SECTIONS = ("Results", "Why", "Can you trust this?", "Take away")


@pytest.fixture(autouse=True)
def scripted() -> None:
    register()


# what was lost, and what the run costs


def losing(prompt: Prompt) -> Any:
    """Prose for one text, no answer for another."""
    if "All good" in prompt.sheet.texts[0]:
        return "I would rather not say."
    return CallError("scripted: it answered with status 500.") if "fine to me" in prompt.sheet.texts[0] else say(prompt)


def test_losses_are_counted_with_their_causes_and_can_be_asked_for_again(app: AppTest) -> None:
    register(losing)
    run = item_run("review", KIND)
    section(opened(app, run), "Can you trust this?")
    assert "2 of 3 judgments brought no verdict" in seen(app)
    lost = frame(app, "Cause")
    assert list(lost["Became"]) == ["failed", "unreadable"] or list(lost["Became"]) == ["unreadable", "failed"]
    assert any("status 500" in cause for cause in lost["Cause"])
    register()
    app.button(key="retry").click().run()
    assert not app.exception and bench().wait(run, 30) and bench().item_state(run).ledger["judged"] == 3


def test_a_judge_that_gave_no_verdict_is_said_beside_the_text(app: AppTest) -> None:
    register(losing)
    run = item_run("gate", KIND)
    opened(app, run, item=alias_of(run, "middle note.txt"))
    assert "No verdict: no answer. It counts for nothing." in seen(app) and "status 500" in texts_shown(app)


def test_an_answer_of_another_judge_is_named(app: AppTest) -> None:
    register(lambda _prompt: CallError("scripted: gone."))
    spec = spec_for("review", KIND).model_copy(update={"fallbacks": (judge_spec(OTHER),)})
    run = bench().start(spec)
    bench().wait(run, 30)
    opened(app, run, item=alias_of(run, "short.txt"))
    assert f"{OTHER} answered in place of {KIND}" in seen(app)
    section(app, "Can you trust this?")
    assert "3 answers came from another judge" in seen(app)
    assert explain("provider_fallback") in frame(app, "What it means").to_string()


def test_means_stand_with_their_interval_and_number(app: AppTest) -> None:
    run = item_run("review", KIND)
    section(opened(app, run), "Can you trust this?")
    means = frame(app, "Figure")
    figure = ItemResults.of(bench(), run).summary.figures[0]
    assert means.iloc[0][["Mean", "from", "to", "n"]].tolist() == [figure.mean, figure.low, figure.high, 3]
    assert "All means rest on 3 texts" in seen(app) and "One judge only" in seen(app)


def test_means_on_fewer_values_than_the_rest_are_named(app: AppTest) -> None:
    """Coverage can only be measured where there is a reference answer."""
    section(opened(app, item_run("rag")), "Can you trust this?")
    assert "All means rest on 1 to 2 answers" in seen(app) and "Fewest: Coverage (1)." in seen(app)


@pytest.mark.parametrize(
    ("mode", "words"),
    [
        ("review", "points apart on average"),
        ("gate", "on both sides of the bar"),
        ("listwise", "rankings agree to W"),
        ("rag", "The judges agree on"),
        ("agent", "The judges agree on"),
    ],
)
def test_the_judges_agreement_is_said_in_the_words_of_the_mode(app: AppTest, mode: ItemMode, words: str) -> None:
    section(opened(app, item_run(mode)), "Can you trust this?")
    assert words in seen(app)


def test_a_list_that_was_ranked_otherwise_in_reverse_is_said(app: AppTest) -> None:
    section(opened(app, item_run("listwise")), "Can you trust this?")
    assert "1 of 2 rankings changed with the order shown" in seen(app)


# states of a run


def test_a_run_at_its_cap_says_so_and_offers_a_higher_one(app: AppTest) -> None:
    run = item_run("review", KIND, max_calls=1, status="budget", concurrency=1)
    opened(app, run)
    assert "Stopped at the cap" in seen(app) and "held back" in seen(app)
    app.number_input(key="cap_calls").set_value(50)
    next(b for b in app.button if b.label == "Set the cap and go on").click().run()
    assert not app.exception and bench().wait(run, 30).status == "done"


def test_a_run_that_nobody_works_on_can_be_resumed(app: AppTest) -> None:
    run = bench().journal.create(spec_for("review", KIND))
    opened(app, run)
    app.button(key="resume").click().run()
    assert not app.exception and bench().wait(run, 30).status == "done"


def test_a_run_that_is_going_on_shows_progress_and_what_is_there(app: AppTest) -> None:
    stream = ItemStream(item_spec("review", 3)).item(1, judged(point(5, 5)))
    run = stored_items(stream)
    bench().journal.take_lease(run, "elsewhere|1|x")
    opened(app, run)
    assert "1 of 3 texts judged" in seen(app) and app.tabs[0].label == "Results so far"
    assert len(app.dataframe[0].value) == 1
    assert app.button(key="pause").disabled, "another process works on it"


def test_a_run_that_failed_names_the_reason(app: AppTest) -> None:
    stream = ItemStream(item_spec("gate", 2)).item(1, silent()).end("failed", "The key was refused. Set another one.")
    opened(app, stored_items(stream))
    assert "The key was refused" in app.error[0].value and "There is no verdict" in seen(app)


# take away


@pytest.mark.parametrize("mode", MODES)
def test_the_files_are_offered_and_hold_what_the_screen_shows(app: AppTest, mode: ItemMode) -> None:
    run = item_run(mode)
    results = ItemResults.of(bench(), run)
    files = item_files(results)
    assert file_names(mode) == list(files), "each file is offered"
    rows = list(csv.DictReader(io.StringIO(files[f"{mode}.csv"].content(results).decode("utf-8-sig"))))
    app_rows = look(app, run)
    assert len(rows) == len(app_rows)
    assert [row["status"] for row in rows] == [status for status, _ in app_rows]
    assert json.loads(files[f"{mode}.json"].content(results))["run"] == run
    section(app, "Take away")
    offered = {button.key for button in app.download_button}
    assert offered == {*(f"download_{name}" for name in files), "download_run.zip"}
    assert f"{mode}.csv" in zipfile.ZipFile(io.BytesIO(bundle(bench(), run))).namelist()


def look(app: AppTest, run: str) -> list[tuple[str, object]]:
    """Status and item of each row of the page's table."""
    opened(app, run)
    frames = [frame.value for frame in app.dataframe]
    assert "status" not in frames[0], "all are judged, which needs no column"
    return [("judged", row.get("item", row.get("Candidate"))) for _, row in frames[0].iterrows()]


def test_the_csv_has_the_scores_of_the_screen(app: AppTest) -> None:
    run = item_run("review", KIND)
    results = ItemResults.of(bench(), run)
    rows = csv.DictReader(io.StringIO(item_files(results)["review.csv"].content(results).decode("utf-8-sig")))
    saved = {row["alias"]: [float(row["score"]), *(float(row[c.name]) for c in CRITERIA)] for row in rows}
    table = opened(app, run).dataframe[0].value
    assert {row["item"]: [row["score"], *(row[c.name] for c in CRITERIA)] for _, row in table.iterrows()} == saved


def test_a_run_of_items_that_ranks_nothing_is_never_read_as_a_ranking(app: AppTest) -> None:
    run = item_run("review", KIND)
    assert look_items(run).mode == "review"
    assert len(read("review")) == len(opened(app, run).dataframe[0].value)
