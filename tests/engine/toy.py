"""A small world for engine tests: a mode with barriers, a judge that reads lengths, and a way to play runs in it."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from judge_core.engine.job import Parts, play_run
from judge_core.engine.ports import ReplyCache
from judge_core.engine.runner import Handle
from judge_core.engine.writer import Writer
from judge_core.modes.pairs.match import MatchFlow
from judge_core.records.criteria import Rubric
from judge_core.records.errors import TransientCallError
from judge_core.records.event import (
    Cancelled,
    Ended,
    Event,
    Input,
    MatchJudged,
    RetryAsked,
    RoundClosed,
    RoundPaired,
    Started,
)
from judge_core.records.prompt import Ask, Completion, Failure, Message, Need, Prompt, Received, Sheet, Usage
from judge_core.records.record import text_hash
from judge_core.records.spec import Caps, JudgeSpec, Price, Spec, TextRef
from judge_core.records.verdict import Judgment, MatchResult, Turn
from judge_core.store.archive import Archive
from judge_core.store.database import open_database
from judge_core.store.journal import Journal

TEXTS = [f"text number {n} " + "word " * n for n in range(1, 9)]


def spec(texts: int = 6, rounds: int = 3, lookahead: int = 4, **changes: object) -> Spec:
    """A run of the first texts by one judge that costs a dollar for a million tokens."""
    refs = tuple(
        TextRef(alias=f"E-{n:03d}", id=f"{n}.txt", title=str(n), sha256=text_hash(t), words=n + 3, characters=len(t))
        for n, t in enumerate(TEXTS[:texts], start=1)
    )
    judge = JudgeSpec(name="toy", provider="toy", model="toy", max_tokens=10, price=Price(input=1, output=1))
    base = Spec(rubric=Rubric(), texts=refs, judges=(judge,), rounds=rounds, lookahead=lookahead, prompt_version="toy")
    return base.model_copy(update=changes)


def need(a: TextRef, b: TextRef, prompts: int) -> Need:
    """What a match of these two may ask of each judge."""
    return Need(prompts=prompts, characters=a.characters + b.characters, words=a.words + b.words)


@dataclass(frozen=True)
class ToyMatch:
    """Two prompts at once, then one more when the first reply says 'again': as many turns as a real dialogue."""

    place: int
    a: TextRef
    b: TextRef
    replicate: int = 0

    @property
    def need(self) -> Need:
        return need(self.a, self.b, prompts=1)

    def open(self) -> MatchFlow:
        asks = [
            Ask(judge=0, texts=(self.a.sha256, self.b.sha256), replicate=self.replicate),
            Ask(judge=0, texts=(self.b.sha256, self.a.sha256), replicate=self.replicate),
        ]
        answers = yield asks
        if isinstance(answers[0], Received) and answers[0].completion.text == "again":
            answers = [*answers, *(yield [Ask(judge=0, texts=asks[0].texts, replicate=100)])]
        stop = next((a.message for a in answers if isinstance(a, Failure) and a.kind == "unusable"), None)
        turns = tuple(turn_of(self.a, n, answer) for n, answer in enumerate(answers))
        good = [t for t in turns if t.status == "ok"]
        result = 1.0 if self.a.characters > self.b.characters else 0.0
        outcome = ("won" if result else "lost") if good else "failed"
        judgment = Judgment(judge=0, outcome=outcome, result=result if good else None, turns=turns)
        return MatchResult(a=self.a.alias, b=self.b.alias, judgments=(judgment,), stop=stop)


def turn_of(first: TextRef, number: int, answer: Received | Failure) -> Turn:
    if isinstance(answer, Failure):
        return Turn(turn=number, first=first.alias, status="failed", error=answer.message)
    return Turn(
        turn=number, first=first.alias, status="ok", reply_sha256=answer.reply_sha256, key=answer.key,
        cached=answer.cached, cost=answer.cost, usage=answer.completion.usage, calls=answer.completion.calls,
    )  # fmt: skip


@dataclass
class ToyMode:
    """Each round everyone meets the neighbour in an order that depends on all results so far."""

    spec: Spec
    words: Mapping[str, str] = field(default_factory=dict)
    scores: dict[str, float] = field(default_factory=dict)
    conclusion: str = "Everything on the schedule was asked."
    hopeless: str | None = None
    queue: list[ToyMatch] = field(default_factory=list)
    places: int = 0
    round: int = 0
    left: int = 0
    over: bool = False
    lost: list[ToyMatch] = field(default_factory=list)
    pulled: dict[int, ToyMatch] = field(default_factory=dict)

    def begin(self) -> list[Event]:
        self.scores = {t.alias: 0.0 for t in self.spec.texts}
        started = Started(texts=len(self.spec.texts), judges=("toy",), planned_matches=1)
        return [started, *self.pair()]

    def pair(self) -> list[Event]:
        if self.round == self.spec.rounds:
            return []
        self.round += 1
        order = sorted(self.scores, key=lambda alias: (-self.scores[alias], alias))
        order = order[self.round % 2 :]
        pairs = tuple(zip(order[::2], order[1::2], strict=False))
        by = self.spec.by_alias
        self.queue += [ToyMatch(0, by[a], by[b], replicate=self.round) for a, b in pairs]
        self.left = len(pairs)
        return [RoundPaired(round=self.round, pairs=pairs, band=(1, len(order)))]

    def ask(self) -> ToyMatch | None:
        if self.over or not self.queue:
            return None
        match = self.queue.pop(0)
        self.places += 1
        match = ToyMatch(self.places, match.a, match.b, match.replicate)
        self.pulled[match.place] = match
        return match

    def take(self, result: MatchResult | Input, place: int | None = None) -> list[Event]:
        if isinstance(result, Cancelled):
            self.over = True
        if isinstance(result, RetryAsked):
            self.queue = [*self.lost, *self.queue]
            self.left += len(self.lost)
            self.lost = []
        if not isinstance(result, MatchResult):
            return []
        assert place is not None
        match = self.pulled.pop(place)
        outcome = result.judgments[0].result
        if outcome is None:
            self.lost.append(ToyMatch(0, match.a, match.b, match.replicate + 50))
        else:
            self.scores[result.a] += outcome + place / 1000
            self.scores[result.b] += 1 - outcome
        event = MatchJudged(
            place=place, round=self.round, a=result.a, b=result.b, judgments=result.judgments, result=outcome,
            elo={result.a: self.scores[result.a], result.b: self.scores[result.b]},
        )  # fmt: skip
        self.left -= 1
        return [event, *([RoundClosed(round=self.round), *self.pair()] if self.left == 0 else [])]

    def recall(self, event: MatchJudged) -> MatchResult:
        return MatchResult(a=event.a, b=event.b, judgments=event.judgments)


class ToyCook:
    def __init__(self, spec: Spec, secret: bytes, texts: Mapping[str, str]):
        self.texts = texts

    def key_material(self, ask: Ask) -> dict[str, object]:
        return {"texts": list(ask.texts), "replicate": ask.replicate}

    def prompt(self, ask: Ask, place: int, turn: int, previous: str | None) -> tuple[Prompt, str]:
        texts = tuple(self.texts[sha] for sha in ask.texts)
        message = Message(role="user", content=f"{ask.replicate}|" + "|".join(texts))
        return Prompt(
            messages=(message,), sheet=Sheet(mode="pairwise", rubric=Rubric(), texts=texts)
        ), f"{place}-{turn}"


@dataclass
class ToyJudge:
    """Answers after a random short while; what it says depends on the prompt alone. Counts what it was asked."""

    seed: int = 0
    pause_s: float = 0.002
    fail: Callable[[str], bool] = lambda prompt: False
    asked: list[str] = field(default_factory=list)
    inside: int = 0
    most_inside: int = 0

    async def complete(self, prompt: Prompt) -> Completion:
        text = prompt.messages[0].content
        self.asked.append(text)
        self.inside += 1
        self.most_inside = max(self.most_inside, self.inside)
        try:
            await asyncio.sleep(random.Random(f"{self.seed}{text}{len(self.asked)}").random() * self.pause_s)
            if self.fail(text):
                raise TransientCallError("The judge is away.", status=503)
        finally:
            self.inside -= 1
        reply = "again" if text_hash(text)[0] in "0123" else f"reply to {text_hash(text)}"
        return Completion(text=reply, usage=Usage(prompt_tokens=100, completion_tokens=10), temperature_sent=0.0)

    async def aclose(self) -> None:
        return None


class NoCache:
    """Keeps nothing."""

    def get(self, key: str) -> Completion | None:
        return None

    def put(self, key: str, completion: Completion) -> None:
        return None


class ToyWorld:
    """A database and what it takes to play runs in it, one process life after the other."""

    def __init__(self, url: str, judge: object | None = None, cache: ReplyCache | None = None):
        self.engine = open_database(url)
        self.journal = Journal(self.engine)
        self.archive = Archive(self.engine)
        self.archive.keep({text_hash(t): t.encode() for t in TEXTS})
        self.judge = judge or ToyJudge()
        self.cache = cache or NoCache()
        self.ticks = 0

    def clock(self) -> str:
        self.ticks += 1
        return f"2026-01-01T00:00:{self.ticks:06d}"

    def parts(self, writer: Writer, owner: str = "host|1|x", concurrency: int = 3) -> Parts:
        return Parts(
            journal=self.journal, writer=writer, cache=self.cache, mode=ToyMode, cook=ToyCook,
            provider=lambda index, leave: self.judge, texts=self._texts, reply=self.archive.text, clock=self.clock,
            keep=self.archive.keep_all,
            owner=owner, concurrency=concurrency,
        )  # type: ignore[arg-type]  # fmt: skip

    def _texts(self, hashes: Iterable[str]) -> dict[str, str]:
        return self.archive.texts(hashes)

    def play(self, run: str, *, then: Callable[[Handle], None] | None = None, owner: str = "host|1|x") -> Ended:
        """Plays a run in a loop of its own; `then` is called with the handle shortly after the start."""

        async def life() -> Ended:
            writer = Writer(self.journal)
            handle = Handle(run)
            job = asyncio.ensure_future(play_run(handle, self.parts(writer, owner)))
            while then is not None and handle.player is None and not job.done():
                await asyncio.sleep(0.001)
            if then is not None:
                await asyncio.sleep(0.01)
                then(handle)
            try:
                return await job
            finally:
                await asyncio.to_thread(writer.close)

        return asyncio.run(life())

    def story(self, run: str) -> list[Event]:
        """The run's events without those that tell of stops, which differ between lives."""
        return [s.event for s in self.journal.events(run) if s.event.type not in ("ended", "taken_over")]


def caps(**limits: float) -> Caps:
    return Caps.model_validate(limits)
