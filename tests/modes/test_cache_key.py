"""The cache key: whatever can change a reply changes it, and nothing else does."""

from __future__ import annotations

from typing import Any

import pytest

from judge_core.modes.asking.dialogue import replicates
from judge_core.modes.asking.prompts import NO_PART_OF_A_CALL, key_material
from judge_core.records.criteria import Criterion, Level, Rubric
from judge_core.records.prompt import OF_PAIRS, Ask, Repair
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


ANOTHER_JUDGE: list[dict[str, Any]] = [
    {"temperature": 0.7}, {"temperature": None}, {"model": "judge-2"}, {"provider": "offline"},
    {"base_url": "https://other/v1"}, {"max_tokens": 801}, {"log_probabilities": True},
]  # fmt: skip
SAME_JUDGE: list[dict[str, Any]] = [
    {"name": "x"}, {"weight": 3.0}, {"price": Price(input=1, output=2)}, {"timeout_s": 1.0}, {"context_tokens": 9},
]  # fmt: skip
ANOTHER_ASK: list[dict[str, Any]] = [
    {"texts": ASK.texts[::-1]}, {"replicate": 1}, {"mode": "pointwise"}, {"repair": Repair(reply_sha256="0", problem="x")},
    {"roles": ("question", "answer")}, {"claims": ("Trees are tall.",)}, {"seat": "reviewer"},
]  # fmt: skip
SAME_ASK: list[dict[str, Any]] = [{"judge": 3}]


def fields(changes: list[dict[str, Any]]) -> set[str]:
    return {name for change in changes for name in change}


@pytest.mark.parametrize("change", ANOTHER_JUDGE)
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


@pytest.mark.parametrize("change", ANOTHER_ASK)
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


@pytest.mark.parametrize("change", SAME_JUDGE)
def test_what_cannot_change_a_reply_does_not_change_the_key(change: dict[str, Any]) -> None:
    assert key(judge=JUDGE.model_copy(update=change)) == key()


@pytest.mark.parametrize("change", SAME_ASK)
def test_which_of_the_panel_is_asked_does_not_change_the_key(change: dict[str, Any]) -> None:
    """Only what that judge is."""
    assert key(ask=ASK.model_copy(update=change)) == key()


def test_it_is_decided_of_every_field_whether_it_changes_the_key() -> None:
    """A new field stands in one of the lists above, and not in both."""
    for record, another, same in ((JudgeSpec, ANOTHER_JUDGE, SAME_JUDGE), (Ask, ANOTHER_ASK, SAME_ASK)):
        assert fields(another) | fields(same) == set(record.model_fields)
        assert not fields(another) & fields(same)


def test_judges_make_equal_calls_just_where_their_keys_are_equal() -> None:
    """Equal calls of one panel get replicates of their own, so that one reply never counts as two."""
    assert fields(SAME_JUDGE) == NO_PART_OF_A_CALL
    for change in SAME_JUDGE:
        assert replicates((JUDGE, JUDGE.model_copy(update=change)), 0) == [0, 1]
    for change in ANOTHER_JUDGE:
        assert replicates((JUDGE, JUDGE.model_copy(update=change)), 0) == [0, 0]


def test_a_key_of_before_still_finds_its_reply() -> None:
    """But for the version of the wording; a key that moves without need makes everybody pay again."""
    material = key_material(ASK, RUBRIC, JUDGE) | {"prompt_version": "1"}
    assert digest(material) == "655fe5baa60c04dc0f6ee3c5388e1b66bde74ae33f3cc9621cf1c413064351a1"


def test_only_a_question_about_a_pair_is_another_one_where_tokens_are_asked_for() -> None:
    """A reply without them must not serve a run that wants them; a text scored by itself names no winner."""
    telling = JUDGE.model_copy(update={"log_probabilities": True})
    for mode in OF_PAIRS:
        assert key(ASK.model_copy(update={"mode": mode}), judge=telling) != key(ASK.model_copy(update={"mode": mode}))
    alone = Ask(judge=0, mode="pointwise", texts=ASK.texts[:1])
    assert key(alone, judge=telling) == key(alone)


def test_asking_for_levels_is_another_question() -> None:
    assert key(ASK.model_copy(update={"mode": "pairwise_levels"})) != key()


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
