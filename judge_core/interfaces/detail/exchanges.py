"""The prompts and replies of a judged place, re-made from what is stored: the recipes come from playing its dialogue again."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from judge_core.interfaces.bench.cook import PromptCook
from judge_core.modes.items import ItemDialogue
from judge_core.modes.rank import Listing, Match
from judge_core.modes.refine.dialogues import dialogue_of
from judge_core.records.errors import StoreError
from judge_core.records.event import GroupJudged, ItemJudged, Judged, MatchJudged, Stored, TextScored
from judge_core.records.prompt import Ask, Failure, Message, Received
from judge_core.records.record import Record, text_hash
from judge_core.records.refinement.events import StepTaken, VoteCast
from judge_core.records.spec import AnySpec, ItemSpec, RefineSpec, Spec
from judge_core.records.verdict import JudgesShare, Turn

if TYPE_CHECKING:
    from judge_core.interfaces.workbench import Workbench


class Sent(Record):
    """One prompt and its reply, as they went over the wire."""

    place: int
    judge: int
    ask: Ask
    turn: Turn
    prompt: tuple[Message, ...]
    """The exact messages, with the fence token they were sent with; empty where a text was erased."""
    received: Received | None = None
    """None where no reply came."""

    @property
    def reply(self) -> str | None:
        """The raw reply; None where none came or it was erased."""
        return None if self.received is None else self.received.completion.text


def sent(
    spec: AnySpec, event: Judged, cook: PromptCook, replies: Mapping[int, Received], words: Mapping[str, str]
) -> Iterator[Sent]:
    """Every prompt of a judged place with its reply, in the order asked. `words`: the texts that are still stored.

    What was asked after a reply that was erased since cannot always be told; it is left out rather than guessed.
    """
    recorded = _recorded(event)
    for number, ask in _asked(_flow(spec, event), recorded, replies):
        if number not in recorded:
            continue
        judgment, turn = recorded[number]
        if (judgment.judge, turn.repair) != (ask.judge, ask.repair is not None):
            return
        reply = replies.get(number)
        token = reply.completion.token if reply else None
        whole = all(sha in words for sha in ask.texts) and _repairs_what_is_kept(ask, replies)
        yield Sent(
            place=event.place,
            judge=judgment.judge,
            ask=ask,
            turn=turn,
            prompt=cook.messages(ask, event.place, number, _previous(ask, replies), token) if whole else (),
            received=reply,
        )


def all_sent(
    bench: Workbench, run: str, events: Sequence[Stored], received: Mapping[tuple[int, int], Received]
) -> Iterator[Sent]:
    """Every prompt of a run's judged places with its reply, in the order asked."""
    spec, secret = bench.states.of(run).spec, bench.journal.secret(run)
    by_place: dict[int, dict[int, Received]] = {}
    for (place, turn), reply in received.items():
        by_place.setdefault(place, {})[turn] = reply
    for stored in events:
        if isinstance(stored.event, Judged):
            words = stored_words(bench, shown_in(spec, stored.event))
            cook = PromptCook(spec, secret, words)
            yield from sent(spec, stored.event, cook, by_place.get(stored.event.place, {}), words)


def shown_in(spec: AnySpec, event: Judged) -> tuple[str, ...]:
    """Content hashes of what was shown at a place."""
    if isinstance(event, StepTaken):
        return tuple(dict.fromkeys(text.sha256 for text in event.shown))
    if isinstance(event, VoteCast):
        return tuple(dict.fromkeys(text.sha256 for text in event.versions))
    if not isinstance(event, ItemJudged):
        assert isinstance(spec, Spec), "a run's events are of its own kind"
        return tuple(spec.text(alias).sha256 for alias in aliases_of(event))
    assert isinstance(spec, ItemSpec), "a run's events are of its own kind"
    return tuple(dict.fromkeys(part.sha256 for part in spec.by_alias[event.item].parts))


def aliases_of(event: MatchJudged | GroupJudged | TextScored) -> tuple[str, ...]:
    """The texts of a judged place of a ranking."""
    if isinstance(event, MatchJudged):
        return event.a, event.b
    return event.texts if isinstance(event, GroupJudged) else (event.text,)


def stored_words(bench: Workbench, hashes: Iterable[str]) -> dict[str, str]:
    """Texts by content hash, without those that were erased."""
    found = {}
    for sha in hashes:
        try:
            found[sha] = bench.archive.text(sha)
        except StoreError:
            continue
    return found


def _recorded(event: Judged) -> dict[int, tuple[JudgesShare, Turn]]:
    return {turn.turn: (judgment, turn) for judgment in event.judgments for turn in judgment.turns}


def _flow(spec: AnySpec, event: Judged) -> Generator[list[Ask], list[Any], Any]:
    if isinstance(spec, RefineSpec):
        return dialogue_of(event, spec).open()
    judges = tuple(judgment.judge for judgment in event.judgments)
    if isinstance(event, MatchJudged) and isinstance(spec, Spec):
        return _match(spec, event, judges).open()
    if isinstance(event, GroupJudged | TextScored) and isinstance(spec, Spec):
        texts = tuple(spec.text(alias) for alias in aliases_of(event))
        return Listing(event.place, event.round, texts, spec, event.replicate, judges).open()
    assert isinstance(event, ItemJudged) and isinstance(spec, ItemSpec), "a run's events are of its own kind"
    return ItemDialogue(event.place, spec.by_alias[event.item], spec, event.replicate, judges).open()


def _match(spec: Spec, event: MatchJudged, judges: tuple[int, ...]) -> Match:
    """The match as it was asked: which text came first, and whether both orders were asked, is told by its turns."""
    turns = [turn for judgment in event.judgments for turn in judgment.turns]
    first = min(turns, key=lambda turn: turn.turn).first if turns else None
    both = len({turn.first for turn in turns}) > 1
    a, b = spec.text(event.a), spec.text(event.b)
    return Match(event.place, event.round, a, b, spec, event.replicate, judges, first=first, both=both)


def _asked(
    flow: Generator[list[Ask], list[Any], Any],
    recorded: Mapping[int, tuple[JudgesShare, Turn]],
    replies: Mapping[int, Received],
) -> Iterator[tuple[int, Ask]]:
    """The recipes of the prompts, by playing the dialogue again with the stored replies."""
    number, asks = 0, next(flow)
    while True:
        yield from enumerate(asks, start=number)
        answers = [replies.get(number + k) or _lost(recorded, number + k) for k in range(len(asks))]
        number += len(asks)
        try:
            asks = flow.send(answers)
        except StopIteration:
            return


def _lost(recorded: Mapping[int, tuple[JudgesShare, Turn]], number: int) -> Failure:
    error = recorded[number][1].error if number in recorded else None
    return Failure(kind="failed", message=error or "The reply is not stored here any more.")


def _repairs_what_is_kept(ask: Ask, replies: Mapping[int, Received]) -> bool:
    """False where a repair showed the judge a reply of its own that was erased since."""
    return ask.repair is None or text_hash(_previous(ask, replies) or "") == ask.repair.reply_sha256


def _previous(ask: Ask, replies: Mapping[int, Received]) -> str | None:
    if ask.repair is None:
        return None
    return next((r.completion.text for r in replies.values() if r.reply_sha256 == ask.repair.reply_sha256), "")
