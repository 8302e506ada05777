"""What the folds of all kinds of runs share: the sequence, the milestones of a run, what was spent, what became of judgments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from judge_core.records.errors import StoreError
from judge_core.records.event import Event, GoalReached, RunExtended, RunStatus, Stored, TakenOver, TextsWithdrawn
from judge_core.records.spec import Caps
from judge_core.records.verdict import JudgesShare
from judge_core.views.matches import Bill, Charged, Cost, Spent, summed


@dataclass(frozen=True, slots=True, kw_only=True)
class Folded:
    """What the events say about a run of any kind. Never changed: `extended` of each kind gives a new one."""

    status: RunStatus = "waiting"
    reason: str = ""
    last_seq: int = 0
    started_at: str | None = None
    ended_at: str | None = None
    caps: Caps = field(default_factory=Caps)
    """The caps in force."""
    outcomes: Mapping[Any, int] = field(default_factory=dict)
    """(judge, class) -> judgments that count."""
    spending: Mapping[int, Spent] = field(default_factory=dict)
    """By judge."""
    charged: Charged = field(default_factory=Charged)

    @property
    def running(self) -> bool:
        """Whether more events may come without anybody's doing."""
        return self.status in ("waiting", "running")

    @property
    def spent(self) -> Spent:
        """What all judges together were asked and paid."""
        return summed(self.spending.values())


class Turn(NamedTuple):
    """What changed the course of a ranking."""

    round: int
    """The rounds that were paired by then."""
    event: GoalReached | TextsWithdrawn | RunExtended


class Folding:
    """A state under construction. A kind of run adds what its own events say in `own`."""

    def __init__(self, state: Folded) -> None:
        self.changes: dict[str, Any] = {}
        self.last_seq = state.last_seq
        self.outcomes: Counter[Any] = Counter(state.outcomes)
        self.bills = {judge: Bill(spent) for judge, spent in state.spending.items()}
        self.charged = state.charged

    def take(self, stored: Stored) -> None:
        """Folds an event; one already folded is passed over. StoreError where one is missing."""
        if stored.seq <= self.last_seq:
            return
        if stored.seq != self.last_seq + 1:
            raise StoreError(f"Event {self.last_seq + 1} is missing: the next one at hand is {stored.seq}.")
        self.last_seq = stored.seq
        self.changes.update(status="running", reason="", ended_at=None)
        event = stored.event
        match event.type:
            case "started" | "items_started" | "refinement_started":
                self.changes["started_at"] = stored.at
            case "caps_raised":
                self.changes["caps"] = event.caps
            case "taken_over":
                self._taken_over(event)
            case "ended":
                self.changes.update(status=event.status, reason=event.reason, ended_at=stored.at)
        self.own(event)

    def own(self, event: Event) -> None:
        """What an event says to this kind of run."""

    def pay(self, judgments: Iterable[JudgesShare]) -> None:
        """Puts what was asked on the judges' bills."""
        for judgment in judgments:
            if judgment.judge not in self.bills:
                self.bills[judgment.judge] = Bill(Spent())
            self.bills[judgment.judge].add(judgment)

    def shared(self) -> dict[str, Any]:
        """The fields that both kinds of states have, as they are now."""
        return {
            **self.changes,
            "last_seq": self.last_seq,
            "outcomes": {key: number for key, number in self.outcomes.items() if number},
            "spending": {judge: bill.spent() for judge, bill in sorted(self.bills.items())},
            "charged": self.charged,
        }

    def _taken_over(self, event: TakenOver) -> None:
        """A cost that nobody can tell counts as unknown calls."""
        known, unknown = self.charged.cost.known, self.charged.cost.unknown
        if event.cost_charged is None:
            cost = Cost(known, unknown + event.calls_charged)
        else:
            cost = Cost(known + event.cost_charged, unknown)
        self.charged = Charged(self.charged.calls + event.calls_charged, cost)
