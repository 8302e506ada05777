"""Results for the eyes of people at a terminal: the verdict, the tables that fit, the ledger; and one comparison as such."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from judge_core.interfaces.bench.states import AnyState
from judge_core.interfaces.cli.terminal.output import counted, money, show, show_table
from judge_core.interfaces.library.item_results import ItemResults
from judge_core.interfaces.library.pair import pair_verdict
from judge_core.interfaces.library.refine.result import Refinement
from judge_core.interfaces.library.results import Ranking, folded
from judge_core.records.notices import explain
from judge_core.records.spec import ItemMode
from judge_core.records.verdict import JudgesShare
from judge_core.views.items.state import ItemState
from judge_core.views.orders import orders_words
from judge_core.views.outlook import advice, advice_words
from judge_core.views.refine.sentence import pass_words
from judge_core.views.standings import Standing
from judge_core.views.state import RunState

if TYPE_CHECKING:
    from judge_core.interfaces.workbench import Workbench

MOST_ROWS, MOST_WARNINGS, MOST_CAUSES = 100, 4, 3
SHOWN: dict[ItemMode, tuple[str, ...]] = {
    "review": ("id", "score", "status"),
    "gate": ("id", "passed", "score", "bar", "why", "status"),
    "listwise": ("candidate", "place", "position"),
    "rag": ("id", "faithfulness", "contradiction", "context_precision", "answer_relevance", "claims", "status"),
    "agent": ("id", "goal", "useful", "call_correctness", "efficiency", "patterns", "status"),
}
"""Columns of the mode's own table that fit a terminal."""
SHOWN_OF_SUMMARY = ("what", "mean", "low", "high", "n", "missing")

Results = Ranking | ItemResults | Refinement


def results_of(bench: Workbench, run: str) -> Results:
    """The results of a run of any kind, as they stand now."""
    match bench.journal.row(run).spec.mode:
        case "rank":
            return Ranking.of(bench, run)
        case "refine":
            return Refinement.of(bench, run)
        case _:
            return ItemResults.of(bench, run)


def folded_state(results: Results) -> dict[str, object]:
    """The folded state of a run of any kind, as plain data."""
    if isinstance(results, Ranking):
        return folded(results)
    return results.folded() if isinstance(results, Refinement) else {**results.record(), "type": "state"}


def spent_words(state: AnyState) -> str:
    """Calls, cached replies and money of a run so far."""
    spent = state.spent
    cost = money(spent.cost.known) if spent.cost.exact is not None else f"{money(spent.cost.known)} and unknown prices"
    replies = f"{counted(spent.calls + spent.cached, 'reply')}: " if spent.calls and spent.cached else ""
    return f"{replies}{counted(spent.calls, 'call')}, {spent.cached:,} cached, {cost}"


def pair_record(results: Results, pair: tuple[str, str]) -> dict[str, object]:
    """What the record for machines has of one comparison besides."""
    assert isinstance(results, Ranking)
    verdict = pair_verdict(results, pair[0])
    ids = {"a": pair[0], "b": pair[1]}
    return {
        "a": pair[0], "b": pair[1], "winner": verdict.winner, "better": ids.get(verdict.winner or ""),
        "scores": [{name: [pair.a, pair.b] for name, pair in scores.items()} for scores in verdict.scores],
        "warnings": list(verdict.warnings),
    }  # fmt: skip


def show_pair(results: Results, pair: tuple[str, str]) -> None:
    """The verdict of one comparison for people: who is better, scores, warnings, reasons."""
    assert isinstance(results, Ranking)
    verdict = pair_verdict(results, pair[0])
    show(verdict.sentence(*pair))
    judges = results.state.spec.judges
    rows = [
        (judges[number].name, name, f"{found.a:g}", f"{found.b:g}")
        for number, scores in enumerate(verdict.scores)
        for name, found in scores.items()
    ]
    show_table(("judge", "criterion", *pair), rows, pair)
    for words in (*verdict.warnings, *verdict.reasons):
        show(f"\n{words}")
    if any(judge.provider == "offline" for judge in judges):
        show(
            "\nThe offline demo judge is not an LLM: this shows how the product works and says nothing about the texts."
        )
    show(f"\n{spent_words(results.state)}. Run: {results.run_id}")


def show_results(results: Results) -> None:
    """Verdict, table and ledger for people."""
    if isinstance(results, Ranking):
        show_ranking(results)
    elif isinstance(results, Refinement):
        show_refinement(results)
    else:
        show_items(results)


def show_refinement(results: Refinement) -> None:
    """A line a pass, the end in words, and what it took, for people."""
    state = results.state
    for view in results.passes:
        show(pass_words(state, view))
    show(results.sentence)
    shares = [
        asked.share
        for view in results.passes
        for attempts in (*view.steps.values(), *view.votes.values())
        for asked in attempts
    ]
    show(f"At most {counted(state.calls_planned, 'call')} were planned. {spent_words(state)}.")
    _show_warnings(shares)
    show(f"Run: {results.run_id}")


def show_items(results: ItemResults) -> None:
    """Verdict, the mode's own table, figures and ledger for people."""
    state = results.state
    show(results.sentence)
    for name, columns in ((results.mode, SHOWN[results.mode]), ("summary", SHOWN_OF_SUMMARY)):
        table = results.tables[name]
        places = [table.header.index(column) for column in columns]
        rows = [tuple(row[place] for place in places) for row in table.rows]
        if "place" in columns:
            rows.sort(key=lambda row: row[1] if isinstance(row[1], int) else MOST_ROWS)
        rows = rows[:MOST_ROWS]
        numeric = [c for at, c in enumerate(columns) if all(isinstance(row[at], int | float | None) for row in rows)]
        show_table(columns, rows, numeric)
    if len(state.spec.items) > MOST_ROWS:
        show(f"... and {len(state.spec.items) - MOST_ROWS} more; the CSV has all of them.")
    _show_ledger(state, [j for view in state.items.values() for j in view.judgments])
    show(f"Run: {results.run_id}")


def _show_ledger(state: RunState | ItemState, judgments: Sequence[JudgesShare]) -> None:
    """What became of all judgments, the most frequent warnings (which change no figure), and why any was lost."""
    counts = ", ".join(f"{number} {outcome}" for outcome, number in state.ledger.items() if number)
    show(f"Judgments: {state.planned_judgments} planned: {counts or 'none'}. {spent_words(state)}.")
    _show_warnings(judgments)


def _show_warnings(judgments: Sequence[JudgesShare]) -> None:
    """The most frequent warnings, and the most frequent causes of a loss."""
    codes = Counter(notice.code for judgment in judgments for notice in judgment.warnings)
    for code, number in codes.most_common(MOST_WARNINGS):
        show(f"Warning, {counted(number, 'time')}: {explain(code)}")
    causes = Counter(turn.error for judgment in judgments for turn in judgment.turns if turn.error)
    for cause, number in causes.most_common(MOST_CAUSES):
        show(f"{counted(number, 'time')}: {cause}")


def show_ranking(ranking: Ranking) -> None:
    """Verdict, table and ledger for people."""
    state = ranking.state
    show(ranking.sentence)
    for words in _open_goal(ranking):
        show(words)
    rows = [_row(row, state.spec.by_alias[row.alias].anchor) for row in ranking.standings[:MOST_ROWS]]
    show_table(("rank", "text", "rating", "±", "W-L-T", "tied with", "status"), rows, ("rank", "rating", "±"))
    if len(ranking.standings) > MOST_ROWS:
        show(f"... and {len(ranking.standings) - MOST_ROWS} more; the CSV has all of them.")
    _show_ledger(state, [j for view in state.matches.values() for j in view.judgments])
    if words := orders_words(state):
        show(words)
    show(f"Run: {ranking.run_id}")


def _open_goal(ranking: Ranking) -> Iterator[str]:
    """How far a goal that is not settled is reached, and what more would probably take."""
    state = ranking.state
    if state.goal is not None and state.reached is None and not state.running:
        for found in advice([state.goal], state, ranking.table):
            yield advice_words(state, found, money)


def _row(row: Standing, anchor: float | None) -> tuple[object, ...]:
    half = None if row.low is None or row.high is None or anchor is not None else f"{(row.high - row.low) / 2:.0f}"
    rating = None if row.rating is None else f"{row.rating:.0f}"
    tied = f"{len(row.tied_with)} others" if len(row.tied_with) > 1 else ("1 other" if row.tied_with else "")
    held = None if anchor is None else f"held at {anchor:g}"
    record = f"{row.wins}-{row.losses}-{row.ties}"
    return (
        row.rank,
        row.id,
        rating,
        half,
        record,
        tied,
        ", ".join(filter(None, (row.status, row.group, held))),
    )
