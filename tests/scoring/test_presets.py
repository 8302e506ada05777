"""The ready-made rubrics are whole, and pass the same checks as anyone's."""

from __future__ import annotations

import pytest

from judge_core.scoring.rubric.presets import PRESETS
from judge_core.scoring.rubric.reading import check_weights, read_rubric
from judge_core.scoring.rubric.writing import write_rubric


def test_the_presets_are_known_by_these_names() -> None:
    assert list(PRESETS) == ["persuasive essay", "writing", "plan", "code", "answer", "legal", "medical"]


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
    assert_described("writing")


@pytest.mark.parametrize("key", ["legal", "medical"])
def test_legal_and_medical_describe_each_step_from_1_to_5(key: str) -> None:
    assert_described(key)


def assert_described(key: str) -> None:
    for criterion in PRESETS[key].criteria:
        assert [level.score for level in criterion.levels] == [1, 2, 3, 4, 5]
        assert (criterion.scale_min, criterion.scale_max) == (1, 5)
        assert len({level.descriptor for level in criterion.levels}) == 5


@pytest.mark.parametrize(
    ("key", "heaviest"), [("legal", {"Law and authority", "Application"}), ("medical", {"Accuracy"})]
)
def test_in_legal_and_medical_texts_what_is_right_weighs_most(key: str, heaviest: set[str]) -> None:
    criteria = PRESETS[key].criteria
    assert 4 <= len(criteria) <= 6
    most = max(criterion.weight for criterion in criteria)
    assert {criterion.name for criterion in criteria if criterion.weight == most} == heaviest
