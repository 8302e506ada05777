"""Colours and the frame that all figures share: readable on a light and on a dark page."""

from __future__ import annotations

from typing import Any, Literal

import plotly.graph_objects as go

Theme = Literal["light", "dark"]
INK: dict[Theme, str] = {"light": "#1a1a1a", "dark": "#f2f2f2"}
"""Letters."""
FONT = "Source Sans, Source Sans Pro, sans-serif"
"""The letters of the page around the chart, where it has them."""
LINE = "#808080"
"""Lines and whiskers: at least 3 to 1 against both pages."""
FAINT = "rgba(128,128,128,.45)"
BOX = "rgba(128,128,128,.08)"
CLEAR = "rgba(0,0,0,0)"
BLUE, ORANGE, GREEN, RED, PURPLE = "#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7"
FOCUS: dict[Theme, str] = {"light": "#0072B2", "dark": "#56B4E9"}
LEADERS: dict[Theme, tuple[str, ...]] = {
    "light": ("#0072B2", "#B34A00", "#00795A", "#9A4A77", "#8A6100"),
    "dark": ("#56B4E9", "#F0883E", "#2FC79A", "#E39CC4", "#F0C04A"),
}
"""For the highlighted lines, whose names are written in the line's colour."""


def framed(figure: go.Figure, theme: Theme, height: int, **layout: Any) -> go.Figure:
    """The figure with transparent grounds, letters for the theme, and room only where it is needed."""
    figure.update_layout(
        template="plotly_dark" if theme == "dark" else "plotly_white",
        paper_bgcolor=CLEAR,
        plot_bgcolor=CLEAR,
        font={"family": FONT, "color": INK[theme], "size": 13},
        hoverlabel={"align": "left"},
        margin={"l": 10, "r": 10, "t": 30, "b": 10},
        height=height,
        showlegend=False,
        **layout,
    )
    return figure


def empty(words: str, theme: Theme) -> go.Figure:
    """A figure that says in words why there is nothing to show."""
    figure = framed(go.Figure(), theme, 120, xaxis={"visible": False}, yaxis={"visible": False})
    figure.add_annotation(text=words, showarrow=False, x=0.5, y=0.5, xref="paper", yref="paper")
    return figure
