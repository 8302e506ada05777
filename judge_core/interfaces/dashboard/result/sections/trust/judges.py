"""The judges one by one and beside one another: steady, fair to both sides, sharp, near the panel, and what each changes."""

from __future__ import annotations

from typing import NamedTuple

import pandas as pd
import streamlit as st

from judge_core.interfaces.dashboard.result.sections.trust.check import NEUTRAL
from judge_core.interfaces.dashboard.result.shown import Chosen, RunKey, Shown
from judge_core.interfaces.dashboard.result.words import PERCENT
from judge_core.interfaces.dashboard.safe import label, plain
from judge_core.ranking.reliability.fit_statistics import FEWEST_DECISIONS, MISFIT
from judge_core.views.standings import Standings
from judge_core.views.state import RunState
from judge_core.views.trust import judge_table, leave_one_out_tables, pair_agreement_table, panel_summary
from judge_core.views.trust.panel import LeftOutTables, PanelSummary

RED = "🔴"
FACTS = {
    "decisions": "Decisions", "asked in both orders": "In both orders", "flipped": "Flipped", "flip rate": "Flip rate",
    "first share": "First wins", "first range": "95 %", "adjusted infit": "Infit", "outfit": "Outfit", "misfit": "Misfit",
    "discrimination": "Sharpness", "discrimination range": "95 %", "tau with all": "Tau with all",
}  # fmt: skip
TAU = "Kendall's tau: 1 is the same order, 0 no connection; at 0.8, 90 of 100 pairs stand in the same order."
HELP = {
    "flip rate": "Of the pairs asked in both orders, those whose winner changed. A judge that guesses flips half of them.",
    "first share": "Of the prompts with a winner, those in which the text shown first won. 50 % would be fair.",
    "adjusted infit": f"How well its verdicts fit the joint ranking. 1 is what chance gives. From {MISFIT:g} on the judge contradicts the joint ranking. "
    f"Told from {FEWEST_DECISIONS} decisions on.",
    "outfit": "The same with upsets of far-apart texts counted in full.",
    "discrimination": "How sharply it tells texts apart beside the other judges; 1 is their mean. Estimated together with the "
    "ratings, without reference labels.",
    "tau with all": "How the order by it alone agrees with that by all judges, itself among them. " + TAU,
}
SHARES, DECIMAL = ("flip rate", "first share"), ("adjusted infit", "outfit", "discrimination", "tau with all")


class Panel(NamedTuple):
    """What is known of the judges."""

    judges: pd.DataFrame
    left_out: LeftOutTables
    pairs: pd.DataFrame
    summary: PanelSummary


def show_judges(shown: Shown) -> None:
    """The table of judges; of a panel also what each changes and who agrees with whom."""
    found = _panel(shown.key, shown.chosen, shown.weighed, shown.table)
    _judges(found.judges)
    if len(shown.state.spec.judges) < 2:
        st.markdown(
            f"{NEUTRAL} **One judge only.** Its sharpness, and what the ranking owes to it, can only be told beside others."
        )
        return
    _size(found.summary)
    _left_out(shown, found.left_out.judges)
    _ranks(shown, found.left_out.texts)
    _pairs(found.pairs)


@st.cache_resource(max_entries=16, show_spinner="Working it out…")
def _panel(key: RunKey, chosen: Chosen, _state: RunState, _table: Standings) -> Panel:
    return Panel(
        judge_table(_state, _table),
        leave_one_out_tables(_state, _table),
        pair_agreement_table(_state),
        panel_summary(_state, _table),
    )


def _judges(frame: pd.DataFrame) -> None:
    """A judge beyond the red line bears a mark and not a colour alone; columns that nobody can fill are left out."""
    odd = [label(name, 60) for name, mark in zip(frame["judge"], frame["misfit"].fillna(False), strict=True) if mark]
    if odd:
        st.markdown(
            f"{RED} **Look at {', '.join(odd)}**: an infit of {MISFIT:g} or more says that what it decides contradicts the joint "
            "ranking more than chance explains."
        )
    rows = frame.assign(
        judge=[plain(name) for name in frame["judge"]],
        misfit=[f"{RED} look here" if mark else "" for mark in frame["misfit"].fillna(False)],
        **{name: 100 * frame[name] for name in SHARES},
    )
    rows["first range"] = _ranges(frame, "first share", percent=True)
    rows["discrimination range"] = _ranges(frame, "discrimination")
    known = [name for name in FACTS if _filled(rows[name])]
    number, config = st.column_config.NumberColumn, {"judge": st.column_config.TextColumn("Judge", pinned=True)}
    for name in known:
        style = PERCENT if name in SHARES else "%.2f" if name in DECIMAL else None
        words = FACTS[name]
        text = name.endswith("range") or name == "misfit"
        config[name] = st.column_config.TextColumn(words) if text else number(words, format=style, help=HELP.get(name))
    st.dataframe(
        rows[["judge", *known]], hide_index=True, column_config=config, placeholder="unknown",
        alt="Each judge: decisions, flips, sides, misfit, sharpness",
    )  # fmt: skip


def _filled(column: pd.Series) -> bool:
    return bool(column.notna().any() and (column.astype(str) != "").any() and not (column == 0).all())


def _ranges(frame: pd.DataFrame, name: str, *, percent: bool = False) -> list[str]:
    ends = zip(frame[f"{name} low"], frame[f"{name} high"], strict=True)
    style = "{:.0%} to {:.0%}" if percent else "{:.2f} to {:.2f}"
    return ["" if pd.isna(low) else style.format(low, high) for low, high in ends]


def _size(summary: PanelSummary) -> None:
    if summary.size is None:
        st.markdown(
            f"{NEUTRAL} Too few pairs of texts were judged by several judges to say how many opinions there really are."
        )
        return
    size = summary.size
    st.markdown(
        f"**{size.judges} judges, worth at most {size.effective:.1f} independent ones.** Their errors correlate "
        f"{round(size.correlation, 2) + 0.0:.2f}: what judges get wrong alike is counted once. Errors that all share are not seen."
    )


def _left_out(shown: Shown, frame: pd.DataFrame) -> None:
    if frame.empty:
        return
    st.subheader("The ranking without each judge", anchor=False)
    config = st.column_config
    rows = frame.assign(
        without=[plain(name) for name in frame["without"]],
        moved=[shown.called(alias) if alias else "none" for alias in frame["text moved most"]],
    )
    st.dataframe(
        rows[["without", "tau", "moved", "rank by all", "rank without"]], hide_index=True, placeholder="",
        alt="The ranking without each judge: agreement with all, and the text that moves most",
        column_config={
            "without": "Without", "tau": config.NumberColumn("Tau with all", format="%.2f", help=TAU), "moved": "Moves most",
            "rank by all": "Rank by all", "rank without": "Rank without",
        },
    )  # fmt: skip


def _ranks(shown: Shown, frame: pd.DataFrame) -> None:
    """Each text's rank by all and without each judge; nothing where no judge can be left out."""
    without = list(frame.columns[2:])
    if not without:
        return
    rows = frame.assign(text=[shown.called(alias) for alias in frame["text"]])
    judges = {f"without {number}": rows[column] for number, column in enumerate(without)}
    with st.expander("Every text's rank without each judge"):
        st.dataframe(
            rows[["text", "rank"]].assign(**judges), hide_index=True, placeholder="",
            alt="Each text's rank by all judges, and without each of them",
            column_config={
                "text": st.column_config.TextColumn("Text", pinned=True),
                "rank": "Rank by all",
                **{name: f"W{plain(column, 60)[1:]}" for name, column in zip(judges, without, strict=True)},
            },
        )  # fmt: skip


def _pairs(frame: pd.DataFrame) -> None:
    if frame.empty:
        return
    st.subheader("Who agrees with whom", anchor=False)
    config = st.column_config
    rows = frame.assign(
        **{name: [plain(value) for value in frame[name]] for name in ("judge", "other judge")},
        span=_ranges(frame, "share", percent=True),
        share=100 * frame["share"],
    )
    st.dataframe(
        rows[["judge", "other judge", "in common", "share", "span", "kappa"]], hide_index=True, placeholder="undefined",
        alt="Agreement of each two judges",
        column_config={
            "judge": "Judge", "other judge": "Other judge", "in common": "Pairs in common",
            "share": config.NumberColumn("Same verdict", format=PERCENT), "span": "95 %",
            "kappa": config.NumberColumn("Kappa", format="%.2f", help="Cohen's kappa: agreement beyond chance. 1 is full agreement, 0 what chance gives"),
        },
    )  # fmt: skip
