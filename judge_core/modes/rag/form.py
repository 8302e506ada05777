"""The questions about a retrieval answer: its claims, what the passages say of them, what it has of a reference answer.

Whether the answer meets the question is a pointwise ask with the roles question and answer.
"""

from __future__ import annotations

import json

from judge_core.modes.asking.forms import TEXT, Form, Schema, closed, count_of
from judge_core.records.criteria import Criterion, Rubric
from judge_core.records.prompt import Ask

VERDICTS = ("supported", "contradicted", "not_found")
MOST_CLAIMS = 200
"""Of one answer. A reply with more is refused, never cut."""
RAG_CRITERIA = (
    Criterion(
        name="Answer relevance",
        description="How directly and how fully the ANSWER answers what the QUESTION asks. Only the ANSWER is scored. "
        "Whether it is true does not count here; what it leaves open, and what was not asked for, does.",
        scale_min=1,
        scale_max=5,
    ),
)
"""What an answer is scored on where nobody chose other criteria."""

_ONE_OF = "<supported, contradicted or not_found>"


def _claims_skeleton(_ask: Ask, _rubric: Rubric) -> str:
    return '{"claims":[{"id":"1","text":"<one claim>"},{"id":"2","text":"<the next claim>"}]}'


def _claims_schema(_ask: Ask, _rubric: Rubric) -> Schema:
    claims = {"type": "array", "items": closed({"id": TEXT, "text": TEXT}), "maxItems": MOST_CLAIMS}
    return closed({"claims": claims})


def _labels_skeleton(ask: Ask, _rubric: Rubric) -> str:
    cited = ',"passages":["<number of each passage that shows it>"]'
    passages = ",".join(f'{{"id":"{i}","relevant":<true or false>}}' for i in _numbers(count_of(ask, "passage")))
    return f'{{"claims":[{_verdict_rows(ask, cited)}],"passages":[{passages}]}}'


def _coverage_skeleton(ask: Ask, _rubric: Rubric) -> str:
    return f'{{"claims":[{_verdict_rows(ask, "")}]}}'


def _verdict_rows(ask: Ask, more: str) -> str:
    return ",".join(f'{{"id":"{i}","verdict":{json.dumps(_ONE_OF)}{more}}}' for i in _numbers(count_of(ask, "claim")))


def _labels_schema(ask: Ask, _rubric: Rubric) -> Schema:
    passages = count_of(ask, "passage")
    cited = {"type": "array", "items": _number(passages), "maxItems": passages}
    relevant = closed({"id": _number(passages), "relevant": {"type": "boolean"}})
    return closed({"claims": _verdicts(ask, {"passages": cited}), "passages": _exactly(passages, relevant)})


def _coverage_schema(ask: Ask, _rubric: Rubric) -> Schema:
    return closed({"claims": _verdicts(ask, {})})


def _verdicts(ask: Ask, more: Schema) -> Schema:
    claims = count_of(ask, "claim")
    row = {"id": _number(claims), "verdict": {"type": "string", "enum": list(VERDICTS)}, **more}
    return _exactly(claims, closed(row))


def _exactly(count: int, row: Schema) -> Schema:
    return {"type": "array", "items": row, "minItems": count, "maxItems": count}


def _number(count: int) -> Schema:
    """A number from 1 to `count`, as a text; an enumeration must not be empty."""
    return {"type": "string", "enum": _numbers(count)} if count else TEXT


def _numbers(count: int) -> list[str]:
    return [str(number) for number in range(1, count + 1)]


RAG_CLAIMS = Form(
    mode="rag_claims",
    version="1",
    task="You are a careful reader. You list the claims that an answer to a question makes.",
    rules=(
        "Whether a claim is true does not matter here, and you add nothing of your own.",
        f"At most {MOST_CLAIMS} claims.",
    ),
    guide=(
        "A claim is one statement that could be checked against a source and that can be understood by itself: one fact each, "
        "names in place of pronouns. List every claim that the answer makes, once, in its order, in words close to its own. Leave out "
        "the QUESTION, greetings, offers of help, and statements about the answer itself. An answer that makes no claim, such as a "
        'refusal, has an empty list: {"claims":[]}.'
    ),
    skeleton=_claims_skeleton,
    schema=_claims_schema,
    criteria=False,
    again="with every claim of the answer once, or an empty list where it makes none",
)
"""Roles: question, then answer or reference. The claims of a reference answer are asked for in the same way."""

RAG_LABELS = Form(
    mode="rag_labels",
    version="1",
    task="You are a careful examiner. You check the claims of an answer against passages, and say which passages are relevant.",
    rules=("Use nothing but the PASSAGES to check a claim: not what you know, and not the ANSWER itself.",),
    guide=(
        "Give each CLAIM one verdict:\n"
        "- supported: one PASSAGE, or several together, say all of it or imply it without doubt.\n"
        "- contradicted: a PASSAGE says what cannot be true together with it.\n"
        "- not_found: neither of the two. A claim that is supported only in part is not_found.\n"
        "Under its passages give the numbers of the PASSAGES that your verdict rests on; none for not_found.\n"
        "Then say of each PASSAGE whether it is relevant: true where it holds something that helps to answer the QUESTION, whether "
        "or not the ANSWER made use of it."
    ),
    skeleton=_labels_skeleton,
    schema=_labels_schema,
    criteria=False,
    again="with every claim and every passage once, under the numbers shown",
)
"""Roles: question, answer, passages, claims that the data gives; claims found in an earlier step follow in `Ask.claims`."""

RAG_COVERAGE = Form(
    mode="rag_coverage",
    version="1",
    task="You are a careful examiner. You check which claims of another, good answer an answer makes as well.",
    rules=("Use nothing but the ANSWER to check a claim: not what you know.",),
    guide=(
        "Each CLAIM is taken from another answer to the same QUESTION, which is known to be good and is not shown. Give each one verdict:\n"
        "- supported: the ANSWER says all of it, in whatever words, or implies it without doubt.\n"
        "- contradicted: the ANSWER says what cannot be true together with it.\n"
        "- not_found: neither of the two. A claim of which the ANSWER says only a part is not_found."
    ),
    skeleton=_coverage_skeleton,
    schema=_coverage_schema,
    criteria=False,
    again="with every claim once, under the numbers shown",
)
"""Roles: question, answer; the reference answer's claims stand in `Ask.claims`."""
