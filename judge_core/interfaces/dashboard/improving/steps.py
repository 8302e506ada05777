"""Steps 1, 2 and 4: the text; the task and the criteria; price, data and what is still missing."""

from __future__ import annotations

import streamlit as st

from judge_core.interfaces.dashboard.improving.plan import (
    PAGE,
    Fault,
    calls_a_pass,
    faults_of,
    priced_judges,
    size_of,
    spec_of_improvement,
    text_of,
)
from judge_core.interfaces.dashboard.improving.starting import start_sample, take_sample
from judge_core.interfaces.dashboard.jobs.criteria import show_criteria, show_question
from judge_core.interfaces.dashboard.jobs.desk import file_box, words_box
from judge_core.interfaces.dashboard.new_ranking.costs import show_costs
from judge_core.interfaces.dashboard.new_ranking.start_step import show_caps, show_destinations
from judge_core.interfaces.dashboard.new_ranking.state import bound, typed_keys
from judge_core.interfaces.dashboard.safe import label, line, plain
from judge_core.interfaces.dashboard.session import workbench
from judge_core.interfaces.drafts import Draft
from judge_core.records.errors import InputError


def show_text(draft: Draft) -> None:
    """Exactly one text, pasted or from a file; and a way to see it work at once."""
    if not draft.inputs.one.sha256:
        _try()
    words_box(draft, "one", "The text to improve", height=320, placeholder="Paste the text here.")
    with st.container(horizontal=True, vertical_alignment="center"):
        file_box("one", "The text from a file")
        if not draft.inputs.one.sha256:
            st.button("Use an example essay", icon=":material/school:", on_click=take_sample)
    text, _ = text_of(workbench(), draft)
    if text is not None:
        named = f" from {plain(draft.inputs.one.name, 80)}" if draft.inputs.one.name else ""
        line(f"{text.words:,} words{named}")
        for notice in text.warnings:
            line(f"⚠ {notice.message}")
    st.caption("One text at a time: Word, text PDF, txt or Markdown. It stays in your data folder until you start.")


def _try() -> None:
    with st.container(border=True, horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.markdown(
            "**New here?** See it work: free, no key, nothing leaves this computer. The demo judge is not an AI.",
            width="stretch",
        )
        st.button("Improve an example essay", icon=":material/play_arrow:", on_click=start_sample, key="improve:demo")


def show_task(draft: Draft) -> None:
    """What the text is for, and what it is judged by."""
    st.caption(
        "Critic, author and judges are all told what the text is for. Left empty: its main heading, if it has one."
    )
    show_question(draft)
    show_criteria(draft)


def show_start(draft: Draft) -> None:
    """Price, where the text goes, what is missing."""
    bench = workbench()
    text, _ = text_of(bench, draft)
    size = size_of(draft.inputs.improvement)
    each = calls_a_pass(size)
    st.markdown(
        f"At most **{size.max_rounds} passes of {each} calls**: critic, author, synthesizer and {size.judges} "
        f"judge{'' if size.judges == 1 else 's'}. Fewer if the text wins {size.k} in a row before."
    )
    try:
        spec = None if text is None else spec_of_improvement(bench, draft, text)
    except InputError:
        spec = None
    if spec is not None:
        show_costs(draft, spec, tuple(priced_judges(bench, draft).values()))
    show_caps(draft)
    if spec is not None:
        show_destinations(
            spec, "The text, and every version of it,", "Only the words are sent, with task and criteria; no file name."
        )
    _missing(faults_of(bench, draft, typed_keys(draft)))
    st.text_input(
        "Name of this run (optional)", placeholder=plain(text.title, 60) if text else "",
        **bound("name", draft.name, lambda d, name: d.model_copy(update={"name": name})),
    )  # fmt: skip


def _missing(faults: list[Fault]) -> None:
    if not faults:
        return
    with st.container(border=True):
        st.markdown("**Before you can start**")
        for number, fault in enumerate(faults):
            with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
                st.markdown(f"⚠ {label(fault.message, 600)}", width="stretch")
                if fault.step != "start":
                    st.button(
                        f"Go to {PAGE.titles[fault.step]}", key=f"improve:mend:{number}", on_click=PAGE.go_to,
                        args=(fault.step,), type="tertiary",
                    )  # fmt: skip
