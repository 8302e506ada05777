"""Judge by judge: how steady, how fair to both sides, how sharp, and how near the panel."""

from __future__ import annotations

import numpy as np
import pandas as pd

from judge_core.ranking.bradley_terry import Effect, Verdicts, estimate
from judge_core.ranking.reliability.bundles import compared, judges_of
from judge_core.ranking.reliability.fit_statistics import Fit, judge_fit
from judge_core.ranking.reliability.panel import alone
from judge_core.scoring.habits.bias import share_of
from judge_core.views.evidence import Basis, terms
from judge_core.views.listings import ListingView
from judge_core.views.matches import MatchView
from judge_core.views.standings import Standings
from judge_core.views.state import RunState
from judge_core.views.tables import first_and_second
from judge_core.views.trust.course import expected, rate_of, said
from judge_core.views.trust.frames import Row, framed_rows

JUDGE_COLUMNS = {
    "judge": "object",
    "decisions": "Int64",
    "asked in both orders": "Int64",
    "flipped": "Int64",
    "flip rate": "Float64",
    "shown first won": "Int64",
    "shown second won": "Int64",
    "first share": "Float64",
    "first share low": "Float64",
    "first share high": "Float64",
    "infit": "Float64",
    "outfit": "Float64",
    "adjusted infit": "Float64",
    "misfit": "boolean",
    "discrimination": "Float64",
    "discrimination low": "Float64",
    "discrimination high": "Float64",
    "tau with all": "Float64",
}


def judge_table(state: RunState, table: Standings) -> pd.DataFrame:
    """A row a judge. What cannot be told is empty.

    `flip rate`: of the pairs asked in both orders, those whose winner changed; a judge that guesses flips half of them.
    `first share`: of the prompts with a winner, those where the text shown first won, with its 95 % interval. `infit`,
    `outfit`: from 20 decisions on; `misfit` marks an adjusted infit of 1.3 or more. `discrimination`: how sharply it tells
    texts apart beside the other judges (1 is their geometric mean), with its 95 % interval; for panels. `tau with all`:
    Kendall's tau of the ratings by it alone with those by all, itself among them; for panels.
    """
    found = expected(state, table)
    fits = judge_fit(found) if found else {}
    sharpness = discriminations(state, table)
    rows = [
        {
            "judge": state.spec.judge_names[number],
            "decisions": _decisions(state, number),
            **_orders(state, number),
            **_sides(state, number),
            **_fit(fits.get(str(number))),
            **_sharp(sharpness.get(str(number))),
            "tau with all": _tau(state, table, str(number)),
        }
        for number, judge in enumerate(state.spec.judges)
    ]
    return framed_rows(rows, JUDGE_COLUMNS)


def discriminations(state: RunState, table: Standings) -> dict[str, Effect]:
    """Each judge's multiplier, fitted jointly without reference labels; empty for a single judge."""
    verdicts = said(state, table)
    if table.posterior is None or len(judges_of(verdicts)) < 2:
        return {}
    basis = Basis(table.basis.evidence, discrimination=True, length=table.basis.length)
    return dict(_jointly(state, verdicts, basis))


def _jointly(state: RunState, verdicts: Verdicts, basis: Basis) -> dict[str, Effect]:
    items = compared([text.alias for text in state.spec.texts], verdicts)
    return dict(estimate(items, verdicts, terms(state.spec, basis, items)).discriminations)


def _decisions(state: RunState, judge: int) -> int:
    views: list[MatchView | ListingView] = [*state.matches.values(), *state.listings.values()]
    return sum(judgment.decided for view in views for judgment in view.judgments if judgment.judge == judge)


def _orders(state: RunState, judge: int) -> Row:
    """Pairs that the judge decided in both orders, and how many of them flipped."""
    both = [
        judgment.outcome
        for view in state.matches.values()
        for judgment in view.judgments
        if judgment.judge == judge and judgment.decided and len(judgment.orders) > 1
    ]
    flipped = both.count("flipped")
    rate = flipped / len(both) if both else None
    return {"asked in both orders": len(both), "flipped": flipped if both else None, "flip rate": rate}


def _sides(state: RunState, judge: int) -> Row:
    chosen = first_and_second(state, judge)
    first, second = chosen.values()
    if not first + second:
        return chosen
    share = share_of(first, first + second)
    return {**chosen, "first share": share.share, "first share low": share.low, "first share high": share.high}


def _fit(fit: Fit | None) -> Row:
    if fit is None:
        return {}
    return {"infit": fit.infit, "outfit": fit.outfit, "adjusted infit": fit.adjusted, "misfit": fit.misfits}


def _sharp(effect: Effect | None) -> Row:
    """The multiplier with its interval, which is even on a logarithmic scale."""
    if effect is None:
        return {}
    reach = float(np.exp(effect.reach))
    return {
        "discrimination": effect.logits,
        "discrimination low": effect.logits / reach,
        "discrimination high": effect.logits * reach,
    }


def _tau(state: RunState, table: Standings, judge: str) -> float | None:
    if table.posterior is None:
        return None
    return alone(said(state, table), judge, table.posterior, rate_of(state, table))
