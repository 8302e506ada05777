"""What a run will need before it starts: calls, tokens, money, time, and whether the longest pair fits the judge."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from judge_core.records.prompt import Usage
from judge_core.records.record import Record
from judge_core.records.spec import JudgeSpec, Spec, TextRef, cost_of

FRAME_TOKENS = 450
"""A prompt without question, criteria and texts, measured on our own wording."""
REPLY_TOKENS_EACH = 70
"""A criterion's scores and reason in a reply, and as much again for the reply's frame."""
SECONDS_A_CALL = 4.0
"""Assumed of a judge over the network that was not timed yet."""


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
    judges: tuple[JudgeEstimate, ...]


class TooLong(Record):
    """A pair of texts that does not fit into a judge's context."""

    judge: str
    texts: tuple[str, str]
    """Ids of the two longest texts."""
    tokens: int
    limit: int

    @property
    def message(self) -> str:
        """What is wrong and what can be done."""
        return (
            f"{self.judge} takes {self.limit:,} tokens, but the two longest texts with the question and its reply need about "
            f"{self.tokens:,}. Leave out or shorten the longest texts, choose a judge with a larger context, or set a larger "
            "context for this judge if you know that it has one. No text is cut silently."
        )


def estimate(
    spec: Spec, planned_matches: int, *, tokens_of: Callable[[TextRef], int], frame: int, concurrency: int,
    seconds_a_call: float = SECONDS_A_CALL,
) -> Estimate:  # fmt: skip
    """The expected need of a run, without repairs, retries and cached replies.

    `frame` is the number of tokens of question, source and criteria together.
    """
    orders = 2 if spec.both_orders else 1
    mean = sum(tokens_of(text) for text in spec.texts) / max(1, len(spec.texts))
    prompt = round(FRAME_TOKENS + frame + 2 * mean)
    reply = REPLY_TOKENS_EACH * (len(spec.rubric.criteria) + 1)
    calls = planned_matches * orders
    parts = []
    for judge in spec.judges:
        usage = Usage(prompt_tokens=calls * prompt, completion_tokens=calls * reply)
        parts.append(
            JudgeEstimate(
                judge=judge.name,
                calls=calls,
                prompt_tokens=calls * prompt,
                completion_tokens=calls * reply,
                cost=cost_of(judge.price, usage),
            )  # fmt: skip
        )
    costs = [part.cost for part in parts]
    remote = any(judge.provider != "offline" for judge in spec.judges)
    seconds = calls * (seconds_a_call if remote else 0.01) / (concurrency if remote else 1)
    return Estimate(
        calls=sum(part.calls for part in parts),
        tokens=sum(part.prompt_tokens + part.completion_tokens for part in parts),
        cost=None if None in costs else sum(c for c in costs if c is not None),
        seconds=seconds,
        matches=planned_matches,
        judges=tuple(parts),
    )


def too_long(spec: Spec, *, tokens_of: Callable[[TextRef], int], frame: int) -> list[TooLong]:
    """The judges whose context the longest pair does not fit; empty where all is well or no limit is known."""
    longest = sorted(spec.texts, key=tokens_of, reverse=True)[:2]
    if len(longest) < 2:
        return []
    return [problem for judge in spec.judges if (problem := _checked(judge, longest, tokens_of, frame)) is not None]


def _checked(
    judge: JudgeSpec, longest: Sequence[TextRef], tokens_of: Callable[[TextRef], int], frame: int
) -> TooLong | None:
    need = FRAME_TOKENS + frame + sum(tokens_of(text) for text in longest) + judge.max_tokens
    if judge.context_tokens is None or need <= judge.context_tokens:
        return None
    return TooLong(judge=judge.name, texts=(longest[0].id, longest[1].id), tokens=need, limit=judge.context_tokens)
