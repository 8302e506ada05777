"""The list of what was read: texts with their remarks, files with their columns, and what could not be read."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import streamlit as st

from judge_core.interfaces.dashboard.new_ranking.state import bound, chosen_of, edit
from judge_core.interfaces.dashboard.safe import label, line, plain
from judge_core.interfaces.dashboard.session import workbench
from judge_core.interfaces.drafts import Draft, Upload
from judge_core.interfaces.drafts.records import DraftText
from judge_core.interfaces.drafts.texts import choose_columns, file_problems, leave_out, remove_upload, take_back
from judge_core.interfaces.workbench import text_refs
from judge_core.records.artifact import Artifact
from judge_core.records.errors import StoreError
from judge_core.records.notices import explain

SHOW_NAMES = "new_ranking:show_names"
_GUESSED = "(guess)"


def aliases(draft: Draft) -> dict[str, str]:
    """Text key -> the alias that it will have in the run, in the order of the aliases."""
    keys = {(text.artifact.sha256, text.artifact.id): text.key for text in draft.texts}
    return {keys[ref.sha256, ref.id]: ref.alias for ref in text_refs([text.artifact for text in draft.texts])}


def show_texts(draft: Draft) -> None:
    """The texts, blind unless names are asked for, and a way to read one or take it out."""
    named = aliases(draft)
    texts = {text.key: text for text in draft.texts}
    words = [text.artifact.words for text in draft.texts]
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        count = f"{len(words)} text{'s' if len(words) != 1 else ''}"
        st.subheader(f"{count}, {min(words):,} to {max(words):,} words", anchor=False)
        shown = st.toggle(
            "Show names", key=SHOW_NAMES, persist_state="session", help="Off: you work blind, as the judge does."
        )
    frame = pd.DataFrame([_row(alias, texts[key], names=shown) for key, alias in named.items()])
    frame = frame.drop(columns=[name for name in ("Encoding", "Guessed", "Remarks") if not frame[name].any()])
    st.dataframe(frame, hide_index=True, height=min(38 + 35 * len(frame), 460), alt="The texts that were read")
    _same_texts(draft)
    _one_text(named, texts, names=shown)


def _row(alias: str, text: DraftText, *, names: bool) -> dict[str, object]:
    artifact = text.artifact
    row: dict[str, object] = {"Text": alias}
    if names:
        row |= {"Name": plain(artifact.title), "File": plain(artifact.source)}
    codes = dict.fromkeys(notice.code for notice in artifact.warnings)
    return row | {
        "Words": artifact.words,
        "Encoding": plain(_encoding(artifact), 40),
        "Guessed": plain(_guessed(artifact), 200),
        "Remarks": " ".join(explain(code) for code in codes),
    }


def _encoding(artifact: Artifact) -> str:
    """How letters are stored, where that is neither the usual way nor fixed by the format."""
    guess = " (a guess)" if any(notice.code == "encoding_guessed" for notice in artifact.warnings) else ""
    usual = artifact.encoding in (None, "utf-8", "utf-8-sig")
    return "" if usual and not guess else f"{artifact.encoding}{guess}"


def _guessed(artifact: Artifact) -> str:
    """What a person should look at: where in a table the text was taken from."""
    column = artifact.guesses.get("text column")
    told = [f"text taken from the column {column}"] if column else []
    return "; ".join([*told, *(["the first row was taken as a text"] if "header" in artifact.guesses else [])])


def _same_texts(draft: Draft) -> None:
    same = sum(any(n.code == "duplicate_text" for n in text.artifact.warnings) for text in draft.texts)
    if same:
        st.warning(
            f"{same} texts are word for word the same as another one. They stay separate rows.",
            icon=":material/content_copy:",
        )


def _one_text(named: Mapping[str, str], texts: Mapping[str, DraftText], *, names: bool) -> None:
    def name(key: str) -> str:
        return f"{named[key]} · {plain(texts[key].artifact.title, 60)}" if names else named[key]

    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = st.selectbox("One text", list(named), format_func=name, key=chosen_of("one_text", named), width=320)
        if st.button("Read it", icon=":material/visibility:"):
            read_text(named[chosen], texts[chosen])
        st.button("Take it out", icon=":material/do_not_disturb_on:", on_click=_take_out, args=(chosen,))


def _take_out(key: str) -> None:
    edit(lambda draft: leave_out(workbench().archive, draft, [key]))


@st.dialog("The text as the judge will read it", width="medium", position="right")
def read_text(alias: str, text: DraftText) -> None:
    """A drawer with one text."""
    st.caption(f"{alias} · {text.artifact.words:,} words")
    for notice in text.artifact.warnings:
        line(f"⚠ {notice.message}")
    try:
        with st.container(border=True):
            line(workbench().archive.text(text.artifact.sha256))
    except StoreError as error:
        st.error(label(str(error), 300))


def show_problems(draft: Draft) -> None:
    """What could not be read, or was read with a remark, by file name."""
    problems = file_problems(draft)
    if not problems:
        return
    lost = {upload.name for upload in draft.uploads if not upload.artifacts}
    title = f"{len(lost)} file{'s' if len(lost) != 1 else ''} could not be used" if lost else "Remarks on your files"
    with st.expander(f"{title} ({len(problems)})", expanded=bool(lost), icon=":material/warning:"):
        rows = [{"File": plain(p.file, 120), "What to know": plain(p.message, 600)} for p in problems]
        config = {"What to know": st.column_config.TextColumn(width="large")}
        st.dataframe(pd.DataFrame(rows), hide_index=True, column_config=config, alt="Remarks on files")


def show_columns(draft: Draft) -> None:
    """For each table: which column is the text, the id and the title, with the guess shown."""
    for upload in draft.uploads:
        if upload.columns:
            with st.container(border=True):
                st.markdown(f"**Table** {label(upload.name)}: which column holds what?")
                _column_boxes(upload)


def _column_boxes(upload: Upload) -> None:
    guesses = upload.artifacts[0].guesses if upload.artifacts else {}
    boxes = {"text_column": "Text", "id_column": "File name or id", "title_column": "Title"}
    for place, (field, title) in zip(st.columns(3), boxes.items(), strict=True):
        guess = guesses.get(f"{field.removesuffix('_column')} column", "none")
        key = upload.key

        def put(draft: Draft, value: str, field: str = field, key: str = key) -> Draft:
            return choose_columns(workbench().archive, draft, key, {field: None if value == _GUESSED else value})

        def name(option: str, guess: str = guess) -> str:
            return _offered(guess) if option == _GUESSED else plain(option, 50)

        kept = getattr(upload, field) or _GUESSED
        options = [_GUESSED, *upload.columns]
        place.selectbox(title, options, format_func=name, **bound(f"{field}:{key}", kept, put))


def _offered(guess: str) -> str:
    if guess == "none":
        return "None"
    return "None: rows are named by their number" if guess.startswith("none:") else f"Guessed: {plain(guess, 50)}"


def show_files(draft: Draft) -> None:
    """The files that came, and a way to remove some."""
    with st.expander(f"Files ({len(draft.uploads)})", icon=":material/folder:", key="new_ranking:files"):
        rows = [
            {"File": plain(u.name, 120), "Texts": len(u.artifacts), "Kilobytes": round(u.size / 1024, 1)}
            for u in draft.uploads
        ]
        st.dataframe(pd.DataFrame(rows), hide_index=True, alt="The files that came")
        names = {upload.key: plain(upload.name, 100) for upload in draft.uploads}
        with st.container(horizontal=True, vertical_alignment="bottom"):
            chosen = st.selectbox(
                "One file", list(names), format_func=names.__getitem__, key=chosen_of("one_file", names), width=320
            )
            st.button("Remove it", icon=":material/delete:", on_click=_remove, args=(chosen,))
            if draft.left_out:
                count = len(draft.left_out)
                st.button(f"Put back {count} text{'s' if count != 1 else ''} taken out", on_click=_put_back)


def _remove(key: str) -> None:
    edit(lambda draft: remove_upload(workbench().archive, draft, key))


def _put_back() -> None:
    edit(lambda draft: take_back(workbench().archive, draft))
