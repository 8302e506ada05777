"""What one text's rank rests on, opened from the ranking; and how its columns are read."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from judge_core.interfaces.dashboard.result.address import open_match, picked_row
from judge_core.interfaces.dashboard.result.sections.entries import entries, fate_of, opponents_of, texts_of
from judge_core.interfaces.dashboard.result.shown import Shown
from judge_core.interfaces.dashboard.result.words import table_height, warning_sentence
from judge_core.interfaces.dashboard.result.words.methods import unit
from judge_core.interfaces.dashboard.safe import label


def how_to_read(shown: Shown) -> None:
    """The columns in plain words."""
    with st.popover("How to read this", icon=":material/help:"):
        st.markdown(
            "**Rating**: how strong a text is, from all that was judged together. 1500 is the middle of these texts; a text "
            "400 points above another wins about 10 matches of 11 against it."
        )
        st.markdown(
            f"**{100 * shown.table.level:g} % from, to**: where the rating lies with that certainty. Little evidence makes it wide."
        )
        st.markdown("**= with n**: n other texts cannot be told from this one. Do not read an order into them.")
        st.markdown("**Settled**: told apart from both its neighbours. More judgments would probably not move it.")
        st.markdown(
            "**W-L-T**: matches won, lost and tied. A judgment that flips with the order of the texts is a tie. "
            "A list counts as a match against each other text in it."
        )
        st.markdown("**Criteria**: the mean score that the judges gave, on the criterion's own scale.")
        st.markdown("**Elo**: the running figure that steers who meets whom. The rank follows the rating.")


def show_record(shown: Shown, alias: str | None) -> None:
    """What was judged of the text that was selected."""
    if alias is None or alias not in shown.state.spec.by_alias:
        return
    row = shown.table.row(alias)
    found = [entry for entry in entries(shown.weighed) if alias in texts_of(entry)]
    with st.container(border=True):
        one, many, _ = unit(shown.state)
        st.markdown(f"#### {label(shown.called(alias))}: {len(found)} {one if len(found) == 1 else many}")
        if row.anchor is not None:
            st.markdown(
                f":material/anchor: **Anchor**: its rating of {row.anchor:.0f} was known and is held; it is not estimated."
            )
        for code, number in row.warnings.items():
            st.markdown(f":material/warning: {label(warning_sentence(code) or code, 300)} ({number})")
        if not found:
            return
        frame = pd.DataFrame(
            {
                "No.": [entry.place for entry in found],
                "Round": [entry.round for entry in found],
                "Against": [opponents_of(shown, entry, alias) for entry in found],
                "Result": [fate_of(shown, entry, alias) for entry in found],
            }
        )
        _table(frame, [entry.place for entry in found], f"record_{alias}")


def _table(frame: pd.DataFrame, places: list[int], key: str) -> None:
    def pick() -> None:
        row = picked_row(key)
        if row is not None:
            open_match(places[row])

    st.markdown("Select a row to open it.")
    st.dataframe(
        frame,
        key=key,
        hide_index=True,
        on_select=pick,
        selection_mode="single-row",
        height=table_height(len(frame)),
        alt="What was judged of this text",
    )
