"""The ranking: the verdict in a sentence, the table, each text's record, and the ratings with their intervals."""

from __future__ import annotations

import pandas as pd
import streamlit as st
from streamlit.elements.lib.column_types import ColumnConfig

from judge_core.interfaces.dashboard.result.address import open_match, picked_row
from judge_core.interfaces.dashboard.result.shown import Shown
from judge_core.interfaces.dashboard.result.words import LETTERS, plural, warning_sentence
from judge_core.interfaces.dashboard.safe import label, plain
from judge_core.views.charts import ratings_alt, ratings_figure
from judge_core.views.matches import MatchView
from judge_core.views.sentence import verdict
from judge_core.views.standings import Standing, Standings

PICKED = "picked_text"
"""In the session: the alias whose record is open."""
TABLE = "ranking_table"
DRAWN = 40
"""Most texts of the ratings chart."""


def show_verdict(shown: Shown) -> None:
    """The verdict, large; cautions below it."""
    said = verdict(shown.weighed, shown.table, shown.markdown_labels)
    with st.container(border=True):
        st.header(said.sentence, anchor=False)
        for remark in _remarks(said.remarks):
            st.markdown(f"- {label(remark, 400)}")
        if shown.changed:
            st.markdown(":material/tune: **These ranks use the weights or the choice that you set under Weights.**")


def _remarks(remarks: tuple[str, ...]) -> list[str]:
    """The cautions, but for the one on the demo judge: that stands in the page's head."""
    return [remark for remark in remarks if not remark.startswith("Offline demo judge")]


def show_ranking(shown: Shown) -> None:
    """Table, record of the selected text, and chart."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown("Select a row to see that text's matches.", width="content")
        _how_to_read(shown.table)
    rows = shown.table.rows
    st.dataframe(
        ranking_frame(shown), key=TABLE, hide_index=True, on_select=_pick, selection_mode="single-row",
        column_config=columns(shown), alt="The ranking, best text first", placeholder="none", height=min(38 + 35 * len(rows), 740),
    )  # fmt: skip
    _record(shown)
    _intervals(shown)


def _pick() -> None:
    row = picked_row(TABLE)
    order = st.session_state.get("ranking_order", ())
    st.session_state[PICKED] = order[row] if row is not None and row < len(order) else None


def show_short_table(shown: Shown) -> None:
    """Rank, rating and interval: what the live page shows."""
    frame = ranking_frame(shown)[_leading_columns(shown)]
    st.dataframe(
        frame,
        hide_index=True,
        column_config=columns(shown),
        alt="Rank, rating and interval of each text",
        placeholder="none",
        key="short_table",
    )


def _leading_columns(shown: Shown) -> list[str]:
    return ["rank", "text", *(["name"] if shown.names else []), "tie", "rating", "low", "high", "status"]


def ranking_frame(shown: Shown) -> pd.DataFrame:
    """A row a text. What was not measured is empty; criteria stand by their number, so that no two columns collide."""
    rows = [_cells(row, shown) for row in shown.table.rows]
    st.session_state["ranking_order"] = tuple(row.alias for row in shown.table.rows)
    frame = pd.DataFrame(rows)
    frame["rank"] = frame["rank"].astype("Int64")
    for column in ("rating", "low", "high", "elo", *(c for c in frame.columns if c.startswith("criterion_"))):
        frame[column] = pd.to_numeric(frame[column])
    return frame


def _cells(row: Standing, shown: Shown) -> dict[str, object]:
    name = {"name": shown.called(row.alias)} if shown.names else {}
    means = {f"criterion_{n}": mean for n, mean in enumerate(row.criteria.values())}
    return {
        "rank": row.rank,
        "text": row.alias,
        **name,
        "tie": f"= with {len(row.tied_with)}" if row.tied_with else "",
        "rating": row.rating,
        "low": row.low,
        "high": row.high,
        "record": f"{row.wins}-{row.losses}-{row.ties}",
        **means,
        "warnings": sum(row.warnings.values()),
        "status": _status(row),
        "comparisons": row.comparisons,
        "elo": row.elo,
    }


def _status(row: Standing) -> str:
    kept = {"kept": "kept", "out": "left out", None: ""}[row.group]
    return f"{row.status}, {kept}" if kept else row.status if row.rating is not None else f"unrated: {row.status}"


def columns(shown: Shown) -> dict[str, ColumnConfig | str | None]:
    """Headings and number formats of the ranking's columns."""
    config = st.column_config
    level = f"{100 * shown.table.level:g} %"
    criteria = [criterion.name for criterion in shown.state.spec.rubric.criteria]
    return {
        "rank": config.NumberColumn("Rank", width="small", pinned=True),
        "tie": config.TextColumn("Tied", help="Texts that cannot be told from this one", width="small"),
        "text": config.TextColumn("Text", pinned=True, width="small"),
        "name": config.TextColumn("Name"),
        "rating": config.NumberColumn("Rating", format="%.0f"),
        "low": config.NumberColumn(f"{level} from", format="%.0f"),
        "high": config.NumberColumn("to", format="%.0f"),
        "elo": config.NumberColumn("Elo", format="%.0f"),
        "record": config.TextColumn("W-L-T", help="Matches won, lost and tied"),
        "comparisons": config.NumberColumn("Matches", help="Matches that were decided"),
        "status": config.TextColumn("Status"),
        "warnings": config.NumberColumn("Warnings"),
        **{f"criterion_{n}": config.NumberColumn(plain(name, 40), format="%.1f") for n, name in enumerate(criteria)},
    }


def _how_to_read(table: Standings) -> None:
    with st.popover("How to read this", icon=":material/help:"):
        st.markdown(
            "**Rating**: how strong a text is, from all its matches together. 1500 is the middle of these texts; a text "
            "400 points above another wins about 10 matches of 11 against it."
        )
        st.markdown(
            f"**{100 * table.level:g} % from, to**: where the rating lies with that certainty. Few matches make it wide."
        )
        st.markdown("**= with n**: n other texts cannot be told from this one. Do not read an order into them.")
        st.markdown(
            "**W-L-T**: matches won, lost and tied. A judgment that flips with the order of the texts is a tie."
        )
        st.markdown("**Criteria**: the mean score that the judges gave, on the criterion's own scale.")
        st.markdown("**Elo**: the running figure that steers who meets whom. The rank follows the rating.")


def _record(shown: Shown) -> None:
    """The matches of the text that was selected."""
    alias = st.session_state.get(PICKED)
    if alias is None or alias not in shown.state.spec.by_alias:
        return
    row = shown.table.row(alias)
    views = [view for view in shown.weighed.matches.values() if alias in (view.a, view.b)]
    with st.container(border=True):
        st.markdown(f"#### {label(shown.called(alias))}: {plural(len(views), 'match')}")
        for code, number in row.warnings.items():
            st.markdown(f":material/warning: {label(warning_sentence(code) or code, 300)} ({number})")
        if views:
            _matches_of(shown, alias, views)


def _matches_of(shown: Shown, alias: str, views: list[MatchView]) -> None:
    frame = pd.DataFrame(
        {
            "Match": [view.place for view in views],
            "Round": [view.round for view in views],
            "Against": [shown.called(view.opponent(alias)) for view in views],
            "Result": [LETTERS[view.letter(alias)] for view in views],
        }
    )
    places = [view.place for view in views]
    key = f"record_{alias}"

    def pick() -> None:
        row = picked_row(key)
        if row is not None:
            open_match(places[row])

    st.markdown("Select a match to open it.")
    st.dataframe(
        frame, key=key, hide_index=True, on_select=pick, selection_mode="single-row", alt="Matches of this text"
    )


def _intervals(shown: Shown) -> None:
    st.subheader("Ratings with their intervals", anchor=False)
    st.markdown("■ cannot be told from the first · ● can be told from the first. The lines are 95 % intervals.")
    figure = ratings_figure(shown.table, shown.labels, shown.theme, DRAWN)
    st.plotly_chart(
        figure, key="ratings", theme=None, config={"displayModeBar": False}, alt=ratings_alt(shown.table, shown.labels)
    )
    more = len(shown.table.rated) - DRAWN
    if more > 0:
        st.caption(f"The best {DRAWN} are drawn; the other {more} stand in the table above.")
