"""Recorded matches to ratings: Elo in their order, Bradley-Terry over all at once, or Borda's points."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Literal, get_args

import numpy as np

from judge_core.ranking import elo
from judge_core.ranking.bradley_terry import Terms, Verdicts, estimate
from judge_core.ranking.bradley_terry.connection import components
from judge_core.ranking.comparison import Comparison
from judge_core.ranking.rate.result import (
    GREATEST,
    MOST_TIED,
    POINTS,
    ItemRating,
    RateResult,
    RecordedMatch,
    estimated,
    graph_warnings,
    interval_warnings,
    plain_row,
    posterior_rows,
)
from judge_core.ranking.standings import ranks, win_rates
from judge_core.records.errors import InputError
from judge_core.records.record import Notice

MatchMethod = Literal["elo", "bradley-terry", "borda"]
METHODS = " or ".join(get_args(MatchMethod))


def rate_matches(
    matches: Sequence[RecordedMatch],
    method: MatchMethod = "elo",
    terms: Terms | None = None,
    k: float = elo.K,
    start: float | Mapping[str, float] = elo.START,
) -> RateResult:
    """Rates the items of the matches, in their order for Elo. Best first.

    `terms` are for Bradley-Terry; without them the first place counts nothing. `start` is the Elo to begin with, or one
    by item: items named there stand in the answer though they played nothing, others begin at 1500.

    >>> rate_matches([RecordedMatch(a="x", b="y", result="a")]).items[0].elo
    1516.0
    """
    if method not in get_args(MatchMethod):
        raise InputError(f"Method {method!r} is not known for matches. Choose {METHODS}.", field="method")
    starts = _starts(matches, start)
    if not 0 < k <= GREATEST:
        raise InputError(f"K must be above 0 and at most {GREATEST:,.0f}; found {k!r}.", field="k")
    comparisons = [match.comparison(position=1) for match in matches]
    ratings = elo.rate(comparisons, starts, k=k)
    if method == "elo":
        answer = RateResult(items=tuple(_elo_rows(ratings)))
    elif method == "borda":
        answer = _by_points(ratings, comparisons)
    else:
        answer = _by_posterior(ratings, comparisons, terms or Terms(first_position=False))
    return _finished(answer, matches, comparisons)


def terms_of(matches: Sequence[RecordedMatch], terms: Terms, *, lengths: bool = False) -> Terms:
    """The terms, with the words by item that the matches tell if `lengths` are asked for.

    InputError where the matches lack what the terms need: a margin, words, two judges.
    """
    if terms.margins:
        _check_margins(matches)
    if terms.discrimination and len({match.judge for match in matches}) < 2:
        raise InputError("Judge discrimination needs a column judge with two judges at the least.", field="judge")
    return replace(terms, lengths=_words(matches)) if lengths else terms


def _check_margins(matches: Sequence[RecordedMatch]) -> None:
    if all(match.margin is None for match in matches):
        raise InputError("No match has a margin. Give a column margin: the judge's score of a less that of b.")
    for number, match in enumerate(matches, start=1):
        if (match.margin or 0.0) * (POINTS[match.result] - 0.5) < 0:
            raise InputError(
                f"Match {number} has the result {match.result} and the margin {match.margin!r}. A margin is the score of a"
                " less that of b, so it is above 0 where a won.",
                field="margin",
            )


def _words(matches: Sequence[RecordedMatch]) -> dict[str, float]:
    words: dict[str, float] = {}
    for number, match in enumerate(matches, start=1):
        for item, told, column in ((match.a, match.words_a, "words_a"), (match.b, match.words_b, "words_b")):
            if told is None:
                raise InputError(f"Match {number} has no {column}. The length term needs words_a and words_b.")
            if words.setdefault(item, told) != told:
                raise InputError(
                    f"Match {number} gives {item!r} {told:g} words, an earlier one {words[item]:g}. Give each item one"
                    " number of words.",
                    field=column,
                )
    return words


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
    tied = _sharing(places)
    return [plain_row(item, rating, rating, places[item], tied[item]) for item, rating in ratings.items()]


def _by_posterior(ratings: Mapping[str, float], comparisons: Sequence[Comparison], terms: Terms) -> RateResult:
    posterior = estimate(list(ratings), Verdicts(comparisons), terms)
    return RateResult(
        items=tuple(posterior_rows(posterior, ratings, terms.anchors)),
        warnings=tuple(interval_warnings(posterior, terms)),
        effects=estimated(posterior.effects),
        judges=estimated(posterior.discriminations),
    )


def _by_points(ratings: Mapping[str, float], comparisons: Sequence[Comparison]) -> RateResult:
    """A win is one point, a tie half a one, by weight; ranks are by the share of the points played for."""
    rates = win_rates(comparisons, list(ratings))
    points = dict.fromkeys(ratings, 0.0)
    for match in comparisons:
        points[match.a] += match.weight * match.result
        points[match.b] += match.weight * (1 - match.result)
    places = ranks({item: -1.0 if share is None else share for item, share in rates.overall.items()})
    tied = _sharing(places)
    rows = [plain_row(item, live, None, places[item], tied[item]) for item, live in ratings.items()]
    uneven = any((a, b) not in rates.pairs for a, b in combinations(ratings, 2))
    message = "Not every pair has met: shares of points compare only items that met the same opponents."
    warnings = (Notice(code="unbalanced", message=message),) if uneven else ()
    winner = min(rows, key=lambda row: row.rank).id if comparisons else None
    return RateResult(items=tuple(rows), scores=points, winner=winner, warnings=warnings)


def _sharing(places: Mapping[str, int]) -> dict[str, tuple[str, ...]]:
    if len(places) > MOST_TIED:
        return dict.fromkeys(places, ())
    groups: dict[int, list[str]] = {}
    for item, rank in places.items():
        groups.setdefault(rank, []).append(item)
    return {item: tuple(other for other in groups[rank] if other != item) for item, rank in places.items()}


def _finished(answer: RateResult, matches: Sequence[RecordedMatch], comparisons: Sequence[Comparison]) -> RateResult:
    """With wins counted, in order, and with what was never measured."""
    index = {row.id: place for place, row in enumerate(answer.items)}
    first = np.array([index[row.a] for row in comparisons], dtype=np.intp)
    second = np.array([index[row.b] for row in comparisons], dtype=np.intp)
    idle = int((np.bincount(np.concatenate([first, second]), minlength=len(index)) == 0).sum())
    parts = len(np.unique(components(len(index), first, second)))
    items = sorted(_with_counts(answer.items, matches), key=lambda row: (row.rank, row.id))
    warnings = (*answer.warnings, *graph_warnings(idle, len(index), parts))
    return answer.model_copy(update={"items": tuple(items), "warnings": warnings})


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
