"""Figures of a run that judges items: scores against the bar, criteria, positions; metrics and steps from next door.

Table twins: `views.items.tables.screen_table`. Each label is told by a letter or word too, never by colour alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from judge_core.scoring.weighing import normalised
from judge_core.views.charts.items.labels import BAR, headed, rows_axis
from judge_core.views.charts.items.labels import metrics_alt as metrics_alt
from judge_core.views.charts.items.labels import metrics_figure as metrics_figure
from judge_core.views.charts.items.labels import steps_alt as steps_alt
from judge_core.views.charts.items.labels import steps_figure as steps_figure
from judge_core.views.charts.labels import plotly_label
from judge_core.views.charts.style import (
    FAINT,
    FOCUS,
    GREEN,
    INK,
    LINE,
    RED,
    Theme,
    empty,
    framed,
)
from judge_core.views.items.sentence import below
from judge_core.views.items.state import ItemState
from judge_core.views.items.verdicts.lists import ListPanel, list_panel
from judge_core.views.items.verdicts.points import GateDecision, PointPanel, Why, gate_decision, point_panel
from judge_core.views.items.verdicts.summary import summary

Labels = Mapping[str, str]
MARKS: dict[Why, str] = {
    "passed": "✓ pass",
    "below_bar": "✗ below the bar",
    "rejected": "✗ rejected",
    "hedged": "✗ only on a condition",
    "no_verdict": "✗ no verdict",
    "judge_missing": "✗ a judge is missing",
}
"""What stands beside an item's score at a gate."""


def scores_figure(state: ItemState, labels: Labels | None = None, theme: Theme = "light", most: int = 40) -> go.Figure:
    """Review and gate: a bar of the score (1 to 5) for each item. A gate has its bar as a line, and says who fails, those first."""
    gate = state.spec.mode == "gate"
    rows = [(item.alias, point_panel(state, item.alias)) for item in state.spec.items if item.alias in state.items]
    if not rows:
        return empty("No text has been judged yet.", theme)
    decisions = {alias: gate_decision(state, alias) if gate else None for alias, _ in rows}
    rows = sorted(rows, key=lambda row: _rank(row[1], decisions[row[0]]))[:most]
    marks = [_mark(panel, decisions[alias], state.spec.bar) for alias, panel in rows]
    figure = go.Figure(
        go.Bar(
            x=[panel.score5 - 1 if panel else 0 for _, panel in rows],
            y=list(range(len(rows))),
            base=1,
            orientation="h",
            width=BAR,
            marker={"color": [_fill(decisions[alias], theme) for alias, _ in rows]},
            customdata=[alias for alias, _ in rows],
            hovertext=marks,
            hoverinfo="text",
        )
    )
    if gate:
        figure.add_vline(x=state.spec.bar, line={"color": INK[theme], "width": 2, "dash": "dash"})
    xaxis = {"title": {"text": _axis(state)}, "range": [1, 5.05], "tickvals": [1, 2, 3, 4, 5], "gridcolor": FAINT}
    heads = [f"{plotly_label(alias, labels)}: {mark}" for (alias, _), mark in zip(rows, marks, strict=True)]
    return headed(framed(figure, theme, 90 + 44 * len(rows), xaxis=xaxis), heads)


def _rank(panel: PointPanel | None, decision: GateDecision | None) -> tuple[float, float]:
    """Gate: those that fail first, the lowest on top. Review: the highest on top, those without a score last."""
    if decision is not None:
        return float(decision.passed), decision.score5 if decision.score5 is not None else 0.0
    return (0.0, -panel.score5) if panel else (1.0, 0.0)


def _fill(decision: GateDecision | None, theme: Theme) -> str:
    return FOCUS[theme] if decision is None else GREEN if decision.passed else RED


def _mark(panel: PointPanel | None, decision: GateDecision | None, bar: float) -> str:
    if panel is None:
        return "no verdict"
    if decision is None:
        return f"{panel.score5:.2f}"
    score = below(panel.score5, bar) if decision.why == "below_bar" else f"{panel.score5:.2f}"
    return f"{score} {MARKS[decision.why]}"


def _axis(state: ItemState) -> str:
    return f"score, 1 to 5; the bar is {state.spec.bar:g}" if state.spec.mode == "gate" else "score, 1 to 5"


def scores_alt(state: ItemState, labels: Labels | None = None) -> str:
    """The scores' message in words."""
    panels = {item.alias: panel for item in state.spec.items if (panel := point_panel(state, item.alias))}
    if not panels:
        return "Scores: no text has a score yet."
    best = max(panels, key=lambda alias: panels[alias].score5)
    words = f"Scores of {len(panels)} texts. Highest: {(labels or {}).get(best, best)}, {panels[best].score5:.2f} of 5."
    if state.spec.mode != "gate":
        return words
    passed = sum(gate_decision(state, alias).passed for alias in panels)
    return f"{words} {passed} of {len(state.spec.items)} pass the bar of {state.spec.bar:g}."


def criteria_figure(
    state: ItemState, labels: Labels | None = None, theme: Theme = "light", most: int = 40
) -> go.Figure:
    """Review and gate: a row an item, a column a criterion; the panel's native score, coloured by its share of the scale."""
    panels = {item.alias: panel for item in state.spec.items if (panel := point_panel(state, item.alias))}
    if not panels:
        return empty("No text has a score yet.", theme)
    shown, criteria = list(panels)[:most], state.spec.rubric.criteria
    scores = [[panels[alias].scores[criterion.name].value for criterion in criteria] for alias in shown]
    shares = [
        [None if score is None else normalised(score, c) for score, c in zip(row, criteria, strict=True)]
        for row in scores
    ]
    columns = [plotly_label(criterion.name) for criterion in criteria]
    figure = go.Figure(
        go.Heatmap(
            z=shares,
            zmin=0,
            zmax=1,
            text=[["–" if score is None else f"{score:.3g}" for score in row] for row in scores],
            texttemplate="%{text}",
            textfont={"color": "#000000"},
            colorscale=[[0, "#f1f4f8"], [1, "#6fb1de"]],
            showscale=False,
            xgap=2,
            ygap=2,
            hovertemplate="%{y}, %{x}: %{text}<extra></extra>",
        )
    )
    xaxis = {"tickvals": list(range(len(columns))), "ticktext": columns, "side": "top", "showgrid": False}
    return framed(
        figure,
        theme,
        120 + 28 * len(shown),
        xaxis=xaxis,
        yaxis={**rows_axis([plotly_label(alias, labels) for alias in shown]), "showgrid": False},
    )


def criteria_alt(state: ItemState) -> str:
    """The criteria's message in words."""
    means = [figure for figure in summary(state).figures if figure.kind == "criterion" and figure.mean is not None]
    if not means:
        return "Scores by criterion: no text has a score yet."
    return "Mean score by criterion: " + ", ".join(f"{f.name} {f.mean:.2f} (n {f.n})" for f in means) + "."


def positions_figure(
    state: ItemState, alias: str, theme: Theme = "light", candidates: Sequence[str] | None = None
) -> go.Figure:
    """Listwise: the candidates of one item by place, best on top; a square for the panel's mean position, a ring for each judge's.

    `candidates`: what each is called, where that is not its number.
    """
    panel = list_panel(state, alias)
    if panel is None:
        return empty("This list has no ranking.", theme)
    rows = list(range(len(panel.ranking)))
    judges = [
        go.Scatter(
            x=[line[number - 1] for number in panel.ranking],
            y=rows,
            mode="markers",
            marker={"symbol": "circle-open", "size": 13, "color": LINE, "line": {"width": 1.5}},
            hovertemplate=f"{plotly_label(state.spec.judge_names[judge])}: %{{x:.2f}}<extra></extra>",
        )
        for judge, line in panel.by_judge.items()
    ]
    mean = go.Scatter(
        x=[panel.positions[number - 1] for number in panel.ranking],
        y=rows,
        mode="markers",
        marker={"symbol": "square", "size": 10, "color": FOCUS[theme]},
        hovertemplate="panel: %{x:.2f}<extra></extra>",
    )
    called = [plotly_label(name) for name in candidates or _numbered(panel)]
    names = [f"{panel.places[number - 1]}. {called[number - 1]}" for number in panel.ranking]
    yaxis = rows_axis(names)
    xaxis = {
        "title": {"text": "mean position (1 is best)"},
        "range": [0.5, len(rows) + 0.5],
        "dtick": 1,
        "gridcolor": FAINT,
    }
    return framed(go.Figure([*judges, mean]), theme, 90 + 28 * len(rows), xaxis=xaxis, yaxis=yaxis)


def _numbered(panel: ListPanel) -> list[str]:
    return [f"Candidate {number}" for number in range(1, len(panel.places) + 1)]


def positions_alt(state: ItemState, alias: str, candidates: Sequence[str] | None = None) -> str:
    """The positions' message in words."""
    panel = list_panel(state, alias)
    if panel is None:
        return "Positions: this list has no ranking."
    called = candidates or _numbered(panel)
    order = ", ".join(f"{called[number - 1]} (place {panel.places[number - 1]})" for number in panel.ranking)
    agreement = "" if panel.agreement is None else f" Kendall's W of the judges: {panel.agreement:.2f}."
    return f"Best first: {order}.{agreement}"
