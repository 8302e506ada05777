"""Text by text: how well its rank is known, and whether the verdicts on it agree with one another."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from judge_core.ranking.bradley_terry import Posterior
from judge_core.ranking.reliability.fit_statistics import Fit, text_fit
from judge_core.ranking.reliability.settled import likely_ranks, rank_chances, settled_place, settled_ranks
from judge_core.views.standings import Standing, Standings
from judge_core.views.state import RunState
from judge_core.views.tables import Labels, name
from judge_core.views.trust.course import expected
from judge_core.views.trust.frames import Row, framed_rows

TEXT_COLUMNS = {
    "text": "object",
    "rank": "Int64",
    "rating": "Float64",
    "standard error": "Float64",
    "low": "Float64",
    "high": "Float64",
    "infit": "Float64",
    "outfit": "Float64",
    "adjusted infit": "Float64",
    "misfit": "boolean",
    "comparisons": "Int64",
    "wins": "Int64",
    "losses": "Int64",
    "ties": "Int64",
    "settled": "boolean",
    "in the top": "Float64",
    "top settled": "boolean",
    "median rank": "Int64",
    "best rank": "Int64",
    "worst rank": "Int64",
}


def text_table(state: RunState, table: Standings, labels: Labels | None = None, top: int | None = None) -> pd.DataFrame:
    """A row a text, as in the standings. What was not measured is empty.

    `standard error` is that of the rating, in points. `misfit` marks an adjusted infit of 1.3 or more: look here.
    `settled`: told apart from both neighbours in rank at the level of the standings. `in the top` is the chance to be truly
    among the `top` best (by default those of `top_of`), `top settled` whether that is 95 % or more, or 5 % or less. `best
    rank` to `worst rank` hold the true rank with 95 %.
    """
    texts = [row.alias for row in table.rated]
    found = expected(state, table)
    fits = text_fit(found) if found else {}
    more = _places(table.posterior, texts, table.level, top or top_of(state)) if table.posterior and texts else {}
    rows = [_row(row, labels, table.posterior, fits.get(row.alias), more.get(row.alias, {})) for row in table.rows]
    return framed_rows(rows, TEXT_COLUMNS)


def top_of(state: RunState) -> int:
    """The K that the run is about, by its goal or its narrowing; 1 where it is about none."""
    if state.goal is not None and state.goal.kind == "top":
        return state.goal.ranks[0]
    return state.spec.narrowing.k or 1


def _places(posterior: Posterior, texts: Sequence[str], level: float, top: int) -> dict[str, Row]:
    """What is known of each text's place among those that are ranked."""
    if posterior.unbounded:
        return {}
    chances = rank_chances(posterior, texts)
    settled = settled_ranks(posterior, level, texts)
    inside = chances[:, :top].sum(axis=1).tolist()
    return {
        text: {
            "settled": settled[text],
            "in the top": chance,
            "top settled": settled_place(chance),
            "median rank": likely.median,
            "best rank": likely.best,
            "worst rank": likely.worst,
        }
        for text, chance, likely in zip(texts, inside, likely_ranks(chances), strict=True)
    }


def _row(row: Standing, labels: Labels | None, posterior: Posterior | None, fit: Fit | None, more: Row) -> Row:
    rated = posterior is not None and row.rating is not None
    cells: dict[str, object] = {
        "text": name(row.alias, labels),
        "rank": row.rank,
        "rating": row.rating,
        "standard error": posterior.sd(row.alias) if posterior and rated else None,
        "low": row.low,
        "high": row.high,
        "comparisons": row.comparisons,
        "wins": row.wins,
        "losses": row.losses,
        "ties": row.ties,
    }
    if fit and rated:
        cells |= {
            "infit": fit.infit,
            "outfit": fit.outfit,
            "adjusted infit": fit.adjusted,
            "misfit": fit.misfits,
        }
    return {**cells, **more}
