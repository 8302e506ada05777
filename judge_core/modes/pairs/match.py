"""The dialogue of one match: each judge of the panel compares the two texts, in one order or in both.

A dialogue yields lists of recipes, is sent what came back for each, in the same order, and returns one judgment per
judge. It does no I/O and draws nothing at random: the order shown is given to it.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from functools import partial

from judge_core.modes.asking.dialogue import Played, Reply, Script, Step, panel_dialogue, replicates, unique
from judge_core.modes.pairs.cautions import match_cautions, pair_quote_notices
from judge_core.modes.pairs.pairwise import read_pairwise, swap_sides
from judge_core.records.criteria import Criterion
from judge_core.records.errors import InputError
from judge_core.records.notices import explain
from judge_core.records.prompt import Ask, AskMode
from judge_core.records.record import Notice, Record
from judge_core.records.spec import Evidence, Spec, TextRef
from judge_core.records.verdict import (
    Judgment,
    JudgmentClass,
    MatchResult,
    OrderReading,
    PairReading,
    PairScores,
    Winner,
)
from judge_core.scoring.habits.bias import answering_model
from judge_core.scoring.weighing import pair_totals, result_of, winner_of

MatchFlow = Generator[list[Ask], list[Reply], MatchResult]
_CLASSES: dict[Winner, JudgmentClass] = {"A": "won", "B": "lost", "tie": "tied"}
_SIDED = ("score_clamped", "verdict_mismatch", "quote_not_found")
"""Notices that speak of text A or B as shown."""


class MatchOrder(Record):
    """How one match is to be asked."""

    place: int
    """The match's number in the order asked."""
    first: str
    """Alias of the text that is shown first in the first prompt of each judge."""
    replicate: int = 0
    """0 at first; raised for each retry, so that no reply comes back from the cache."""
    judges: tuple[int, ...] | None = None
    """The panel's members that are asked (indices into the spec's judges); None: all of them."""


def match_dialogue(
    a: TextRef, b: TextRef, order: MatchOrder, spec: Spec, words: Mapping[str, str] | None = None
) -> MatchFlow:
    """Asks all judges in the panel's order (with `both_orders` twice each: `order.first` first, then swapped), then once
    more for each reply that could not be read. Judges' quotes are looked up in `words`, the texts by content hash.

    Turns are numbered in the order yielded, from 0. Where a judge is unusable, nothing is asked again and the result
    carries `stop`. Raises InputError where `order.first` is neither text, ValueError where a list of another length is sent.
    """
    if order.first not in (a.alias, b.alias):
        raise InputError(f"{order.first!r} is shown first, but the match is {a.alias!r} against {b.alias!r}.")
    numbers = replicates(spec.judges, order.replicate)
    asked = range(len(spec.judges)) if order.judges is None else order.judges
    pair = (a, b) if order.first == a.alias else (b, a)
    panel = yield from panel_dialogue(
        {judge: _script(judge, pair, numbers[judge], spec) for judge in asked}, spec.judges
    )
    judgments = tuple(_judgment(played, (a, b), spec, words or {}) for played in panel.played)
    return MatchResult(a=a.alias, b=b.alias, judgments=judgments, stop=panel.stop)


def _script(judge: int, pair: tuple[TextRef, TextRef], replicate: int, spec: Spec) -> Script[None]:
    """One judge's questions: the pair as given and, where both orders are asked, the other way round."""
    orders = (pair, pair[::-1]) if spec.both_orders else (pair,)
    mode: AskMode = "pairwise_levels" if spec.evidence == "levels" else "pairwise"
    read = partial(_read, spec.rubric.criteria)
    yield [
        Step(Ask(judge=judge, mode=mode, texts=(first.sha256, second.sha256), replicate=replicate), first.alias, read)
        for first, second in orders
    ]


def _read(criteria: Sequence[Criterion], text: str, finish_reason: str | None) -> PairReading:
    return read_pairwise(text, criteria, finish_reason)


def _judgment(played: Played[None], match: tuple[TextRef, TextRef], spec: Spec, words: Mapping[str, str]) -> Judgment:
    """One judge's verdict on the match: both orders merged, or the one that could be read, or none."""
    steps: list[Step[PairReading]] = played.steps
    orders = tuple(_order(step, step.reading, match[0].alias, spec.evidence) for step in steps if step.reading)
    warnings = [notice for step in steps for notice in _warnings(step, words)]
    if not orders:
        outcome: JudgmentClass = "unparseable" if played.unread else "failed"
        return Judgment(judge=played.judge, outcome=outcome, turns=played.turns, warnings=unique(warnings))
    if len(orders) < len(steps):
        warnings.append(Notice(code="order_missing", message=explain("order_missing")))
    scores, totals = _merged(orders, spec)
    warnings += _ungraded(orders, spec.evidence)
    winner = winner_of(totals)
    flipped = {order.winner for order in orders} == {"A", "B"}
    if flipped:
        warnings.append(Notice(code="position_flip", message=explain("position_flip")))
    model = answering_model(played.judge, played.turns, spec)
    warnings += match_cautions(*match, model, "tie" if flipped else winner)
    return Judgment(
        judge=played.judge,
        outcome="flipped" if flipped else _CLASSES[winner],
        result=0.5 if flipped else result_of(winner),
        scores=scores,
        totals=totals,
        orders=orders,
        turns=played.turns,
        warnings=unique(warnings),
        level=_whole_mean([order.level for order in orders]),
        probability=_whole_mean([order.probability for order in orders]),
    )


def _order(step: Step[PairReading], reading: PairReading, a: str, evidence: Evidence) -> OrderReading:
    """The reading of one order, sides turned back to the match's own."""
    turned = reading if step.name == a else swap_sides(reading)
    chance = _probability(step, reading) if evidence == "probabilities" else None
    return OrderReading(
        first=step.name,
        turn=step.turns[-1].turn,
        scores=turned.scores,
        totals=turned.totals,
        winner=turned.winner,
        stated=turned.stated,
        level=turned.level if evidence == "levels" else None,
        probability=chance if chance is None or turned is reading else 1 - chance,
    )


def _probability(step: Step[PairReading], reading: PairReading) -> float | None:
    """The judge's probability that the text shown as A is better, whatever its scores say.

    None where the tokens told nothing, or told of another winner than the one that was read.
    """
    chances = step.chances
    return chances.a_better if chances is not None and chances.named == reading.stated else None


def _whole_mean(values: Sequence[float | None]) -> float | None:
    """The mean over all orders; None where one of them has no value: half of it would lean to the side shown first."""
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if len(known) == len(values) else None


def _ungraded(orders: Sequence[OrderReading], evidence: Evidence) -> list[Notice]:
    """What is said where the finer verdict that was asked for is not there. A contradicted winner has its own warning."""
    codes = []
    if evidence == "levels" and any(o.level is None and o.stated in (None, o.winner) for o in orders):
        codes = ["level_missing"]
    if evidence == "probabilities" and any(o.probability is None for o in orders):
        codes = ["probability_missing"]
    return [Notice(code=code, message=explain(code)) for code in codes]


def _merged(orders: Sequence[OrderReading], spec: Spec) -> tuple[dict[str, PairScores], PairScores]:
    """Each text's scores averaged over the orders, and their totals.

    Where an order brought no scores by criterion (plain prose), there are none, and the orders' totals are averaged.
    """
    names = [criterion.name for criterion in spec.rubric.criteria]
    if all(name in order.scores for order in orders for name in names):
        scores = {name: _mean([order.scores[name] for order in orders]) for name in names}
        return scores, pair_totals(scores, spec.rubric.criteria)
    return {}, _mean([order.totals for order in orders])


def _mean(pairs: Sequence[PairScores]) -> PairScores:
    return PairScores(a=sum(pair.a for pair in pairs) / len(pairs), b=sum(pair.b for pair in pairs) / len(pairs))


def _warnings(step: Step[PairReading], words: Mapping[str, str]) -> Iterator[Notice]:
    yield from step.notices
    if step.reading is None:
        return
    shown = [words.get(sha) for sha in step.ask.texts]
    for notice in (*step.reading.warnings, *pair_quote_notices(step.reading.quotes, *shown)):
        if notice.code in _SIDED:
            yield Notice(code=notice.code, message=f"{notice.message} Text A was {step.name}.")
        else:
            yield notice
