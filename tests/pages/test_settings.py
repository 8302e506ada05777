"""Settings and help: checks, keys, prices, cache, words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from judge_core.interfaces.dashboard.session import workbench
from judge_core.interfaces.dashboard.settings.checks import check_setup
from judge_core.interfaces.dashboard.settings.prices import save_prices
from judge_core.records.errors import InputError
from judge_core.records.notices import NOTICES
from judge_core.records.prompt import Completion


def opened(app: AppTest) -> AppTest:
    app.run().switch_page("settings.py").run()
    assert not app.exception
    return app


def press(app: AppTest, label: str) -> AppTest:
    next(button for button in app.button if button.label == label).click().run()
    assert not app.exception
    return app


def test_the_set_up_is_checked_in_plain_words(app: AppTest) -> None:
    press(opened(app), "Check my set-up")
    assert app.success[0].value == "All is well."
    assert {"Data folder", "Demo judge", "Keys", "Prices"} <= set(app.dataframe[0].value["What"])


def test_a_broken_price_table_is_a_fault_and_not_an_error(app: AppTest, home: Path) -> None:
    opened(app)
    (home / "prices.json").write_text("{oops", "utf-8")
    press(app, "Check my set-up")
    assert "to mend" in app.error[0].value
    assert [check.what for check in check_setup(workbench()) if check.result == "fault"] == ["Prices"]


def test_keys_are_named_and_never_shown(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GROQ_API_KEY", "gsk-very-secret")
    press(opened(app), "Check my set-up")
    page = " ".join(frame.value.to_string() for frame in app.dataframe)
    assert "GROQ_API_KEY" in page and "✓ key found" in page and "very-secret" not in page


def test_the_demo_judge_can_be_tested(app: AppTest) -> None:
    press(opened(app), "Test this judge")
    assert any("It answered" in element.value for element in app.success)


def test_prices_are_edited_and_saved(app: AppTest, home: Path) -> None:
    opened(app)
    app.session_state["settings:own_prices"] = ({"judge": "127.0.0.1:8080/*", "input": 0, "output": 0},)
    app.run()
    press(app, "Save my prices")
    assert json.loads((home / "prices.json").read_text("utf-8")) == {"127.0.0.1:8080/*": {"input": 0, "output": 0}}
    assert "127.0.0.1:8080/*" in workbench().prices()


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([{"judge": None, "input": 1, "output": 1}], "Row 1 names no judge"),
        ([{"judge": "a/b", "input": 1, "output": None}], "lacks a price"),
        ([{"judge": "a/b", "input": 1, "output": 1}] * 2, "stands twice"),
        ([{"judge": "a/b", "input": -1, "output": 1}], "a/b"),
    ],
)
def test_a_price_that_cannot_be_used_names_its_row_and_nothing_is_written(
    app: AppTest, home: Path, rows: list[dict[str, object]], said: str
) -> None:
    opened(app)
    with pytest.raises(InputError, match=said):
        save_prices(workbench(), rows)  # type: ignore[arg-type]
    assert not (home / "prices.json").exists()


def test_the_cache_is_counted_and_cleared(app: AppTest) -> None:
    opened(app)
    workbench().cache.put("key", Completion(text="{}"))
    app.run()
    assert next(m.value for m in app.metric if m.label == "Replies kept") == "1"
    press(app, "Clear it now")
    assert next(m.value for m in app.metric if m.label == "Replies kept") == "0"


def test_words_are_found_and_every_warning_is_explained(app: AppTest) -> None:
    opened(app)
    page = " ".join(element.value for element in app.markdown)
    assert all(code in page for code in NOTICES) and "Bradley-Terry" in page
    app.text_input(key="settings:word").set_value("position").run()
    words = [element.value for element in app.markdown if " · " in element.value and element.value.startswith("**")]
    assert words and all("position" in word.casefold() for word in words)
