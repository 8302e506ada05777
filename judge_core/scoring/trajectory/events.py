"""What an agent did, as events that the rules for patterns look at, and how a run of tool calls becomes such events.

The rule for a run without roles and files of its own:
- role: the speaker's ('assistant', or the sub-agent's name).
- action: the tool's name, 'message' for a step that calls nothing; a shell call that runs tests is 'NAME: tests'.
- target files: the arguments whose name speaks of a file or path, and one digest of all other arguments, so that equal
  calls and only they count as equal. A message has the digest of its words. Digests are no files: rules about files pass
  them by.
- success: False where the result begins like an error, holds an error field or a failing exit code, or is a test run's
  with failures; None where there is no result; else True.
What users and tools say is no event: it is the agent that is looked at.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import Field, JsonValue

from judge_core.records.record import Record, digest

MESSAGE = "message"
DIGEST = "digest:"
"""How a target begins that is no file but stands for the arguments of a call."""
LONGEST_RESULT = 200_000
"""Longer results are not looked into for error fields."""

_TEST_WORDS = frozenset(
    ("test", "tests", "testing", "tester", "pytest", "unittest", "unittests", "jest", "vitest", "mocha", "rspec", "tox", "nox",
     "ctest", "phpunit")
)  # fmt: skip
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_FILE_WORDS = frozenset(
    ("file", "files", "filename", "filenames", "filepath", "filepaths", "path", "paths", "directory", "folder")
)  # fmt: skip
_COMMANDS = ("command", "cmd", "script", "code", "input")
_RUNS_TESTS = re.compile(
    r"(?:^|[;&|(\n])\s*(?:\w+=\S*\s+){0,9}(?:\S{0,99}/)?(?:python[\d.]*\s+-m\s+|npx\s+|uv\s+run\s+|poetry\s+run\s+|bundle\s+exec\s+)?"
    r"(?:pytest|py\.test|unittest|tox|nox|jest|vitest|mocha|rspec|ctest|phpunit"
    r"|(?:npm|yarn|pnpm|bun|go|cargo|make|mvn|gradle|\S{0,99}gradlew|dotnet|swift|mix)\s+(?:run\s+)?(?:test|tests|check))\b"
)
_ERROR = re.compile(r"[^\w{]{0,20}(?:error|exception|traceback|fatal|failed|failure)\b", re.IGNORECASE)
_TEST_FAILED = re.compile(
    r"\b[1-9]\d{0,8} (?:failed|failing|failures?|errors?)\b|\bFAILED\b|\bFAIL\b|\bAssertionError\b"
)
_EXIT_CODES = ("exit_code", "exitcode", "returncode", "return_code", "exit_status")


class TrajectoryEvent(Record):
    """One act of an agent or sub-agent."""

    role: str
    action: str
    target_files: tuple[str, ...] = ()
    """The files that it is about; entries that begin with `DIGEST` stand for other arguments."""
    success: bool | None = None
    """None where nobody knows."""
    duration_s: float | None = Field(default=None, ge=0)
    timestamp: str | None = None
    step: int | None = Field(default=None, ge=1)
    """The step that it belongs to, from 1; where it is None, the event's own place counts."""

    @property
    def identity(self) -> tuple[str, str, frozenset[str]]:
        """What makes two events the same act: role, action and targets in any order."""
        return self.role, self.action, frozenset(self.target_files)

    @property
    def files(self) -> frozenset[str]:
        """The targets that are files."""
        return frozenset(target for target in self.target_files if not target.startswith(DIGEST))

    @property
    def is_test(self) -> bool:
        """Whether it looks like a test run: role or action has a word such as test, pytest, jest.

        >>> TrajectoryEvent(role="test_engineer", action="dispatch").is_test
        True
        >>> [TrajectoryEvent(role="coder", action=action).is_test for action in ("runTests", "latest_news")]
        [True, False]
        """
        return any(word.lower() in _TEST_WORDS for name in (self.role, self.action) for word in _WORDS.findall(name))


class ToolCall(Record):
    """One call of a tool, with what it brought."""

    name: str
    arguments: JsonValue = None
    """Decoded where they were JSON."""
    result: str | None = None
    """None where no result is recorded."""


def call_event(role: str, call: ToolCall, step: int | None = None) -> TrajectoryEvent:
    """The event of a tool call.

    >>> event = call_event("assistant", ToolCall(name="bash", arguments={"command": "pytest -q"}, result="2 failed, 3 passed"))
    >>> event.action, event.success, event.files
    ('bash: tests', False, frozenset())
    """
    action = f"{call.name}: tests" if _is_test_command(call.arguments) else call.name
    event = TrajectoryEvent(role=role, action=action, target_files=targets_of(call.arguments), step=step)
    return event.model_copy(update={"success": outcome_of(call.result, event.is_test)})


def message_event(role: str, words: str, step: int | None = None) -> TrajectoryEvent:
    """The event of a step that only says something."""
    return TrajectoryEvent(role=role, action=MESSAGE, target_files=(DIGEST + digest(words)[:16],), step=step)


def targets_of(arguments: JsonValue) -> tuple[str, ...]:
    """The files among the arguments of a call in their order, then the digest of all other arguments, if there are any.

    >>> targets_of({"path": "src/a.py"}), len(targets_of({"path": "src/a.py", "line": 3})), targets_of({})
    (('src/a.py',), 2, ())
    """
    if not isinstance(arguments, Mapping):
        return () if arguments in (None, "", []) else (_digest(arguments),)
    files: list[str] = []
    others: dict[str, Any] = {}
    for name, value in arguments.items():
        found = tuple(_files(value)) if _FILE_WORDS & {word.lower() for word in _WORDS.findall(name)} else ()
        if found:
            files += found
        else:
            others[name] = value
    return tuple(dict.fromkeys(files)) + ((_digest(others),) if others else ())


def outcome_of(result: str | None, test: bool = False) -> bool | None:
    """Whether a result is one of success; None where it says nothing.

    >>> [outcome_of(result) for result in ("[]", "Error: no such flight", '{"exit_code": 1}', '{"error": null}', "", None)]
    [True, False, False, True, None, None]
    >>> outcome_of("1 failed, 2 passed", test=True), outcome_of("1 failed, 2 passed")
    (False, True)
    """
    if result is None or not result.strip():
        return None
    if _ERROR.match(result) or (test and _TEST_FAILED.search(result)):
        return False
    return not _has_failing_field(result)


def _has_failing_field(result: str) -> bool:
    """Whether the result is a JSON object that says of itself that it failed."""
    if len(result) > LONGEST_RESULT or not result.lstrip().startswith("{"):
        return False
    try:
        value = json.loads(result)
    except (ValueError, RecursionError):
        return False
    fields = {name.lower(): field for name, field in value.items()}
    failed = any(fields.get(name) is False for name in ("success", "ok"))
    codes = (fields.get(name) for name in _EXIT_CODES)
    return (
        failed
        or any(fields.get(name) for name in ("error", "errors"))
        or any(code not in (None, 0, "0") for code in codes)
    )


def _is_test_command(arguments: JsonValue) -> bool:
    if not isinstance(arguments, Mapping):
        return False
    commands = (arguments.get(name) for name in _COMMANDS)
    return any(isinstance(text, str) and _RUNS_TESTS.search(text) is not None for text in commands)


def _files(value: JsonValue) -> Iterator[str]:
    """The names in a text or a list of texts; nothing where there is anything else."""
    values = value if isinstance(value, list) else [value]
    if all(isinstance(item, str) and item.strip() for item in values):
        yield from (item for item in values if isinstance(item, str))


def _digest(value: Any) -> str:
    return DIGEST + digest(value)[:16]
