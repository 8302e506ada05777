"""Recorded cases by id."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from judge_core.ranking.rate import RecordedMatch, read_matches

CASES = Path(__file__).parents[1] / "cases"
Case = dict[str, Any]


@pytest.fixture(scope="session")
def case() -> Callable[[str], Case]:
    lines = (json.loads(line) for line in (CASES / "cases.jsonl").read_text(encoding="utf-8").splitlines())
    cases = {line["id"]: line for line in lines}
    return cases.__getitem__


@pytest.fixture(scope="session")
def long_run() -> tuple[RecordedMatch, ...]:
    """Five thousand matches of twelve items."""
    recorded = json.loads((CASES / "files" / "R-007" / "matches_5000.json").read_text(encoding="utf-8"))
    return read_matches([dict(zip(("a", "b", "result"), row, strict=True)) for row in recorded])
