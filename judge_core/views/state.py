"""The fold: events in, the state of a run out. A live page folds only the new events; the result is the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from judge_core.ranking.schedules.swiss.narrowing import planned_matches
from judge_core.records.event import (
    Event,
    GoalReached,
    GroupJudged,
    MatchJudged,
    RoundPaired,
    RunExtended,
    Stored,
    TextScored,
)
from judge_core.records.spec import Goal, Spec, TextRef
from judge_core.records.verdict import LEDGER, LISTED, JudgmentClass
from judge_core.views.folding import Folded, Folding, Turn
from judge_core.views.listings import ListingView, retried_listing
from judge_core.views.matches import MatchView, RoundView, retried

Trajectory = tuple[tuple[int, float], ...]
"""(place, Elo after it), from (0, start) on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunState(Folded):
    """All that the events say about a run. Never changed: `extended` gives a new one."""

    spec: Spec
    """As the run was started, with the texts that came late behind the others."""
    foreseen: int = 0
    """Matches that the schedule foresaw at the start."""
    rounds: Mapping[int, RoundView] = field(default_factory=dict)
    matches: Mapping[int, MatchView] = field(default_factory=dict)
    """By first place, in the order first judged."""
    listings: Mapping[int, ListingView] = field(default_factory=dict)
    """Lists, and texts scored by themselves, by first place."""
    late: frozenset[str] = frozenset()
    """Texts that came after the start."""
    withdrawn: frozenset[str] = frozenset()
    goal: Goal | None = None
    """What the run is to settle, as it stands now."""
    reached: GoalReached | None = None
    """None: there is no goal, or it is not reached."""
    turns: tuple[Turn, ...] = ()
    """Goals reached, texts withdrawn and extensions, in order."""
    retries: Mapping[int, int] = field(default_factory=dict)
    """The place of a retry -> the place of the match that it judged again."""
    elo: Mapping[str, Trajectory] = field(default_factory=dict)
    outcomes: Mapping[tuple[int, JudgmentClass], int] = field(default_factory=dict)
    """(judge, class) -> judgments that count."""

    def extended(self, events: Iterable[Stored]) -> RunState:
        """The state after further events; those already folded are passed over. StoreError where one is missing."""
        folding = _Folding(self)
        for stored in events:
            folding.take(stored)
        return folding.state()

    def match(self, place: int) -> MatchView | None:
        """The match asked at a place, be it its first asking or a retry; None where no match was judged there."""
        return self.matches.get(self.retries.get(place, place))

    def listing(self, place: int) -> ListingView | None:
        """The list, or the single text, asked at a place; None where there was none."""
        return self.listings.get(self.retries.get(place, place))

    def elo_now(self, alias: str) -> float:
        """The text's present Elo."""
        return self.elo[alias][-1][1]

    @property
    def extended_at(self) -> int | None:
        """The rounds that there were when the run was first told to go on; None: it never was."""
        return next((turn.round for turn in self.turns if isinstance(turn.event, RunExtended)), None)

    @property
    def planned_matches(self) -> int:
        """Matches (or lists, or texts to be scored) foreseen, corrected by what was really paired."""
        paired, judged = sum(view.size for view in self.rounds.values()), len(self.matches) + len(self.listings)
        if self.status == "done" or self.reached is not None:
            return max(paired, judged)
        if self.spec.method != "swiss" or self.spec.warm_start:
            return max(paired, judged, self.foreseen - sum(view.fewer for view in self.rounds.values()))
        schedule = planned_matches(
            len(self.spec.texts), len(self.rounds), self.spec.narrowing, rematches=self.spec.rematches
        )
        return max(paired + max(self.foreseen - schedule, 0), judged)

    @property
    def planned_judgments(self) -> int:
        """Planned matches, each by the whole panel, or by as many of it as are drawn."""
        panel = len(self.spec.judges)
        return self.planned_matches * min(self.spec.judges_per_match or panel, panel)

    @property
    def ledger(self) -> dict[JudgmentClass, int]:
        """Judgments by class, in a fixed order; they sum to `planned_judgments`. Lists and scores stand in front, if any,
        and those without an overall choice at the end."""
        counts: Counter[JudgmentClass] = Counter()
        for (_, outcome), number in self.outcomes.items():
            counts[outcome] += number
        rest: JudgmentClass = {"budget": "held", "cancelled": "cancelled"}.get(self.status, "waiting")  # type: ignore[assignment]
        counts[rest] += max(self.planned_judgments - counts.total(), 0)
        listed = [outcome for outcome in LISTED if counts[outcome]]
        last: tuple[JudgmentClass, ...] = ("unchosen",) if counts["unchosen"] else ()
        return {outcome: counts[outcome] for outcome in (*listed, *LEDGER, *last)}

    @property
    def judged(self) -> int:
        """Matches, lists and single texts judged so far."""
        return len(self.units)

    @property
    def units(self) -> tuple[MatchView | ListingView, ...]:
        """Matches, then lists and single texts, each in the order first judged."""
        return *self.matches.values(), *self.listings.values()

    def judge_ledger(self, judge: int) -> dict[JudgmentClass, int]:
        """One judge's judgments by class, those not yet made left out."""
        listed = [outcome for outcome in LISTED if any(found == outcome for _, found in self.outcomes)]
        return {outcome: self.outcomes.get((judge, outcome), 0) for outcome in (*listed, *LEDGER)}


def fold(spec: Spec, events: Iterable[Stored]) -> RunState:
    """The state of a run after its events, which come in their sequence from the first. StoreError where one is missing."""
    start = {text.alias: ((0, elo_at_start(text, spec)),) for text in spec.texts}
    return RunState(spec=spec, caps=spec.caps, goal=spec.goal, elo=start).extended(events)


def elo_at_start(text: TextRef, spec: Spec) -> float:
    """The Elo with which a text begins."""
    return spec.elo_start if text.prior_elo is None else text.prior_elo


class _Folding(Folding):
    """A state under construction: copies each container once, and a trajectory only when it grows."""

    def __init__(self, state: RunState) -> None:
        super().__init__(state)
        self.base = state
        self.rounds = dict(state.rounds)
        self.matches = dict(state.matches)
        self.listings = dict(state.listings)
        self.spec, self.late, self.withdrawn = state.spec, state.late, state.withdrawn
        self.retries = dict(state.retries)
        self.elo: dict[str, list[tuple[int, float]]] = {}
        self.latest = {alias: line[-1][1] for alias, line in state.elo.items()}
        self.asked: dict[tuple[int, tuple[str, ...]], int] = {
            **{(m.round, (m.a, m.b)): m.place for m in state.matches.values()},
            **{(view.round, view.texts): view.place for view in state.listings.values()},
        }

    def own(self, event: Event) -> None:
        """The events of rounds and matches."""
        match event.type:
            case "started":
                self.changes["foreseen"] = event.planned_matches
            case "match_judged":
                self._match(event)
            case "group_judged" | "text_scored":
                self._listing(event)
            case "round_paired":
                self.changes["reached"] = None
                self.rounds[event.round] = self._paired(event)
            case "round_trimmed":
                self.rounds[event.round] = self.rounds[event.round].trimmed(event)
            case "round_closed":
                self.rounds[event.round] = replace(self.rounds[event.round], closed=True)
            case _:
                self._changed(event)

    def _paired(self, event: RoundPaired) -> RoundView:
        first, last = event.band
        return RoundView(
            event.round, event.pairs, event.byes, event.band, groups=event.groups, singles=event.singles,
            narrowed=last - first + 1 < len(self.spec.texts) - len(self.withdrawn), title=event.title,
        )  # fmt: skip

    def _changed(self, event: Event) -> None:
        """What a person changed on the way, and the goal."""
        if event.type in ("goal_reached", "texts_withdrawn", "run_extended"):
            self.changes["turns"] = (*self.changes.get("turns", self.base.turns), Turn(len(self.rounds), event))
        match event.type:
            case "goal_reached":
                self.changes["reached"] = event
            case "texts_added":
                self._join(event.texts)
            case "texts_withdrawn":
                self.withdrawn |= set(event.texts)
            case "run_extended":
                self.changes.update(goal=event.goal, reached=None)

    def _join(self, texts: tuple[TextRef, ...]) -> None:
        """The spec as it stands with texts that came late. Made anew, since it keeps its texts by alias."""
        known = {text.alias for text in self.spec.texts}
        texts = tuple(text for text in texts if text.alias not in known)  # the same may have been sent twice
        fields = {name: getattr(self.spec, name) for name in Spec.model_fields}
        self.spec = Spec.model_construct(**{**fields, "texts": (*self.spec.texts, *texts)})
        self.late |= {text.alias for text in texts}
        for text in texts:
            self.latest[text.alias] = elo_at_start(text, self.spec)
            self.elo[text.alias] = [(0, self.latest[text.alias])]

    def _listing(self, event: GroupJudged | TextScored) -> None:
        texts = event.texts if isinstance(event, GroupJudged) else (event.text,)
        before = {alias: self.latest[alias] for alias in texts}
        after = event.elo if isinstance(event, GroupJudged) else before
        if isinstance(event, GroupJudged):
            for alias, value in after.items():
                self._move(alias, event.place, value)
        self.pay(event.judgments)
        key = (event.round, texts)
        first = self.asked.get(key) if event.replicate else None
        view = ListingView(
            place=event.place,
            round=event.round,
            texts=texts,
            judgments=event.judgments,
            places=(event.place,) * len(event.judgments),
            elo_before=before,
            elo=after,
            moved_at=event.place,
        )
        if first is not None:
            self.retries[event.place] = first
            earlier = self.listings[first]
            for judgment in earlier.judgments:
                self.outcomes[judgment.judge, earlier.outcome_of(judgment)] -= 1
            view = retried_listing(earlier, view)
        for judgment in view.judgments:
            self.outcomes[judgment.judge, view.outcome_of(judgment)] += 1
        self.listings[view.place] = view
        self.asked[key] = view.place

    def _match(self, event: MatchJudged) -> None:
        before = {event.a: self.latest[event.a], event.b: self.latest[event.b]}
        for alias, value in event.elo.items():
            self._move(alias, event.place, value)
        self.pay(event.judgments)
        key = (event.round, (event.a, event.b))
        first = self.asked.get(key) if event.replicate else None
        view = MatchView(
            place=event.place,
            round=event.round,
            a=event.a,
            b=event.b,
            judgments=event.judgments,
            places=(event.place,) * len(event.judgments),
            result=event.result,
            elo_before=before,
            elo=event.elo,
            moved_at=event.place,
        )
        if first is not None:
            self.retries[event.place] = first
            view = self._retried(self.matches[first], view)
        for judgment in view.judgments:
            self.outcomes[judgment.judge, judgment.outcome] += 1
        self.matches[view.place] = view
        self.asked[key] = view.place

    def _retried(self, earlier: MatchView, later: MatchView) -> MatchView:
        for judgment in earlier.judgments:
            self.outcomes[judgment.judge, judgment.outcome] -= 1
        return retried(earlier, later, self.base.spec.judges)

    def _move(self, alias: str, place: int, value: float) -> None:
        if alias not in self.elo:
            self.elo[alias] = list(self.base.elo.get(alias, ()))
        self.elo[alias].append((place, value))
        self.latest[alias] = value

    def state(self) -> RunState:
        moved = {alias: tuple(line) for alias, line in self.elo.items()}
        return replace(
            self.base,
            **self.shared(),
            spec=self.spec,
            late=self.late,
            withdrawn=self.withdrawn,
            listings=self.listings,
            rounds=self.rounds,
            matches=self.matches,
            retries=self.retries,
            elo={**self.base.elo, **moved},
        )
