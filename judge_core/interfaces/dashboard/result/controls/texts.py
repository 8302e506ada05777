"""Texts that join a ranking late, or are withdrawn from it."""

from __future__ import annotations

import pandas as pd
import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from judge_core.intake import read_files
from judge_core.interfaces.bench.changes import add_texts, withdraw_texts
from judge_core.interfaces.bench.panel import Keys
from judge_core.interfaces.dashboard.result.controls.acting import act, key_fields, typed
from judge_core.interfaces.dashboard.result.shown import Shown
from judge_core.interfaces.dashboard.result.words import plural
from judge_core.interfaces.dashboard.safe import label, plain
from judge_core.interfaces.dashboard.session import workbench
from judge_core.records.artifact import Artifact, Reading

COUNTER, READ = "add_texts_counter", "add_texts_read"
"""In the session: which uploader is on the page, and what was read from its files."""
NAMED = 8


def show_more_texts(shown: Shown) -> None:
    """An uploader, what was read, and the button that adds it."""
    with st.popover("Add texts", icon=":material/note_add:"):
        st.markdown(
            "Texts that come late are judged against well-chosen others; the others are not judged again for it."
        )
        key = f"add_texts:{st.session_state.setdefault(COUNTER, 0)}"
        given = st.file_uploader(
            "Further texts", accept_multiple_files=True, key=key,
            help="Word, PDF with text in it, plain text, Markdown, Excel, CSV or a zip of these.",
        )  # fmt: skip
        if given:
            _read_texts(shown, _reading(given))


def _reading(files: list[UploadedFile]) -> Reading:
    """What the files hold; read once for each choice of files."""
    ids = tuple(file.file_id for file in files)
    known = st.session_state.get(READ)
    if known is None or known[0] != ids:
        known = st.session_state[READ] = (ids, read_files([(file.name, file.getvalue()) for file in files]))
    reading: Reading = known[1]
    return reading


def _read_texts(shown: Shown, reading: Reading) -> None:
    if reading.problems:
        rows = [{"File": plain(p.file, 120), "What to know": plain(p.message, 600)} for p in reading.problems]
        st.dataframe(pd.DataFrame(rows), hide_index=True, alt="Files with a problem")
    if not reading.artifacts:
        st.markdown("No text was found in these files.")
        return
    names = ", ".join(label(artifact.title or artifact.id, 40) for artifact in reading.artifacts[:NAMED])
    more = len(reading.artifacts) - NAMED
    st.markdown(names + (f" and {more} more" if more > 0 else ""))
    needed = shown.bench.keyless(shown.id)
    fields = key_fields(needed, "add") if needed else {}
    st.button(
        f"Add {plural(len(reading.artifacts), 'text')} and judge them", key="add_texts", type="primary", on_click=act,
        args=(lambda: _add(shown.id, reading.artifacts, typed(fields)),),
    )  # fmt: skip


def _add(run: str, artifacts: tuple[Artifact, ...], keys: Keys) -> None:
    add_texts(workbench(), run, artifacts, keys)
    st.session_state[COUNTER] += 1
    st.session_state.pop(READ, None)


def show_withdrawal(shown: Shown) -> None:
    """A choice of text, and a button that says what it does."""
    here = [text.alias for text in shown.state.spec.texts if text.alias not in shown.state.withdrawn]
    if len(here) < 3:
        return
    with st.popover("Withdraw a text", icon=":material/person_remove:"):
        alias = st.selectbox(
            "Text", here, index=None, format_func=shown.called, key=_gone(shown.id), placeholder="choose one", width=320
        )
        if alias is None:
            st.markdown("It gets no rank any more. What was judged on it still tells about the others.")
            return
        st.markdown(
            f"**Withdraw {label(shown.called(alias))} for good?** It gets no rank any more and cannot come back. What was "
            "judged on it still tells about the others."
        )
        st.button(
            f"Yes, withdraw {label(shown.called(alias))}", key="withdraw", type="primary", on_click=act,
            args=(lambda: _withdraw(shown.id, alias),),
        )  # fmt: skip


def _withdraw(run: str, alias: str) -> None:
    withdraw_texts(workbench(), run, [alias])
    st.session_state[_gone(run)] = None


def _gone(run: str) -> str:
    return f"withdraw_text:{run}"
