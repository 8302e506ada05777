"""Ranking many texts: the flow, without I/O.

The run's schedule gives rounds of matches, lists or single texts; a round is paired when the one before it is closed, and
within a round nothing waits for anything else. Elo is the live story; the published rating is made from all judgments.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from judge_core.modes.rank.book import Book, Meeting
from judge_core.modes.rank.dialogues import Listing, Match
from judge_core.modes.rank.lots import drawn_judges, is_checked
from judge_core.modes.rank.withdrawal import without
from judge_core.ranking import goals
from judge_core.ranking.schedules.schedule import extended, latecomers, planned, schedule_of
from judge_core.ranking.schedules.wave import Schedule, Wave
from judge_core.records.event import (
    Cancelled,
    Event,
    GoalReached,
    GroupJudged,
    Input,
    Judged,
    MatchJudged,
    RetryAsked,
    RoundClosed,
    RoundPaired,
    RunExtended,
    Started,
    TextsAdded,
    TextScored,
    TextsWithdrawn,
)
from judge_core.records.item_verdict import ItemJudgment, ItemResult
from judge_core.records.record import Notice
from judge_core.records.result import Result
from judge_core.records.retries import answered
from judge_core.records.spec import Goal, Spec
from judge_core.records.verdict import Judgment, MatchResult

ALL_ASKED = "Everything on the schedule was asked."
ALL_MET = "Every two texts have met, and this run lets none meet again."
WHAT_NOW = "Add texts, or start a new run that allows rematches or has another judge; known replies cost nothing there."
Dialogue = Match | Listing


@dataclass
class RankMode:
    """Rounds of a schedule, as a state machine: `begin`, then `ask` and `take` in turn."""

    spec: Spec
    words: Mapping[str, str] = field(default_factory=dict, repr=False)
    """The texts by content hash, where they are at hand: judges' quotes are checked against them."""
    book: Book = field(init=False)
    conclusion: str = ALL_ASKED
    """What to say of a run that has nothing more to ask."""
    hopeless: str | None = None
    _schedule: Schedule = field(init=False)
    _goal: Goal | None = field(init=False)
    _waiting: deque[Dialogue] = field(default_factory=deque)
    _places: int = 0
    _pulled: dict[int, Dialogue] = field(default_factory=dict)
    _open_in_round: int = 0
    _open_retries: int = 0
    _undecided: dict[Meeting, Dialogue] = field(default_factory=dict)
    _resting: bool = False
    """The schedule has nothing more to ask for now."""
    _settled: bool = False
    """The goal was reached once."""
    _extended: bool = False
    """Further rounds were asked for."""
    _over: bool = False

    def __post_init__(self) -> None:
        self.book, self._schedule, self._goal = Book(self.spec), schedule_of(self.spec), self.spec.goal

    @property
    def ratings(self) -> dict[str, float]:
        """Live Elo by alias."""
        return self.book.ratings

    def begin(self) -> list[Event]:
        """The start and the first round's pairings."""
        names = tuple(judge.name for judge in self.spec.judges)
        units = planned(self.spec).units
        return [Started(texts=len(self.spec.texts), judges=names, planned_matches=units), *self._next_round()]

    def ask(self) -> Dialogue | None:
        """The next match or listing; None at the end of a round that is not judged yet, and when all was asked."""
        if self._over or not self._waiting:
            return None
        dialogue = self._waiting.popleft()
        self._places += 1
        dialogue = replace(dialogue, place=self._places, words=self.words)
        if dialogue.replicate == 0:
            dialogue = replace(dialogue, judges=drawn_judges(self.spec, self._places))
        if isinstance(dialogue, Match):
            pair = frozenset((dialogue.a.alias, dialogue.b.alias))
            self.book.shown_first.setdefault(pair, dialogue.shown_first)
        self._pulled[dialogue.place] = dialogue
        return dialogue

    def take(self, result: Result | Input, place: int | None = None) -> list[Event]:
        """Takes a result or an input and returns what happened."""
        if place is not None:
            assert isinstance(result, MatchResult | ItemResult)
            return self._judged(self._pulled.pop(place), result)
        match result:
            case Cancelled():
                self._over = True
            case RetryAsked():
                self._waiting.extendleft(reversed(self._undecided.values()))
                self._open_retries += len(self._undecided)
                self._undecided.clear()
            case TextsAdded():
                new = [text for text in result.texts if text.alias not in self.book.texts]  # the same may be sent twice
                self.book.join(new, late=True)
                return self._go_on()
            case TextsWithdrawn():
                return self._withdraw(frozenset(result.texts))
            case RunExtended():
                self._extend(result)
                return self._go_on()
            case _:
                pass
        return []

    def recall(self, event: Judged) -> MatchResult | ItemResult:
        """A recorded place's result."""
        if isinstance(event, MatchJudged):
            return MatchResult(a=event.a, b=event.b, judgments=event.judgments)
        assert isinstance(event, GroupJudged | TextScored)
        return ItemResult(item="", judgments=event.judgments)

    # results

    def _judged(self, asked: Dialogue, result: MatchResult | ItemResult) -> list[Event]:
        if isinstance(asked, Match):
            assert isinstance(result, MatchResult)
            event: Event = self._match_judged(asked, result)
        else:
            assert isinstance(result, ItemResult)
            event = self._listing_judged(asked, result.judgments)
        if asked.replicate:
            self._open_retries -= 1
            return [event, *self._after_retries()]
        self._open_in_round -= 1
        return [event, *self._closed()]

    def _match_judged(self, asked: Match, result: MatchResult) -> MatchJudged:
        judgments = tuple(self._policy(judgment) for judgment in result.judgments)
        meeting = (asked.round, (result.a, result.b))
        outcome = self.book.judged_pair(meeting, result.model_copy(update={"judgments": judgments}))
        self._note_silent(asked, meeting, tuple(j.judge for j in judgments if not answered(j)))
        return MatchJudged(
            place=asked.place, round=asked.round, a=result.a, b=result.b, replicate=asked.replicate, judgments=judgments,
            result=outcome, elo={alias: self.ratings[alias] for alias in (result.a, result.b)},
        )  # fmt: skip

    def _listing_judged(self, asked: Listing, judgments: tuple[ItemJudgment, ...]) -> GroupJudged | TextScored:
        aliases = asked.aliases
        meeting = (asked.round, aliases)
        self.book.judged_list(meeting, judgments)
        self._note_silent(asked, meeting, tuple(j.judge for j in judgments if not answered(j)))
        shared = {
            "place": asked.place, "round": asked.round, "replicate": asked.replicate, "judgments": judgments,
        }  # fmt: skip
        if len(aliases) == 1:
            return TextScored(text=aliases[0], **shared)
        return GroupJudged(texts=aliases, elo={alias: self.ratings[alias] for alias in aliases}, **shared)

    def _note_silent(self, asked: Dialogue, meeting: Meeting, silent: tuple[int, ...]) -> None:
        """Remembers which judges still owe a verdict."""
        if silent and self.book.withdrawn.isdisjoint(asked.aliases):
            self._undecided[meeting] = replace(asked, place=0, replicate=asked.replicate + 1, judges=silent, words={})
        else:
            self._undecided.pop(meeting, None)

    def _policy(self, judgment: Judgment) -> Judgment:
        if self.spec.on_error != "draw" or judgment.result is not None or answered(judgment):
            return judgment
        note = Notice(code="draw_on_error", message="No verdict; recorded as a draw, as the run's policy says.")
        return judgment.model_copy(update={"result": 0.5, "warnings": (*judgment.warnings, note)})

    # rounds

    def _closed(self) -> list[Event]:
        """The end of the round, once nothing of it is open, and the next one."""
        return [] if self._open_in_round else [RoundClosed(round=self.book.round), *self._next_round()]

    def _after_retries(self) -> list[Event]:
        """What verdicts that came by retries lead to: a knockout goes another way, a goal is settled or no longer so."""
        return [] if self._open_retries else self._go_on()

    def _withdraw(self, gone: frozenset[str]) -> list[Event]:
        """Nothing more is asked about these texts; lists that are still to be judged do without them."""
        self.book.withdrawn |= gone
        self._undecided = {met: asked for met, asked in self._undecided.items() if gone.isdisjoint(met[1])}
        rest = without(self._waiting, gone, self.book.round)
        self._waiting = deque(rest.waiting)
        self._open_retries -= rest.retries
        if rest.trimmed is None:
            return self._after_retries() if rest.retries else []
        self.book.trim(rest.trimmed)
        self._open_in_round -= rest.fewer
        return [rest.trimmed, *self._closed()]

    def _go_on(self) -> list[Event]:
        """After an input: the next round, where the schedule had come to its end."""
        if not self._resting or self._over:
            return []
        return self._next_round()

    def _extend(self, extension: RunExtended) -> None:
        """Further rounds on top of those played."""
        self._goal, self._settled, self._extended = extension.goal, False, True
        self._schedule = extended(self.spec, extension, self.book.round)

    def _next_round(self) -> list[Event]:
        """The next round that the schedule has. Once the goal is reached, only late texts are seen to."""
        certainty = self._certainty()
        settled = certainty is not None and self._goal is not None and certainty >= self._goal.probability
        self._settled = self._settled or settled  # a text that comes late unsettles the goal; it alone is seen to
        schedule = latecomers(self.spec) if self._settled else self._schedule
        wave = None if self._over else schedule.next(self.book.progress())
        self._resting = wave is None
        if wave is not None:
            return [self._paired(wave)]
        self.conclusion = self._concluded(certainty, settled)
        return [GoalReached(certainty=certainty, round=self.book.round)] if settled and certainty is not None else []

    def _concluded(self, certainty: float | None, settled: bool) -> str:
        all_met = self.book.pairs_left() == 0
        if self._goal is None or certainty is None:
            return f"{ALL_MET} {WHAT_NOW}" if all_met and self._extended else ALL_ASKED
        words = f"{goals.goal_words(self._goal)} (certainty now {certainty:.0%})"
        if settled:
            return f"Settled: {words}."
        if all_met:
            return f"{ALL_MET} Not settled: {words}. {WHAT_NOW}"
        return f"{ALL_ASKED} Not settled: {words}. More rounds may settle it."

    def _certainty(self) -> float | None:
        """How far the goal is reached; None without a goal, and before anything was judged."""
        if self._goal is None or not (self.book.pairs or self.book.lists):
            return None
        return round(goals.certainty(self._goal, self.book.standing()), 4)

    def _paired(self, wave: Wave) -> RoundPaired:
        self.book.open_round(wave)
        number, texts = self.book.round, self.book.texts
        for a, b in wave.pairs:
            self._waiting.append(self._match(number, a, b))
        for shown in (*wave.groups, *((single,) for single in wave.singles)):
            self._waiting.append(Listing(0, number, tuple(texts[alias] for alias in shown), self.spec))
        self._open_in_round = len(wave.pairs) + len(wave.groups) + len(wave.singles)
        size = len(self.book.texts) - len(self.book.withdrawn)
        return RoundPaired(
            round=number, pairs=wave.pairs, byes=wave.byes, band=wave.band or (1, size), groups=wave.groups,
            singles=wave.singles, title=wave.title,
        )  # fmt: skip

    def _match(self, round: int, a: str, b: str) -> Match:
        texts, pair = self.book.texts, frozenset((a, b))
        first = self.book.shown_first.get(pair) if self.book.met[pair] else None
        other = None if first is None else next(alias for alias in (a, b) if alias != first)
        both = self.spec.order_check and is_checked(self.spec.seed, round, a, b)
        return Match(0, round, texts[a], texts[b], self.spec, first=other, both=both)
