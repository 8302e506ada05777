"""Whatever the method: reversed verdicts reverse the order, other names name the same order, and only the seed draws lots."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from judge_core.modes.listwise.script import merged
from judge_core.modes.rank import Listing, Match, RankMode
from judge_core.ranking.bradley_terry import Terms, Verdicts, estimate
from judge_core.records.item_verdict import ItemJudgment, ItemResult, PointVerdict
from judge_core.records.spec import Method, Spec
from judge_core.records.verdict import Judgment, MatchResult, OrderReading, PairScores
from tests.engine.toy import spec

METHODS: tuple[Method, ...] = ("swiss", "round-robin", "knockout", "adaptive", "listwise", "pointwise")
Asked = Match | Listing
Answer = Callable[[Asked], MatchResult | ItemResult]


def noisy(seed: int = 1) -> Answer:
    """A judge that sees a text's length, and errs; it favours the first place."""
    rng = np.random.default_rng(seed)

    def answer(asked: Asked) -> MatchResult | ItemResult:
        if isinstance(asked, Match):
            first = 0.3 if asked.shown_first == asked.a.alias else -0.3
            margin = (asked.a.words - asked.b.words) / 2 + first + rng.normal(0, 1.7)
            totals = PairScores(a=0.5 + np.tanh(margin / 10) / 2, b=0.5)
            winner = "A" if margin > 0 else "B"
            order = OrderReading(first=asked.shown_first, turn=0, scores={}, totals=totals, winner=winner)
            judged = Judgment(
                judge=0, outcome="won" if margin > 0 else "lost", result=float(margin > 0), totals=totals, orders=(order,),
                scores={"Overall": totals},
            )  # fmt: skip
            return MatchResult(a=asked.a.alias, b=asked.b.alias, judgments=(judged,))
        seen = [text.words / 2 + rng.normal(0, 1.2) for text in asked.texts]
        if len(seen) == 1:
            verdict = PointVerdict(scores={}, total=float(np.clip(0.5 + seen[0] / 40, 0, 1)))
        else:
            verdict = merged([tuple(int(n) + 1 for n in np.argsort(-np.array(seen)))])  # type: ignore[assignment]
        return ItemResult(item="", judgments=(ItemJudgment(judge=0, outcome="judged", verdict=verdict),))

    return answer


def played(run: Spec, answer: Answer) -> RankMode:
    mode = RankMode(run)
    mode.begin()
    while (asked := mode.ask()) is not None:
        mode.take(answer(asked), asked.place)
    return mode


def evidence_of(run: Spec) -> tuple[list[str], Verdicts]:
    """All that the judge said in a run, as the estimate takes it."""
    book = played(run, noisy()).book
    return list(book.texts), book.verdicts()


def strengths(items: list[str], verdicts: Verdicts, **terms: object) -> dict[str, float]:
    posterior = estimate(items, verdicts, replace(Terms(), **terms))  # type: ignore[arg-type]
    return dict(zip(posterior.items, posterior.strengths - posterior.strengths.mean(), strict=True))


def reversed_verdicts(verdicts: Verdicts) -> Verdicts:
    comparisons = [
        row._replace(result=1 - row.result, margin=None if row.margin is None else -row.margin)
        for row in verdicts.comparisons
    ]
    rankings = [row._replace(texts=row.texts[::-1]) for row in verdicts.rankings]
    return Verdicts(comparisons, rankings, [row._replace(value=-row.value) for row in verdicts.scores])


def order(values: dict[str, float]) -> list[str]:
    return sorted(values, key=values.__getitem__)


CASES = [(method, {}) for method in METHODS] + [("swiss", {"margins": True}), ("listwise", {"first_position": False})]


@pytest.mark.parametrize(("method", "terms"), CASES)
def test_reversing_all_verdicts_reverses_the_order(method: Method, terms: dict[str, object]) -> None:
    evidence = "margins" if terms.get("margins") else "winner"
    items, verdicts = evidence_of(spec(8, method=method, rounds=6, group_size=4, evidence=evidence))
    one = strengths(items, verdicts, **terms)
    other = strengths(items, reversed_verdicts(verdicts), **terms)
    assert [round(one[text], 6) for text in items] == pytest.approx(
        [-round(other[text], 6) for text in items], abs=1e-4
    )


@pytest.mark.parametrize("method", METHODS)
def test_shuffled_verdicts_and_other_names_give_the_same_ratings(method: Method) -> None:
    items, verdicts = evidence_of(spec(8, method=method, rounds=6, group_size=4))
    before = strengths(items, verdicts)
    shuffled = Verdicts(verdicts.comparisons[::-1], verdicts.rankings[::-1], verdicts.scores[::-1])
    assert strengths(items[::-1], shuffled) == pytest.approx(before, abs=1e-6)


@pytest.mark.parametrize("method", METHODS)
def test_equal_seeds_play_equal_runs_and_another_seed_another(method: Method) -> None:
    runs = [played(spec(8, method=method, rounds=3, group_size=4, seed=seed), noisy()).book for seed in (3, 3, 4)]
    asked = [(book.paired, book.listed, book.shown_first) for book in runs]
    assert asked[0] == asked[1]
    if method != "pointwise":  # which draws nothing
        assert asked[0] != asked[2]
