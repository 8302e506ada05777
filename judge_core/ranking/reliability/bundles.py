"""Bundles of verdicts: put together, taken apart, pair by pair, and whom and what they speak of."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeVar

from judge_core.ranking.bradley_terry import Posterior, Verdicts, estimate
from judge_core.ranking.comparison import Ranked

Rate = Callable[[Sequence[str], Verdicts], Posterior]
"""How texts are rated by verdicts."""
T = TypeVar("T")


class JudgedPair(NamedTuple):
    """A pair as one judge decided it."""

    a: str
    b: str
    judge: str
    result: float
    weight: float
    decisions: float = 1.0
    """How many decisions it is: 1; a list of k texts is k - 1 decisions, shared out over its pairs."""
    position: float = 0.0
    """Of a pair shown by itself: +1, a first; -1, b first."""
    list_position: float = 0.0
    """Of a pair in a list: how far a stood before b, as a share of the way from the first place to the last."""


def rated(items: Sequence[str], verdicts: Verdicts) -> Posterior:
    """The published estimate: prior sd of 2 logits, first-position effect where the verdicts tell of it."""
    return estimate(items, verdicts)


def joined(parts: Sequence[Verdicts]) -> Verdicts:
    """All verdicts of several bundles as one."""
    return Verdicts(
        [comparison for part in parts for comparison in part.comparisons],
        [ranked for part in parts for ranked in part.rankings],
        [score for part in parts for score in part.scores],
    )


def compared(items: Sequence[str], verdicts: Verdicts) -> list[str]:
    """Those of the items of which any verdict speaks, in their order."""
    met = {text for comparison in verdicts.comparisons for text in comparison[:2]}
    met.update(text for ranked in verdicts.rankings for text in ranked.texts)
    met.update(score.text for score in verdicts.scores)
    return [item for item in items if item in met]


def judges_by_row(verdicts: Verdicts) -> list[str]:
    """Who gave each verdict: comparisons, rankings and scores in turn."""
    return [
        *(one.judge for one in verdicts.comparisons),
        *(one.judge for one in verdicts.rankings),
        *(one.judge for one in verdicts.scores),
    ]


def judges_of(verdicts: Verdicts) -> tuple[str, ...]:
    """The judges by name, in alphabetical order."""
    return tuple(sorted(set(judges_by_row(verdicts))))


def marked(verdicts: Verdicts, marks: Sequence[bool]) -> Verdicts:
    """The verdicts with a mark; marks run over comparisons, rankings and scores in turn."""
    lists = len(verdicts.comparisons) + len(verdicts.rankings)
    return Verdicts(
        _kept(verdicts.comparisons, marks[: len(verdicts.comparisons)]),
        _kept(verdicts.rankings, marks[len(verdicts.comparisons) : lists]),
        _kept(verdicts.scores, marks[lists:]),
    )


def _kept(rows: Sequence[T], marks: Sequence[bool]) -> list[T]:
    return [row for row, mark in zip(rows, marks, strict=True) if mark]


def judged_pairs(verdicts: Verdicts) -> Iterator[JudgedPair]:
    """Every comparison, and every two texts of a ranked list. Scores of single texts compare nothing and are left out.

    >>> from judge_core.ranking.comparison import Ranked
    >>> [(pair.a, pair.b, round(pair.decisions, 2)) for pair in judged_pairs(Verdicts(rankings=[Ranked(("x", "y", "z"))]))]
    [('x', 'y', 0.67), ('x', 'z', 0.67), ('y', 'z', 0.67)]
    """
    for one in verdicts.comparisons:
        yield JudgedPair(one.a, one.b, one.judge, one.result, one.weight, position=one.position)
    for ranked in verdicts.rankings:
        yield from _of_list(ranked)


def _of_list(ranked: Ranked) -> Iterator[JudgedPair]:
    size = len(ranked.texts)
    shown = {text: place / (size - 1) for place, text in enumerate(ranked.shown)}
    share = 2 / size
    for place, above in enumerate(ranked.texts):
        for below in ranked.texts[place + 1 :]:
            ahead = shown[below] - shown[above] if shown else 0.0
            yield JudgedPair(above, below, ranked.judge, 1.0, ranked.weight * share, share, list_position=ahead)
