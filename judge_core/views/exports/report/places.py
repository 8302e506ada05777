"""A report's ranking, and for the first texts what a judge said of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from judge_core.views.exports.judgments import Reasons
from judge_core.views.exports.report.lines import aligned, wrapped
from judge_core.views.matches import MatchView
from judge_core.views.standings import Standing, Standings
from judge_core.views.state import RunState

FIRST = 3
"""So many texts are given with a reason."""
LONGEST_REASON = 900
"""Characters of a reason; the whole one stands in `judgments.csv`."""


class Said(NamedTuple):
    """What a judge said on a match, and which text it was about."""

    judge: int
    view: MatchView
    words: str


def ranking_lines(state: RunState, table: Standings, names: Mapping[str, str]) -> Iterator[str]:
    """The table, under plain names."""
    head = ("Rank", "Text", "Rating", f"{table.level:.0%} range", "Won", "Lost", "Tied", "Level with", "Remark")
    yield from aligned([head, *(_row(row, state, names) for row in table.rows)])


def _row(row: Standing, state: RunState, names: Mapping[str, str]) -> tuple[str, ...]:
    anchor = state.spec.text(row.alias).anchor
    held = None if anchor is None else f"held at {anchor:g}"
    status = None if row.status == "rated" else row.status
    level = len(row.tied_with)
    known = row.low is not None and row.high is not None and anchor is None
    return (
        "" if row.rank is None else str(row.rank),
        names[row.alias],
        "" if row.rating is None else f"{row.rating:.0f}",
        f"{row.low:.0f} to {row.high:.0f}" if known else "",
        str(row.wins),
        str(row.losses),
        str(row.ties),
        "" if not level else "1 other" if level == 1 else f"{level} others",
        ", ".join(filter(None, (status, row.group, held))),
    )


def reason_lines(state: RunState, table: Standings, names: Mapping[str, str], reasons: Reasons) -> Iterator[str]:
    """For each of the first texts a typical reason, quoted: behind a mark on each line, so that it cannot pass for ours."""
    order = {row.alias: place for place, row in enumerate(table.rated)}
    for row in table.rated[:FIRST]:
        said = _typical(row.alias, state, order, reasons)
        if said is None:
            continue
        other = said.view.b if said.view.a == row.alias else said.view.a
        judge = state.spec.judges[said.judge].name
        yield from wrapped(f"{names[row.alias]}, against {names[other]}, by {judge}:", "  ")
        cut = said.words if len(said.words) <= LONGEST_REASON else f"{said.words[:LONGEST_REASON]}…"
        for line in cut.splitlines():
            yield from wrapped(line, "    > ")
        yield ""


def _typical(alias: str, state: RunState, order: Mapping[str, int], reasons: Reasons) -> Said | None:
    """A reason on a match that the text won, against the best opponent; else on any of its matches."""
    found: list[tuple[tuple[bool, int, int], Said]] = []
    for view in state.matches.values():
        if alias not in (view.a, view.b):
            continue
        other = view.b if view.a == alias else view.a
        for place, judgment in zip(view.places, view.judgments, strict=True):
            words = next((w for each in judgment.orders if (w := reasons.get((place, judgment.judge, each.turn)))), "")
            if words and judgment.result is not None:
                lost = judgment.result != (1.0 if view.a == alias else 0.0)
                found.append(((lost, order.get(other, len(order)), view.place), Said(judgment.judge, view, words)))
    return min(found)[1] if found else None
