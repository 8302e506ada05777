"""All matches as a table with filters; selecting one, or choosing it by name, opens it."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import streamlit as st

from judge_core.interfaces.dashboard.result.address import open_match, picked_row
from judge_core.interfaces.dashboard.result.shown import Shown
from judge_core.interfaces.dashboard.result.words import outcome_words, plural
from judge_core.records.verdict import Judgment
from judge_core.views.matches import LOST, MatchView

PAGE = 50
CHOSEN = "open_match_by_name"
ONLY: dict[str, Callable[[MatchView], bool]] = {
    "flipped": lambda view: any(j.outcome == "flipped" for j in view.judgments),
    "failed": lambda view: any(j.outcome in LOST for j in view.judgments),
    "with warnings": lambda view: any(j.warnings for j in view.judgments),
}


def show_matches(shown: Shown) -> None:
    """Filters, table, and the way by keyboard."""
    if not shown.weighed.matches:
        st.markdown("No match has been judged yet.")
        return
    views = _filtered(shown)
    st.markdown(f"{plural(len(views), 'match')}. Select a row to open it.")
    _table(shown, views)
    _by_name(shown, views)


def _filtered(shown: Shown) -> list[MatchView]:
    rounds, texts = list(shown.state.rounds), [text.alias for text in shown.state.spec.texts]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        number = st.selectbox(
            "Round", rounds, index=None, placeholder="all", key="match_round", width=140, persist_state="page"
        )
        text = st.selectbox(
            "Text",
            texts,
            index=None,
            placeholder="all",
            format_func=shown.called,
            key="match_text",
            width=260,
            persist_state="page",
        )
        only = st.selectbox(
            "Only", list(ONLY), index=None, placeholder="all", key="match_only", width=180, persist_state="page"
        )
    return [
        view
        for view in shown.weighed.matches.values()
        if (number is None or view.round == number)
        and (text is None or text in (view.a, view.b))
        and (only is None or ONLY[only](view))
    ]


def _table(shown: Shown, views: list[MatchView]) -> None:
    pages = max(1, -(-len(views) // PAGE))
    key = "match_page"
    page = st.pagination(pages, key=key) if pages > 1 else 1
    part = views[(min(page, pages) - 1) * PAGE : min(page, pages) * PAGE]
    places = [view.place for view in part]

    def pick() -> None:
        row = picked_row("match_table")
        if row is not None and row < len(places):
            open_match(places[row])

    config = st.column_config
    st.dataframe(
        pd.DataFrame([_row(shown, view) for view in part], columns=list(COLUMNS)), key="match_table", hide_index=True,
        on_select=pick, selection_mode="single-row", alt="Matches: who met whom and what was decided", placeholder="unknown",
        column_config={**COLUMNS, "cost": config.NumberColumn("Cost in $", format="%.4f", help="Unknown where the judge's price is")},
    )  # fmt: skip


COLUMNS = {
    "place": "Match", "round": "Round", "a": "First text", "b": "Second text", "outcome": "Outcome",
    "warnings": "Warnings", "cost": "Cost in $", "cached": "From cache",
}  # fmt: skip


def _row(shown: Shown, view: MatchView) -> dict[str, object]:
    a, b = shown.called(view.a), shown.called(view.b)
    return {
        "place": view.place,
        "round": view.round,
        "a": a,
        "b": b,
        "outcome": outcome_words(view, a, b),
        "warnings": sum(len(judgment.warnings) for judgment in view.judgments),
        "cost": _cost(view.judgments),
        "cached": _cached(view.judgments),
    }


def _cached(judgments: tuple[Judgment, ...]) -> str:
    turns = [turn.cached for judgment in judgments for turn in judgment.turns]
    return "yes" if turns and all(turns) else "partly" if any(turns) else "no"


def _cost(judgments: tuple[Judgment, ...]) -> float | None:
    costs = [judgment.cost for judgment in judgments]
    return None if None in costs else float(sum(cost for cost in costs if cost is not None))


def _by_name(shown: Shown, views: list[MatchView]) -> None:
    titles = {view.place: f"{view.place}: {shown.called(view.a)} against {shown.called(view.b)}" for view in views}

    def pick() -> None:
        place = st.session_state[CHOSEN]
        if place is not None:
            open_match(place)
            st.session_state[CHOSEN] = None

    st.selectbox(
        "Open match", list(titles), index=None, placeholder="Type a number or a text", key=CHOSEN, on_change=pick,
        format_func=lambda place: titles[place], width=420,
    )  # fmt: skip
