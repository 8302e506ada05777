"""The standings: one row a text, with its rating, interval, ties, record and warnings."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from judge_core.ranking.bradley_terry import Comparison, Posterior, fit
from judge_core.ranking.narrowing import OPEN_ROUNDS, survivors, useful_rounds
from judge_core.ranking.standings import tie_groups
from judge_core.records.spec import Spec, TextRef
from judge_core.records.verdict import Judgment
from judge_core.views.matches import LOST, MatchView, letter
from judge_core.views.reweighing import Choice, reweighed, weights_of
from judge_core.views.state import RunState

Status = Literal["rated", "no comparison yet", "all judgments failed", "bye only"]
Group = Literal["kept", "out"]


@dataclass(frozen=True, slots=True)
class Standing:
    """One text's row. What was not measured is None, never 0 or the start value."""

    alias: str
    id: str
    title: str
    status: Status
    rank: int | None = None
    """From 1; equal ratings share one. None for an unrated text, and within a kept class (a set without order)."""
    tied_with: tuple[str, ...] = ()
    """Aliases of the texts from which this one cannot be told at the level of the standings."""
    rating: float | None = None
    """Elo scale: mean 1500, 400 points are odds of 10 to 1."""
    low: float | None = None
    high: float | None = None
    elo: float | None = None
    """The live Elo; None where the text was never compared."""
    wins: int = 0
    losses: int = 0
    ties: int = 0
    """Matches, not judgments."""
    undecided: int = 0
    """Its judgments that failed or could not be read."""
    criteria: Mapping[str, float | None] = field(default_factory=dict)
    """Mean score by criterion, in the criterion's own scale, over the judgments that brought one."""
    warnings: Mapping[str, int] = field(default_factory=dict)
    """Warning code -> how often, most frequent first."""
    group: Group | None = None
    """Whether it is among the K kept, where the run was to keep K."""

    @property
    def comparisons(self) -> int:
        """Matches that were decided."""
        return self.wins + self.losses + self.ties


@dataclass(frozen=True, slots=True)
class Standings:
    """The rows in the order of the page, and what they rest on."""

    rows: tuple[Standing, ...]
    level: float
    choice: Choice
    weights: Mapping[str, float]
    comparisons: int
    """Judgments that the ratings rest on."""
    components: tuple[tuple[str, ...], ...]
    """Rated texts by connected part of the comparison graph, the largest first: parts never met one another."""
    posterior: Posterior | None
    """None where nothing was decided."""

    @property
    def connected(self) -> bool:
        """Whether a chain of matches leads from each rated text to each other one."""
        return len(self.components) <= 1

    @property
    def rated(self) -> tuple[Standing, ...]:
        """The rated rows, best rating first."""
        known = [row for row in self.rows if row.rating is not None]
        return tuple(sorted(known, key=lambda row: (-(row.rating or 0.0), row.alias)))

    def row(self, alias: str) -> Standing:
        """The row of a text; KeyError where there is none."""
        for row in self.rows:
            if row.alias == alias:
                return row
        raise KeyError(alias)


def standings(
    state: RunState,
    weights: Mapping[str, float] | None = None,
    choice: Choice = "criteria",
    level: float = 0.95,
) -> Standings:
    """The standings of a run as it was judged, or re-ranked with other weights or by overall choice without a call.

    `level` is that of the intervals and of the ties. InputError for weights that cannot be used.
    """
    spec = state.spec
    state = reweighed(state, weights, choice)
    used = list(comparisons(state))
    met = {alias for comparison in used for alias in (comparison.a, comparison.b)}
    rated = [text.alias for text in spec.texts if text.alias in met]
    posterior = fit(rated, used, first_position=any(c.position for c in used)) if rated else None
    rows = _rated_rows(_plain_rows(state, met), posterior, level)
    if len(rows) == 1:
        rows = [replace(rows[0], rank=1, elo=state.elo_now(rows[0].alias))]  # first of one; still without a rating
    return Standings(
        rows=_ordered(_grouped(rows, spec)),
        level=level,
        choice=choice,
        weights={**weights_of(spec.rubric), **(weights or {})},
        comparisons=len(used),
        components=posterior.components if posterior else (),
        posterior=posterior,
    )


def comparisons(state: RunState) -> Iterator[Comparison]:
    """Each decided judgment as one comparison, weighted with its judge's share of the panel.

    `position` is +1 where a single order showed a first, -1 where it showed b first, 0 where both orders were merged.
    """
    total = sum(judge.weight for judge in state.spec.judges)
    shares = [judge.weight / total for judge in state.spec.judges]
    for view in state.matches.values():
        for judgment in view.judgments:
            if judgment.result is not None:
                position = _position(view, judgment)
                yield Comparison(view.a, view.b, judgment.result, shares[judgment.judge], position)


def _position(view: MatchView, judgment: Judgment) -> int:
    if len(judgment.orders) != 1:
        return 0
    return 1 if judgment.orders[0].first == view.a else -1


def _plain_rows(state: RunState, met: set[str]) -> list[Standing]:
    by_text: dict[str, list[MatchView]] = defaultdict(list)
    for view in state.matches.values():
        by_text[view.a].append(view)
        by_text[view.b].append(view)
    byes = {alias for paired in state.rounds.values() for alias in paired.byes}
    return [_plain_row(state, text, by_text[text.alias], met, byes) for text in state.spec.texts]


def _plain_row(state: RunState, text: TextRef, views: list[MatchView], met: set[str], byes: set[str]) -> Standing:
    alias = text.alias
    record = Counter(letter(view.result_for(alias)) for view in views)
    judgments = [(view, judgment) for view in views for judgment in view.judgments]
    return Standing(
        alias=alias,
        id=text.id,
        title=text.title,
        status=_status(alias in met, judgments, alias in byes),
        elo=state.elo_now(alias) if alias in met else None,
        wins=record["W"],
        losses=record["L"],
        ties=record["D"],
        undecided=sum(judgment.outcome in LOST for _, judgment in judgments),
        criteria=_means(state.spec, alias, judgments),
        warnings=_warnings(text, judgments),
    )


def _status(met: bool, judgments: list[tuple[MatchView, Judgment]], bye: bool) -> Status:
    if met:
        return "rated"
    if any(judgment.outcome in LOST for _, judgment in judgments):
        return "all judgments failed"
    return "bye only" if bye and not judgments else "no comparison yet"


def _means(spec: Spec, alias: str, judgments: list[tuple[MatchView, Judgment]]) -> dict[str, float | None]:
    scores: dict[str, list[float]] = {criterion.name: [] for criterion in spec.rubric.criteria}
    for view, judgment in judgments:
        for name, pair in judgment.scores.items():
            if judgment.result is not None and name in scores:
                scores[name].append(pair.a if alias == view.a else pair.b)
    return {name: sum(found) / len(found) if found else None for name, found in scores.items()}


def _warnings(text: TextRef, judgments: list[tuple[MatchView, Judgment]]) -> dict[str, int]:
    counts = Counter(dict.fromkeys(text.notices, 1))
    for _, judgment in judgments:
        for code in {notice.code for notice in judgment.warnings}:
            counts[code] += 1
        if judgment.outcome in LOST:
            counts[judgment.outcome] += 1
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _rated_rows(rows: list[Standing], posterior: Posterior | None, level: float) -> list[Standing]:
    if posterior is None:
        return rows
    ties = tie_groups(posterior, level)
    places = posterior.ranks()
    return [_rated_row(row, posterior, ties, places, level) if row.status == "rated" else row for row in rows]


def _grouped(rows: list[Standing], spec: Spec) -> list[Standing]:
    """Says who is kept, where the run narrows to K; the members of a kept class get no rank among themselves."""
    kept = kept_aliases(rows, spec)
    if not kept:
        return rows
    grouped = [replace(row, group="kept" if row.alias in kept else "out") for row in rows]
    if spec.narrowing.focus == "rank":
        return grouped
    return [replace(row, rank=None) if row.group == "kept" else row for row in grouped]


def kept_aliases(rows: list[Standing], spec: Spec) -> frozenset[str]:
    """The K best rated texts, where the run narrows to K; empty without narrowing, or while fewer are rated."""
    k, n = spec.narrowing.k, len(spec.texts)
    rated = sorted((row for row in rows if row.rating is not None), key=lambda row: (-(row.rating or 0.0), row.alias))
    applied = useful_rounds(n, spec.rounds) > OPEN_ROUNDS
    if spec.narrowing.focus == "all" or k is None or k >= n or len(rated) < k or not applied:
        return frozenset()
    return frozenset(survivors([row.alias for row in rated], spec.narrowing))


def _ordered(rows: list[Standing]) -> tuple[Standing, ...]:
    """Kept class by alias, then by rank, then the unrated by alias."""

    def key(row: Standing) -> tuple[bool, float, str]:
        return row.status != "rated", row.rank or 0, row.alias

    return tuple(sorted(rows, key=key))


def _rated_row(
    row: Standing, posterior: Posterior, ties: Mapping[str, tuple[str, ...]], places: Mapping[str, int], level: float
) -> Standing:
    rating, interval = posterior.rating(row.alias), posterior.interval(row.alias, level)
    low, high = interval or (None, None)
    tied = tuple(sorted(ties.get(row.alias, ())))
    return replace(row, rank=places[row.alias], tied_with=tied, rating=rating, low=low, high=high)
