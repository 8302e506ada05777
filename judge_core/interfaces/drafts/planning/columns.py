"""Numbers that come with the texts: an Elo to begin from, and known ratings."""

from __future__ import annotations

from collections.abc import Sequence

from judge_core.interfaces.drafts.planning.choices import OF_PAIRS, method_of
from judge_core.interfaces.drafts.records import Draft
from judge_core.interfaces.workbench import text_refs
from judge_core.records.errors import InputError
from judge_core.records.numbers import typed_number
from judge_core.records.spec import TextRef

LARGEST_RATING = 10_000.0


def columns_of(draft: Draft) -> list[str]:
    """The columns that some text brought, from its table or the roster."""
    return list(dict.fromkeys(name for text in draft.texts for name in text.artifact.columns))


def texts_of(draft: Draft) -> tuple[TextRef, ...]:
    """The texts as a run takes them, with their prior Elo and known ratings. InputError naming those whose value is no number."""
    refs = text_refs([text.artifact for text in draft.texts])
    plan = draft.plan
    if plan.preset != "custom":
        return refs
    if plan.prior_column is not None and method_of(plan) in OF_PAIRS:
        refs = tuple(_with_number(ref, plan.prior_column, "prior_elo") for ref in refs)
    if plan.anchor_column is not None:
        refs = tuple(_with_number(ref, plan.anchor_column, "anchor") for ref in refs)
        _check_anchors(refs, plan.anchor_column)
    return refs


def _with_number(ref: TextRef, column: str, field: str) -> TextRef:
    cell = ref.columns.get(column, "").strip()
    if not cell:
        return ref
    value = typed_number(cell.replace(",", "."))
    if value is None or abs(value) > LARGEST_RATING:
        raise InputError(
            f"{ref.alias}: the column {column!r} holds {cell[:20]!r}, which is no rating. Write a number such as 1500, or leave it empty.",
            field=column,
        )
    return ref.model_copy(update={field: value})


def _check_anchors(refs: Sequence[TextRef], column: str) -> None:
    if all(ref.anchor is None for ref in refs):
        raise InputError(
            f"The column {column!r} holds no rating of any of these texts. Choose another one, or none.", field=column
        )
