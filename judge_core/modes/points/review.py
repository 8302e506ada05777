"""Review and gate: one text scored on every criterion, for feedback or against a pass bar.

A review takes scores and nothing else. A gate also hears the judge's own verdict, and fails closed: a pass under a
condition is no pass, a verdict that cannot be understood is asked for again and then is none, and scores below the bar
fail whatever is said. Only where a whole JSON reply states no verdict at all do the scores decide alone, with a warning.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Literal, NamedTuple

from judge_core.modes.asking.dialogue import Opinion, Script, Step
from judge_core.modes.pairs.cautions import quote_notices
from judge_core.modes.points.pointwise import read_pointwise
from judge_core.modes.replies.json_reading import CUT, read_answer
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
_MARKS = " \t\r\n.!*_`\"'"
"""What may stand around a bare verdict and says nothing."""


NO_VERDICT = "The reply is not the JSON object that was asked for, with pass or fail as its verdict."


_UNSTATED = Notice(code="verdict_unstated", message=explain("verdict_unstated"))


class GateReading(NamedTuple):
    """A gate's reply: the scores, and what the judge said itself (None: nothing)."""

    scores: PointReading
    stated: Stated | None


def read_gate(text: str, criteria: Sequence[Criterion], finish_reason: str | None = None) -> GateReading:
    """The reading of a gate's raw reply. Raises ReplyError, also for a verdict that means neither pass nor fail.

    Prose is refused, since a pass that the text announces of itself may stand quoted in it; so is a reply without a
    verdict that may have been cut before it. A flag `"pass": false` is a fail; `"pass": true` says nothing.
    """
    scores = read_pointwise(text, criteria, finish_reason)
    answer = read_answer(text, "criteria", finish_reason)
    if answer.value is None:
        raise ReplyError("truncated", CUT) if answer.cut else ReplyError("no_verdict", NO_VERDICT)
    stated = stated_verdict(answer.value.get("verdict"))
    if stated is None and False in (answer.value.get("pass"), answer.value.get("passed")):
        stated = "fail"
    if stated is None and (answer.cut or not answer.closed):
        raise ReplyError("truncated", CUT)
    return GateReading(scores, stated)


def stated_verdict(value: Any) -> Stated | None:
    """What a verdict says; None where there is none. Raises ReplyError for words that mean neither.

    Only a bare pass passes. With anything beside it ("pass if ...", "pass?", a word of another script) it is `hedged`.

    >>> stated_verdict("PASS"), stated_verdict("pass, pending a fix"), stated_verdict("does not pass"), stated_verdict(None)
    ('pass', 'hedged', 'fail', None)
    """
    if value is None:
        return None
    if isinstance(value, bool):
        return "pass" if value else "fail"
    said = value.casefold().replace("’", "'") if isinstance(value, str) else ""
    if said.strip(_MARKS) in _PASSES:
        return "pass"
    words = re.findall(r"[a-z']+", said)
    if any(_PASSING.match(word) or word in _PASSES for word in words):
        return "fail" if any(_NEGATIVE.fullmatch(word) for word in words) else "hedged"
    if any(word in _FAILS for word in words):
        return "fail"
    raise ReplyError("bad_verdict", "The verdict is neither pass nor fail. Write just pass or fail.")


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
    if step.reading is None:
        return Opinion(None)
    opinion = _opinion(step.reading.scores, step.reading.stated, item, words)
    return opinion if step.reading.stated else opinion._replace(warnings=(*opinion.warnings, _UNSTATED))


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
