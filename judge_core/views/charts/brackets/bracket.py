"""The Swiss bracket, and the rounds of other methods of pairs: a column a round, a box a match, a thread for each text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import plotly.graph_objects as go

from judge_core.views.charts.brackets.boxes import Node, box, heading, texts, threads
from judge_core.views.charts.labels import markup_safe, plain_label
from judge_core.views.charts.style import Theme, empty, framed
from judge_core.views.matches import MatchView, RoundView
from judge_core.views.state import RunState

GAP = 0.7
"""Between boxes, in slots."""


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
    figure = go.Figure([threads(nodes, None, theme), threads(nodes, focus, theme), texts(nodes, labels, theme)])
    lowest = max(node.slot for node in nodes)
    rounds = [paired for paired in state.rounds.values() if any(node.round == paired.number for node in nodes)]
    first, last = rounds[0].number, rounds[-1].number
    framed(
        figure,
        theme,
        int(70 + 23 * (lowest + 1)),
        shapes=[box(pair) for column in columns for pair in _boxes(column)],
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
    name = "Swiss bracket" if state.spec.method == "swiss" else "Rounds"
    if not state.rounds:
        return f"{name}: no round has been paired yet."
    paired = [view for view in state.rounds.values() if view.pairs]
    planned = f" of {state.spec.rounds}" if state.spec.method == "swiss" and len(paired) <= state.spec.rounds else ""
    decided = sum(view.result is not None for view in state.matches.values())
    leader = min(state.elo.keys() - state.withdrawn, key=lambda alias: (-state.elo_now(alias), alias))
    return (
        f"{name}: {len(paired)}{planned} rounds paired, {len(state.matches)} of "
        f"{planned_pairs(state)} matches judged, {decided} decided. "
        f"Highest Elo: {(labels or {}).get(leader, leader)} ({state.elo_now(leader):.0f})."
    )


def planned_pairs(state: RunState) -> int:
    """Matches that are paired or foreseen, without lists and scores."""
    return (
        state.planned_matches
        if not state.listings
        else sum(len(view.pairs) - len(view.fallen) for view in state.rounds.values())
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
            mark = view.letter(alias) if view else "–" if (a, b) in paired.fallen else " "
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


def _heading(paired: RoundView, state: RunState, theme: Theme) -> dict[str, object]:
    low, high = paired.band
    size = len(state.spec.texts) - len(state.withdrawn)
    everyone = low == 1 and high >= min(size, len(state.spec.texts) - len(state.late))
    who = f"all {high}" if everyone else f"ranks {low} to {high}"
    if paired.title:
        who = markup_safe(plain_label(paired.title))
    return heading(f"<b>Round {paired.number}</b> · {who}", paired.number, theme)
