"""The cache key: whatever can change a reply changes it, and nothing else does."""

from __future__ import annotations

from typing import Any

import pytest

from judge_core.modes.asking.prompts import key_material
from judge_core.records.criteria import Criterion, Level, Rubric
from judge_core.records.prompt import Ask, Repair
from judge_core.records.record import digest, text_hash
from judge_core.records.spec import JudgeSpec, Price
from tests.modes.case_files import case_text

RUBRIC = Rubric(
    question="Which essay is clearer?",
    criteria=(Criterion(name="Clarity", weight=0.5), Criterion(name="Evidence", weight=0.5)),
)
JUDGE = JudgeSpec(
    name="openai:judge-1", provider="openai_compatible", model="judge-1", base_url="https://host/v1", max_tokens=800
)
ASK = Ask(judge=0, texts=(text_hash("Trees cool the street."), text_hash("A park costs money, too.")))


def key(ask: Ask = ASK, rubric: Rubric = RUBRIC, judge: JudgeSpec = JUDGE) -> str:
    return digest(key_material(ask, rubric, judge))


def criterion(**changes: Any) -> Rubric:
    first, second = RUBRIC.criteria
    return RUBRIC.model_copy(update={"criteria": (first.model_copy(update=changes), second)})


@pytest.mark.parametrize(
    "change",
    [
        {"temperature": 0.7}, {"temperature": None}, {"model": "judge-2"}, {"provider": "offline"},
        {"base_url": "https://other/v1"}, {"max_tokens": 801},
    ],
)  # fmt: skip
def test_a_setting_of_the_judge_changes_the_key(change: dict[str, Any]) -> None:
    """A temperature that is not sent is not temperature 0."""
    assert key(judge=JUDGE.model_copy(update=change)) != key()


@pytest.mark.parametrize(
    "change",
    [
        {"question": "Which essay is better?"}, {"source_extract": "x"}, {"word_limit": 10},
        {"criteria": RUBRIC.criteria[::-1]}, {"criteria": RUBRIC.criteria[:1]},
    ],
)  # fmt: skip
def test_a_change_of_the_rubric_changes_the_key(change: dict[str, Any]) -> None:
    assert key(rubric=RUBRIC.model_copy(update=change)) != key()


@pytest.mark.parametrize(
    "change",
    [
        {"name": "Style"}, {"description": "x"}, {"scale_min": 1.0}, {"scale_max": 5.0},
        {"levels": (Level(score=1, label="low"),)}, {"levels": (Level(score=1, descriptor="low"),)},
    ],
)  # fmt: skip
def test_a_change_of_a_criterion_changes_the_key(change: dict[str, Any]) -> None:
    assert key(rubric=criterion(**change)) != key()


@pytest.mark.parametrize(
    "change",
    [
        {"texts": ASK.texts[::-1]}, {"replicate": 1}, {"mode": "pointwise"},
        {"repair": Repair(reply_sha256="0", problem="x")},
    ],
)  # fmt: skip
def test_a_change_of_what_is_asked_changes_the_key(change: dict[str, Any]) -> None:
    """The order shown counts: the same pair the other way round is another prompt."""
    assert key(ask=ASK.model_copy(update=change)) != key()


def test_repairs_of_different_replies_have_different_keys() -> None:
    asks = [ASK.model_copy(update={"repair": Repair(reply_sha256=sha, problem=why)}) for sha in "01" for why in "xy"]
    assert len({key(ask=ask) for ask in asks}) == 4


def test_new_weights_and_names_cost_no_call() -> None:
    weighed = tuple(
        one.model_copy(update={"weight": weight}) for one, weight in zip(RUBRIC.criteria, (0.9, 0.1), strict=True)
    )
    assert key(rubric=RUBRIC.model_copy(update={"criteria": weighed, "name": "mine"})) == key()


@pytest.mark.parametrize(
    "change",
    [{"name": "x"}, {"weight": 3.0}, {"price": Price(input=1, output=2)}, {"timeout_s": 1.0}, {"context_tokens": 9}],
)
def test_what_cannot_change_a_reply_does_not_change_the_key(change: dict[str, Any]) -> None:
    assert key(judge=JUDGE.model_copy(update=change)) == key()
    assert key(ask=ASK.model_copy(update={"judge": 3})) == key()


def test_minus_zero_is_zero() -> None:
    assert key(rubric=criterion(scale_min=-0.0)) == key()


@pytest.mark.parametrize(
    ("one", "other"), [(("rate: a", "b"), ("rate", " a:b")), (("t:d1", "x"), ("t", "d1:x")), (("a", ""), ("", "a"))]
)
def test_no_separator_inside_a_field_makes_two_prompts_one(one: tuple[str, str], other: tuple[str, str]) -> None:
    rubrics = [
        Rubric(question=question, criteria=(Criterion(name="C", description=words),))
        for question, words in (one, other)
    ]
    assert key(rubric=rubrics[0]) != key(rubric=rubrics[1])


@pytest.mark.parametrize("algorithm", ["sha256", "md5", "sha1"])
def test_texts_whose_hashes_begin_alike_are_told_apart(algorithm: str) -> None:
    first, second = (text_hash(case_text(f"C-011/{algorithm}_{number}.md")) for number in (1, 2))
    assert key(ask=Ask(judge=0, texts=(first, ASK.texts[0]))) != key(ask=Ask(judge=0, texts=(second, ASK.texts[0])))
