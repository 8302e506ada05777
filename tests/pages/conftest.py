"""What the tests of the pages share: a data folder of their own, no keys, and the dashboard opened from its entry script."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from judge_core.interfaces.dashboard import session
from judge_core.interfaces.settings import VARIABLES

MAIN = Path(__file__).parents[2] / "pages" / "main.py"


@pytest.fixture(autouse=True)
def closed_workbenches() -> Iterator[None]:
    """Runs and files belong to the process: each test begins and ends without any."""
    session.close_workbenches()
    yield
    session.close_workbenches()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty data folder that the settings name, with no key and no other setting set."""
    for variable in VARIABLES:
        monkeypatch.delenv(variable, raising=False)
    folder = tmp_path / "podium"
    monkeypatch.setenv("PODIUM_HOME", str(folder))
    monkeypatch.chdir(tmp_path)
    return folder


@pytest.fixture
def open_app(home: Path) -> Callable[[], AppTest]:
    """Makes one browser session after the other: `open_app()`. The home page shows after its first `run()`."""
    return lambda: AppTest.from_file(MAIN, default_timeout=30)


@pytest.fixture
def app(open_app: Callable[[], AppTest]) -> AppTest:
    """One browser session."""
    return open_app()
