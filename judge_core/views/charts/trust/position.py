"""What standing first is worth to a text. Table twin: `views.trust.position_table`."""

from __future__ import annotations

import pandas as pd
import plotly.graph_objects as go

from judge_core.views.charts.labels import plotly_label
from judge_core.views.charts.style import BOX, FAINT, FOCUS, INK, LINE, Theme, empty, framed
from judge_core.views.trust.position import LIST

SYMBOLS = {"all": "square", "judge": "circle", "round": "circle-open"}


def position_figure(frame: pd.DataFrame, theme: Theme = "light") -> go.Figure:
    """A mark and a whisker for all judges together, each judge and the run up to each round, about a line at 0."""
    if frame.empty:
        return empty("Nothing tells what the first place is worth: no pair was judged in one order alone.", theme)
    effects, low, high = (frame[column].to_numpy(dtype=float) for column in ("effect", "low", "high"))
    names = [plotly_label(_name(row.of, row.place)) for row in frame.itertuples()]
    figure = go.Figure(
        go.Scatter(
            x=effects,
            y=list(range(len(frame))),
            mode="markers",
            marker={
                "symbol": [SYMBOLS[kind] for kind in frame["kind"]],
                "color": [FOCUS[theme] if kind == "all" else LINE for kind in frame["kind"]],
                "size": 10,
            },
            error_x={
                "type": "data",
                "symmetric": False,
                "array": high - effects,
                "arrayminus": effects - low,
                "color": LINE,
                "thickness": 1.5,
            },
            hovertext=[_hover(name, *row) for name, *row in zip(names, effects, low, high, strict=True)],
            hoverinfo="text",
        )
    )
    figure.add_vline(x=0, line={"color": INK[theme], "width": 1})
    yaxis = {"tickvals": list(range(len(frame))), "ticktext": names, "autorange": "reversed", "gridcolor": BOX}
    title = "← the second gains · logits (units of strength), with 95 % interval · the first gains →"
    xaxis = {"title": {"text": title}, "gridcolor": FAINT, "zeroline": False}
    return framed(figure, theme, 100 + 26 * len(frame), xaxis=xaxis, yaxis=yaxis)


def _name(of: str, place: str) -> str:
    return f"{of}, lists" if place == LIST else of


def _hover(name: str, effect: float, low: float, high: float) -> str:
    return f"{name}: {effect:+.2f} ({low:+.2f} to {high:+.2f})"


def position_alt(frame: pd.DataFrame) -> str:
    """The position chart's message in words."""
    if frame.empty:
        return "Position effect: nothing tells what the first place is worth."
    whole = frame[frame["kind"] == "all"].iloc[0]
    seen = "no favour is certain" if whole["low"] <= 0 <= whole["high"] else _favour(whole["effect"])
    others = int((frame["kind"] == "judge").sum())
    by_judge = f" Shown for each of {others} judges too." if others else ""
    return f"The {whole['place']} is worth {whole['effect']:+.2f} logits ({whole['low']:+.2f} to {whole['high']:+.2f}): {seen}.{by_judge}"


def _favour(effect: float) -> str:
    return "the first place is favoured" if effect > 0 else "the later place is favoured"
