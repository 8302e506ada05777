"""The inputs of jobs on texts: two texts, one text, many texts; each with a sample to try."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from judge_core.interfaces.dashboard.jobs.desk import field, file_box, with_words, words_box
from judge_core.interfaces.dashboard.jobs.kinds import JobName
from judge_core.interfaces.dashboard.jobs.listing import show_uploaded
from judge_core.interfaces.dashboard.jobs.reading import Entered
from judge_core.interfaces.dashboard.new_ranking.state import bound, edit, uploader
from judge_core.interfaces.dashboard.new_ranking.texts.listing import show_columns, show_files, show_problems
from judge_core.interfaces.dashboard.new_ranking.texts.names import show_names_part
from judge_core.interfaces.dashboard.session import workbench
from judge_core.interfaces.drafts import Draft, add_examples
from judge_core.interfaces.drafts.texts import add_files, add_paste
from judge_core.records.errors import InputError

PASTE = "jobs:paste"
SAMPLE_A, SAMPLE_B = 2, 8
"""The example essays of the samples, by their place."""
Change = Callable[[Draft], Draft]


def show_pair(draft: Draft) -> None:
    """Two texts side by side."""
    for column, name, title in zip(st.columns(2), ("a", "b"), ("Text A", "Text B"), strict=True):
        with column:
            words_box(draft, name, title, height=260, placeholder="Paste the text here.")
            file_box(name, f"{title} from a file")
    _sample(
        draft.inputs.a.sha256 or draft.inputs.b.sha256, "Try it with two example essays", {"a": SAMPLE_A, "b": SAMPLE_B}
    )


def show_one(draft: Draft) -> None:
    """One text, and a model answer."""
    words_box(draft, "one", "The text", height=260, placeholder="Paste the text here.")
    with st.container(horizontal=True):
        file_box("one", "The text from a file")
        _sample(draft.inputs.one.sha256, "Try it with an example essay", {"one": SAMPLE_A})
    _reference(draft)


def show_many(draft: Draft, found: Entered, job: JobName) -> None:
    """Uploaded or pasted texts, and what the job asks beside them."""
    uploader(
        "Drag in your texts",
        "texts",
        help="Word, PDF with text in it, plain text, Markdown, Excel, CSV or a zip of these. Scans and handwriting cannot be read.",
        store=lambda given: edit(lambda d: add_files(workbench().archive, _begun(d), given)),
        several=True,
    )
    st.caption(
        "Word, text PDF, txt, Markdown, Excel, CSV, zip. Everything stays in your data folder until you press Run."
    )
    with st.container(horizontal=True):
        with st.popover("Paste text", icon=":material/content_paste:"):
            _paste()
        if not draft.uploads:
            st.button("Try it with the example essays", icon=":material/school:", on_click=_take_examples)
    show_columns(draft)
    show_problems(draft)
    show_uploaded(draft, found, job)
    if draft.texts:
        show_names_part(draft)
    if draft.uploads:
        show_files(draft)
    if job == "gate":
        _bar(draft)
    if job == "list":
        _orders(draft)
    else:
        _reference(draft)


def _reference(draft: Draft) -> None:
    with st.expander("A model answer to compare with (optional)", icon=":material/star:", key="jobs:reference"):
        st.caption("Judges read it as an example of a good answer. It is not scored itself.")
        words_box(draft, "reference", "Model answer", height=180)
        file_box("reference", "The model answer from a file")


def _bar(draft: Draft) -> None:
    st.number_input(
        "The bar, on a scale of 1 to 5", step=0.1, format="%.2f", width=240,
        help="A text passes if every judge gave a verdict, none refused it, and their mean score is at least this.",
        **bound("job:bar", draft.inputs.bar, _put_bar),
    )  # fmt: skip


def _put_bar(draft: Draft, bar: float) -> Draft:
    if not 1 <= bar <= 5:
        raise InputError(
            f"The bar stands on a scale of 1 to 5; {bar:g} is not on it. The last good one stays: {draft.inputs.bar:g}."
        )
    return draft.with_inputs(bar=bar)


def _orders(draft: Draft) -> None:
    st.toggle("Show the list in reverse as well", **field(draft, "both_orders"))
    st.caption("Judges tend to favour what stands first. Both orders cost two calls, and their rankings are merged.")


def _paste() -> None:
    st.text_area(
        "Your text, or several with a line of three hyphens (---) between them", key=PASTE, height=260, width=560
    )
    st.button("Add this text", on_click=_take_paste)


def _take_paste() -> None:
    text = st.session_state.get(PASTE, "")
    if edit(lambda draft: add_paste(workbench().archive, _begun(draft), text)):
        st.session_state[PASTE] = ""


def _take_examples() -> None:
    edit(lambda d: add_examples(workbench().archive, _begun(d)).model_copy(update={"name": d.name}))


def _sample(filled: object, title: str, boxes: dict[str, int]) -> None:
    if not filled:
        st.button(title, icon=":material/school:", on_click=partial(_take_sample, boxes))


def _take_sample(boxes: dict[str, int]) -> None:
    edit(partial(_sampled, boxes))


def _sampled(boxes: dict[str, int], draft: Draft) -> Draft:
    """The draft with example essays in its boxes, and their question and criteria where it had none of its own."""
    archive = workbench().archive
    examples = add_examples(archive, Draft())
    if draft.rubric == Draft().rubric:
        draft = draft.model_copy(update={"rubric": examples.rubric})
    for name, place in boxes.items():
        artifact = examples.texts[place].artifact
        draft = with_words(draft, name, archive.text(artifact.sha256), artifact.id)
    return draft


def _begun(draft: Draft) -> Draft:
    """The draft marked as one of this page, so that it is not taken for a ranking."""
    return draft.with_inputs()
