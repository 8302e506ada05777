"""How it went: the bracket, the Elo lines, who beat whom, and what became of every judgment. Each chart has its table."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import plotly.graph_objects as go
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from judge_core.interfaces.dashboard.result.address import open_match
from judge_core.interfaces.dashboard.result.shown import Shown
from judge_core.interfaces.dashboard.result.words import CLASSES, SIGNS, ledger_line
from judge_core.interfaces.dashboard.safe import label
from judge_core.views.charts import (
    Theme,
    bracket_alt,
    bracket_figure,
    elo_alt,
    elo_options,
    ledger_alt,
    ledger_figure,
    win_matrix_alt,
    win_matrix_figure,
)
from judge_core.views.state import RunState
from judge_core.views.tables import elo_table, ledger_table, rounds_table, win_matrix_table

CROWD = 32
"""Above so many texts the bracket shows one text's way, or the leaders'."""
BARE = {"displayModeBar": False}
ROUND_WIDTH = 195
"""Pixels of a column of the bracket."""
MATRIX = 30
"""Most texts of the matrix."""


def show_course(shown: Shown) -> None:
    """One part of the course at a time: with a thousand matches, all charts together would take seconds."""
    parts: dict[str, Callable[[Shown], None]] = {
        "Swiss bracket": lambda of: show_bracket(of, "whole"),
        "Elo, match by match": _elo,
        "Who beat whom": _matrix,
        "Every judgment": _ledger,
    }
    part = st.radio("Show", list(parts), horizontal=True, key="course_part", persist_state="page")
    parts[part](shown)


def show_bracket(shown: Shown, place: str) -> None:
    """The bracket, with a choice of text where there are many; a click on a text opens its match."""
    state, key = shown.state, f"bracket_{place}"
    focus = _focus(shown, key)
    names = tuple(shown.labels.items())
    figure = _bracket(str(shown.bench.home.root), shown.id, state.last_seq, (names, shown.theme, focus), state)
    with _at_least(ROUND_WIDTH * max(len(state.rounds), 2)):
        st.plotly_chart(
            figure, key=key, theme=None, on_select=_open_picked, selection_mode="points", config=BARE,
            alt=bracket_alt(state, shown.labels),
        )  # fmt: skip
    st.caption("■ won · ◆ tie · ○ lost · ✕ no verdict · ◎ waiting. Click a text to open its match.")
    with st.expander("Rounds as a table", icon=":material/table_rows:"):
        st.dataframe(rounds_table(state, shown.labels), hide_index=True, alt="Rounds: who competes and who sits out")


def _at_least(width: int) -> DeltaGenerator:
    """Room of so many pixels: a narrower page scrolls it sideways, where a chart would be squeezed."""
    return st.grid(1, min_column_width=width, wrap=False)


def _focus(shown: Shown, key: str) -> str | None:
    texts = [text.alias for text in shown.state.spec.texts]
    crowd = len(texts) > CROWD
    words = "Show the way of" if crowd else "Highlight the way of"
    nobody = "the 16 leaders" if crowd else "nobody"
    return st.selectbox(
        words, texts, index=None, placeholder=nobody, format_func=shown.called, key=f"{key}_focus", width=320,
        persist_state="page",
    )  # fmt: skip


@st.cache_resource(max_entries=32, show_spinner=False)
def _bracket(
    home: str, run: str, seq: int, look: tuple[tuple[tuple[str, str], ...], Theme, str | None], _state: RunState
) -> go.Figure:
    names, theme, focus = look
    return bracket_figure(_state, dict(names), theme, focus, CROWD)


def _open_picked() -> None:
    """Opens the match of the text that was clicked."""
    for key in ("bracket_live", "bracket_whole"):
        chart = st.session_state.get(key)
        for point in chart.selection.points if chart else ():
            place = point.get("customdata")
            place = place[0] if isinstance(place, list) else place
            if place is not None:
                open_match(int(place))


def _elo(shown: Shown) -> None:
    st.markdown(
        "Elo moves with every match and steers who meets whom. The ranking itself rests on all matches together."
    )
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


def _matrix(shown: Shown) -> None:
    st.markdown("W, D and L: the text of the row won, drew or lost against that of the column. Empty: they never met.")
    figure = win_matrix_figure(shown.weighed, shown.table, shown.labels, shown.theme, MATRIX)
    side, words = int(figure.layout.height), win_matrix_alt(shown.weighed, shown.table)
    with _at_least(side):
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


def _ledger(shown: Shown) -> None:
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
    """The nine classes with symbol, number and meaning, and their sum."""
    frame = ledger_table(state)
    frame.insert(0, "symbol", [SIGNS[name] for name in frame["class"]])
    frame["class"] = [CLASSES[name] for name in frame["class"]]
    whole = {"symbol": "Σ", "class": "all", "judgments": state.planned_judgments, "meaning": "all that were planned"}
    return pd.concat([frame, pd.DataFrame([whole])], ignore_index=True)
