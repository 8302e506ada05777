"""The chance of each rank for each text. Table twin: `views.trust.rank_table`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import plotly.graph_objects as go

from judge_core.views.charts.labels import plotly_label
from judge_core.views.charts.style import Theme, empty, framed
from judge_core.views.standings import Standings
from judge_core.views.trust.ranks import MOST, rank_table

COLOURS: dict[Theme, tuple[str, ...]] = {
    "light": ("#ffffff", "#cfe3f2", "#7fb4dd", "#0072B2"),
    "dark": ("#14181f", "#1d3b52", "#26638f", "#3384bd"),
}
STEPS = (0.0, 0.04, 0.25, 1.0)
"""Chances at which the colours lie: small ones are told apart too."""
WRITTEN = 16
"""Up to so many ranks the chances stand in their cells, in percent."""
LEAST = 0.005


def rank_heat_figure(
    table: Standings, labels: Mapping[str, str] | None = None, theme: Theme = "light", most: int = MOST
) -> go.Figure:
    """Texts by ranks, best on top: the darker (on a dark page the lighter), the likelier; the `most` best texts."""
    frame = rank_table(table, most=most)
    if frame.empty:
        return empty("No text has a rating yet.", theme)
    chances = frame.drop(columns="text")
    ranks, z = list(chances.columns), chances.to_numpy().tolist()
    names = [plotly_label(alias, labels) for alias in frame["text"]]
    text = [[f"{100 * chance:.0f}" if chance >= LEAST else "" for chance in row] for row in z]
    figure = go.Figure(
        go.Heatmap(
            z=z,
            zmin=0,
            zmax=1,
            text=text,
            texttemplate="%{text}" if len(ranks) <= WRITTEN else "",
            customdata=[[[name, rank] for rank in ranks] for name in names],
            colorscale=[list(step) for step in zip(STEPS, COLOURS[theme], strict=True)],
            showscale=False,
            xgap=1,
            ygap=1,
            hovertemplate="%{customdata[0]}: rank %{customdata[1]} with %{z:.1%}<extra></extra>",
        )
    )
    xaxis = {**_ticks(ranks, _told(len(ranks))), "side": "top", "title": {"text": "true rank"}}
    yaxis = {**_ticks(names, range(len(names))), "autorange": "reversed"}
    return framed(figure, theme, 120 + 24 * len(names), xaxis=xaxis, yaxis=yaxis)


def _told(ranks: int) -> list[int]:
    """The columns whose ranks are written: all of a few, else the first, every fifth and the last."""
    if ranks <= WRITTEN:
        return list(range(ranks))
    return [0, *range(4, ranks - 2, 5), ranks - 1]


def _ticks(names: Sequence[str], told: Iterable[int]) -> dict[str, object]:
    places = list(told)
    return {
        "tickvals": places, "ticktext": [names[place] for place in places], "showgrid": False, "zeroline": False,
    }  # fmt: skip


def rank_heat_alt(table: Standings, labels: Mapping[str, str] | None = None, most: int = MOST) -> str:
    """The rank chart's message in words."""
    frame = rank_table(table, labels, most)
    if frame.empty:
        return "Chances of each rank: no text has a rating yet."
    chances = frame.drop(columns="text").to_numpy()
    sure = int((chances.max(axis=1) >= 0.5).sum())
    shown = f"the best {len(frame)} of {len(table.rated)}" if len(frame) < len(table.rated) else f"all {len(frame)}"
    return (
        f"Chances of each rank for {shown} texts. {frame['text'].iloc[0]} is truly the best with "
        f"{100 * chances[0, 0]:.0f} %; {sure} of {len(frame)} have one rank that is likelier than all others together."
    )
