"""The nouns of a folded run: a match with its judgments, a round, what was spent, what a judge did."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

from judge_core.ranking.schedules.knockout import is_stage
from judge_core.records.event import RoundTrimmed
from judge_core.records.retries import answered, counting
from judge_core.records.spec import JudgeSpec
from judge_core.records.verdict import JudgesShare, Judgment, JudgmentClass
from judge_core.scoring.weighing import panel_result

LOST: tuple[JudgmentClass, ...] = ("unparseable", "failed")
"""The classes of a judgment that was asked for and brought no verdict."""


@dataclass(frozen=True, slots=True)
class MatchView:
    """One pair of one round with the judgments that count, one a judge, retries already taken in."""

    place: int
    """The first place at which this match was asked; `?match=` names it."""
    round: int
    a: str
    b: str
    judgments: tuple[Judgment, ...]
    places: tuple[int, ...]
    """Where each judgment was made: the raw replies of `judgments[i]` are kept under `places[i]`."""
    result: float | None
    """Weighted mean result for a; None where nothing was decided."""
    elo_before: Mapping[str, float]
    elo: Mapping[str, float]
    """Both texts' Elo after the match."""
    moved_at: int
    """The place at which Elo moved: its own, or that of the retry that first brought a result."""
    replaced: tuple[tuple[int, Judgment], ...] = ()
    """Earlier attempts, with their places, that a retry took the place of."""

    @property
    def retryable(self) -> bool:
        """Whether a retry would ask this match again: a judge still owes its verdict."""
        return not all(map(answered, self.judgments))

    @property
    def texts(self) -> tuple[str, str]:
        """Both texts."""
        return self.a, self.b

    def opponent(self, alias: str) -> str:
        """The other text of the match."""
        return self.b if alias == self.a else self.a

    def result_for(self, alias: str) -> float | None:
        """The result from that text's side: 1 won, 0 lost; None where nothing was decided."""
        return self.result if self.result is None or alias == self.a else 1.0 - self.result

    def letter(self, alias: str) -> str:
        """W, D or L from that text's side; `?` where nothing was decided."""
        return letter(self.result_for(alias))


def letter(result: float | None) -> str:
    """W, D or L for a result; `?` where there is none.

    >>> letter(1.0), letter(0.5), letter(0.25), letter(None)
    ('W', 'D', 'L', '?')
    """
    if result is None:
        return "?"
    if abs(result - 0.5) <= 1e-9:
        return "D"
    return "W" if result > 0.5 else "L"


@dataclass(frozen=True, slots=True)
class RoundView:
    """A round as paired; `closed` once each of its matches was judged."""

    number: int
    pairs: tuple[tuple[str, str], ...]
    byes: tuple[str, ...]
    band: tuple[int, int]
    """The ranks (from 1, inclusive) that compete."""
    narrowed: bool = False
    """Whether only a part of the texts that then took part competes."""
    closed: bool = False
    groups: tuple[tuple[str, ...], ...] = ()
    """Lists to be ranked, in the order shown."""
    singles: tuple[str, ...] = ()
    """Texts to be scored by themselves."""
    title: str = ""
    """What the round is, where its number does not say it."""
    fallen: frozenset[tuple[str, str]] = frozenset()
    """Those of the pairs that nobody was asked about, since a text of them was withdrawn."""
    fewer: int = 0
    """Matches, lists and single texts that were paired and fell away."""

    @property
    def name(self) -> str:
        """What people call it: a stage of a bracket by its title, any other round by its number and title."""
        if is_stage(self.title):
            return self.title
        return f"Round {self.number}{f' ({self.title})' if self.title else ''}"

    @property
    def size(self) -> int:
        """Matches, lists and single texts of the round that are, or will be, asked for."""
        return len(self.pairs) - len(self.fallen) + len(self.groups) + len(self.singles)

    def trimmed(self, by: RoundTrimmed) -> RoundView:
        """The round without what falls away. Pairs stay, marked as fallen; lists give way to what is left of them."""
        left = dict(zip(by.groups, by.left, strict=True))
        groups = (left.get(group, group) for group in self.groups)
        singles = tuple(single for single in self.singles if single not in by.singles)
        fallen = self.fallen | set(by.pairs)
        kept = replace(self, groups=tuple(group for group in groups if group), singles=singles, fallen=fallen)
        return replace(kept, fewer=self.fewer + self.size - kept.size)


@dataclass(frozen=True, slots=True)
class Cost:
    """US dollars: the part that is known, and how many turns came without a known cost."""

    known: float = 0.0
    unknown: int = 0

    @property
    def exact(self) -> float | None:
        """The sum, or None where a part of it is unknown: never 0 for 'unknown'."""
        return None if self.unknown else self.known


@dataclass(frozen=True, slots=True)
class Spent:
    """What was asked and paid, replaced attempts and repairs included."""

    calls: int = 0
    """Requests really sent, transport retries included."""
    cached: int = 0
    """Prompts answered from the cache."""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: Cost = field(default_factory=Cost)


@dataclass(frozen=True, slots=True)
class Charged:
    """Estimates for calls in flight when a process died: they may have been paid, and nobody can know."""

    calls: int = 0
    cost: Cost = field(default_factory=Cost)


def summed(parts: Iterable[Spent]) -> Spent:
    """What all judges together spent."""
    total = Spent()
    for part in parts:
        total = Spent(
            total.calls + part.calls,
            total.cached + part.cached,
            total.prompt_tokens + part.prompt_tokens,
            total.completion_tokens + part.completion_tokens,
            Cost(total.cost.known + part.cost.known, total.cost.unknown + part.cost.unknown),
        )
    return total


class Bill:
    """A running sum of one judge's turns; plain attributes, because a long run has many."""

    __slots__ = ("calls", "cached", "completion_tokens", "known", "prompt_tokens", "unknown")

    def __init__(self, spent: Spent) -> None:
        self.calls, self.cached = spent.calls, spent.cached
        self.prompt_tokens, self.completion_tokens = spent.prompt_tokens, spent.completion_tokens
        self.known, self.unknown = spent.cost.known, spent.cost.unknown

    def add(self, judgment: JudgesShare) -> None:
        for turn in judgment.turns:
            self.calls += turn.calls
            self.cached += turn.cached
            self.prompt_tokens += turn.usage.prompt_tokens or 0
            self.completion_tokens += turn.usage.completion_tokens or 0
            if turn.cost is None:
                self.unknown += 1
            else:
                self.known += turn.cost

    def spent(self) -> Spent:
        return Spent(
            self.calls, self.cached, self.prompt_tokens, self.completion_tokens, Cost(self.known, self.unknown)
        )


def retried(earlier: MatchView, later: MatchView, judges: Sequence[JudgeSpec]) -> MatchView:
    """The match after a retry: judgments and places are those that count, and Elo is that after the move."""
    found = counting(
        chain(zip(earlier.places, earlier.judgments, strict=True), zip(later.places, later.judgments, strict=True))
    )
    moved = earlier if earlier.result is not None else later  # Elo moves once a match
    return replace(
        earlier,
        judgments=found.judgments,
        places=found.places,
        result=panel_result(found.judgments, judges),
        elo_before=moved.elo_before,
        elo=moved.elo,
        moved_at=moved.moved_at,
        replaced=(*earlier.replaced, *found.replaced),
    )
