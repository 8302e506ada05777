"""What a person takes away of a tournament: the text, all versions as a folder, the passes as a table, the record."""

from __future__ import annotations

import streamlit as st

from judge_core.interfaces.dashboard.refine_result.shown import ShownRefinement
from judge_core.interfaces.dashboard.result.sections.take_away import file_row
from judge_core.interfaces.library.bundle import bundle
from judge_core.views.refine.tables import passes_csv

ABOUT = {
    "final_output.md": ("Text (Markdown)", "text/markdown", "The version that stands now."),
    "refinement.zip": ("All versions (zip)", "application/zip", "Every version, critique and ranking of every pass, readable without Podium."),
    "refinement.json": ("Record (JSON)", "application/json", "How it ended, passes, agreement, cost."),
}  # fmt: skip


def show_take_away(shown: ShownRefinement) -> None:
    """The files, each said in a sentence; each is made when it is asked for."""
    files = shown.results.files()

    def row(name: str) -> None:
        words, mime, about = ABOUT[name]
        file_row(words, name, mime, about, lambda: files[name].content(shown.results))

    row("final_output.md")
    text = files["final_output.md"]
    file_row(
        "Text (plain)",
        "final_output.txt",
        "text/plain",
        "The same as a text file.",
        lambda: text.content(shown.results),
    )
    row("refinement.zip")
    file_row(
        "Passes (CSV)", "passes.csv", "text/csv", "One row a pass: winner, points, judges, streak, agreement.",
        lambda: passes_csv(shown.state),
    )  # fmt: skip
    row("refinement.json")
    file_row(
        "Whole run (zip)", "run.zip", "application/zip",
        "Everything: texts, prompts, raw replies. Import it again under History.",
        lambda: bundle(shown.bench, shown.id),
    )  # fmt: skip
    if shown.state.incumbent.sha256 != shown.state.first.sha256:
        st.caption("The text was rewritten by a model: say so where you hand it on.")
