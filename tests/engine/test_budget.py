"""Caps: what is reserved, what is charged when a provider does not say, and panels with unknown prices."""

from __future__ import annotations

from judge_core.engine.budget import Budget
from judge_core.records.prompt import Usage
from judge_core.records.spec import Caps, JudgeSpec, Price
from judge_core.records.verdict import Judgment, MatchResult, Turn
from tests.engine.toy import need, spec

PRICED = JudgeSpec(name="p", provider="x", model="m", max_tokens=100, price=Price(input=10, output=10))
UNPRICED = JudgeSpec(name="u", provider="x", model="m", max_tokens=100)


def budget(*judges: JudgeSpec, **changes: object) -> tuple[Budget, MatchResult]:
    run = spec(judges=judges, **changes)
    a, b = run.texts[:2]
    return Budget(run), MatchResult(a=a.alias, b=b.alias, judgments=())


def settled(place: int, made: Budget, match: MatchResult, *turns: Turn, judge: int = 0) -> None:
    made.settle(place, match.model_copy(update={"judgments": (Judgment(judge=judge, outcome="won", turns=turns),)}))


def test_a_priced_judge_is_reserved_for_even_beside_one_without_a_price() -> None:
    run = spec()
    alone, _ = budget(PRICED)
    mixed, _ = budget(UNPRICED, PRICED)
    assert mixed.worst(need(*run.texts[:2], prompts=1)).cost == alone.worst(need(*run.texts[:2], prompts=1)).cost > 0
    assert mixed.worst(need(*run.texts[:2], prompts=1)).calls == 4


def test_both_orders_and_repairs_are_reserved() -> None:
    run = spec()
    one, _ = budget(PRICED)
    both, _ = budget(PRICED, both_orders=True)
    assert both.worst(need(*run.texts[:2], prompts=2)).cost == 2 * one.worst(need(*run.texts[:2], prompts=1)).cost
    assert both.worst(need(*run.texts[:2], prompts=2)).calls == 4


def test_an_answer_whose_usage_is_not_told_is_charged_at_its_worst_and_never_above_what_was_reserved() -> None:
    made, match = budget(PRICED)
    run = spec()
    asked = need(*run.texts[:2], prompts=1)
    worst = made.worst(asked)
    made.reserve(1, asked)
    silent = [Turn(turn=n, first=match.a, repair=bool(n), status="ok", cost=None, calls=1) for n in range(2)]
    settled(1, made, match, *silent)
    assert 0 < made.cost <= worst.cost + 1e-12 and made.calls == 2


def test_a_told_cost_takes_the_place_of_the_reservation() -> None:
    made, match = budget(PRICED, caps=Caps(max_cost=1.0))
    run = spec()
    asked = need(*run.texts[:2], prompts=1)
    worst = made.worst(asked)
    room = int(1.0 / worst.cost)
    for place in range(room):
        assert made.fits(worst)
        made.reserve(place, asked)
    assert not made.fits(worst)
    cheap = Turn(
        turn=0, first=match.a, status="ok", cost=0.0001, calls=1, usage=Usage(prompt_tokens=5, completion_tokens=5)
    )
    settled(0, made, match, cheap)
    assert made.fits(worst) and made.cost == 0.0001


def test_a_cached_answer_is_no_call_and_costs_nothing() -> None:
    made, match = budget(PRICED)
    made.reserve(1, need(*spec().texts[:2], prompts=1))
    settled(1, made, match, Turn(turn=0, first=match.a, status="ok", cached=True, cost=0.0))
    assert (made.calls, made.cost) == (0, 0.0)


def test_a_guess_before_the_first_call_is_not_nothing() -> None:
    made, _ = budget(UNPRICED, PRICED)
    assert made.guess(3, need(*spec().texts[:2], prompts=1)) > 0


def test_requests_are_counted_to_the_last_and_none_is_sent_beyond_the_cap() -> None:
    made, match = budget(PRICED, caps=Caps(max_calls=5))
    made.reserve(1, need(*spec().texts[:2], prompts=1))
    settled(1, made, match, Turn(turn=0, first=match.a, status="failed", calls=2))
    made.go_live(answered=1)
    assert [made.take_request() for _ in range(4)] == [True, True, False, False]
    assert made.exhausted
