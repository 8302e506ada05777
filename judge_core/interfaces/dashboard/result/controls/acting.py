"""How the controls act: in callbacks, with what went wrong kept for the page; and the keys that an action may need."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st
from pydantic import SecretStr

from judge_core.interfaces.bench.panel import Keys
from judge_core.interfaces.dashboard.safe import label
from judge_core.records.errors import PodiumError
from judge_core.records.spec import JudgeSpec

FAULT = "result_fault"
"""In the session: what went wrong in the last action."""
LONGEST_FAULT = 600


def show_fault() -> None:
    """What went wrong in the last action, once."""
    fault = st.session_state.pop(FAULT, None)
    if fault:
        st.error(label(fault, LONGEST_FAULT), icon=":material/error:")


def key_fields(judges: tuple[JudgeSpec, ...], key: str) -> dict[str, str]:
    """A field for each judge's key; the judge's name by the field's own name in the session."""
    st.markdown("Keys are kept in memory for this run only, so this one is asked for again.")
    fields = {}
    for number, judge in enumerate(judges):
        name = f"{key}_key_{number}"
        st.text_input(f"Key for {label(judge.name)}", type="password", key=name, autocomplete="off")
        fields[name] = judge.name
    return fields


def typed(fields: dict[str, str]) -> Keys:
    """The keys that were typed; the fields are emptied, so that no key stays in the page."""
    keys = {}
    for field, judge in fields.items():
        typed = str(st.session_state.get(field, "")).strip()
        st.session_state[field] = ""
        if typed:
            keys[judge] = SecretStr(typed)
    return keys


def act(action: Callable[[], object]) -> None:
    """Does it, and keeps what went wrong for the page to say."""
    try:
        action()
    except (PodiumError, TimeoutError) as error:
        st.session_state[FAULT] = str(error) or "This took too long. Try again."
