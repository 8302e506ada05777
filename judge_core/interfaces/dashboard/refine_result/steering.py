"""What a person can do with a tournament beside pausing it: a note for the critic, taking the text as it is, further passes."""

from __future__ import annotations

import streamlit as st

from judge_core.interfaces.bench.steering import accept_incumbent, extend_refinement, give_note
from judge_core.interfaces.dashboard.refine_result.shown import ShownRefinement
from judge_core.interfaces.dashboard.result.controls.acting import act, key_fields, typed
from judge_core.interfaces.dashboard.session import workbench

NOTE = "refine_note"
LONGEST_NOTE = 4000


def show_steering(shown: ShownRefinement) -> None:
    """The buttons that its state allows."""
    if shown.state.status == "cancelled" or not shown.state.last_seq:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        if shown.state.ended is None:
            _accept(shown)
            _note(shown)
        elif not shown.live:
            _more(shown)


def _accept(shown: ShownRefinement) -> None:
    with st.popover("Accept the text now", icon=":material/check:"):
        st.markdown("**Take the text as it stands and end the tournament?** It can be extended later.")
        st.button(
            "Yes, accept it", key="accept", type="primary", on_click=act,
            args=(lambda: accept_incumbent(workbench(), shown.id),),
        )  # fmt: skip


def _note(shown: ShownRefinement) -> None:
    with st.popover("Note for the next critic", icon=":material/edit_note:"):
        st.text_area("Note", key=NOTE, max_chars=LONGEST_NOTE, help="The critic of the next pass looks at this first.")
        st.button("Give the note", key="give_note", type="primary", on_click=act, args=(lambda: _give(shown.id),))


def _give(run: str) -> None:
    give_note(workbench(), run, st.session_state.get(NOTE, ""))
    st.session_state[NOTE] = ""


def _more(shown: ShownRefinement) -> None:
    with st.popover("Go on", icon=":material/fast_forward:"):
        passes = st.number_input("Further passes, at the most", 1, 100, 3, key="refine_more")
        calls = int(passes) * (3 + len(shown.state.spec.panel))
        st.markdown(f"At most {calls:,} calls. The streak begins anew.")
        needed = shown.bench.keyless(shown.id)
        fields = key_fields(needed, "more") if needed else {}
        st.button(
            "Go on", key="extend_refinement", type="primary", on_click=act,
            args=(lambda: extend_refinement(workbench(), shown.id, int(passes), typed(fields)),),
        )  # fmt: skip
