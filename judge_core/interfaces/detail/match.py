"""One match, opened: both texts, and for each judge the exact prompt, the raw reply, and what was read out of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from judge_core.interfaces.bench.cook import PromptCook
from judge_core.interfaces.detail.exchanges import Sent, sent, shown_in, stored_words
from judge_core.modes.pairs.reasons import ReplyReading, reading_of, shown_as
from judge_core.records.errors import InputError
from judge_core.records.event import MatchJudged
from judge_core.records.prompt import Message, Received
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
    state = bench.state(run)
    view = state.match(place)
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
        exchanges += _of_event(bench, state.spec, secret, event, replies)
    return MatchDetail(events=events, exchanges=tuple(exchanges))


def _of_event(
    bench: Workbench, spec: Spec, secret: bytes, event: MatchJudged, replies: dict[int, Received]
) -> Iterator[Exchange]:
    words = stored_words(bench, shown_in(spec, event))
    cook = PromptCook(spec, secret, words)
    for one in sent(spec, event, cook, replies, words):
        yield Exchange(place=one.place, judge=one.judge, turn=one.turn, prompt=one.prompt, **_answer(one, event, spec))


def _answer(one: Sent, event: MatchJudged, spec: Spec) -> dict[str, object]:
    if one.received is None:
        return {}
    completion, first = one.received.completion, one.turn.first
    shown = shown_as(first, event.b if first == event.a else event.a)
    return {
        "reply": completion.text,
        "model": completion.model,
        "asked_at": completion.asked_at,
        "finish_reason": completion.finish_reason,
        "reading": reading_of(completion.text, spec.rubric.criteria, shown, completion.finish_reason),
    }


def all_readings(bench: Workbench, run: str) -> dict[tuple[int, int, int], ReplyReading]:
    """What every readable reply of a run said, by (place, judge, turn); erased replies are left out."""
    spec = bench.state(run).spec
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
