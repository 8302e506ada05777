"""Judgments on ranked lists and on single texts as rows of `judgments.csv`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from judge_core.records.item_verdict import ItemJudgment, ListVerdict, PointVerdict
from judge_core.views.exports.cells import Cell, rounded
from judge_core.views.exports.shares import costs, judge_label
from judge_core.views.listings import ListingView
from judge_core.views.state import RunState

ListingRow = tuple[ListingView, int, ItemJudgment, bool]
"""A listing, the place of the judgment, the judgment, and whether a retry replaced it."""


def listed_judgments(state: RunState) -> Iterator[ListingRow]:
    """Every judgment on a listing, those that a retry replaced included."""
    for view in state.listings.values():
        for place, judgment in view.replaced:
            yield view, place, judgment, True
        for place, judgment in zip(view.places, view.judgments, strict=True):
            yield view, place, judgment, False


def ranking_words(state: RunState, view: ListingView, judgment: ItemJudgment) -> str:
    """The ids of a ranked list, best first; '' where nothing was ranked."""
    if not isinstance(judgment.verdict, ListVerdict):
        return ""
    return " > ".join(state.spec.text(view.texts[number - 1]).id for number in judgment.verdict.ranking)


def shown_words(state: RunState, view: ListingView) -> str:
    """The ids of the texts of a listing in the order shown."""
    return "; ".join(state.spec.text(alias).id for alias in view.texts)


def listing_row(
    state: RunState, row: ListingRow, criteria: Sequence[str], reasons: Mapping[tuple[int, int, int], str]
) -> tuple[Cell, ...]:
    """The cells up to `replaced`, then the ranking. A single text stands under `a`; a list names its texts as shown."""
    view, place, judgment, replaced = row
    judge, verdict = state.spec.judges[judgment.judge], judgment.verdict
    point = verdict if isinstance(verdict, PointVerdict) else None
    scores = [None if point is None else rounded(point.scores.get(name), 4) for name in criteria]
    said = [reasons.get((place, judgment.judge, turn.turn), "") for turn in judgment.turns if turn.status == "ok"]
    return (
        view.place,
        view.round,
        shown_words(state, view),
        "",
        "",
        judge.name,
        judge.weight,
        view.outcome_of(judgment),
        "",
        "",
        rounded(None if point is None else point.total, 4),
        None,
        *(cell for score in scores for cell in (score, None)),
        "\n\n".join(text for text in said if text),
        "; ".join([*judge_label(judge), *(notice.code for notice in judgment.warnings)]),
        "; ".join(turn.error for turn in judgment.turns if turn.error),
        "yes" if judgment.cached else "no",
        *costs(judgment),
        " ".join(turn.key for turn in judgment.turns if turn.key),
        "; ".join(view.texts),
        "",
        place,
        "yes" if replaced else "",
        ranking_words(state, view, judgment),
    )
