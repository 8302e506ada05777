"""What a run will need before it starts: calls, tokens, money, time, and whether the longest pair fits the judge."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from judge_core.records.prompt import Need, Usage
from judge_core.records.record import Record
from judge_core.records.spec import ItemSpec, RunSpec, Spec, TextRef, cost_of

FRAME_TOKENS = 450
"""A prompt without question, criteria and texts, measured on our own wording."""
REPLY_TOKENS_EACH = 70
"""A criterion's scores and reason in a reply, and as much again for the reply's frame."""
LABEL_TOKENS = 15
"""A label on a claim, passage, candidate or step."""
SECONDS_A_CALL = 4.0
"""Assumed of a judge over the network that was not timed yet."""


COUNTED = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine", 10: "ten"}


class JudgeEstimate(Record):
    """One judge's share. `cost` is None where its price is unknown."""

    judge: str
    calls: int
    prompt_tokens: int
    completion_tokens: int
    cost: float | None


class Estimate(Record):
    """Calls, tokens, cost (None: unknown), seconds; and the parts by judge."""

    calls: int
    tokens: int
    cost: float | None
    seconds: float
    matches: int
    """Matches, items or passes."""
    judges: tuple[JudgeEstimate, ...]


class Workload(Record):
    """What each judge of a panel is asked, repairs, retries and cached replies aside."""

    units: int
    """Matches or items."""
    calls: int
    prompt_tokens: int
    """Of all prompts together."""
    reply_tokens: int
    """Of all replies together."""


class Schedule(Protocol):
    """What a ranking's schedule foresees."""

    @property
    def matches(self) -> int: ...

    @property
    def groups(self) -> int: ...

    @property
    def singles(self) -> int: ...


class TooLong(Record):
    """Texts that do not fit into a judge's context."""

    judge: str
    texts: tuple[str, ...]
    """Ids of what is too long."""
    tokens: int
    limit: int

    @property
    def message(self) -> str:
        """What is wrong and what can be done."""
        what = (
            "the longest item"
            if len(self.texts) == 1
            else f"the {COUNTED.get(len(self.texts), len(self.texts))} longest texts"
        )
        return (
            f"{self.judge} takes {self.limit:,} tokens, but {what} with the question and its reply need about "
            f"{self.tokens:,}. Leave out or shorten the longest texts, choose a judge with a larger context, or set a larger "
            "context for this judge if you know that it has one. No text is cut silently."
        )


def ranking_workload(spec: Spec, asked: Schedule, *, tokens_of: Callable[[TextRef], int], frame: int) -> Workload:
    """A ranking's workload, by judge. `frame` is the number of tokens of question, source and criteria together."""
    panel = len(spec.judges)
    share = min(spec.judges_per_match or panel, panel) / panel
    mean = sum(tokens_of(text) for text in spec.texts) / max(1, len(spec.texts))
    reply = REPLY_TOKENS_EACH * (len(spec.rubric.criteria) + 1)
    each = FRAME_TOKENS + frame
    calls = (round(asked.matches * spec.mean_orders * share), round(asked.groups * share), round(asked.singles * share))
    shown = min(spec.group_size, len(spec.texts))
    prompts = calls[0] * (each + 2 * mean) + calls[1] * (each + shown * mean) + calls[2] * (each + mean)
    replies = (calls[0] + calls[2]) * reply + calls[1] * (2 * REPLY_TOKENS_EACH + shown * LABEL_TOKENS)
    units = asked.matches + asked.groups + asked.singles
    return Workload(units=units, calls=sum(calls), prompt_tokens=round(prompts), reply_tokens=round(replies))


def items_workload(spec: ItemSpec, needs: Sequence[Need], *, tokens_of: Callable[[Need], int], frame: int) -> Workload:
    """The workload of judging items, from what each may need: counted as if every step were asked."""
    calls = sum(need.prompts for need in needs)
    prompt = sum(need.prompts * (FRAME_TOKENS + frame + tokens_of(need)) for need in needs)
    labels = sum(len(item.parts) for item in spec.items) * LABEL_TOKENS
    reply = calls * REPLY_TOKENS_EACH * (len(spec.rubric.criteria) + 1) + labels
    return Workload(units=len(needs), calls=calls, prompt_tokens=prompt, reply_tokens=reply)


def estimate(
    spec: RunSpec,
    loads: Sequence[Workload],
    *,
    concurrency: int,
    seconds_a_call: float = SECONDS_A_CALL,
    in_turn: int | None = None,
) -> Estimate:
    """The expected need of a run, without repairs, retries and cached replies.

    `loads`: by judge. `in_turn`: how many calls wait for one another, where that is known; else each judge's own are
    spread over the places in flight.
    """
    parts = tuple(
        JudgeEstimate(
            judge=judge.name,
            calls=load.calls,
            prompt_tokens=load.prompt_tokens,
            completion_tokens=load.reply_tokens,
            cost=cost_of(judge.price, Usage(prompt_tokens=load.prompt_tokens, completion_tokens=load.reply_tokens)),
        )
        for judge, load in zip(spec.judges, loads, strict=True)
    )
    costs = [part.cost for part in parts]
    remote = any(judge.provider != "offline" for judge in spec.judges)
    waited = in_turn or loads[0].calls / (concurrency if remote else 1)
    seconds = waited * (seconds_a_call if remote else 0.01)
    return Estimate(
        calls=sum(part.calls for part in parts),
        tokens=sum(part.prompt_tokens + part.completion_tokens for part in parts),
        cost=None if None in costs else sum(c for c in costs if c is not None),
        seconds=seconds,
        matches=loads[0].units,
        judges=parts,
    )


def too_long(spec: RunSpec, ids: tuple[str, ...], tokens: int, frame: int) -> list[TooLong]:
    """The judges whose context the longest prompt, showing so many tokens of these texts, does not fit.

    Empty where all is well or no limit is known. Judges that may stand in for others are checked as well.
    """
    found = []
    for judge in (*spec.judges, *spec.fallbacks):
        need = FRAME_TOKENS + frame + tokens + judge.max_tokens
        if judge.context_tokens is not None and need > judge.context_tokens:
            found.append(TooLong(judge=judge.name, texts=ids, tokens=need, limit=judge.context_tokens))
    return found
