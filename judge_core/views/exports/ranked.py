"""The ranked table as rows, as CSV and as machine rows: what a ranking hands on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from judge_core.records.notices import explain
from judge_core.views.exports.cells import Cell, csv_bytes, distinct_headers, rounded
from judge_core.views.standings import Standing, Standings
from judge_core.views.state import RunState

BEFORE = (
    "rank", "tied_with", "id", "title", "rating", "rating_low", "rating_high", "elo",
    "wins", "losses", "ties", "comparisons", "status",
)  # fmt: skip
"""The fixed columns before the criteria."""
AFTER = ("warnings", "alias")
DEMO = "offline_demo"
RESERVED = ("group", "grade", "decided_by")
"""Fixed columns that only some runs have."""
RATING_DIGITS = 1
SCORE_DIGITS = 2


@dataclass(frozen=True, slots=True)
class Table:
    """Header and rows of an export; None is an empty cell."""

    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


def ranked_table(state: RunState, table: Standings) -> Table:
    """The rows as on screen: fixed columns, criteria in the rubric's order, warnings, alias, then the roster's columns.

    Ratings are rounded to 1 decimal, scores to 2. An unrated text has an empty rank and rating and says why in `status`.
    """
    criteria = [criterion.name for criterion in state.spec.rubric.criteria]
    roster = list(dict.fromkeys(column for text in state.spec.texts for column in text.columns))
    groups = ("group",) if any(row.group for row in table.rows) else ()
    named = [*(("criterion", name) for name in criteria), *(("column", name) for name in roster)]
    headers = distinct_headers((*BEFORE, *AFTER), named, RESERVED)
    middle, end = headers[: len(criteria)], headers[len(criteria) :]
    rows = []
    for row in table.rows:
        columns = state.spec.text(row.alias).columns
        means = [rounded(row.criteria.get(name), SCORE_DIGITS) for name in criteria]
        last = [row.alias, *([row.group] if groups else []), *(columns.get(name) for name in roster)]
        rows.append((*_fixed_cells(row, state), *means, warning_words(row.warnings, demo=has_demo_judge(state)), *last))
    return Table((*BEFORE, *middle, *AFTER, *groups, *end), tuple(rows))


def _fixed_cells(row: Standing, state: RunState) -> tuple[Cell, ...]:
    return (
        row.rank,
        "; ".join(ids_of(row.tied_with, state)),
        row.id,
        row.title,
        rounded(row.rating, RATING_DIGITS),
        rounded(row.low, RATING_DIGITS),
        rounded(row.high, RATING_DIGITS),
        rounded(row.elo, RATING_DIGITS),
        row.wins,
        row.losses,
        row.ties,
        row.comparisons,
        row.status,
    )


def ids_of(aliases: Sequence[str], state: RunState) -> list[str]:
    """The given ids of texts known by alias."""
    return [state.spec.text(alias).id for alias in aliases]


def warning_words(warnings: Mapping[str, int], *, demo: bool = False) -> str:
    """Warning codes with their numbers; before them, in words, that the demo judge had a say.

    >>> warning_words({"position_flip": 2, "repaired": 1}, demo=True)
    'Offline demo judge, not an LLM; position_flip (2); repaired (1)'
    """
    label = [explain(DEMO)] if demo else []
    return "; ".join([*label, *(f"{code} ({number})" for code, number in warnings.items())])


def has_demo_judge(state: RunState) -> bool:
    """Whether the embedded demo judge sits on the panel: each row of each file then says so."""
    return any(judge.provider == "offline" for judge in state.spec.judges)


def ranked_csv(state: RunState, table: Standings) -> bytes:
    """The ranked table as CSV; the same run gives the same bytes."""
    whole = ranked_table(state, table)
    return csv_bytes(whole.header, whole.rows)


def standing_records(state: RunState, table: Standings) -> list[dict[str, object]]:
    """The rows for machines: the fixed columns by name, criteria under `criteria`, unknown values None."""
    return [_record(row, state) for row in table.rows]


def _record(row: Standing, state: RunState) -> dict[str, object]:
    record: dict[str, object] = dict(zip(BEFORE, _fixed_cells(row, state), strict=True))
    record["tied_with"] = ids_of(row.tied_with, state)
    record["criteria"] = {name: rounded(mean, SCORE_DIGITS) for name, mean in row.criteria.items()}
    demo = {DEMO: row.comparisons} if has_demo_judge(state) else {}
    record["warnings"] = [
        {"code": code, "message": explain(code), "count": number} for code, number in {**demo, **row.warnings}.items()
    ]
    return record | {"alias": row.alias, "group": row.group, "columns": dict(state.spec.text(row.alias).columns)}
