"""A run as the measures of reliability take it: what was said round by round, and how it was rated and paired."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from judge_core.ranking.bradley_terry import Posterior, Verdicts, estimate
from judge_core.ranking.evidence import shares, text_scores
from judge_core.ranking.reliability.bundles import Rate
from judge_core.ranking.reliability.coin import Play, Round
from judge_core.ranking.reliability.fit_statistics import Expectations, expectations
from judge_core.ranking.reliability.replay import Field, schedule_again
from judge_core.ranking.schedules.schedule import extended, latecomers, schedule_of
from judge_core.ranking.schedules.wave import Progress, Schedule, Wave
from judge_core.records.event import GoalReached, RunExtended, TextsWithdrawn
from judge_core.views.evidence import comparisons, rankings_by_place, terms, verdicts
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
    rows, ranked, weights = comparisons(state, table.basis), rankings_by_place(state), shares(state.spec)
    matches = {place: list(islice(rows, sum(j.decided for j in v.judgments))) for place, v in state.matches.items()}
    found = {}
    for number in sorted(_numbers(state)):
        listings = [view for view in state.listings.values() if view.round == number]
        found[number] = Round(
            [matches[place] for place, view in state.matches.items() if view.round == number],
            [ranked[view.place] for view in listings if not view.single],
            [list(text_scores(view.texts[0], view.judgments, weights)) for view in listings if view.single],
        )
    return found


def _numbers(state: RunState) -> set[int]:
    return {match.round for match in state.matches.values()} | {one.round for one in state.listings.values()}


def play_of(state: RunState, table: Standings, rounds: Sequence[Round]) -> Play:
    """Plays the run again with coins, on its own schedule."""
    starts = {alias: line[0][1] for alias, line in state.elo.items()}
    withdrawn = _withdrawn(state)
    field = Field(starts, state.late, withdrawn, state.spec.elo_k, rate_of(state, table))
    return schedule_again(course_of(state), rounds, field)


def _withdrawn(state: RunState) -> dict[str, int]:
    """By text, the rounds that were paired when it was withdrawn."""
    turns = [turn for turn in state.turns if isinstance(turn.event, TextsWithdrawn)]
    return {text: turn.round for turn in reversed(turns) for text in turn.event.texts}  # type: ignore[union-attr]


@dataclass(frozen=True)
class Staged:
    """One schedule after another, as a run went on."""

    stages: tuple[tuple[int, Schedule], ...]
    """Each with the rounds that were paired before it came into force; the first with 0."""

    def next(self, progress: Progress) -> Wave | None:
        """By the latest schedule that is in force."""
        return [stage for start, stage in self.stages if start <= progress.round][-1].next(progress)


def course_of(state: RunState) -> Staged:
    """The run's own schedule, then what each extension made of it, and late texts alone once a goal was reached."""
    stages: list[tuple[int, Schedule]] = [(0, schedule_of(state.spec))]
    for round_, event in state.turns:
        if isinstance(event, RunExtended):
            stages.append((round_, extended(state.spec, event, round_)))
        elif isinstance(event, GoalReached):
            stages.append((round_, latecomers(state.spec)))
    return Staged(tuple(stages))


def judge_name(state: RunState, judge: str) -> str:
    """The name of a judge, as verdicts tell judges apart."""
    return state.spec.judge_names[int(judge)]
