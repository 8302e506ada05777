"""The section: weights and choice, what a verdict counts for, and what all of it changes."""

from __future__ import annotations

import streamlit as st

from judge_core.interfaces.dashboard.result.sections.ranking import show_short_table
from judge_core.interfaces.dashboard.result.sections.weights.basis import show_basis
from judge_core.interfaces.dashboard.result.sections.weights.criteria import show_criteria, weightless
from judge_core.interfaces.dashboard.result.sections.weights.kept import forget
from judge_core.interfaces.dashboard.result.sections.weights.moves import show_moves
from judge_core.interfaces.dashboard.result.shown import AS_RUN, Shown


def show_weights(shown: Shown) -> None:
    """The fields, and what they change."""
    st.markdown(
        "Try other weights: the ranking follows at once, from the judgments that are there. **No judge is asked, nothing is paid.**"
    )
    show_criteria(shown)
    if not shown.pair:
        show_basis(shown)
    impossible = weightless(shown)
    st.button(
        "Back to the run's own ranking", icon=":material/undo:", key="weights_reset", on_click=forget, args=(shown,),
        disabled=not (shown.changed or impossible),
    )  # fmt: skip
    if impossible:
        st.warning(
            "**At least one weight must be above 0.** With these there is no ranking; the verdict above is by the run's own "
            "weights.",
            icon=":material/warning:",
        )
        return
    if shown.changed:
        show_moves(shown, shown.by(AS_RUN))
    st.subheader("The ranking with these settings" if shown.changed else "The ranking", anchor=False)
    show_short_table(shown)
