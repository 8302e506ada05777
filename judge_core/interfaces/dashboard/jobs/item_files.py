"""The inputs of jobs on files of answers or agent runs: upload, format, template, sample, and one answer typed in."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import pandas as pd
import streamlit as st

from judge_core.intake.items.agent_files import AGENT_FORMAT, agent_template
from judge_core.intake.items.rag_files import rag_template
from judge_core.interfaces.dashboard.jobs.criteria import show_criteria
from judge_core.interfaces.dashboard.jobs.desk import field, words_box
from judge_core.interfaces.dashboard.jobs.listing import show_items, show_problems
from judge_core.interfaces.dashboard.jobs.reading import Entered, stored_file
from judge_core.interfaces.dashboard.new_ranking.state import chosen_of, edit, refuse, uploader
from judge_core.interfaces.dashboard.safe import plain, prose
from judge_core.interfaces.dashboard.session import workbench
from judge_core.interfaces.drafts import Draft
from judge_core.interfaces.drafts.examples import FOLDER
from judge_core.interfaces.drafts.records import ItemFile

ANSWER_FIELDS = (
    ("question", "yes", "The question that was asked.", "query, user_input"),
    ("answer", "yes", "The answer that is to be judged.", "response, generated_answer, actual_output"),
    (
        "passages", "yes", "What the answer should rest on, best first: a list of texts. Empty where nothing was found.",
        "contexts, retrieved_contexts, documents, chunks",
    ),
    ("claims", "no", "What the answer claims, where you know it: a list of texts. Else the judge finds the claims.", "statements"),
    ("reference", "no", "An answer known to be good.", "ground_truth, expected_output, gold_answer"),
    ("id", "no", "Your name for the row.", "example_id, question_id"),
    ("model", "no", "Who wrote the answer. No judge sees it.", "system, author"),
)  # fmt: skip
"""The fields of a row: name, whether it is needed, what it holds, other names that are understood."""


class Kind(NamedTuple):
    """A kind of file."""

    field: str
    upload: str
    says: str
    show_format: Callable[[], None]
    template: Callable[[], bytes]
    template_name: str
    sample: tuple[str, str]
    """Folder and file of the sample that comes with Podium."""


def _answer_format() -> None:
    names = ("Field", "Needed", "What it holds", "Also called")
    frame = pd.DataFrame([dict(zip(names, row, strict=True)) for row in ANSWER_FIELDS])
    config = {"What it holds": st.column_config.TextColumn(width="large")}
    st.dataframe(frame, hide_index=True, column_config=config, alt="The fields of a row")
    st.markdown(
        "**Excel or CSV**: one answer a row, with the names of the fields in the first row. Write the passages into columns "
        "`passage_1`, `passage_2` and so on, claims into `claim_1`, `claim_2`."
    )
    st.markdown(
        "**JSON lines or JSON**: one object a row. Other fields are kept for the export, and no judge sees them."
    )


RAG = Kind(
    "rag_files", "Drag in a file of answers",
    "Each row holds a question, the answer that was given, and the passages that it should rest on. Excel, CSV, JSON or JSON lines.",
    _answer_format, rag_template, "answers.jsonl", ("rag", "town_answers.jsonl"),
)  # fmt: skip
AGENT = Kind(
    "agent_files", "Drag in a file of agent runs",
    "Each run holds the goal and the steps: what the agent said, which tools it called, what came back. JSON or JSON lines.",
    lambda: prose(AGENT_FORMAT), agent_template, "runs.json", ("agents", "runs.json"),
)  # fmt: skip


def show_answers(draft: Draft, found: Entered) -> None:
    """Answers with their sources."""
    _upload(draft, RAG)
    show_problems(found.problems)
    show_items(found, "rag")
    inputs = draft.inputs
    typed = bool(inputs.question.sha256 or inputs.answer.sha256 or inputs.passages.sha256)
    with st.expander("Or type one answer in", icon=":material/edit:", expanded=typed, key="jobs:typed"):
        words_box(draft, "question", "Question", height=80)
        words_box(draft, "answer", "Answer", height=120)
        words_box(draft, "passages", "Passages, with a line of three hyphens (---) between them", height=180)
    _about_files(draft, RAG)
    st.toggle("Score the answers on criteria of my own", **field(draft, "own_criteria"))
    if inputs.own_criteria:
        show_criteria(draft)
    else:
        st.caption("Answers are scored from 1 to 5 for how directly and fully they answer the question.")


def show_runs(draft: Draft, found: Entered) -> None:
    """Runs of an agent."""
    _upload(draft, AGENT)
    show_problems(found.problems)
    show_items(found, "agent")
    _about_files(draft, AGENT)
    st.toggle("Ask the judges about patterns of going astray, too", **field(draft, "patterns"))
    st.caption(
        "Loops and the like are found by fixed rules for free. A judge sees more of them, for one more call a run."
    )


def _upload(draft: Draft, kind: Kind) -> None:
    uploader(kind.upload, kind.field, partial(_add, kind), help=kind.says, several=True)
    st.caption(f"{kind.says} Everything stays in your data folder until you press Run.")
    with st.container(horizontal=True):
        if not getattr(draft.inputs, kind.field):
            st.button("Try the sample", icon=":material/school:", on_click=_add_sample, args=(kind,))
        st.download_button(
            "Download a file to fill in", kind.template(), file_name=kind.template_name, mime="application/json",
            on_click="ignore", icon=":material/download:", key=f"jobs:template:{kind.field}",
        )  # fmt: skip


def _about_files(draft: Draft, kind: Kind) -> None:
    files: tuple[ItemFile, ...] = getattr(draft.inputs, kind.field)
    if files:
        _listed(files, kind)
    with st.expander("What the file must hold", icon=":material/help:", key=f"jobs:format:{kind.field}"):
        kind.show_format()


def _listed(files: tuple[ItemFile, ...], kind: Kind) -> None:
    with st.expander(f"Files ({len(files)})", icon=":material/folder:", key=f"jobs:files:{kind.field}"):
        rows = [{"File": plain(file.name, 120), "Kilobytes": round(file.size / 1024, 1)} for file in files]
        st.dataframe(pd.DataFrame(rows), hide_index=True, alt="The files that came")
        names = {str(number): plain(file.name, 100) for number, file in enumerate(files)}
        with st.container(horizontal=True, vertical_alignment="bottom"):
            chosen = st.selectbox(
                "One file",
                list(names),
                format_func=names.__getitem__,
                key=chosen_of(f"job_{kind.field}", names),
                width=320,
            )
            st.button("Remove it", icon=":material/delete:", on_click=_remove, args=(kind, files[int(chosen)]))


def _add(kind: Kind, given: list[tuple[str, bytes]]) -> None:
    def put(draft: Draft) -> Draft:
        there: tuple[ItemFile, ...] = getattr(draft.inputs, kind.field)
        new = [stored_file(workbench(), name, data) for name, data in given]
        return draft.with_inputs(**{kind.field: tuple(dict.fromkeys((*there, *new)))})

    edit(put)


def _remove(kind: Kind, file: ItemFile) -> None:
    def put(draft: Draft) -> Draft:
        there: tuple[ItemFile, ...] = getattr(draft.inputs, kind.field)
        return draft.with_inputs(**{kind.field: tuple(one for one in there if one != file)})

    edit(put)


def _add_sample(kind: Kind) -> None:
    folder, name = kind.sample
    try:
        data = (FOLDER.parent / folder / name).read_bytes()
    except OSError:
        refuse(f"The sample is not on this computer: the file examples/{folder}/{name} is missing.")
        return
    _add(kind, [(name, data)])
