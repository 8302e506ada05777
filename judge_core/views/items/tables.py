"""The main table of a run by mode, for files and for the page, and the small tables beside it.

For files: a row an item (listwise: a candidate), in the items' order: `id`, `title`, the mode's fixed columns with the criteria or
judges among them, then `alias`, `author` and the item's own columns. What was not measured is empty, never 0.
On the page the item stands under its alias, or its label, and nothing else names it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from judge_core.records.item import Item
from judge_core.records.spec import ItemMode, ItemSpec
from judge_core.views.exports.cells import Cell, distinct_headers, rounded
from judge_core.views.exports.ranked import Table, warning_words
from judge_core.views.items.state import ITEM_LEDGER, ItemClass, ItemState
from judge_core.views.items.verdicts.agent import AGENT_METRICS, agent_panel, patterns
from judge_core.views.items.verdicts.lists import list_panel
from judge_core.views.items.verdicts.panel import Mean
from judge_core.views.items.verdicts.points import five, gate_decision, point_panel
from judge_core.views.items.verdicts.rag import RAG_METRICS, rag_panel
from judge_core.views.items.verdicts.summary import Summary

if TYPE_CHECKING:
    import pandas as pd

Labels = Mapping[str, str]
DIGITS = 4
"""Decimals of scores, metrics and positions."""
LEDGER_MEANINGS: dict[ItemClass, str] = {
    "judged": "the judge brought a verdict",
    "unparseable": "the reply could not be read",
    "failed": "the call brought no answer",
    "held": "not made: a cap was reached",
    "cancelled": "not made: the run was cancelled",
    "waiting": "still to be made",
}


@dataclass(frozen=True, slots=True)
class _Shape:
    """The columns of a mode: fixed ones, then those that people named (criteria or judges), then fixed ones again."""

    before: tuple[str, ...]
    named: str
    """'criterion', 'judge' or '' for none."""
    after: tuple[str, ...]
    rows: Callable[[ItemState, Item], list[list[Cell]]]
    """The cells of all three parts but the last two, which are the same in all modes."""


LAST = ("status", "warnings")
"""The last fixed columns before the item's alias."""


def wide_table(state: ItemState) -> Table:
    """The main table as files hold it; see the module's head for the order of its columns."""
    shape, spec = SHAPES[state.spec.mode], state.spec
    columns = list(dict.fromkeys(name for item in spec.items for name in item.columns))
    first, last = ("id", "title", *shape.before), (*shape.after, *LAST, "alias", "author")
    named = [(shape.named, name) for name in _named(shape, spec)]
    headers = distinct_headers((*first, *last), [*named, *(("column", name) for name in columns)])
    middle, own = headers[: len(named)], headers[len(named) :]
    rows = [
        (item.id, item.title, *cells, item.alias, item.author, *(item.columns.get(name) for name in columns))
        for item in spec.items
        for cells in _cells(state, item)
    ]
    return Table((*first, *middle, *last, *own), tuple(rows))


def screen_table(state: ItemState, labels: Labels | None = None) -> Table:
    """The main table as the page shows it: items by label, else by alias; no file name, author or own column."""
    shape = SHAPES[state.spec.mode]
    first, last = ("item", *shape.before), (*shape.after, *LAST)
    middle = distinct_headers((*first, *last), [(shape.named, name) for name in _named(shape, state.spec)])
    rows = [
        ((labels or {}).get(item.alias, item.alias), *cells)
        for item in state.spec.items
        for cells in _cells(state, item)
    ]
    whole = Table((*first, *middle, *last), tuple(rows))
    return whole if labels is not None else without(whole, "candidate")


def without(table: Table, column: str) -> Table:
    """The table without a column, where it has it."""
    keep = [index for index, name in enumerate(table.header) if name != column]
    return Table(tuple(table.header[index] for index in keep), tuple(tuple(row[i] for i in keep) for row in table.rows))


def frame(table: Table) -> pd.DataFrame:
    """A table as a data frame: a column of numbers is numeric, with empty cells where nothing is known."""
    import pandas as pd  # only pages and frames pay for loading it

    content = pd.DataFrame([list(row) for row in table.rows], columns=list(table.header), dtype=object)
    for position, name in enumerate(table.header):
        cells = [row[position] for row in table.rows]
        if any(cell is not None for cell in cells) and not any(isinstance(cell, str) for cell in cells):
            content[name] = pd.to_numeric(content[name])
    return content


def _named(shape: _Shape, spec: ItemSpec) -> list[str]:
    if shape.named == "criterion":
        return [criterion.name for criterion in spec.rubric.criteria]
    return [judge.name for judge in spec.judges] if shape.named == "judge" else []


def _cells(state: ItemState, item: Item) -> list[list[Cell]]:
    last: list[Cell] = [
        state.item_status(item.alias),
        warning_words(warnings_of(state, item.alias), demo=has_demo(state.spec)),
    ]
    return [[*cells, *last] for cells in SHAPES[state.spec.mode].rows(state, item)]


def has_demo(spec: ItemSpec) -> bool:
    """Whether the embedded demo judge sits on the panel: each row of each file then says so."""
    return any(judge.provider == "offline" for judge in spec.judges)


def warnings_of(state: ItemState, alias: str) -> dict[str, int]:
    """Warning codes of an item and of its judgments with their numbers, most frequent first; lost judgments by class."""
    view = state.items.get(alias)
    counts = Counter(state.spec.by_alias[alias].notices)
    for judgment in view.judgments if view else ():
        counts.update(notice.code for notice in judgment.warnings)
        if not judgment.decided:
            counts[judgment.outcome] += 1
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))


def yes_no(value: bool | None) -> str | None:
    """A yes or no for a cell, None where it is unknown."""
    return None if value is None else ("yes" if value else "no")


def _value(mean: Mean | None) -> Cell:
    return rounded(mean.value, DIGITS) if mean else None


def _review(state: ItemState, item: Item) -> list[list[Cell]]:
    panel = point_panel(state, item.alias)
    names = [criterion.name for criterion in state.spec.rubric.criteria]
    if panel is None:
        return [[None, None, None, *(None for _ in names), 0]]
    ends = [rounded(five(total), DIGITS) if panel.judges > 1 else None for total in (panel.lowest, panel.highest)]
    return [[rounded(panel.score5, DIGITS), *ends, *(_value(panel.scores[name]) for name in names), panel.judges]]


def _gate(state: ItemState, item: Item) -> list[list[Cell]]:
    panel, decision = point_panel(state, item.alias), gate_decision(state, item.alias)
    scores = [_value(panel.scores[c.name]) if panel else None for c in state.spec.rubric.criteria]
    return [[yes_no(decision.passed), rounded(decision.score5, DIGITS), state.spec.bar, decision.why, *scores]]


def _listwise(state: ItemState, item: Item) -> list[list[Cell]]:
    panel, judges = list_panel(state, item.alias), range(len(state.spec.judges))
    rows: list[list[Cell]] = []
    for index, part in enumerate(item.of("candidate")):
        begin: list[Cell] = [part.name or str(index + 1), index + 1]
        if panel is None:
            rows.append([*begin, None, None, *(None for _ in judges), None, 0])
            continue
        own = [panel.by_judge.get(judge) for judge in judges]
        positions = [rounded(line[index], DIGITS) if line else None for line in own]
        place: list[Cell] = [panel.places[index], rounded(panel.positions[index], DIGITS)]
        rows.append([*begin, *place, *positions, rounded(panel.agreement, DIGITS), panel.judges])
    return rows


def _rag(state: ItemState, item: Item) -> list[list[Cell]]:
    panel = rag_panel(state, item.alias)
    if panel is None:
        return [[None for _ in SHAPES["rag"].before]]
    counts = (panel.labelled("supported"), panel.labelled("contradicted"), panel.labelled("not_found"))
    metrics = (_value(panel.metrics[name]) for name in RAG_METRICS)
    return [[*metrics, len(panel.claims), *counts, panel.labelled("disputed")]]


def _agent(state: ItemState, item: Item) -> list[list[Cell]]:
    panel = agent_panel(state, item.alias)
    metrics = [_value(panel.metrics[name]) if panel else None for name in AGENT_METRICS]
    return [[*metrics, len(item.of("step")), pattern_words(state, item.alias), yes_no(item.success)]]


def pattern_words(state: ItemState, alias: str) -> str:
    """The patterns found in a run with their finders: 'ping_pong (rules; 2 judges)'."""
    words = []
    for pattern in patterns(state, alias):
        judges = f"{pattern.judges} judge{'' if pattern.judges == 1 else 's'}"
        finders = [*(["rules"] if pattern.rules else []), *([judges] if pattern.judges else [])]
        words.append(f"{pattern.name} ({'; '.join(finders)})")
    return ", ".join(words)


SHAPES: dict[ItemMode, _Shape] = {
    "review": _Shape(("score", "score_low", "score_high"), "criterion", ("judges",), _review),
    "gate": _Shape(("passed", "score", "bar", "why"), "criterion", (), _gate),
    "listwise": _Shape(("candidate", "number", "place", "position"), "judge", ("agreement", "judges"), _listwise),
    "rag": _Shape((*RAG_METRICS, "claims", "supported", "contradicted", "not_found", "disputed"), "", (), _rag),
    "agent": _Shape(
        ("goal", "useful", "redundant", "harmful", "call_correctness", "efficiency", "steps", "patterns", "success"),
        "",
        (),
        _agent,
    ),
}
"""`score_low` and `score_high` are the lowest and the highest judge's score, where several judged."""


def summary_table(whole: Summary, state: ItemState) -> Table:
    """A row a quantity with its mean over the items, then a row a count; twin of the chart of metrics."""
    label = warning_words({}, demo=has_demo(state.spec))
    header = ("what", "kind", "mean", "low", "high", "n", "missing", "warnings")
    figures = [
        (f.name, f.kind, *(rounded(value, DIGITS) for value in (f.mean, f.low, f.high)), f.n, f.missing, label)
        for f in whole.figures
    ]
    counts = [(name, "count", None, None, None, number, None, label) for name, number in whole.counts.items()]
    return Table(header, (*figures, *counts))


def ledger_table(state: ItemState) -> Table:
    """Every planned judgment by class, none left out; twin of the ledger bar."""
    rows = [(outcome, number, LEDGER_MEANINGS[outcome]) for outcome, number in state.ledger.items()]
    return Table(("class", "judgments", "meaning"), tuple(rows))


def judges_table(state: ItemState) -> Table:
    """A row a judge: what it decided and what it cost. An unknown cost is empty, never 0."""
    rows = []
    for index, judge in enumerate(state.spec.judges):
        spent = state.spending.get(index)
        paid: tuple[Cell, ...] = (0, 0, 0, 0.0)
        if spent:
            paid = (spent.calls, spent.cached, spent.prompt_tokens + spent.completion_tokens, spent.cost.exact)
        rows.append((judge.name, judge.weight, *state.judge_ledger(index).values(), *paid))
    return Table(("judge", "weight", *ITEM_LEDGER, "calls", "cached", "tokens", "cost"), tuple(rows))
