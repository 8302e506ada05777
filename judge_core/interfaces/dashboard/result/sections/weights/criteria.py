"""The criteria's weights, or the judges' overall choice."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import streamlit as st

from judge_core.interfaces.dashboard.result.sections.weights.kept import chosen, field, keep
from judge_core.interfaces.dashboard.result.shown import Shown
from judge_core.interfaces.dashboard.safe import label
from judge_core.views.reweighing import Choice, weights_of

LARGEST = 100.0
CHOICES: dict[Choice, str] = {"criteria": "Weighted criteria", "overall": "The judge's overall choice"}


def show_criteria(shown: Shown) -> None:
    """The choice, and the weights where they decide. A ranked list was not scored by criterion: it stays as it is."""
    if any(not view.single for view in shown.state.listings.values()):
        st.markdown(
            ":material/info: Lists are put in order as a whole, not scored by criterion: weights change nothing in them."
        )
    if not (shown.state.matches or any(view.single for view in shown.state.listings.values())):
        return
    if shown.state.matches:
        _choice(shown)
    if shown.chosen.choice == "criteria":
        _fields(shown)


def _choice(shown: Shown) -> None:
    key = field(shown, "choice")
    st.session_state.setdefault(key, shown.chosen.choice)
    st.radio(
        "Rank by", list(CHOICES), format_func=lambda choice: CHOICES[choice], horizontal=True, key=key, on_change=_keep,
        args=(shown,),
        help="The criteria's scores with their weights, or the winner that the judge named beside them.",
    )  # fmt: skip


def _fields(shown: Shown) -> None:
    now = shown.chosen.given or weights_of(shown.state.spec.rubric)
    total = sum(now.values())
    with st.grid(min_column_width=220):
        for number, (name, weight) in enumerate(now.items()):
            key = field(shown, number)
            st.session_state.setdefault(key, float(weight))
            share = f"{100 * weight / total:.0f} % of the whole" if total else ""
            st.number_input(
                label(name, 60), min_value=0.0, max_value=LARGEST, step=0.05, format="%.2f", key=key, on_change=_keep,
                args=(shown,), help=f"Only the share counts: {share}.",
            )  # fmt: skip
    if total:
        shares = ", ".join(f"{label(name, 40)} {100 * weight / total:.0f} %" for name, weight in now.items())
        st.caption(f"Shares now: {shares}")


def _keep(shown: Shown) -> None:
    """Takes the fields over; all weights at 0 decide nothing and are not taken."""
    own, before = weights_of(shown.state.spec.rubric), chosen(shown.id)
    known = before.given or own
    weights = {name: float(st.session_state.get(field(shown, n), known[name])) for n, name in enumerate(own)}
    choice = cast(Choice, st.session_state.get(field(shown, "choice")) or "criteria")
    if not any(weights.values()):
        st.toast("All weights are 0. Give at least one criterion a weight.", icon=":material/warning:")
        return
    keep(shown.id, replace(before, weights=None if weights == own else tuple(weights.items()), choice=choice))
