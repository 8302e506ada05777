"""The ready-made rubrics are whole, and pass the same checks as anyone's."""

from __future__ import annotations

import pytest

from judge_core.scoring.presets import PRESETS
from judge_core.scoring.rubric_reading import check_weights, read_rubric
from judge_core.scoring.rubric_writing import write_rubric


def test_the_presets_are_known_by_these_names() -> None:
    assert list(PRESETS) == ["persuasive essay", "writing", "plan", "code", "answer"]


@pytest.mark.parametrize("key", PRESETS)
def test_a_preset_passes_the_strict_reading_and_comes_back_equal(key: str) -> None:
    reading = read_rubric(write_rubric(PRESETS[key]), strict=True)
    assert reading.rubric == PRESETS[key]
    assert reading.notes == ()


@pytest.mark.parametrize("key", PRESETS)
def test_a_preset_has_a_display_name_and_describes_every_criterion(key: str) -> None:
    rubric = PRESETS[key]
    assert rubric.name.casefold() == key
    assert all(len(criterion.description) > 40 for criterion in rubric.criteria)


@pytest.mark.parametrize("key", PRESETS)
def test_a_presets_weights_add_up_to_one(key: str) -> None:
    assert check_weights([criterion.weight for criterion in PRESETS[key].criteria], strict=True).ok


@pytest.mark.parametrize("key", ["code", "plan"])
def test_code_and_plan_weigh_correctness_most_and_edge_cases_least(key: str) -> None:
    weights = {criterion.name: criterion.weight for criterion in PRESETS[key].criteria}
    assert weights == {
        "Correctness": 0.30, "Completeness": 0.25, "Clarity": 0.20, "Maintainability": 0.15, "Edge cases": 0.10,
    }  # fmt: skip


def test_writing_describes_each_step_from_1_to_5() -> None:
    for criterion in PRESETS["writing"].criteria:
        assert [level.score for level in criterion.levels] == [1, 2, 3, 4, 5]
        assert (criterion.scale_min, criterion.scale_max) == (1, 5)
        assert len({level.descriptor for level in criterion.levels}) == 5
