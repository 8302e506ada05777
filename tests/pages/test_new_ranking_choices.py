"""New ranking: rubric, judges, price and data, and what stops a start."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.entering import FAULTY, at, opened, press, started, stored, uploaded, widget
from tests.pages.stored_runs import shown

# rubric


def test_s_010_criteria_typed_last_are_the_ones_that_run(app: AppTest) -> None:
    uploaded(opened(app))
    at(app, "rubric").segmented_control(key="new_ranking:rubric_view").set_value("JSON").run()
    widget(app.text_area, "Question, criteria").set_value('[{"name": "Evidence"}]')  # type: ignore[attr-defined]
    press(app, "Next: Judges")
    assert [criterion.name for criterion in started(app).rubric.criteria] == ["Evidence"]


def test_s_010_a_faulty_edit_stops_the_start_until_it_is_mended_or_dropped(app: AppTest) -> None:
    uploaded(opened(app))
    at(app, "rubric").segmented_control(key="new_ranking:rubric_view").set_value("JSON").run()
    widget(app.text_area, "Question, criteria").set_value(FAULTY).run()  # type: ignore[attr-defined]
    assert "last good criteria stay in use" in app.error[0].value
    assert any("wieght" in text.value for text in app.text)
    at(app, "start")
    assert widget(app.button, "Start").disabled  # type: ignore[attr-defined]
    press(app, "Go to Rubric")
    assert widget(app.text_area, "Question, criteria").value == FAULTY  # type: ignore[attr-defined]
    press(app, "Drop this edit")
    assert [criterion.name for criterion in started(app).rubric.criteria] == ["Overall"]


def test_ready_made_criteria_take_their_place_and_keep_the_question(app: AppTest) -> None:
    opened(app, "rubric")
    widget(app.text_area, "The question").set_value("Why sleep?").run()  # type: ignore[attr-defined]
    press(app, "Use these criteria")
    rubric = stored(app).rubric.rubric
    assert rubric.question == "Why sleep?" and len(rubric.criteria) > 1


def test_saved_criteria_are_offered_again(app: AppTest, home: Path) -> None:
    opened(app, "rubric")
    app.text_input(key="new_ranking:rubric_name").set_value("Year 9 <b>essay</b>").run()
    press(app, "Save under this name")
    assert [path.parent.name for path in home.rglob("year-9*.json")] == ["rubrics"]
    assert "Saved: Year 9 <b>essay</b>" in widget(app.selectbox, "Criteria").options  # type: ignore[attr-defined]


def test_a_rubric_table_is_pointed_at_by_its_columns(app: AppTest) -> None:
    opened(app, "rubric")
    table = b"Criterion,Weight,4 Excellent,1 Poor\nArgument,60,strong,none\nLanguage,40,rich,weak\n"
    app.file_uploader[0].set_value(("rubric.csv", table, "text/csv")).run()
    press(app, "Use this table")
    criteria = stored(app).rubric.rubric.criteria
    assert [(c.name, round(c.weight, 3), len(c.levels)) for c in criteria] == [
        ("Argument", 0.6, 2),
        ("Language", 0.4, 2),
    ]


# judges and start


def test_the_demo_judge_is_called_what_it_is_and_can_be_tested(app: AppTest) -> None:
    opened(app, "judges")
    assert "not an AI" in app.info[0].value
    press(app, "Test this judge")
    assert "It answered" in app.success[0].value


def test_a_judge_that_cannot_be_reached_says_so_with_its_remedy(app: AppTest) -> None:
    opened(app, "judges").selectbox[0].set_value("address").run()
    widget(app.text_input, "Model").set_value("m").run()  # type: ignore[attr-defined]
    widget(app.text_input, "Address").set_value("http://judge.example.org/v1").run()  # type: ignore[attr-defined]
    assert any("https" in text.value for text in app.text)
    press(app, "Test this judge")
    assert "unprotected" in app.error[0].value


def test_a_panel_grows_and_shrinks(app: AppTest) -> None:
    press(opened(app, "judges"), "Add another judge")
    assert len(stored(app).judges) == 2
    press(app, "Remove")
    assert len(stored(app).judges) == 1


def test_hosts_are_named_before_the_start_and_an_unknown_price_is_not_zero(app: AppTest) -> None:
    uploaded(opened(app))
    at(app, "judges").selectbox[0].set_value("address").run()
    widget(app.text_input, "Model").set_value("m").run()  # type: ignore[attr-defined]
    widget(app.text_input, "Address").set_value("https://judge.example.org/v1").run()  # type: ignore[attr-defined]
    at(app, "start")
    assert "2 texts will be sent to **judge\\.example\\.org**" in app.warning[0].value
    assert next(m.value for m in app.metric if m.label.startswith("Price")) == "unknown"
    widget(app.number_input, "Spend at most").set_value(5.0).run()  # type: ignore[attr-defined]
    assert widget(app.button, "Start").disabled  # type: ignore[attr-defined]
    widget(app.number_input, "Read (input)").set_value(1.0).run()  # type: ignore[attr-defined]
    widget(app.number_input, "Written (output)").set_value(2.0).run()  # type: ignore[attr-defined]
    assert not widget(app.button, "Start").disabled  # type: ignore[attr-defined]
    assert next(m.value for m in app.metric if m.label.startswith("Price")).startswith("$")


def test_a_host_that_is_not_allowed_stops_the_start(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PODIUM_ALLOWED_HOSTS", "api.openai.com")
    uploaded(opened(app))
    at(app, "judges").selectbox[0].set_value("address").run()
    widget(app.text_input, "Model").set_value("m").run()  # type: ignore[attr-defined]
    widget(app.text_input, "Address").set_value("https://judge.example.org/v1").run()  # type: ignore[attr-defined]
    at(app, "start")
    assert widget(app.button, "Start").disabled  # type: ignore[attr-defined]
    assert any("not allowed here" in element.value for element in app.markdown)


def test_a_custom_plan_decides_the_run(app: AppTest) -> None:
    uploaded(opened(app), [(f"{i}.txt", f"Essay number {i}.".encode(), "text/plain") for i in range(6)])
    at(app, "start").radio[0].set_value("custom").run()
    widget(app.number_input, "Rounds").set_value(4).run()  # type: ignore[attr-defined]
    widget(app.selectbox, "From round 3 on").set_value("rank").run()  # type: ignore[attr-defined]
    widget(app.number_input, "K").set_value(2).run()  # type: ignore[attr-defined]
    widget(app.number_input, "Seed").set_value(7).run()  # type: ignore[attr-defined]
    spec = started(app)
    assert (spec.rounds, spec.narrowing.focus, spec.narrowing.k, spec.seed) == (4, "rank", 2, 7)


def test_a_judge_that_was_entered_twice_is_warned_of_before_the_start(app: AppTest) -> None:
    uploaded(opened(app))
    at(app, "judges")
    assert "is the same as" not in shown(app)
    press(app, "Add another judge")
    app.selectbox[1].set_value("offline").run()
    words = "Judge 2 is the same as judge 1: one model with the same settings"
    assert words in shown(app)
    assert words in shown(at(app, "start"))
