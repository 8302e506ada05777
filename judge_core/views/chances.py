"""How sure the places of a table are: settled or not, the chance of the top and of each side of a line.

Withdrawn texts take no place: the chances are those among the texts that still take part.
"""

from __future__ import annotations

import numpy as np

from judge_core.ranking import evidence
from judge_core.ranking.bradley_terry import Posterior
from judge_core.ranking.evidence import shares
from judge_core.ranking.reliability.settled import rank_chances, settled_ranks
from judge_core.records.spec import Goal
from judge_core.views.evidence import grading, said, terms
from judge_core.views.reweighing import reweighed, weights_of
from judge_core.views.standings import Standings
from judge_core.views.state import RunState


def settled(table: Standings) -> dict[str, bool]:
    """By rated text, whether it is told apart from both its neighbours."""
    if table.posterior is None:
        return {}
    return settled_ranks(table.posterior, table.level, [row.alias for row in table.rated])


def top_chances(table: Standings, k: int) -> dict[str, float]:
    """By rated text, the probability to be among the k truly best."""
    texts = [row.alias for row in table.rated]
    if table.posterior is None or not texts:
        return {}
    inside = rank_chances(table.posterior, texts)[:, :k].sum(axis=1)
    return dict(zip(texts, inside.tolist(), strict=True))


def best_chance(table: Standings, alias: str) -> float | None:
    """The probability of a rated text to be truly the best of the rated; None where there is no rating."""
    texts = [row.alias for row in table.rated]
    if table.posterior is None or alias not in texts:
        return None
    place = {item: number for number, item in enumerate(table.posterior.items)}
    best = table.posterior.draws()[:, [place[text] for text in texts]].argmax(axis=1)
    return float((best == texts.index(alias)).mean())


def bands(table: Standings, goal: Goal) -> dict[str, tuple[int, float]]:
    """By rated text, the band of the goal's lines in which it most probably lies (from 1, the best), and that chance."""
    posterior, texts = table.posterior, [row.alias for row in table.rated]
    if posterior is None or not texts:
        return {}
    if goal.ranks:
        above = np.cumsum(rank_chances(posterior, texts), axis=1)[:, np.clip(goal.ranks, 1, len(texts)) - 1]
    else:
        lines = sorted(goal.ratings, reverse=True)
        above = np.array([[posterior.probability_over(text, line) for line in lines] for text in texts])
    chances = np.diff(above, axis=1, prepend=0.0, append=1.0)
    best = chances.argmax(axis=1)
    return {text: (int(band) + 1, float(row[band])) for text, band, row in zip(texts, best, chances, strict=True)}


def standing(state: RunState, table: Standings) -> Posterior | None:
    """What a run's goal is measured on, as the run itself measures it; None before anything was judged.

    All texts that take part count, also those of which nothing is decided, as if withdrawn ones had never been there.
    """
    texts = [text.alias for text in state.spec.texts if text.alias not in state.withdrawn]
    if not state.judged or not texts:
        return None
    if table.posterior is not None and list(table.posterior.items) == texts:
        return table.posterior
    spec, basis = state.spec, table.basis
    heard = said(reweighed(state, table.weights if table.weights != weights_of(spec.rubric) else None, table.choice))
    return evidence.standing(texts, heard, grading(spec, basis), shares(spec), terms(spec, basis, texts))
