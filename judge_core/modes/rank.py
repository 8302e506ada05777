"""Ranking many texts by rounds of pairwise matches: the flow, without I/O.

A round is paired when the one before it is closed; within a round matches are independent. Elo is the live story and
steers the pairing; the published rating is made from all judgments afterwards.
"""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from judge_core.modes.pairs.match import MatchFlow, MatchOrder, match_dialogue
from judge_core.ranking import elo, narrowing, swiss
from judge_core.records.event import (
    Cancelled,
    Event,
    Input,
    Judged,
    MatchJudged,
    RetryAsked,
    RoundClosed,
    RoundPaired,
    Started,
)
from judge_core.records.item_verdict import ItemResult
from judge_core.records.prompt import Need
from judge_core.records.record import Notice
from judge_core.records.spec import Spec, TextRef
from judge_core.records.verdict import DECIDED, Judgment, MatchResult
from judge_core.scoring.weighing import panel_result

Meeting = tuple[int, frozenset[str]]
"""A round and the two who met in it: a pair whose match failed may be paired again in a later round."""


@dataclass(frozen=True, slots=True)
class Match:
    """A match that is to be judged. `judges` are the panel's members to be asked (a retry asks only those that failed)."""

    place: int
    round: int
    a: TextRef
    b: TextRef
    spec: Spec
    replicate: int = 0
    judges: tuple[int, ...] | None = None
    words: Mapping[str, str] = field(default_factory=dict, repr=False)
    """The texts by content hash, for checking quotes."""

    @property
    def need(self) -> Need:
        """Each order is a prompt that shows both texts."""
        a, b = self.a, self.b
        prompts = 2 if self.spec.both_orders else 1
        size = {"characters": a.characters + b.characters, "words": a.words + b.words}
        return Need(prompts=prompts, judges=self.judges, **size)

    def open(self) -> MatchFlow:
        """Starts the dialogue. Which text is shown first is drawn from (seed, place)."""
        first = self.a if _heads(self.spec.seed, self.place) else self.b
        order = MatchOrder(place=self.place, first=first.alias, replicate=self.replicate, judges=self.judges)
        return match_dialogue(self.a, self.b, order, self.spec, self.words)


@dataclass
class RankMode:
    """Swiss rounds with narrowing, as a state machine: `begin`, then `ask` and `take` in turn."""

    spec: Spec
    words: Mapping[str, str] = field(default_factory=dict, repr=False)
    """The texts by content hash, where they are at hand: judges' quotes are checked against them."""
    ratings: dict[str, float] = field(default_factory=dict)
    """Elo by alias."""
    _met: set[frozenset[str]] = field(default_factory=set)
    _byes: dict[str, int] = field(default_factory=dict)
    _round: int = 0
    _waiting: deque[Match] = field(default_factory=deque)
    _places: int = 0
    _pulled: dict[int, Match] = field(default_factory=dict)
    _open_in_round: int = 0
    _undecided: dict[Meeting, Match] = field(default_factory=dict)
    _moved: set[Meeting] = field(default_factory=set)
    _over: bool = False

    def begin(self) -> list[Event]:
        """The start and the first round's pairings."""
        self.ratings = {t.alias: self.spec.elo_start if t.prior_elo is None else t.prior_elo for t in self.spec.texts}
        planned = narrowing.planned_matches(len(self.spec.texts), self.spec.rounds, self.spec.narrowing)
        names = tuple(judge.name for judge in self.spec.judges)
        started = Started(texts=len(self.spec.texts), judges=names, planned_matches=planned)
        return [started, *self._next_round()]

    def ask(self) -> Match | None:
        """The next match; None at the end of a round that is not judged yet, and at the end of all rounds."""
        if self._over or not self._waiting:
            return None
        match = self._waiting.popleft()
        self._places += 1
        match = replace(match, place=self._places, words=self.words)
        self._pulled[match.place] = match
        return match

    def take(self, result: MatchResult | ItemResult | Input, place: int | None = None) -> list[Event]:
        """Takes a match's result or an input and returns what happened."""
        if isinstance(result, MatchResult | ItemResult):
            assert place is not None and isinstance(result, MatchResult)
            return self._judged(self._pulled.pop(place), result)
        if isinstance(result, Cancelled):
            self._over = True
        elif isinstance(result, RetryAsked):
            self._retry()
        return []

    def recall(self, event: Judged) -> MatchResult:
        """A recorded match's result."""
        assert isinstance(event, MatchJudged)
        return MatchResult(a=event.a, b=event.b, judgments=event.judgments)

    def _judged(self, match: Match, result: MatchResult) -> list[Event]:
        judgments = tuple(self._policy(judgment) for judgment in result.judgments)
        meeting = (match.round, frozenset((result.a, result.b)))
        outcome = panel_result(judgments, self.spec.judges)
        if outcome is not None and meeting not in self._moved:
            self._moved.add(meeting)
            a, b = elo.update(self.ratings[result.a], self.ratings[result.b], outcome, self.spec.elo_k)
            self.ratings |= {result.a: a, result.b: b}
        self._note(match, meeting, judgments, outcome)
        event = MatchJudged(
            place=match.place, round=match.round, a=result.a, b=result.b, replicate=match.replicate,
            judgments=judgments, result=outcome,
            elo={result.a: self.ratings[result.a], result.b: self.ratings[result.b]},
        )  # fmt: skip
        if match.judges is None:
            self._open_in_round -= 1
        return [event, *(self._close_round() if match.judges is None and not self._open_in_round else [])]

    def _note(self, match: Match, meeting: Meeting, judgments: tuple[Judgment, ...], outcome: float | None) -> None:
        """Remembers who has met (only a match with a result counts) and which judges still owe a verdict."""
        if outcome is not None:
            self._met.add(meeting[1])
        silent = tuple(j.judge for j in judgments if j.outcome not in DECIDED)
        if silent:
            self._undecided[meeting] = Match(
                0, match.round, match.a, match.b, self.spec, match.replicate + 1, judges=silent
            )
        else:
            self._undecided.pop(meeting, None)

    def _policy(self, judgment: Judgment) -> Judgment:
        if self.spec.on_error != "draw" or judgment.result is not None or judgment.outcome in DECIDED:
            return judgment
        note = Notice(code="draw_on_error", message="No verdict; recorded as a draw, as the run's policy says.")
        return judgment.model_copy(update={"result": 0.5, "warnings": (*judgment.warnings, note)})

    def _retry(self) -> None:
        again = list(self._undecided.values())
        self._undecided.clear()
        self._waiting.extendleft(reversed(again))

    def _close_round(self) -> list[Event]:
        return [RoundClosed(round=self._round), *self._next_round()]

    def _next_round(self) -> list[Event]:
        """Pairs the next round that has a match; none is left when all rounds are played or everyone has met everyone."""
        while self._round < self.spec.rounds and not self._over:
            self._round += 1
            ranked = swiss.rank_order(self.ratings)
            low, high = narrowing.band(self.spec.narrowing, len(ranked), self._round)
            pairing = swiss.pair(ranked[low - 1 : high], self._met, self._byes)
            if not pairing.pairs:
                return []
            for alias in pairing.byes:
                self._byes[alias] = self._byes.get(alias, 0) + 1
            texts = self.spec.by_alias
            self._waiting.extend(Match(0, self._round, texts[a], texts[b], self.spec) for a, b in pairing.pairs)
            self._open_in_round = len(pairing.pairs)
            return [RoundPaired(round=self._round, pairs=pairing.pairs, byes=pairing.byes, band=(low, high))]
        return []


def _heads(seed: int, place: int) -> bool:
    """A fair coin for (seed, place), the same on every machine and in every order of asking."""
    return hashlib.sha256(f"{seed}:{place}".encode()).digest()[0] < 128
