"""The most probable strengths given all verdicts at once, by Newton's method, and the spread about them (Laplace).

Model (R. A. Bradley and M. E. Terry, Rank analysis of incomplete block designs, 1952; first-position term as in
R. R. Davidson and R. J. Beaver, On extending the Bradley-Terry model to incorporate within-pair order effects, 1977):
the logit of "a beats b" is strength a - strength b + position * first-position effect. A tie counts as half a win
for either side. Margins and scores are normal about the same differences, ranked lists follow Plackett and Luce with the
same strengths. Strengths and effects have normal priors about 0.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from judge_core.ranking.bradley_terry.case import Case, read_case
from judge_core.ranking.bradley_terry.connection import main_group, reach, strong_groups
from judge_core.ranking.bradley_terry.curvature import DENSE_TEXTS, Prior
from judge_core.ranking.bradley_terry.likelihood.effects import Effect
from judge_core.ranking.bradley_terry.likelihood.tally import Indices, Marks
from judge_core.ranking.bradley_terry.multipliers import balance, discriminations, multipliers, widened
from judge_core.ranking.bradley_terry.newton import Peak, climb, peak
from judge_core.ranking.bradley_terry.posterior import Posterior
from judge_core.ranking.bradley_terry.terms import PRIOR_SD, Terms, Verdicts
from judge_core.ranking.comparison import Comparison
from judge_core.records.errors import InputError


def fit(
    items: Sequence[str],
    comparisons: Sequence[Comparison],
    *,
    prior_sd: float | None = PRIOR_SD,
    first_position: bool = True,
) -> Posterior:
    """Rates the texts by the winners of their comparisons; see `estimate`.

    >>> posterior = fit(["x", "y"], [Comparison("x", "y", 1.0)], prior_sd=1.0)
    >>> posterior.ranks()
    {'x': 1, 'y': 2}
    """
    return estimate(items, Verdicts(comparisons), Terms(prior_sd=prior_sd, first_position=first_position))


def estimate(items: Sequence[str], verdicts: Verdicts, terms: Terms | None = None) -> Posterior:
    """Rates the texts by all verdicts.

    Without a prior, texts without a finite estimate are `unbounded` and get no number. An effect is estimated if asked
    for and if any verdict tells of it. InputError for verdicts that cannot be used, for terms that they cannot carry, and
    for maximum likelihood over more than 2,000 texts.

    >>> from judge_core.ranking.comparison import Ranked
    >>> posterior = estimate(["x", "y", "z"], Verdicts([Comparison("x", "y", 1.0)], [Ranked(("y", "x", "z"))]))
    >>> posterior.ranks()
    {'x': 1, 'y': 2, 'z': 3}
    """
    case = read_case(items, verdicts, terms or Terms())
    if case.terms.prior_sd is None:
        return _maximum_likelihood(case)
    groups = np.zeros(case.size, dtype=np.intp)
    return _posterior(case, _most_probable(case), groups, main=0)


def _most_probable(case: Case) -> Peak:
    if case.leanings is None:
        evidence = [part.evidence for part in case.parts(np.ones(len(case.judges)))]
        return peak(evidence, case.prior, climb(evidence, case.prior, case.prior.mean))
    parameters = balance(case)
    evidence = [part.evidence for part in case.parts(multipliers(case, parameters))]
    return peak(evidence, widened(case), parameters)


def _maximum_likelihood(case: Case) -> Posterior:
    if case.size > DENSE_TEXTS:
        raise InputError(
            f"Maximum likelihood takes up to {DENSE_TEXTS:,} texts; for {case.size:,} give a prior.", field="prior"
        )
    groups, known = strong_groups(case.winners), reach(case.winners)
    evidence = [case.by_winners(case.winners.where(groups[case.winners.first] == groups[case.winners.second]))]
    prior = Prior(np.zeros(case.size), np.zeros(case.size), groups=groups).wider(case.effects.precisions)
    found = peak(evidence, prior, climb(evidence, prior, prior.mean))
    return _posterior(case, found, groups, main=main_group(groups), known=known & ~known.T)


def _posterior(case: Case, top: Peak, groups: Indices, *, main: int | None, known: Marks | None = None) -> Posterior:
    size, (parameters, found) = case.size, top
    sds = np.sqrt(found.effects.diagonal()).tolist()
    return Posterior(
        items=case.items,
        strengths=parameters[:size],
        covariance=found.covariance,
        variances=found.variances[:size],
        effects=dict(zip(case.effects.told, map(Effect, parameters[size:].tolist(), sds), strict=False)),
        discriminations=discriminations(case, parameters, found.effects),
        silent_margins=case.silent_margins,
        silent_scores=case.silent_scores,
        counts=case.counts,
        edges=case.edges,
        groups=groups,
        main=main,
        known_above=known,
        anchored=bool(case.anchored.any()),
    )
