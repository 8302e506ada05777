"""The Elo lines, who beat whom, and what became of every judgment. Each chart has its table."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from judge_core.interfaces.dashboard.result.sections.course.brackets import BARE, at_least
from judge_core.interfaces.dashboard.result.shown import Shown
from judge_core.interfaces.dashboard.result.words import CLASSES, SIGNS, ledger_line
from judge_core.interfaces.dashboard.safe import label
from judge_core.views.charts import (
    elo_alt,
    elo_options,
    ledger_alt,
    ledger_figure,
    win_matrix_alt,
    win_matrix_figure,
)
from judge_core.views.state import RunState
from judge_core.views.tables import elo_table, ledger_table, win_matrix_table

MATRIX = 30
"""Most texts of the matrix."""


def show_elo_course(shown: Shown) -> None:
    """The Elo lines with a word on what they are."""
    st.markdown("Elo moves with every match and list. The ranking itself rests on all that was judged together.")
    show_elo(shown, "whole")


def show_elo(shown: Shown, place: str) -> None:
    """The Elo lines, leaders coloured; the chart keeps its place on the page while it grows."""
    state = shown.state
    st.echarts_chart(
        elo_options(state, shown.labels, shown.theme), key=f"elo_{place}", height=360, alt=elo_alt(state, shown.labels)
    )
    if place == "whole":
        with st.expander("Elo as a table", icon=":material/table_rows:", key="elo_rows", on_change="rerun") as rows:
            if rows.open:
                frame = elo_table(state, shown.labels)
                st.dataframe(frame, hide_index=True, alt="Elo of each text after each of its matches")


def show_matrix(shown: Shown) -> None:
    """Who beat whom."""
    st.markdown("W, L and T: the text of the row won, lost or tied against that of the column. Empty: they never met.")
    if any(not view.single for view in shown.state.listings.values()):
        st.markdown("In a list each two texts have met; the one ranked higher won.")
    figure = win_matrix_figure(shown.weighed, shown.table, shown.labels, shown.theme, MATRIX)
    side, words = int(figure.layout.height), win_matrix_alt(shown.weighed, shown.table)
    with at_least(side):
        st.plotly_chart(figure, key="matrix", theme=None, config=BARE, width=side, alt=words)
    if len(shown.table.rated) > MATRIX:
        st.caption(f"The best {MATRIX} are drawn; all stand in the table.")
    rows = st.expander("Who beat whom as a table", icon=":material/table_rows:", key="matrix_rows", on_change="rerun")
    with rows:
        if rows.open:
            st.dataframe(
                win_matrix_table(shown.weighed, shown.table, shown.labels),
                alt="Results of each pair, from the side of the row",
            )


def show_ledger(shown: Shown) -> None:
    """Every planned judgment by class."""
    st.markdown(label(ledger_line(shown.state), 400))
    st.plotly_chart(
        ledger_figure(shown.state, shown.theme), key="ledger", theme=None, config=BARE, alt=ledger_alt(shown.state)
    )
    column = st.column_config.TextColumn
    columns = {
        "symbol": column("Sign", width="small"), "class": column("Class", width="small"),
        "judgments": st.column_config.NumberColumn("Judgments", width="small"),
        "meaning": column("What it means", width="large"),
    }  # fmt: skip
    st.dataframe(
        ledger_frame(shown.state), hide_index=True, height="content", column_config=columns,
        alt="Judgments by class; they add up to all that were planned",
    )  # fmt: skip


def ledger_frame(state: RunState) -> pd.DataFrame:
    """The classes with symbol, number and meaning, and their sum."""
    frame = ledger_table(state)
    frame.insert(0, "symbol", [SIGNS[name] for name in frame["class"]])
    frame["class"] = [CLASSES[name] for name in frame["class"]]
    whole = {"symbol": "Σ", "class": "all", "judgments": state.planned_judgments, "meaning": "all that were planned"}
    return pd.concat([frame, pd.DataFrame([whole])], ignore_index=True)
