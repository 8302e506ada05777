"""What a reader takes away: the ranking as CSV and Excel, a report, every judgment as CSV, the whole run as a zip."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from judge_core.interfaces.dashboard.result.shown import Shown
from judge_core.interfaces.library.bundle import bundle
from judge_core.interfaces.library.results import FILES, Ranking, made_words, named_reasons
from judge_core.views.exports import ranked_csv, ranked_xlsx, report_text

EXCEL = FILES["ranked.xlsx"].mime


def show_take_away(shown: Shown) -> None:
    """The files, each said in a sentence. They hold the texts' own names, which the page keeps hidden until they are asked for."""
    if shown.live:
        st.markdown("The run is still going on: the files hold what was judged until now.")
    if shown.changed:
        st.markdown(":material/tune: **The ranking's files follow the weights that you set**, as on the page.")
    state, table = shown.weighed, shown.table
    file_row(
        "Ranking (CSV)",
        "ranked.csv",
        "text/csv",
        "One row a text: rank, rating, interval, scores, warnings.",
        lambda: ranked_csv(state, table),
    )
    file_row("Ranking (Excel)", "ranked.xlsx", EXCEL, "The same as a workbook.", lambda: ranked_xlsx(state, table))
    as_judged = Ranking(shown.bench, shown.id, shown.state)
    file_row(
        "Report (text)",
        "report.txt",
        "text/plain",
        "The run on plain pages, to hand on: verdict, question and criteria, ranking, reasons, every round, judges and cost.",
        lambda: report_text(state, table, _made(shown, as_judged), named_reasons(as_judged)),
    )
    file_row(
        "Judgments (CSV)",
        "judgments.csv",
        "text/csv",
        "One row a judgment: who judged what, with scores, reasons and cost.",
        lambda: FILES["judgments.csv"].content(as_judged),
    )
    bench, run = shown.bench, shown.id
    file_row(
        "Whole run (zip)",
        "run.zip",
        "application/zip",
        "Everything: texts, prompts, raw replies. Import it again under History.",
        lambda: bundle(bench, run),
    )
    st.caption(
        "The files hold the names of the texts, and the zip the texts themselves: hand them on only to people who may see these."
    )


def _made(shown: Shown, as_judged: Ranking) -> str:
    made = made_words(as_judged)
    return f"{made} Ranked by the weights set on the result page, not by the run's own." if shown.changed else made


def file_row(words: str, name: str, mime: str, about: str, content: Callable[[], bytes]) -> None:
    """A file: the button that downloads it, which makes it only then, and what it holds."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.download_button(
            words, content, file_name=name, mime=mime, key=f"download_{name}", on_click="ignore", width=200,
            icon=":material/download:",
        )  # fmt: skip
        st.markdown(about, width="content")
