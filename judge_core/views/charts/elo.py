"""The live Elo chart: ECharts options, because that chart keeps its place on the page while its data grow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from judge_core.views.charts.labels import canvas_label
from judge_core.views.charts.style import INK, LEADERS, LINE, Theme
from judge_core.views.state import RunState, Trajectory

POINTS = 60
"""Most points a line keeps: more cannot be seen, and would be sent again at each update."""
OTHERS = 45
"""Most grey lines."""


def elo_options(
    state: RunState,
    labels: Mapping[str, str] | None = None,
    theme: Theme = "light",
    top: int = 3,
    pinned: Sequence[str] = (),
) -> dict[str, Any]:
    """ECharts options of the Elo lines: the `top` best and the pinned ones coloured and named, the rest grey."""
    order = sorted(state.elo, key=lambda alias: (-state.elo_now(alias), alias))
    leaders = [*order[:top], *(alias for alias in pinned if alias in state.elo and alias not in order[:top])]
    others = _spread([alias for alias in order if alias not in leaders], OTHERS)
    last = max((line[-1][0] for line in state.elo.values()), default=0)
    grey = [_line(alias, state.elo[alias], labels, last) | _grey() for alias in others]
    coloured = [
        _line(alias, state.elo[alias], labels, last) | _leading(position, theme)
        for position, alias in enumerate(leaders)
    ]
    axis = {"axisLabel": {"color": INK[theme]}, "nameTextStyle": {"color": INK[theme]}, "axisLine": _stroke(1)}
    return {
        "animation": False,
        "backgroundColor": "transparent",
        "textStyle": {"color": INK[theme]},
        "grid": {"left": 8, "right": 150, "top": 36, "bottom": 36, "containLabel": True},
        "tooltip": {"trigger": "item", "renderMode": "richText", "confine": True},
        "xAxis": axis | _axis(_asked(state), min=0, max=max(last, 1), minInterval=1, splitLine={"show": False}),
        "yAxis": axis | _axis("Elo", scale=True, splitLine=_stroke(0.25)),
        "series": [*grey, *coloured],
    }


def elo_alt(state: RunState, labels: Mapping[str, str] | None = None) -> str:
    """The Elo chart's message in words."""
    if not state.judged:
        return "Elo by match: no match has been judged yet."
    best = sorted(state.elo, key=lambda alias: (-state.elo_now(alias), alias))[:3]
    named = ", ".join(f"{(labels or {}).get(alias, alias)} {state.elo_now(alias):.0f}" for alias in best)
    lists = sum(not view.single for view in state.listings.values())
    parts = [f"{n} {words}" for n, words in ((len(state.matches), "matches"), (lists, "lists")) if n]
    return f"Elo after {' and '.join(parts) or 'no matches'}; highest: {named}. The other lines are grey."


def _asked(state: RunState) -> str:
    return "matches judged" if not state.listings else "lists judged" if not state.matches else "judged in this order"


def thinned(line: Trajectory, most: int = POINTS) -> Trajectory:
    """At most so many points of a line, evenly taken, its first and last among them.

    >>> thinned(tuple((place, 0.0) for place in range(7)), 3)
    ((0, 0.0), (3, 0.0), (6, 0.0))
    """
    return tuple(_spread(line, most))


def _spread(items: Sequence[Any], most: int) -> list[Any]:
    if len(items) <= most:
        return list(items)
    return [items[round(index * (len(items) - 1) / (most - 1))] for index in range(most)]


def _line(alias: str, line: Trajectory, labels: Mapping[str, str] | None, last: int) -> dict[str, Any]:
    points = [[place, round(value, 1)] for place, value in thinned(line, POINTS - 1)]
    if points[-1][0] < last:
        points.append([last, points[-1][1]])
    return {"id": alias, "name": canvas_label(alias, labels), "type": "line", "data": points, "showSymbol": False}


def _grey() -> dict[str, Any]:
    return {"lineStyle": {"color": LINE, "width": 1, "opacity": 0.45}, "silent": True, "z": 1}


def _leading(position: int, theme: Theme) -> dict[str, Any]:
    colour = LEADERS[theme][position % len(LEADERS[theme])]
    return {
        "lineStyle": {"color": colour, "width": 3, "type": ("solid", "dashed", "dotted")[position % 3]},
        "itemStyle": {"color": colour},
        "showSymbol": True,
        "symbolSize": 5,
        "symbol": ("circle", "rect", "triangle")[position % 3],
        "endLabel": {"show": True, "formatter": "{a}", "color": colour, "fontWeight": "bold"},
        "labelLayout": {"moveOverlap": "shiftY"},
        "emphasis": {"focus": "series"},
        "z": 3,
    }


def _stroke(opacity: float) -> dict[str, Any]:
    return {"lineStyle": {"color": LINE, "opacity": opacity}}


def _axis(title: str, **more: Any) -> dict[str, Any]:
    return {"type": "value", "name": title, "nameLocation": "middle" if title != "Elo" else "end", "nameGap": 24} | more
