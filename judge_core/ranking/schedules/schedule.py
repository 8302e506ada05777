"""From a spec to its schedule: scores first where asked for, then the method, then the texts that came late."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from judge_core.ranking.schedules.adaptive import Adaptive
from judge_core.ranking.schedules.knockout import Knockout
from judge_core.ranking.schedules.late import Latecomers
from judge_core.ranking.schedules.listwise import Listwise
from judge_core.ranking.schedules.pointwise import Pointwise
from judge_core.ranking.schedules.round_robin import RoundRobin
from judge_core.ranking.schedules.swiss import Swiss
from judge_core.ranking.schedules.wave import Method, Planned, Progress, Result, Schedule, Wave
from judge_core.records.event import RunExtended
from judge_core.records.spec import Spec

__all__ = [
    "Planned", "Progress", "Result", "Schedule", "Wave", "extended", "latecomers", "pairs_unmet", "planned", "schedule_of",
]  # fmt: skip

SCORES_FIRST = "Scores first"


@dataclass(frozen=True)
class Course:
    """A run from its first round to its last."""

    method: Method
    late: Schedule
    scores_first: bool

    def next(self, progress: Progress) -> Wave | None:
        """The next round. Late texts join the method while it lasts; then only they are seen to."""
        if not self.scores_first:
            return self.method.next(progress) or self.late.next(progress)
        if not progress.round:
            return Wave(singles=progress.texts, title=SCORES_FIRST) if progress.texts else None
        wave = self.method.next(replace(progress, round=progress.round - 1)) or self.late.next(progress)
        unscored = tuple(text for text in progress.texts if text in progress.late - progress.scored)
        return wave._replace(singles=unscored) if wave else None

    def planned(self, n: int) -> Planned:
        """What is foreseen for n texts; those that come late are not."""
        planned = self.method.planned(n)
        return planned._replace(singles=n) if self.scores_first else planned


@dataclass(frozen=True)
class Further:
    """A method that has its own end, and beyond it the matches that tell most."""

    method: Method
    beyond: Adaptive

    def next(self, progress: Progress) -> Wave | None:
        """What the method has left comes first."""
        return self.method.next(progress) or self.beyond.next(progress)

    def planned(self, n: int) -> Planned:
        """Both, in full."""
        own, more = self.method.planned(n), self.beyond.planned(n)
        return own._replace(matches=own.matches + more.matches)


def schedule_of(spec: Spec) -> Course:
    """The whole schedule of a run. A goal focuses the adaptive method; stopping at a goal is the run's own business."""
    scores_first = spec.warm_start and spec.method != "pointwise"  # which is just that already
    return Course(_method(spec), latecomers(spec), scores_first)


def latecomers(spec: Spec) -> Schedule:
    """What is asked about late texts alone, for a run that is over: its schedule played, or its goal reached."""
    return Latecomers(spec.method, spec.group_size, spec.rematches)


def extended(spec: Spec, extension: RunExtended, round: int) -> Course:
    """The schedule of a run that is to go on for so many further rounds after the `round` rounds so far.

    Round robin, knockout and pointwise have their own end. What they have left is played; further rounds are matches
    that tell most, after a round robin of pairs that have met.
    """
    course = schedule_of(spec)
    again = spec.rematches or spec.method == "round-robin"
    beyond = Adaptive(extension.rounds, extension.goal, again, after=round)
    method = course.method
    if isinstance(method, Swiss | Listwise):
        method = replace(method, rounds=round - course.scores_first + extension.rounds)
    else:
        method = beyond if isinstance(method, Adaptive) else Further(method, beyond)
    return replace(course, method=method)


def planned(spec: Spec) -> Planned:
    """What is asked of each judge before anything is known: exact but for undecided, withdrawn and late.

    The adaptive method may stop earlier at its goal, and late in a nearly full round robin some Swiss matches fall away.
    """
    return schedule_of(spec).planned(len(spec.texts))._replace(orders=2 if spec.both_orders else 1)


def pairs_unmet(
    spec: Spec, texts: Collection[str], paired: Iterable[Iterable[str]], decided: Iterable[Iterable[str]]
) -> int | None:
    """Pairs among `texts` that may still meet; None where nothing bounds them, since texts may meet again.

    In Swiss rounds a pair whose match brought no verdict is paired again, elsewhere it is asked again by a retry alone.
    """
    if spec.rematches or spec.method in ("listwise", "round-robin"):
        return None
    met = {frozenset(pair) for pair in (decided if spec.method == "swiss" else paired)}
    return len(texts) * (len(texts) - 1) // 2 - sum(pair.issubset(texts) for pair in met)


def _method(spec: Spec) -> Method:
    match spec.method:
        case "swiss":
            return Swiss(spec.rounds, spec.narrowing, spec.rematches)
        case "round-robin":
            return RoundRobin(spec.rounds, spec.rematches)
        case "knockout":
            anchors = {text.alias: text.anchor for text in spec.texts if text.anchor is not None}
            return Knockout(spec.third_place, anchors)
        case "adaptive":
            return Adaptive(spec.rounds, spec.goal, spec.rematches)
        case "listwise":
            return Listwise(spec.rounds, spec.group_size, spec.reverse_share)
        case "pointwise":
            return Pointwise()
