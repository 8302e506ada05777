"""The charts of the page, each with its table."""

from __future__ import annotations

import streamlit as st

from judge_core.interfaces.dashboard.refine_result.shown import ShownRefinement
from judge_core.views.charts.refine.ballots import ballots_alt, ballots_figure
from judge_core.views.charts.refine.flow import flow_alt, flow_figure
from judge_core.views.refine.state import PassView
from judge_core.views.refine.tables import passes_table, points_table

BARE = {"displayModeBar": False}
READ = (
    "A filled mark won its pass, a cross was vetoed; the number above is its points. The line is what stands after each "
    "pass, the shaded part the streak."
)


def show_flow(shown: ShownRefinement) -> None:
    """The way of the incumbent."""
    figure = flow_figure(shown.state, shown.theme)
    st.plotly_chart(figure, key="refine_flow", theme=None, config=BARE, alt=flow_alt(shown.state))
    st.caption(READ)


def show_ballots(shown: ShownRefinement, view: PassView) -> None:
    """The points of a pass, by judge."""
    figure = ballots_figure(shown.state, view, shown.theme)
    st.plotly_chart(figure, key="refine_ballots", theme=None, config=BARE, alt=ballots_alt(shown.state, view))


def show_points_table(shown: ShownRefinement, view: PassView) -> None:
    """The same as a table."""
    st.dataframe(
        points_table(shown.state, view), hide_index=True, alt=f"Points of pass {view.number} by judge",
        column_config={"judge": "Judge"},
    )  # fmt: skip


def show_passes_table(shown: ShownRefinement) -> None:
    """A row a pass."""
    config = st.column_config
    st.dataframe(
        passes_table(shown.state), hide_index=True, alt="Passes with winner, points, streak and agreement",
        placeholder="unknown",
        column_config={
            "agreement": config.NumberColumn("Agreement", format="%.2f", help="Kendall's W of the judges' rankings: 1 all the same, drawing lots gives 1 / their number. Unknown with one judge, or where all versions are equal"),
            "pass": "Pass", "winner": "Winner", "judges": "Judges", "streak": "Streak", "words": "Words",
        },
    )  # fmt: skip
