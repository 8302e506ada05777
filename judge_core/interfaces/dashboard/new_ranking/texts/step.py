"""Step 1: the texts. Files are stored the moment they come; what is shown comes from the store."""

from __future__ import annotations

import streamlit as st

from judge_core.interfaces.dashboard.new_ranking.state import edit, uploader
from judge_core.interfaces.dashboard.new_ranking.texts.listing import (
    show_columns,
    show_files,
    show_problems,
    show_texts,
)
from judge_core.interfaces.dashboard.new_ranking.texts.names import show_names_part
from judge_core.interfaces.dashboard.session import workbench
from judge_core.interfaces.drafts import Draft, add_examples
from judge_core.interfaces.drafts.texts import add_files, add_paste

PASTE = "new_ranking:paste"
PASTE_TITLE = "new_ranking:paste_title"


def show(draft: Draft) -> None:
    """The step."""
    _sources(draft)
    show_columns(draft)
    show_problems(draft)
    if draft.texts:
        show_texts(draft)
        show_names_part(draft)
    if draft.uploads:
        show_files(draft)
    else:
        st.info(
            "No texts yet. Drag files into the box above, paste them, or try the twelve example essays.",
            icon=":material/description:",
        )


def _sources(draft: Draft) -> None:
    uploader(
        "Drag in your texts",
        "texts",
        help="Word, PDF with text in it, plain text, Markdown, Excel, CSV or a zip of these. Scans and handwriting cannot be read.",
        store=lambda given: edit(lambda d: add_files(workbench().archive, d, given)),
        several=True,
    )
    st.caption(
        "Word, text PDF, txt, Markdown, Excel, CSV, zip. Everything stays in your data folder until you press Start."
    )
    with st.container(horizontal=True):
        with st.popover("Paste text", icon=":material/content_paste:"):
            _paste()
        if not draft.uploads:
            st.button("Use the example essays", icon=":material/school:", on_click=_take_examples)


def _paste() -> None:
    st.text_area(
        "Your text, or several with a line of three hyphens (---) between them", key=PASTE, height=260, width=560
    )
    st.text_input("Title (optional)", key=PASTE_TITLE)
    st.button("Add this text", on_click=_take_paste)


def _take_paste() -> None:
    text, title = st.session_state.get(PASTE, ""), st.session_state.get(PASTE_TITLE, "")
    if edit(lambda draft: add_paste(workbench().archive, draft, text, title)):
        st.session_state[PASTE] = st.session_state[PASTE_TITLE] = ""


def _take_examples() -> None:
    edit(lambda draft: add_examples(workbench().archive, draft))
