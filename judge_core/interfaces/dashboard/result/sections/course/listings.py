"""Ranked lists and single scores as they came. A click opens what was judged."""

from __future__ import annotations

import streamlit as st

from judge_core.interfaces.dashboard.result.sections.course.brackets import BARE, at_least, open_picked
from judge_core.interfaces.dashboard.result.shown import Shown
from judge_core.views.charts import lists_alt, lists_figure, scores_alt, scores_figure
from judge_core.views.charts.listings.lists import MOST_LISTS
from judge_core.views.charts.listings.scores import MOST_TEXTS
from judge_core.views.tables import lists_table, ranked_lists, scores_table

CELL_WIDTH = 92
"""Pixels of a text in a list."""
LIST_KEYS, SCORE_KEYS = ("lists_live", "lists_whole"), ("scores_live", "scores_whole")


def show_lists(shown: Shown, place: str) -> None:
    """Each list from its first place to its last, by round where there are many."""
    state, table = shown.weighed, shown.table
    rounds = sorted({view.round for view in ranked_lists(state)})
    number = None
    if len(rounds) > 1:
        number = st.selectbox(
            "Round", rounds, index=None, placeholder="all", key=f"lists_{place}_round", width=140, persist_state="page"
        )
    longest = max((len(view.texts) for view in ranked_lists(state)), default=4)
    figure = lists_figure(state, table, shown.labels, shown.theme, number)
    with at_least(CELL_WIDTH * longest + 60):
        st.plotly_chart(
            figure, key=f"lists_{place}", theme=None, on_select=lambda: open_picked(*LIST_KEYS), selection_mode="points",
            config=BARE, alt=lists_alt(state, table, shown.labels),
        )  # fmt: skip
    st.caption(
        "A row is a list, best text on the left. The darker a cell, the better its text stands in the whole ranking: where "
        "dark follows light, a list contradicts it. Click a text to open its list."
    )
    of_round = [view for view in ranked_lists(state) if number in (None, view.round)]
    if len(of_round) > MOST_LISTS:
        st.caption(f"The first {MOST_LISTS} of {len(of_round)} are drawn; all stand in the table.")
    with st.expander(
        "Lists as a table", icon=":material/table_rows:", key=f"list_rows_{place}", on_change="rerun"
    ) as rows:
        if rows.open:
            st.dataframe(lists_table(state, shown.labels), hide_index=True, alt="Lists: their texts, best first")


def show_scores(shown: Shown, place: str) -> None:
    """Each text's scores by judge, best on top."""
    state = shown.weighed
    st.plotly_chart(
        scores_figure(state, shown.labels, shown.theme), key=f"scores_{place}", theme=None, on_select=lambda: open_picked(*SCORE_KEYS), selection_mode="points", config=BARE, alt=scores_alt(state, shown.labels),
    )  # fmt: skip
    alone = len(state.spec.judges) == 1
    square = "the judge's score" if alone else "the mean of the judges' scores, by their weights"
    st.caption(f"The square is {square}. Click it to open what {'the' if alone else 'each'} judge said.")
    number = sum(view.single for view in state.listings.values())
    if number > MOST_TEXTS:
        st.caption(f"The best {MOST_TEXTS} of {number} are drawn; all stand in the table.")
    with st.expander(
        "Scores as a table", icon=":material/table_rows:", key=f"score_rows_{place}", on_change="rerun"
    ) as rows:
        if rows.open:
            st.dataframe(scores_table(state, shown.labels), hide_index=True, alt="Scores by text and judge, of 100")
