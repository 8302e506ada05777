"""Tables of what was read: texts, candidates, answers, agent runs; and what could not be read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

from judge_core.interfaces.dashboard.jobs.kinds import JobName
from judge_core.interfaces.dashboard.jobs.reading import Entered
from judge_core.interfaces.dashboard.new_ranking.state import chosen_of, edit
from judge_core.interfaces.dashboard.new_ranking.texts.listing import SHOW_NAMES, read_text
from judge_core.interfaces.dashboard.safe import plain
from judge_core.interfaces.dashboard.session import workbench
from judge_core.interfaces.drafts import Draft
from judge_core.interfaces.drafts.records import DraftText
from judge_core.interfaces.drafts.texts import leave_out
from judge_core.records.artifact import FileProblem
from judge_core.records.item import Item, Pattern
from judge_core.records.notices import explain
from judge_core.records.record import Notice

ROW_HEIGHT, HEAD_HEIGHT, MOST_HEIGHT = 35, 38, 460


def show_uploaded(draft: Draft, found: Entered, job: JobName) -> None:
    """The uploaded texts, blind unless names are asked for, and a way to read one or take it out."""
    if not draft.texts:
        return
    called = _called(draft, found, job)
    words = [text.artifact.words for text in draft.texts]
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.markdown(f"**{_count(len(words), 'text')}**, {min(words):,} to {max(words):,} words")
        names = st.toggle(
            "Show names", key=SHOW_NAMES, persist_state="session", help="Off: you work blind, as the judge does."
        )
    rows = [_text_row(name, text, names=names) for text, name in called]
    _table(rows, ("Remarks",), "The texts that were read")
    _one(called, names=names)


def show_items(found: Entered, job: JobName) -> None:
    """The answers or agent runs that were read."""
    if not found.items:
        return
    make, noun = (_answer_row, "answer") if job == "rag" else (_run_row, "run")
    st.markdown(f"**{_count(len(found.items), noun)}** read")
    rows = [make(item) | {"Remarks": _remarks(found.warnings.get(item.alias, ()))} for item in found.items]
    optional = ("Claims given", "Policy", "Good answer", "Gone astray, by the rules", "Remarks")
    _table(rows, optional, "What was read")


def show_problems(problems: Sequence[FileProblem]) -> None:
    """What could not be read, by file and line."""
    if not problems:
        return
    with st.expander(f"Remarks on your files ({len(problems)})", expanded=True, icon=":material/warning:"):
        rows = [{"File": plain(p.file, 120), "What to know": plain(p.message, 600)} for p in problems]
        text = st.column_config.TextColumn
        config = {"File": text(width="small"), "What to know": text(width="large")}
        st.dataframe(pd.DataFrame(rows), hide_index=True, column_config=config, alt="Remarks on files")


def _called(draft: Draft, found: Entered, job: JobName) -> list[tuple[DraftText, str]]:
    """Each text with what it is called: its alias in the run, or its number in the list."""
    if job == "list" or len(found.items) != len(draft.texts):
        return [(text, f"Text {number}") for number, text in enumerate(draft.texts, start=1)]
    pairs = zip(draft.texts, (item.alias for item in found.items), strict=True)
    return sorted(pairs, key=lambda pair: pair[1])


def _text_row(name: str, text: DraftText, *, names: bool) -> dict[str, object]:
    artifact = text.artifact
    row: dict[str, object] = {"Text": name}
    if names:
        row |= {"Name": plain(artifact.title), "File": plain(artifact.source)}
    return row | {
        "Words": artifact.words,
        "Characters": artifact.characters,
        "Remarks": _remarks(artifact.warnings),
    }


def _answer_row(item: Item) -> dict[str, object]:
    claims = len(item.of("claim"))
    return {
        "Id": plain(item.id, 60),
        "Question": plain(item.title, 100),
        "Words in the answer": sum(part.words for part in item.of("answer")),
        "Passages": len(item.of("passage")),
        "Claims given": claims or None,
        "Good answer": "✓" if item.of("reference") else "",
    }


def _run_row(item: Item) -> dict[str, object]:
    steps = item.of("step")
    return {
        "Id": plain(item.id, 60),
        "Steps": len(steps),
        "Tool calls": sum(part.call for part in steps),
        "Words": sum(part.words for part in item.parts),
        "Policy": "✓" if item.of("policy") else "",
        "Gone astray, by the rules": "; ".join(map(_pattern, item.patterns)),
    }


def _pattern(found: Pattern) -> str:
    """A pattern in words.

    >>> _pattern(Pattern(name="ping_pong", steps=(2, 3), severity=3, taxonomy="coordination_error"))
    'ping pong (steps 2, 3)'
    """
    steps = ", ".join(map(str, found.steps))
    return found.name.replace("_", " ") + (f" (step{'s' if len(found.steps) > 1 else ''} {steps})" if steps else "")


def _remarks(warnings: Sequence[Notice]) -> str:
    return " ".join(dict.fromkeys(explain(notice.code) for notice in warnings if notice.code != "pattern"))


def _table(rows: Sequence[Mapping[str, object]], optional: Sequence[str], alt: str) -> None:
    """The rows, without the optional columns that hold nothing."""
    frame = pd.DataFrame([dict(row) for row in rows])
    frame = frame.drop(columns=[name for name in optional if name in frame and not frame[name].any()])
    height = min(HEAD_HEIGHT + ROW_HEIGHT * len(frame), MOST_HEIGHT)
    config = {"Remarks": st.column_config.TextColumn(width="large")}
    st.dataframe(frame, hide_index=True, height=height, alt=alt, placeholder="", column_config=config)


def _one(called: Sequence[tuple[DraftText, str]], *, names: bool) -> None:
    texts = {text.key: text for text, _ in called}
    title = {text.key: f"{name} · {plain(text.artifact.title, 60)}" if names else name for text, name in called}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = st.selectbox(
            "One text", list(texts), format_func=title.__getitem__, key=chosen_of("job_text", texts), width=320
        )
        if st.button("Read it", icon=":material/visibility:"):
            read_text(title[chosen], texts[chosen])
        st.button("Take it out", icon=":material/do_not_disturb_on:", on_click=_take_out, args=(chosen,))


def _take_out(key: str) -> None:
    edit(lambda draft: leave_out(workbench().archive, draft, [key]))


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
