"""What the order check showed, on known numbers."""

from __future__ import annotations

from judge_core.views.orders import OrdersAsked, orders_asked
from judge_core.views.state import fold
from tests.views.streams import TWO, Stream, alias, both_orders, judge, lost, spec, win

ONE, OTHER, EVEN = ({criterion.name: scores for criterion in TWO} for scores in ((8, 4), (4, 8), (5, 5)))


def test_pairs_in_both_orders_are_counted_and_those_with_the_same_verdict() -> None:
    """A tie in one order and a winner in the other differ, and so does a flip; a lost judgment is no pair with a verdict."""
    found = [(ONE, ONE), (ONE, OTHER), (ONE, EVEN), (EVEN, EVEN)]
    pairs = [(alias(2 * number - 1), alias(2 * number)) for number in range(1, 8)]
    stream = Stream(spec(14, rounds=1, order_check=True)).round(1, *pairs)
    for (a, b), scores in zip(pairs, found, strict=False):
        stream.match(a, b, both_orders(*scores, a=a, b=b))
    stream.match(*pairs[4], win()).match(*pairs[5], win()).match(*pairs[6], lost())
    assert orders_asked(fold(stream.spec, stream.events)) == OrdersAsked(pairs=6, both=4, same=2)


def test_a_panel_must_agree_with_itself_judge_by_judge() -> None:
    a, b = alias(1), alias(2)
    steady, moved = (both_orders(*scores, a=a, b=b) for scores in ((ONE, ONE), (ONE, OTHER)))
    panel = (judge(), judge("openai:judge-2"))
    stream = Stream(spec(2, rounds=1, judges=panel)).round(1, (a, b))
    stream.match(a, b, steady, moved.model_copy(update={"judge": 1}))
    assert orders_asked(fold(stream.spec, stream.events)) == OrdersAsked(1, 1, 0)
