"""The result of a run that judges items: what it says in each mode and state, how an item is opened, what can be done."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from judge_core.records.spec import ItemMode
from judge_core.views.items.sentence import item_verdict
from tests.pages.stored_item_runs import (
    KIND,
    OTHER,
    alias_of,
    item_run,
    register,
    section,
    seen,
    stored_items,
    texts_shown,
)
from tests.pages.stored_runs import bench, opened
from tests.views.item_streams import MODES, ItemStream, golden, item_spec, judged, point

SECTIONS = ("Results", "Why", "Can you trust this?", "Take away")


@pytest.fixture(autouse=True)
def scripted() -> None:
    register()


# what the page says


@pytest.mark.parametrize("mode", MODES)
def test_the_verdict_stands_before_the_results(app: AppTest, mode: ItemMode) -> None:
    run = item_run(mode)
    opened(app, run)
    state = bench().item_state(run)
    labels = {item.alias: item.title for item in state.spec.items}
    sentence = item_verdict(state, labels if mode in ("rag", "agent") else {}).sentence
    page = " ".join(seen(app).split())
    assert page.index(sentence) < page.index("Results")
    assert [tab.label for tab in app.tabs] == list(SECTIONS)


@pytest.mark.parametrize("name", SECTIONS)
@pytest.mark.parametrize("mode", MODES)
def test_every_section_of_a_run_with_losses_and_a_retry_can_be_read(app: AppTest, mode: ItemMode, name: str) -> None:
    """The golden streams hold unreadable and failed judgments; their texts were never stored here."""
    section(opened(app, stored_items(golden(mode))), name)


def test_a_gate_says_pass_and_fail_in_words_and_signs(app: AppTest) -> None:
    opened(app, stored_items(golden("gate")))
    table = app.dataframe[0].value
    assert list(table["passed"]) == ["✓ pass", "✗ below the bar", "✗ only on a condition", "✗ a judge is missing"]
    assert "why" not in table and "bar" not in table
    assert "The dashed line is the bar, 3.5" in seen(app)


def test_what_was_not_measured_is_empty_and_never_nought(app: AppTest) -> None:
    opened(app, stored_items(golden("review")))
    row = app.dataframe[0].value.iloc[2]
    assert (
        row["status"] == "✕ no verdict"
        and row[["score", *(c.name for c in golden("review").spec.rubric.criteria)]].isna().all()
    )


def test_a_list_has_both_orders_beside_the_merged_one(app: AppTest) -> None:
    table = opened(app, item_run("listwise")).dataframe[0].value
    assert list(table.columns) == [
        "Place", "Candidate", "Mean position", f"{KIND}, forwards", f"{KIND}, in reverse", f"{OTHER}, forwards",
        f"{OTHER}, in reverse",
    ]  # fmt: skip
    assert list(table["Candidate"]) == ["Candidate 1", "Candidate 2", "Candidate 3"]
    assert list(table[f"{OTHER}, forwards"]) == [1, 2, 3] and list(table[f"{OTHER}, in reverse"]) == [3, 2, 1]


def test_search_and_filter_narrow_the_table(app: AppTest) -> None:
    run = item_run("gate")
    opened(app, run)
    assert len(app.dataframe[0].value) == 3
    app.selectbox(key="item_only_gate").set_value("not passing").run()
    assert list(app.dataframe[0].value["item"]) == [alias_of(run, "short.txt")]
    app.selectbox(key="item_only_gate").set_value(None).run()
    app.text_input(key="item_search").set_value(alias_of(run, "short.txt")).run()
    assert list(app.dataframe[0].value["item"]) == [alias_of(run, "short.txt")]
    app.text_input(key="item_search").set_value("nowhere").run()
    assert "Nothing fits" in seen(app)


def test_names_of_texts_are_hidden_until_they_are_asked_for(app: AppTest) -> None:
    opened(app, item_run("review"))
    assert "long report" not in seen(app) + app.dataframe[0].value.to_string()
    app.toggle(key="show_names").set_value(True).run()
    assert "long report" in app.dataframe[0].value.to_string()


NAMES = ("long report", "middle note", "short.txt")


def whole(app: AppTest) -> str:
    """All that a reader sees: words, tables, charts, and what the charts say to those who cannot see them."""
    charts = [chart.proto.spec + chart.proto.alt for chart in app.get("plotly_chart")]
    return "\n".join([seen(app), texts_shown(app), *(table.value.to_string() for table in app.dataframe), *charts])


@pytest.mark.parametrize("name", ["Results", "Why", "Can you trust this?"])
def test_names_of_a_lists_texts_are_hidden_until_they_are_asked_for(app: AppTest, name: str) -> None:
    """Names of files may be names of people: neither headline nor table, chart or reasons hold one unasked."""
    section(opened(app, item_run("listwise")), name)
    assert not [word for word in NAMES if word in whole(app)]
    assert "Candidate" in app.header[0].value
    assert name == "Can you trust this?" or "Candidate 2" in whole(app)


def test_names_of_a_lists_texts_are_the_same_everywhere_once_asked_for(app: AppTest) -> None:
    opened(app, item_run("listwise"))
    app.toggle(key="show_names").set_value(True).run()
    assert list(app.dataframe[0].value["Candidate"]) == ["long report.txt", "middle note.txt", "short.txt"]
    [chart] = app.get("plotly_chart")
    assert all(f"{name}" in chart.proto.spec and name in chart.proto.alt for name in NAMES)
    section(app, "Why")
    assert "Ranking, best first (shown in reverse): short.txt, middle note.txt, long report.txt" in seen(app)
    assert "Candidate 1" not in seen(app)


@pytest.mark.parametrize("mode", MODES)
def test_names_are_shown_and_hidden_by_a_switch_of_one_name(app: AppTest, mode: ItemMode) -> None:
    """Ids of data stand there at first, names of people's texts do not."""
    [toggle] = opened(app, item_run(mode)).toggle
    assert (toggle.label, toggle.value) == ("Show names", mode in ("rag", "agent"))


# one item, opened


def test_an_address_that_names_an_item_opens_it(app: AppTest) -> None:
    run = item_run("gate")
    alias = alias_of(run, "short.txt")
    opened(app, run, item=alias)
    assert app.session_state["item_section"] == "Why"
    assert alias in [header.value.replace("\\", "") for header in app.header]
    assert "✗ below the bar" in seen(app) and "All good." in texts_shown(app)


def test_another_section_can_be_chosen_while_an_item_stands_in_the_address(app: AppTest) -> None:
    run = item_run("review")
    opened(app, run, item=alias_of(run, "short.txt"))
    section(app, "Take away")
    assert "Whole run (zip)" in seen(app)


def test_an_item_that_is_not_there_is_said(app: AppTest) -> None:
    opened(app, item_run("review"), item="I-999")
    assert "no item I-999" in app.warning[0].value.replace("\\", "")


def test_items_are_turned_over_and_the_address_follows(app: AppTest) -> None:
    run = item_run("review")
    aliases = list(bench().journal.row(run).items.by_alias)
    opened(app, run, item=aliases[0])
    app.button(key="item_Next item").click().run()
    assert app.query_params["item"] in (aliases[1], [aliases[1]])
    app.selectbox(key="item_choice").set_value(aliases[2]).run()
    assert app.query_params["item"] in (aliases[2], [aliases[2]])
    assert app.button(key="item_Next item").disabled


def test_an_item_is_opened_by_name_from_the_results(app: AppTest) -> None:
    run = item_run("agent")
    opened(app, run)
    app.selectbox(key="item_choice_by_name").set_value(alias_of(run, "find-file")).run()
    assert not app.exception
    assert app.session_state["item_section"] == "Why" and "find-file" in [h.value.replace("\\", "") for h in app.header]


def test_a_gate_opens_the_first_item_that_does_not_pass(app: AppTest) -> None:
    run = stored_items(golden("gate"))
    section(opened(app, run), "Why")
    assert app.selectbox(key="item_choice").value == "I-002"


def test_quotes_are_highlighted_or_said_not_to_be_in_the_text(app: AppTest) -> None:
    run = item_run("review")
    opened(app, run, item=alias_of(run, "long report.txt"))
    assert "[1] Quoted, and highlighted in the text" in seen(app)
    assert seen(app).count("Not in the text.") == 1 and "words that nobody wrote" in texts_shown(app)
    assert "".join(e.value for e in app.text).count("The bridge was measured on") >= 2, "in the text and as a quote"


def test_a_claim_stands_beside_the_passage_that_it_points_to(app: AppTest) -> None:
    """The words of claims that the judge found are those that it was asked to label."""
    run = item_run("rag", KIND)
    opened(app, run, item=alias_of(run, "bus-1"))
    page, words = seen(app), texts_shown(app)
    first, second = page.index("Passage 1"), page.index("Passage 2")
    assert first < page.index("supported", first) < page.index("contradicted", first) < second
    assert "On Sundays bus 4 runs every 40 minutes." in words and "The last bus leaves at noon." in words
    assert "No claim points to it." in page and "✗ not relevant" in page


def test_given_claims_and_those_of_a_reference_are_shown_in_their_words(app: AppTest) -> None:
    run = item_run("rag", KIND)
    opened(app, run, item=alias_of(run, "pool-1"))
    assert "Dogs swim free." in texts_shown(app) and "Half price from 17:00." in texts_shown(app)
    assert "Claims that point to no passage" in seen(app) and "Claims of the reference answer" in seen(app)
    assert "not in the answer" in seen(app)


def test_each_step_has_its_label_call_and_patterns_beside_it(app: AppTest) -> None:
    run = item_run("agent", classify_patterns=True)
    opened(app, run, item=alias_of(run, "find-file"))
    page = seen(app)
    assert page.count("tool call") == 4 and "✗ wrong call" in page and "Repetition loop" in page
    assert "found by rules and 2 judges" in page and "✗ goal not reached" in page
    assert f"{KIND}: redundant" in page


def test_the_exact_prompt_and_the_raw_reply_are_shown(app: AppTest) -> None:
    run = item_run("review", KIND)
    opened(app, run, item=alias_of(run, "short.txt"))
    codes = [code.value for code in app.code]
    assert any("All good." in code for code in codes) and any('"reasoning": "By its words."' in code for code in codes)


def test_an_erased_text_is_said_to_be_erased(app: AppTest) -> None:
    stream = ItemStream(item_spec("review", 1)).item(1, judged(point(5, 5))).end()
    opened(app, stored_items(stream), item="I-001")
    assert "This text was erased." in seen(app)


Opened = Callable[[], AppTest]


def test_two_sessions_show_each_their_own_item(home: object, open_app: Opened) -> None:
    run = item_run("review")
    one, two = (opened(open_app(), run, item=alias_of(run, id)) for id in ("short.txt", "long report.txt"))
    one.run()
    assert one.selectbox(key="item_choice").value != two.selectbox(key="item_choice").value
