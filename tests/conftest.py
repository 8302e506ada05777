"""What holds for every test."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from hypothesis import settings

from judge_core.providers import registry


@pytest.fixture(autouse=True)
def no_registered_kind_of_judge_outlives_its_test() -> Iterator[None]:
    """A kind that a test registers would be known to all tests after it."""
    before = dict(registry._FACTORIES)
    yield
    registry._FACTORIES.clear()
    registry._FACTORIES.update(before)


settings.register_profile("podium", deadline=None, max_examples=25)  # a busy machine is no fault of the code
settings.register_profile("thorough", deadline=None, max_examples=500)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "podium"))
