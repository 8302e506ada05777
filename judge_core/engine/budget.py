"""Caps that truly stop: a match is asked only when the worst that it can cost still fits."""

from __future__ import annotations

from judge_core.records.record import Record
from judge_core.records.spec import JudgeSpec, Spec, TextRef
from judge_core.records.verdict import MatchResult

CHARACTERS_PER_TOKEN_AT_WORST = 2.0
"""Reservations count tokens high (ordinary English has about 4 characters a token) so that a cap is never overrun."""


class Worst(Record):
    """The worst that a match can need: calls, and dollars where every price is known."""

    calls: int
    cost: float | None


class Budget:
    """What is spent and what is reserved, against the caps."""

    def __init__(self, spec: Spec):
        self.caps = spec.caps
        self.calls = 0
        self.cost = 0.0
        self._spec = spec
        self._frame = _frame_characters(spec)
        self._reserved: dict[int, Worst] = {}
        self._reserved_calls = 0
        self._reserved_cost = 0.0

    def worst(self, a: TextRef, b: TextRef) -> Worst:
        """What a match of these two needs at most: every order by every judge, each with its one repair."""
        orders = 2 if self._spec.both_orders else 1
        tokens = self._frame / CHARACTERS_PER_TOKEN_AT_WORST + _tokens_at_worst(a) + _tokens_at_worst(b)
        costs = [_worst_call(judge, tokens) for judge in self._spec.judges]
        known = None if None in costs else sum(c for c in costs if c is not None) * orders
        return Worst(calls=2 * orders * len(self._spec.judges), cost=known)

    def fits(self, worst: Worst) -> bool:
        """Whether a match can still be asked. A cost that nobody knows counts as 0 here: it is capped by calls."""
        calls = self.calls + worst.calls + self._reserved_calls
        cost = self.cost + (worst.cost or 0) + self._reserved_cost
        too_many = self.caps.max_calls is not None and calls > self.caps.max_calls
        too_dear = self.caps.max_cost is not None and cost > self.caps.max_cost + 1e-9
        return not (too_many or too_dear)

    def reserve(self, place: int, worst: Worst) -> None:
        """Keeps the worst case of an open match free until it is settled."""
        self._reserved[place] = worst
        self._reserved_calls += worst.calls
        self._reserved_cost += worst.cost or 0

    def settle(self, place: int, result: MatchResult) -> None:
        """Replaces a reservation by what the match really took."""
        worst = self._reserved.pop(place)
        self._reserved_calls -= worst.calls
        self._reserved_cost = (
            sum(w.cost or 0 for w in self._reserved.values()) if self.caps.max_cost is not None else 0.0
        )
        turns = [turn for judgment in result.judgments for turn in judgment.turns]
        self.calls += sum(1 for turn in turns if not turn.cached)
        self.cost += sum(turn.cost or 0 for turn in turns)

    def charge(self, calls: int, cost: float | None) -> None:
        """Counts calls that were in flight when another process died: they may have been paid."""
        self.calls += calls
        self.cost += cost or 0

    def mean_cost(self, calls: int) -> float | None:
        """What so many calls cost at the run's mean price; None before the first call."""
        return self.cost / self.calls * calls if self.calls else None

    def shortage(self) -> str:
        """What stopped the run, in words."""
        used = []
        if self.caps.max_calls is not None:
            used.append(f"{self.calls} of at most {self.caps.max_calls} calls")
        if self.caps.max_cost is not None:
            used.append(f"${self.cost:.2f} of at most ${self.caps.max_cost:.2f}")
        return "The next match might not fit under the cap. Used: " + ", ".join(used) + ". Raise the cap to go on."


def _tokens_at_worst(text: TextRef) -> float:
    """Counted high, also for scripts without spaces, where each character counts as a word."""
    return max(text.characters / CHARACTERS_PER_TOKEN_AT_WORST, 1.5 * text.words)


def _worst_call(judge: JudgeSpec, prompt: float) -> float | None:
    """The most that a prompt of so many tokens and its repair can cost; None where the judge's price is unknown."""
    if judge.price is None:
        return None
    first = prompt * judge.price.input + judge.max_tokens * judge.price.output
    repair = (prompt + judge.max_tokens) * judge.price.input + judge.max_tokens * judge.price.output
    return (first + repair) / 1_000_000


def _frame_characters(spec: Spec) -> int:
    """Characters of a prompt without its two texts, counted generously."""
    rubric = spec.rubric
    levels = sum(len(lv.label) + len(lv.descriptor) + 20 for c in rubric.criteria for lv in c.levels)
    criteria = sum(2 * len(c.name) + len(c.description) + 200 for c in rubric.criteria)
    return 3000 + len(rubric.question) + len(rubric.source_extract) + criteria + levels
