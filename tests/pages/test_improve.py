"""Improve a text: the demo in one click, a tournament entered step by step, what cannot be started, what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from judge_core.interfaces.dashboard.improving.plan import PAGE
from judge_core.interfaces.dashboard.session import workbench
from judge_core.records.spec import RefineSpec
from judge_core.views.refine.state import RefineState
from tests.pages.entering import address, press, stored, widget

FAULTY = "Trees are very very important  for the the city. In order to plant them we need need money."


def opened(app: AppTest, step: str = "text") -> AppTest:
    app.run()
    app.switch_page("improve.py").run()
    return at(app, step)


def at(app: AppTest, step: str) -> AppTest:
    app.session_state[PAGE.key] = step
    app.run()
    assert not app.exception, app.exception
    return app


def typed(app: AppTest, text: str = FAULTY) -> AppTest:
    box: Any = widget(app.text_area, "The text to improve")
    box.set_value(text).run()
    assert not app.exception
    return app


def put(app: AppTest, kind: str, label: str, value: object) -> AppTest:
    element: Any = widget(app.get(kind), label)
    element.set_value(value).run()
    assert not app.exception, app.exception
    return app


def ended(app: AppTest) -> RefineState:
    assert app.title[0].value and not app.error, [error.value for error in app.error]
    state = workbench().wait(address(app, "run"), 60)
    assert isinstance(state, RefineState)
    return state


def page(app: AppTest) -> str:
    kinds = ("markdown", "caption", "text", "success", "warning", "error", "header", "info")
    return "\n".join(str(one.value) for kind in kinds for one in app.get(kind))


def test_the_demo_runs_to_its_end_in_one_click(app: AppTest, home: Path) -> None:
    press(opened(app), "Improve an example essay")
    state = ended(app)
    assert state.status == "done" and state.ended is not None and state.ended.outcome == "converged"
    assert state.incumbent != state.first, "the demo judge mended something"
    assert "Converged after" in page(app.switch_page("result.py").run())


def test_a_text_goes_through_the_steps_to_a_tournament(app: AppTest, home: Path) -> None:
    typed(opened(app))
    press(app, "Next: Task and criteria")
    put(app, "text_area", "Question or task", "Say why trees matter.")
    press(app, "Next: Roles and judges")
    put(app, "radio", "How thorough", "quick")
    press(app, "Next: Price and data")
    said = page(app)
    assert "3 passes of 4 calls" in said and "Nothing leaves this computer." in said
    press(app, "Start improving")
    state = ended(app)
    assert (state.spec.stopping.k, state.spec.stopping.max_rounds, len(state.spec.panel)) == (1, 3, 1)
    assert state.spec.rubric.question == "Say why trees matter."


def test_presets_say_their_size_and_custom_takes_numbers(app: AppTest, home: Path) -> None:
    typed(opened(app))
    at(app, "roles")
    put(app, "radio", "How thorough", "custom")
    put(app, "number_input", "Judges who rank", 4)
    put(app, "number_input", "Passes at most", 2)
    spec = started(app)
    assert len(spec.panel) == 4 and spec.stopping.max_rounds == 2


def test_roles_weights_vetoes_and_limits_reach_the_tournament(app: AppTest, home: Path) -> None:
    typed(opened(app))
    at(app, "roles")
    put(app, "selectbox", "Seat 2", "minimality")
    put(app, "number_input", "Weight of seat 2", 0.5)
    put(app, "radio", "How rankings are counted", "veto")
    put(app, "number_input", "Judges for a veto", 2)
    put(app, "number_input", "Longest new version", 1.2)
    put(app, "number_input", "Stop when points stand still", 3)
    spec = started(app)
    assert [(seat.role, seat.weight) for seat in spec.panel] == [("judge", 1), ("minimality", 0.5), ("judge", 1)]
    assert (spec.voting, spec.veto_threshold, spec.longest) == ("veto", 2, 1.2)
    assert (spec.stopping.score_window, spec.stopping.winner_window) == (3, None)


def test_each_role_may_have_a_model_of_its_own(app: AppTest, home: Path) -> None:
    typed(opened(app))
    at(app, "roles")
    press(app, "Add another judge")
    put(app, "selectbox", "Service", "offline")
    second = stored(app).judges[1].key
    service: Any = [one for one in app.selectbox if one.label == "Service"][1]
    service.set_value("offline").run()
    heat = stored(app).with_judge(second, temperature=1.0)  # told apart from the first
    assert heat.judge(second).kind == "offline"
    put(app, "selectbox", "Author", second)
    put(app, "multiselect", "Who ranks", [stored(app).judges[0].key])
    improvement = stored(app).inputs.improvement
    assert improvement.author == second and improvement.rankers == (stored(app).judges[0].key,)
    assert "same as judge 1" in page(app)


def test_a_model_beyond_this_computer_has_its_price_and_place_said(
    app: AppTest, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    typed(opened(app))
    at(app, "roles")
    put(app, "selectbox", "Service", "openai")
    model: Any = widget(app.selectbox, "Model")
    model.set_value(model.options[0]).run()
    at(app, "start")
    metrics = {metric.label: metric.value for metric in app.metric}
    assert metrics["Calls, at most"] == "60" and metrics["Price, at most about"].startswith("$")
    said = page(app).replace("\\", "").replace("\u2060", "")
    assert "The text, and every version of it, will be sent to" in said and "api.openai.com" in said
    assert any("Price of judge 1" in one.label for one in app.expander)


def test_a_judge_that_is_taken_out_leaves_its_roles_to_the_first(app: AppTest, home: Path) -> None:
    typed(opened(app))
    at(app, "roles")
    press(app, "Add another judge")
    put(app, "selectbox", "Author", stored(app).judges[1].key)
    next(button for button in reversed(app.button) if button.label == "Remove").click().run()
    assert len(stored(app).judges) == 1
    spec = started(app)
    assert spec.judges[spec.author_b].name == "offline"


def test_without_a_text_nothing_starts_and_the_page_says_where_to_mend_it(app: AppTest, home: Path) -> None:
    opened(app, "start")
    assert widget(app.button, "Start improving").disabled  # type: ignore[attr-defined]
    assert "The text is empty" in page(app)
    press(app, "Go to Text")
    assert app.session_state[PAGE.key] == "text"


def test_a_file_must_hold_one_text(app: AppTest, home: Path) -> None:
    opened(app)
    table = b"text\nThe first one of two.\nThe second one of two.\n"
    app.file_uploader[0].set_value([("two.csv", table, "text/csv")]).run()
    assert "this box takes one" in page(app)
    app.file_uploader[0].set_value([("one.md", b"# Trees\n\nThey cool the street.", "text/markdown")]).run()
    assert stored(app).inputs.one.name == "one.md"


def test_a_veto_that_can_never_come_about_is_refused_before_the_start(app: AppTest, home: Path) -> None:
    typed(opened(app))
    at(app, "roles")
    put(app, "radio", "How thorough", "quick")
    put(app, "radio", "How rankings are counted", "veto")
    put(app, "number_input", "Judges for a veto", 3)
    at(app, "start")
    assert widget(app.button, "Start improving").disabled  # type: ignore[attr-defined]
    assert "can never come about" in page(app)


def test_the_draft_of_this_page_is_its_own(app: AppTest, home: Path) -> None:
    typed(opened(app))
    app.query_params.clear()
    app.switch_page("new_ranking.py").run()
    assert not app.exception and "draft" not in app.query_params
    app.query_params.clear()
    app.switch_page("improve.py").run()
    assert widget(app.text_area, "The text to improve").value == FAULTY  # type: ignore[attr-defined]


def started(app: AppTest) -> RefineSpec:
    press(at(app, "start"), "Start improving")
    assert not app.error
    spec = workbench().journal.row(address(app, "run")).spec
    assert isinstance(spec, RefineSpec)
    return spec
