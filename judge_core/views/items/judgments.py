"""Every judgment of an item run as a row: who judged what, what it said, and what it cost."""

from __future__ import annotations

from collections.abc import Iterator

from judge_core.records.item import Item
from judge_core.records.item_verdict import ItemJudgment
from judge_core.records.notices import explain
from judge_core.views.exports.cells import Cell, rounded
from judge_core.views.exports.judgments import Reasons
from judge_core.views.exports.machine import strict_json
from judge_core.views.exports.ranked import DEMO, Table
from judge_core.views.items.state import ItemState

HEADER = (
    "item", "judge", "weight", "outcome", "values", "reasons", "warnings", "error", "calls", "tokens", "cost", "cached",
    "key", "place", "answered_by", "alias", "replaced",
)  # fmt: skip
Made = tuple[Item, int, ItemJudgment, bool]
"""An item, the place of the judgment, the judgment, and whether it counts no more."""


def judgments_table(state: ItemState, reasons: Reasons | None = None) -> Table:
    """One row a judgment that was made, failed ones and attempts replaced by a retry included (`replaced` says which).

    `values` is the verdict as JSON, empty where there is none. An unknown cost or count of tokens is empty, never 0.
    """
    return Table(HEADER, tuple(_row(state, made, reasons or {}) for made in _made(state)))


def _made(state: ItemState) -> Iterator[Made]:
    for item in state.spec.items:
        view = state.items.get(item.alias)
        if view is None:
            continue
        for place, judgment in view.replaced:
            yield item, place, judgment, True
        for place, judgment in zip(view.places, view.judgments, strict=True):
            yield item, place, judgment, False


def _row(state: ItemState, made: Made, reasons: Reasons) -> tuple[Cell, ...]:
    item, place, judgment, replaced = made
    judge, turns = state.spec.judges[judgment.judge], judgment.turns
    label = [explain(DEMO)] if judge.provider == "offline" else []
    said = (reasons.get((place, judgment.judge, turn.turn), "") for turn in turns)
    return (
        item.id,
        judge.name,
        judge.weight,
        judgment.outcome,
        strict_json(judgment.verdict).decode() if judgment.verdict else None,
        "\n\n".join(text for text in said if text),
        "; ".join([*label, *(notice.code for notice in judgment.warnings)]),
        "; ".join(turn.error for turn in turns if turn.error),
        sum(turn.calls for turn in turns),
        tokens(judgment),
        rounded(judgment.cost, 8),
        "yes" if judgment.cached else "no",
        " ".join(turn.key for turn in turns if turn.key),
        place,
        "; ".join(answered_by(judgment)),
        item.alias,
        "yes" if replaced else "",
    )


def tokens(judgment: ItemJudgment) -> int | None:
    """Tokens of prompts and replies that the provider counted; None where it counted none."""
    counts = [n for turn in judgment.turns for n in (turn.usage.prompt_tokens, turn.usage.completion_tokens)]
    known = [number for number in counts if number is not None]
    return sum(known) if known else None


def answered_by(judgment: ItemJudgment) -> list[str]:
    """The judges that answered in the place of the one that was asked."""
    return list(dict.fromkeys(turn.answered_by for turn in judgment.turns if turn.answered_by))
