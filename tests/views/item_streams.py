"""Hand-made runs that judge items: a builder that writes events as such a run would, and one golden stream for each mode."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import count
from typing import Any

from judge_core.records.criteria import Criterion, Rubric
from judge_core.records.event import Ended, Event, ItemJudged, ItemsStarted, RetryAsked, Stored
from judge_core.records.item import Item, ItemPart, PartRole, Pattern
from judge_core.records.item_verdict import (
    AgentMetrics,
    AgentVerdict,
    ClaimLabel,
    Goal,
    ItemJudgment,
    ItemVerdict,
    Label,
    ListVerdict,
    PointVerdict,
    RagMetrics,
    RagVerdict,
    StepLabel,
    StepWorth,
)
from judge_core.records.prompt import Usage
from judge_core.records.record import Notice, text_hash
from judge_core.records.spec import ItemMode, ItemSpec
from judge_core.records.verdict import Turn
from judge_core.scoring.weighing import weighted_total
from judge_core.views.items.state import ItemState, fold_items
from tests.views.streams import TWO, judge

MODES: tuple[ItemMode, ...] = ("review", "gate", "listwise", "rag", "agent")
GOALS: dict[Goal, float] = {"achieved": 1.0, "partly": 0.5, "not_achieved": 0.0}


def part(role: PartRole, number: int = 1, **fields: Any) -> ItemPart:
    return ItemPart(**{"role": role, "sha256": text_hash(f"{role} {number}"), "words": 50, "characters": 300, **fields})


def item(number: int, parts: Sequence[ItemPart] | None = None, **fields: Any) -> Item:
    named = {"alias": f"I-{number:03d}", "id": f"text{number}.txt", "title": f"Text {number}"}
    return Item(**{**named, "parts": tuple(parts or (part("text", number),)), **fields})


def item_spec(mode: ItemMode, items: int | Sequence[Item] = 3, **fields: Any) -> ItemSpec:
    made = tuple(item(n) for n in range(1, items + 1)) if isinstance(items, int) else tuple(items)
    defaults = {"rubric": Rubric(criteria=TWO), "judges": (judge(),), "prompt_version": "2"}
    return ItemSpec(**{"mode": mode, "items": made, **defaults, **fields})


def asked(number: int = 0, **fields: Any) -> Turn:
    usage = Usage(prompt_tokens=100, completion_tokens=10)
    return Turn(
        **{
            "turn": number,
            "first": "text",
            "status": "ok",
            "key": "k1",
            "usage": usage,
            "cost": 0.01,
            "calls": 1,
            **fields,
        }
    )


def judged(verdict: ItemVerdict, judge: int = 0, warnings: Sequence[str] = (), **fields: Any) -> ItemJudgment:
    notices = tuple(Notice(code=code, message=code) for code in warnings)
    defaults = {"turns": (asked(),), "warnings": notices}
    return ItemJudgment(**{"judge": judge, "outcome": "judged", "verdict": verdict, **defaults, **fields})


def silent(judge: int = 0, outcome: str = "failed", **fields: Any) -> ItemJudgment:
    status = "failed" if outcome == "failed" else "unparseable"
    turn = asked(status=status, error="The judge did not answer.")
    return ItemJudgment(**{"judge": judge, "outcome": outcome, "turns": (turn,), **fields})


def point(
    *scores: float, criteria: Sequence[Criterion] = TWO, stated: Any = None, total: float | None = None
) -> PointVerdict:
    """Scores in the criteria's order; with none, the verdict of a reply in prose, which has only a total."""
    by_name = {criterion.name: score for criterion, score in zip(criteria, scores, strict=False)}
    whole = weighted_total(by_name, criteria) if total is None else total
    return PointVerdict(scores=by_name, total=whole, stated=stated)


def listed(*positions: float) -> ListVerdict:
    order = sorted(range(1, len(positions) + 1), key=lambda number: (positions[number - 1], number))
    return ListVerdict(ranking=tuple(order), positions=positions, orders=(tuple(order),))


def answered(labels: Mapping[int, Label], relevant: Mapping[int, bool] | None = None, **fields: Any) -> RagVerdict:
    """Labels by claim; faithfulness and contradiction follow from them, None where there is no claim."""
    claims = tuple(ClaimLabel(claim=n, verdict=label, passages=(1,)) for n, label in labels.items())
    shares = {
        label: sum(found == label for found in labels.values()) / len(labels) for label in labels.values()
    } or None
    metrics = RagMetrics(
        faithfulness=None if shares is None else shares.get("supported", 0.0),
        contradiction=None if shares is None else shares.get("contradicted", 0.0),
        context_precision=fields.pop("context_precision", None),
    )
    return RagVerdict(claims=claims, relevant=dict(relevant or {1: True, 2: False}), metrics=metrics, **fields)


def acted(goal: Goal, *steps: StepWorth, patterns: Sequence[Pattern] = ()) -> AgentVerdict:
    shares = {worth: steps.count(worth) / len(steps) if steps else None for worth in ("useful", "redundant", "harmful")}
    return AgentVerdict(
        goal=goal,
        steps=tuple(
            StepLabel(step=n, label=worth, call_correct=worth != "harmful") for n, worth in enumerate(steps, 1)
        ),
        patterns=tuple(patterns),
        metrics=AgentMetrics(
            goal=GOALS[goal],
            useful_steps=shares["useful"],
            redundant_steps=shares["redundant"],
            harmful_steps=shares["harmful"],
        ),
    )


class ItemStream:
    """A run under way: places are given in the order asked, sequence numbers without gaps."""

    def __init__(self, of: ItemSpec) -> None:
        self.spec = of
        self.events: list[Stored] = []
        self.places = count(1)
        self.add(ItemsStarted(mode=of.mode, items=len(of.items), judges=tuple(j.name for j in of.judges)))

    def add(self, event: Event) -> ItemStream:
        number = len(self.events) + 1
        self.events.append(Stored(seq=number, at=f"2026-11-30T12:00:{number % 60:02d}Z", event=event))
        return self

    def item(self, number: int, *judgments: ItemJudgment, replicate: int = 0) -> ItemStream:
        alias = self.spec.items[number - 1].alias
        return self.add(ItemJudged(place=next(self.places), item=alias, replicate=replicate, judgments=judgments))

    def retry(self) -> ItemStream:
        return self.add(RetryAsked())

    def end(self, status: Any = "done", reason: str = "All items were judged.") -> ItemStream:
        return self.add(Ended(status=status, reason=reason))

    @property
    def state(self) -> ItemState:
        return fold_items(self.spec, self.events)


def panel(*weights: float) -> tuple[Any, ...]:
    return tuple(judge(f"openai:judge-{n}", weight=weight) for n, weight in enumerate(weights, 1))


def golden(mode: ItemMode, **fields: Any) -> ItemStream:
    """A whole run of that mode with two judges: the second, of half the first's weight, fails once and is asked again."""
    return GOLDEN[mode](**{"judges": panel(2, 1), **fields})


def _review(**fields: Any) -> ItemStream:
    stream = ItemStream(
        item_spec("review", [item(1, author="m-1", columns={"class": "7b"}), item(2), item(3)], **fields)
    )
    stream.item(1, judged(point(8, 6)), silent(1, "unparseable")).item(2, judged(point(4, 2)), judged(point(5, 5), 1))
    stream.item(3, silent(), silent(1)).retry()
    stream.item(1, judged(point(5, 6), 1, ["repaired"]), replicate=1)
    return stream.item(3, silent(), silent(1), replicate=1).end()


def _gate(**fields: Any) -> ItemStream:
    stream = ItemStream(item_spec("gate", 4, **fields))
    stream.item(1, judged(point(8, 8, stated="pass")), judged(point(7, 7, stated="pass"), 1))
    stream.item(2, judged(point(3, 3, stated="fail")), judged(point(4, 4, stated="fail"), 1))
    stream.item(3, judged(point(9, 9, stated="pass")), judged(point(9, 9, stated="hedged"), 1, ["hedged_pass"]))
    return stream.item(4, judged(point(9, 9, stated="pass")), silent(1)).end()


def _listwise(**fields: Any) -> ItemStream:
    candidates = [part("candidate", n, name=f"cand-{n}") for n in (1, 2, 3)]
    stream = ItemStream(item_spec("listwise", [item(1, candidates), item(2, candidates)], **fields))
    stream.item(1, judged(listed(1, 2, 3)), judged(listed(2, 1, 3), 1, ["list_order"]))
    return stream.item(2, judged(listed(1.5, 1.5, 3)), silent(1)).end()


def _rag(**fields: Any) -> ItemStream:
    passages = [part("passage", n, name=f"doc-{n}") for n in (1, 2)]
    asking = [part("question"), part("answer"), *passages]
    given = item(1, [*asking, part("claim", 1), part("claim", 2)])
    stream = ItemStream(item_spec("rag", [given, item(2, asking), item(3, asking)], **fields))
    stream.item(
        1,
        judged(answered({1: "supported", 2: "supported"}, context_precision=0.5)),
        judged(answered({1: "supported", 2: "contradicted"}, {1: True, 2: True}), 1),
    )
    stream.item(2, judged(answered({1: "supported", 2: "not_found"})), judged(answered({1: "contradicted"}), 1))
    return stream.item(3, judged(answered({}), 0, ["no_claims"]), silent(1)).end()


def _agent(**fields: Any) -> ItemStream:
    loop = Pattern(name="repetition_loop", steps=(1, 2, 3), severity=1, taxonomy="reasoning_error")
    seen = Pattern(name="repetition_loop", steps=(2, 3), severity=2, taxonomy="reasoning_error", source="judge")
    steps = [part("goal"), *(part("step", n, call=n > 1) for n in (1, 2, 3))]
    runs = [item(1, steps, success=True), item(2, steps, success=False, patterns=(loop,)), item(3, steps)]
    stream = ItemStream(item_spec("agent", runs, **fields))
    stream.item(
        1,
        judged(acted("achieved", "useful", "useful", "redundant")),
        judged(acted("partly", "useful", "redundant", "redundant"), 1),
    )
    stream.item(
        2,
        judged(acted("not_achieved", "harmful", "redundant", "useful", patterns=[seen]), 0, ["pattern"]),
        silent(1),
    )
    return stream.item(3, silent(), silent(1)).end()


GOLDEN: dict[ItemMode, Callable[..., ItemStream]] = {
    "review": _review,
    "gate": _gate,
    "listwise": _listwise,
    "rag": _rag,
    "agent": _agent,
}
