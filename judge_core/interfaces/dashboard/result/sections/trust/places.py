"""Where each text may truly stand, and what the place in which it is shown is worth to it."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from judge_core.interfaces.dashboard.result.sections.course.brackets import BARE, at_least
from judge_core.interfaces.dashboard.result.shown import Chosen, RunKey, Shown
from judge_core.interfaces.dashboard.result.words import PERCENT
from judge_core.interfaces.dashboard.safe import plain
from judge_core.views.charts.trust.position import position_alt, position_figure
from judge_core.views.charts.trust.rank_heat import rank_heat_alt, rank_heat_figure
from judge_core.views.standings import Standings
from judge_core.views.state import RunState
from judge_core.views.trust import position_table, rank_table
from judge_core.views.trust.ranks import MOST

CELL = 26
"""Pixels of a rank."""


def show_ranks(shown: Shown) -> None:
    """The heat map of ranks, and its table."""
    st.markdown(
        "How probable each rank is for each text, as these judges see the texts. One dark cell: its rank is settled. A long "
        "smear: it may stand anywhere in it."
    )
    figure = rank_heat_figure(shown.table, shown.labels, shown.theme)
    with at_least(180 + CELL * min(len(shown.table.rated), MOST)):
        st.plotly_chart(figure, key="rank_heat", theme=None, config=BARE, alt=rank_heat_alt(shown.table, shown.labels))
    more = len(shown.table.rated) - MOST
    if more > 0:
        st.caption(f"The best {MOST} are drawn; all ranks beyond stand in one column.")
    rows = st.expander("Chances as a table", icon=":material/table_rows:", key="rank_rows", on_change="rerun")
    with rows:
        if rows.open:
            frame = rank_table(shown.table, shown.labels)
            ranks = list(frame.columns[1:])
            frame[ranks] *= 100
            config = {rank: st.column_config.NumberColumn(rank, format=PERCENT) for rank in ranks}
            st.dataframe(frame, hide_index=True, column_config={"text": "Text", **config}, alt="Chance of each rank")


def show_position(shown: Shown) -> None:
    """What the first place is worth, by all judges, by each, and as the run went on."""
    frame = _positions(shown.key, shown.chosen, shown.weighed, shown.table)
    if frame.empty:
        both = shown.state.spec.both_orders and bool(shown.state.matches)
        st.markdown(
            "Each pair was judged in both orders, so no text gains by standing first."
            if both
            else "Nothing tells what a place is worth: every text was shown by itself."
        )
        return
    st.markdown(
        "What it is worth to stand first, estimated together with the ratings, which allow for it. A whisker that crosses 0: no "
        "favour is visible. Logits are the model's own unit of strength: 1 logit is odds of about 27 to 10, or 174 points of rating."
    )
    st.plotly_chart(
        position_figure(frame, shown.theme), key="position", theme=None, config=BARE, alt=position_alt(frame)
    )
    with st.expander("Places as a table", icon=":material/table_rows:"):
        number = st.column_config.NumberColumn
        st.dataframe(
            frame.assign(of=[plain(name) for name in frame["of"]]).drop(columns="kind"), hide_index=True,
            alt="What the first place is worth, with intervals",
            column_config={
                "of": "By", "place": "Place", "effect": number("Logits", format="%+.2f", help="The model's own unit of strength: 1 logit is about 174 points of rating"),
                "low": number("95 % from", format="%+.2f"), "high": number("to", format="%+.2f"),
                "points": number("Points", format="%+.0f"), "verdicts": "Verdicts",
            },
        )  # fmt: skip


@st.cache_resource(max_entries=16, show_spinner=False)
def _positions(key: RunKey, chosen: Chosen, _state: RunState, _table: Standings) -> pd.DataFrame:
    return position_table(_state, _table)
