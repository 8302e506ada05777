"""What a reader takes away: each table as CSV, all of them as a workbook, the whole as JSON, the run as a zip."""

from __future__ import annotations

from functools import partial

import streamlit as st

from judge_core.interfaces.dashboard.item_result.shown import ShownItems
from judge_core.interfaces.dashboard.result.sections.take_away import file_row
from judge_core.interfaces.library.bundle import bundle
from judge_core.interfaces.library.item_results import XLSX, ItemResults, item_files
from judge_core.records.spec import ItemMode

ABOUT = {
    "review": ("Review (CSV)", "One row a text: score, criteria, warnings."),
    "gate": ("Gate (CSV)", "One row a text: passed or not and why, score, criteria, warnings."),
    "listwise": ("Ranking (CSV)", "One row a candidate: place, mean position, each judge's position."),
    "rag": ("Answers (CSV)", "One row an answer: its figures and how many claims got which label."),
    "agent": ("Agent runs (CSV)", "One row a run: goal, steps, patterns."),
    "claims": ("Claims (CSV)", "One row a claim: its label, and each judge's with the passages it points to."),
    "passages": ("Passages (CSV)", "One row a passage: whether it is relevant, and each judge's word."),
    "steps": ("Steps (CSV)", "One row a step: its label, and each judge's."),
    "corrections": (
        "Corrections (CSV)",
        "What people could do about the patterns that were found, where there is any.",
    ),
    "summary": ("Summary (CSV)", "One row a figure: mean, 95 % interval, how many values it rests on."),
    "judgments": ("Judgments (CSV)", "One row a judgment: who judged what, in its own words, and what it cost."),
}
"""Words and explanation of a table's file."""
DETAILS: dict[ItemMode, tuple[str, ...]] = {"rag": ("claims", "passages"), "agent": ("steps", "corrections")}
"""The tables of labels, by mode."""
MIMES = {"csv": "text/csv", "xlsx": XLSX, "json": "application/json"}


def show_take_away(shown: ShownItems) -> None:
    """The files, each said in a sentence."""
    if shown.live:
        st.markdown("The run is still going on: the files hold what was judged until now.")
    results = shown.results
    for name in file_names(shown.mode):
        words, about = _about(name)
        file_row(words, name, MIMES[name.rpartition(".")[2]], about, partial(_content, results, name))
    bench, run = shown.bench, shown.id
    file_row(
        "Whole run (zip)", "run.zip", "application/zip",
        "Everything: texts, prompts, raw replies. Import it again under History.", lambda: bundle(bench, run),
    )  # fmt: skip
    st.caption(
        "The files hold names and ids, and the zip the texts themselves: hand them on only to people who may see these."
    )


def file_names(mode: ItemMode) -> list[str]:
    """The files of a run of that mode. Known without making them: that means reading every reply again."""
    tables = [mode, *DETAILS.get(mode, ()), "summary", "judgments"]
    return [*(f"{table}.csv" for table in tables), f"{mode}.xlsx", f"{mode}.json"]


def _content(results: ItemResults, name: str) -> bytes:
    return item_files(results)[name].content(results)


def _about(file: str) -> tuple[str, str]:
    name, _, ending = file.rpartition(".")
    if ending == "xlsx":
        return "All tables (Excel)", "The same tables as the sheets of a workbook."
    if ending == "json":
        return "Everything (JSON)", "Every item with its verdicts and warnings, for other programs."
    return ABOUT.get(name, (f"{name} (CSV)", ""))
