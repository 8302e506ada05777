"""Pages that are filled in step by step: which step is open, the row of steps, the way back and on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import streamlit as st

STEP = "step"
"""Name of the open step in the address."""


@dataclass(frozen=True)
class Steps:
    """The steps of a page, in their order; the last one is where it starts."""

    titles: Mapping[str, str]
    """What each step is called, by its name."""
    key: str
    """In the session: the open step."""
    page: str
    """What the keys of its widgets begin with."""

    @property
    def names(self) -> tuple[str, ...]:
        """The steps by name."""
        return tuple(self.titles)

    def now(self) -> str:
        """The step of the session, else of the address, else the first; written back to both."""
        found = st.session_state.get(self.key) or st.query_params.get(STEP)
        step = next((name for name in self.names if name == found), self.names[0])
        st.session_state[self.key] = step
        if st.query_params.get(STEP) != step:
            st.query_params[STEP] = step
        return step

    def go_to(self, step: str) -> None:
        """Opens a step, for callbacks."""
        st.session_state[self.key] = step
        st.query_params[STEP] = step

    def show(self, step: str, missing: set[str], *, empty: bool) -> None:
        """All steps, each with a tick once nothing is missing there."""
        widget = f"{self.page}:step"

        def name(key: str) -> str:
            done = key not in missing and key != self.names[-1] and not empty
            return f"{'✓' if done else self.names.index(key) + 1} {self.titles[key]}"

        st.session_state[widget] = step
        st.segmented_control(
            "Steps", self.names, format_func=name, required=True, key=widget, label_visibility="collapsed",
            on_change=lambda: self.go_to(st.session_state[widget]),
        )  # fmt: skip

    def way_on(self, step: str, start: str, on_start: Callable[[], None], *, ready: bool) -> None:
        """Back and on; on, or the start at the end, is the page's one primary action."""
        place = self.names.index(step)
        with st.container(horizontal=True, horizontal_alignment="distribute" if place else "right"):
            if place:
                before = self.names[place - 1]
                st.button(f"Back: {self.titles[before]}", on_click=self.go_to, args=(before,), key=f"{self.page}:back")
            if step == self.names[-1]:
                st.button(
                    start, type="primary", icon=":material/play_arrow:", disabled=not ready, on_click=on_start,
                    key=f"{self.page}:start",
                )  # fmt: skip
            else:
                after = self.names[place + 1]
                st.button(
                    f"Next: {self.titles[after]}", type="primary", on_click=self.go_to, args=(after,),
                    key=f"{self.page}:next",
                )  # fmt: skip
