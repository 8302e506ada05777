"""How a pass was decided: the points of each version, a part for each judge. Table twin: `views.refine.tables.points_table`."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from judge_core.records.refinement.nouns import VERSIONS, Version
from judge_core.views.charts.style import INK, Theme, empty, framed
from judge_core.views.refine.state import PassView, RefineState
from judge_core.views.refine.tables import seat_name, seat_points

FILLS = (
    ("#0072B2", "#ffffff"), ("#E69F00", "#000000"), ("#56B4E9", "#000000"), ("#CC79A7", "#000000"),
    ("#009E73", "#000000"),
)  # fmt: skip
"""Fill and letters of the judges' parts, in turn."""
BARS: dict[Version, str] = {"A": "A  stood", "B": "B  revised", "AB": "AB  merged"}


def ballots_figure(state: RefineState, view: PassView, theme: Theme = "light") -> go.Figure:
    """A bar a version: each judge's points inside, the sum behind it, and what became of it in words."""
    points = seat_points(state, view)
    if not points:
        return empty("No judge has ranked yet.", theme)
    order: tuple[Version, ...] = ("AB", "B", "A")  # drawn from below
    figure = go.Figure([_part(state, view, seat, order, points[seat]) for seat in points])
    sums = {label: sum(given[label] for given in points.values()) for label in order}
    figure.add_trace(
        go.Scatter(
            x=[sums[label] for label in order],
            y=[BARS[label] for label in order],
            mode="text",
            text=[f"  {sums[label]:g}{_said(view, label)}" for label in order],
            textposition="middle right",
            textfont={"color": INK[theme]},
            hoverinfo="skip",
            cliponaxis=False,
            showlegend=False,
        )
    )
    most = max(sums.values())
    xaxis = {"visible": False, "range": [0, most * 1.5], "fixedrange": True}
    framed(figure, theme, 210, barmode="stack", xaxis=xaxis, yaxis={"fixedrange": True})
    legend = {"orientation": "h", "y": -0.05, "traceorder": "normal", "font": {"color": INK[theme]}}
    return figure.update_layout(showlegend=True, legend=legend)


def ballots_alt(state: RefineState, view: PassView) -> str:
    """The chart's message in words."""
    points = seat_points(state, view)
    if not points:
        return f"Pass {view.number}: no judge has ranked yet."
    sums = ", ".join(f"{label} {sum(given[label] for given in points.values()):g}" for label in VERSIONS)
    return f"Pass {view.number}, points by {len(points)} of {len(state.spec.panel)} judges: {sums}."


def _part(
    state: RefineState, view: PassView, seat: int, order: Sequence[Version], given: dict[Version, float]
) -> go.Bar:
    fill, letters = FILLS[seat % len(FILLS)]
    saw = view.ballots[seat].order
    name = seat_name(state, seat)
    return go.Bar(
        x=[given[label] for label in order],
        y=[BARS[label] for label in order],
        orientation="h",
        name=name,
        marker={"color": fill, "line": {"color": "rgba(255,255,255,.9)", "width": 1.5}},
        text=[f"{given[label]:g}" for label in order],
        textposition="inside",
        insidetextanchor="middle",
        textangle=0,
        textfont={"color": letters},
        hovertext=[
            f"{name}: {label} {given[label]:g} points, seen as version {saw.index(label) + 1}" for label in order
        ],
        hoverinfo="text",
    )


def _said(view: PassView, label: Version) -> str:
    decision = view.decision
    if decision is None or decision.winner is None:
        return ""
    vetoed = ", vetoed" if label in decision.vetoed_by else ""
    if decision.effective == label:
        return f"{vetoed}, stands"
    return f"{vetoed}, equals A" if decision.winner == label else vetoed
