"""Events of agent runs, and what is made of the patterns in them: corrections, one merged list, warnings, bounds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_core.records.errors import InputError
from judge_core.records.item import Item, ItemPart, Pattern, PatternName
from judge_core.scoring.trajectory.bounds import MOST_STEPS, check_trajectory
from judge_core.scoring.trajectory.corrections import corrections, key_of, merge_patterns, pattern_notice
from judge_core.scoring.trajectory.events import ToolCall, call_event, message_event
from judge_core.scoring.trajectory.patterns import SEVERITY, Thresholds, find_patterns, pattern_of

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(st.text(), JSON, st.none() | st.text())
def test_any_call_becomes_an_event(name: str, arguments: object, result: str | None) -> None:
    call = ToolCall(name=name, arguments=arguments, result=result)
    assert call_event("assistant", call).identity == call_event("assistant", call).identity
    assert find_patterns([call_event("assistant", call)] * 3)[-1].name == "repetition_loop"


# --- how tool calls become events


def test_equal_calls_are_equal_whatever_the_order_of_their_arguments() -> None:
    one = call_event("assistant", ToolCall(name="find", arguments={"from": "JFK", "to": "SEA"}))
    two = call_event("assistant", ToolCall(name="find", arguments={"to": "SEA", "from": "JFK"}))
    other = call_event("assistant", ToolCall(name="find", arguments={"to": "SEA", "from": "EWR"}))
    assert one.identity == two.identity != other.identity


def test_another_part_of_the_same_file_is_another_act() -> None:
    calls = [ToolCall(name="read", arguments={"path": "a.py", "line": line}) for line in (1, 200, 400)]
    events = [call_event("assistant", call) for call in calls]
    assert [event.files for event in events] == [frozenset({"a.py"})] * 3
    assert find_patterns(events) == ()


def test_arguments_that_are_no_files_never_count_as_files() -> None:
    """A healthy run of different calls is no thrashing."""
    assert (
        find_patterns([call_event("assistant", ToolCall(name="find", arguments={"day": day})) for day in range(9)])
        == ()
    )


def test_the_same_words_again_and_again_are_a_loop() -> None:
    words = [message_event("assistant", "Please tell me your number.") for _ in range(3)]
    assert [(found.name, found.steps) for found in find_patterns(words)] == [("repetition_loop", (1, 2, 3))]
    assert find_patterns([message_event("assistant", text) for text in "abcdef"]) == ()


@pytest.mark.parametrize(
    ("command", "is_test"),
    [
        ("pytest -q", True), ("cd app && python -m pytest tests", True), ("npm run test", True), ("CI=1 cargo test", True),
        ("./gradlew test", True), ("cat tests/test_a.py", False), ("ls latest", False), ("echo pytest", False),
    ],
)  # fmt: skip
def test_a_shell_command_that_runs_tests_is_a_test_run(command: str, is_test: bool) -> None:
    assert call_event("assistant", ToolCall(name="bash", arguments={"command": command})).is_test is is_test


# --- corrections and merging


def judged(name: PatternName, confidence: float, steps: tuple[int, ...] = (1,)) -> Pattern:
    return pattern_of(name, steps).model_copy(update={"source": "judge", "confidence": confidence})


def test_a_trajectory_gets_one_correction_of_a_kind() -> None:
    found = corrections(
        [pattern_of("ping_pong", [1, 2]), pattern_of("ping_pong", [7, 8]), pattern_of("stuck_on_test", [9])]
    )
    assert [correction.key for correction in found] == ["coordination_error:ping_pong", "reasoning_error:stuck_on_test"]
    assert found[0].steps == (1, 2)
    assert corrections([pattern_of("ping_pong", [9])], given=[found[0].key]) == ()


def test_every_pattern_has_a_correction_of_its_own() -> None:
    found = corrections([pattern_of(name, [1]) for name in SEVERITY])
    assert len({correction.text for correction in found}) == len(SEVERITY) == 5


def test_rules_win_over_a_judge() -> None:
    """A pattern that a rule found stays as it is; of what a judge alone names, only what it is sure of counts."""
    rule = pattern_of("ping_pong", [1, 2, 3, 4])
    sure, unsure = judged("context_thrash", 0.7), judged("stuck_on_test", 0.69)
    merged = merge_patterns([rule], [judged("ping_pong", 1.0, (9,)), unsure, sure, judged("context_thrash", 0.9, (3,))])
    assert [(pattern.name, pattern.steps, pattern.source) for pattern in merged] == [
        ("ping_pong", (1, 2, 3, 4), "rules"),
        ("context_thrash", (3,), "judge"),
    ]
    assert merge_patterns([], [unsure], ml_threshold=0.5) == (unsure,)
    defaults = Thresholds()
    assert (defaults.ml_threshold, defaults.ml_min_events) == (0.7, 3)


def test_keys_tell_patterns_apart() -> None:
    assert len({key_of(pattern_of(name, [1])) for name in SEVERITY}) == 5


def test_a_warning_names_no_more_steps_than_anyone_reads() -> None:
    assert pattern_notice(pattern_of("repetition_loop", range(1, 40))).message == (
        "Steps 1, 2, 3, 4, 5, 6, ... look like a repetition loop."
    )


# --- bounds


def item(*roles: str) -> Item:
    parts = tuple(ItemPart(role=role, sha256="0", words=1, characters=1) for role in roles)
    return Item(alias="I-007", id="r", title="r", parts=parts)


def test_the_longest_run_is_judged_and_a_longer_one_is_refused_whole() -> None:
    check_trajectory(item("goal", "policy", *["step"] * MOST_STEPS))
    with pytest.raises(InputError, match="I-007 has 501 steps; at most 500"):
        check_trajectory(item("goal", *["step"] * (MOST_STEPS + 1)))


@pytest.mark.parametrize(
    ("roles", "told"),
    [(["step"], "0 goals"), (["goal"], "no step"), (["goal", "goal", "step"], "2 goals"), (["goal", "step", "passage"], "'passage'"),
     (["goal", "policy", "policy", "step"], "2 policies")],
)  # fmt: skip
def test_what_is_no_trajectory_is_refused_with_its_fault(roles: list[str], told: str) -> None:
    with pytest.raises(InputError, match=told):
        check_trajectory(item(*roles))
