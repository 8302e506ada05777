"""Whether the events of a ranking fit its texts: what a bundle says of texts that are not there would break whoever opens it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from judge_core.ranking.goals import check_goal
from judge_core.ranking.rate.result import GREATEST
from judge_core.records.errors import InputError
from judge_core.records.event import (
    Event,
    GoalReached,
    GroupJudged,
    MatchJudged,
    RoundPaired,
    RoundTrimmed,
    RunExtended,
    TextsAdded,
    TextScored,
    TextsWithdrawn,
)
from judge_core.records.item_verdict import ItemJudgment, ListVerdict, PointVerdict
from judge_core.records.spec import Goal, Spec, TextRef
from judge_core.records.verdict import DECIDED


def check_ranking(spec: Spec, events: Iterable[Event]) -> None:
    """Refuses events about unknown texts, lists that name one twice, verdicts of another kind, and a course that no run can
    take: a goal reached where none was set, nobody left, ratings beyond all reason. Raises InputError."""
    if spec.goal is not None:
        check_goal(spec.goal, len(spec.texts))
    _check_numbers((spec.elo_k, spec.elo_start, *_known_ratings(spec.texts)))
    course = _Course(spec.goal, {text.alias: text for text in spec.texts})
    for event in events:
        if isinstance(event, TextsAdded):
            course.join(event)
        else:
            _need(_fits(event, set(course.texts)) and _decides(event, spec))
            course.follow(event)


@dataclass
class _Course:
    """What a run has been told so far."""

    goal: Goal | None
    texts: dict[str, TextRef]
    gone: set[str] = field(default_factory=set)

    def join(self, event: TextsAdded) -> None:
        """Late texts."""
        new = [text.alias for text in event.texts]
        _need(len(set(new)) == len(new) and _same_again(event, self.texts))
        _check_numbers(_known_ratings(event.texts))
        self.texts |= {text.alias: text for text in event.texts}

    def follow(self, event: Event) -> None:
        """Any other event, which fits the texts."""
        match event:
            case RunExtended():
                self.goal = event.goal
                if event.goal is not None:
                    check_goal(event.goal, len(self.texts))
            case TextsWithdrawn():
                self.gone.update(event.texts)
                left = len(self.texts) - len(self.gone)
                _need(left >= 2, "Fewer than two texts of the bundle are left, which is no ranking.")
            case GoalReached():
                _need(self.goal is not None, "The bundle says that a goal was reached, but its run had none.")
            case MatchJudged() | GroupJudged():
                _check_numbers(event.elo.values())


def _known_ratings(texts: Iterable[TextRef]) -> Iterator[float]:
    for text in texts:
        yield from (rating for rating in (text.prior_elo, text.anchor) if rating is not None)


def _check_numbers(ratings: Iterable[float]) -> None:
    for rating in ratings:
        _need(abs(rating) <= GREATEST, f"The bundle holds the Elo {rating:g}, which no run comes to.")


def _same_again(event: TextsAdded, known: Mapping[str, TextRef]) -> bool:
    """Whether what is sent under a known alias is the same text again."""
    return all(known.get(text.alias, text) == text for text in event.texts)


def _fits(event: Event, known: set[str]) -> bool:
    match event:
        case RoundPaired():
            groups = (*event.pairs, *event.groups, event.singles, event.byes)
            return all(len(set(group)) == len(group) and known.issuperset(group) for group in groups)
        case RoundTrimmed():
            kept = all(set(left) < set(group) for group, left in zip(event.groups, event.left, strict=False))
            shown = {text for group in (*event.pairs, *event.groups, event.singles) for text in group}
            return kept and len(event.left) == len(event.groups) and known.issuperset(shown)
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


def _decides(event: Event, spec: Spec) -> bool:
    """Whether each judge of a judged place speaks once, and a failure carries no verdict (unless failures are draws)."""
    if not isinstance(event, MatchJudged | GroupJudged | TextScored):
        return True
    judges = [judgment.judge for judgment in event.judgments]
    if not judges or len(set(judges)) < len(judges):
        return False
    if isinstance(event, MatchJudged):
        drawn = spec.on_error == "draw"
        return all(drawn or (j.result is not None) == (j.outcome in DECIDED) for j in event.judgments)
    return all((j.verdict is not None) == (j.outcome == "judged") for j in event.judgments)


def _ranks(judgment: ItemJudgment, texts: Sequence[str]) -> bool:
    """Whether a judgment is none, or ranks each text of the list once."""
    verdict = judgment.verdict
    if verdict is None:
        return True
    return isinstance(verdict, ListVerdict) and sorted(verdict.ranking) == list(range(1, len(texts) + 1))


def _need(sound: bool, fault: str = "The events of the bundle do not belong to its texts.") -> None:
    if not sound:
        raise InputError(f"{fault} Export the run again.")
