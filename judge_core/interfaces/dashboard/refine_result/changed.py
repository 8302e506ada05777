"""Any two versions of a tournament side by side, word by word."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from judge_core.interfaces.dashboard.refine_result.passes import CALLED
from judge_core.interfaces.dashboard.refine_result.shown import ShownRefinement
from judge_core.interfaces.dashboard.safe import line, marked, prose
from judge_core.records.refinement.nouns import Written
from judge_core.scoring.quotes import Piece
from judge_core.views.refine.changes import LONGEST, changed_words, changes

MOST_PIECES = 600
"""Pieces of a side that a page shows marked: each is an element of its own, and more would be slow."""


def show_changes(shown: ShownRefinement) -> None:
    """Two versions to choose; what stands in one alone is underlined and shaded."""
    versions = versions_of(shown)
    names = list(versions)
    left, right = st.columns(2)
    before = left.selectbox("Before", names, index=0, key="refine_before")
    after = right.selectbox("After", names, index=len(names) - 1, key="refine_after")
    one, other = shown.words(versions[before]), shown.words(versions[after])
    if one == other:
        line("Both are the same word for word.")
        prose(one)
        return
    line(_told(one, other))
    for place, name, side in zip(st.columns(2), ("before", "after"), changes(one, other), strict=True):
        with place:
            st.caption(name.title())
            with st.container(border=True):
                _side(side, name)


def _side(side: Sequence[Piece], name: str) -> None:
    if len(side) > MOST_PIECES:
        prose("".join(piece.text for piece in side))
    else:
        marked(side, name)


def _told(before: str, after: str) -> str:
    sides = changes(before, after)
    if max(map(len, sides)) > MOST_PIECES:
        return "Too much changed to mark every place; both are shown as they are."
    if not any(piece.numbers for side in sides for piece in side):
        return f"Versions of more than {LONGEST:,} words are shown without marks."
    out, new = changed_words(before, after)
    return f"{_many(out)} taken out, {_many(new)} put in; they are underlined." if out or new else "Only blanks differ."


def _many(number: int) -> str:
    return f"{number:,} word{'' if number == 1 else 's'}"


def versions_of(shown: ShownRefinement) -> dict[str, Written]:
    """All versions by what they are called; the first first, the one that stands now last."""
    found: dict[str, Written] = {"First version": shown.state.first}
    for view in shown.state.passes.values():
        for version in ("B", "AB"):
            written = view.version(version)
            if written is not None:
                found[f"Pass {view.number}: {CALLED[version]}"] = written
    found["The text as it stands"] = shown.state.incumbent
    return found
