"""How reliable the order was after each round, and what coins would have shown. Table twin: `views.trust.rounds_reliability`."""

from __future__ import annotations

import pandas as pd
import plotly.graph_objects as go

from judge_core.views.charts.style import CLEAR, FAINT, FOCUS, LINE, Theme, empty, framed
from judge_core.views.trust.reliability import GOOD

BAND = "rgba(128,128,128,.25)"


def reliability_figure(frame: pd.DataFrame, theme: Theme = "light") -> go.Figure:
    """The run's line, and a band from the mean of the coins to the value below which 95 of 100 of them lie."""
    if not frame["reliability"].notna().any():
        return empty("The reliability is not defined yet: it needs three texts that differ.", theme)
    figure = go.Figure([*_coins(frame), _run(frame, theme)])
    figure.add_hline(y=GOOD, line={"color": LINE, "dash": "dot", "width": 1})
    figure.add_annotation(
        x=0, xref="paper", xanchor="left", y=GOOD, yanchor="bottom", text=f"{GOOD:g}: enough for most uses", showarrow=False
    )  # fmt: skip
    xaxis = {"title": {"text": "after round"}, "dtick": max(1, len(frame) // 15), "gridcolor": CLEAR, "zeroline": False}
    yaxis = {"range": [-0.02, 1.02], "gridcolor": FAINT, "zeroline": False}
    framed(figure, theme, 340, xaxis=xaxis, yaxis=yaxis)
    return figure.update_layout(showlegend=True, legend={"orientation": "h", "y": -0.2, "traceorder": "normal"})


def _coins(frame: pd.DataFrame) -> list[go.Scatter]:
    known = frame[frame["coin mean"].notna()]
    rounds = known["round"].tolist()
    mean = go.Scatter(
        x=rounds,
        y=known["coin mean"].tolist(),
        mode="lines",
        line={"color": LINE, "dash": "dash", "width": 1.5},
        name="mean of coins",
        hovertemplate="round %{x}: coins show %{y:.2f} on average<extra></extra>",
    )
    high = go.Scatter(
        x=rounds,
        y=known["coin 95th"].tolist(),
        mode="lines",
        line={"color": LINE, "width": 0.5},
        fill="tonexty",
        fillcolor=BAND,
        name="95 of 100 coins lie below",
        hovertemplate="round %{x}: 95 of 100 coins lie below %{y:.2f}<extra></extra>",
    )
    return [mean, high]


def _run(frame: pd.DataFrame, theme: Theme) -> go.Scatter:
    known = frame[frame["reliability"].notna()]
    return go.Scatter(
        x=known["round"].tolist(),
        y=known["reliability"].tolist(),
        mode="lines+markers",
        line={"color": FOCUS[theme], "width": 2.5},
        marker={"size": 8},
        name="this run",
        hovertemplate="round %{x}: %{y:.2f}<extra></extra>",
    )


def reliability_alt(frame: pd.DataFrame) -> str:
    """The reliability chart's message in words."""
    known = frame[frame["reliability"].notna()]
    if known.empty:
        return "Reliability: not defined yet."
    last = known.iloc[-1]
    words = f"Reliability after round {last['round']}: {last['reliability']:.2f}"
    if pd.isna(last["coin mean"]):
        return f"{words}."
    coins = f"coins would show {last['coin mean']:.2f} on the same schedule, 95 of 100 of them less than {last['coin 95th']:.2f}"
    return f"{words}; {coins}."
