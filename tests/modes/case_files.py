"""The recorded cases, by id, and the texts that belong to them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "cases"
CASES: dict[str, dict[str, Any]] = {
    case["id"]: case for case in map(json.loads, (FOLDER / "cases.jsonl").read_text(encoding="utf-8").splitlines())
}


def case_text(name: str) -> str:
    """A case's file, by its name under `files/`."""
    return (FOLDER / "files" / name).read_text(encoding="utf-8")
