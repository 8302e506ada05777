"""The standings: one row a text, with its rating, interval, ties, record and warnings."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from judge_core.ranking.bradley_terry import Posterior, estimate
from judge_core.ranking.evidence import shares
from judge_core.ranking.schedules.swiss.narrowing import survivors
from judge_core.ranking.standings import ranks, tie_groups
from judge_core.records.retries import AnyJudgment
from judge_core.records.spec import Spec, TextRef
from judge_core.views.evidence import PUBLISHED, Basis, terms, verdicts
from judge_core.views.listings import ListingView
from judge_core.views.matches import LOST, MatchView, letter
from judge_core.views.reweighing import Choice, reweighed, weights_of
from judge_core.views.state import RunState

Status = Literal["rated", "withdrawn", "no comparison yet", "all judgments failed", "bye only", "no overall choice"]
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
    """Matches, not judgments; of a list, each other text that it holds is one."""
    undecided: int = 0
    """Its judgments that failed or could not be read."""
    criteria: Mapping[str, float | None] = field(default_factory=dict)
    """Mean score by criterion, in the criterion's own scale, over the judgments that brought one."""
    warnings: Mapping[str, int] = field(default_factory=dict)
    """Warning code -> how often, most frequent first."""
    anchor: float | None = None
    """The known rating at which it is held; None: it is estimated."""
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
    basis: Basis = PUBLISHED
    rankings: int = 0
    """Of the judgments, those on ranked lists."""
    scores: int = 0
    """Of the judgments, those on single texts."""

    @property
    def connected(self) -> bool:
        """Whether a chain of matches leads from each rated text to each other one."""
        return len(self.components) <= 1

    def tied_to(self, row: Standing) -> tuple[str, ...]:
        """The texts from which that one cannot be told, without anchors: what they are worth is known."""
        if row.anchor is not None:
            return ()
        anchors = {other.alias for other in self.rows if other.anchor is not None}
        return tuple(alias for alias in row.tied_with if alias not in anchors)

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
    basis: Basis = PUBLISHED,
) -> Standings:
    """The standings of a run as it was judged, or re-ranked with other weights, by overall choice or on another basis.

    No call is made. `level` is that of the intervals and of the ties. InputError for weights that cannot be used.
    """
    spec = state.spec
    state = reweighed(state, weights, choice)
    used = verdicts(state, basis)
    met = {text for one in used.comparisons for text in (one.a, one.b)} | {
        text for one in used.rankings for text in one.texts
    }
    met |= {one.text for one in used.scores}
    rated = [text.alias for text in spec.texts if text.alias in met]
    posterior = estimate(rated, used, terms(spec, basis, met)) if rated else None
    rows = _rated_rows(_plain_rows(state, met), posterior, level)
    if len(rows) == 1:
        rows = [replace(rows[0], rank=1, elo=state.elo_now(rows[0].alias))]  # first of one; still without a rating
    return Standings(
        rows=_ordered(_grouped(rows, state)),
        level=level,
        choice=choice,
        weights={**weights_of(spec.rubric), **(weights or {})},
        comparisons=len(used.comparisons) + len(used.rankings) + len(used.scores),
        components=posterior.components if posterior else (),
        posterior=posterior,
        basis=basis,
        rankings=len(used.rankings),
        scores=len(used.scores),
    )


@dataclass
class _Record:
    """What one text was part of."""

    matches: list[MatchView] = field(default_factory=list)
    listings: list[ListingView] = field(default_factory=list)

    @property
    def judgments(self) -> list[AnyJudgment]:
        of_matches: list[AnyJudgment] = [judgment for view in self.matches for judgment in view.judgments]
        return of_matches + [judgment for view in self.listings for judgment in view.judgments]

    def letters(self, alias: str, weights: list[float]) -> Counter[str]:
        """Won, lost and drawn: by matches, and in each list against every other text of it."""
        found = Counter(letter(view.result_for(alias)) for view in self.matches)
        for view in self.listings:
            places = view.mean_places(weights)
            for other, place in places.items():
                if other != alias:
                    found["W" if places[alias] < place else "L" if places[alias] > place else "D"] += 1
        return found


def _plain_rows(state: RunState, met: set[str]) -> list[Standing]:
    records: dict[str, _Record] = defaultdict(_Record)
    for view in state.matches.values():
        records[view.a].matches.append(view)
        records[view.b].matches.append(view)
    for listing in state.listings.values():
        for alias in listing.texts:
            records[alias].listings.append(listing)
    byes = {alias for paired in state.rounds.values() for alias in paired.byes}
    weights = shares(state.spec)
    return [_plain_row(state, text, records[text.alias], met, (byes, weights)) for text in state.spec.texts]


def _plain_row(
    state: RunState, text: TextRef, own: _Record, met: set[str], shared: tuple[set[str], list[float]]
) -> Standing:
    alias, (byes, weights) = text.alias, shared
    record = own.letters(alias, weights)
    played = bool(record["W"] + record["L"] + record["D"])
    status = "withdrawn" if alias in state.withdrawn else _status(alias in met, own.judgments, alias in byes)
    return Standing(
        alias=alias,
        id=text.id,
        title=text.title,
        status=status,
        elo=state.elo_now(alias) if alias in met and played else None,
        wins=record["W"],
        losses=record["L"],
        ties=record["D"],
        undecided=sum(judgment.outcome in LOST for judgment in own.judgments),
        criteria=_means(state.spec, alias, own),
        warnings=_warnings(text, own.judgments),
        anchor=text.anchor if status == "rated" else None,
    )


def _status(met: bool, judgments: list[AnyJudgment], bye: bool) -> Status:
    if met:
        return "rated"
    if any(judgment.outcome in LOST for judgment in judgments):
        return "all judgments failed"
    if any(judgment.outcome == "unchosen" for judgment in judgments):
        return "no overall choice"
    return "bye only" if bye and not judgments else "no comparison yet"


def _means(spec: Spec, alias: str, own: _Record) -> dict[str, float | None]:
    scores: dict[str, list[float]] = {criterion.name: [] for criterion in spec.rubric.criteria}
    for view in own.matches:
        for judgment in view.judgments:
            for name, pair in judgment.scores.items():
                if judgment.result is not None and name in scores:
                    scores[name].append(pair.a if alias == view.a else pair.b)
    for listing in own.listings:
        for name, score in listing.scores():
            if name in scores:
                scores[name].append(score)
    return {name: sum(found) / len(found) if found else None for name, found in scores.items()}


def _warnings(text: TextRef, judgments: list[AnyJudgment]) -> dict[str, int]:
    counts = Counter(dict.fromkeys(text.notices, 1))
    for judgment in judgments:
        for code in {notice.code for notice in judgment.warnings}:
            counts[code] += 1
        if judgment.outcome in LOST:
            counts[judgment.outcome] += 1
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _rated_rows(rows: list[Standing], posterior: Posterior | None, level: float) -> list[Standing]:
    if posterior is None:
        return rows
    gone = {row.alias for row in rows if row.status == "withdrawn"}
    ties = {
        text: tuple(alias for alias in tied if alias not in gone) for text, tied in tie_groups(posterior, level).items()
    }
    places = posterior.ranks()
    if gone:
        places = ranks({row.alias: posterior.rating(row.alias) or 0.0 for row in rows if row.status == "rated"})
    return [_rated_row(row, posterior, ties, places, level) if row.status == "rated" else row for row in rows]


def _grouped(rows: list[Standing], state: RunState) -> list[Standing]:
    """Says who is kept, where the run narrows to K; the members of a kept class get no rank among themselves."""
    kept = _kept_aliases(rows, state)
    if not kept:
        return rows
    grouped = [replace(row, group="kept" if row.alias in kept else "out") for row in rows]
    if state.spec.narrowing.focus == "rank":
        return grouped
    return [replace(row, rank=None) if row.group == "kept" else row for row in grouped]


def _kept_aliases(rows: list[Standing], state: RunState) -> frozenset[str]:
    """The K best rated texts, once a round was narrowed to those about K; empty before, and while fewer are rated."""
    narrowing = state.spec.narrowing
    rated = sorted((row for row in rows if row.rating is not None), key=lambda row: (-(row.rating or 0.0), row.alias))
    narrowed = any(paired.narrowed for paired in state.rounds.values())
    if not narrowed or narrowing.k is None or len(rated) < narrowing.k:
        return frozenset()
    return frozenset(survivors([row.alias for row in rated], narrowing))


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
