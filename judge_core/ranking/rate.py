"""Rates recorded matches and counts recorded ballots, without any judge: what the verb `rate` answers."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from typing import Literal, Protocol, get_args

import numpy as np

from judge_core.ranking import elo
from judge_core.ranking.bradley_terry import PRIOR_SD, Posterior, fit
from judge_core.ranking.bradley_terry.connection import components
from judge_core.ranking.bradley_terry.tally import count
from judge_core.ranking.comparison import Comparison
from judge_core.ranking.standings import ranks, tie_groups
from judge_core.records.errors import InputError
from judge_core.records.record import Notice, Record

Outcome = Literal["a", "b", "tie"]
MatchMethod = Literal["elo", "bradley-terry"]
POINTS: Mapping[Outcome, float] = {"a": 1.0, "b": 0.0, "tie": 0.5}
FEW = 3
"""With fewer comparisons an interval shows the prior more than the text."""
GREATEST = 1e6
"""Of K and of a weight; beyond, ratings leave the range of floating point."""


class RecordedMatch(Record):
    """A match as recorded: who won, by which judge, and how much it counts. a was shown first, if that is known."""

    a: str
    b: str
    result: Outcome
    weight: float = 1.0
    judge: str = ""

    def comparison(self, position: int = 0) -> Comparison:
        """As the rating methods take it."""
        return Comparison(self.a, self.b, POINTS[self.result], self.weight, position)


class ItemRating(Record):
    """A row of the answer. `rating` is the number that ranks: the Elo, or the Bradley-Terry rating on its scale."""

    id: str
    elo: float
    rating: float | None
    """None for an unbounded item."""
    low: float | None = None
    """With `high` the 95 % interval; None where the method has none, or nothing was played."""
    high: float | None = None
    rank: int
    tied_with: tuple[str, ...]
    wins: int
    losses: int
    ties: int
    unbounded: bool = False


class RateResult(Record):
    """The answer for matches (`items`) or for ballots (`scores`, `winner`, `valid_judges`)."""

    items: tuple[ItemRating, ...] = ()
    scores: dict[str, float] = {}
    winner: str | None = None
    valid_judges: int | None = None
    warnings: tuple[Notice, ...] = ()


class Counted(Protocol):
    """What counting ballots brings, of whatever way of voting."""

    @property
    def winner(self) -> str | None: ...
    @property
    def scores(self) -> dict[str, float]: ...
    @property
    def valid_judges(self) -> int: ...
    @property
    def warnings(self) -> tuple[Notice, ...]: ...


Ballots = Sequence[Sequence[str] | None]
CountBallots = Callable[[Ballots, Sequence[str], str | None, Sequence[float] | None], Counted]


def read_matches(rows: Sequence[Mapping[str, object]]) -> tuple[RecordedMatch, ...]:
    """Matches from rows with a, b, result and optionally weight and judge; other columns are left alone.

    InputError names the row (from 1) and what is wrong in it; no row is guessed at or dropped.

    >>> read_matches([{"a": "x", "b": "y", "result": "Tie"}])[0].result
    'tie'
    """
    return tuple(_read_match(number, row) for number, row in enumerate(rows, start=1))


def rate_matches(
    matches: Sequence[RecordedMatch],
    method: MatchMethod = "elo",
    prior: float | None = PRIOR_SD,
    first_position: bool = False,
    k: float = elo.K,
    start: float | Mapping[str, float] = elo.START,
) -> RateResult:
    """Rates the items of the matches, in their order for Elo. Best first.

    `prior` is the standard deviation in logits, None for maximum likelihood. `start` is the Elo to begin with, or one
    by item: items named there stand in the answer though they played nothing, others begin at 1500.

    >>> rate_matches([RecordedMatch(a="x", b="y", result="a")]).items[0].elo
    1516.0
    """
    if method not in get_args(MatchMethod):
        raise InputError(f"Method {method!r} is not known for matches. Choose elo or bradley-terry.", field="method")
    starts = _starts(matches, start)
    if not 0 < k <= GREATEST:
        raise InputError(f"K must be above 0 and at most {GREATEST:,.0f}; found {k!r}.", field="k")
    comparisons = [match.comparison(position=int(first_position)) for match in matches]
    ratings = elo.rate(comparisons, starts, k=k)
    if method == "elo":
        rows, warnings = _elo_rows(ratings), []
    else:
        posterior = fit(list(starts), comparisons, prior_sd=prior, first_position=first_position)
        rows, warnings = _posterior_rows(posterior, ratings), _interval_warnings(posterior)
    items = _with_counts(rows, matches)
    warnings = [*warnings, *_graph_warnings(list(starts), comparisons)]
    return RateResult(items=tuple(sorted(items, key=lambda row: (row.rank, row.id))), warnings=tuple(warnings))


def rate_ballots(
    labels: Sequence[str], rankings: Ballots, weights: Sequence[float] | None, count_ballots: CountBallots
) -> RateResult:
    """Counts ballots as given, ties to the first label, in the way of voting given (Borda's or with vetoes)."""
    if not labels:
        raise InputError("Ballots need the list of labels that they rank.", field="labels")
    tally = count_ballots(rankings, labels, labels[0], weights)
    return RateResult(
        scores=tally.scores, winner=tally.winner, valid_judges=tally.valid_judges, warnings=tally.warnings
    )


def _read_match(number: int, row: Mapping[str, object]) -> RecordedMatch:
    missing = [column for column in ("a", "b", "result") if row.get(column) in (None, "")]
    if missing:
        raise InputError(f"Match {number} has no {' and no '.join(missing)}. Each match needs a, b and result.")
    a, b = str(row["a"]), str(row["b"])
    if a == b:
        raise InputError(f"Match {number} sets {a!r} against itself. Give two different items.")
    weight, judge = row.get("weight"), row.get("judge")
    return RecordedMatch(
        a=a,
        b=b,
        result=_outcome(number, row["result"]),
        weight=1.0 if weight in (None, "") else _weight(number, weight),
        judge="" if judge is None else str(judge),
    )


def _outcome(number: int, label: object) -> Outcome:
    spelt = str(label).strip().casefold()
    for outcome in POINTS:
        if spelt == outcome:
            return outcome
    near = get_close_matches(spelt, POINTS, n=1)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    raise InputError(
        f"Match {number} has the unknown result {str(label)[:60]!r}. Use a, b or tie.{hint}", field="result"
    )


def _weight(number: int, value: object) -> float:
    try:
        weight = float(str(value))
    except ValueError:
        weight = math.nan
    if not 0 < weight <= GREATEST:
        raise InputError(
            f"Match {number} has the weight {str(value)[:60]!r}. Give a number above 0, at most {GREATEST:,.0f}.",
            field="weight",
        )
    return weight


def _starts(matches: Sequence[RecordedMatch], start: float | Mapping[str, float]) -> dict[str, float]:
    given = dict(start) if isinstance(start, Mapping) else {}
    common = elo.START if isinstance(start, Mapping) else start
    named = dict.fromkeys(item for match in matches for item in (match.a, match.b))
    starts = given | {item: given.get(item, common) for item in named}
    for value in (*starts.values(), common):
        if not abs(value) <= GREATEST:
            raise InputError(f"An Elo to begin with must be a plain number; found {value!r}.", field="start")
    return starts


def _elo_rows(ratings: Mapping[str, float]) -> list[ItemRating]:
    places = ranks(ratings)
    sharing: dict[int, list[str]] = {}
    for item, rank in places.items():
        sharing.setdefault(rank, []).append(item)
    return [
        _row(item, rating, rating, places[item], [other for other in sharing[places[item]] if other != item])
        for item, rating in ratings.items()
    ]


def _posterior_rows(posterior: Posterior, ratings: Mapping[str, float]) -> list[ItemRating]:
    places, tied = posterior.ranks(), tie_groups(posterior)
    rows = []
    for item in posterior.items:
        row = _row(item, ratings[item], posterior.rating(item), places[item], tied[item])
        interval = posterior.interval(item) if posterior.comparisons(item) else None
        low, high = interval or (None, None)
        rows.append(row.model_copy(update={"low": low, "high": high, "unbounded": item in posterior.unbounded}))
    return rows


def _row(item: str, live: float, rating: float | None, rank: int, tied: Sequence[str]) -> ItemRating:
    return ItemRating(
        id=item, elo=live, rating=rating, rank=rank, tied_with=tuple(tied), wins=0, losses=0, ties=0
    )  # fmt: skip


def _with_counts(rows: Sequence[ItemRating], matches: Sequence[RecordedMatch]) -> list[ItemRating]:
    won: Counter[str] = Counter()
    lost: Counter[str] = Counter()
    tied: Counter[str] = Counter()
    for match in matches:
        if match.result == "tie":
            tied.update((match.a, match.b))
        else:
            won[match.a if match.result == "a" else match.b] += 1
            lost[match.b if match.result == "a" else match.a] += 1
    return [row.model_copy(update={"wins": won[row.id], "losses": lost[row.id], "ties": tied[row.id]}) for row in rows]


def _interval_warnings(posterior: Posterior) -> list[Notice]:
    found = []
    few = sum(0 < posterior.comparisons(item) < FEW for item in posterior.items)
    if few:
        message = f"Too little data: {few} of {len(posterior.items)} items have fewer than {FEW} comparisons each."
        found.append(Notice(code="too_little_data", message=f"{message} Their intervals show little but the prior."))
    if posterior.unbounded:
        message = f"{len(posterior.unbounded)} items won all, lost all or are cut off: they have no finite rating."
        found.append(Notice(code="unbounded", message=message))
    return found


def _graph_warnings(items: Sequence[str], comparisons: Sequence[Comparison]) -> list[Notice]:
    tally = count(items, comparisons, with_position=False)
    found = []
    idle = int((tally.counts == 0).sum())
    if idle:
        message = f"{idle} of {len(items)} items played nothing: they are unrated and stand at the start value."
        found.append(Notice(code="unrated", message=message))
    parts = len(np.unique(components(tally)))
    if parts > 1:
        message = f"The matches leave {parts} groups that never met: nothing measured orders one against another."
        found.append(Notice(code="not_connected", message=message))
    return found
