"""Caps that truly stop: a dialogue (a match, an item) is asked only when the worst that it can cost still fits."""

from __future__ import annotations

from judge_core.records.prompt import Need
from judge_core.records.record import Record
from judge_core.records.result import Result
from judge_core.records.spec import JudgeSpec, Price, RunSpec
from judge_core.records.verdict import Turn

CHARACTERS_PER_TOKEN_AT_WORST = 2.0
"""Reservations count tokens high (ordinary English has about 4 characters a token) so that a cap is never overrun."""


class Worst(Record):
    """The worst that a dialogue can need: calls, and the US dollars of those judges whose price is known."""

    calls: int
    cost: float


class Budget:
    """What is spent and what is reserved, against the caps."""

    def __init__(self, spec: RunSpec):
        self.caps = spec.caps
        self.calls = 0
        self.cost = 0.0
        """US dollars, with the worst case where a provider did not say what a call took."""
        self._spec = spec
        self._frame = _frame_characters(spec) / CHARACTERS_PER_TOKEN_AT_WORST
        self._reserved: dict[int, tuple[Worst, Need]] = {}
        self._reserved_calls = 0
        self._reserved_cost = 0.0
        self._sent: int | None = None

    def go_live(self, answered: int) -> None:
        """From here on requests are really sent. `answered`: those whose replies are stored and not yet settled."""
        self._sent = self.calls + answered

    def take_request(self) -> bool:
        """Whether one more HTTP request may be sent under the cap on calls, first tries and repeats alike; counts it."""
        assert self._sent is not None, "no request is sent while recorded events are played again"
        if self.caps.max_calls is not None and self._sent >= self.caps.max_calls:
            return False
        self._sent += 1
        return True

    @property
    def exhausted(self) -> bool:
        """Whether the cap on calls is used up to the last request."""
        return self.caps.max_calls is not None and (self._sent or 0) >= self.caps.max_calls

    def worst(self, need: Need) -> Worst:
        """What a dialogue needs at most: every prompt by every judge that is asked, each with its one repair."""
        asked = range(len(self._spec.judges)) if need.judges is None else need.judges
        judges = [self._spec.judges[judge] for judge in asked]
        costs = [sum(self._worst_prompt(judge, need, repair=r) for r in (False, True)) for judge in judges]
        return Worst(calls=2 * need.all_prompts(len(self._spec.judges)), cost=need.prompts * sum(costs))

    def fits(self, worst: Worst) -> bool:
        """Whether a dialogue can still be asked. A price that nobody knows counts as 0 here: it is capped by calls."""
        calls = self.calls + worst.calls + self._reserved_calls
        cost = self.cost + worst.cost + self._reserved_cost
        too_many = self.caps.max_calls is not None and calls > self.caps.max_calls
        too_dear = self.caps.max_cost is not None and cost > self.caps.max_cost + 1e-9
        return not (too_many or too_dear)

    def reserve(self, place: int, need: Need) -> None:
        """Keeps the worst case of an open dialogue free until it is settled."""
        worst = self.worst(need)
        self._reserved[place] = worst, need
        self._reserved_calls += worst.calls
        self._reserved_cost += worst.cost

    def settle(self, place: int, result: Result) -> None:
        """Replaces a reservation by what the dialogue really took."""
        worst, need = self._reserved.pop(place)
        self._reserved_calls -= worst.calls
        self._reserved_cost = sum(kept.cost for kept, _ in self._reserved.values())
        for judgment in result.judgments:
            for turn in judgment.turns:
                self.calls += turn.calls
                self.cost += self._cost(turn, judgment.judge, need)

    def charge(self, calls: int, cost: float | None) -> None:
        """Counts calls that were in flight when another process died: they may have been paid."""
        self.calls += calls
        self.cost += cost or 0

    def guess(self, calls: int, need: Need) -> float:
        """What so many calls may have cost: at the run's mean price, before the first call what those of a dialogue can cost."""
        if self.calls:
            return self.cost / self.calls * calls
        return calls * max(self._worst_prompt(judge, need, repair=False) for judge in self._spec.judges)

    def shortage(self) -> str:
        """What stopped the run, in words."""
        used = []
        if self.caps.max_calls is not None:
            used.append(f"{self.calls} of at most {self.caps.max_calls} calls")
        if self.caps.max_cost is not None:
            used.append(f"${self.cost:.2f} of at most ${self.caps.max_cost:.2f}")
        return (
            "The next one might not fit under the cap: it may need a second question to each judge. "
            "Used: " + ", ".join(used) + ". Raise the cap to go on."
        )

    def _cost(self, turn: Turn, judge: int, need: Need) -> float:
        """A turn's cost; the worst case where the provider did not say how many tokens it took."""
        if turn.cost is not None:
            return turn.cost
        return self._worst_prompt(self._spec.judges[judge], need, repair=turn.repair)

    def _worst_prompt(self, judge: JudgeSpec, need: Need, *, repair: bool) -> float:
        """The most that one prompt can cost, or its repair, which carries the reply before; 0 for an unknown price.

        Where others may stand in for the judge, the dearest of them counts.
        """
        tokens = self._frame + _tokens_at_worst(need) + (judge.max_tokens if repair else 0)
        prices = [other.price for other in (judge, *self._spec.fallbacks)]
        return max(_price_of(price, tokens, judge.max_tokens) for price in prices)


def _price_of(price: Price | None, tokens: float, reply: int) -> float:
    return 0.0 if price is None else (tokens * price.input + reply * price.output) / 1_000_000


def _tokens_at_worst(need: Need) -> float:
    """Counted high, also for scripts without spaces, where each character counts as a word."""
    return max(need.characters / CHARACTERS_PER_TOKEN_AT_WORST, 1.5 * need.words)


def _frame_characters(spec: RunSpec) -> int:
    """Characters of a prompt without its texts, counted generously."""
    rubric = spec.rubric
    levels = sum(len(lv.label) + len(lv.descriptor) + 20 for c in rubric.criteria for lv in c.levels)
    criteria = sum(2 * len(c.name) + len(c.description) + 200 for c in rubric.criteria)
    return 3000 + len(rubric.question) + len(rubric.source_extract) + criteria + levels
