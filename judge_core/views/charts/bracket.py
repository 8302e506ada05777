"""The Swiss bracket: a column a round, a box a match, a thread for each text from round to round."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from judge_core.views.charts.labels import plotly_label
from judge_core.views.charts.style import BOX, FAINT, FOCUS, GREEN, INK, LINE, ORANGE, RED, Theme, empty, framed
from judge_core.views.matches import MatchView, RoundView
from judge_core.views.state import RunState

SYMBOLS = {"W": "square", "D": "diamond", "L": "circle-open", "?": "x", " ": "circle-open-dot", "bye": "line-ew-open"}
COLOURS = {"W": GREEN, "D": ORANGE, "L": LINE, "?": RED, " ": LINE, "bye": LINE}
WORDS = {"W": "won", "D": "drew", "L": "lost", "?": "undecided", " ": "waiting", "bye": "bye: sits this round out"}
HALF = 0.36
"""Half a box's width, in rounds."""
NAME = 16
"""Characters of a label that fit into a box; the whole label stands in the hover text."""
GAP = 0.7
"""Between boxes, in slots."""


@dataclass(frozen=True, slots=True)
class Node:
    """One text in one round."""

    alias: str
    round: int
    slot: float
    mark: str
    """W, D, L, `?` undecided, a space for waiting, 'bye'."""
    elo: float
    place: int | None
    opponent: str | None


def bracket_figure(
    state: RunState,
    labels: Mapping[str, str] | None = None,
    theme: Theme = "light",
    focus: str | None = None,
    most: int = 32,
) -> go.Figure:
    """The bracket in three traces: threads, the focus text's thread, nodes (customdata: the match's place).

    Above `most` texts it shows the focus text's matches, or those of the 16 best by Elo.
    """
    columns = _columns(state, _shown(state, focus, most))
    if not columns:
        return empty("No round has been paired yet.", theme)
    nodes = [node for column in columns for node in column]
    figure = go.Figure([_threads(nodes, None, theme), _threads(nodes, focus, theme), _nodes(nodes, labels, theme)])
    lowest = max(node.slot for node in nodes)
    rounds = [paired for paired in state.rounds.values() if any(node.round == paired.number for node in nodes)]
    first, last = rounds[0].number, rounds[-1].number
    framed(
        figure,
        theme,
        int(70 + 23 * (lowest + 1)),
        shapes=[_box(pair) for column in columns for pair in _boxes(column)],
        annotations=[_heading(paired, state, theme) for paired in rounds],
        xaxis={"range": [first - 0.45, last + 0.45], "visible": False, "fixedrange": True},
        yaxis={"range": [lowest + 0.8, -1.6], "visible": False, "fixedrange": True},
        hovermode="closest",
    )
    if len(rounds) > 4:
        figure.update_layout(width=220 * len(rounds))
    return figure


def bracket_alt(state: RunState, labels: Mapping[str, str] | None = None) -> str:
    """The bracket's message in words."""
    if not state.rounds:
        return "Swiss bracket: no round has been paired yet."
    decided = sum(view.result is not None for view in state.matches.values())
    leader = min(state.elo, key=lambda alias: (-state.elo_now(alias), alias))
    return (
        f"Swiss bracket: {len(state.rounds)} of {state.spec.rounds} rounds paired, {len(state.matches)} of "
        f"{state.planned_matches} matches judged, {decided} decided. Highest Elo: {(labels or {}).get(leader, leader)} "
        f"({state.elo_now(leader):.0f})."
    )


def _shown(state: RunState, focus: str | None, most: int) -> frozenset[str]:
    if len(state.elo) <= most:
        return frozenset(state.elo)
    if focus is not None:
        return frozenset({focus})
    return frozenset(sorted(state.elo, key=lambda alias: (-state.elo_now(alias), alias))[:16])


def _columns(state: RunState, shown: frozenset[str]) -> list[list[Node]]:
    by_pair = {(view.round, view.a, view.b): view for view in state.matches.values()}
    columns = [list(_column(state, paired, by_pair, shown)) for paired in state.rounds.values()]
    return [column for column in columns if column]


def _column(
    state: RunState, paired: RoundView, by_pair: Mapping[tuple[int, str, str], MatchView], shown: frozenset[str]
) -> Iterator[Node]:
    slot = 0.0
    for a, b in paired.pairs:
        if a not in shown and b not in shown:
            continue
        view = by_pair.get((paired.number, a, b))
        for alias, other, offset in ((a, b, 0.0), (b, a, 1.0)):
            elo = view.elo_before[alias] if view else state.elo_now(alias)
            mark = view.letter(alias) if view else " "
            yield Node(alias, paired.number, slot + offset, mark, elo, view.place if view else None, other)
        slot += 2 + GAP
    for alias in paired.byes:
        if alias in shown:
            yield Node(alias, paired.number, slot, "bye", _elo_at(state, alias, paired.number), None, None)
            slot += 1 + GAP


def _elo_at(state: RunState, alias: str, number: int) -> float:
    before = [view for view in state.matches.values() if view.round < number and alias in (view.a, view.b)]
    return before[-1].elo[alias] if before else state.elo[alias][0][1]


def _boxes(column: Sequence[Node]) -> Iterator[tuple[Node, ...]]:
    byes = [node for node in column if node.mark == "bye"]
    paired = [node for node in column if node.mark != "bye"]
    yield from zip(paired[::2], paired[1::2], strict=True)
    yield from ((node,) for node in byes)


def _box(nodes: tuple[Node, ...]) -> dict[str, object]:
    line = {"color": FAINT, "width": 1, "dash": "dash" if nodes[0].mark == "bye" else "solid"}
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


def _threads(nodes: Sequence[Node], focus: str | None, theme: Theme) -> go.Scatter:
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


def _nodes(nodes: Sequence[Node], labels: Mapping[str, str] | None, theme: Theme) -> go.Scatter:
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


def _heading(paired: RoundView, state: RunState, theme: Theme) -> dict[str, object]:
    low, high = paired.band
    everyone = low == 1 and high >= len(state.spec.texts)
    who = f"all {len(state.spec.texts)}" if everyone else f"ranks {low} to {high}"
    return {
        "text": f"<b>Round {paired.number}</b> · {who}",
        "x": paired.number - HALF,
        "xanchor": "left",
        "y": -1.2,
        "showarrow": False,
        "font": {"color": INK[theme], "size": 13},
    }
