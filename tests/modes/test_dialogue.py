"""The dialogue with a panel: scripts go forward together, turns are numbered in the order asked, repair comes once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_core.modes.asking.dialogue import SHORTER, Panel, Script, Step, panel_dialogue, replicates
from judge_core.records.errors import ReplyError
from judge_core.records.prompt import Ask, Completion, Failure, Received
from judge_core.records.record import Notice, text_hash
from judge_core.records.spec import JudgeSpec, Price

JUDGES = [JudgeSpec(name=f"j{n}", provider="openai_compatible", model=f"m{n}") for n in range(3)]
LOST = Failure(kind="transient", message="no answer", calls=3)
DEAD = Failure(kind="unusable", message="no key")
Answer = Callable[[Ask, int], str | Failure]


def read(text: str, reason: str | None) -> str:
    if text.startswith("bad"):
        raise ReplyError("truncated" if "cut" in text else "bad_json", f"That was {len(text)} characters.")
    return text


def script(judge: int, *rounds: int) -> Script[list[str | None]]:
    """Asks so many steps in each round; the verdict is what they brought."""
    steps: list[Step[str]] = []
    for number, count in enumerate(rounds):
        asked = [
            Step(Ask(judge=judge, texts=(f"{judge}.{number}.{k}",)), f"{judge}.{number}.{k}", read)
            for k in range(count)
        ]
        steps += asked
        yield asked
    return [step.reading for step in steps]


def received(text: str, turn: int, **more: Any) -> Received:
    completion = Completion(text=text, **more)
    return Received(completion=completion, reply_sha256=text_hash(text), key=f"k{turn}", turn=turn, cost=0.5)


def play(
    scripts: dict[int, Script[Any]], answer: Answer, judges: list[JudgeSpec] = JUDGES
) -> tuple[list[list[Ask]], Panel[Any]]:
    flow = panel_dialogue(scripts, judges)
    rounds: list[list[Ask]] = []
    turn = 0
    try:
        asks = next(flow)
        while True:
            rounds.append(asks)
            said = [answer(ask, turn + k) for k, ask in enumerate(asks)]
            replies = [s if isinstance(s, Failure) else received(s, turn + k) for k, s in enumerate(said)]
            turn += len(asks)
            asks = flow.send(replies)
    except StopIteration as end:
        return rounds, end.value


def names(rounds: list[list[Ask]]) -> list[list[str]]:
    return [[ask.texts[0] + ("!" if ask.repair else "") for ask in asks] for asks in rounds]


def test_scripts_of_several_steps_go_forward_together() -> None:
    rounds, panel = play({0: script(0, 2, 1), 1: script(1, 1, 2)}, lambda ask, turn: f"ok {turn}")
    assert names(rounds) == [["0.0.0", "0.0.1", "1.0.0"], ["0.1.0", "1.1.0", "1.1.1"]]
    assert [[turn.turn for turn in played.turns] for played in panel.played] == [[0, 1, 3], [2, 4, 5]]
    assert [played.verdict for played in panel.played] == [["ok 0", "ok 1", "ok 3"], ["ok 2", "ok 4", "ok 5"]]
    assert panel.stop is None


def test_a_judge_whose_script_ends_early_is_asked_no_more_and_the_others_go_on() -> None:
    rounds, panel = play({0: script(0, 1), 2: script(2, 1, 1, 1)}, lambda ask, turn: "ok")
    assert names(rounds) == [["0.0.0", "2.0.0"], ["2.1.0"], ["2.2.0"]]
    assert [(played.judge, len(played.turns)) for played in panel.played] == [(0, 1), (2, 3)]


def test_a_script_that_asks_nothing_has_its_verdict_without_a_call() -> None:
    rounds, panel = play({0: script(0)}, lambda ask, turn: "ok")
    assert rounds == [] and panel.played[0].verdict == [] and panel.played[0].turns == ()


def test_repairs_come_before_the_next_step_of_anyone_with_turns_numbered_on() -> None:
    """The judge whose reply could be read waits with its second question."""
    rounds, panel = play({0: script(0, 1, 1), 1: script(1, 1, 1)}, lambda ask, turn: "bad" if turn == 0 else "ok")
    assert names(rounds) == [["0.0.0", "1.0.0"], ["0.0.0!"], ["0.1.0", "1.1.0"]]
    first = panel.played[0]
    assert [(turn.turn, turn.repair, turn.status) for turn in first.turns] == [
        (0, False, "unparseable"), (2, True, "ok"), (3, False, "ok"),
    ]  # fmt: skip
    assert [notice.code for notice in first.notices] == ["repaired"] and panel.played[1].notices == []


def test_a_repair_names_the_reply_and_says_what_was_wrong_with_it() -> None:
    rounds, _ = play({0: script(0, 2)}, lambda ask, turn: ("bad", "bad cut")[turn] if turn < 2 else "ok")
    repairs = [ask.repair for ask in rounds[1]]
    assert [repair and repair.reply_sha256 for repair in repairs] == [text_hash("bad"), text_hash("bad cut")]
    assert [repair and repair.problem for repair in repairs] == ["That was 3 characters.", SHORTER]


def test_repair_comes_once_and_then_the_script_goes_on_without_a_reading() -> None:
    rounds, panel = play({0: script(0, 1, 1)}, lambda ask, turn: "bad" if turn < 2 else "ok")
    assert names(rounds) == [["0.0.0"], ["0.0.0!"], ["0.1.0"]]
    assert panel.played[0].verdict == [None, "ok"] and panel.played[0].unread


def test_a_failed_call_is_not_repaired_and_a_failed_repair_is_a_failure() -> None:
    rounds, panel = play({0: script(0, 2)}, lambda ask, turn: (LOST, "bad", LOST)[turn])
    assert names(rounds) == [["0.0.0", "0.0.1"], ["0.0.1!"]]
    assert [turn.status for turn in panel.played[0].turns] == ["failed", "unparseable", "failed"]
    assert panel.played[0].verdict == [None, None] and not panel.played[0].unread
    assert panel.played[0].turns[0].calls == 3 and panel.played[0].turns[0].error == "no answer"


def test_an_unusable_judge_stops_the_dialogue_and_nothing_is_repaired() -> None:
    rounds, panel = play({0: script(0, 1, 1), 1: script(1, 1, 1)}, lambda ask, turn: DEAD if turn else "bad")
    assert len(rounds) == 1 and panel.stop == "no key"
    assert [played.verdict for played in panel.played] == [None, None]


def test_a_judge_that_turns_unusable_at_its_repair_stops_the_dialogue() -> None:
    rounds, panel = play({0: script(0, 1, 1)}, lambda ask, turn: DEAD if turn else "bad")
    assert names(rounds) == [["0.0.0"], ["0.0.0!"]] and panel.stop == "no key"


def test_notices_of_calls_stay_with_the_judge_that_was_called() -> None:
    told = Notice(code="provider_fallback", message="x")
    flow = panel_dialogue({0: script(0, 1), 1: script(1, 1)}, JUDGES)
    next(flow)
    with pytest.raises(StopIteration) as end:
        flow.send([received("ok", 0, notices=(told,), answered_by="j9"), received("ok", 1)])
    first, second = end.value.value.played
    assert (first.notices, second.notices) == ([told], [])
    assert (first.turns[0].answered_by, second.turns[0].answered_by) == ("j9", "")


@pytest.mark.parametrize("sent", [[], [LOST], [LOST, LOST, LOST]])
def test_a_list_of_another_length_is_an_error(sent: list[Failure]) -> None:
    flow = panel_dialogue({0: script(0, 2)}, JUDGES)
    next(flow)
    with pytest.raises(ValueError):
        flow.send(sent)


def test_a_call_that_may_have_been_charged_has_an_unknown_cost_unless_the_judge_is_free() -> None:
    unsure = Failure(kind="transient", message="x", uncertain=True)
    free = JUDGES[0].model_copy(update={"price": Price(input=0, output=0)})
    costs = [play({0: script(0, 1)}, lambda ask, turn: unsure, [judge])[1].played[0].turns[0].cost for judge in (JUDGES[0], free)]  # fmt: skip
    assert costs == [None, 0.0]


def test_equal_judges_get_different_replicates_at_every_raise() -> None:
    """What is no part of a call (name, weight, price, time limit) makes no judge another one."""
    same = JUDGES[0].model_copy(update={"name": "other", "weight": 3.0, "timeout_s": 5.0})
    panel = [JUDGES[0], JUDGES[1], same, JUDGES[0]]
    assert replicates(panel, 0) == [0, 0, 1, 2]
    seen = [(call, n) for raised in range(4) for call, n in zip("abaa", replicates(panel, raised), strict=True)]
    assert len(set(seen)) == len(seen)


REPLIES = st.sampled_from(["ok", "bad", "bad cut", LOST])


@given(
    shapes=st.lists(st.lists(st.integers(1, 3), max_size=3), min_size=1, max_size=3),
    replies=st.lists(REPLIES, min_size=60, max_size=60),
    dead=st.none() | st.integers(0, 12),
)
def test_any_mix_of_replies_accounts_for_every_step_once(
    shapes: list[list[int]], replies: list[str | Failure], dead: int | None
) -> None:
    """Turns are numbered without a gap over the panel; a step has one turn or two, the second a repair of an unread first."""
    scripts = {judge: script(judge, *shape) for judge, shape in enumerate(shapes)}
    rounds, panel = play(scripts, lambda ask, turn: DEAD if turn == dead else replies[turn])
    asked = sum(map(len, rounds))
    assert sorted(turn.turn for played in panel.played for turn in played.turns) == list(range(asked))
    assert (panel.stop is not None) == (dead is not None and dead < asked)
    for played, shape in zip(panel.played, shapes, strict=True):
        assert len({step.name for step in played.steps}) == len(played.steps)
        for step in played.steps:
            assert len(step.turns) == 1 or [t.repair for t in step.turns] == [False, True]
            assert len(step.turns) == 1 or step.turns[0].status == "unparseable"
            assert (step.reading is not None) == (step.turns[-1].status == "ok")
        if panel.stop is None:
            assert len(played.steps) == sum(shape)
            assert played.verdict == [step.reading for step in played.steps]
            assert all(len(s.turns) == 2 for s in played.steps if s.turns[0].status == "unparseable")
