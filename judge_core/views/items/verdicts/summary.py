"""What a run of items comes to as a whole: means with their intervals, and counts. An item without a value is counted, not invented.

The interval is Student's t over the items, cut at the ends of the scale. Where the data repeats a task (agents' trials),
repeated items are no independent evidence: each task's mean then counts as one value.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal

from scipy.special import stdtrit

from judge_core.records.spec import ItemMode
from judge_core.views.items.state import ItemState
from judge_core.views.items.verdicts.agent import AGENT_METRICS, agent_panel, patterns
from judge_core.views.items.verdicts.lists import list_panel
from judge_core.views.items.verdicts.panel import Mean
from judge_core.views.items.verdicts.points import PointPanel, gate_decision, point_panel
from judge_core.views.items.verdicts.rag import RAG_METRICS, rag_panel
from judge_core.views.items.verdicts.trials import trial_figures

LEVEL = 0.95
FEWEST = 3
"""Values below which no interval is given."""
Kind = Literal["score", "criterion", "metric", "agreement", "trials"]


@dataclass(frozen=True, slots=True)
class Figure:
    """The mean of one quantity over the items."""

    kind: Kind
    name: str
    mean: float | None
    """None where no item has a value."""
    low: float | None
    """Ends of the interval; None below three values."""
    high: float | None
    n: int
    """Values that it rests on: items, or tasks where the data repeats tasks."""
    missing: int
    """Items without a value."""


@dataclass(frozen=True, slots=True)
class Summary:
    """A run as a whole."""

    mode: ItemMode
    items: int
    judged: int
    """Items with a verdict of at least one judge."""
    unit: Literal["items", "tasks"]
    """What `n` counts."""
    figures: tuple[Figure, ...]
    counts: Mapping[str, int]
    """Gate: items by reason ('passed', 'below_bar', ...). RAG: claims by label. Agent: runs by goal, and 'pattern: NAME'."""
    level: float = LEVEL

    def figure(self, name: str, kind: Kind = "metric") -> Figure:
        """A figure by name; KeyError where the mode has none of it."""
        for figure in self.figures:
            if (figure.kind, figure.name) == (kind, name):
                return figure
        raise KeyError(name)

    @property
    def share_passed(self) -> float | None:
        """Gate: the share of all items that pass; None for other modes."""
        return self.counts["passed"] / self.items if self.mode == "gate" else None


def summary(state: ItemState) -> Summary:
    """The run as a whole, so far."""
    items = state.spec.items
    rows = [dict(_values(state, item.alias)) for item in items]
    tasks = [item.trial or item.alias for item in items]
    repeated = any(item.trial for item in items)
    scales = _scales(state)
    return Summary(
        mode=state.spec.mode,
        items=len(items),
        judged=sum(bool(view.decided) for view in state.items.values()),
        unit="tasks" if repeated else "items",
        figures=(
            *(_figure(key, [row.get(key) for row in rows], tasks, scale) for key, scale in scales.items()),
            *_trials(state),
        ),
        counts=_counts(state),
    )


def _trials(state: ItemState) -> Iterator[Figure]:
    if state.spec.mode == "agent":
        for name, value, tasks in trial_figures(state):
            yield Figure("trials", name, value, None, None, tasks, 0)


def _scales(state: ItemState) -> dict[tuple[Kind, str], tuple[float, float]]:
    """The quantities of the run's mode, in their order, with the ends of their scales."""
    match state.spec.mode:
        case "review" | "gate":
            return {("score", "score"): (1.0, 5.0), **_criteria(state)}
        case "listwise":
            return {("agreement", "agreement"): (0.0, 1.0)}
        case "rag":
            criteria = _criteria(state) if len(state.spec.rubric.criteria) > 1 else {}  # one alone is the metric itself
            return {**{("metric", name): (0.0, 1.0) for name in RAG_METRICS}, **criteria}
        case "agent":
            return {("metric", name): (0.0, 1.0) for name in AGENT_METRICS}


def _criteria(state: ItemState) -> dict[tuple[Kind, str], tuple[float, float]]:
    return {("criterion", c.name): (c.scale_min, c.scale_max) for c in state.spec.rubric.criteria}


def _values(state: ItemState, alias: str) -> Iterator[tuple[tuple[Kind, str], float | None]]:
    """What an item brings to each quantity; nothing where it has no verdict."""
    match state.spec.mode:
        case "review" | "gate":
            points = point_panel(state, alias)
            return iter(()) if points is None else _of_points(points)
        case "listwise":
            lists = list_panel(state, alias)
            return iter(() if lists is None else [(("agreement", "agreement"), lists.agreement)])
        case "rag":
            rag = rag_panel(state, alias)
            return iter(()) if rag is None else chain(_means("metric", rag.metrics), _means("criterion", rag.scores))
        case "agent":
            agent = agent_panel(state, alias)
            return iter(()) if agent is None else _means("metric", agent.metrics)


def _of_points(points: PointPanel) -> Iterator[tuple[tuple[Kind, str], float | None]]:
    yield ("score", "score"), points.score5
    yield from _means("criterion", points.scores)


def _means(kind: Kind, means: Mapping[str, Mean]) -> Iterator[tuple[tuple[Kind, str], float | None]]:
    for name, mean in means.items():
        yield (kind, name), mean.value


def _figure(
    key: tuple[Kind, str], values: Sequence[float | None], tasks: Sequence[str], scale: tuple[float, float]
) -> Figure:
    by_task: dict[str, list[float]] = {}
    for task, value in zip(tasks, values, strict=True):
        if value is not None:
            by_task.setdefault(task, []).append(value)
    means = [_mean(own) for own in by_task.values()]
    low, high = interval(means, scale)
    return Figure(*key, _mean(means) if means else None, low, high, len(means), sum(value is None for value in values))


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def interval(values: Sequence[float], scale: tuple[float, float]) -> tuple[float | None, float | None]:
    """Student's t interval of the mean at 95 %, cut at the ends of the scale; (None, None) below three values.

    >>> [round(end, 4) for end in interval([1.0, 2.0, 3.0], (-9, 9))]
    [-0.4841, 4.4841]
    """
    n = len(values)
    if n < FEWEST:
        return None, None
    mean = _mean(values)
    sd = math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (n - 1))
    half = float(stdtrit(n - 1, (1 + LEVEL) / 2)) * sd / math.sqrt(n)
    return max(mean - half, scale[0]), min(mean + half, scale[1])


def _counts(state: ItemState) -> dict[str, int]:
    aliases = [item.alias for item in state.spec.items]
    match state.spec.mode:
        case "gate":
            return _ordered(GATE_COUNTS, (gate_decision(state, alias).why for alias in aliases))
        case "rag":
            answers = [answer for alias in aliases if (answer := rag_panel(state, alias))]
            return _ordered(LABEL_COUNTS, (claim.verdict for answer in answers for claim in answer.claims))
        case "agent":
            runs = [run for alias in aliases if (run := agent_panel(state, alias))]
            found = Counter(f"pattern: {pattern.name}" for alias in aliases for pattern in patterns(state, alias))
            return {**_ordered(GOAL_COUNTS, (run.goal for run in runs)), **dict(found.most_common())}
        case "review" | "listwise":
            return {}


GATE_COUNTS = ("passed", "below_bar", "rejected", "hedged", "no_verdict", "judge_missing")
LABEL_COUNTS = ("supported", "contradicted", "not_found", "disputed")
GOAL_COUNTS = ("achieved", "partly", "not_achieved", "disputed")


def _ordered(names: Sequence[str], found: Iterator[str]) -> dict[str, int]:
    counts = Counter(found)
    return {name: counts[name] for name in names}
