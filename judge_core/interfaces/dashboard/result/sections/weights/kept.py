"""What the reader set for a run, kept in the session by run."""

from __future__ import annotations

import streamlit as st

from judge_core.interfaces.dashboard.result.shown import AS_RUN, Chosen, Shown

SET = "chosen_weights"
"""In the session: run -> what the reader set."""


def chosen(run: str) -> Chosen:
    """What the reader set for a run; the run's own where nothing was."""
    found: Chosen = st.session_state.get(SET, {}).get(run, AS_RUN)
    return found


def keep(run: str, found: Chosen) -> None:
    """Keeps it for this session."""
    st.session_state.setdefault(SET, {})[run] = found


def field(shown: Shown, name: str | int) -> str:
    """The key of a widget of this run; all of a run are dropped together."""
    return f"weights:{shown.id}:{name}"


def forget(shown: Shown) -> None:
    """Back to the run's own."""
    st.session_state.get(SET, {}).pop(shown.id, None)
    for key in [key for key in st.session_state if str(key).startswith(field(shown, ""))]:
        st.session_state.pop(key)
