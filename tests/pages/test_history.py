"""The list of all runs: finding one, opening it, giving it a name, handing it on and taking it in."""

from __future__ import annotations

import re

import pytest
from streamlit.testing.v1 import AppTest

from judge_core.interfaces.bench.changes import withdraw_texts
from judge_core.interfaces.dashboard import session
from judge_core.interfaces.library.bundle import bundle
from judge_core.records.criteria import Rubric
from judge_core.records.spec import Goal
from judge_core.records.verdict import Judgment
from tests.pages.stored_item_runs import KIND, item_run, register, stored_items
from tests.pages.stored_runs import bench, example_run, opened, shown, stored, written
from tests.views.item_streams import MODES, ItemStream, golden, item_spec
from tests.views.streams import Stream, case, judge, played, spec, win

HOSTILE = [*case("S-014")["input"]["texts"], *case("S-015")["input"]["strings"]]


def history(app: AppTest) -> AppTest:
    return opened(app, page="history.py")


def names(app: AppTest) -> list[str]:
    return list(app.dataframe[0].value["name"])


def choose(app: AppTest, run: str) -> AppTest:
    """Selects a run as the keyboard does."""
    app.selectbox(key="history_choice").set_value(run).run()
    assert not app.exception
    return app


def test_an_empty_data_folder_offers_a_first_ranking_and_an_import(app: AppTest) -> None:
    history(app)
    assert "No run yet" in shown(app)
    assert app.file_uploader(key="history_import").label == "Run as a zip"


def test_runs_stand_newest_first_with_what_they_took(app: AppTest) -> None:
    stored(played(), name="Older")
    stored(played(4), name="Newer")
    row = history(app).dataframe[0].value.iloc[0]
    assert names(app) == ["Newer", "Older"]
    assert (row["kind"], row["status"], row["size"], row["judge"], row["done"], row["calls"]) == (
        "Ranking", "Finished", 4, "openai:judge-1", "6 of 6", 6,
    )  # fmt: skip
    assert row["cost"] == pytest.approx(0.06)


def test_method_outcome_and_unreadable_replies_stand_beside_a_run(app: AppTest) -> None:
    stored(played(4, goal=Goal(kind="top", ranks=(1,), probability=0.99)), name="Goal")
    lost = Judgment(judge=0, outcome="unparseable")
    stream = Stream(spec(3, rounds=1), planned=2).round(1, ("E-001", "E-002"), ("E-001", "E-003"))
    stream.match("E-001", "E-002", win()).match("E-001", "E-003", lost).close(1)
    stored(stream.end(), name="Lost")
    rows = {row["name"]: row for _, row in history(app).dataframe[0].value.iterrows()}
    assert rows["Goal"]["method"] == "Swiss rounds" and rows["Goal"]["status"] == "Finished"
    assert rows["Goal"]["result"].startswith("Not settled: top 1. ")
    assert rows["Lost"]["status"] == "Finished, 1 of 2 decided"


def test_the_size_is_that_of_the_texts_that_take_part(app: AppTest) -> None:
    run = example_run()
    aliases = [text.alias for text in bench().state(run).spec.texts]
    withdraw_texts(bench(), run, aliases[:2])
    bench().wait(run, 60)
    assert list(history(app).dataframe[0].value["size"]) == [len(aliases) - 2]


def test_an_unknown_cost_is_empty_and_not_nothing(app: AppTest) -> None:
    turns = win().turns[0].model_copy(update={"cost": None})
    stream = Stream(spec(2, rounds=1), planned=1).round(1, ("E-001", "E-002"))
    stored(stream.match("E-001", "E-002", win(turns=(turns,))).close(1).end())
    assert history(app).dataframe[0].value["cost"].isna().all()


def test_a_run_that_nobody_works_on_is_listed_as_interrupted(app: AppTest) -> None:
    stored(Stream(spec(2, rounds=1), planned=1).round(1, ("E-001", "E-002")))
    assert list(history(app).dataframe[0].value["status"]) == ["Interrupted"]


def test_search_looks_at_names_judges_and_texts(app: AppTest) -> None:
    stored(played(), name="Apples")
    stored(played(judges=(judge("groq:pear"),)), name="Others")
    history(app)
    for wanted, found in (("apple", ["Apples"]), ("PEAR", ["Others"]), ("essay1", ["Others", "Apples"])):
        app.text_input(key="history_search").set_value(wanted).run()
        assert names(app) == found
    app.text_input(key="history_search").set_value("nowhere").run()
    assert "No run fits" in shown(app)


def test_the_status_can_be_chosen(app: AppTest) -> None:
    stored(played(), name="Whole")
    stored(Stream(spec(2, rounds=1), planned=1).round(1, ("E-001", "E-002")).end("paused", "Paused."), name="Half")
    history(app)
    app.selectbox(key="history_status").set_value("Paused").run()
    assert names(app) == ["Half"]


def test_open_leads_to_the_result(app: AppTest) -> None:
    run = stored(played(), name="Mine")
    stored(played(), name="Newer")
    choose(history(app), run)
    app.button(key="history_open").click().run()
    assert app.title[0].value == "Mine"
    assert app.query_params["run"] == run


def test_every_kind_of_run_is_listed_with_its_counts(app: AppTest) -> None:
    for mode in MODES:
        stored_items(golden(mode), name=mode)
    stored(played(), name="rank")
    table = history(app).dataframe[0].value.set_index("name")
    assert dict(table["kind"]) == {
        "rank": "Ranking", "review": "Review", "gate": "Gate", "listwise": "List", "rag": "RAG", "agent": "Agent",
    }  # fmt: skip
    state = golden("gate").state
    assert (table.loc["gate", "size"], table.loc["gate", "done"]) == (4, "4 of 4")
    assert table.loc["gate", "calls"] == state.spent.calls
    app.selectbox(key="history_kind").set_value("RAG").run()
    assert names(app) == ["rag"]


def test_a_run_of_items_without_a_name_is_called_by_its_kind(app: AppTest) -> None:
    spec = item_spec("gate", 2, rubric=Rubric())
    stored_items(ItemStream(spec).end("cancelled", "Cancelled."), name="")
    assert names(history(app)) == ["Gate for 2 texts"]


def test_a_run_of_items_is_opened_found_by_its_items_renamed_and_handed_on(
    app: AppTest, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    register()
    run = item_run("rag", KIND, name="Town")
    history(app)
    app.text_input(key="history_search").set_value("pool cost").run()
    assert names(app) == ["Town"]
    choose(app, run)
    app.text_input(key=f"rename_{run}").set_value("Village")
    next(button for button in app.button if button.label == "Rename").click().run()
    assert names(app) == ["Village"]
    app.button(key="history_open").click().run()
    assert app.title[0].value == "Village" and app.tabs[0].label == "Results"
    before, whole = bench().item_state(run), bundle(bench(), run)
    session.close_workbenches()
    monkeypatch.setenv("PODIUM_HOME", str(tmp_path_factory.mktemp("other")))
    app.switch_page("history.py").run()
    app.file_uploader(key="history_import").upload("run.zip", whole, "application/zip").run()
    app.button(key="history_import_button").click().run()
    assert not app.exception and names(app) == ["Village"]
    assert bench().item_state(bench().runs()[0].id) == before


def test_a_run_can_be_renamed(app: AppTest) -> None:
    run = stored(played(), name="Old")
    choose(history(app), run)
    app.text_input(key=f"rename_{run}").set_value("New name")
    next(button for button in app.button if button.label == "Rename").click().run()
    assert names(app) == ["New name"]
    assert bench().journal.row(run).name == "New name"


def test_a_name_of_blanks_is_refused(app: AppTest) -> None:
    run = stored(played(), name="Old")
    choose(history(app), run)
    app.text_input(key=f"rename_{run}").set_value(" \u200b ")
    next(button for button in app.button if button.label == "Rename").click().run()
    assert "needs a name" in app.error[0].value
    assert names(app) == ["Old"]


def test_an_exported_run_can_be_taken_in_elsewhere(
    app: AppTest, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    whole = bundle(bench(), example_run(name="Travels"))
    session.close_workbenches()
    monkeypatch.setenv("PODIUM_HOME", str(tmp_path_factory.mktemp("other")))
    history(app)
    app.file_uploader(key="history_import").upload("run.zip", whole, "application/zip").run()
    app.button(key="history_import_button").click().run()
    assert not app.exception
    assert names(app) == ["Travels"]
    assert "The run was imported" in app.success[0].value


def test_a_file_that_is_no_run_is_refused_with_a_reason(app: AppTest) -> None:
    history(app)
    app.file_uploader(key="history_import").upload("run.zip", b"PK not a zip", "application/zip").run()
    app.button(key="history_import_button").click().run()
    assert "Nothing was imported" in app.error[0].value
    assert not bench().runs()


def test_export_gives_the_whole_run_without_a_rerun(app: AppTest) -> None:
    run = stored(played())
    choose(history(app), run)
    assert [button.label for button in app.download_button] == ["Export (zip)"]
    assert app.download_button[0].proto.ignore_rerun


@pytest.mark.parametrize("words", HOSTILE)
def test_no_hostile_name_reaches_a_sink_that_reads_markdown(app: AppTest, words: str) -> None:
    """S-014, S-015: as the name of a run and of its judge."""
    run = stored(played(judges=(judge(words),)), name=words)
    choose(history(app), run)
    assert not re.search(rf"(?<!\\){re.escape(words)}", written(app))
