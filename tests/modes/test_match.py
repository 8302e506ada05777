"""The dialogue of a match: who is asked what, what is asked again, and what each judge decided."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from judge_core.modes.asking.prompts import key_material
from judge_core.modes.pairs.match import MatchOrder, match_dialogue
from judge_core.records.criteria import Criterion, Rubric
from judge_core.records.errors import InputError
from judge_core.records.prompt import Ask, Completion, Failure, Received, Usage
from judge_core.records.record import Notice, digest, text_hash
from judge_core.records.spec import JudgeSpec, Price, Spec, TextRef
from judge_core.records.verdict import Judgment, MatchResult

CLARITY = Rubric(criteria=(Criterion(name="Clarity"),))
TEXTS = {
    "E-001": "Parks cool towns. A study of 14 streets found 3 degrees less under trees. The cost is 40 euros per tree and year.\n",
    "E-002": "Parks are nice.\n",
}
BY_HASH = {text_hash(text): text for text in TEXTS.values()}
Answer = Callable[[Ask], Any]


def ref(alias: str) -> TextRef:
    text = TEXTS[alias]
    return TextRef(alias=alias, id=alias, title=alias, sha256=text_hash(text), words=3, characters=len(text))


A, B = ref("E-001"), ref("E-002")


def judge(name: str = "j", **more: Any) -> JudgeSpec:
    return JudgeSpec(**{"name": name, "provider": "openai_compatible", "model": "m", **more})


def spec_of(judges: Sequence[JudgeSpec] = (judge(),), both_orders: bool = False, rubric: Rubric = CLARITY) -> Spec:
    return Spec(rubric=rubric, texts=(A, B), judges=tuple(judges), both_orders=both_orders, prompt_version="1")


def reply(a: float, b: float, **more: Any) -> str:
    return json.dumps({"criteria": [{"name": "Clarity", "score_a": a, "score_b": b, "reasoning": "r"}], **more})


def received(text: str, turn: int, **more: Any) -> Received:
    completion = {"text": text, "usage": Usage(prompt_tokens=10, completion_tokens=5), "seconds": 1.5, "calls": 2}
    outer = {name: more.pop(name) for name in ("cached", "cost") if name in more}
    return Received(
        completion=Completion(**{**completion, **more}),
        reply_sha256=text_hash(text),
        key=f"key{turn}",
        turn=turn,
        **{"cost": 0.25, **outer},
    )


def play(spec: Spec, answer: Answer, **order: Any) -> tuple[list[list[Ask]], MatchResult]:
    """Runs the dialogue; `answer` turns a recipe into a text, a Failure, or a dict of text and completion fields."""
    flow = match_dialogue(A, B, MatchOrder(**{"place": 1, "first": "E-001", **order}), spec)
    rounds, turn, asks = [], 0, next(flow)
    while True:
        rounds.append(asks)
        sent: list[Received | Failure] = []
        for ask in asks:
            said = answer(ask)
            said = {"text": said} if isinstance(said, str) else said
            sent.append(said if isinstance(said, Failure) else received(turn=turn, **said))
            turn += 1
        try:
            asks = flow.send(sent)
        except StopIteration as end:
            return rounds, end.value


def only(result: MatchResult) -> Judgment:
    (judgment,) = result.judgments
    return judgment


def codes(judgment: Judgment) -> list[str]:
    return [notice.code for notice in judgment.warnings]


def prefers_degrees(ask: Ask) -> str:
    """A judge that gives 8 to the text with 'degrees' and 5 to the other, in any order."""
    return reply(*(8 if "degrees" in BY_HASH[sha] else 5 for sha in ask.texts))


def prefers_first(ask: Ask) -> str:
    return reply(8, 5, winner="A")


@pytest.mark.parametrize("first", ["E-001", "E-002"])
def test_a_consistent_judge_keeps_its_winner_when_the_swap_is_undone(first: str) -> None:
    rounds, result = play(spec_of(both_orders=True), prefers_degrees, first=first)
    judgment = only(result)
    assert (judgment.outcome, judgment.result, codes(judgment)) == ("won", 1.0, [])
    assert (judgment.scores["Clarity"].a, judgment.scores["Clarity"].b) == (8, 5)
    assert [order.first for order in judgment.orders] == [ask_first(ask) for ask in rounds[0]] == [first, other(first)]
    assert all(order.winner == "A" for order in judgment.orders)


def ask_first(ask: Ask) -> str:
    return "E-001" if ask.texts[0] == A.sha256 else "E-002"


def other(alias: str) -> str:
    return "E-002" if alias == "E-001" else "E-001"


def test_one_order_shows_the_chosen_text_first() -> None:
    rounds, result = play(spec_of(), prefers_degrees, first="E-002")
    assert [ask.texts for ask in rounds[0]] == [(B.sha256, A.sha256)]
    assert (only(result).outcome, only(result).turns[0].first) == ("won", "E-002")


def test_opposite_winners_in_the_two_orders_are_a_flip_and_count_as_a_tie() -> None:
    judgment = only(play(spec_of(both_orders=True), prefers_first)[1])
    assert (judgment.outcome, judgment.result, codes(judgment)) == ("flipped", 0.5, ["position_flip"])
    assert (judgment.scores["Clarity"].a, judgment.scores["Clarity"].b) == (6.5, 6.5)


def test_a_flip_is_a_tie_even_where_the_averages_differ() -> None:
    judgment = only(
        play(spec_of(both_orders=True), lambda ask: reply(9, 1) if ask_first(ask) == "E-001" else reply(6, 5))[1]
    )
    assert (judgment.outcome, judgment.result) == ("flipped", 0.5)
    assert judgment.totals is not None and judgment.totals.a > judgment.totals.b


def test_a_win_and_a_tie_are_a_win() -> None:
    judgment = only(
        play(spec_of(both_orders=True), lambda ask: reply(7, 7) if ask_first(ask) == "E-001" else reply(4, 6))[1]
    )
    assert (judgment.outcome, judgment.scores["Clarity"].a, judgment.scores["Clarity"].b) == ("won", 6.5, 5.5)


def test_equal_totals_are_a_tie_and_a_lower_one_is_lost() -> None:
    assert only(play(spec_of(), lambda ask: reply(7, 7))[1]).outcome == "tied"
    lost = only(play(spec_of(), lambda ask: reply(3, 7))[1])
    assert (lost.outcome, lost.result) == ("lost", 0.0)


def test_an_unreadable_reply_is_asked_for_once_more_and_said_so() -> None:
    rounds, result = play(spec_of(), lambda ask: reply(8, 5) if ask.repair else "I like both.")
    judgment = only(result)
    assert [len(asks) for asks in rounds] == [1, 1]
    repair = rounds[1][0].repair
    assert repair is not None and repair.reply_sha256 == text_hash("I like both.") and "both" not in repair.problem
    assert rounds[1][0] == rounds[0][0].model_copy(update={"repair": repair})
    assert (judgment.outcome, codes(judgment)) == ("won", ["repaired"])
    assert [(turn.turn, turn.repair, turn.status) for turn in judgment.turns] == [
        (0, False, "unparseable"),
        (1, True, "ok"),
    ]
    assert judgment.orders[0].turn == 1 and judgment.cost == 0.5


def test_a_cut_reply_is_asked_for_again_with_shorter_reasons_and_shown_with_the_limit_to_raise() -> None:
    cut = {"text": '{"criteria": [{"name": "Cla', "finish_reason": "length"}
    rounds, result = play(spec_of(), lambda ask: cut)
    repair, error = rounds[1][0].repair, only(result).turns[1].error
    assert repair is not None and "few words" in repair.problem
    assert error is not None and "max_tokens" in error


def test_a_reply_unreadable_twice_is_no_verdict() -> None:
    rounds, result = play(spec_of(), lambda ask: "A is fine, B too.")
    judgment = only(result)
    assert len(rounds) == 2
    assert (judgment.outcome, judgment.result, judgment.scores, judgment.totals) == ("unparseable", None, {}, None)
    assert [turn.status for turn in judgment.turns] == ["unparseable", "unparseable"]


def test_a_failed_call_is_a_failed_judgment_and_is_not_repaired() -> None:
    failure = Failure(kind="refused", message="too long", status=400, calls=3)
    rounds, result = play(spec_of(), lambda ask: failure)
    judgment = only(result)
    assert len(rounds) == 1 and result.stop is None
    assert (judgment.outcome, judgment.result, judgment.totals) == ("failed", None, None)
    turn = judgment.turns[0]
    assert (turn.status, turn.error, turn.calls, turn.reply_sha256) == ("failed", "too long", 3, None)


@pytest.mark.parametrize(
    ("uncertain", "price", "cost"),
    [
        (True, Price(input=1, output=1), None),
        (True, None, None),
        (True, Price(input=0, output=0), 0.0),
        (False, None, 0.0),
    ],
)
def test_a_call_that_may_have_been_charged_has_an_unknown_cost(
    uncertain: bool, price: Price | None, cost: float | None
) -> None:
    failure = Failure(kind="transient", message="timed out", uncertain=uncertain)
    _, result = play(spec_of((judge(price=price),)), lambda ask: failure)
    assert [turn.cost for turn in only(result).turns] == [cost]


def test_a_repair_that_fails_is_a_failed_judgment() -> None:
    failure = Failure(kind="transient", message="timed out")
    judgment = only(play(spec_of(), lambda ask: failure if ask.repair else "?")[1])
    assert (judgment.outcome, [turn.status for turn in judgment.turns]) == ("failed", ["unparseable", "failed"])


@pytest.mark.parametrize("bad", ["no verdict", Failure(kind="transient", message="timed out")])
def test_one_lost_order_leaves_the_verdict_of_the_other_with_a_warning(bad: Any) -> None:

    def answer(ask: Ask) -> Any:
        return bad if ask_first(ask) == "E-001" else prefers_degrees(ask)

    judgment = only(play(spec_of(both_orders=True), answer)[1])
    assert (judgment.outcome, codes(judgment)) == ("won", ["order_missing"])
    assert [order.first for order in judgment.orders] == ["E-002"]


def test_only_the_unreadable_replies_are_repaired_with_turns_numbered_on() -> None:
    panel = [judge("x", model="x"), judge("y", model="y")]

    def answer(ask: Ask) -> Any:
        return "?" if ask.judge == 1 and not ask.repair else prefers_degrees(ask)

    rounds, result = play(spec_of(panel, both_orders=True), answer)
    assert [(ask.judge, ask_first(ask)) for ask in rounds[0]] == [
        (0, "E-001"),
        (0, "E-002"),
        (1, "E-001"),
        (1, "E-002"),
    ]
    assert [(ask.judge, ask_first(ask)) for ask in rounds[1]] == [(1, "E-001"), (1, "E-002")]
    assert [turn.turn for turn in result.judgments[1].turns] == [2, 3, 4, 5]
    assert [judgment.judge for judgment in result.judgments] == [0, 1]


def test_an_unusable_judge_stops_the_run_and_nothing_more_is_asked() -> None:
    panel = [judge("x", model="x"), judge("y", model="y")]
    dead = Failure(kind="unusable", message="The key was refused: check it.", status=401)
    rounds, result = play(spec_of(panel), lambda ask: dead if ask.judge else "?")
    assert (len(rounds), result.stop) == (1, "The key was refused: check it.")


def test_equal_judges_of_a_panel_never_share_a_cached_reply() -> None:
    panel = [judge("x"), judge("y", weight=2.0), judge("z", model="other"), judge("w", timeout_s=5.0)]
    spec = spec_of(panel, both_orders=True)
    keys = set()
    for replicate in (0, 1, 2):
        rounds, _ = play(spec, prefers_degrees, replicate=replicate)
        keys |= {digest(key_material(ask, spec.rubric, spec.judges[ask.judge])) for ask in rounds[0]}
    assert len(keys) == 3 * 4 * 2


def test_only_the_named_judges_are_asked_again() -> None:
    panel = [judge("x"), judge("y"), judge("z")]
    rounds, result = play(spec_of(panel), prefers_degrees, judges=(1,), replicate=1)
    assert [(ask.judge, ask.replicate) for ask in rounds[0]] == [(1, 4)]
    assert [judgment.judge for judgment in result.judgments] == [1]


def test_usage_cost_calls_and_time_of_every_turn_are_kept() -> None:
    turn = only(play(spec_of(), prefers_degrees)[1]).turns[0]
    assert (turn.usage.prompt_tokens, turn.cost, turn.calls, turn.seconds, turn.key) == (10, 0.25, 2, 1.5, "key0")
    assert turn.reply_sha256 == text_hash(reply(8, 5)) and not turn.cached and turn.error is None


def test_a_cached_reply_took_no_call_and_no_time() -> None:
    judgment = only(play(spec_of(), lambda ask: {"text": prefers_degrees(ask), "cached": True, "cost": 0.0})[1])
    assert judgment.cached and (judgment.turns[0].calls, judgment.turns[0].seconds, judgment.cost) == (0, 0.0, 0.0)


def test_warnings_of_replies_and_calls_are_gathered_once_each_and_say_which_text_was_a() -> None:
    note = Notice(code="temperature_refused", message="t")

    def answer(ask: Ask) -> Any:
        return {"text": reply(11, 5, winner="B"), "notices": (note,)}

    judgment = only(play(spec_of(both_orders=True), answer)[1])
    assert codes(judgment).count("temperature_refused") == 1
    clamps = [notice.message for notice in judgment.warnings if notice.code == "score_clamped"]
    assert ["Text A was E-001." in clamps[0], "Text A was E-002." in clamps[1]] == [True, True]


def test_a_prose_order_beside_a_scored_one_is_merged_by_totals_only() -> None:

    def answer(ask: Ask) -> Any:
        return reply(8, 6) if ask_first(ask) == "E-001" else "Winner: B"

    judgment = only(play(spec_of(both_orders=True), answer)[1])
    assert (judgment.outcome, judgment.scores, codes(judgment)) == ("won", {}, ["parse_fallback"])
    assert judgment.totals is not None and (judgment.totals.a, judgment.totals.b) == pytest.approx((0.9, 0.3))


def test_scores_are_weighed_after_they_are_merged() -> None:
    rubric = Rubric(criteria=(Criterion(name="X", weight=3), Criterion(name="Y", scale_min=1, scale_max=5)))
    text = json.dumps(
        {"criteria": [{"name": "X", "score_a": 8, "score_b": 4}, {"name": "Y", "score_a": 1, "score_b": 5}]}
    )
    judgment = only(play(spec_of(rubric=rubric), lambda ask: text)[1])
    assert judgment.totals is not None
    assert (judgment.totals.a, judgment.totals.b) == pytest.approx((0.6, 0.55))


def test_a_text_of_another_match_cannot_stand_first() -> None:
    with pytest.raises(InputError, match="'E-009'"):
        play(spec_of(), prefers_degrees, first="E-009")


def test_a_list_of_another_length_is_an_error() -> None:
    flow = match_dialogue(A, B, MatchOrder(place=1, first="E-001"), spec_of(both_orders=True))
    next(flow)
    with pytest.raises(ValueError, match="zip"):
        flow.send([received(reply(1, 2), 0)])
