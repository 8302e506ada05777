"""The dialogue of one match: what is asked of the panel, what is asked again, and what each judge decided.

A dialogue yields lists of recipes, is sent what came back for each, in the same order, and returns one judgment per
judge. It does no I/O and draws nothing at random: the order shown is given to it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field

from judge_core.modes.pairwise import read_pairwise, swap_sides
from judge_core.records.errors import InputError, ReplyError
from judge_core.records.notices import explain
from judge_core.records.prompt import Ask, Failure, Received, Repair
from judge_core.records.record import Notice, Record
from judge_core.records.spec import JudgeSpec, Spec, TextRef
from judge_core.records.verdict import (
    Judgment,
    JudgmentClass,
    MatchResult,
    OrderReading,
    PairReading,
    PairScores,
    Turn,
    Winner,
)
from judge_core.scoring.weighing import pair_totals, result_of, winner_of

Reply = Received | Failure
MatchFlow = Generator[list[Ask], list[Reply], MatchResult]
_CLASSES: dict[Winner, JudgmentClass] = {"A": "won", "B": "lost", "tie": "tied"}
_SIDED = ("score_clamped", "verdict_mismatch")
"""Notices that speak of text A or B as shown."""
_NO_PART_OF_A_CALL = {"name", "weight", "price", "timeout_s", "context_tokens"}
_SHORTER = "It was cut at the token limit before all scores were given. Keep each reasoning to a few words."


class MatchOrder(Record):
    """How one match is to be asked."""

    place: int
    """The match's number in the order asked."""
    first: str
    """Alias of the text that is shown first in the first prompt of each judge."""
    replicate: int = 0
    """0 at first; raised for each retry, so that no reply comes back from the cache."""
    judges: tuple[int, ...] | None = None
    """The panel's members that are asked (indices into the spec's judges); None: all of them."""


@dataclass
class _Slot:
    """One judge and one presentation order, with all that was asked and answered there."""

    ask: Ask
    first: str
    turns: list[Turn] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    reading: PairReading | None = None
    problem: Repair | None = None
    """What to ask again for; None where there is nothing to repair."""
    unusable: str | None = None


def match_dialogue(a: TextRef, b: TextRef, order: MatchOrder, spec: Spec) -> MatchFlow:
    """Asks all judges in the panel's order (with `both_orders` twice each: `order.first` first, then swapped), then once
    more for each reply that could not be read.

    Turns are numbered in the order yielded, from 0. Where a judge is unusable, nothing is asked again and the result
    carries `stop`. Raises InputError where `order.first` is neither text, ValueError where a list of another length is sent.
    """
    slots = list(_slots(a, b, order, spec))
    asked = yield [slot.ask for slot in slots]
    for turn, (slot, reply) in enumerate(zip(slots, asked, strict=True)):
        _take(slot, reply, turn, spec)
    stop = _stop(slots)
    unread = [slot for slot in slots if slot.problem and not stop]
    if unread:
        repaired = yield [slot.ask.model_copy(update={"repair": slot.problem}) for slot in unread]
        for turn, (slot, reply) in enumerate(zip(unread, repaired, strict=True), start=len(slots)):
            _take(slot, reply, turn, spec)
        stop = _stop(slots)
    by_judge: dict[int, list[_Slot]] = {}
    for slot in slots:
        by_judge.setdefault(slot.ask.judge, []).append(slot)
    judgments = tuple(_judgment(judge, own, a.alias, spec) for judge, own in by_judge.items())
    return MatchResult(a=a.alias, b=b.alias, judgments=judgments, stop=stop)


def _stop(slots: Sequence[_Slot]) -> str | None:
    return next((slot.unusable for slot in slots if slot.unusable), None)


def _slots(a: TextRef, b: TextRef, order: MatchOrder, spec: Spec) -> Iterator[_Slot]:
    if order.first not in (a.alias, b.alias):
        raise InputError(f"{order.first!r} is shown first, but the match is {a.alias!r} against {b.alias!r}.")
    chosen = (a, b) if order.first == a.alias else (b, a)
    orders = (chosen, chosen[::-1]) if spec.both_orders else (chosen,)
    replicates = _replicates(spec.judges, order.replicate)
    for judge in range(len(spec.judges)) if order.judges is None else order.judges:
        for first, second in orders:
            ask = Ask(judge=judge, texts=(first.sha256, second.sha256), replicate=replicates[judge])
            yield _Slot(ask, first.alias)


def _replicates(judges: Sequence[JudgeSpec], raised: int) -> list[int]:
    """A replicate for each judge; judges that would make equal calls get different ones, at every raise."""
    calls = [judge.model_dump_json(exclude=_NO_PART_OF_A_CALL) for judge in judges]
    equals = Counter(calls)
    seen: defaultdict[str, int] = defaultdict(int)
    replicates = []
    for call in calls:
        replicates.append(raised * equals[call] + seen[call])
        seen[call] += 1
    return replicates


def _take(slot: _Slot, reply: Reply, number: int, spec: Spec) -> None:
    repaired = slot.problem is not None
    slot.problem = None
    if isinstance(reply, Failure):
        slot.unusable = reply.message if reply.kind == "unusable" else None
        free = spec.judges[slot.ask.judge].free
        slot.turns.append(_failed_turn(slot, reply, number, repaired, None if reply.uncertain and not free else 0.0))
        return
    slot.notices += reply.completion.notices
    error = _read(slot, reply, spec)
    if error is None and repaired:
        slot.notices.append(Notice(code="repaired", message=explain("repaired")))
    slot.turns.append(_turn(slot, reply, number, repaired, error))


def _read(slot: _Slot, reply: Received, spec: Spec) -> ReplyError | None:
    completion = reply.completion
    try:
        slot.reading = read_pairwise(completion.text, spec.rubric.criteria, completion.finish_reason)
    except ReplyError as error:
        problem = _SHORTER if error.code == "truncated" else str(error)
        slot.problem = Repair(reply_sha256=reply.reply_sha256, problem=problem)
        return error
    return None


def _failed_turn(slot: _Slot, failure: Failure, number: int, repaired: bool, cost: float | None) -> Turn:
    return Turn(
        turn=number,
        first=slot.first,
        repair=repaired,
        status="failed",
        calls=failure.calls,
        cost=cost,
        error=failure.message,
    )


def _turn(slot: _Slot, reply: Received, number: int, repaired: bool, error: ReplyError | None) -> Turn:
    """The record of an answered prompt. A cached answer cost this run no request and no time."""
    return Turn(
        turn=number,
        first=slot.first,
        repair=repaired,
        status="unparseable" if error else "ok",
        reply_sha256=reply.reply_sha256,
        key=reply.key,
        cached=reply.cached,
        usage=reply.completion.usage,
        cost=reply.cost,
        calls=0 if reply.cached else reply.completion.calls,
        seconds=0.0 if reply.cached else reply.completion.seconds,
        error=str(error) if error else None,
    )


def _judgment(judge: int, slots: Sequence[_Slot], a: str, spec: Spec) -> Judgment:
    """One judge's verdict on the match: both orders merged, or the one that could be read, or none."""
    orders = tuple(_order(slot, slot.reading, a) for slot in slots if slot.reading)
    turns = tuple(sorted((turn for slot in slots for turn in slot.turns), key=lambda turn: turn.turn))
    warnings = [notice for slot in slots for notice in _warnings(slot)]
    if not orders:
        outcome = _undecided(slots)
        return Judgment(judge=judge, outcome=outcome, turns=turns, warnings=_unique(warnings))
    if len(orders) < len(slots):
        warnings.append(Notice(code="order_missing", message=explain("order_missing")))
    scores, totals = _merged(orders, spec)
    winner = winner_of(totals)
    flipped = {order.winner for order in orders} == {"A", "B"}
    if flipped:
        warnings.append(Notice(code="position_flip", message=explain("position_flip")))
    return Judgment(
        judge=judge,
        outcome="flipped" if flipped else _CLASSES[winner],
        result=0.5 if flipped else result_of(winner),
        scores=scores,
        totals=totals,
        orders=orders,
        turns=turns,
        warnings=_unique(warnings),
    )


def _undecided(slots: Sequence[_Slot]) -> JudgmentClass:
    """`unparseable` where a judge's last word was a reply, `failed` where no call brought one."""
    return "unparseable" if any(slot.turns[-1].status == "unparseable" for slot in slots) else "failed"


def _order(slot: _Slot, reading: PairReading, a: str) -> OrderReading:
    """The reading of one order, sides turned back to the match's own."""
    turned = reading if slot.first == a else swap_sides(reading)
    return OrderReading(
        first=slot.first,
        turn=slot.turns[-1].turn,
        scores=turned.scores,
        totals=turned.totals,
        winner=turned.winner,
        stated=turned.stated,
    )


def _merged(orders: Sequence[OrderReading], spec: Spec) -> tuple[dict[str, PairScores], PairScores]:
    """Each text's scores averaged over the orders, and their totals.

    Where an order brought no scores by criterion (plain prose), there are none, and the orders' totals are averaged.
    """
    names = [criterion.name for criterion in spec.rubric.criteria]
    if all(name in order.scores for order in orders for name in names):
        scores = {name: _mean([order.scores[name] for order in orders]) for name in names}
        return scores, pair_totals(scores, spec.rubric.criteria)
    return {}, _mean([order.totals for order in orders])


def _mean(pairs: Sequence[PairScores]) -> PairScores:
    return PairScores(a=sum(pair.a for pair in pairs) / len(pairs), b=sum(pair.b for pair in pairs) / len(pairs))


def _warnings(slot: _Slot) -> Iterator[Notice]:
    yield from slot.notices
    for notice in slot.reading.warnings if slot.reading else ():
        if notice.code in _SIDED:
            yield Notice(code=notice.code, message=f"{notice.message} Text A was {slot.first}.")
        else:
            yield notice


def _unique(notices: Sequence[Notice]) -> tuple[Notice, ...]:
    return tuple({(notice.code, notice.message): notice for notice in notices}.values())
