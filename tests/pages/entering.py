"""How the tests of "New ranking" enter things and read what was stored."""

from __future__ import annotations

import json
from pathlib import Path

from streamlit.testing.v1 import AppTest

from judge_core.interfaces.dashboard.new_ranking import state
from judge_core.interfaces.dashboard.session import workbench
from judge_core.interfaces.drafts import Draft, load
from judge_core.records.spec import Spec

CASES = Path(__file__).parents[1] / "cases" / "cases.jsonl"
FILES = [
    ("a.txt", b"The first essay, with a few words.", "text/plain"),
    ("b.txt", b"The second essay, longer.", "text/plain"),
]
FAULTY = '[{"name": "Clarity", "wieght": 1}]'


def address(app: AppTest, name: str) -> str:
    """A value of the page's address."""
    value = app.query_params[name]
    return value if isinstance(value, str) else value[0]


def case(id: str) -> dict[str, list[str]]:
    return next(
        found["input"] for line in CASES.read_text("utf-8").splitlines() if (found := json.loads(line))["id"] == id
    )


def opened(app: AppTest, step: str = "texts") -> AppTest:
    app.run().switch_page("new_ranking.py").run()
    return at(app, step)


def at(app: AppTest, step: str) -> AppTest:
    app.session_state[state.STEPS.key] = step
    app.run()
    assert not app.exception
    return app


def press(app: AppTest, label: str) -> AppTest:
    next(button for button in app.button if button.label == label).click().run()
    assert not app.exception
    return app


def uploaded(app: AppTest, files: list[tuple[str, bytes, str]] = FILES) -> AppTest:
    app.file_uploader[0].set_value(files).run()
    assert not app.exception
    return app


def stored(app: AppTest) -> Draft:
    found = load(workbench().archive, address(app, "draft"))
    assert found is not None
    return found


def widget(elements: object, label: str) -> object:
    return next(element for element in elements if element.label.startswith(label))  # type: ignore[attr-defined]


def started(app: AppTest) -> Spec:
    press(at(app, "start"), "Start")
    assert not app.error
    return workbench().journal.row(address(app, "run")).spec
