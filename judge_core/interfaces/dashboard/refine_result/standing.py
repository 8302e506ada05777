"""How a tournament stands: its end in words beside the judges' agreement, its figures, and the text that stands now."""

from __future__ import annotations

import streamlit as st

from judge_core.interfaces.dashboard.refine_result.shown import ShownRefinement
from judge_core.interfaces.dashboard.result.words import dollars
from judge_core.interfaces.dashboard.safe import label, prose
from judge_core.views.refine.sentence import agreement_words, changed_words, end_words, hardly_agree
from judge_core.views.refine.state import RefineState

LONGEST = 1200
W_HELP = (
    "Kendall's W of the judges' rankings, the mean of all passes: 1 when all rank alike. Judges who draw lots come to 1 "
    "divided by their number."
)
LOW = "**The judges hardly agree; who won may be chance.** Read their reasons yourself before you use the text."


def show_verdict(shown: ShownRefinement) -> None:
    """The end in a sentence, with what must be known beside it."""
    state = shown.state
    with st.container(border=True):
        st.header(label(end_words(state), LONGEST), anchor=False)
        if state.decided:
            st.markdown(f"- {label(changed_words(state), 400)}")
            st.markdown(f"- {label(agreement_words(state), 400)}")
        if hardly_agree(state):
            st.warning(LOW, icon=":material/balance:")


def show_figures(state: RefineState) -> None:
    """Passes, streak, agreement, calls and money so far."""
    spent, agreement = state.spent, state.agreement
    with st.grid(min_column_width=130):
        most = f"At most {state.most_passes:,} are played. {3 + len(state.spec.panel)} calls each."
        st.metric("Passes", len(state.decided), help=most)
        st.metric(
            "Streak", f"{state.streak} of {state.spec.stopping.k}",
            help="How often in a row the text that stands has won.",
        )  # fmt: skip
        st.metric("Agreement", "none yet" if agreement is None else f"{agreement:.2f}", help=W_HELP)
        st.metric("Calls", f"{spent.calls:,}")
        st.metric("From cache", f"{spent.cached:,}")
        st.metric("Spent", label(dollars(spent.cost.exact)))


def show_standing_text(shown: ShownRefinement) -> None:
    """The version that stands now."""
    state = shown.state
    if state.incumbent.sha256 != state.first.sha256:
        st.badge("AI-rewritten", icon=":material/smart_toy:", color="orange")
        st.caption("This text was rewritten by a model. It is never to be graded as its author's.")
    else:
        st.caption("The text as it was given, word for word.")
    prose(shown.words(state.incumbent))
