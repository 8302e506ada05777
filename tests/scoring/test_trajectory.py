"""Trajectory patterns: what each rule finds at its threshold and around it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from judge_core.records.item import Pattern, PatternName
from judge_core.scoring.trajectory.events import TrajectoryEvent
from judge_core.scoring.trajectory.patterns import (
    SEVERITY,
    TAXONOMY,
    Thresholds,
    find_patterns,
    pattern_of,
    run_patterns,
)


def event(action: str, files: str = "", success: bool | None = None, role: str = "coder") -> TrajectoryEvent:
    return TrajectoryEvent(role=role, action=action, target_files=tuple(files.split()), success=success)


def dispatched(success: bool | None = False) -> TrajectoryEvent:
    return event("dispatch", success=success, role="test_engineer")


def shown(
    events: Sequence[TrajectoryEvent], thresholds: Thresholds | None = None
) -> dict[PatternName, tuple[int, ...]]:
    found = find_patterns(events, thresholds or Thresholds())
    assert len({pattern.name for pattern in found}) == len(found)
    return {pattern.name: pattern.steps for pattern in found}


SAME = event("edit", "a.py b.py")
TURNS = [event("write", "a.py"), event("revert", "a.py")]
GROWING = [event(f"edit {n}", " ".join(f"f{k}.py" for k in range(n))) for n in range(1, 7)]
APART = [event(f"open {n}", f"f{n}.py g{n}.py", success=True) for n in range(8)]
FAILING = [step for n in range(6) for step in (event(f"fix {n}"), dispatched())]


@pytest.mark.parametrize(
    ("name", "events", "steps"),
    [
        ("repetition_loop", [SAME] * 2, None),
        ("repetition_loop", [SAME] * 3, (1, 2, 3)),
        ("repetition_loop", [event("plan"), *[SAME] * 4], (2, 3, 4, 5)),
        ("ping_pong", (TURNS * 2)[:3], None),
        ("ping_pong", TURNS * 2, (1, 2, 3, 4)),
        ("ping_pong", [event("plan"), *(TURNS * 3)[:5]], (2, 3, 4, 5, 6)),
        ("expansion_drift", GROWING[:2], None),
        ("expansion_drift", GROWING[:3], (1, 2, 3)),
        ("expansion_drift", GROWING[:4], (1, 2, 3, 4)),
        ("stuck_on_test", FAILING[:4], None),
        ("stuck_on_test", FAILING[:6], (2, 4, 6)),
        ("stuck_on_test", FAILING[:8], (2, 4, 6, 8)),
        ("context_thrash", APART[:4], None),
        ("context_thrash", APART[:5], (1, 2, 3, 4, 5)),
        ("context_thrash", APART[:6], (1, 2, 3, 4, 5, 6)),
    ],
)
def test_a_pattern_is_found_from_its_threshold_on(
    name: PatternName, events: list[TrajectoryEvent], steps: tuple[int, ...] | None
) -> None:
    """One event below the threshold there is nothing; at and above it all events of the pattern are named, and no other pattern."""
    assert shown(events) == ({} if steps is None else {name: steps})


@pytest.mark.parametrize(
    ("name", "severity"),
    [("stuck_on_test", 5), ("expansion_drift", 4), ("context_thrash", 3), ("ping_pong", 2), ("repetition_loop", 1)],
)
def test_each_pattern_has_its_severity(name: PatternName, severity: int) -> None:
    assert (pattern_of(name, [1]).severity, pattern_of(name, [1]).taxonomy) == (severity, TAXONOMY[name])


@pytest.mark.parametrize(
    "events",
    [
        [SAME, SAME, event("edit", "a.py"), SAME],  # other files
        [SAME, SAME, event("edit", "a.py b.py", role="reviewer")],  # another role
        [*TURNS, TURNS[0], event("revert", "b.py")],  # the fourth does not come back
        [GROWING[0], GROWING[1], event("edit", "f0.py f1.py")],  # does not grow
        [GROWING[0], GROWING[1], event("edit", "x.py y.py z.py")],  # larger, but not the same set grown
        [*GROWING[:2], GROWING[2].model_copy(update={"success": True})],  # one succeeds
        [
            dispatched(),
            dispatched(True),
            event("fix"),
            dispatched(),
            event("fix again"),
            dispatched(),
        ],  # a pass between the failures
        [
            dispatched(),
            event("fix"),
            dispatched(None),
            event("fix again"),
            dispatched(),
        ],  # an unknown outcome is no failure
        [*APART[:4], event("open", "f0.py h.py")],  # shares a file with the first
        [*APART[:4], event("think")],  # names no file
    ],
)
def test_what_only_looks_like_a_pattern_is_none(events: list[TrajectoryEvent]) -> None:
    assert shown(events) == {}


def test_the_order_of_files_makes_no_other_act() -> None:
    assert shown([SAME, event("edit", "b.py a.py"), SAME]) == {"repetition_loop": (1, 2, 3)}


def test_two_loops_are_two_patterns() -> None:
    found = find_patterns([*[SAME] * 3, event("plan"), *[SAME] * 3])
    assert [pattern.steps for pattern in found] == [(1, 2, 3), (5, 6, 7)]


def test_patterns_come_with_the_most_severe_first() -> None:
    names = [
        pattern.name for pattern in find_patterns([*[SAME] * 3, *TURNS * 2, *APART[:5], *GROWING[:3], *FAILING[:6]])
    ]
    assert names == sorted(SEVERITY, key=lambda name: -SEVERITY[name])


def test_only_the_last_fifty_events_are_kept() -> None:
    """The oldest event leaves first: a loop at the start is forgotten one event at a time, a run as a whole remembers it."""
    for later, found in ((47, True), (48, False)):
        events = [*[SAME] * 3, *[event(f"act {n}") for n in range(later)]]
        assert bool(find_patterns(events)) is found
        assert [pattern.steps for pattern in run_patterns(events)] == [(1, 2, 3)]


def test_a_pattern_is_no_wider_than_the_window() -> None:
    """Three failing tests count only where the first and the last of them are among fifty events."""
    for between, found in ((47, True), (48, False)):
        quiet = [event(f"act {n}") for n in range(between)]
        assert bool(run_patterns([dispatched(), *quiet, dispatched(), dispatched()])) is found


def test_thresholds_can_be_set_and_have_bounds() -> None:
    assert shown([SAME] * 3, Thresholds(repetition_loop=4)) == {}
    assert shown([SAME] * 4, Thresholds(repetition_loop=4, window=3)) == {}
    with pytest.raises(ValidationError):
        Thresholds(repetition_loop=1)


def test_events_name_their_own_steps() -> None:
    """Several calls of one step are several events, and the step is named once."""
    calls = [SAME.model_copy(update={"step": step}) for step in (4, 4, 5)]
    assert shown(calls) == {"repetition_loop": (4, 5)}


# --- properties

EVENTS = st.lists(
    st.builds(
        TrajectoryEvent,
        role=st.sampled_from(["coder", "test_engineer", "", "\ud83d"]),
        action=st.sampled_from(["edit", "run_tests", ""]),
        target_files=st.lists(st.sampled_from(["a", "b", "c", "", "digest:1"]), max_size=3).map(tuple),
        success=st.sampled_from([None, True, False]),
    ),
    max_size=30,
)
THRESHOLDS = st.builds(
    Thresholds,
    repetition_loop=st.integers(2, 4),
    ping_pong=st.integers(3, 5),
    stuck_on_test=st.integers(2, 4),
    context_thrash=st.integers(2, 4),
    expansion_drift=st.integers(2, 4),
    window=st.integers(1, 12),
)


def covered(patterns: Sequence[Pattern]) -> set[tuple[str, int]]:
    return {(pattern.name, step) for pattern in patterns for step in pattern.steps}


@given(EVENTS, THRESHOLDS)
def test_a_whole_run_shows_what_was_seen_on_the_way(events: list[TrajectoryEvent], thresholds: Thresholds) -> None:
    """A run's patterns are all that a detector finds in the last events after each event."""
    on_the_way: set[tuple[str, int]] = set()
    for end in range(1, len(events) + 1):
        on_the_way |= covered(find_patterns(events[:end], thresholds))
    assert covered(run_patterns(events, thresholds)) == on_the_way


@given(EVENTS, EVENTS, THRESHOLDS)
def test_what_comes_later_takes_no_pattern_away(
    events: list[TrajectoryEvent], later: list[TrajectoryEvent], thresholds: Thresholds
) -> None:
    assert covered(run_patterns(events, thresholds)) <= covered(run_patterns([*events, *later], thresholds))


@given(EVENTS)
def test_a_higher_threshold_finds_no_more(events: list[TrajectoryEvent]) -> None:
    low, high = (
        Thresholds(),
        Thresholds(repetition_loop=4, ping_pong=5, stuck_on_test=4, context_thrash=6, expansion_drift=4),
    )
    assert covered(run_patterns(events, high)) <= covered(run_patterns(events, low))


@given(EVENTS)
def test_steps_are_in_order_and_within_the_run(events: list[TrajectoryEvent]) -> None:
    for pattern in find_patterns(events):
        assert list(pattern.steps) == sorted(set(pattern.steps))
        assert 1 <= pattern.steps[0] <= pattern.steps[-1] <= len(events)
        assert len(pattern.steps) >= getattr(Thresholds(), pattern.name)
