"""Ranked lists: a row a list, its texts from the first place to the last, coloured by their place in the whole ranking."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from judge_core.ranking.evidence import shares
from judge_core.views.charts.labels import plotly_label
from judge_core.views.charts.style import Theme, empty, framed
from judge_core.views.listings import ListingView
from judge_core.views.standings import Standings
from judge_core.views.state import RunState
from judge_core.views.tables import best_first, ranked_lists

FIFTHS = (
    ("#08519c", "#ffffff"),
    ("#4292c6", "#000000"),
    ("#9ecae1", "#000000"),
    ("#deebf7", "#000000"),
    ("#f7f7f7", "#000000"),
)
"""Fill and letters by fifth of the whole ranking, the best first."""
UNRANKED = ("#C8C8C8", "#000000")
"""Of a text without a rank, such as one that was withdrawn."""
MOST_LISTS = 40
NAME = 14
"""Characters of a label that fit into a cell."""


def lists_figure(
    state: RunState,
    table: Standings,
    labels: Mapping[str, str] | None = None,
    theme: Theme = "light",
    round: int | None = None,
) -> go.Figure:
    """Bars of equal cells (customdata: the list's place); one trace a place in the list. At most `MOST_LISTS` lists."""
    views = drawn_lists(state, round)
    weights = shares(state.spec)
    orders = [(view, best_first(view, weights)) for view in views]
    most = max((len(order) for _, order in orders), default=0)
    if not most:
        return empty("No list has been ranked yet.", theme)
    fills = _fills(table)
    figure = go.Figure([_cells(orders, place, labels, fills) for place in range(most)])
    names = [f"List {view.place}" for view in views]
    xaxis = {
        "tickvals": list(range(most)),
        "ticktext": [str(n) for n in range(1, most + 1)],
        "side": "top",
        "showgrid": False,
        "zeroline": False,
        "fixedrange": True,
    }
    yaxis = {
        "tickvals": list(range(len(views))),
        "ticktext": names,
        "autorange": "reversed",
        "showgrid": False,
        "fixedrange": True,
    }
    framed(figure, theme, 60 + 30 * len(views), barmode="stack", bargap=0.12, xaxis=xaxis, yaxis=yaxis)
    return figure.update_xaxes(range=[-0.5, most - 0.5])


def drawn_lists(state: RunState, round: int | None) -> list[ListingView]:
    """The lists of a round, or of all rounds, that were ranked; the first `MOST_LISTS`."""
    return [view for view in ranked_lists(state) if view.decided and round in (None, view.round)][:MOST_LISTS]


def lists_alt(state: RunState, table: Standings, labels: Mapping[str, str] | None = None) -> str:
    """The message of the lists in words."""
    views = [view for view in ranked_lists(state) if view.decided]
    if not views:
        return "Ranked lists: none yet."
    weights, rated = shares(state.spec), table.rated
    firsts = [best_first(view, weights)[0] for view in views]
    best = rated[0].alias if rated else ""
    held = sum(best in view.texts for view in views)
    lead = (
        f" {(labels or {}).get(best, best)}, best of all, came first in {firsts.count(best)} of its {held} lists."
        if best
        else ""
    )
    return f"{len(views)} ranked lists, each from its first place to its last.{lead}"


def _fills(table: Standings) -> dict[str, tuple[str, str]]:
    rated = table.rated
    return {row.alias: FIFTHS[place * len(FIFTHS) // len(rated)] for place, row in enumerate(rated)}


def _cells(
    orders: Sequence[tuple[ListingView, list[str]]],
    place: int,
    labels: Mapping[str, str] | None,
    fills: Mapping[str, tuple[str, str]],
) -> go.Bar:
    """All texts that stand at one place of their list."""
    rows = [(row, view, order[place]) for row, (view, order) in enumerate(orders) if place < len(order)]
    colours = [fills.get(alias, UNRANKED) for _, _, alias in rows]
    return go.Bar(
        x=[1] * len(rows),
        y=[row for row, _, _ in rows],
        base=[place - 0.5] * len(rows),
        orientation="h",
        marker={"color": [fill for fill, _ in colours], "line": {"color": "rgba(128,128,128,.8)", "width": 1}},
        text=[plotly_label(alias, labels, NAME) for _, _, alias in rows],
        textposition="inside",
        insidetextanchor="middle",
        textangle=0,
        textfont={"color": [letters for _, letters in colours], "size": 12},
        constraintext="none",
        customdata=[view.place for _, view, _ in rows],
        hovertext=[
            f"List {view.place}, round {view.round}: {plotly_label(alias, labels)} at place {place + 1} of {len(view.texts)}"
            for _, view, alias in rows
        ],
        hoverinfo="text",
    )
