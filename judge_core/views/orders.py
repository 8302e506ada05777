"""What asking a pair in both orders showed: whether the judges said the same, whichever text stood first."""

from __future__ import annotations

from typing import NamedTuple

from judge_core.records.verdict import Judgment
from judge_core.views.state import RunState


class OrdersAsked(NamedTuple):
    """Pairs with a verdict; those among them with a verdict in both orders; and where every judge found the same winner."""

    pairs: int
    both: int
    same: int


def orders_asked(state: RunState) -> OrdersAsked:
    """Counts the pairs, by matches. A tie in one order and a winner in the other are not the same."""
    decided = [[one for one in view.judgments if one.decided] for view in state.matches.values()]
    both = [twice for found in decided if (twice := [one for one in found if len(one.orders) > 1])]
    return OrdersAsked(sum(map(bool, decided)), len(both), sum(all(map(_same, found)) for found in both))


def _same(judgment: Judgment) -> bool:
    return len({order.winner for order in judgment.orders}) == 1


def orders_words(state: RunState) -> str:
    """What asking in both orders showed, in a sentence; '' where no pair was."""
    asked = orders_asked(state)
    if not asked.both:
        return ""
    were, pairs = "was" if asked.both == 1 else "were", "pair" if asked.pairs == 1 else "pairs"
    return f"{asked.both:,} of {asked.pairs:,} {pairs} {were} asked in both orders; in {asked.same:,} the verdict was the same."
