"""Reliability: how much of the order is more than error, beside what a coin would show; halves; circles."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from judge_core.interfaces.dashboard.result.sections.course.brackets import BARE
from judge_core.interfaces.dashboard.result.sections.trust.check import CAREFUL, FINE, NEUTRAL
from judge_core.interfaces.dashboard.result.shown import Chosen, RunKey, Shown
from judge_core.interfaces.dashboard.result.words import PERCENT
from judge_core.interfaces.dashboard.safe import plain
from judge_core.ranking.reliability.coin import REPLAYS
from judge_core.ranking.reliability.split_half import SplitHalf
from judge_core.views.charts.trust.reliability import reliability_alt, reliability_figure
from judge_core.views.standings import Standings
from judge_core.views.state import RunState
from judge_core.views.trust import reliability_summary, rounds_reliability, triads_summary
from judge_core.views.trust.reliability import GOOD, ReliabilitySummary

A_SECOND = 12_000
"""Texts times rounds times replays that take about a second."""
FEWEST = 6
COLUMNS = {
    "round": "After round",
    "title": "What",
    "verdicts": "Verdicts",
    "replays": "Coins",
}


def show_reliability(shown: Shown) -> None:
    """The figure in a sentence, then by round, in halves, and circles."""
    frame = _by_round(shown.key, shown.chosen, _replays(shown), shown.weighed, shown.table)
    alone = (
        len(shown.state.spec.judges) == 1
        and not shown.state.matches
        and all(view.single for view in shown.state.listings.values())
    )
    st.subheader(sentence(frame, one_score_each=alone), anchor=False)
    st.markdown(
        "It is the share of the spread of the ratings that is more than their error (scale separation reliability), from 0 to "
        "1. Pairing that follows the results makes chance look like order, so the schedule of this very run is played again "
        "with coins in place of judges: only what lies above the coins is the judges' own."
    )
    st.plotly_chart(
        reliability_figure(frame, shown.theme), key="reliability", theme=None, config=BARE, alt=reliability_alt(frame)
    )
    _few_coins(shown)
    with st.expander("Reliability as a table", icon=":material/table_rows:"):
        _table(frame)
    _halves(_split(shown.key, shown.chosen, shown.weighed, shown.table))
    _circles(shown)


def sentence(frame: pd.DataFrame, *, one_score_each: bool = False) -> str:
    """The reliability of the whole run beside its coin. `one_score_each`: dealt out anew, such scores always show the same."""
    known = frame[frame["reliability"].notna()]
    if known.empty:
        return "The reliability cannot be told yet: it needs three texts whose ratings differ."
    last = known.iloc[-1]
    own = f"Reliability {last['reliability']:.2f}"
    if pd.isna(last["coin mean"]):
        return f"{own}."
    if one_score_each:
        return (
            f"{own}. That says little: one score a text cannot tell an opinion from chance. Add pairs, lists or judges."
        )
    coin = f"a coin on the same schedule would show {last['coin mean']:.2f}"
    if last["reliability"] <= last["coin 95th"]:
        return f"{own}; {coin}. That is no more than chance gives."
    enough = "enough for most uses" if last["reliability"] >= GOOD else f"less than the {GOOD:g} that most uses ask for"
    return f"{own}; {coin}. It is {enough}."


def _replays(shown: Shown) -> int:
    """How often the schedule is played: all times where that is quick or was asked for, else as often as a second allows."""
    if st.session_state.get(_asked_key(shown)):
        return REPLAYS
    size = len(shown.state.spec.texts) * max(len(shown.state.rounds), 1)
    return max(FEWEST, min(REPLAYS, A_SECOND // size))


def _asked_key(shown: Shown) -> str:
    return f"all_coins:{shown.id}"


@st.cache_resource(max_entries=16, show_spinner="Playing the schedule again with coins…")
def _by_round(key: RunKey, chosen: Chosen, replays: int, _state: RunState, _table: Standings) -> pd.DataFrame:
    return rounds_reliability(_state, _table, replays)


@st.cache_resource(max_entries=16, show_spinner=False)
def _split(key: RunKey, chosen: Chosen, _state: RunState, _table: Standings) -> ReliabilitySummary:
    return reliability_summary(_state, _table, replays=1)  # the coins are played for the rounds already


def _few_coins(shown: Shown) -> None:
    """Says so where the coins' figures are rough, and offers the rest."""
    if (played := _replays(shown)) == REPLAYS:
        return
    st.caption(
        f"The schedule was played again {played} times, so that this page comes at once; the coins' figures are rough. They get "
        f"firmer with {REPLAYS} times, which may take a while in a large run."
    )
    st.button(
        f"Play it {REPLAYS} times",
        icon=":material/casino:",
        key="all_coins",
        on_click=_ask_all,
        args=(_asked_key(shown),),
    )


def _ask_all(key: str) -> None:
    st.session_state[key] = True


def _table(frame: pd.DataFrame) -> None:
    number = st.column_config.NumberColumn
    st.dataframe(
        frame.drop(columns=[] if frame["title"].astype(bool).any() else ["title"]), hide_index=True,
        alt="Reliability after each round, with the coins' figures",
        column_config={
            **COLUMNS, "reliability": number("Reliability", format="%.2f"), "coin mean": number("Coins, mean", format="%.2f"),
            "coin 95th": number("95 of 100 coins below", format="%.2f"),
        },
    )  # fmt: skip


def _halves(found: ReliabilitySummary) -> None:
    st.subheader("In halves", anchor=False)
    if found.halves is None:
        st.markdown(f"{NEUTRAL} There are too few verdicts to split them into halves that rate the same texts.")
    else:
        st.markdown(_half_words("all verdicts", found.halves))
    if found.panels is not None:
        st.markdown(_half_words("the panel of judges", found.panels))


def _half_words(what: str, half: SplitHalf) -> str:
    sign = FINE if half.corrected >= GOOD else CAREFUL
    return (
        f"{sign} Two random halves of {what} give ratings that correlate **{half.correlation:.2f}**; both halves together would "
        f"reach **{half.corrected:.2f}** against as many new ones (mean of {half.splits} splits)."
    )


def _circles(shown: Shown) -> None:
    frame = triads_summary(shown.weighed, shown.table)
    st.subheader("Circles", anchor=False)
    complete = int(frame["complete"].iloc[0]) if len(frame) else 0
    if not complete:
        st.markdown(f"{NEUTRAL} No three texts have all met one another, so no circle could show.")
        return
    circular, expected = int(frame["circular"].iloc[0]), float(frame["expected by chance"].iloc[0])
    sign = FINE if circular < expected / 2 else CAREFUL
    st.markdown(
        f"{sign} **{circular} of {complete:,} triads are circles** (A beats B, B beats C, C beats A). Coins would make about "
        f"{expected:,.0f}. No order can please a circle."
    )
    if len(frame) > 1:
        config = st.column_config
        st.dataframe(
            frame.assign(judge=[plain(name) for name in frame["judge"]], share=100 * frame["share"]), hide_index=True, alt="Circles by judge",
            column_config={
                "judge": "Of", "circular": "Circles", "complete": "Triads",
                "expected by chance": config.NumberColumn("By chance", format="%.0f"),
                "share": config.NumberColumn("Share", format=PERCENT),
            },
        )  # fmt: skip
