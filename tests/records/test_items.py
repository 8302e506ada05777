"""Items and their verdicts as records: closed, numbered, with nothing that JSON does not know."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from pydantic import ValidationError

from judge_core.records.errors import InputError
from judge_core.records.event import EVENT, ItemJudged, ItemsStarted
from judge_core.records.item import ItemPart, PartRole
from judge_core.records.item_verdict import ItemJudgment, PointVerdict, RagMetrics, RagVerdict
from judge_core.records.journal import RunRow
from judge_core.records.notices import NOTICES, explain
from judge_core.records.prompt import Need
from judge_core.records.spec import ANY_SPEC, ItemMode, ItemSpec
from judge_core.records.verdict import Turn
from tests.engine.item_world import item_of, part, spec_of
from tests.modes.test_match import spec_of as rank_spec


@pytest.mark.parametrize("mode", get_args(ItemMode))
def test_a_spec_of_items_comes_back_from_its_stored_spelling(mode: ItemMode) -> None:
    spec = spec_of(mode, 3)
    again = ANY_SPEC.validate_json(spec.canonical())
    assert again == spec and again.identity == spec.identity and isinstance(again, ItemSpec)


def test_the_mode_decides_which_kind_of_spec_it_is() -> None:
    with pytest.raises(ValidationError):
        ANY_SPEC.validate_python({**spec_of("gate").model_dump(), "mode": "rank"})
    with pytest.raises(ValidationError):
        ANY_SPEC.validate_python({**spec_of("gate").model_dump(), "mode": "nonsense"})


@pytest.mark.parametrize("change", [{"bar": 0.9}, {"bar": 5.1}, {"bar": float("nan")}, {"items": ()}, {"judges": ()}])
def test_what_cannot_be_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        ItemSpec.model_validate({**spec_of("gate").model_dump(), **change})


@pytest.mark.parametrize(
    "change", [{"bar": 4.0}, {"both_orders": False}, {"classify_patterns": True}, {"seed": 1}, {"mode": "review"}]
)
def test_every_choice_is_part_of_a_runs_identity(change: dict[str, Any]) -> None:
    spec = spec_of("gate")
    assert spec.model_copy(update=change).identity != spec.identity


def test_the_parts_of_a_role_keep_their_order() -> None:
    item = item_of("listwise")
    assert item.of("candidate") == item.parts and item.of("passage") == ()


def test_a_text_that_is_shown_twice_is_listed_once() -> None:
    twice = item_of("review", parts=(part("text", "Same."), part("reference", "Same.")))
    assert len(spec_of("review").model_copy(update={"items": (twice,)}).text_hashes) == 1


def test_an_item_needs_a_part() -> None:
    with pytest.raises(ValidationError):
        item_of("gate", parts=())


def test_no_number_of_words_is_below_nothing() -> None:
    with pytest.raises(ValidationError):
        ItemPart(role="text", sha256="x", words=-1, characters=0)
    with pytest.raises(ValidationError):
        Need(prompts=0, characters=0, words=0)


def test_a_judgments_cost_is_unknown_where_one_turn_is() -> None:
    turns = tuple(Turn(turn=n, first="x", status="ok", cost=cost) for n, cost in enumerate((0.1, 0.2)))
    judgment = ItemJudgment(judge=0, outcome="judged", turns=turns)
    assert judgment.cost == pytest.approx(0.3) and not judgment.cached and not judgment.decided
    unknown = judgment.model_copy(update={"turns": (*turns, turns[0].model_copy(update={"cost": None}))})
    assert unknown.cost is None


@pytest.mark.parametrize("total", [-0.1, 1.1, float("nan"), float("inf")])
def test_a_total_lies_between_0_and_1(total: float) -> None:
    with pytest.raises(ValidationError):
        PointVerdict(scores={}, total=total)


def test_a_figure_that_was_not_measured_is_none_and_never_a_number() -> None:
    assert set(RagMetrics().model_dump().values()) == {None}


def test_events_of_items_come_back_from_their_stored_spelling() -> None:
    verdict = RagVerdict(claims=(), relevant={1: True, 2: False}, metrics=RagMetrics(faithfulness=0.5))
    judgment = ItemJudgment(judge=0, outcome="judged", verdict=verdict)
    for event in (
        ItemsStarted(mode="rag", items=1, judges=("j",)),
        ItemJudged(place=1, item="I-001", judgments=(judgment,)),
    ):
        assert EVENT.validate_json(event.model_dump_json()) == event


def test_a_run_says_which_kind_it_is() -> None:
    shared = {"id": "x", "identity": "y", "name": "", "created_at": "", "status": "done"}
    items, ranking = (RunRow.model_validate({**shared, "spec": s}) for s in (spec_of("gate", 3), rank_spec()))
    assert (items.size, ranking.size) == (3, 2)
    assert items.items.mode == "gate" and ranking.ranking.mode == "rank"
    with pytest.raises(InputError, match="no ranking"):
        _ = items.ranking
    with pytest.raises(InputError, match="not judge items"):
        _ = ranking.items


def test_every_role_can_stand_in_an_item() -> None:
    assert {part(role, "x").role for role in get_args(PartRole)} == set(get_args(PartRole))


def test_every_warning_is_one_sentence_and_an_unknown_code_is_shown_as_it_is() -> None:
    assert all(line.strip() == line and "\n" not in line for line in NOTICES.values())
    assert explain("from_a_newer_version") == "from_a_newer_version"
