"""A list that was ranked in one call, or a text that was scored by itself, with the judgments that count."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from judge_core.ranking.evidence import mean_places
from judge_core.records.item_verdict import ItemJudgment, PointVerdict
from judge_core.records.retries import counting
from judge_core.records.verdict import JudgmentClass


@dataclass(frozen=True, slots=True)
class ListingView:
    """Texts of one round that were judged in one call, one judgment a judge, retries already taken in."""

    place: int
    """The first place at which it was asked."""
    round: int
    texts: tuple[str, ...]
    """Aliases in the order shown: several that were ranked, or one that was scored."""
    judgments: tuple[ItemJudgment, ...]
    places: tuple[int, ...]
    """Where each judgment was made: the raw replies of `judgments[i]` are kept under `places[i]`."""
    elo_before: Mapping[str, float]
    elo: Mapping[str, float]
    moved_at: int
    """The place at which Elo moved, if it moved."""
    replaced: tuple[tuple[int, ItemJudgment], ...] = ()

    @property
    def single(self) -> bool:
        """Whether it is one text, scored by itself."""
        return len(self.texts) == 1

    @property
    def decided(self) -> bool:
        """Whether any judgment carries a verdict."""
        return any(judgment.decided for judgment in self.judgments)

    def mean_places(self, weights: Sequence[float]) -> dict[str, float]:
        """The panel's mean place of each text, 1 the best; empty where nothing was decided."""
        return {} if self.single else mean_places(self.texts, self.judgments, weights)

    def outcome_of(self, judgment: ItemJudgment) -> JudgmentClass:
        """The judgment's class in the ledger."""
        if judgment.outcome == "judged":
            return "scored" if self.single else "ranked"
        return judgment.outcome

    def scores(self) -> Iterator[tuple[str, float]]:
        """Native scores by criterion of a text that was scored by itself, judge by judge."""
        for judgment in self.judgments:
            if isinstance(judgment.verdict, PointVerdict):
                yield from judgment.verdict.scores.items()


def retried_listing(earlier: ListingView, later: ListingView) -> ListingView:
    """The listing after a retry: judgments and places are those that count, and Elo is that after the move."""
    found = counting(
        chain(zip(earlier.places, earlier.judgments, strict=True), zip(later.places, later.judgments, strict=True))
    )
    moved = earlier if earlier.decided else later  # Elo moves once
    return replace(
        earlier,
        judgments=found.judgments,
        places=found.places,
        elo_before=moved.elo_before,
        elo=moved.elo,
        moved_at=moved.moved_at,
        replaced=(*earlier.replaced, *found.replaced),
    )
