"""All that was judged as a table with filters: matches, lists, scores. Selecting one, or choosing it by name, opens it."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import streamlit as st

from judge_core.interfaces.dashboard.result.address import open_match, picked_row
from judge_core.interfaces.dashboard.result.sections.entries import (
    Entry,
    entries,
    kind_of,
    outcome_of,
    texts_of,
    title_of,
)
from judge_core.interfaces.dashboard.result.shown import Shown
from judge_core.interfaces.dashboard.result.words import outcome_words, table_height
from judge_core.interfaces.dashboard.result.words.methods import unit
from judge_core.records.verdict import JudgesShare
from judge_core.views.matches import LOST, MatchView

PAGE = 50
CHOSEN = "open_match_by_name"
ONLY: dict[str, Callable[[Entry], bool]] = {
    "flipped": lambda entry: any(j.outcome == "flipped" for j in entry.judgments),
    "failed": lambda entry: any(j.outcome in LOST for j in entry.judgments),
    "with warnings": lambda entry: any(j.warnings for j in entry.judgments),
    "lists": lambda entry: kind_of(entry) == "List",
    "scores": lambda entry: kind_of(entry) == "Score",
}
BEGIN = {"place": "No.", "round": "Round"}
PAIRED = {"a": "First text", "b": "Second text"}
MIXED = {"kind": "What", "texts": "Texts"}
END = {"outcome": "Outcome", "warnings": "Warnings", "cost": "Cost in $", "cached": "From cache"}


def show_matches(shown: Shown) -> None:
    """Filters, table, and the way by keyboard."""
    if not shown.state.judged:
        st.markdown("Nothing has been judged yet.")
        return
    found = _filtered(shown)
    one, many, _ = unit(shown.state)
    st.markdown(f"{len(found):,} {one if len(found) == 1 else many}. Select a row to open it.")
    _table(shown, found)
    _by_name(shown, found)


def _filtered(shown: Shown) -> list[Entry]:
    rounds, texts = list(shown.state.rounds), [text.alias for text in shown.state.spec.texts]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        number = st.selectbox(
            "Round", rounds, index=None, placeholder="all", key="match_round", width=140, persist_state="page"
        )
        text = st.selectbox(
            "Text", texts, index=None, placeholder="all", format_func=shown.called, key="match_text", width=260,
            persist_state="page",
        )  # fmt: skip
        only = st.selectbox(
            "Only", _kinds(shown), index=None, placeholder="all", key="match_only", width=180, persist_state="page"
        )
    return [
        entry
        for entry in entries(shown.weighed)
        if (number is None or entry.round == number)
        and (text is None or text in texts_of(entry))
        and (only is None or ONLY[only](entry))
    ]


def _kinds(shown: Shown) -> list[str]:
    """What can be filtered for in this run."""
    kinds = {kind_of(entry) for entry in entries(shown.state)}
    spare = set() if "Match" in kinds else {"flipped"}
    spare |= {word for word, kind in (("lists", "List"), ("scores", "Score")) if kind not in kinds or len(kinds) == 1}
    return [name for name in ONLY if name not in spare]


def _table(shown: Shown, found: list[Entry]) -> None:
    pages = max(1, -(-len(found) // PAGE))
    key = "match_page"
    page = st.pagination(pages, key=key) if pages > 1 else 1
    part = found[(min(page, pages) - 1) * PAGE : min(page, pages) * PAGE]
    places = [entry.place for entry in part]

    def pick() -> None:
        row = picked_row("match_table")
        if row is not None and row < len(places):
            open_match(places[row])

    names = {**BEGIN, **(MIXED if shown.state.listings else PAIRED), **END}
    config = st.column_config
    st.dataframe(
        pd.DataFrame([_row(shown, entry) for entry in part], columns=list(names)), key="match_table", hide_index=True,
        on_select=pick, selection_mode="single-row", placeholder="unknown", height=table_height(len(part)),
        alt="What was judged: who met whom and what was decided",
        column_config={**names, "cost": config.NumberColumn("Cost in $", format="%.4f", help="Unknown where the judge's price is")},
    )  # fmt: skip


def _row(shown: Shown, entry: Entry) -> dict[str, object]:
    return {
        "place": entry.place,
        "round": entry.round,
        **_what(shown, entry),
        "warnings": sum(len(judgment.warnings) for judgment in entry.judgments),
        "cost": _cost(entry.judgments),
        "cached": _cached(entry.judgments),
    }


def _what(shown: Shown, entry: Entry) -> dict[str, object]:
    if isinstance(entry, MatchView) and not shown.state.listings:
        a, b = shown.called(entry.a), shown.called(entry.b)
        return {"a": a, "b": b, "outcome": outcome_words(entry, a, b)}
    return {"kind": kind_of(entry), "texts": title_of(shown, entry), "outcome": outcome_of(shown, entry)}


def _cached(judgments: tuple[JudgesShare, ...]) -> str:
    turns = [turn.cached for judgment in judgments for turn in judgment.turns]
    return "yes" if turns and all(turns) else "partly" if any(turns) else "no"


def _cost(judgments: tuple[JudgesShare, ...]) -> float | None:
    costs = [judgment.cost for judgment in judgments]
    return None if None in costs else float(sum(cost for cost in costs if cost is not None))


def _by_name(shown: Shown, found: list[Entry]) -> None:
    titles = {entry.place: f"{entry.place}: {title_of(shown, entry)}" for entry in found}

    def pick() -> None:
        place = st.session_state[CHOSEN]
        if place is not None:
            open_match(place)
            st.session_state[CHOSEN] = None

    st.selectbox(
        "Open by name", list(titles), index=None, placeholder="Type a number or a text", key=CHOSEN, on_change=pick,
        format_func=lambda place: titles[place], width=420,
    )  # fmt: skip
