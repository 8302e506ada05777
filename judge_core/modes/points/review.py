"""Review and gate: one text scored on every criterion, for feedback or against a pass bar.

A review takes scores and nothing else. A gate also hears the judge's own verdict, and fails closed: a pass under a
condition is no pass, a verdict that cannot be understood is asked for again and then is none, and scores below the bar
fail whatever is said. Only where a whole JSON reply states no verdict at all do the scores decide alone, with a warning.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Literal, NamedTuple

from judge_core.modes.asking.dialogue import Opinion, Script, Step
from judge_core.modes.pairs.cautions import quote_notices
from judge_core.modes.points.pointwise import read_pointwise
from judge_core.modes.replies.json_reading import CUT, read_answer, without_reasoning
from judge_core.records.criteria import Criterion
from judge_core.records.errors import ReplyError
from judge_core.records.item import Item
from judge_core.records.item_verdict import PointVerdict
from judge_core.records.notices import explain
from judge_core.records.prompt import Ask, AskMode
from judge_core.records.record import Notice
from judge_core.records.spec import ItemSpec
from judge_core.records.verdict import PointReading

Stated = Literal["pass", "fail", "hedged"]
_PASSES = frozenset(
    {"pass", "passed", "passes", "approve", "approved", "accept", "accepted", "yes", "true", "ok", "lgtm"}
)
_FAILS = frozenset({"fail", "failed", "fails", "reject", "rejected", "rejects", "refuse", "refused", "no", "false"})
_NEGATIVE = re.compile(r"(?:fail|reject|refus)\w*|not|no|never|without|cannot|\w+n't")
_PASSING = re.compile(r"(?:pass|approv|accept)")
_OF_PASSING = re.compile(
    r"(?<![a-z])(?:verdict|decision|pass(?:es|ed)?|approved?|accept(?:ed)?|outcome|recommendation)(?![a-z])"
)
_OF_FAILING = re.compile(r"(?<![a-z])(?:fail(?:s|ed)?|reject(?:ed)?|refused?)(?![a-z])")
"""In the name of a field: it speaks of passing or failing, and may contradict the verdict."""
_FENCE = re.compile(r"^\s*```\w*\s*\n|\n?\s*```\s*$")
_NEITHER = "The verdict is neither pass nor fail. Write just pass or fail."
_MARKS = " \t\r\n.!*_`\"'"
"""What may stand around a bare verdict and says nothing."""


NO_VERDICT = "The reply is not the JSON object that was asked for, with pass or fail as its verdict."


_UNSTATED = Notice(code="verdict_unstated", message=explain("verdict_unstated"))


class GateReading(NamedTuple):
    """A gate's reply: the scores, and what the judge said itself (None: nothing)."""

    scores: PointReading
    stated: Stated | None


def read_gate(text: str, criteria: Sequence[Criterion], finish_reason: str | None = None) -> GateReading:
    """The reading of a gate's raw reply. Raises ReplyError where anything could turn a refusal into a pass.

    The reply must be the one JSON object and nothing beside it (a fence and a thinking block aside): a pass that the
    text announces of itself may stand quoted in prose. A verdict that means neither pass nor fail, a field that
    contradicts it, a score outside its scale, and a reply that may have been cut before its verdict are refused too.
    """
    scores = read_pointwise(text, criteria, finish_reason)
    answer = read_answer(text, "criteria", finish_reason)
    if answer.value is None:
        raise ReplyError("truncated", CUT) if answer.cut else ReplyError("no_verdict", NO_VERDICT)
    _check_alone(text)
    if any(notice.code == "score_clamped" for notice in scores.warnings):
        raise ReplyError("bad_score", "A score lies outside its scale. Keep to the scales that are given.")
    stated = _said(answer.value)
    if stated is None and (answer.cut or not answer.closed):
        raise ReplyError("truncated", CUT)
    if stated is None:
        scores = scores.model_copy(update={"warnings": (*scores.warnings, _UNSTATED)})
    return GateReading(scores, stated)


def _check_alone(text: str) -> None:
    """Refuses a reply with words, or a second object, beside the object."""
    bare = _FENCE.sub("", without_reasoning(text)).strip()
    if not bare.startswith("{"):
        raise ReplyError("not_alone", NO_VERDICT)
    try:
        _, end = json.JSONDecoder().raw_decode(bare)
    except (ValueError, RecursionError):
        return  # small faults of form, which were mended, or a reply that was cut
    if bare[end:].strip():
        raise ReplyError("not_alone", NO_VERDICT)


def _said(value: Mapping[str, Any]) -> Stated | None:
    """What the reply says of passing, in its verdict and in any other field of that sense; None where in none."""
    stated = stated_verdict(value["verdict"]) if "verdict" in value else None
    if "verdict" in value and stated is None:
        raise ReplyError("bad_verdict", _NEITHER)
    beside = {key.lower(): other for key, other in value.items() if key != "verdict"}
    passes = [stated_verdict(other) for key, other in beside.items() if _OF_PASSING.search(key)]
    fails = [other for key, other in beside.items() if _OF_FAILING.search(key)]
    if any(other != "pass" for other in passes) or any(other not in (False, None) for other in fails):
        return "fail"
    return stated


def stated_verdict(value: Any) -> Stated | None:
    """What a verdict says; None where there is none. Raises ReplyError for words that mean neither.

    Only a bare pass passes. With anything beside it ("pass if ...", "pass?", a letter beyond ASCII) it is `hedged`.

    >>> stated_verdict("PASS"), stated_verdict("pass, pending a fix"), stated_verdict("does not pass"), stated_verdict(None)
    ('pass', 'hedged', 'fail', None)
    """
    if value is None:
        return None
    if isinstance(value, bool):
        return "pass" if value else "fail"
    said = value.casefold().replace("\u2019", "'") if isinstance(value, str) else ""
    if said.strip(_MARKS) in _PASSES and str(value).isascii():
        return "pass"
    words = re.findall(r"[a-z']+", said)
    if any(_PASSING.match(word) or word in _PASSES for word in words):
        return "fail" if any(_NEGATIVE.fullmatch(word) for word in words) else "hedged"
    if any(word in _FAILS for word in words):
        return "fail"
    raise ReplyError("bad_verdict", _NEITHER)


def review_script(judge: int, item: Item, spec: ItemSpec, replicate: int, words: Mapping[str, str]) -> Script[Opinion]:
    """One judge's review: one question. No verdict where its answer could not be read."""
    read = partial(_read_review, spec.rubric.criteria)
    step: Step[PointReading] = Step(_ask("pointwise", judge, item, replicate), "review", read)
    yield [step]
    return Opinion(None) if step.reading is None else _opinion(step.reading, None, item, words)


def gate_script(judge: int, item: Item, spec: ItemSpec, replicate: int, words: Mapping[str, str]) -> Script[Opinion]:
    """One judge at the gate: one question. No verdict where its answer could not be read."""
    read = partial(_read_gate, spec.rubric.criteria)
    step: Step[GateReading] = Step(_ask("gate", judge, item, replicate), "gate", read)
    yield [step]
    return Opinion(None) if step.reading is None else _opinion(step.reading.scores, step.reading.stated, item, words)


def _ask(mode: AskMode, judge: int, item: Item, replicate: int) -> Ask:
    parts = (*item.of("text"), *item.of("reference"))
    roles = tuple(part.role for part in parts)
    bare = roles == ("text",)
    return Ask(
        judge=judge,
        mode=mode,
        texts=tuple(part.sha256 for part in parts),
        roles=() if bare else roles,
        replicate=replicate,
    )


def _read_review(criteria: Sequence[Criterion], text: str, finish_reason: str | None) -> PointReading:
    return read_pointwise(text, criteria, finish_reason)


def _read_gate(criteria: Sequence[Criterion], text: str, finish_reason: str | None) -> GateReading:
    return read_gate(text, criteria, finish_reason)


def _opinion(reading: PointReading, stated: Stated | None, item: Item, words: Mapping[str, str]) -> Opinion:
    verdict = PointVerdict(scores=reading.scores, total=reading.total, stated=stated)
    warnings = [*reading.warnings]
    if stated == "hedged":
        warnings.append(Notice(code="hedged_pass", message=explain("hedged_pass")))
    text = words.get(item.of("text")[0].sha256)
    if text is not None:
        warnings += quote_notices([("the text", text, quote) for quote in reading.quotes])
    return Opinion(verdict, tuple(warnings))
