"""Where tests find the public data sets, which are not part of the repository."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


def data_folder(name: str) -> Path:
    """The folder of a data set; the test is skipped, with the reason, where the data sets are not at hand."""
    beside = Path(__file__).parents[2] / "shared" / "data"
    root = Path(os.environ.get("PODIUM_TEST_DATA", beside))
    if not (root / name).is_dir():
        pytest.skip(f"data set {name} is not under PODIUM_TEST_DATA ({root})")
    return root / name
