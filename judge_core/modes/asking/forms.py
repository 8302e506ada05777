"""The form of a question to a judge: its task, what it shows under which names, and the answer that it asks for.

Each mode has one `Form`; `modes/asking/prompts.py` fills it in. A form's version is part of the cache key: it rises with every
change of its wording, since replies to another wording are other replies.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, get_args

from judge_core.modes.replies.rows import scale_of
from judge_core.records.criteria import Criterion, Rubric
from judge_core.records.item import PartRole
from judge_core.records.prompt import OF_PAIRS, Ask, AskMode
from judge_core.records.verdict import Degree

Schema = dict[str, Any]

TIES = "Texts may be equally good: equal scores and a tie are allowed."
SCALE = "Use the whole scale. Fractions are allowed."
QUOTES = '"quotes":[{"text":"<a short telling passage, word for word>"}]'
"""The part of an answer about one text in which the judge quotes it."""
TEXT: Schema = {"type": "string"}
_LABELS: dict[PartRole, str] = {
    "text": "TEXT", "reference": "REFERENCE ANSWER", "candidate": "CANDIDATE", "question": "QUESTION", "answer": "ANSWER",
    "passage": "PASSAGE", "claim": "CLAIM", "goal": "GOAL", "policy": "POLICY", "step": "STEP", "version": "VERSION",
    "critique": "CRITIQUE", "note": "NOTE",
}  # fmt: skip
_NUMBERED: tuple[PartRole, ...] = ("candidate", "passage", "claim", "step", "version", "note")


@dataclass(frozen=True)
class Form:
    """How one mode asks. The functions are pure and see no text of an artifact."""

    mode: AskMode
    version: str
    task: str
    """The first sentence of the system message: who the judge is and what it does."""
    skeleton: Callable[[Ask, Rubric], str]
    """The form of the answer as the prompt shows it, names and numbers filled in; of prose, what it is to be like."""
    schema: Callable[[Ask, Rubric], Schema] | None
    """The same as a JSON schema, every object closed; None: the answer is prose."""
    rules: tuple[str, ...] = ()
    """Rules of this mode, after those that all share."""
    guide: str = ""
    """What the labels of the answer mean; stands before the texts."""
    roles: tuple[PartRole, ...] = ()
    """What the texts are where the ask does not say; () where it must."""
    labels: Callable[[Ask], tuple[str, ...]] | None = None
    """The names over the texts, where they are not those of the roles."""
    criteria: bool = True
    """Whether the criteria of the rubric are shown."""
    merit: bool = True
    """Whether it is asked to judge, by merit alone."""
    purpose: str = "Question that the texts answer:"
    """What stands over the question of the rubric."""
    again: str = "with every criterion once, plain numbers as scores and one short sentence as each reasoning"
    """What a repair reminds of; of prose, the whole request."""


def roles_of(ask: Ask, form: Form) -> tuple[PartRole, ...]:
    """What each text of an ask is."""
    return ask.roles or form.roles


def labels_of(ask: Ask, form: Form) -> tuple[str, ...]:
    """The neutral names over the texts, then over the claims of an earlier step: no id or file name among them."""
    if form.labels is not None:
        return form.labels(ask)
    found: list[PartRole] = ["claim" for _ in ask.claims]
    return role_labels([*roles_of(ask, form), *found])


def role_labels(roles: Sequence[PartRole]) -> tuple[str, ...]:
    """Names by role; those that can be many are numbered.

    >>> role_labels(("question", "passage", "passage"))
    ('QUESTION', 'PASSAGE 1', 'PASSAGE 2')
    """
    seen: Counter[PartRole] = Counter()
    labels = []
    for role in roles:
        seen[role] += 1
        labels.append(f"{_LABELS[role]} {seen[role]}" if role in _NUMBERED else _LABELS[role])
    return tuple(labels)


def count_of(ask: Ask, role: PartRole) -> int:
    """How many pieces of a role an ask shows, claims of an earlier step included."""
    return ask.roles.count(role) + (len(ask.claims) if role == "claim" else 0)


def closed(properties: Schema) -> Schema:
    """An object with just these fields, all of them required."""
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def rows_schema(criteria: Sequence[Criterion], scores: Sequence[str]) -> Schema:
    """A row for each criterion, each with these scores and a reason."""
    row = {
        "name": {"type": "string", "enum": [criterion.name for criterion in criteria]},
        **{field: {"type": "number"} for field in scores},
        "reasoning": TEXT,
    }
    return {"type": "array", "items": closed(row), "minItems": len(criteria), "maxItems": len(criteria)}


def skeleton_rows(criteria: Sequence[Criterion], scores: Sequence[str]) -> str:
    """The rows of the criteria as the prompt shows them."""
    return ",".join(_skeleton_row(criterion, scores) for criterion in criteria)


def _skeleton_row(criterion: Criterion, scores: Sequence[str]) -> str:
    name = json.dumps(criterion.name, ensure_ascii=False)
    wanted = ",".join(f'"{field}":<number {scale_of(criterion)}>' for field in scores)
    return f'{{"name":{name},{wanted},"reasoning":"<one sentence>"}}'


_PAIR = ("score_a", "score_b")


def _pair_skeleton(ask: Ask, rubric: Rubric) -> str:
    degree = '"degree":"<slightly or clearly>",' if ask.mode == "pairwise_levels" else ""
    return (
        f'{{"criteria":[{skeleton_rows(rubric.criteria, _PAIR)}],'
        '"quotes":[{"side":"<A or B>","text":"<a short telling passage, word for word>"}],'
        f'"winner":"<A, B or tie>",{degree}"reasoning":"<two sentences>"}}'
    )


def _point_skeleton(_ask: Ask, rubric: Rubric) -> str:
    rows = skeleton_rows(rubric.criteria, ("score",))
    return f'{{"criteria":[{rows}],{QUOTES},"reasoning":"<two sentences>"}}'


def _gate_skeleton(_ask: Ask, rubric: Rubric) -> str:
    rows = skeleton_rows(rubric.criteria, ("score",))
    return f'{{"criteria":[{rows}],{QUOTES},"verdict":"<pass or fail>","reasoning":"<two sentences>"}}'


@lru_cache(maxsize=64)
def _schema(mode: AskMode, criteria: tuple[Criterion, ...]) -> Schema:
    rows = rows_schema(criteria, _PAIR if mode in OF_PAIRS else ("score",))
    if mode in OF_PAIRS:
        sided = closed({"side": {"type": "string", "enum": ["A", "B"]}, "text": TEXT})
        winner = {"winner": {"type": "string", "enum": ["A", "B", "tie"]}}
        degree = {"degree": {"type": "string", "enum": list(get_args(Degree))}} if mode == "pairwise_levels" else {}
        return closed(
            {"criteria": rows, "quotes": {"type": "array", "items": sided}, **winner, **degree, "reasoning": TEXT}
        )
    quotes = {"type": "array", "items": closed({"text": TEXT})}
    verdict = {"verdict": {"type": "string", "enum": ["pass", "fail"]}} if mode == "gate" else {}
    return closed({"criteria": rows, "quotes": quotes, **verdict, "reasoning": TEXT})


def _criteria_schema(ask: Ask, rubric: Rubric) -> Schema:
    return _schema(ask.mode, rubric.criteria)


_QUESTION = "Where a QUESTION is shown, the ANSWER is what you score, as an answer to it."
_REFERENCE = "Where a REFERENCE ANSWER is shown, it is an answer known to be good: measure the text against it, and do not score it."

PAIRWISE = Form(
    mode="pairwise",
    version="1",
    task="You are an impartial examiner. You compare two texts, A and B, and score both on every criterion.",
    rules=(SCALE, TIES),
    labels=lambda _ask: ("TEXT A", "TEXT B"),
    roles=("text", "text"),
    skeleton=_pair_skeleton,
    schema=_criteria_schema,
)
PAIRWISE_LEVELS = Form(
    mode="pairwise_levels",
    version="1",
    task="You are an impartial examiner. You compare two texts, A and B, score both on every criterion and say how far "
    "the better one is ahead.",
    rules=(
        SCALE,
        TIES,
        "The degree says how far the winner is ahead: slightly or clearly. With a tie it does not count.",
    ),
    labels=lambda _ask: ("TEXT A", "TEXT B"),
    roles=("text", "text"),
    skeleton=_pair_skeleton,
    schema=_criteria_schema,
)
POINTWISE = Form(
    mode="pointwise",
    version="2",
    task="You are an impartial examiner. You score one text on every criterion.",
    rules=(SCALE, _REFERENCE, _QUESTION),
    roles=("text",),
    skeleton=_point_skeleton,
    schema=_criteria_schema,
)
GATE = Form(
    mode="gate",
    version="1",
    task="You are an impartial examiner. You score one text on every criterion and say whether it may pass.",
    rules=(
        SCALE,
        _REFERENCE,
        "The verdict is pass or fail, without a condition: a text that would pass only after a change fails.",
    ),
    roles=("text",),
    skeleton=_gate_skeleton,
    schema=_criteria_schema,
)
