"""What brackets are drawn of: boxes with one or two texts, and threads from box to box."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from judge_core.views.charts.labels import plotly_label
from judge_core.views.charts.style import BOX, FAINT, FOCUS, GREEN, INK, LINE, ORANGE, RED, Theme

SYMBOLS = {
    "W": "square",
    "D": "diamond",
    "L": "circle-open",
    "?": "x",
    " ": "circle-open-dot",
    "bye": "line-ew-open",
    "–": "line-ew-open",
}
COLOURS = {"W": GREEN, "D": ORANGE, "L": LINE, "?": RED, " ": LINE, "bye": LINE, "–": LINE}
WORDS = {
    "W": "won", "D": "tied", "L": "lost", "?": "undecided", " ": "waiting", "bye": "bye: sits this round out",
    "–": "not judged, since a text was withdrawn",
}  # fmt: skip
HALF = 0.36
"""Half a box's width, in rounds."""
NAME = 16
"""Characters of a label that fit into a box; the whole label stands in the hover text."""


@dataclass(frozen=True, slots=True)
class Node:
    """One text in one round."""

    alias: str
    round: int
    slot: float
    mark: str
    """W, D, L, `?` undecided, a space for waiting, 'bye', a dash for a match that fell away."""
    elo: float
    place: int | None
    opponent: str | None


def box(nodes: tuple[Node, ...]) -> dict[str, object]:
    """The frame about a match, or about a text that sits out."""
    line = {"color": FAINT, "width": 1, "dash": "dash" if nodes[0].mark in ("bye", "–") else "solid"}
    return {
        "type": "rect",
        "x0": nodes[0].round - HALF,
        "x1": nodes[0].round + HALF,
        "y0": nodes[0].slot - 0.55,
        "y1": nodes[-1].slot + 0.55,
        "fillcolor": BOX,
        "line": line,
        "layer": "below",
    }


def threads(nodes: Sequence[Node], focus: str | None, theme: Theme) -> go.Scatter:
    """The elbows of all texts, or of the focus text alone as a thick line (empty without one)."""
    thick = focus is not None
    x: list[float | None] = []
    y: list[float | None] = []
    latest: dict[str, Node] = {}
    for node in nodes:
        before = latest.get(node.alias)
        latest[node.alias] = node
        if before is None or (node.alias != focus and (thick or node.round > before.round + 1)):
            continue  # a thread over rounds in which its text is not shown would run through others' boxes
        x += [before.round + HALF, before.round + HALF + 0.05, node.round - HALF - 0.05, node.round - HALF, None]
        y += [before.slot, before.slot, node.slot, node.slot, None]
    line = {"color": FOCUS[theme], "width": 3} if thick else {"color": FAINT, "width": 1}
    return go.Scatter(x=x, y=y, mode="lines", line=line, hoverinfo="skip", name="path" if thick else "threads")


def texts(nodes: Sequence[Node], labels: Mapping[str, str] | None, theme: Theme) -> go.Scatter:
    """The texts in their boxes; customdata is the place of the match."""
    return go.Scatter(
        x=[node.round - HALF + 0.04 for node in nodes],
        y=[node.slot for node in nodes],
        mode="markers+text",
        text=[f" {plotly_label(node.alias, labels, NAME)}  {node.elo:.0f}  {node.mark.strip()}" for node in nodes],
        textposition="middle right",
        textfont={"color": INK[theme], "size": 12},
        marker={
            "symbol": [SYMBOLS[node.mark] for node in nodes],
            "color": [COLOURS[node.mark] for node in nodes],
            "size": 9,
            "line": {"width": 1.5, "color": [COLOURS[node.mark] for node in nodes]},
        },
        customdata=[node.place for node in nodes],
        hovertext=[_hover(node, labels) for node in nodes],
        hoverinfo="text",
        name="texts",
    )


def _hover(node: Node, labels: Mapping[str, str] | None) -> str:
    where = f"Match {node.place}" if node.place is not None else f"Round {node.round}"
    against = f" against {plotly_label(node.opponent, labels)}" if node.opponent else ""
    return f"{where}: {plotly_label(node.alias, labels)} {WORDS[node.mark]}{against} (Elo before: {node.elo:.0f})"


def heading(words: str, column: float, theme: Theme) -> dict[str, object]:
    """The heading of a column. `words` may hold markup of ours."""
    return {
        "text": words,
        "x": column - HALF,
        "xanchor": "left",
        "y": -1.2,
        "showarrow": False,
        "font": {"color": INK[theme], "size": 13},
    }
