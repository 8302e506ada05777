"""Text by text: how well its rank is known, and whether the verdicts on it agree with one another."""

from __future__ import annotations

import pandas as pd
import streamlit as st
from streamlit.elements.lib.column_types import ColumnConfig

from judge_core.interfaces.dashboard.result.shown import Chosen, RunKey, Shown
from judge_core.interfaces.dashboard.result.words import PERCENT, table_height
from judge_core.interfaces.dashboard.safe import label
from judge_core.ranking.reliability.fit_statistics import MISFIT
from judge_core.views.standings import Standings
from judge_core.views.state import RunState
from judge_core.views.trust import text_table
from judge_core.views.trust.texts import top_of

NAMED = 5
RED = "🔴"
COLUMNS = [
    "text", "rank", "best rank", "worst rank", "settled", "in the top", "rating", "standard error", "adjusted infit", "outfit",
    "misfit", "comparisons",
]  # fmt: skip


def show_texts(shown: Shown) -> None:
    """The table, with the red line of the field said in words and drawn as a mark."""
    frame = _table(shown.key, shown.chosen, shown.weighed, shown.table).copy()
    anchors = {row.alias for row in shown.table.rows if row.anchor is not None}
    frame.loc[frame["text"].isin(anchors), "settled"] = None  # known, so there is nothing to settle
    frame = frame.assign(text=[shown.called(a) + (" (anchor)" if a in anchors else "") for a in frame["text"]])
    settled, known = int(frame["settled"].fillna(False).sum()), int(frame["settled"].notna().sum())
    odd = frame[frame["misfit"].fillna(False)]
    st.markdown(f"**{settled} of {known} ranks are settled**: told apart from both neighbours.")
    if len(odd):
        names = ", ".join(label(name, 40) for name in odd["text"].head(NAMED))
        more = f" and {len(odd) - NAMED} more" if len(odd) > NAMED else ""
        st.markdown(
            f"{RED} **Look at {names}{more}**: the verdicts on it contradict one another more than chance explains (infit of "
            f"{MISFIT:g} or more). Often judges disagree on what kind of text it is."
        )
    st.dataframe(
        _marked(frame), hide_index=True, height=table_height(len(frame)), placeholder="unknown",
        alt="Each text with its rank, how sure it is, and its misfit", column_config=_columns(shown),
    )  # fmt: skip
    st.caption(
        "Infit and outfit: 1 is what chance gives; above, the verdicts surprise. Infit weighs surprises among equals most, "
        "outfit upsets of far-apart texts. The infit shown allows for how closely a fit follows few verdicts."
    )


@st.cache_resource(max_entries=16, show_spinner=False)
def _table(key: RunKey, chosen: Chosen, _state: RunState, _table: Standings) -> pd.DataFrame:
    return text_table(_state, _table)


def _marked(frame: pd.DataFrame) -> pd.DataFrame:
    """The columns shown; what is beyond the red line bears a mark and not a colour alone."""
    shown = frame[COLUMNS].copy()
    if not frame["comparisons"].any():  # each was scored by itself
        shown = shown.drop(columns="comparisons")
    shown["misfit"] = [f"{RED} look here" if mark else "" for mark in frame["misfit"].fillna(False)]
    shown["in the top"] = 100 * frame["in the top"]
    shown["settled"] = ["✓" if mark else "" for mark in frame["settled"].fillna(False)]
    return shown.drop(columns=[name for name in ("settled", "misfit") if not (shown[name] != "").any()])


def _columns(shown: Shown) -> dict[str, ColumnConfig | str | None]:
    config, k = st.column_config, top_of(shown.state)
    number = config.NumberColumn
    return {
        "text": config.TextColumn("Text", pinned=True, width=130),
        "rank": number("Rank", width="small"),
        "best rank": number("95 % from", help="The true rank lies between here and the next column with 95 %"),
        "worst rank": number("to"),
        "settled": config.TextColumn("Settled", width="small"),
        "in the top": number("Best of all" if k == 1 else f"In the top {k}", format=PERCENT),
        "rating": number("Rating", format="%.0f"),
        "standard error": number("± (one sd)", format="%.0f"),
        "adjusted infit": number(
            "Infit",
            format="%.2f",
            help="How well the verdicts on it fit together: 1 is what chance gives, more is surprising",
        ),
        "outfit": number(
            "Outfit", format="%.2f", help="The same, with upsets against far weaker or stronger texts counted in full"
        ),
        "misfit": config.TextColumn("Misfit"),
        "comparisons": number("Meetings", help="Meetings with another text that were decided"),
    }
