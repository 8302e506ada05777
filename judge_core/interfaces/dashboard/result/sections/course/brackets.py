"""Rounds of pairs as a bracket: the Swiss one, and the tree of a knock-out. A click on a text opens its match."""

from __future__ import annotations

import plotly.graph_objects as go
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from judge_core.interfaces.dashboard.result.address import open_match
from judge_core.interfaces.dashboard.result.shown import RunKey, Shown
from judge_core.views.charts import Theme, bracket_alt, bracket_figure, knockout_alt, knockout_columns, knockout_figure
from judge_core.views.state import RunState
from judge_core.views.tables import rounds_table

CROWD = 32
"""Above so many texts the bracket shows one text's way, or the leaders'."""
BARE = {"displayModeBar": False}
ROUND_WIDTH = 195
"""Pixels of a column of the bracket."""
SIGNS = "■ won · ◆ tie · ○ lost · ✕ no verdict · ◎ waiting. Click a text to open its match."
Look = tuple[tuple[tuple[str, str], ...], Theme, str | None]
"""Names, theme, and the text whose way is shown."""


def show_bracket(shown: Shown, place: str) -> None:
    """The bracket, with a choice of text where there are many."""
    state, crowd = shown.state, len(shown.state.spec.texts) > CROWD
    focus = _focus(shown, f"bracket_{place}", "the 16 leaders" if crowd else "nobody", crowd=crowd)
    figure = _bracket(shown.key, (tuple(shown.labels.items()), shown.theme, focus), state)
    wide = sum(bool(view.pairs) for view in state.rounds.values())
    _drawn(figure, place, wide, bracket_alt(state, shown.labels))
    st.caption(SIGNS)
    _rounds(shown)


def show_knockout(shown: Shown, place: str) -> None:
    """The tree, with a choice of text whose way is highlighted."""
    state = shown.state
    focus = _focus(shown, f"bracket_{place}", "nobody", crowd=False)
    figure = _knockout(shown.key, (tuple(shown.labels.items()), shown.theme, focus), state)
    _drawn(figure, place, knockout_columns(state), knockout_alt(state, shown.labels))
    st.caption(f"{SIGNS} After a tie, or without a verdict, the better seed goes on.")
    if len(state.spec.texts) > 2 * CROWD:
        st.caption(f"The last {2 * CROWD} are drawn; the matches before stand in the table of all matches.")
    _rounds(shown)


def at_least(width: int) -> DeltaGenerator:
    """Room of so many pixels: a narrower page scrolls it sideways, where a chart would be squeezed."""
    return st.grid(1, min_column_width=width, wrap=False)


def open_picked(*keys: str) -> None:
    """Opens what was clicked in the charts of these keys; their points know its place."""
    for key in keys:
        chart = st.session_state.get(key)
        for point in chart.selection.points if chart else ():
            place = point.get("customdata")
            place = place[0] if isinstance(place, list) else place
            if place is not None:
                open_match(int(place))


def _drawn(figure: go.Figure, place: str, columns: int, words: str) -> None:
    with at_least(ROUND_WIDTH * max(columns, 2)):
        st.plotly_chart(
            figure, key=f"bracket_{place}", theme=None, on_select=_open_picked, selection_mode="points", config=BARE,
            alt=words,
        )  # fmt: skip


def _open_picked() -> None:
    open_picked("bracket_live", "bracket_whole")


def _rounds(shown: Shown) -> None:
    with st.expander("Rounds as a table", icon=":material/table_rows:"):
        frame = rounds_table(shown.state, shown.labels)
        st.dataframe(frame, hide_index=True, alt="Rounds: who competes and who sits out")


def _focus(shown: Shown, key: str, nobody: str, *, crowd: bool) -> str | None:
    return st.selectbox(
        "Show the way of" if crowd else "Highlight the way of", [text.alias for text in shown.state.spec.texts],
        index=None, placeholder=nobody, format_func=shown.called, key=f"{key}_focus", width=320, persist_state="page",
    )  # fmt: skip


@st.cache_resource(max_entries=32, show_spinner=False)
def _bracket(key: RunKey, look: Look, _state: RunState) -> go.Figure:
    names, theme, focus = look
    return bracket_figure(_state, dict(names), theme, focus, CROWD)


@st.cache_resource(max_entries=32, show_spinner=False)
def _knockout(key: RunKey, look: Look, _state: RunState) -> go.Figure:
    names, theme, focus = look
    return knockout_figure(_state, dict(names), theme, focus)
