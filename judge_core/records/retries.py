"""Which judgments count where a retry asked the same again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic, NamedTuple, TypeVar

from judge_core.records.item_verdict import ItemJudgment
from judge_core.records.verdict import DECIDED, Judgment

AnyJudgment = Judgment | ItemJudgment
"""What one judge decided, be it on a match, on a list or on an item."""
J = TypeVar("J", Judgment, ItemJudgment)


class Counting(NamedTuple, Generic[J]):
    """Attempts at one match, list or item, each with the place at which it was made."""

    kept: tuple[tuple[int, J], ...]
    """Those that count: one a judge, in the panel's order."""
    replaced: tuple[tuple[int, J], ...]
    """Those that another one took the place of, in the order in which that happened."""

    @property
    def judgments(self) -> tuple[J, ...]:
        """Those that count, without their places."""
        return tuple(judgment for _, judgment in self.kept)

    @property
    def places(self) -> tuple[int, ...]:
        """Where those that count were made."""
        return tuple(place for place, _ in self.kept)


def answered(judgment: AnyJudgment) -> bool:
    """Whether the judge itself gave a verdict; a draw that the run's policy put in its place is none."""
    return judgment.outcome in DECIDED if isinstance(judgment, Judgment) else judgment.decided


def counting(attempts: Iterable[tuple[int, J]]) -> Counting[J]:
    """By judge: a verdict once given stays, and until then each later attempt takes the place of the earlier one."""
    kept: dict[int, tuple[int, J]] = {}
    replaced: list[tuple[int, J]] = []
    for place, judgment in attempts:
        known = kept.get(judgment.judge)
        if known is not None and answered(known[1]):
            replaced.append((place, judgment))
            continue
        if known is not None:
            replaced.append(known)
        kept[judgment.judge] = (place, judgment)
    return Counting(tuple(kept[judge] for judge in sorted(kept)), tuple(replaced))
