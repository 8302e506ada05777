"""Whether the events of a ranking fit its texts: what a bundle says of texts that are not there would break whoever opens it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from judge_core.records.errors import InputError
from judge_core.records.event import (
    Event,
    GroupJudged,
    MatchJudged,
    RoundPaired,
    TextsAdded,
    TextScored,
    TextsWithdrawn,
)
from judge_core.records.item_verdict import ItemJudgment, ListVerdict, PointVerdict
from judge_core.records.spec import Spec, TextRef


def check_ranking(spec: Spec, events: Iterable[Event]) -> None:
    """Refuses events about unknown texts, lists that name one twice, and verdicts of another kind. Raises InputError."""
    known = {text.alias for text in spec.texts}
    late: dict[str, TextRef] = {text.alias: text for text in spec.texts}
    for event in events:
        if isinstance(event, TextsAdded):
            new = [text.alias for text in event.texts]
            _need(len(set(new)) == len(new) and _same_again(event, late))
            late |= {text.alias: text for text in event.texts}
            known |= set(new)
        elif not _fits(event, known):
            _need(False)


def _same_again(event: TextsAdded, known: Mapping[str, TextRef]) -> bool:
    """Whether what is sent under a known alias is the same text again."""
    return all(known.get(text.alias, text) == text for text in event.texts)


def _fits(event: Event, known: set[str]) -> bool:
    match event:
        case RoundPaired():
            groups = (*event.pairs, *event.groups, event.singles, event.byes)
            return all(len(set(group)) == len(group) and known.issuperset(group) for group in groups)
        case MatchJudged():
            return event.a != event.b and known.issuperset((event.a, event.b)) and set(event.elo) == {event.a, event.b}
        case GroupJudged():
            texts = set(event.texts)
            whole = len(texts) == len(event.texts) > 1 and known.issuperset(texts) and set(event.elo) == texts
            return whole and all(_ranks(judgment, event.texts) for judgment in event.judgments)
        case TextScored():
            scored = all(isinstance(judgment.verdict, PointVerdict | None) for judgment in event.judgments)
            return event.text in known and scored
        case TextsWithdrawn():
            return known.issuperset(event.texts)
        case _:
            return True


def _ranks(judgment: ItemJudgment, texts: Sequence[str]) -> bool:
    """Whether a judgment is none, or ranks each text of the list once."""
    verdict = judgment.verdict
    if verdict is None:
        return True
    return isinstance(verdict, ListVerdict) and sorted(verdict.ranking) == list(range(1, len(texts) + 1))


def _need(sound: bool) -> None:
    if not sound:
        raise InputError("The events of the bundle do not belong to its texts. Export the run again.")
