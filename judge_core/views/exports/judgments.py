"""Every judgment as a row: who judged what, in which order, with which scores and reasons, and what it cost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from judge_core.records.spec import Evidence
from judge_core.records.verdict import Judgment, PairReading, PairScores
from judge_core.views.exports.cells import Cell, csv_bytes, distinct_headers, rounded
from judge_core.views.exports.listings import listed_judgments, listing_row
from judge_core.views.exports.shares import costs, judge_label
from judge_core.views.matches import MatchView
from judge_core.views.state import RunState

BEFORE = (
    "pair",
    "round",
    "a",
    "b",
    "shown_first",
    "judge",
    "weight",
    "outcome",
    "result",
    "winner",
    "total_a",
    "total_b",
)
AFTER = (
    "reasons", "warnings", "error", "cached", "calls", "prompt_tokens", "completion_tokens", "cost", "key",
    "a_alias", "b_alias", "place", "replaced",
)  # fmt: skip
FINER: dict[Evidence, tuple[str, ...]] = {"levels": ("level",), "probabilities": ("probability",)}
"""Columns of what a verdict says beyond its winner, in runs that ask for it: from the side of `a`, 0 to 1."""
SIDES = {1.0: "a", 0.0: "b", 0.5: "tie"}
Reasons = Mapping[tuple[int, int, int], str]
"""(place, judge, turn) -> the reasons in that reply, with a word on which text it knew by which letter.

They are kept apart from the events, and may have been erased."""


def reasons_of(reading: PairReading) -> str:
    """The reasons of a reply as one text: the overall ones first, then a line for each criterion.

    >>> reasons_of(PairReading(scores={}, totals=PairScores(a=1, b=0), winner="A", overall="A argues better."))
    'A argues better.'
    """
    lines = [reading.overall, *(f"{reason.name}: {reason.text}" for reason in reading.reasons)]
    return "\n".join(line for line in lines if line)


def judgments_csv(state: RunState, reasons: Reasons | None = None) -> bytes:
    """One row a judgment, failed ones and attempts replaced by a retry included (`replaced` says which).

    `result` is a, b or tie, and empty where nothing was decided; scores are in the criteria's own scales, merged over
    both orders where both were asked. The cost is empty where it is unknown. A list that was ranked in one call names its
    texts under `a` as shown, and under `ranking` best first; a text scored by itself stands under `a`.
    """
    criteria = [criterion.name for criterion in state.spec.rubric.criteria]
    sided = [("criterion", f"{name} ({side})") for name in criteria for side in "ab"]
    finer = FINER.get(state.spec.evidence, ())
    last = (*finer, *(("ranking",) if state.listings else ()))
    header = (*BEFORE, *distinct_headers((*BEFORE, *AFTER, *last), sided), *AFTER, *last)
    empty = ("",) if state.listings else ()
    rows = [
        (*_row(state, item, criteria, reasons or {}), *(rounded(getattr(item[2], name), 4) for name in finer), *empty)
        for item in _judgments(state)
    ]
    for listed in listed_judgments(state):
        *cells, ranked = listing_row(state, listed, criteria, reasons or {})
        rows.append((*cells, *(None for _ in finer), ranked))
    return csv_bytes(header, rows)


Item = tuple[MatchView, int, Judgment, bool]
"""A match, the place of the judgment, the judgment, and whether a retry replaced it."""


def _judgments(state: RunState) -> Iterator[Item]:
    for view in state.matches.values():
        for place, judgment in view.replaced:
            yield view, place, judgment, True
        for place, judgment in zip(view.places, view.judgments, strict=True):
            yield view, place, judgment, False


def _row(state: RunState, item: Item, criteria: list[str], reasons: Reasons) -> tuple[Cell, ...]:
    view, place, judgment, replaced = item
    a, b = state.spec.text(view.a), state.spec.text(view.b)
    judge = state.spec.judges[judgment.judge]
    side = "" if judgment.result is None else SIDES.get(judgment.result, "")
    totals = judgment.totals
    return (
        view.place,
        view.round,
        a.id,
        b.id,
        _shown_first(state, judgment),
        judge.name,
        judge.weight,
        judgment.outcome,
        side,
        {"a": a.id, "b": b.id}.get(side, side),
        rounded(totals.a if totals else None, 4),
        rounded(totals.b if totals else None, 4),
        *_score_cells(judgment, criteria),
        "\n\n".join(text for text in _texts(place, judgment, reasons) if text),
        "; ".join([*judge_label(judge), *(notice.code for notice in judgment.warnings)]),
        "; ".join(turn.error for turn in judgment.turns if turn.error),
        "yes" if judgment.cached else "no",
        *costs(judgment),
        " ".join(turn.key for turn in judgment.turns if turn.key),
        view.a,
        view.b,
        place,
        "yes" if replaced else "",
    )


def _shown_first(state: RunState, judgment: Judgment) -> str:
    shown = dict.fromkeys(turn.first for turn in judgment.turns) or dict.fromkeys(o.first for o in judgment.orders)
    return "both orders" if len(shown) > 1 else "".join(state.spec.text(alias).id for alias in shown)


def _score_cells(judgment: Judgment, criteria: list[str]) -> list[Cell]:
    pairs: list[PairScores | None] = [judgment.scores.get(name) for name in criteria]
    return [rounded(value, 4) for pair in pairs for value in ((pair.a, pair.b) if pair else (None, None))]


def _texts(place: int, judgment: Judgment, reasons: Reasons) -> Iterator[str]:
    for order in judgment.orders:
        yield reasons.get((place, judgment.judge, order.turn), "")
