"""Texts beside their judges: one that was reviewed, or the candidates of a list."""

from __future__ import annotations

import streamlit as st

from judge_core.interfaces.dashboard.item_result.lists import candidate_name, show_order
from judge_core.interfaces.dashboard.item_result.shown import ShownItems
from judge_core.interfaces.dashboard.item_result.why.marks import Marked
from judge_core.interfaces.dashboard.item_result.why.voices import show_voices
from judge_core.interfaces.dashboard.result.words import plural
from judge_core.interfaces.dashboard.safe import label
from judge_core.views.items.verdicts.lists import list_panel


def show_text(shown: ShownItems, marked: Marked) -> None:
    """The text on the left, the judges on the right."""
    left, right = st.columns(2)
    with left:
        for n, part in enumerate(marked.detail.item.of("text")):
            st.markdown(f"**The text** · {plural(part.words, 'word')}")
            with st.container(border=True):
                marked.show(part, f"text_{n}")
        for n, part in enumerate(marked.detail.item.of("reference")):
            with st.expander(f"Reference answer · {plural(part.words, 'word')}"):
                marked.show(part, f"reference_{n}")
    with right:
        st.markdown("**What each judge said**")
        show_voices(shown, marked)


def show_candidates(shown: ShownItems, marked: Marked) -> None:
    """The merged order, then the candidates, best first, on the left and the judges on the right."""
    item = marked.detail.item
    for n, part in enumerate(item.of("question")):
        st.markdown("**Question**")
        marked.show(part, f"question_{n}")
    show_order(shown, item)
    panel = list_panel(shown.state, item.alias)
    candidates = item.of("candidate")
    order = panel.ranking if panel else range(1, len(candidates) + 1)
    left, right = st.columns(2)
    with left:
        st.markdown("**The candidates, best first**" if panel else "**The candidates**")
        for number in order:
            part = candidates[number - 1]
            with st.container(border=True):
                place = f"{panel.places[number - 1]}. " if panel else ""
                st.markdown(
                    f"**{label(place + candidate_name(shown, item, number), 120)}** · {plural(part.words, 'word')}"
                )
                marked.show(part, f"candidate_{number}")
    with right:
        st.markdown("**What each judge said**")
        show_voices(shown, marked)
