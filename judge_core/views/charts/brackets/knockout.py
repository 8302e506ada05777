"""The knock-out bracket: a column a round, winners go on to the right, the match for the third place below the final."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import plotly.graph_objects as go

from judge_core.views.charts.brackets.boxes import Node, box, heading, texts, threads
from judge_core.views.charts.style import Theme, empty, framed
from judge_core.views.knockout import Level, Tie, Tree, knockout_tree
from judge_core.views.state import RunState

MOST_TIES = 32
"""Of the first round drawn; a larger field is drawn from a later round on."""
STEP = 2.7
"""Slots from one box of the first column to the next."""
THIRD = "Third place"
WINNER = "Winner"


def knockout_figure(
    state: RunState, labels: Mapping[str, str] | None = None, theme: Theme = "light", focus: str | None = None
) -> go.Figure:
    """The tree in three traces: threads, the focus text's thread, texts (customdata: the match's place)."""
    tree = knockout_tree(state)
    levels = drawn(tree)
    if not levels:
        return empty("No round has been paired yet.", theme)
    boxes = list(_boxes(state, tree, levels))
    third = boxes.pop(0) if tree.third else ()
    way = sorted((node for pair in boxes for node in pair), key=lambda node: node.round)
    nodes = [*way, *third]  # no thread leads to the third place: it would cross those to the final
    lowest, last = max(node.slot for node in nodes), max(node.round for node in nodes)
    heads = [heading(f"<b>{level.title}</b>", number, theme) for number, level in enumerate(levels, start=1)]
    if tree.third:
        slot = _slot(len(levels) - 1, 0) + STEP * 1.5
        heads.append({**heading(f"<b>{THIRD}</b>", len(levels), theme), "y": slot - 1.2})
    if tree.champion:
        heads.append(heading(f"<b>{WINNER}</b>", len(levels) + 1, theme))
    figure = go.Figure([threads(way, None, theme), threads(way, focus, theme), texts(nodes, labels, theme)])
    return framed(
        figure,
        theme,
        int(70 + 23 * (lowest + 2)),
        shapes=[box(pair) for pair in (*boxes, third) if pair],
        annotations=heads,
        xaxis={"range": [0.55, last + 0.45], "visible": False, "fixedrange": True},
        yaxis={"range": [lowest + 1.2, -1.8], "visible": False, "fixedrange": True},
        hovermode="closest",
    )


def drawn(tree: Tree) -> Sequence[Level]:
    """The rounds that are drawn: all of them, or those from so many ties on."""
    return [level for level in tree.levels if len(level.ties) <= MOST_TIES]


def knockout_columns(state: RunState) -> int:
    """How many columns the drawing has."""
    tree = knockout_tree(state)
    return len(drawn(tree)) + bool(tree.champion)


def knockout_alt(state: RunState, labels: Mapping[str, str] | None = None) -> str:
    """The bracket's message in words."""
    tree = knockout_tree(state)
    if not tree.levels:
        return "Knock-out bracket: no round has been paired yet."
    called = labels or {}
    judged = len(list(tree.matches))
    end = f"Winner: {called.get(tree.champion, tree.champion)}." if tree.champion else "The winner is still open."
    return f"Knock-out bracket of {len(tree.levels)} rounds, {judged} matches judged. {end}"


def _boxes(state: RunState, tree: Tree, levels: Sequence[Level]) -> Iterator[tuple[Node, ...]]:
    """The match for the third place first, if there is one."""
    if tree.third:
        yield tuple(_nodes(state, tree.third, len(levels), _slot(len(levels) - 1, 0) + STEP * 1.5))
    for number, level in enumerate(levels):
        for place, tie in enumerate(level.ties):
            nodes = tuple(_nodes(state, tie, number + 1, _slot(number, place)))
            if nodes:
                yield nodes
    if tree.champion:
        elo = state.elo_now(tree.champion)
        yield (Node(tree.champion, len(levels) + 1, _slot(len(levels) - 1, 0) + 0.5, "W", elo, None, None),)


def _slot(level: int, place: int) -> float:
    """A box's upper slot: each column stands at the middle of the two boxes that lead to it."""
    return float(STEP * ((place + 0.5) * 2**level - 0.5))


def _nodes(state: RunState, tie: Tie, column: int, slot: float) -> Iterator[Node]:
    """The texts of a box, as far as they are known."""
    for offset, (own, other) in enumerate((tie.entrants, tie.entrants[::-1])):
        if own is None:
            continue
        view, alias = tie.view, own.text
        mark = view.letter(alias) if view else "–" if tie.fallen else " " if other or tie.open else "bye"
        elo = view.elo_before[alias] if view else state.elo_now(alias) if mark == " " else state.elo[alias][0][1]
        at = slot + (0.5 if mark == "bye" else offset)
        yield Node(alias, column, at, mark, elo, view.place if view else None, other.text if other else None)
