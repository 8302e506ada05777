"""The ranking: the verdict in a sentence, the table, each text's record, and the ratings with their intervals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import pandas as pd
import streamlit as st
from streamlit.elements.lib.column_types import ColumnConfig

from judge_core.interfaces.dashboard.result.address import picked_row
from judge_core.interfaces.dashboard.result.sections.ranking.record import how_to_read, show_record
from judge_core.interfaces.dashboard.result.shown import Chosen, RunKey, Shown
from judge_core.interfaces.dashboard.result.words import PERCENT, table_height
from judge_core.interfaces.dashboard.safe import label, plain
from judge_core.records.spec import Goal
from judge_core.views.chances import bands, settled, top_chances
from judge_core.views.charts import ratings_alt, ratings_figure
from judge_core.views.knockout import bracket_places
from judge_core.views.sentence import verdict
from judge_core.views.standings import Standing, Standings

GOAL = ("Settled", "Not settled")
REACHED, OPEN = ":green[:material/check_circle:]", ":orange[:material/pending:]"
PICKED = "picked_text"
"""In the session: the alias whose record is open."""
TABLE = "ranking_table"
TELLS_NOTHING: dict[str, object] = {"tie": "", "settled": "", "status": "rated", "warnings": 0}
"""Columns that are left out where they say this of every text."""
DRAWN = 40
"""Most texts of the ratings chart."""


def show_verdict(shown: Shown) -> None:
    """The verdict, large; cautions below it."""
    said = verdict(shown.weighed, shown.table, shown.markdown_labels)
    with st.container(border=True):
        st.header(said.sentence, anchor=False)
        for remark in _remarks(shown, said.remarks):
            st.markdown(remark)
        if shown.changed:
            st.markdown(
                ":material/tune: **These ranks rest on what you set under Weights, not on the run's own settings.**"
            )


def _remarks(shown: Shown, remarks: tuple[str, ...]) -> list[str]:
    """The goal first, then the cautions, but for the one on the demo judge: that stands in the page's head."""
    goal = [remark for remark in remarks if remark.startswith(GOAL)]
    sign = REACHED if shown.state.reached is not None else OPEN
    rest = [remark for remark in remarks if not remark.startswith((*GOAL, "Offline demo judge"))]
    return [f"{sign} **{label(remark, 400)}**" for remark in goal] + [f"- {label(remark, 400)}" for remark in rest]


def show_ranking(shown: Shown) -> None:
    """Table, record of the selected text, and chart."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown("Select a row to see what that text's rank rests on.", width="content")
        how_to_read(shown)
    if shown.state.spec.method == "knockout":
        st.markdown(
            ":material/info: **Rank** is by all verdicts together, **Place in bracket** (winner, finalist, third) by the knock-out "
            "matches alone. So a finalist may rank below the winner of the third place."
        )
    rows = shown.table.rows
    st.dataframe(
        ranking_frame(shown), key=TABLE, hide_index=True, on_select=_pick, selection_mode="single-row",
        column_config=columns(shown), alt="The ranking, best text first", placeholder="none", height=table_height(len(rows)),
    )  # fmt: skip
    show_record(shown, st.session_state.get(PICKED))
    _intervals(shown)


def _pick() -> None:
    row = picked_row(TABLE)
    order = st.session_state.get("ranking_order", ())
    st.session_state[PICKED] = order[row] if row is not None and row < len(order) else None


def show_short_table(shown: Shown) -> None:
    """Rank, rating and interval: what the live page shows."""
    frame = ranking_frame(shown)
    frame = frame[
        [column for column in _leading_columns(shown) if column in frame.columns]
    ]  # chances come with ratings
    st.dataframe(
        frame,
        hide_index=True,
        column_config=columns(shown),
        alt="Rank, rating and interval of each text",
        placeholder="none",
        height=table_height(len(frame)),
        key="short_table",
    )


def _leading_columns(shown: Shown) -> list[str]:
    goal = [column for column in ("top", "band", "band_chance") if column in columns(shown)]
    names = ["name"] if shown.names else []
    return ["rank", "text", *names, "tie", "settled", "rating", "low", "high", *goal, "record", "status"]


class Sure(NamedTuple):
    """How sure the places are, by alias."""

    settled: dict[str, bool]
    top: dict[str, float]
    bands: dict[str, tuple[int, float]]


@st.cache_resource(max_entries=32, show_spinner=False)
def _sure(key: RunKey, chosen: Chosen, goal: Goal | None, _table: Standings) -> Sure:
    top = top_chances(_table, goal.ranks[0]) if goal and goal.kind == "top" else {}
    return Sure(settled(_table), top, bands(_table, goal) if goal and goal.kind == "cut" else {})


def ranking_frame(shown: Shown) -> pd.DataFrame:
    """A row a text. What was not measured is empty; criteria stand by their number, so that no two columns collide."""
    sure = _sure(shown.key, shown.chosen, shown.state.goal, shown.table)
    reached = bracket_places(shown.state) if shown.state.spec.method == "knockout" else {}
    rows = [_cells(row, shown, sure, reached) for row in shown.table.rows]
    st.session_state["ranking_order"] = tuple(row.alias for row in shown.table.rows)
    frame = pd.DataFrame(rows)
    frame["rank"] = frame["rank"].astype("Int64")
    figures = ("rating", "low", "high", "elo", "top", "band_chance")
    for column in frame.columns:
        if column in figures or column.startswith("criterion_"):
            frame[column] = pd.to_numeric(frame[column])
    return frame.drop(columns=_unused(shown, frame))


def _unused(shown: Shown, frame: pd.DataFrame) -> list[str]:
    """Columns that tell nothing: those that are the same for every text, and those that a run without matches cannot fill."""
    spare = [name for name, plain in TELLS_NOTHING.items() if name in frame and (frame[name] == plain).all()]
    if shown.state.matches or not shown.state.listings:
        return spare
    criteria = [column for column in frame.columns if column.startswith("criterion_")]
    alone = all(view.single for view in shown.state.listings.values())
    return [*spare, *(c for c in criteria if frame[c].isna().all()), *(["record", "elo"] if alone else [])]


def _cells(row: Standing, shown: Shown, sure: Sure, reached: Mapping[str, str]) -> dict[str, object]:
    name = {"name": shown.called(row.alias)} if shown.names else {}
    means = {f"criterion_{n}": mean for n, mean in enumerate(row.criteria.values())}
    return {
        "rank": row.rank,
        "text": row.alias,
        **name,
        **({"bracket": reached.get(row.alias, "")} if reached else {}),
        "tie": f"= with {len(tied)}" if (tied := shown.table.tied_to(row)) else "",
        "rating": row.rating,
        "low": row.low,
        "high": row.high,
        "settled": "✓" if row.anchor is None and sure.settled.get(row.alias) else "",
        **_goal_cells(row.alias, sure),
        "record": f"{row.wins}-{row.losses}-{row.ties}",
        "status": _status(row, shown),
        "warnings": sum(row.warnings.values()),
        "elo": row.elo,
        **means,
    }


def _goal_cells(alias: str, sure: Sure) -> dict[str, object]:
    cells: dict[str, object] = {"top": _percent(sure.top.get(alias))} if sure.top else {}
    if sure.bands:
        band, chance = sure.bands.get(alias, (None, None))
        cells |= {"band": "" if band is None else f"band {band}", "band_chance": _percent(chance)}
    return cells


def _percent(chance: float | None) -> float | None:
    return None if chance is None else 100 * chance


def _status(row: Standing, shown: Shown) -> str:
    late = "came late" if row.alias in shown.state.late and row.status != "withdrawn" else ""
    kept = {"kept": "kept", "out": "left out", None: ""}[row.group]
    if row.anchor is not None:
        return ", ".join(part for part in ("anchor: rating known", kept, late) if part)
    known = row.status if row.rating is not None or row.status == "withdrawn" else f"unrated: {row.status}"
    return ", ".join(part for part in (known, kept, late) if part)


def columns(shown: Shown) -> dict[str, ColumnConfig | str | None]:
    """Headings and number formats of the ranking's columns."""
    config = st.column_config
    level = f"{100 * shown.table.level:g} %"
    criteria = [criterion.name for criterion in shown.state.spec.rubric.criteria]
    return {
        "rank": config.NumberColumn("Rank", width=52, pinned=True),
        "tie": config.TextColumn("Tied", help="Texts that cannot be told from this one", width=78),
        "settled": config.TextColumn("Settled", help="Told apart from both its neighbours", width=68),
        "text": config.TextColumn("Text", pinned=True, width=84),
        "name": config.TextColumn("Name", width=170),
        "bracket": config.TextColumn(
            "Place in bracket",
            help="By the matches of the knock-out alone; of the others the round in which they went out",
            width=104,
        ),
        "rating": config.NumberColumn("Rating", format="%.0f", width=60),
        "low": config.NumberColumn(f"{level} from", format="%.0f", width=76),
        "high": config.NumberColumn("to", format="%.0f", width=52),
        **_goal_columns(shown.state.goal),
        "elo": config.NumberColumn(
            "Elo", format="%.0f", help="The running figure that steers who meets whom", width=52
        ),
        "record": config.TextColumn(
            "W-L-T", help="Won, lost and tied: in matches, and in each list against every other text", width=64
        ),
        "status": config.TextColumn("Status", width=144),
        "warnings": config.NumberColumn("Warnings", width=76),
        **{
            f"criterion_{n}": config.NumberColumn(
                plain(name, 40), format="%.1f", width=72, help=f"Mean score of {label(name, 80)}"
            )
            for n, name in enumerate(criteria)
        },
    }


def _goal_columns(goal: Goal | None) -> dict[str, ColumnConfig | str | None]:
    config = st.column_config
    if goal is None or goal.kind == "order":
        return {}
    if goal.kind == "top":
        k = goal.ranks[0]
        words = f"The chance to be truly among the {k} best, as these judges see the texts"
        return {"top": config.NumberColumn(f"In the top {k}", format=PERCENT, help=words)}
    lines = ", ".join(map(str, goal.ranks)) or ", ".join(f"{rating:g}" for rating in goal.ratings)
    place = f"after rank {lines}" if goal.ranks else f"at rating {lines}"
    return {
        "band": config.TextColumn("Band", help=f"Between the lines {place}: band 1 is the best. The likeliest one"),
        "band_chance": config.NumberColumn("Its chance", format=PERCENT, help="That the text truly lies in that band"),
    }


def _intervals(shown: Shown) -> None:
    st.subheader("Ratings with their intervals", anchor=False)
    anchors = " · ◇ anchor, its rating is known" if any(row.anchor is not None for row in shown.table.rated) else ""
    st.markdown(
        f"■ cannot be told from the first · ● can be told from the first{anchors}. The lines are 95 % intervals."
    )
    figure = ratings_figure(shown.table, shown.labels, shown.theme, DRAWN, shown.state.goal)
    st.plotly_chart(
        figure, key="ratings", theme=None, config={"displayModeBar": False}, alt=ratings_alt(shown.table, shown.labels)
    )
    more = len(shown.table.rated) - DRAWN
    if more > 0:
        st.caption(f"The best {DRAWN} are drawn; the other {more} stand in the table above.")
