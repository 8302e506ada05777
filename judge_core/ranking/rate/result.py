"""Recorded matches, and the answer that rating them brings."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Literal

from judge_core.ranking.bradley_terry import Effect, Posterior, Terms
from judge_core.ranking.comparison import Comparison
from judge_core.ranking.standings import tie_groups
from judge_core.records.record import Notice, Record

Outcome = Literal["a", "b", "tie"]
POINTS: Mapping[Outcome, float] = {"a": 1.0, "b": 0.0, "tie": 0.5}
MOST_TIED = 5_000
"""Beyond so many items nobody is told who is tied with whom: that would be a list of all items for each of them."""
FEW = 3
"""With fewer verdicts an interval shows the prior more than the text."""
GREATEST = 1e6
"""Of K, a weight, an Elo, a margin; beyond, ratings leave the range of floating point."""


class RecordedMatch(Record):
    """A match as recorded: who won, by which judge, and how much it counts. a was shown first, if that is known."""

    a: str
    b: str
    result: Outcome
    weight: float = 1.0
    judge: str = ""
    margin: float | None = None
    """The judge's score of a less that of b."""
    words_a: float | None = None
    words_b: float | None = None

    def comparison(self, position: int = 0) -> Comparison:
        """As the rating methods take it."""
        return Comparison(self.a, self.b, POINTS[self.result], self.weight, position, self.margin, self.judge)


class ItemRating(Record):
    """A row of the answer. `rating` is the number that ranks: the Elo, or the posterior's rating on its scale."""

    id: str
    elo: float | None
    """None for ballots, which have no Elo."""
    rating: float | None
    """None for an unbounded item, and where points rank."""
    low: float | None = None
    """With `high` the 95 % interval; None where the method has none, or nothing was played."""
    high: float | None = None
    rank: int
    tied_with: tuple[str, ...]
    wins: int
    losses: int
    ties: int
    unbounded: bool = False


class Estimated(Record):
    """What was estimated beside the ratings: logits and their standard deviation; of a judge its multiplier, and the
    standard deviation of that one's logarithm."""

    value: float
    sd: float


class RateResult(Record):
    """The answer for matches (`items`) or for ballots (`scores`, `winner`, `valid_judges`)."""

    items: tuple[ItemRating, ...] = ()
    scores: dict[str, float] = {}
    winner: str | None = None
    valid_judges: int | None = None
    warnings: tuple[Notice, ...] = ()
    effects: dict[str, Estimated] = {}
    """By name: position, length."""
    judges: dict[str, Estimated] = {}
    """Multipliers by judge, where asked for."""


def posterior_rows(
    posterior: Posterior, elo: Mapping[str, float] | None = None, anchors: Mapping[str, float] | None = None
) -> list[ItemRating]:
    """A row for each text, without its wins. An anchor stands just where it is held."""
    places = posterior.ranks()
    tied = tie_groups(posterior) if len(posterior.items) <= MOST_TIED else dict.fromkeys(posterior.items, ())
    rows = []
    for item in posterior.items:
        interval = posterior.interval(item) if posterior.comparisons(item) else None
        low, high = interval or (None, None)
        live = None if elo is None else elo[item]
        rating = posterior.rating(item)
        if anchors and item in anchors:
            rating = low = high = anchors[item]
        row = plain_row(item, live, rating, places[item], tied[item])
        rows.append(row.model_copy(update={"low": low, "high": high, "unbounded": item in posterior.unbounded}))
    return rows


def plain_row(item: str, elo: float | None, rating: float | None, rank: int, tied: tuple[str, ...]) -> ItemRating:
    """A row before its wins are counted."""
    return ItemRating(id=item, elo=elo, rating=rating, rank=rank, tied_with=tied, wins=0, losses=0, ties=0)


def estimated(effects: Mapping[str, Effect]) -> dict[str, Estimated]:
    """Effects as records."""
    return {name: Estimated(value=effect.logits, sd=effect.sd) for name, effect in effects.items()}


def interval_warnings(posterior: Posterior, terms: Terms) -> list[Notice]:
    """What is weak about the intervals."""
    found = []
    few = sum(0 < posterior.comparisons(item) < FEW for item in posterior.items)
    if few:
        message = f"Too little data: {few} of {len(posterior.items)} items have fewer than {FEW} comparisons each."
        shown = "rest on these few alone" if terms.prior_sd is None else "show little but the prior"
        found.append(Notice(code="too_little_data", message=f"{message} Their intervals {shown}."))
    if posterior.unbounded:
        message = f"{len(posterior.unbounded)} items won all, lost all or are cut off: they have no finite rating."
        found.append(Notice(code="unbounded", message=message))
    if posterior.silent_margins:
        message = f"{_judges(posterior.silent_margins)} too few margins, or none but 0: who won counts instead."
        found.append(Notice(code="margins_unused", message=message))
    if posterior.silent_scores:
        message = f"{_judges(posterior.silent_scores)} too few scores, or all the same: these do not count."
        found.append(Notice(code="scores_unused", message=message))
    return found


def _judges(silent: Collection[str]) -> str:
    return f"{len(silent)} judge{'' if len(silent) == 1 else 's'} gave"


def graph_warnings(idle: int, items: int, parts: int) -> list[Notice]:
    """What was never measured: how many of the items were idle, and in how many parts they fall."""
    found = []
    if items > MOST_TIED:
        message = (
            f"Beyond {MOST_TIED:,} items, here {items:,}, it is not listed who is tied with whom; equal ranks say it."
        )
        found.append(Notice(code="ties_left_out", message=message))
    if idle:
        message = f"{idle} of {items} items played nothing: they are unrated and stand at the start value."
        found.append(Notice(code="unrated", message=message))
    if parts > 1:
        message = f"The matches leave {parts} groups that never met: nothing measured orders one against another."
        found.append(Notice(code="not_connected", message=message))
    return found
