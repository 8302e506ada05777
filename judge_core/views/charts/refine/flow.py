"""The way of the incumbent through the passes: a lane each for the revision, the synthesis and the text that stood."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import plotly.graph_objects as go

from judge_core.records.refinement.events import PassComplete
from judge_core.records.refinement.nouns import VERSIONS, Version
from judge_core.views.charts.style import BOX, FAINT, INK, LEADERS, LINE, Theme, empty, framed
from judge_core.views.refine.state import PassView, RefineState

LANES: Mapping[Version, int] = {"A": 0, "AB": 1, "B": 2}
"""From below."""
LANE_NAMES: Mapping[Version, str] = {"A": "A  stood", "AB": "AB  merged", "B": "B  revised"}
SYMBOLS: Mapping[Version, str] = {"A": "circle", "AB": "diamond", "B": "square"}
_TINT: Mapping[Version, int] = {"A": 0, "B": 1, "AB": 2}
SMALLEST, LARGEST = 13.0, 28.0
"""Pixels of a marker without points, and of one that has them all."""
MOST = 24
"""Passes that are drawn, the last ones."""


def flow_figure(state: RefineState, theme: Theme = "light", most: int = MOST) -> go.Figure:
    """Each version of each pass by its points: the winner filled, the others open, a cross where it was vetoed.

    The thick line is what stands after each pass; the shaded part is the incumbent's streak.
    """
    views = list(state.passes.values())[-most:]
    if not views:
        return empty("No pass has begun.", theme)
    figure = go.Figure([_path(views, theme), *(_lane(label, views, theme) for label in VERSIONS)])
    _shade_streak(figure, state, theme)
    xaxis = {
        "title": {"text": "pass"}, "dtick": 1 if len(views) <= 12 else 5, "gridcolor": BOX, "zeroline": False,
        "range": [views[0].number - 0.6, max(views[-1].number, views[0].number + 2) + 0.6],
        "tick0": views[0].number if len(views) <= 12 else 0, "fixedrange": True,
    }  # fmt: skip
    yaxis = {
        "tickvals": list(LANES.values()), "ticktext": [LANE_NAMES[label] for label in LANES], "range": [-0.6, 2.75],
        "gridcolor": FAINT, "zeroline": False, "fixedrange": True,
    }  # fmt: skip
    return framed(figure, theme, 300, xaxis=xaxis, yaxis=yaxis)


def flow_alt(state: RefineState) -> str:
    """The chart's message in words: who won each pass, and the streak at the end."""
    decided = [view.decision for view in state.decided if view.decision]
    if not decided:
        return "The way of the incumbent: no pass is decided yet."
    won = ", ".join(f"pass {one.pass_num} {one.effective}" for one in decided[-MOST:])
    return f"The way of the incumbent, winners by pass: {won}. The streak of A is {state.streak} of {state.spec.stopping.k}."


def _path(views: Sequence[PassView], theme: Theme) -> go.Scatter:
    """From lane to lane of the versions that stood after each pass."""
    decided = [view.decision for view in views if view.decision and view.decision.effective]
    return go.Scatter(
        x=[one.pass_num for one in decided],
        y=[LANES[one.effective] for one in decided if one.effective],
        mode="lines",
        line={"color": LINE, "width": 4, "shape": "hvh"},
        hoverinfo="skip",
        name="path",
    )


def _lane(label: Version, views: Sequence[PassView], theme: Theme) -> go.Scatter:
    shown = [view for view in views if view.version(label) is not None]
    colour = LEADERS[theme][_TINT[label]]
    return go.Scatter(
        x=[view.number for view in shown],
        y=[LANES[label]] * len(shown),
        mode="markers+text",
        marker={
            "symbol": [_symbol(label, view) for view in shown],
            "size": [_size(label, view) for view in shown],
            "color": colour,
            "line": {"color": colour, "width": 2},
            "opacity": 1,
        },
        text=[_points(label, view) for view in shown],
        textposition="top center",
        textfont={"color": INK[theme], "size": 12},
        cliponaxis=False,
        customdata=[view.number for view in shown],
        hovertext=[_hover(label, view) for view in shown],
        hoverinfo="text",
        name=label,
    )


def _decision(view: PassView) -> PassComplete | None:
    return view.decision if view.decision is not None and view.decision.winner is not None else None


def _symbol(label: Version, view: PassView) -> str:
    decision = _decision(view)
    if decision is not None and label in decision.vetoed_by and decision.effective != label:
        return "x-open"
    won = decision is not None and decision.effective == label
    return SYMBOLS[label] if won else f"{SYMBOLS[label]}-open"


def _size(label: Version, view: PassView) -> float:
    """By the share of the points that one version can have at most."""
    decision = _decision(view)
    if decision is None:
        return SMALLEST
    together = sum(decision.borda.values())
    share = decision.borda.get(label, 0.0) / (together / 2) if together else 0.0  # first everywhere: half of all points
    return SMALLEST + (LARGEST - SMALLEST) * min(share, 1.0)


def _points(label: Version, view: PassView) -> str:
    decision = _decision(view)
    return "" if decision is None else f"{decision.borda.get(label, 0.0):g}"


def _hover(label: Version, view: PassView) -> str:
    version, decision = view.version(label), _decision(view)
    words = f"{version.words:,} words" if version else ""
    if decision is None:
        return f"Pass {view.number}, {label}: {words}, not decided"
    said = [f"Pass {view.number}, {label}: {decision.borda.get(label, 0.0):g} points", words]
    if label in decision.vetoed_by:
        said.append("vetoed")
    if decision.effective == label:
        said.append("stands")
    elif decision.winner == label:
        said.append("won, with the very words of A")
    return ", ".join(said)


def _shade_streak(figure: go.Figure, state: RefineState, theme: Theme) -> None:
    decided = [view.number for view in state.decided]
    if not state.streak or not decided:
        return
    last = decided[-1]
    begin = max(last - state.streak + 1, decided[0])
    text: dict[str, Any] = {"text": f"streak {state.streak} of {state.spec.stopping.k}", "font": {"color": INK[theme]}}
    figure.add_vrect(
        x0=begin - 0.45, x1=last + 0.45, fillcolor="rgba(0,158,115,.14)", line_width=0, layer="below",
        annotation=text, annotation_position="top left",
    )  # fmt: skip
