"""The passes of a tournament one by one, and what changed between any two versions."""

from __future__ import annotations

import streamlit as st

from judge_core.interfaces.dashboard.refine_result.shown import ShownRefinement
from judge_core.interfaces.dashboard.safe import label, line, marked, plain, prose
from judge_core.records.refinement.nouns import VERSIONS, Written
from judge_core.views.refine.changes import changes
from judge_core.views.refine.sentence import pass_words
from judge_core.views.refine.state import PassView
from judge_core.views.refine.tables import passes_table, votes_table

CALLED = {"A": "A, the text that stood", "B": "B, the author's revision", "AB": "AB, both merged"}


def show_passes(shown: ShownRefinement) -> None:
    """A table of all passes; then one of them, with what its critic, author and judges wrote."""
    table = passes_table(shown.state)
    if not len(table):
        st.markdown("No pass is decided yet.")
    else:
        st.dataframe(
            table, hide_index=True, alt="Passes with winner, points, streak and agreement", placeholder="versions are equal",
            column_config={
                "agreement": st.column_config.NumberColumn("Agreement", format="%.2f", help="Kendall's W of the judges' rankings: 1 all the same, drawing lots gives 1 / their number"),
                "pass": "Pass", "winner": "Winner", "judges": "Judges", "streak": "Streak", "words": "Words",
            },
        )  # fmt: skip
    if not shown.state.passes:
        return
    number = st.selectbox(
        "Pass", list(shown.state.passes), index=len(shown.state.passes) - 1, key="refine_pass", width=160
    )
    _pass(shown, shown.state.passes[number])


def _pass(shown: ShownRefinement, view: PassView) -> None:
    st.markdown(label(pass_words(shown.state, view), 400))
    for note in view.notes:
        st.caption("Your note to this critic")
        prose(shown.words(note))
    critique = view.written("critic")
    if critique is not None:
        st.subheader("What the critic found", anchor=False)
        prose(shown.words(critique))
    if view.ballots:
        st.subheader("How the judges ranked", anchor=False)
        st.dataframe(
            votes_table(shown.state, view).map(lambda cell: plain(cell, 60) if isinstance(cell, str) else cell),
            hide_index=True, alt="Each judge's ranking, in the order that it saw the versions",
            column_config={"judge": "Judge", "role": "Role", "weight": "Weight", "saw": "Saw as 1, 2, 3", "ranking": "Ranking, best first"},
        )  # fmt: skip
        for seat, vote in view.ballots.items():
            with st.expander(f"Judge {seat + 1}: {label(shown.state.spec.judges[vote.judge].name)}"):
                prose(
                    shown.reply(next((turn.reply_sha256 for turn in reversed(vote.turns) if turn.reply_sha256), None))
                )
    st.subheader("The versions", anchor=False)
    for version in VERSIONS:
        written = view.version(version)
        if written is not None:
            with st.expander(f"{CALLED[version]} ({written.words:,} words)"):
                prose(shown.words(written))


def show_changes(shown: ShownRefinement) -> None:
    """Any two versions side by side; what stands in one alone is underlined."""
    versions = _versions(shown)
    names = list(versions)
    left, right = st.columns(2)
    with left:
        before = st.selectbox("Before", names, index=0, key="refine_before")
    with right:
        after = st.selectbox("After", names, index=len(names) - 1, key="refine_after")
    one, other = changes(shown.words(versions[before]), shown.words(versions[after]))
    if versions[before].sha256 == versions[after].sha256:
        line("Both are the same word for word.")
    with left:
        marked(one, "before")
    with right:
        marked(other, "after")


def _versions(shown: ShownRefinement) -> dict[str, Written]:
    """All versions by what they are called; the first first, the one that stands now last."""
    found: dict[str, Written] = {"First version": shown.state.first}
    for view in shown.state.passes.values():
        for version in ("B", "AB"):
            written = view.version(version)
            if written is not None:
                found[f"Pass {view.number}: {CALLED[version]}"] = written
    found["The text as it stands"] = shown.state.incumbent
    return found
