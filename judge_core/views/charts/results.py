"""Figures of a finished run: ratings with their intervals, who beat whom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from judge_core.records.spec import Goal
from judge_core.views.charts.labels import plotly_label
from judge_core.views.charts.style import (
    BLUE,
    BOX,
    FAINT,
    FOCUS,
    LINE,
    ORANGE,
    RED,
    Theme,
    empty,
    framed,
)
from judge_core.views.meetings import meetings, met_letter
from judge_core.views.standings import Standing, Standings
from judge_core.views.state import RunState

UPRIGHT = -90
"""Degrees of the heads of columns: upright, a name of any length stays clear of its neighbours and of the edge."""
CROWDED = 3
"""Meetings of one pair whose letters stand side by side in a cell."""


def ratings_figure(
    table: Standings,
    labels: Mapping[str, str] | None = None,
    theme: Theme = "light",
    most: int = 40,
    goal: Goal | None = None,
) -> go.Figure:
    """A dot and a whisker for each rated text, best on top; the `most` best. Filled squares cannot be told from the first, open
    diamonds are anchors.

    The lines of a goal are drawn where they lie.
    """
    rows = table.rated[:most]
    if not rows:
        return empty("No text has a rating yet.", theme)
    top = rows[0]
    level = [row is top or row.alias in top.tied_with for row in rows]
    colours = [FOCUS[theme] if tied else LINE for tied in level]
    figure = go.Figure(
        go.Scatter(
            x=[row.rating for row in rows],
            y=list(range(len(rows))),
            mode="markers",
            marker={"symbol": _symbols(rows, level), "color": colours, "size": 10},
            error_x=_whiskers(rows),
            customdata=[row.alias for row in rows],
            hovertext=[_rating_hover(row, labels) for row in rows],
            hoverinfo="text",
        )
    )
    names = [plotly_label(row.alias, labels) for row in rows]
    yaxis = {"tickvals": list(range(len(rows))), "ticktext": names, "autorange": "reversed", "gridcolor": BOX}
    xaxis = {"title": {"text": f"rating with {100 * table.level:g} % interval"}, "gridcolor": FAINT, "zeroline": False}
    if goal is not None:
        _draw_lines(figure, goal, len(rows))
    return framed(figure, theme, 90 + 24 * len(rows), xaxis=xaxis, yaxis=yaxis)


def _symbols(rows: Sequence[Standing], level: Sequence[bool]) -> list[str]:
    return [
        "diamond-open" if row.anchor is not None else "square" if tied else "circle"
        for row, tied in zip(rows, level, strict=True)
    ]


def _whiskers(rows: Sequence[Standing]) -> dict[str, object]:
    return {
        "type": "data",
        "symmetric": False,
        "array": [_span(row.rating, row.high) for row in rows],
        "arrayminus": [_span(row.low, row.rating) for row in rows],
        "color": LINE,
        "thickness": 1.5,
    }


def _draw_lines(figure: go.Figure, goal: Goal, drawn: int) -> None:
    line = {"color": ORANGE, "width": 1.5, "dash": "dash"}
    for rank in goal.ranks:
        if rank < drawn:
            figure.add_hline(y=rank - 0.5, line=line)
    for rating in goal.ratings:
        figure.add_vline(x=rating, line=line)


def ratings_alt(table: Standings, labels: Mapping[str, str] | None = None) -> str:
    """The ratings chart's message in words."""
    rated = table.rated
    if not rated:
        return "Ratings: no text has a rating yet."
    top = rated[0]
    tied = f"{len(top.tied_with)} cannot be told from it" if top.tied_with else "no other can be taken for its equal"
    name = (labels or {}).get(top.alias, top.alias)
    return (
        f"Ratings of {len(rated)} texts. Highest: {name}, {top.rating:.0f} ({top.low:.0f} to {top.high:.0f}); {tied}."
    )


def _span(low: float | None, high: float | None) -> float:
    return (high or 0.0) - (low or 0.0)


def _rating_hover(row: Standing, labels: Mapping[str, str] | None) -> str:
    return f"{plotly_label(row.alias, labels)}: {row.rating:.0f} ({row.low:.0f} to {row.high:.0f}), {row.comparisons} meetings"


def win_matrix_figure(
    state: RunState,
    table: Standings,
    labels: Mapping[str, str] | None = None,
    theme: Theme = "light",
    most: int = 30,
) -> go.Figure:
    """Who beat whom, best first: the row's mean result against the column; empty where they never met."""
    order = [row.alias for row in table.rated[:most]]
    if not order:
        return empty("No match has been decided yet.", theme)
    met = meetings(state)
    z = [[_mean(met.get((row, column), [])) for column in order] for row in order]
    text = [[_letters(met.get((row, column), [])) for column in order] for row in order]
    names = [plotly_label(alias, labels) for alias in order]
    ticks = {"tickvals": list(range(len(order))), "ticktext": names, "showgrid": False, "zeroline": False}
    figure = go.Figure(
        go.Heatmap(
            z=z,
            zmin=0,
            zmax=1,
            text=text,
            texttemplate="%{text}",
            colorscale=[[0, RED], [0.5, "#cccccc"], [1, BLUE]],
            showscale=False,
            xgap=2,
            ygap=2,
            hoverongaps=False,
            hovertemplate="row %{y} against column %{x}: %{text}<extra></extra>",
        )
    )
    xaxis = {**ticks, "side": "top", "constrain": "domain", "tickangle": UPRIGHT}
    yaxis = {**ticks, "autorange": "reversed", "scaleanchor": "x", "constrain": "domain"}
    return framed(figure, theme, 140 + 28 * len(order), xaxis=xaxis, yaxis=yaxis)


def win_matrix_alt(state: RunState, table: Standings) -> str:
    """The win matrix's message in words."""
    pairs = len(table.rated) * (len(table.rated) - 1) // 2
    rated = {row.alias for row in table.rated}
    met = [
        pair for pair, results in meetings(state).items() if {*pair} <= rated and any(r is not None for r in results)
    ]
    return f"Win matrix of {len(table.rated)} texts: {len(met) // 2} of {pairs} pairs met. W, L and T are from the row's side."


def _mean(results: list[float | None]) -> float | None:
    known = [result for result in results if result is not None]
    return sum(known) / len(known) if known else None


def _letters(results: list[float | None]) -> str:
    """W, L and T of each meeting; of more than three how many of each."""
    letters = [met_letter(result) for result in results if result is not None]
    if len(letters) <= CROWDED:
        return "".join(letters)
    return " ".join(f"{letters.count(one)}{one}" for one in "WLT" if one in letters)
