"""Listwise: what one judge is asked, and its rankings of both directions merged."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_core.modes.asking.dialogue import Opinion, Played, panel_dialogue
from judge_core.modes.asking.prompts import render
from judge_core.modes.listwise.script import check_list, listwise_script, merged
from judge_core.records.criteria import Criterion, Rubric
from judge_core.records.errors import InputError
from judge_core.records.item import Item, ItemPart
from judge_core.records.item_verdict import ListVerdict
from judge_core.records.prompt import Ask, Completion, Failure, Received
from judge_core.records.record import text_hash
from judge_core.records.spec import ItemSpec, JudgeSpec

WORDS = ("Trees cool streets.", "Trees are nice.", "A study of 14 streets found 3 degrees less.")
TEXTS = {text_hash(text): text for text in WORDS}
RUBRIC = Rubric(criteria=(Criterion(name="Evidence", weight=3),), question="Should towns plant trees?")
Answer = Callable[[Ask], str | Failure]


def part(text: str, role: Any = "candidate", name: str = "") -> ItemPart:
    return ItemPart(role=role, sha256=text_hash(text), words=len(text.split()), characters=len(text), name=name)


def item_of(*parts: ItemPart) -> Item:
    return Item(alias="I-001", id="list.csv", title="list", parts=parts or tuple(part(text) for text in WORDS))


def spec_of(item: Item, both_orders: bool = True) -> ItemSpec:
    judge = JudgeSpec(name="j", provider="openai_compatible", model="m")
    return ItemSpec(
        mode="listwise", items=(item,), rubric=RUBRIC, judges=(judge,), prompt_version="1", both_orders=both_orders
    )


def reply(ranking: Any, **more: Any) -> str:
    return json.dumps({"ranking": ranking, **more})


def received(text: str, turn: int) -> Received:
    return Received(completion=Completion(text=text), reply_sha256=text_hash(text), key="k", turn=turn)


def play(answer: Answer, item: Item | None = None, **options: Any) -> tuple[list[list[Ask]], Played[Opinion]]:
    item = item or item_of()
    spec = spec_of(item, **options)
    flow = panel_dialogue({0: listwise_script(0, item, spec, 0, TEXTS)}, spec.judges)
    rounds, turn, asks = [], 0, next(flow)
    while True:
        rounds.append(asks)
        replies: list[Received | Failure] = []
        for ask in asks:
            said = answer(ask)
            replies.append(said if isinstance(said, Failure) else received(said, turn))
            turn += 1
        try:
            asks = flow.send(replies)
        except StopIteration as end:
            return rounds, end.value.played[0]


def opinion_of(played: Played[Opinion]) -> tuple[ListVerdict, list[str]]:
    assert played.verdict is not None and isinstance(played.verdict.verdict, ListVerdict)
    return played.verdict.verdict, [notice.code for notice in played.verdict.warnings]


def by_merit(ask: Ask) -> str:
    """A judge that ranks by length alone, whatever the order shown."""
    labelled = [(len(TEXTS[sha256]), str(at)) for at, sha256 in enumerate(ask.texts, start=1)]
    return reply([label for _, label in sorted(labelled, reverse=True)])


def test_the_prompt_shows_numbered_candidates_and_no_name_or_weight() -> None:
    item = item_of(*(part(text, name=f"secret-{at}.txt") for at, text in enumerate(WORDS)))
    rounds, _ = play(by_merit, item)
    said = "\n".join(message.content for message in render(rounds[0][0], RUBRIC, TEXTS, "4f0c").messages)
    assert all(f"<<< CANDIDATE {number} begins | 4f0c >>>\n{WORDS[number - 1]}" in said for number in (1, 2, 3))
    assert "secret" not in said and "weight" not in said.casefold() and "Evidence (scale: 0 to 10)" in said


def test_both_directions_are_asked_in_parallel_and_turned_back() -> None:
    """A judge that sees merit alone gives the same ranking twice: no warning, whole mean positions."""
    rounds, played = play(by_merit)
    verdict, codes = opinion_of(played)
    assert len(rounds) == 1 and rounds[0][0].texts == rounds[0][1].texts[::-1]
    assert (verdict.ranking, verdict.positions, verdict.orders) == ((3, 1, 2), (2, 3, 1), ((3, 1, 2), (3, 1, 2)))
    assert codes == []
    assert [turn.first for turn in played.turns] == ["list", "list in reverse"]


def test_a_judge_that_goes_by_position_alone_ties_all_and_it_is_said() -> None:
    verdict, codes = opinion_of(play(lambda _ask: reply(["1", "2", "3"]))[1])
    assert (verdict.positions, verdict.orders, codes) == ((2, 2, 2), ((1, 2, 3), (3, 2, 1)), ["list_order"])


def test_one_direction_alone_is_asked_where_that_was_chosen() -> None:
    rounds, played = play(lambda _ask: reply(["2", "3", "1"]), both_orders=False)
    verdict, codes = opinion_of(played)
    assert ([len(asks) for asks in rounds], verdict.orders, codes) == ([1], ((2, 3, 1),), [])


def test_a_direction_that_failed_is_missing_and_no_guess_stands_in_for_it() -> None:
    def answer(ask: Ask) -> str | Failure:
        return by_merit(ask) if ask.texts[0] == text_hash(WORDS[0]) else Failure(kind="transient", message="late")

    verdict, codes = opinion_of(play(answer)[1])
    assert (verdict.ranking, len(verdict.orders), codes) == ((3, 1, 2), 1, ["order_missing"])


def test_an_unreadable_list_is_asked_for_once_more() -> None:
    def answer(ask: Ask) -> str:
        return by_merit(ask) if ask.repair else reply(["1", "1", "2"])

    rounds, played = play(answer)
    assert [len(asks) for asks in rounds] == [2, 2] and opinion_of(played)[0].ranking == (3, 1, 2)
    assert [notice.code for notice in played.notices] == ["repaired", "repaired"]


def test_nothing_readable_is_no_verdict() -> None:
    _, played = play(lambda _ask: "I cannot rank these.")
    assert played.verdict == Opinion(None) and played.unread


def test_a_quote_is_looked_for_in_its_own_candidate_in_either_direction() -> None:
    def answer(ask: Ask) -> str:
        number = ask.texts.index(text_hash(WORDS[2])) + 1
        return json.loads(by_merit(ask)) and reply(
            json.loads(by_merit(ask))["ranking"], quotes=[{"candidate": str(number), "text": "A study of 14 streets"}]
        )

    assert opinion_of(play(answer)[1])[1] == []
    wrong = play(
        lambda ask: reply(["1", "2", "3"], quotes=[{"candidate": "1", "text": "never said"}]), both_orders=False
    )
    assert wrong[1].verdict is not None
    assert "candidate 1" in wrong[1].verdict.warnings[0].message


def test_a_question_of_the_item_stands_before_its_candidates() -> None:
    item = item_of(part(WORDS[0]), part("Which is best?", "question"), part(WORDS[1]))
    rounds, _ = play(lambda _ask: reply(["1", "2"]), item)
    assert rounds[0][0].roles == ("question", "candidate", "candidate")
    assert rounds[0][0].texts[1:] == rounds[0][1].texts[:0:-1]


@given(st.lists(st.permutations(range(1, 7)).map(tuple), min_size=1, max_size=4))
def test_a_merged_ranking_is_a_permutation_in_the_order_of_mean_positions(rankings: list[tuple[int, ...]]) -> None:
    verdict = merged(rankings)
    assert sorted(verdict.ranking) == list(range(1, 7)) and sum(verdict.positions) == pytest.approx(21)
    ordered = [verdict.positions[candidate - 1] for candidate in verdict.ranking]
    assert ordered == sorted(ordered)
    assert merged(rankings[::-1]).ranking == verdict.ranking


@pytest.mark.parametrize("count", [1, 21])
def test_a_list_of_one_or_of_more_than_twenty_is_refused_with_the_remedy(count: int) -> None:
    item = item_of(*(part(f"text {number}") for number in range(count)))
    with pytest.raises(InputError, match=f"'list.csv' has {count} candidate.*from 2 to 20"):
        check_list(item)


def test_lists_of_two_and_of_twenty_are_taken() -> None:
    for count in (2, 20):
        check_list(item_of(*(part(f"text {number}") for number in range(count))))
