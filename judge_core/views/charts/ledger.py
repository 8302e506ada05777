"""What became of each planned judgment, for runs of either kind. Table twins: `views.tables.ledger_table` and that of the items."""

from __future__ import annotations

import plotly.graph_objects as go

from judge_core.records.verdict import JudgmentClass
from judge_core.views.charts.style import BLUE, GREEN, INK, ORANGE, PURPLE, RED, Theme, empty, framed
from judge_core.views.items.state import ItemClass, ItemState
from judge_core.views.state import RunState

LEDGER_COLOURS: dict[JudgmentClass | ItemClass, tuple[str, str]] = {
    "ranked": ("#56B4E9", "#000000"),
    "scored": ("#F0E442", "#000000"),
    "won": (GREEN, "#000000"),
    "judged": (GREEN, "#000000"),
    "lost": (BLUE, "#ffffff"),
    "tied": (ORANGE, "#000000"),
    "flipped": (PURPLE, "#000000"),
    "unparseable": (RED, "#000000"),
    "failed": ("#9E1B1B", "#ffffff"),
    "held": ("#5C5C5C", "#ffffff"),
    "cancelled": ("#8C8C8C", "#000000"),
    "waiting": ("#C8C8C8", "#000000"),
    "unchosen": ("#E0E0E0", "#000000"),
}
"""Fill and letters of each class."""
NAMES: dict[JudgmentClass | ItemClass, str] = {
    "won": "first text won",
    "lost": "second text won",
    "unparseable": "unreadable",
    "held": "held back",
    "unchosen": "no overall choice",
}
"""Of the classes whose own names do not say enough."""


def ledger_figure(state: RunState | ItemState, theme: Theme = "light") -> go.Figure:
    """One bar of all planned judgments, a part for each class that occurs, its number inside."""
    if not state.planned_judgments:
        return empty("No judgment is planned yet.", theme)
    figure = go.Figure([_part(outcome, number) for outcome, number in state.ledger.items() if number])
    hidden = {"visible": False, "fixedrange": True}
    framed(figure, theme, 130, barmode="stack", xaxis=hidden, yaxis=hidden)
    legend = {"orientation": "h", "y": -0.1, "traceorder": "normal", "font": {"color": INK[theme]}}
    return figure.update_layout(showlegend=True, legend=legend)


def _part(outcome: JudgmentClass | ItemClass, number: int) -> go.Bar:
    fill, letters = LEDGER_COLOURS[outcome]
    return go.Bar(
        x=[number],
        y=[""],
        orientation="h",
        name=f"{NAMES.get(outcome, outcome)} {number}",
        marker={"color": fill, "line": {"color": "rgba(255,255,255,.9)", "width": 1.5}},
        text=[str(number)],
        textposition="inside",
        insidetextanchor="middle",
        textfont={"color": letters},
        hovertemplate=f"{NAMES.get(outcome, outcome)}: {number}<extra></extra>",
    )


def ledger_alt(state: RunState | ItemState) -> str:
    """The ledger's message in words: every class that occurs, with its number."""
    parts = ", ".join(f"{NAMES.get(outcome, outcome)} {number}" for outcome, number in state.ledger.items() if number)
    return f"{state.planned_judgments} judgments planned: {parts or 'none'}."
