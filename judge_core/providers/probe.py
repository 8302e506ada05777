"""One small real call to a judge: does it answer, how fast, and what came back."""

from __future__ import annotations

import time

from judge_core.providers.protocol import Provider
from judge_core.records.criteria import Rubric
from judge_core.records.errors import CallError
from judge_core.records.prompt import Completion, Message, Prompt, Sheet, Usage
from judge_core.records.record import Notice, Record
from judge_core.records.spec import JudgeSpec

QUESTION = "Which text explains better why leaves turn yellow in autumn?"
TEXTS = (
    "In autumn a tree takes back the green chlorophyll, and the yellow carotenoids that were there all along show.",
    "Leaves get yellow because it is cold. It is always like that.",
)


class Probe(Record):
    """What a test call brought. `ok` says that an answer came, not that it is a good one."""

    judge: str
    ok: bool
    seconds: float
    reply: str = ""
    """The raw reply, hostile like any other."""
    model: str = ""
    """The model that the provider says answered."""
    usage: Usage = Usage()
    notices: tuple[Notice, ...] = ()
    calls: int = 1
    error: str = ""
    """What went wrong, with the remedy."""


def probe_prompt() -> Prompt:
    """A pairwise question about two short texts of ours, in the form of the real ones."""
    score = {"type": "number", "minimum": 0, "maximum": 10}
    fields = {"name": {"type": "string"}, "score_a": score, "score_b": score, "reasoning": {"type": "string"}}
    row = {"type": "object", "properties": fields, "required": list(fields)}
    verdict = {
        "criteria": {"type": "array", "items": row},
        "winner": {"type": "string", "enum": ["A", "B", "tie"]},
        "reasoning": {"type": "string"},
    }
    skeleton = (
        '{"criteria":[{"name":"Overall","score_a":0,"score_b":0,"reasoning":""}],"winner":"A|B|tie","reasoning":""}'
    )
    asked = f"{QUESTION}\n\nText A:\n{TEXTS[0]}\n\nText B:\n{TEXTS[1]}\n\nScores: 0 to 10.\n{skeleton}"
    return Prompt(
        messages=(
            Message(role="system", content="You compare two texts. Answer with JSON of the given form, nothing else."),
            Message(role="user", content=asked),
        ),
        reply_schema={"type": "object", "properties": verdict, "required": list(verdict)},
        sheet=Sheet(mode="pairwise", rubric=Rubric(question=QUESTION), texts=TEXTS),
    )


async def probe(provider: Provider, judge: JudgeSpec) -> Probe:
    """Asks the judge once, for "Test this judge" and `doctor`. Costs one call; a failed one is a result, not an error."""
    began = time.perf_counter()
    try:
        completion = await provider.complete(probe_prompt())
    except CallError as error:
        seconds = time.perf_counter() - began
        return Probe(judge=judge.name, ok=False, seconds=seconds, calls=error.calls, error=str(error))
    return _answered(judge, completion, time.perf_counter() - began)


def _answered(judge: JudgeSpec, completion: Completion, seconds: float) -> Probe:
    ok = bool(completion.text.strip())
    cut = "The judge used up its tokens before it said anything. Raise the limit (max_tokens) of its reply."
    return Probe(
        judge=judge.name,
        ok=ok,
        seconds=seconds,
        reply=completion.text,
        model=completion.model,
        usage=completion.usage,
        notices=completion.notices,
        calls=completion.calls,
        error="" if ok else cut,
    )
