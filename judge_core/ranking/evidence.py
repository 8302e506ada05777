"""From recorded judgments to what the rating methods take: each judge's verdict with its share of the panel's say."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from judge_core.ranking.bradley_terry import Posterior, Terms, Verdicts, estimate
from judge_core.ranking.comparison import Comparison, Ranked, Score
from judge_core.records.item_verdict import ItemJudgment, ListVerdict, PointVerdict
from judge_core.records.spec import Evidence, Spec, TextRef
from judge_core.records.verdict import Judgment


def shares(spec: Spec) -> list[float]:
    """Each judge's share of one match: its weight among the panel; where judges are drawn, among as many as are drawn."""
    total = sum(judge.weight for judge in spec.judges)
    drawn = len(spec.judges) if spec.judges_per_match is None else min(spec.judges_per_match, len(spec.judges))
    return [judge.weight / total * len(spec.judges) / drawn for judge in spec.judges]


Met = tuple[str, str, Judgment]
"""Both texts of a match, and one judge's judgment on it."""
Graded = tuple[float | None, float | None, float]
"""What counts of a judgment: the result for the first text, its margin where one counts, and the margin's rounding."""
Grading = Callable[[Sequence[Judgment]], Iterable[Graded]]
"""The grades of all judgments of matches; they must be taken together."""
Listed = tuple[int, tuple[str, ...], Sequence[ItemJudgment]]
"""Round, the texts of a list in the order shown (or the one text that was scored by itself), and the judgments on them."""


@dataclass(frozen=True, slots=True)
class Said:
    """All judgments of a run that count."""

    met: Sequence[Met]
    listed: Sequence[Listed]

    def among(self, texts: Collection[str]) -> Said:
        """What was said of these texts alone; what shows any other is left out."""
        known = frozenset(texts)
        return Said(
            [(a, b, judgment) for a, b, judgment in self.met if known.issuperset((a, b))],
            [(number, shown, judgments) for number, shown, judgments in self.listed if known.issuperset(shown)],
        )

    def comparisons(self, grading: Grading, weights: Sequence[float]) -> Iterator[Comparison]:
        """Each decided judgment of a match."""
        return pair_comparisons(self.met, grading([judgment for _, _, judgment in self.met]), weights)

    def verdicts(self, grading: Grading, weights: Sequence[float]) -> Verdicts:
        """All that was decided, of whatever kind; `weights` are the judges' shares."""
        return Verdicts(
            comparisons=tuple(self.comparisons(grading, weights)),
            rankings=tuple(ranked for found in self.rankings(weights) for ranked in found),
            scores=tuple(
                s for _, shown, js in self.listed if len(shown) == 1 for s in text_scores(shown[0], js, weights)
            ),
        )

    def rankings(self, weights: Sequence[float]) -> Iterator[list[Ranked]]:
        """The decided judgments of each list, in order; those of a list and of its reverse count half each."""
        asked = {(number, shown): judgments for number, shown, judgments in self.listed}
        for number, shown, judgments in self.listed:
            if len(shown) > 1:
                yield list(list_rankings(shown, judgments, weights, asked.get((number, shown[::-1]), ())))


def terms_of(texts: Iterable[TextRef], evidence: Evidence) -> Terms:
    """The model for a rating of these texts by that evidence, with what is known of their worth."""
    anchors = {text.alias: text.anchor for text in texts if text.anchor is not None}
    return Terms(margins=evidence != "winner", anchors=anchors)


def standing(texts: Collection[str], said: Said, grading: Grading, weights: Sequence[float], terms: Terms) -> Posterior:
    """What a goal is measured on: the rating of the texts that take part, as if no other had ever been there.

    One of which nothing is decided stands at the prior, or at its anchor: it may still belong anywhere.
    """
    return estimate(list(texts), said.among(texts).verdicts(grading, weights), terms)


def pair_comparisons(met: Iterable[Met], grades: Iterable[Graded], weights: Sequence[float]) -> Iterator[Comparison]:
    """Each decided judgment of matches as one comparison; `grades` says what of each one counts.

    `position` is +1 where a single order showed the first text first, -1 where it showed it second, 0 where both orders
    were merged.
    """
    for (a, b, judgment), (result, margin, rounding) in zip(met, grades, strict=True):
        if result is not None:
            position = position_in(judgment, a)
            yield Comparison(a, b, result, weights[judgment.judge], position, margin, str(judgment.judge), rounding)


def position_in(judgment: Judgment, a: str) -> int:
    """Whether a single order showed `a` first (+1) or second (-1); 0 where both orders were merged, or nothing was read."""
    if len(judgment.orders) != 1:
        return 0
    return 1 if judgment.orders[0].first == a else -1


def list_rankings(
    shown: Sequence[str],
    judgments: Iterable[ItemJudgment],
    weights: Sequence[float],
    turned: Iterable[ItemJudgment] = (),
) -> Iterator[Ranked]:
    """Each decided judgment of a list as one ranking; candidates are numbered from 1 in the order shown.

    `turned` are the judgments of the same list in reversed order: like the two orders of a pair, a judge's two rankings
    count as one together, each by half.
    """
    twice = {judgment.judge for judgment in turned if isinstance(judgment.verdict, ListVerdict)}
    for judgment in judgments:
        if isinstance(judgment.verdict, ListVerdict):
            best_first = tuple(shown[number - 1] for number in judgment.verdict.ranking)
            weight = weights[judgment.judge] / (2 if judgment.judge in twice else 1)
            yield Ranked(best_first, weight, tuple(shown), str(judgment.judge))


def either_way(shown: tuple[str, ...]) -> tuple[str, ...]:
    """One name for a list and its reverse.

    >>> either_way(("y", "x", "z")) == either_way(("z", "x", "y")) == ("y", "x", "z")
    True
    """
    return min(shown, shown[::-1])


def text_scores(text: str, judgments: Iterable[ItemJudgment], weights: Sequence[float]) -> Iterator[Score]:
    """Each decided judgment of one text as a score: its weighted total, 0 to 1."""
    for judgment in judgments:
        if isinstance(judgment.verdict, PointVerdict):
            yield Score(text, judgment.verdict.total, weights[judgment.judge], str(judgment.judge))


def mean_places(shown: Sequence[str], judgments: Iterable[ItemJudgment], weights: Sequence[float]) -> dict[str, float]:
    """The panel's mean place of each text of a list, 1 the best; empty where no judgment is decided."""
    places: dict[str, float] = {}
    total = 0.0
    for ranked in list_rankings(shown, judgments, weights):
        total += ranked.weight
        for place, text in enumerate(ranked.texts, start=1):
            places[text] = places.get(text, 0.0) + ranked.weight * place
    return {text: places[text] / total for text in shown} if places else {}
