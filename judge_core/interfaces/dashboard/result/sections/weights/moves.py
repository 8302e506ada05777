"""Which texts change their rank between two rankings of a run."""

from __future__ import annotations

import streamlit as st

from judge_core.interfaces.dashboard.result.shown import Shown
from judge_core.interfaces.dashboard.result.words import table_height
from judge_core.views.standings import Standings

Move = tuple[str, int | None, int | None]
"""A text's alias, its rank before and its rank now."""


def moved(before: Standings, now: Standings) -> list[Move]:
    """The texts whose rank is another one now, in the order of now."""
    ranks = {row.alias: row.rank for row in before.rows}
    return [(row.alias, ranks[row.alias], row.rank) for row in now.rows if row.rank != ranks[row.alias]]


def moved_words(before: Standings, now: Standings) -> str:
    """How many ranks move, and by how much at the most.

    The ranks of a kept class, and of texts without a rating, are none.
    """
    steps = [abs(one - other) for _, one, other in moved(before, now) if one is not None and other is not None]
    if not steps:
        return "no rank moves"
    most = max(steps)
    return f"{len(steps)} of {len(now.rated)} ranks move, by {most} at the most"


def show_moves(shown: Shown, own: Standings) -> None:
    """A table of the texts that moved."""
    found = moved(own, shown.table)
    if not found:
        st.markdown(":material/check_circle: **No rank changes.**")
        return
    st.markdown(f"**{len(found)} of {len(own.rows)} texts change their rank**")
    rows = [
        {"text": shown.called(alias), "rank": now, "before": before, "move": _arrow(before, now)}
        for alias, before, now in found
    ]
    names = {"text": "Text", "rank": "Rank now", "before": "Rank before", "move": "Move"}
    height = table_height(len(rows))
    st.dataframe(rows, hide_index=True, column_config=names, alt="Texts whose rank changes", height=height)


def _arrow(before: int | None, now: int | None) -> str:
    if before is None or now is None:
        return "no rank now" if now is None else "ranked now"
    return f"▲ {before - now} up" if now < before else f"▼ {now - before} down"
