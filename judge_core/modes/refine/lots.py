"""What is left to chance in a tournament, drawn from (seed, pass, role, judge): equal whenever, and wherever, it is drawn."""

from __future__ import annotations

from judge_core.records.record import digest
from judge_core.records.refinement.nouns import VERSIONS, Version


def coin(seed: int, pass_num: int) -> bool:
    """Whether the synthesizer of a pass sees the incumbent as X."""
    return int(digest([seed, pass_num, "synthesizer"])[:8], 16) % 2 == 0


def order_for(seed: int, pass_num: int, seat: int) -> tuple[Version, ...]:
    """Which version the judge of a seat sees as 1, 2 and 3: each of the six orders equally likely.

    >>> sorted(order_for(0, 1, 0))
    ['A', 'AB', 'B']
    """
    left, drawn = list(VERSIONS), int(digest([seed, pass_num, "judge", seat])[:15], 16)
    order: list[Version] = []
    while left:
        drawn, place = divmod(drawn, len(left))
        order.append(left.pop(place))
    return tuple(order)
