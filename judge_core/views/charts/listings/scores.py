"""Texts scored by themselves: a row a text, a mark for each judge's score, a square for the panel's mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from judge_core.ranking.evidence import shares
from judge_core.views.charts.labels import plotly_label
from judge_core.views.charts.style import BOX, FAINT, FOCUS, INK, LEADERS, LINE, Theme, empty, framed
from judge_core.views.listings import ListingView
from judge_core.views.state import RunState
from judge_core.views.tables import points

SYMBOLS = ("circle-open", "diamond-open", "triangle-up-open", "star-open", "hexagon-open")
"""By judge; beyond, they begin again."""
MOST_TEXTS = 40
JITTER = 0.16
"""Rows by which the marks of judges stand apart."""


def scored(state: RunState) -> list[tuple[ListingView, float]]:
    """The texts that have a score, best panel mean first."""
    weights = shares(state.spec)
    views = [view for view in state.listings.values() if view.single and points(view)]
    means = [(view, _mean(points(view), weights)) for view in views]
    return sorted(means, key=lambda pair: (-pair[1], pair[0].texts[0]))


def scores_figure(
    state: RunState, labels: Mapping[str, str] | None = None, theme: Theme = "light", most: int = MOST_TEXTS
) -> go.Figure:
    """Points of 100, the `most` best texts (customdata: the place at which the text was scored)."""
    rows = scored(state)[:most]
    if not rows:
        return empty("No text has a score of its own yet.", theme)
    judges = range(len(state.spec.judges))
    several = len(state.spec.judges) > 1
    traces = [_of_judge(state, rows, judge, theme) for judge in judges] if several else []
    means = go.Scatter(
        x=[mean for _, mean in rows],
        y=list(range(len(rows))),
        mode="markers",
        name="panel" if several else plotly_label(state.spec.judge_names[0]),
        marker={"symbol": "square", "size": 10, "color": FOCUS[theme]},
        customdata=[view.place for view, _ in rows],
        hovertext=[f"{plotly_label(view.texts[0], labels)}: {mean:.1f} of 100" for view, mean in rows],
        hoverinfo="text",
    )
    names = [plotly_label(view.texts[0], labels) for view, _ in rows]
    yaxis = {"tickvals": list(range(len(rows))), "ticktext": names, "autorange": "reversed", "gridcolor": BOX}
    xaxis = {"title": {"text": "points of 100"}, "gridcolor": FAINT, "zeroline": False}
    figure = framed(go.Figure([*traces, means]), theme, 110 + 24 * len(rows), xaxis=xaxis, yaxis=yaxis)
    legend = {"orientation": "h", "y": 1.02, "yanchor": "bottom", "font": {"color": INK[theme]}}
    return figure.update_layout(showlegend=several, legend=legend)


def scores_alt(state: RunState, labels: Mapping[str, str] | None = None) -> str:
    """The message of the scores in words."""
    rows = scored(state)
    if not rows:
        return "Scores: no text has one of its own yet."
    (best, high), (last, low) = rows[0], rows[-1]
    called = labels or {}
    return (
        f"{len(rows)} texts scored by themselves. Highest: {called.get(best.texts[0], best.texts[0])} with {high:.1f} of 100; "
        f"lowest: {called.get(last.texts[0], last.texts[0])} with {low:.1f}."
    )


def _mean(found: Mapping[int, float], weights: Sequence[float]) -> float:
    return float(np.average(list(found.values()), weights=[weights[judge] for judge in found]))


def _of_judge(state: RunState, rows: Sequence[tuple[ListingView, float]], judge: int, theme: Theme) -> go.Scatter:
    name = plotly_label(state.spec.judge_names[judge])
    own = [(row, view.place, points(view)[judge]) for row, (view, _) in enumerate(rows) if judge in points(view)]
    shift = JITTER * (judge - (len(state.spec.judges) - 1) / 2)
    colour = LEADERS[theme][judge % len(LEADERS[theme])] if judge < len(LEADERS[theme]) else LINE
    return go.Scatter(
        x=[score for _, _, score in own],
        y=[row + shift for row, _, _ in own],
        mode="markers",
        name=name,
        marker={"symbol": SYMBOLS[judge % len(SYMBOLS)], "size": 11, "color": colour, "line": {"width": 1.5}},
        customdata=[place for _, place, _ in own],
        hovertext=[f"{name}: {score:.1f} of 100" for _, _, score in own],
        hoverinfo="text",
    )
