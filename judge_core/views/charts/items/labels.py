"""Figures of labels: the metrics that retrieval answers come to, and the steps of agent runs.

Table twins: `views.items.tables.summary_table` (metrics) and `views.items.details.steps_table` (steps).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from judge_core.records.item_verdict import RagVerdict
from judge_core.scoring.rag import METRICS
from judge_core.views.charts.labels import plotly_label
from judge_core.views.charts.style import BOX, FAINT, FOCUS, GREEN, LINE, ORANGE, PURPLE, RED, Theme, empty, framed
from judge_core.views.items.details import step_panels
from judge_core.views.items.state import ItemState
from judge_core.views.items.verdicts.agent import agent_panel
from judge_core.views.items.verdicts.panel import voices
from judge_core.views.items.verdicts.rag import RAG_METRICS
from judge_core.views.items.verdicts.summary import Summary, summary

Labels = Mapping[str, str]
STEPS: dict[str | None, tuple[str, str]] = {
    "useful": ("U", GREEN),
    "redundant": ("R", ORANGE),
    "harmful": ("H", RED),
    "disputed": ("?", PURPLE),
    None: ("·", "#C8C8C8"),
}
"""Letter and fill of each label of a step."""
BAR = 0.5
"""Height of a row that has a line of words over it, of 1."""
STEP_KEY = "U useful, R redundant, H harmful, ? disputed, · no label"
ROW = 46
"""Pixels of a row of steps with its line of words."""
LOWER_IS_BETTER = ("contradiction",)
JUDGE_FILLS = (LINE, ORANGE, PURPLE, GREEN, RED)


def rows_axis(names: Sequence[str]) -> dict[str, object]:
    """A vertical axis with a name for each row, from the top; rows are numbers, so that equal names stay apart."""
    return {"tickvals": list(range(len(names))), "ticktext": list(names), "autorange": "reversed", "gridcolor": BOX}


def headed(figure: go.Figure, heads: Sequence[str]) -> go.Figure:
    """The figure with a line of words over each of its rows (0, 1, ... from the top), as wide as the chart: so none is cut off.

    The rows are `BAR` high. `heads` are fit for Plotly.
    """
    for row, words in enumerate(heads):
        figure.add_annotation(
            text=words, x=0, xref="paper", xanchor="left", y=row - BAR / 2, yref="y", yanchor="bottom", showarrow=False, align="left"
        )  # fmt: skip
    axis = {"range": [len(heads) - 0.5, -0.85], "autorange": False, "showticklabels": False, "showgrid": False}
    return figure.update_yaxes(**axis, zeroline=False)


def metrics_figure(state: ItemState, theme: Theme = "light") -> go.Figure:
    """Answers: bars of the panel's mean of each metric with its interval and n; beside them each judge's, where there are several."""
    whole = summary(state)
    if not whole.judged:
        return empty("No answer has been judged yet.", theme)
    names = [METRICS[name] + (" (lower is better)" if name in LOWER_IS_BETTER else "") for name in METRICS]
    bars = [_panel_bars(whole, names, theme)]
    if len(state.spec.judges) > 1:
        bars += [_judge_bars(state, judge, names) for judge in range(len(state.spec.judges))]
    xaxis = {"range": [0, 1.02], "tickvals": [0, 0.25, 0.5, 0.75, 1], "gridcolor": FAINT, "zeroline": False}
    height = 90 + len(names) * (2 * (12 + 10 * len(bars)))
    figures = [whole.figure(name) for name in RAG_METRICS]
    marks = ["nothing to measure" if f.mean is None else f"{f.mean:.2f} (n {f.n})" for f in figures]
    figure = framed(go.Figure(bars), theme, height, barmode="group", bargap=1 - BAR, xaxis=xaxis)
    headed(figure, [f"{name}: {mark}" for name, mark in zip(names, marks, strict=True)])
    legend = {"orientation": "h", "y": 1.02, "yanchor": "bottom", "traceorder": "normal"}
    return figure.update_layout(showlegend=len(bars) > 1, legend=legend)


def _panel_bars(whole: Summary, names: Sequence[str], theme: Theme) -> go.Bar:
    figures = [whole.figure(name) for name in RAG_METRICS]
    means = [figure.mean for figure in figures]
    above = [None if f.mean is None or f.high is None else f.high - f.mean for f in figures]
    under = [None if f.mean is None or f.low is None else f.mean - f.low for f in figures]
    return go.Bar(
        x=means,
        y=list(range(len(names))),
        hovertext=list(names),
        orientation="h",
        name="panel",
        marker={"color": FOCUS[theme]},
        error_x={
            "type": "data",
            "visible": any(above),
            "symmetric": False,
            "array": above,
            "arrayminus": under,
            "color": LINE,
        },
        hovertemplate="%{hovertext}: %{x:.2f}<extra>panel</extra>",
    )


def _judge_bars(state: ItemState, judge: int, names: Sequence[str]) -> go.Bar:
    own = [
        voice.verdict.metrics
        for item in state.spec.items
        for voice in voices(state.items.get(item.alias), state.spec.judges, RagVerdict)
        if voice.judge == judge
    ]
    known = [[value for metrics in own if (value := getattr(metrics, name)) is not None] for name in RAG_METRICS]
    return go.Bar(
        x=[sum(values) / len(values) if values else None for values in known],
        y=list(range(len(names))),
        hovertext=list(names),
        orientation="h",
        name=f"{judge + 1}: {plotly_label(state.spec.judges[judge].name)}",
        marker={"color": JUDGE_FILLS[judge % len(JUDGE_FILLS)], "pattern": {"shape": "/\\x-|"[judge % 5]}},
        customdata=[len(values) for values in known],
        hovertemplate="%{hovertext}: %{x:.2f} (n %{customdata})<extra></extra>",
    )


def metrics_alt(state: ItemState) -> str:
    """The metrics' message in words."""
    known = [figure for figure in summary(state).figures if figure.kind == "metric" and figure.mean is not None]
    words = ", ".join(f"{figure.name} {figure.mean:.2f} (n {figure.n})" for figure in known)
    return f"Means over the items: {words}." if words else "Metrics: nothing has been measured yet."


def steps_figure(state: ItemState, labels: Labels | None = None, theme: Theme = "light", most: int = 40) -> go.Figure:
    """Agent runs: a row a run, a cell a step with the letter and the colour of its label; beside the name what became of the goal."""
    shown = [item for item in state.spec.items if item.alias in state.items][:most]
    lines = [step_panels(state, item) for item in shown]
    longest = max((len(line) for line in lines), default=0)
    if not longest:
        return empty("No run has been judged yet.", theme)
    kinds, last = list(STEPS), len(STEPS) - 1
    cells = [[*(kinds.index(step.label) for step in line), *[None] * (longest - len(line))] for line in lines]
    bounds = [(place / len(kinds), (place + 1) / len(kinds)) for place in range(len(kinds))]
    figure = go.Figure(
        go.Heatmap(
            x=list(range(1, longest + 1)),
            z=cells,
            zmin=-0.5,
            zmax=last + 0.5,
            text=[["" if cell is None else STEPS[kinds[cell]][0] for cell in row] for row in cells],
            texttemplate="%{text}",
            textfont={"color": "#000000"},
            colorscale=[[end, STEPS[kind][1]] for kind, ends in zip(kinds, bounds, strict=True) for end in ends],
            showscale=False,
            xgap=2,
            ygap=ROW * (1 - BAR),
            hoverongaps=False,
            hovertemplate="step %{x}: %{text}<extra></extra>",
        )
    )
    names = [f"{plotly_label(item.alias, labels)}: {_goal(state, item.alias)}" for item in shown]
    xaxis = {"title": {"text": "step"}, "showgrid": False, "zeroline": False, "tick0": 1, "dtick": 1 + longest // 20}
    headed(framed(figure, theme, 90 + ROW * len(shown), xaxis=xaxis), names)
    return figure.update_layout(width=24 * longest + 260) if longest > 40 else figure


def _goal(state: ItemState, alias: str) -> str:
    panel = agent_panel(state, alias)
    return panel.goal.replace("_", " ") if panel else "no verdict"


def steps_alt(state: ItemState) -> str:
    """The steps' message in words."""
    labels: Counter[str | None] = Counter(step.label for item in state.spec.items for step in step_panels(state, item))
    parts = ", ".join(f"{labels[label]} {label or 'without a label'}" for label in STEPS if labels[label])
    return f"{labels.total()} steps of {len(state.spec.items)} runs: {parts or 'none'}."
