"""A run as the measures of reliability take it: what was said round by round, and how it was rated and paired."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from judge_core.ranking.bradley_terry import Posterior, Verdicts, estimate
from judge_core.ranking.evidence import list_rankings, shares, text_scores
from judge_core.ranking.reliability.bundles import Rate
from judge_core.ranking.reliability.coin import Play, Round
from judge_core.ranking.reliability.fit_statistics import Expectations, expectations
from judge_core.ranking.reliability.replay import Field, schedule_again
from judge_core.ranking.schedules.late import TITLE as LATE
from judge_core.ranking.schedules.schedule import Progress, Schedule, Wave, extended, latecomers, schedule_of
from judge_core.records.event import RunExtended
from judge_core.views.evidence import comparisons, terms, verdicts
from judge_core.views.standings import Standings
from judge_core.views.state import RunState


def said(state: RunState, table: Standings) -> Verdicts:
    """All verdicts that the standings rest on."""
    return verdicts(state, table.basis)


def rate_of(state: RunState, table: Standings) -> Rate:
    """The estimate of the standings, for any part of the texts and verdicts."""

    def rate(items: Sequence[str], part: Verdicts) -> Posterior:
        return estimate(items, part, terms(state.spec, table.basis, items))

    return rate


def expected(state: RunState, table: Standings) -> Expectations | None:
    """The verdicts beside what the standings expected of them; None where nothing was decided."""
    if table.posterior is None:
        return None
    return expectations(table.posterior, said(state, table), terms(state.spec, table.basis, ()).lengths)


def rounds_of(state: RunState, table: Standings) -> dict[int, Round]:
    """By number, each round in which anything was asked so far."""
    rows, weights = comparisons(state, table.basis), shares(state.spec)
    matches = {place: list(islice(rows, sum(j.decided for j in v.judgments))) for place, v in state.matches.items()}
    found = {}
    for number in sorted(_numbers(state)):
        listings = [view for view in state.listings.values() if view.round == number]
        found[number] = Round(
            [matches[place] for place, view in state.matches.items() if view.round == number],
            [list(list_rankings(view.texts, view.judgments, weights)) for view in listings if not view.single],
            [list(text_scores(view.texts[0], view.judgments, weights)) for view in listings if view.single],
        )
    return found


def _numbers(state: RunState) -> set[int]:
    return {match.round for match in state.matches.values()} | {one.round for one in state.listings.values()}


def play_of(state: RunState, table: Standings, rounds: Sequence[Round]) -> Play:
    """Plays the run again with coins, on its own schedule."""
    starts = {alias: line[0][1] for alias, line in state.elo.items()}
    field = Field(starts, state.late, state.withdrawn_after, state.spec.elo_k, rate_of(state, table))
    return schedule_again(_AsPlayed(tuple(_schedules(state))), rounds, field)


@dataclass(frozen=True)
class _AsPlayed:
    """The schedules that a run followed, one a round."""

    by_round: tuple[Schedule, ...]

    def next(self, progress: Progress) -> Wave | None:
        """What the schedule of that round asks."""
        return self.by_round[progress.round].next(progress) if progress.round < len(self.by_round) else None


def _schedules(state: RunState) -> Iterator[Schedule]:
    """Of each round in which anything was asked: the run's own, that of its extension, or that for late texts alone."""
    spec, at = state.spec, state.extended_at
    own, late, further = schedule_of(spec), latecomers(spec), None
    if at is not None:
        further = extended(spec, RunExtended(rounds=max(len(state.rounds) - at, 1), goal=state.goal), at)
    for number in sorted(_numbers(state)):
        paired = state.rounds.get(number)
        if paired is not None and paired.title == LATE:
            yield late
        else:
            yield own if further is None or at is None or number <= at else further


def judge_name(state: RunState, judge: str) -> str:
    """The name of a judge, as verdicts tell judges apart."""
    return state.spec.judge_names[int(judge)]
