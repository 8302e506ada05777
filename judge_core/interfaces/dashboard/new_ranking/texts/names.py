"""Names: the class list that is joined at export, and the masking of names inside the texts."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from judge_core.interfaces.dashboard.new_ranking.state import bound, edit, uploader
from judge_core.interfaces.dashboard.safe import label, plain
from judge_core.interfaces.dashboard.session import workbench
from judge_core.interfaces.drafts import Draft
from judge_core.interfaces.drafts.texts import add_roster, class_list_problems, settled


def show_names_part(draft: Draft) -> None:
    """The part, folded away: most people need none of it."""
    with st.expander("Class list and names inside the texts", icon=":material/badge:"):
        _roster(draft)
        st.divider()
        _masking(draft)


def _roster(draft: Draft) -> None:
    st.markdown(
        "**Class list** (optional). It is joined to the results when you export them, and no judge ever sees it."
    )
    if draft.roster is None:
        uploader(
            "Class list (Excel or CSV with a column of file names or ids)",
            "roster",
            lambda given: _take_roster(*given[0]) if given else None,
            help="One row a text. The column with the file name or id is found by itself.",
        )
        return
    joined = sum(bool(text.artifact.columns) for text in draft.texts)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"{label(draft.roster.name)}: {joined} of {len(draft.texts)} texts have a row.")
        st.button("Remove the class list", on_click=_drop_roster)
    problems = class_list_problems(draft)
    if problems:
        rows = [{"What to know about the class list": plain(problem.message, 600)} for problem in problems]
        st.dataframe(pd.DataFrame(rows), hide_index=True, alt="Remarks on the class list")


def _take_roster(name: str, data: bytes) -> None:
    edit(lambda draft: add_roster(workbench().archive, draft, name, data))


def _drop_roster() -> None:
    edit(lambda draft: settled(workbench().archive, draft.model_copy(update={"roster": None})))


def _masking(draft: Draft) -> None:
    def put_mask(d: Draft, on: bool) -> Draft:
        return settled(workbench().archive, d.model_copy(update={"mask": on}))

    def put_names(d: Draft, names: list[str]) -> Draft:
        return settled(workbench().archive, d.model_copy(update={"mask_names": tuple(names)}))

    st.toggle(
        "Mask names inside the texts before judging",
        **bound("mask", draft.mask, put_mask),
        help="Each name becomes [name]. The judge reads the masked text, and so do you when you open one.",
    )
    if not draft.names_found and not draft.mask:
        st.caption("No names were found in the texts. Names are looked for in the class list and in file names.")
        return
    found = draft.names_found
    chosen = list(found) if draft.mask_names is None else list(draft.mask_names)
    if draft.mask:
        options = list(dict.fromkeys([*found, *chosen]))
        st.multiselect(
            "Names to mask (type to add one)",
            options,
            format_func=lambda name: plain(name, 60),
            accept_new_options=True,
            **bound("mask_names", chosen, put_names),
        )
        masked = sum(any(n.code == "names_masked" for n in text.artifact.warnings) for text in draft.texts)
        st.caption(f"Masked in {masked} of {len(draft.texts)} texts.")
    if found:
        rows = [{"Name found": plain(name, 60), "In texts": count or None} for name, count in found.items()]
        st.dataframe(
            pd.DataFrame(rows), hide_index=True, width=420, placeholder="not counted", alt="Names found in the texts"
        )
