"""Five ways in which an agent goes astray, found by rules in its events.

- repetition_loop: the same role, action and files several times in a row.
- ping_pong: two acts that take turns, each coming back the same.
- expansion_drift: the set of files grows with each act that names files, and none of them succeeds.
- stuck_on_test: test runs that fail one after the other, whatever is done between them.
- context_thrash: acts that name files, each of them files that none of the others names.

A detector that runs beside an agent keeps the last 50 events, the oldest leaving first: `find_patterns`. A finished run is
looked at as a whole, as if that detector had looked after each event: `run_patterns`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal

from pydantic import Field

from judge_core.records.item import Pattern, PatternName
from judge_core.records.record import Record
from judge_core.scoring.trajectory.events import TrajectoryEvent

Taxonomy = Literal["reasoning_error", "specification_error", "coordination_error"]
Events = Sequence[TrajectoryEvent]

SEVERITY: dict[PatternName, int] = {
    "stuck_on_test": 5, "expansion_drift": 4, "context_thrash": 3, "ping_pong": 2, "repetition_loop": 1,
}  # fmt: skip
"""From 1 to 5, the worst first."""
TAXONOMY: dict[PatternName, Taxonomy] = {
    "stuck_on_test": "reasoning_error",
    "repetition_loop": "reasoning_error",
    "expansion_drift": "specification_error",
    "context_thrash": "specification_error",
    "ping_pong": "coordination_error",
}
"""What lies behind it: nothing learnt from what was seen; a task whose limits are not clear; two sides that undo each other."""


class Thresholds(Record):
    """How many events make a pattern, and how far the rules and the classifier look."""

    stuck_on_test: int = Field(default=3, ge=2)
    expansion_drift: int = Field(default=3, ge=2)
    context_thrash: int = Field(default=5, ge=2)
    ping_pong: int = Field(default=4, ge=3)
    repetition_loop: int = Field(default=3, ge=2)
    window: int = Field(default=50, ge=1)
    """The events that are kept, and so the furthest that the first and the last event of a pattern lie apart."""
    ml_threshold: float = Field(default=0.7, ge=0, le=1)
    """The least confidence with which a pattern that a judge names counts."""
    ml_min_events: int = Field(default=3, ge=1)
    """The fewest steps about which a judge is asked."""


DEFAULTS = Thresholds()


def find_patterns(events: Events, thresholds: Thresholds = DEFAULTS) -> tuple[Pattern, ...]:
    """The patterns in the last `window` events: the most severe first, then by their first step.

    Step numbers are those of the events, or their places from 1 in all of `events`. Raises nothing.
    """
    return _found(events, max(0, len(events) - thresholds.window), thresholds)


def run_patterns(events: Events, thresholds: Thresholds = DEFAULTS) -> tuple[Pattern, ...]:
    """All that `find_patterns` would have found after one event or another of a finished run, joined where events are shared."""
    return _found(events, 0, thresholds)


def pattern_of(name: PatternName, steps: Iterable[int]) -> Pattern:
    """A pattern that a rule found, with the severity and taxonomy of its name."""
    return Pattern(name=name, steps=tuple(sorted(set(steps))), severity=SEVERITY[name], taxonomy=TAXONOMY[name])


def _found(events: Events, start: int, thresholds: Thresholds) -> tuple[Pattern, ...]:
    found = []
    for name, rule in _RULES.items():
        least: int = getattr(thresholds, name)
        chains = rule(events[start:])
        found += [
            pattern_of(name, (_step(events, start + place) for place in places))
            for places in _shown(chains, least, thresholds.window)
        ]
    return tuple(sorted(found, key=lambda pattern: (-pattern.severity, pattern.steps)))


def _step(events: Events, place: int) -> int:
    return events[place].step or place + 1


def _shown(chains: Iterable[list[int]], least: int, window: int) -> list[set[int]]:
    """The places of `least` neighbours in a chain that lie within the window, joined where they share a place."""
    joined: list[set[int]] = []
    for chain in chains:
        for first in range(len(chain) - least + 1):
            part = set(chain[first : first + least])
            if max(part) - min(part) >= window:
                continue
            if joined and joined[-1] & part:
                joined[-1] |= part
            else:
                joined.append(part)
    return joined


# --- the rules: each gives chains of places (from 0) in which every link holds


def _repetitions(events: Events) -> Iterator[list[int]]:
    return _linked(events, range(len(events)), lambda before, event: before.identity == event.identity)


def _alternations(events: Events) -> Iterator[list[int]]:
    chain: list[int] = []
    for place, event in enumerate(events):
        returns = len(chain) < 2 or events[chain[-2]].identity == event.identity
        differs = not chain or events[chain[-1]].identity != event.identity
        if not (returns and differs):
            yield chain
            chain = chain[-1:] if differs else []
        chain.append(place)
    yield chain


def _expansions(events: Events) -> Iterator[list[int]]:
    naming = [place for place, event in enumerate(events) if event.files]
    return _linked(events, naming, lambda before, event: before.files < event.files, lambda event: not event.success)


def _failing_tests(events: Events) -> Iterator[list[int]]:
    tests = [place for place, event in enumerate(events) if event.is_test]
    return _linked(events, tests, lambda before, event: True, lambda event: event.success is False)


def _thrashings(events: Events) -> Iterator[list[int]]:
    """Chains of acts whose sets of files are disjoint, each as long as it can be."""
    naming = [place for place, event in enumerate(events) if event.files]
    last: dict[str, int] = {}
    first = 0
    for number, place in enumerate(naming):
        met = max((last[file] + 1 for file in events[place].files if file in last), default=0)
        if met > first:
            yield naming[first:number]
            first = met
        last.update(dict.fromkeys(events[place].files, number))
    yield naming[first:]


def _linked(
    events: Events,
    places: Iterable[int],
    link: Callable[[TrajectoryEvent, TrajectoryEvent], bool],
    fits: Callable[[TrajectoryEvent], bool] = lambda event: True,
) -> Iterator[list[int]]:
    """Runs of places whose events fit and are linked, each to the one before it."""
    chain: list[int] = []
    for place in places:
        event = events[place]
        if chain and not (fits(event) and link(events[chain[-1]], event)):
            yield chain
            chain = []
        if fits(event):
            chain.append(place)
    yield chain


_RULES: dict[PatternName, Callable[[Events], Iterator[list[int]]]] = {
    "stuck_on_test": _failing_tests,
    "expansion_drift": _expansions,
    "context_thrash": _thrashings,
    "ping_pong": _alternations,
    "repetition_loop": _repetitions,
}
