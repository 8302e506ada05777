"""Settings and help: checks, keys, prices, cache, words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from judge_core.interfaces.dashboard.session import close_workbenches, workbench
from judge_core.interfaces.dashboard.settings.checks import check_setup
from judge_core.interfaces.dashboard.settings.prices import save_prices
from judge_core.providers.registry import judge_kinds
from judge_core.records.errors import InputError
from judge_core.records.notices import NOTICES, explain
from judge_core.records.prompt import Completion
from tests.judge_server import JudgeServer


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
    assert app.success[0].value.startswith("Nothing needs mending. Services that are not set up are marked")
    assert {"Data folder", "Demo judge", "Keys", "Prices"} <= set(app.dataframe[0].value["What"])


def test_a_broken_price_table_is_a_fault_and_not_an_error(app: AppTest, home: Path) -> None:
    opened(app)
    (home / "prices.json").write_text("{oops", "utf-8")
    press(app, "Check my set-up")
    assert "to mend" in app.error[0].value
    assert [check.what for check in check_setup(workbench()) if check.result == "fault"] == ["Prices"]


def test_keys_are_named_and_never_shown(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GROQ_API_KEY", "gsk-very-secret")
    monkeypatch.setenv("PODIUM_ALLOWED_HOSTS", "127.0.0.1")  # so that nothing is sent anywhere
    press(opened(app), "Check my set-up")
    assert "GROQ_API_KEY" in page(app) and "✓ key found" in page(app) and "very-secret" not in page(app)


def page(app: AppTest) -> str:
    parts = (app.markdown, app.caption, app.success, app.error, app.info, app.warning)
    tables = [frame.value.to_string() for frame in app.dataframe]
    return "\n".join([*(element.value for kind in parts for element in kind), *tables]).replace("\\", "")


def test_every_kind_of_judge_is_listed_with_its_key_and_where_texts_go(app: AppTest) -> None:
    table = opened(app).dataframe[0].value.set_index("Judge")
    assert len(table) >= len(judge_kinds())
    assert table.loc["OpenAI", ["Key", "Ready", "Your texts"]].tolist() == [
        "OPENAI_API_KEY", "– no key set", "go to the service",
    ]  # fmt: skip
    assert table.loc["Demo judge (not an AI)", "Your texts"] == "stay on this computer"
    assert "not allowed here" in page(app) and "PODIUM_ALLOW_COMMANDS" in page(app)


def choose(app: AppTest, kind: str, model: str) -> AppTest:
    app.selectbox(key="settings:kind").set_value(kind).run()
    app.text_input(key=f"settings:model:{kind}").set_value(model).run()
    return press(app, "Check")


def test_an_address_is_checked_at_no_cost(app: AppTest) -> None:
    with JudgeServer() as server:
        choose(opened(app), "openai_compatible", f"{server.url}#m")
        assert "answers and lists the model" in app.success[0].value
        choose(app, "openai_compatible", f"{server.url}#other")
        assert "not in its list" in app.info[0].value
        assert server.requests == 0


def test_ollama_is_checked_with_its_model_and_the_remedy(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    with JudgeServer() as server:
        monkeypatch.setenv("OLLAMA_HOST", server.host)
        choose(opened(app), "ollama", "small")
        assert "the model is installed" in app.success[0].value
        choose(app, "ollama", "gone")
        assert "ollama pull gone" in app.error[0].value.replace("\\", "")
        found = {check.what: check for check in check_setup(workbench())}
        assert found["Ollama"].result == "ok" and "small:latest" in found["Ollama"].message


def test_an_ollama_that_is_set_and_does_not_answer_is_a_fault(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLLAMA_HOST", "127.0.0.1:9")
    opened(app)
    ollama = next(check for check in check_setup(workbench()) if check.what == "Ollama")
    assert ollama.result == "fault" and "ollama serve" in ollama.message


def test_a_model_file_and_a_program_that_are_not_there_are_said(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    choose(opened(app), "local", "/nowhere/model.gguf")
    assert "no model file" in app.error[0].value
    choose(app, "cli", "no-such-program-anywhere")
    assert "may not be started" in app.error[0].value
    close_workbenches()
    monkeypatch.setenv("PODIUM_ALLOW_COMMANDS", "true")
    press(app.run(), "Check")
    assert "no program" in app.error[0].value


def test_any_kind_of_judge_can_be_tested_by_one_call(app: AppTest) -> None:
    class Friendly(JudgeServer):
        def answer(self, body: dict[str, Any]) -> str:
            return "A is better."

    with Friendly() as server:
        app = opened(app)
        app.selectbox(key="settings:kind").set_value("openai_compatible").run()
        app.text_input(key="settings:model:openai_compatible").set_value(f"{server.url}#m").run()
        press(app, "Test this judge")
        assert "It answered" in app.success[0].value and server.requests == 1


def test_quotas_and_stand_ins_are_shown_in_words(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PODIUM_QUOTAS", "offline=30rpm,500rpd")
    monkeypatch.setenv("JUDGE_FALLBACK_PROVIDERS", "offline")
    opened(app)
    table = next(frame.value for frame in app.dataframe if "Free again" in frame.value)
    assert table.iloc[0].tolist() == ["offline", "0 of 30", "0, no limit", "0 of 500", "0, no limit", "now"]
    assert explain("provider_fallback") in page(app) and "goes to **offline**" in page(app)
    press(app, "Test this judge")
    table = next(frame.value for frame in app.run().dataframe if "Free again" in frame.value)
    assert table.iloc[0]["Requests a minute"] == "1 of 30"


def test_the_settings_for_judges_are_explained(app: AppTest) -> None:
    words = page(opened(app))
    assert all(
        name in words for name in ("PODIUM_QUOTAS", "JUDGE_FALLBACK_PROVIDERS", "PODIUM_ALLOW_COMMANDS", "OLLAMA_HOST")
    )


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
    words = " ".join(element.value for element in app.markdown)
    assert all(code in words for code in NOTICES) and "Bradley-Terry" in words
    app.text_input(key="settings:word").set_value("position").run()
    found = [element.value for element in app.markdown if " · " in element.value and element.value.startswith("**")]
    assert found and all("position" in word.casefold() for word in found)
