"""What is made of patterns: one list of those that rules and judges found, and a word of correction for the agent."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from judge_core.records.item import Pattern, PatternName
from judge_core.records.record import Notice, Record
from judge_core.scoring.trajectory.patterns import DEFAULTS, Taxonomy

_TEXTS: dict[PatternName, str] = {
    "repetition_loop": (
        "You have done the same thing several times with the same result. Do not do it again: say what it showed, "
        "and take another way."
    ),
    "ping_pong": (
        "Two actions have been taking turns, and each undoes or merely repeats the other. Stop, settle first what both "
        "sides must agree on, and then act once."
    ),
    "expansion_drift": (
        "With every step more files are touched, and none of the steps has succeeded. Go back to the smallest change "
        "that the task asks for, and finish it before you open another file."
    ),
    "stuck_on_test": (
        "The tests have failed several times in a row. Do not run them again yet: read the first failure in full, name "
        "its cause, and change only what that cause asks for."
    ),
    "context_thrash": (
        "You have jumped between files that have nothing to do with each other. Write down which files the task is about, "
        "and stay with those."
    ),
}


_PLAIN: dict[PatternName, str] = {
    "repetition_loop": "a repetition loop",
    "ping_pong": "a ping pong",
    "expansion_drift": "an expansion drift",
    "stuck_on_test": "being stuck on a test",
    "context_thrash": "a context thrash",
}


class CourseCorrection(Record):
    """A word to the agent about one pattern. The wording is fixed: nothing of the trajectory stands in it."""

    key: str
    """'taxonomy:pattern': a trajectory gets at most one correction of each."""
    name: PatternName
    taxonomy: Taxonomy
    steps: tuple[int, ...]
    text: str


MOST_NAMED = 6
"""Step numbers that a message names at most."""


def pattern_notice(pattern: Pattern, seen_by: str = "") -> Notice:
    """The warning that stands beside a run with this pattern; `seen_by` is wording of ours such as ' to the judge'.

    >>> found = Pattern(name="ping_pong", steps=(3, 4, 5, 6), severity=2, taxonomy="coordination_error")
    >>> pattern_notice(found).message
    'Steps 3, 4, 5, 6 look like a ping pong.'
    """
    named = ", ".join(map(str, pattern.steps[:MOST_NAMED])) + (", ..." if len(pattern.steps) > MOST_NAMED else "")
    steps = f"Step {named} looks" if len(pattern.steps) == 1 else f"Steps {named} look"
    return Notice(code="pattern", message=f"{steps}{seen_by} like {_PLAIN[pattern.name]}.")


def key_of(pattern: Pattern) -> str:
    """What a pattern is corrected and merged under: 'taxonomy:pattern'."""
    return f"{pattern.taxonomy}:{pattern.name}"


def corrections(patterns: Sequence[Pattern], given: Collection[str] = ()) -> tuple[CourseCorrection, ...]:
    """One correction for each 'taxonomy:pattern', in the order of the patterns; those of `given` (keys) were given before."""
    first: dict[str, Pattern] = {}
    for pattern in patterns:
        first.setdefault(key_of(pattern), pattern)
    return tuple(
        CourseCorrection(
            key=key, name=pattern.name, taxonomy=pattern.taxonomy, steps=pattern.steps, text=_TEXTS[pattern.name]
        )
        for key, pattern in first.items()
        if key not in given
    )


def merge_patterns(
    rules: Sequence[Pattern], judged: Sequence[Pattern], ml_threshold: float = DEFAULTS.ml_threshold
) -> tuple[Pattern, ...]:
    """The patterns of the rules as they are, then those that a judge alone named and was sure enough of, the surest of each."""
    taken = {key_of(pattern) for pattern in rules}
    more: list[Pattern] = []
    for pattern in sorted(judged, key=lambda pattern: -pattern.confidence):
        if pattern.confidence >= ml_threshold and key_of(pattern) not in taken:
            taken.add(key_of(pattern))
            more.append(pattern)
    return (*rules, *sorted(more, key=lambda pattern: (-pattern.severity, pattern.steps)))
