"""Hand-made runs for the tests of the views: a builder with defaults that writes events as a run would."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any

from judge_core.modes.listwise.script import merged
from judge_core.ranking.elo import update, update_list
from judge_core.ranking.schedules.swiss.narrowing import band
from judge_core.records.criteria import Criterion, Rubric
from judge_core.records.event import (
    Ended,
    Event,
    GroupJudged,
    MatchJudged,
    RoundClosed,
    RoundPaired,
    Started,
    Stored,
    TextScored,
)
from judge_core.records.item_verdict import ItemJudgment, PointVerdict
from judge_core.records.prompt import Usage
from judge_core.records.record import Notice, text_hash
from judge_core.records.spec import JudgeSpec, Spec, TextRef
from judge_core.records.verdict import Judgment, OrderReading, PairScores, Turn, Winner
from judge_core.scoring.weighing import pair_totals, panel_result, result_of, weighted_total, winner_of

TWO = (Criterion(name="Argument", weight=1.0), Criterion(name="Style", weight=1.0))
CLASSES = {"A": "won", "B": "lost", "tie": "tied"}
Scores = Mapping[str, tuple[float, float]]


def text(number: int, **fields: Any) -> TextRef:
    alias = f"E-{number:03d}"
    defaults = {"id": f"essay{number}.txt", "title": f"essay{number}", "words": 100, "characters": 600}
    return TextRef(**{"alias": alias, "sha256": text_hash(alias), **defaults, **fields})


def judge(name: str = "openai:judge-1", **fields: Any) -> JudgeSpec:
    return JudgeSpec(**{"name": name, "provider": "openai_compatible", "model": name, **fields})


def spec(texts: int | Sequence[TextRef] = 4, **fields: Any) -> Spec:
    refs = tuple(text(n) for n in range(1, texts + 1)) if isinstance(texts, int) else tuple(texts)
    defaults = {"rubric": Rubric(criteria=TWO), "judges": (judge(),), "prompt_version": "1"}
    return Spec(**{"texts": refs, **defaults, **fields})


def decided(
    scores: Scores, criteria: Sequence[Criterion] = TWO, *, judge: int = 0, first: str = "E-001", **fields: Any
) -> Judgment:
    """A judgment by one order, as the weights of the criteria decide it."""
    pairs = {name: PairScores(a=a, b=b) for name, (a, b) in scores.items()}
    totals = pair_totals(pairs, criteria)
    winner: Winner = winner_of(totals)
    stated = fields.pop("stated", winner)
    order = OrderReading(first=first, turn=0, scores=pairs, totals=totals, winner=winner, stated=stated)
    defaults = {"turns": (turn(first=first),), "orders": (order,)}
    return Judgment(
        **{
            "judge": judge,
            "outcome": CLASSES[winner],
            "result": result_of(winner),
            "scores": pairs,
            "totals": totals,
            **defaults,
            **fields,
        }
    )


def both_orders(one: Scores, other: Scores, criteria: Sequence[Criterion] = TWO, *, a: str, b: str) -> Judgment:
    """A judgment merged from two orders; scores of both stand on the match's own sides."""
    orders = []
    for number, (first, scores) in enumerate(((a, one), (b, other))):
        pairs = {name: PairScores(a=x, b=y) for name, (x, y) in scores.items()}
        totals = pair_totals(pairs, criteria)
        winner = winner_of(totals)
        orders.append(OrderReading(first=first, turn=number, scores=pairs, totals=totals, winner=winner, stated=winner))
    merged = {
        name: PairScores(a=(one[name][0] + other[name][0]) / 2, b=(one[name][1] + other[name][1]) / 2) for name in one
    }
    totals = pair_totals(merged, criteria)
    flipped = {order.winner for order in orders} == {"A", "B"}
    winner = winner_of(totals)
    return Judgment(
        judge=0,
        outcome="flipped" if flipped else CLASSES[winner],
        result=0.5 if flipped else result_of(winner),
        scores=merged,
        totals=totals,
        orders=tuple(orders),
        turns=(turn(first=a), turn(first=b, turn=1)),
        warnings=(Notice(code="position_flip", message="flip"),) if flipped else (),
    )


def turn(**fields: Any) -> Turn:
    defaults = {"turn": 0, "first": "E-001", "status": "ok", "key": "k1", "calls": 1, "cost": 0.01}
    return Turn(**{**defaults, "usage": Usage(prompt_tokens=100, completion_tokens=20), **fields})


def lost(outcome: str = "failed", *, judge: int = 0, **fields: Any) -> Judgment:
    """A judgment that brought nothing."""
    status = "failed" if outcome == "failed" else "unparseable"
    turns = (turn(status=status, cost=0.0, usage=Usage(), error="The judge did not answer."),)
    return Judgment(**{"judge": judge, "outcome": outcome, "turns": turns, **fields})


def win(a: float = 8, b: float = 4, **fields: Any) -> Judgment:
    return decided({"Argument": (a, b), "Style": (a, b)}, **fields)


class Stream:
    """Events with gapless numbers; Elo is kept as a run keeps it."""

    def __init__(self, of: Spec, planned: int = 0) -> None:
        self.spec = of
        self.events: list[Stored] = []
        self.places = count(1)
        self.moved: set[tuple[int, str, str]] = set()
        self.elo = {ref.alias: of.elo_start if ref.prior_elo is None else ref.prior_elo for ref in of.texts}
        self.add(Started(texts=len(of.texts), judges=tuple(j.name for j in of.judges), planned_matches=planned))

    def add(self, event: Event) -> Stream:
        number = len(self.events) + 1
        self.events.append(Stored(seq=number, at=f"2026-11-30T12:00:{number % 60:02d}Z", event=event))
        return self

    def round(self, number: int, *pairs: tuple[str, str], byes: Sequence[str] = (), band: Any = None) -> Stream:
        whole = band or (1, len(self.spec.texts))
        return self.add(RoundPaired(round=number, pairs=pairs, byes=tuple(byes), band=whole))

    def match(self, a: str, b: str, *judgments: Judgment, round: int = 1, replicate: int = 0) -> Stream:
        result = panel_result(judgments, self.spec.judges)
        if result is not None and (round, a, b) not in self.moved:
            self.moved.add((round, a, b))
            self.elo[a], self.elo[b] = update(self.elo[a], self.elo[b], result, self.spec.elo_k)
        elo = {a: self.elo[a], b: self.elo[b]}
        place = next(self.places)
        return self.add(
            MatchJudged(
                place=place, round=round, a=a, b=b, replicate=replicate, judgments=judgments, result=result, elo=elo
            )
        )

    def group(
        self,
        shown: Sequence[str],
        best_first: Sequence[str] | None,
        *,
        round: int = 1,
        judge: int = 0,
        replicate: int = 0,
    ) -> Stream:
        """A list as a judge ranked it; None: the call failed."""
        if best_first is None:
            judged = ItemJudgment(judge=judge, outcome="failed", turns=(turn(first="list", status="failed", calls=0),))
        else:
            ranking = tuple(shown.index(name) + 1 for name in best_first)
            judged = ItemJudgment(judge=judge, outcome="judged", verdict=merged([ranking]), turns=(turn(first="list"),))
            places = {name: float(place) for place, name in enumerate(best_first, start=1)}
            self.elo |= update_list({name: self.elo[name] for name in shown}, places, self.spec.elo_k)
        elo = {name: self.elo[name] for name in shown}
        return self.add(
            GroupJudged(
                place=next(self.places),
                round=round,
                texts=tuple(shown),
                replicate=replicate,
                judgments=(judged,),
                elo=elo,
            )
        )

    def score(self, text: str, *, round: int = 1, judge: int = 0, **scores: float) -> Stream:
        """A text as a judge scored it by itself."""
        total = weighted_total(scores, self.spec.rubric.criteria)
        verdict = PointVerdict(scores=scores, total=total)
        judged = ItemJudgment(judge=judge, outcome="judged", verdict=verdict, turns=(turn(first="review"),))
        return self.add(TextScored(place=next(self.places), round=round, text=text, judgments=(judged,)))

    def close(self, number: int) -> Stream:
        return self.add(RoundClosed(round=number))

    def end(self, status: Any = "done", reason: str = "All rounds were judged.") -> Stream:
        return self.add(Ended(status=status, reason=reason))


def alias(number: int) -> str:
    return f"E-{number:03d}"


def played(texts: int = 4, rounds: int = 3, **fields: Any) -> Stream:
    """A whole run in which the lower number always wins, in a fixed schedule of neighbours."""
    of = spec(texts, rounds=rounds, **fields)
    stream = Stream(of, planned=rounds * (texts // 2))
    names = [alias(n) for n in range(1, texts + 1)]
    for number in range(1, rounds + 1):
        ring = names[:1] + names[1:][number - 1 :] + names[1:][: number - 1]
        pairs = [tuple(sorted((ring[i], ring[texts - 1 - i]))) for i in range(texts // 2)]
        stream.round(number, *pairs, band=band(of.narrowing, texts, number))  # type: ignore[arg-type]
        for index, (a, b) in enumerate(pairs):
            stream.match(a, b, win(first=(a, b)[(index + number) % 2]), round=number)
        stream.close(number)
    return stream.end()


def case(identifier: str) -> dict[str, Any]:
    """A recorded case by its id."""
    with (Path(__file__).parents[1] / "cases" / "cases.jsonl").open(encoding="utf-8") as lines:
        return next(found for line in lines if (found := json.loads(line))["id"] == identifier)
