"""One match, opened: both texts, and for each judge the exact prompt, the raw reply, and what was read out of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from judge_core.interfaces.cook import PromptCook
from judge_core.modes.rank import Match
from judge_core.modes.reasons import ReplyReading, reading_of, shown_as
from judge_core.records.errors import InputError, StoreError
from judge_core.records.event import MatchJudged, Stored
from judge_core.records.prompt import Ask, Failure, Message, Received
from judge_core.records.record import Record
from judge_core.records.spec import Spec
from judge_core.records.verdict import Turn

if TYPE_CHECKING:
    from judge_core.interfaces.workbench import Workbench


class Exchange(Record):
    """One prompt and its reply, as they went over the wire."""

    place: int
    judge: int
    turn: Turn
    prompt: tuple[Message, ...]
    """The exact messages, with the fence token they were sent with; empty where a text was erased."""
    reply: str | None = None
    """The raw reply; None where none came or it was erased."""
    model: str = ""
    asked_at: str = ""
    finish_reason: str | None = None
    reading: ReplyReading | None = None


class MatchDetail(Record):
    """A match with everything behind it. Retries follow the first asking."""

    events: tuple[MatchJudged, ...]
    exchanges: tuple[Exchange, ...]

    @property
    def a(self) -> str:
        """Alias of the first text."""
        return self.events[0].a

    @property
    def b(self) -> str:
        """Alias of the second text."""
        return self.events[0].b


def match_detail(bench: Workbench, run: str, place: int) -> MatchDetail:
    """The match that was asked at `place`, with its retries; InputError where none was judged there."""
    row = bench.journal.row(run)
    view = bench.state(run).match(place)
    if view is None:
        raise InputError(f"No match was judged at place {place} of this run.", field="match")
    events = tuple(
        s.event
        for s in bench.journal.events(run)
        if isinstance(s.event, MatchJudged) and (s.event.round, s.event.a, s.event.b) == (view.round, view.a, view.b)
    )
    secret = bench.journal.secret(run)
    exchanges: list[Exchange] = []
    for event in events:
        received = bench.journal.completions(run, from_place=event.place, to_place=event.place)
        replies = {turn: reply for (_, turn), reply in received.items()}
        exchanges += _of_event(bench, row.spec, secret, event, replies)
    return MatchDetail(events=events, exchanges=tuple(exchanges))


def all_exchanges(
    bench: Workbench, run: str, events: Sequence[Stored], received: Mapping[tuple[int, int], Received]
) -> Iterator[Exchange]:
    """Every prompt of a run's judged matches with its reply, in the order asked."""
    spec, secret = bench.journal.row(run).spec, bench.journal.secret(run)
    by_place: dict[int, dict[int, Received]] = {}
    for (place, turn), reply in received.items():
        by_place.setdefault(place, {})[turn] = reply
    for stored in events:
        if isinstance(stored.event, MatchJudged):
            yield from _of_event(bench, spec, secret, stored.event, by_place.get(stored.event.place, {}))


def _of_event(
    bench: Workbench, spec: Spec, secret: bytes, event: MatchJudged, replies: dict[int, Received]
) -> Iterator[Exchange]:
    texts = _texts(bench, spec, event)
    cook = PromptCook(spec, secret, texts)
    return _exchanges(event, spec, cook, replies, has_texts=set(_hashes(spec, event)) == set(texts))


def _exchanges(
    event: MatchJudged, spec: Spec, cook: PromptCook, replies: dict[int, Received], *, has_texts: bool
) -> Iterator[Exchange]:
    recorded = {turn.turn: (judgment, turn) for judgment in event.judgments for turn in judgment.turns}
    for number, ask in _asked(event, spec, replies):
        if number not in recorded:
            continue
        judgment, turn = recorded[number]
        reply = replies.get(number)
        previous = _previous(ask, replies)
        token = reply.completion.token if reply else None
        yield Exchange(
            place=event.place,
            judge=judgment.judge,
            turn=turn,
            prompt=cook.messages(ask, event.place, number, previous, token) if has_texts else (),
            **_answer(reply, turn, event, spec),
        )


def _answer(reply: Received | None, turn: Turn, event: MatchJudged, spec: Spec) -> dict[str, object]:
    if reply is None:
        return {}
    completion = reply.completion
    shown = shown_as(turn.first, event.b if turn.first == event.a else event.a)
    return {
        "reply": completion.text,
        "model": completion.model,
        "asked_at": completion.asked_at,
        "finish_reason": completion.finish_reason,
        "reading": reading_of(completion.text, spec.rubric.criteria, shown, completion.finish_reason),
    }


def _asked(event: MatchJudged, spec: Spec, replies: dict[int, Received]) -> Iterator[tuple[int, Ask]]:
    """The recipes of the match's prompts, by playing its dialogue again with the stored replies."""
    texts = spec.by_alias
    judges = tuple(judgment.judge for judgment in event.judgments)
    match = Match(event.place, event.round, texts[event.a], texts[event.b], spec, event.replicate, judges)
    flow, number = match.open(), 0
    asks = next(flow)
    while True:
        yield from enumerate(asks, start=number)
        answers = [replies.get(number + k) or _lost(event, number + k) for k in range(len(asks))]
        number += len(asks)
        try:
            asks = flow.send(answers)
        except StopIteration:
            return


def _lost(event: MatchJudged, number: int) -> Failure:
    turns = {turn.turn: turn for judgment in event.judgments for turn in judgment.turns}
    error = turns[number].error if number in turns else None
    return Failure(kind="failed", message=error or "The reply is not stored here any more.")


def _previous(ask: Ask, replies: dict[int, Received]) -> str | None:
    if ask.repair is None:
        return None
    return next((r.completion.text for r in replies.values() if r.reply_sha256 == ask.repair.reply_sha256), "")


def _hashes(spec: Spec, event: MatchJudged) -> list[str]:
    return [spec.text(alias).sha256 for alias in (event.a, event.b)]


def _texts(bench: Workbench, spec: Spec, event: MatchJudged) -> dict[str, str]:
    texts = {}
    for sha in _hashes(spec, event):
        try:
            texts[sha] = bench.archive.text(sha)
        except StoreError:
            continue
    return texts


def all_readings(bench: Workbench, run: str) -> dict[tuple[int, int, int], ReplyReading]:
    """What every readable reply of a run said, by (place, judge, turn); erased replies are left out."""
    spec = bench.journal.row(run).spec
    replies = bench.journal.completions(run)
    events = [s.event for s in bench.journal.events(run) if isinstance(s.event, MatchJudged)]
    read = ((event, judgment, turn) for event in events for judgment in event.judgments for turn in judgment.turns)
    readings = {}
    for event, judgment, turn in read:
        reply = replies.get((event.place, turn.turn))
        if turn.status == "ok" and reply is not None and reply.completion.text:
            shown = shown_as(turn.first, event.b if turn.first == event.a else event.a)
            completion = reply.completion
            reading = reading_of(completion.text, spec.rubric.criteria, shown, completion.finish_reason)
            readings[event.place, judgment.judge, turn.turn] = reading
    return readings
