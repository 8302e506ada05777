"""Whole runs, played on their own schedules by simulated judges, for the views of trust."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

import numpy as np
from scipy.special import expit

from judge_core.modes.listwise.script import merged
from judge_core.modes.rank import Listing, Match, RankMode
from judge_core.records.event import Event, Stored
from judge_core.records.item_verdict import ItemJudgment, ItemResult, ItemVerdict, PointVerdict
from judge_core.records.spec import Spec
from judge_core.records.verdict import Judgment, MatchResult
from judge_core.views.state import RunState, fold
from tests.views.streams import alias, both_orders, judge, spec, win

PANEL = tuple(judge(f"openai:judge-{number}") for number in (1, 2, 3))
Bench = Sequence["Simulated"]


class Simulated:
    """A judge that sees the true differences through noise, plus what it gives to the first text; sharp 0 is a coin."""

    def __init__(self, seed: int, sharp: float = 1.0, first: float = 0.0) -> None:
        self.rng, self.sharp, self.first = np.random.default_rng([seed, 3]), sharp, first

    def prefers(self, gap: float) -> bool:
        """Whether it takes the text that is shown first and is better by `gap` logits."""
        return bool(self.rng.random() < expit(self.sharp * gap + self.first))

    def ranks(self, values: Sequence[float]) -> list[int]:
        """Numbers from 1, best first: by the values with Gumbel noise, which is the model of Plackett and Luce."""
        noisy = self.sharp * np.array(values) + self.rng.gumbel(size=len(values))
        return [int(place) + 1 for place in np.argsort(-noisy)]


def truth(texts: int) -> dict[str, float]:
    """The lower number is the better text."""
    return {alias(place + 1): float(value) for place, value in enumerate(np.linspace(2.5, -2.5, texts))}


def played(bench: Bench, texts: int = 10, **fields: object) -> RunState:
    """A run by that bench, to its end."""
    of = spec(texts, **{"judges": PANEL[: len(bench)], **fields})
    mode = RankMode(of)
    return folded(of, [*mode.begin(), *answered(mode, bench, truth(texts))])


def answered(mode: RankMode, bench: Bench, values: dict[str, float]) -> list[Event]:
    """All that the mode asks, answered."""
    events: list[Event] = []
    while (asked := mode.ask()) is not None:
        events += mode.take(answer(asked, mode.spec, bench, values), asked.place)
    return events


def folded(of: Spec, events: Sequence[Event]) -> RunState:
    numbers = count(1)
    stored = [Stored(seq=next(numbers), at="2026-11-30T12:00:00Z", event=event) for event in events]
    return fold(of, stored)


def answer(asked: Match | Listing, of: Spec, bench: Bench, values: dict[str, float]) -> MatchResult | ItemResult:
    asked_judges = asked.judges or tuple(range(len(bench)))
    if isinstance(asked, Match):
        judge_pair = _both if of.both_orders else _one
        judgments = tuple(judge_pair(asked, place, bench[place], values) for place in asked_judges)
        return MatchResult(a=asked.a.alias, b=asked.b.alias, judgments=judgments)
    own = [values[text.alias] for text in asked.texts]
    listed = [(place, _verdict(bench[place], own)) for place in asked_judges]
    return ItemResult(
        item="",
        judgments=tuple(ItemJudgment(judge=place, outcome="judged", verdict=verdict) for place, verdict in listed),
    )


def _verdict(simulated: Simulated, values: Sequence[float]) -> ItemVerdict:
    if len(values) == 1:
        return PointVerdict(scores={}, total=float(expit(values[0] + simulated.rng.normal())))
    return merged([tuple(simulated.ranks(values))])


def _won(first: str, second: str, simulated: Simulated, values: dict[str, float]) -> str:
    return first if simulated.prefers(values[first] - values[second]) else second


def _one(asked: Match, place: int, simulated: Simulated, values: dict[str, float]) -> Judgment:
    first = asked.shown_first
    second = asked.b.alias if first == asked.a.alias else asked.a.alias
    ahead = _won(first, second, simulated, values) == asked.a.alias
    return win(*((8, 4) if ahead else (4, 8)), judge=place, first=first)


def _both(asked: Match, place: int, simulated: Simulated, values: dict[str, float]) -> Judgment:
    a, b = asked.a.alias, asked.b.alias
    scores = [
        {"Argument": marks, "Style": marks}
        for order in ((a, b), (b, a))
        for marks in [(8.0, 4.0) if _won(*order, simulated, values) == a else (4.0, 8.0)]
    ]
    return both_orders(scores[0], scores[1], a=a, b=b).model_copy(update={"judge": place})
