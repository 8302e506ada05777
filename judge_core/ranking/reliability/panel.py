"""What each judge of a panel adds: the order by it alone, the order without it, and how many independent ones there are."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from scipy.stats import kendalltau

from judge_core.ranking.bradley_terry import Posterior, Verdicts
from judge_core.ranking.reliability.bundles import Rate, compared, judges_by_row, judges_of, marked, rated
from judge_core.ranking.reliability.fit_statistics import FEWEST_DECISIONS, Expectations
from judge_core.ranking.reliability.separation import FEWEST_TEXTS
from judge_core.ranking.standings import ranks


class LeftOut(NamedTuple):
    """The order without one judge."""

    judge: str
    ranks: dict[str, int]
    """Of the texts that are still rated."""
    tau: float | None
    """Kendall's tau-b of the ratings without it and by all; None with fewer than three texts, or without spread."""
    moved: str | None
    """The text whose rank changes most, the first of equals; None where none changes."""
    before: int | None
    """Its rank by all, among the same texts."""
    after: int | None


class PanelSize(NamedTuple):
    """How many independent judges a panel is worth."""

    effective: float
    """n / (1 + (n - 1) * correlation), from 1 to n (L. Kish, Survey sampling, 1965)."""
    correlation: float
    """Mean over the pairs of judges, of their residuals on pairs of texts that both judged."""
    judges: int
    """n: those with enough pairs in common with another."""


def of_judge(verdicts: Verdicts, judge: str) -> Verdicts:
    """The verdicts of that judge alone."""
    return marked(verdicts, [own == judge for own in judges_by_row(verdicts)])


def without_judge(verdicts: Verdicts, judge: str) -> Verdicts:
    """The verdicts of all other judges."""
    return marked(verdicts, [own != judge for own in judges_by_row(verdicts)])


def alone(verdicts: Verdicts, judge: str, joint: Posterior, rate: Rate = rated) -> float | None:
    """Kendall's tau-b of the ratings by that judge alone and by all, itself among them, over the texts it judged.

    `joint` is the rating by all. None where there is only one judge, fewer than three texts, or no spread.
    """
    own = of_judge(verdicts, judge)
    texts = compared(joint.items, own)
    if len(judges_of(verdicts)) < 2 or not texts:
        return None
    return rank_correlation(rate(texts, own), joint, texts)


def leave_one_out(
    verdicts: Verdicts, joint: Posterior, rate: Rate = rated, among: Sequence[str] | None = None
) -> list[LeftOut]:
    """The order without each judge in turn; nothing for a single judge.

    `joint` is the rating by all, `among` the texts that are ranked: all by default.
    """
    judges, ranked = judges_of(verdicts), joint.items if among is None else among
    if len(judges) < 2:
        return []
    return [_left_out(without_judge(verdicts, judge), judge, joint, ranked, rate) for judge in judges]


def _left_out(others: Verdicts, judge: str, joint: Posterior, among: Sequence[str], rate: Rate) -> LeftOut:
    posterior = rate(compared(joint.items, others), others)
    texts = compared(among, others)
    before, after = _ranks(joint, texts), _ranks(posterior, texts)
    tau = rank_correlation(posterior, joint, texts)
    moved = max(texts, key=lambda text: abs(after[text] - before[text]), default=None)
    if moved is None or after[moved] == before[moved]:
        return LeftOut(judge, after, tau, None, None, None)
    return LeftOut(judge, after, tau, moved, before[moved], after[moved])


def _ranks(posterior: Posterior, texts: Sequence[str]) -> dict[str, int]:
    return ranks({text: posterior.rating(text) or 0.0 for text in texts})


def rank_correlation(one: Posterior, other: Posterior, texts: Sequence[str]) -> float | None:
    """Kendall's tau-b of two ratings of the same texts; None for fewer than three, or where one is all equal."""
    pairs = [(one.rating(text), other.rating(text)) for text in texts]
    known = np.array([pair for pair in pairs if None not in pair], dtype=np.float64).reshape(-1, 2).round(6)
    if len(known) < FEWEST_TEXTS or np.ptp(known, axis=0).min() == 0:
        return None
    return float(kendalltau(known[:, 0], known[:, 1]).statistic)


def effective_judges(found: Expectations) -> PanelSize | None:
    """How many independent judges the panel is worth, by the correlation of what they say beyond the joint fit.

    Residuals are taken by pair of texts, the mean of a judge that judged it several times. Errors that judges share and
    that the ratings have taken for quality are not seen: the number is an upper bound. None for fewer than two judges
    with 20 pairs of texts in common and some variation.
    """
    by_judge = _residuals_by_judge(found)
    pairs = {pair: _correlation(by_judge[pair[0]], by_judge[pair[1]]) for pair in combinations(sorted(by_judge), 2)}
    known = {pair: value for pair, value in pairs.items() if value is not None}
    if not known:
        return None
    n = len({judge for pair in known for judge in pair})
    mean = float(np.mean(list(known.values())))
    shared = 1 + (n - 1) * mean
    return PanelSize(min(float(n), max(1.0, n / shared)) if shared > 0 else float(n), mean, n)


Residuals = dict[tuple[str, str], float]
"""Mean residual by pair of texts (in alphabetical order), from the side of the first."""


def _residuals_by_judge(found: Expectations) -> dict[str, Residuals]:
    gathered: dict[str, dict[tuple[str, str], list[float]]] = {}
    for one, left in zip(found.pairs, found.residuals.tolist(), strict=True):
        pair, turn = ((one.a, one.b), 1) if one.a < one.b else ((one.b, one.a), -1)
        gathered.setdefault(one.judge, {}).setdefault(pair, []).append(turn * left)
    return {judge: {pair: sum(values) / len(values) for pair, values in own.items()} for judge, own in gathered.items()}


def _correlation(one: Residuals, other: Residuals) -> float | None:
    """About 0, where the model has its mean, so that it does not matter which text of a pair is named first."""
    shared = sorted(one.keys() & other.keys())
    if len(shared) < FEWEST_DECISIONS:
        return None
    x, y = (np.array([own[pair] for pair in shared]) for own in (one, other))
    size = float(np.linalg.norm(x) * np.linalg.norm(y))
    return float(x @ y) / size if size > 0 else None
