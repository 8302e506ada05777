"""The whole run on plain pages: verdict, ranking, rounds, judges and what they took. Plain text, so nothing in it can act."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from judge_core.records.item_verdict import ItemJudgment, ListVerdict, PointVerdict
from judge_core.views.exports.cells import harmless
from judge_core.views.exports.ranked import ranked_table
from judge_core.views.matches import RoundView
from judge_core.views.sentence import verdict
from judge_core.views.standings import Standings
from judge_core.views.state import RunState

COLUMNS = (
    "rank",
    "id",
    "rating",
    "rating_low",
    "rating_high",
    "elo",
    "wins",
    "losses",
    "ties",
    "comparisons",
    "status",
)
LONGEST = 49
"""Characters of an id; the whole one stands in the ranked table."""
MARKS = {"W": "beat", "L": "lost to", "D": "drew with", "?": "was not decided against"}


def report_text(state: RunState, table: Standings, made: str = "") -> bytes:
    """The report as UTF-8 text; `made` is when and by what the run was made, in our own words."""
    names = report_names(state)
    said = verdict(state, table, names)
    parts = [
        " ".join(harmless(state.spec.name or "Ranking").split()),
        *([made] if made else []),
        "",
        said.sentence,
        *(" ".join(harmless(remark).split()) for remark in said.remarks),
        "",
        *_ranking(state, table, names),
        "",
        *(line for view in state.rounds.values() for line in _round(state, view, names)),
        "",
        *_judges(state),
    ]
    return ("\n".join(parts) + "\n").encode("utf-8", "replace")


def report_names(state: RunState) -> dict[str, str]:
    """The texts' ids by alias, on one line each; a long one is cut in the middle, and gets its alias where two look alike."""
    whole = {text.alias: " ".join(harmless(text.id).split()) for text in state.spec.texts}
    cut = {alias: _cut(name) for alias, name in whole.items()}
    alike = Counter(cut.values())
    return {a: f"{name} ({a})" if name != whole[a] and alike[name] > 1 else name for a, name in cut.items()}


def _cut(name: str) -> str:
    half = (LONGEST - 1) // 2
    return name if len(name) <= LONGEST else f"{name[:half]}…{name[-half:]}"


def _ranking(state: RunState, table: Standings, names: Mapping[str, str]) -> Iterator[str]:
    whole = ranked_table(state, table)
    alias, id = whole.header.index("alias"), COLUMNS.index("id")
    places = [whole.header.index(column) for column in COLUMNS]
    rows = []
    for row in whole.rows:
        cells = ["" if row[at] is None else str(row[at]) for at in places]
        cells[id] = names[str(row[alias])]
        rows.append(cells)
    yield from _aligned([COLUMNS, *rows])


def _aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def _round(state: RunState, view: RoundView, names: Mapping[str, str]) -> Iterator[str]:
    low, high = view.band
    everyone = (low, high) == (1, len(state.spec.texts))
    yield f"{view.name}{'' if everyone else f', ranks {low} to {high}'}"
    for match in state.matches.values():
        if match.round == view.number:
            elo = f"Elo {match.elo[match.a]:.0f} and {match.elo[match.b]:.0f}"
            yield f"  {match.place}. {names[match.a]} {MARKS[match.letter(match.a)]} {names[match.b]} ({elo})"
    for listing in state.listings.values():
        if listing.round == view.number:
            yield f"  {listing.place}. {_listed(listing.texts, listing.judgments, names)}"
    if view.byes:
        yield f"  Sat out: {', '.join(names[alias] for alias in view.byes)}"


def _listed(texts: Sequence[str], judgments: Sequence[ItemJudgment], names: Mapping[str, str]) -> str:
    shown = ", ".join(names[alias] for alias in texts)
    said = []
    for judgment in judgments:
        if isinstance(judgment.verdict, ListVerdict):
            said.append(" > ".join(names[texts[number - 1]] for number in judgment.verdict.ranking))
        elif isinstance(judgment.verdict, PointVerdict):
            said.append(f"{judgment.verdict.total:.2f} of 1")
    return f"{shown}: {'; '.join(said) or 'no verdict'}"


def _judges(state: RunState) -> Iterator[str]:
    spent = state.spent
    for judge in state.spec.judges:
        temperature = "its own temperature" if judge.temperature is None else f"temperature {judge.temperature:g}"
        yield f"Judge: {' '.join(harmless(judge.name).split())}, {temperature}"
    cost = "of unknown price" if spent.cost.exact is None else f"for ${spent.cost.exact:.4f}"
    yield f"{spent.calls} calls {cost}; {spent.cached} replies came from the cache."
