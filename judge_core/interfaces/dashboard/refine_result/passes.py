"""The passes of a tournament: their course, then one of them with what its critic, author and judges wrote."""

from __future__ import annotations

import streamlit as st

from judge_core.interfaces.dashboard.refine_result.charts import (
    show_ballots,
    show_flow,
    show_passes_table,
    show_points_table,
)
from judge_core.interfaces.dashboard.refine_result.shown import ShownRefinement
from judge_core.interfaces.dashboard.safe import label, line, plain, prose
from judge_core.records.refinement.nouns import VERSIONS, Vote
from judge_core.views.refine.sentence import pass_words
from judge_core.views.refine.state import PassView
from judge_core.views.refine.tables import seat_name, votes_table

CALLED = {"A": "A, the text that stood", "B": "B, the author's revision", "AB": "AB, both merged"}


def show_passes(shown: ShownRefinement) -> None:
    """The course of all passes, as a picture and a table; then one of them."""
    if not shown.state.passes:
        st.markdown("No pass has begun.")
        return
    st.subheader("The way of the text", anchor=False)
    show_flow(shown)
    with st.expander("As a table", icon=":material/table:", key="refine_passes_table"):
        show_passes_table(shown)
    st.subheader("One pass", anchor=False)
    numbers = list(shown.state.passes)
    number = st.selectbox("Pass", numbers, index=len(numbers) - 1, key="refine_pass", width=160)
    _pass(shown, shown.state.passes[number])


def _pass(shown: ShownRefinement, view: PassView) -> None:
    st.markdown(label(pass_words(shown.state, view), 400))
    for warning in view.decision.warnings if view.decision else ():
        line(f"⚠ {warning.message}")
    for note in view.notes:
        st.caption("Your note to this critic")
        prose(shown.words(note))
    critique = view.written("critic")
    if critique is not None:
        st.markdown("#### What the critic found")
        prose(shown.words(critique))
    if view.ballots:
        _ranked(shown, view)
    st.markdown("#### The versions")
    for version in VERSIONS:
        written = view.version(version)
        if written is not None:
            with st.expander(f"{CALLED[version]} ({written.words:,} words)"):
                prose(shown.words(written))


def _ranked(shown: ShownRefinement, view: PassView) -> None:
    """The points, then each judge with its reasons, its versions numbered as it saw them."""
    st.markdown("#### How the judges ranked")
    show_ballots(shown, view)
    with st.expander("As tables", icon=":material/table:", key="refine_votes_table"):
        show_points_table(shown, view)
        st.dataframe(
            votes_table(shown.state, view).map(lambda cell: plain(cell, 60) if isinstance(cell, str) else cell),
            hide_index=True, alt="Each judge's ranking, in the order that it saw the versions",
            column_config={"judge": "Judge", "role": "Role", "weight": "Weight", "saw": "Saw as 1, 2, 3", "ranking": "Ranking, best first"},
        )  # fmt: skip
    for seat, vote in view.ballots.items():
        name = label(shown.state.spec.judges[vote.judge].name)
        with st.expander(f"{seat_name(shown.state, seat)}, {name}: {ranking_words(vote)}"):
            line(seen_words(vote))
            reply = next((turn.reply_sha256 for turn in reversed(vote.turns) if turn.reply_sha256), None)
            if reply is not None:
                prose(shown.reply(reply))


def ranking_words(vote: Vote) -> str:
    """The ranking, best first; or that there is none."""
    return ", then ".join(vote.ranking) if vote.ranking else f"no ranking, {vote.outcome}"


def seen_words(vote: Vote) -> str:
    """Which version the judge's numbers mean."""
    seen = ", ".join(f"version {place} is {label}" for place, label in enumerate(vote.order, start=1))
    return f"It did not know which is which. In its words {seen}."
