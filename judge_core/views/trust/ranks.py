"""Where each text may truly stand: the chance of each rank."""

from __future__ import annotations

import pandas as pd

from judge_core.ranking.reliability.settled import rank_chances
from judge_core.views.standings import Standings
from judge_core.views.tables import Labels, name
from judge_core.views.trust.frames import framed_rows

MOST = 40
"""Texts, and ranks, that are told one by one."""


def rank_table(table: Standings, labels: Labels | None = None, most: int = MOST) -> pd.DataFrame:
    """A row a rated text, best first, and a column a rank: the chance that this is its true rank. Rows sum to 1.

    Twin of the rank chart. Of more than `most` texts the best are told, and all ranks beyond in one column (`41+`).
    Empty while nothing is rated.
    """
    rated = [row.alias for row in table.rated]
    if table.posterior is None or not rated or table.posterior.unbounded:
        return framed_rows([], {"text": "object"})
    chances = rank_chances(table.posterior, rated)[:most]
    columns = {str(rank): chances[:, rank - 1] for rank in range(1, min(most, len(rated)) + 1)}
    if len(rated) > most:
        columns[f"{most + 1}+"] = chances[:, most:].sum(axis=1)
    return pd.DataFrame({"text": [name(alias, labels) for alias in rated[:most]], **columns})
