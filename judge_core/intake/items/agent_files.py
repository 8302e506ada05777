"""Files of agent runs: JSON or JSON lines, as message lists, as goal with steps, or in the plain form of the template.

Each step becomes one readable text. The system message is the policy; where no goal is given, the first message of the
user is. The patterns of the rules are found here; whether a run succeeded by an outside check, and of which task it is a
trial, is kept and never shown to a judge.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace

from judge_core.intake.artifacts import even_lines, too_long, unbroken, without_controls
from judge_core.intake.formats.tables import heading_key
from judge_core.intake.items.agent_messages import Entry, one_line, read_entry, spelled, truth
from judge_core.intake.items.agent_steps import AgentStep, events_of, steps_of
from judge_core.intake.items.item_parts import Found, find, settle_items
from judge_core.intake.items.item_rows import Row, kind_of, read_rows
from judge_core.intake.items.json_values import decoded
from judge_core.intake.naming import base_name, brief, title_of
from judge_core.intake.options import ReadOptions
from judge_core.records.artifact import FileProblem
from judge_core.records.errors import InputError
from judge_core.records.item import ItemReading, PartRole, ReadItem, ReadPart
from judge_core.records.record import Notice
from judge_core.scoring.signals import scan_text
from judge_core.scoring.trajectory.bounds import check_trajectory
from judge_core.scoring.trajectory.corrections import pattern_notice
from judge_core.scoring.trajectory.patterns import run_patterns

STEPS = ("steps", "messages", "trajectory", "traj", "conversation")
GOAL = ("goal", "instruction")
POLICY = ("policy",)
ID = ("id", "trajectory id", "run id")
TITLE = ("title",)
AUTHOR = ("model", "author")
TASK = ("task", "task id")
SUCCESS = ("success",)
REWARD = ("reward",)
_KNOWN = frozenset((*STEPS, *GOAL, *POLICY, *ID, *TITLE, *AUTHOR, *TASK, *SUCCESS))
"""The names under which a field is taken, the best first; case, spaces, _ and - do not matter."""
_SYSTEM = ("system", "developer")
_USER = ("user", "human")
_LONGEST_COLUMN = 10_000

AGENT_FORMAT = """\
A file of agent runs is JSON (a list of runs) or JSON lines (one run a line). A run is an object with:
- steps (or messages): a list of entries, each with role and content. Roles: user, assistant, tool, system, or the names of \
your own sub-agents. An entry of an agent may have tool_calls: a list of {"name", "arguments", "result"}; OpenAI-style messages \
with "function" and "tool_call_id" are read as they are. An entry may also have action, files (a list), success (true or \
false) and duration_s.
- goal: what the agent was to do. Left out, it is the first message of the user.
- policy: the rules that it had to keep. Left out, it is the system message.
- id, model, task (the same for all trials of one task) and success (true or false, by a check of your own): all may be left \
out. Judges never see them.
Judges label each act of an agent: its words and calls together with what was said to it before and what the tools gave back."""


def read_agent_files(
    files: Sequence[tuple[str, bytes]],
    options: ReadOptions = ReadOptions(),  # noqa: B008
) -> ItemReading:
    """The runs of some files (name, content) in order, and problems by file, line and field. A bad run loses no good one."""
    items: list[tuple[str, ReadItem]] = []
    problems: list[FileProblem] = []
    for name, data in files:
        label = base_name(name)
        rows = read_rows(name, data, options)
        problems += rows.problems
        runs = _whole_runs(rows.rows)
        for number, row in enumerate(runs, start=1):
            try:
                fallback = title_of(label) if len(runs) == 1 else f"{title_of(label)} {number}"
                items.append((label, _run(row, fallback, options)))
            except InputError as error:
                problems.append(FileProblem(file=label, message=f"{row.place}: {error}", lost=True))
    return settle_items(items, problems, options.max_texts)


def agent_template() -> bytes:
    """A file in the plain form, to be filled in: one invented run."""
    calls = [{"name": "find_room", "arguments": {"day": "Friday", "seats": 6}, "result": '{"room": "B2"}'}]
    run = {
        "id": "run-1",
        "task": "book-a-room",
        "goal": "Book a room for six people on Friday.",
        "policy": "Ask before you book.",
        "steps": [
            {"role": "assistant", "content": "I look for a room.", "tool_calls": calls},
            {"role": "assistant", "content": "Room B2 is free. Shall I book it?"},
            {"role": "user", "content": "Yes, please."},
            {
                "role": "assistant",
                "content": "",
                "tool_calls": [{"name": "book", "arguments": {"room": "B2"}, "result": "booked"}],
            },
        ],
        "success": True,
        "model": "name-of-the-model",
    }
    return (json.dumps([run], indent=2, ensure_ascii=False) + "\n").encode()


def _whole_runs(rows: Sequence[Row]) -> Sequence[Row]:
    """The rows, each a run; where the rows are the messages of one run, that run."""
    if not rows or any("role" not in row.value or find(row.value, STEPS) for row in rows):
        return rows
    return (rows[0].model_copy(update={"value": {"messages": [row.value for row in rows]}}),)


def _run(row: Row, fallback: str, options: ReadOptions) -> ReadItem:
    fields = row.value
    entries = [read_entry(value, number) for number, value in enumerate(_listed(fields), start=1)]
    policy, entries = _policy(_text(fields, POLICY), entries)
    goal, entries = _goal(_text(fields, GOAL), entries)
    steps = steps_of(entries)
    parts, notices = _parts(goal, policy, steps, options)
    patterns = run_patterns(events_of(steps))
    id = one_line(_text(fields, ID)) or fallback
    item = ReadItem(
        id=id,
        title=one_line(_text(fields, TITLE)) or id,
        parts=parts,
        author=one_line(_text(fields, AUTHOR)),
        columns={name: _cell(value) for name, value in fields.items() if _is_column(name) and value is not None},
        warnings=(*row.notices, *notices, *map(pattern_notice, patterns)),
        patterns=patterns,
        success=_success(fields),
        trial=one_line(_text(fields, TASK)),
    )
    check_trajectory(item)
    return item


def _is_column(name: str) -> bool:
    return heading_key(name) not in _KNOWN


def _first(fields: Mapping[str, object], names: Sequence[str]) -> Found | None:
    """The first field of such a name that has a value."""
    return next((found for found in find(fields, names) if found.value != ""), None)


def _listed(fields: Mapping[str, object]) -> list[object]:
    found = _first(fields, STEPS)
    if found is None:
        raise InputError("the run has no 'steps' (or 'messages'). Give a list of entries with 'role' and 'content'.")
    value = decoded(found.value).value if isinstance(found.value, str) else found.value  # a text: a cell of a table
    if not isinstance(value, list):
        said = f"the field {brief(found.name)} is {kind_of(found.value)}"
        raise InputError(f"{said}. Give a list of entries with 'role' and 'content'.")
    return value


def _text(fields: Mapping[str, object], names: Sequence[str]) -> str:
    found = _first(fields, names)
    if found is None:
        return ""
    if isinstance(found.value, bool) or not isinstance(found.value, str | int | float):
        raise InputError(f"the field {brief(found.name)} is {kind_of(found.value)}. Write a text.")
    return str(found.value)


def _success(fields: Mapping[str, object]) -> bool | None:
    """The outcome by an outside check; a reward of 1 or 0 tells it too, any other reward does not."""
    found, reward = _first(fields, SUCCESS), _first(fields, REWARD)
    if found is None:
        return bool(reward.value) if reward and reward.value in (0, 1) else None
    return truth(found.value, f"the field {brief(found.name)}")


def _policy(given: str, entries: list[Entry]) -> tuple[str, list[Entry]]:
    """The policy: what was given, then the system messages before anyone else speaks. Later ones stay where they are."""
    count = next((at for at, entry in enumerate(entries) if entry.role.lower() not in _SYSTEM), len(entries))
    texts = [given, *(entry.words for entry in entries[:count])]
    return "\n\n".join(dict.fromkeys(text for text in texts if text.strip())), entries[count:]


def _goal(given: str, entries: list[Entry]) -> tuple[str, list[Entry]]:
    """The goal: what was given, or the first words of the user, which then are not shown a second time."""
    if given.strip():
        return given, entries
    for at, entry in enumerate(entries):
        if entry.role.lower() in _USER and entry.words.strip():
            rest = [replace(entry, words="")] if entry.results else []
            return entry.words, [*entries[:at], *rest, *entries[at + 1 :]]
    raise InputError("the run has no 'goal', and no message of a user that tells it. Add the field 'goal'.")


def _parts(
    goal: str, policy: str, steps: Sequence[AgentStep], options: ReadOptions
) -> tuple[tuple[ReadPart, ...], list[Notice]]:
    """The parts as a judge is shown them, and what was found in each, by its name in a prompt."""
    read = [_part("goal", goal, options), *([_part("policy", policy, options)] if policy else [])]
    read += [_part("step", step.text, options, step.calls) for step in steps]
    material = [goal, *([policy] if policy else []), *(step.material for step in steps)]
    notices: list[Notice] = []
    for label, (_, removed), words in zip(_labels(len(steps), bool(policy)), read, material, strict=True):
        found = (*removed, *scan_text(words))
        notices += [Notice(code=notice.code, message=f"{label}: {notice.message}") for notice in found]
    return tuple(part for part, _ in read), notices


def _labels(steps: int, policy: bool) -> list[str]:
    return ["GOAL", *(["POLICY"] if policy else []), *(f"STEP {number}" for number in range(1, steps + 1))]


def _part(role: PartRole, text: str, options: ReadOptions, call: bool = False) -> tuple[ReadPart, tuple[Notice, ...]]:
    """A part as a judge is shown it, and what was removed from it."""
    clean, removed = without_controls(even_lines(unbroken(text)))
    if fault := too_long(role, clean, options):
        raise InputError(fault)
    return ReadPart(role=role, text=clean, call=call), removed


def _cell(value: object) -> str:
    text = value if isinstance(value, str) else spelled(value)
    return text if len(text) <= _LONGEST_COLUMN else f"({len(text):,} characters, left out)"
