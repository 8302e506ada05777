"""Results: the table of the run's mode with a search and filters, and its chart."""

from __future__ import annotations

from collections.abc import Callable

import plotly.graph_objects as go
import streamlit as st

from judge_core.interfaces.dashboard.item_result.columns import row_aliases, show_table
from judge_core.interfaces.dashboard.item_result.lists import show_list
from judge_core.interfaces.dashboard.item_result.shown import ShownItems
from judge_core.interfaces.dashboard.item_result.why.section import CHOICE, turn_to
from judge_core.interfaces.dashboard.result.address import picked_row
from judge_core.interfaces.dashboard.result.words import plural
from judge_core.views.charts.items.labels import STEP_KEY
from judge_core.views.charts.items.verdicts import (
    criteria_alt,
    criteria_figure,
    metrics_alt,
    metrics_figure,
    scores_alt,
    scores_figure,
    steps_alt,
    steps_figure,
)
from judge_core.views.items.tables import warnings_of
from judge_core.views.items.verdicts.agent import agent_panel, patterns
from judge_core.views.items.verdicts.points import gate_decision
from judge_core.views.items.verdicts.rag import rag_panel

PAGE = 100
TABLE = "item_table"
BARE = {"displayModeBar": False}
DRAWN = 40
"""Most rows of a chart."""
Test = Callable[[ShownItems, str], bool]


def _labelled(label: str) -> Test:
    def has(shown: ShownItems, alias: str) -> bool:
        panel = rag_panel(shown.state, alias)
        return panel is not None and any(claim.verdict == label for claim in panel.claims)

    return has


def _goal_missed(shown: ShownItems, alias: str) -> bool:
    panel = agent_panel(shown.state, alias)
    return panel is not None and panel.goal != "achieved"


def _has_harm(shown: ShownItems, alias: str) -> bool:
    panel = agent_panel(shown.state, alias)
    return panel is not None and any(step.label == "harmful" for step in panel.steps)


ALL: dict[str, Test] = {
    "with warnings": lambda shown, alias: bool(warnings_of(shown.state, alias)),
    "without a whole verdict": lambda shown, alias: shown.state.item_status(alias) != "judged",
}
ONLY: dict[str, dict[str, Test]] = {
    "gate": {
        "not passing": lambda shown, alias: not gate_decision(shown.state, alias).passed,
        "passing": lambda shown, alias: gate_decision(shown.state, alias).passed,
    },
    "rag": {
        "with a contradicted claim": _labelled("contradicted"),
        "with a claim that is not found": _labelled("not_found"),
    },
    "agent": {
        "goal not reached": _goal_missed,
        "with a harmful step": _has_harm,
        "with a pattern": lambda shown, alias: bool(patterns(shown.state, alias)),
    },
}
"""Filters, by mode; those of `ALL` come after them."""


def show_results(shown: ShownItems) -> None:
    """Filters, table, the way by keyboard, and charts."""
    if shown.mode == "listwise":
        show_list(shown)
        if len(shown.state.spec.items) == 1:
            return
        st.subheader("All lists", anchor=False)
    rows = _filtered(shown)
    noun = "candidate" if shown.mode == "listwise" else "item"
    st.markdown(f"{plural(len(rows), noun)}. Select a row to open it under Why.")
    _table(shown, rows)
    _chart(shown)


def _filtered(shown: ShownItems) -> list[int]:
    """The rows of the main table that fit the search and the filter."""
    tests = {**ONLY.get(shown.mode, {}), **ALL}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        wanted = st.text_input(
            "Search", key="item_search", placeholder="name, label or warning", width=300, persist_state="page"
        )
        only = st.selectbox(
            "Only", list(tests), index=None, placeholder="all", key=f"item_only_{shown.mode}", width=260, persist_state="page"
        )  # fmt: skip
    aliases, wanted = row_aliases(shown), wanted.strip().casefold()
    fits = {alias for alias in dict.fromkeys(aliases) if only is None or tests[only](shown, alias)}
    return [
        row
        for row, (alias, cells) in enumerate(zip(aliases, shown.table.rows, strict=True))
        if alias in fits and wanted in "\n".join([alias, *(cell for cell in cells if isinstance(cell, str))]).casefold()
    ]


def _table(shown: ShownItems, rows: list[int]) -> None:
    if not rows:
        st.markdown("Nothing fits. Clear the search or the filter.")
        return
    pages = -(-len(rows) // PAGE)
    page = min(st.pagination(pages, key="item_page") if pages > 1 else 1, pages)
    part = rows[(page - 1) * PAGE : page * PAGE]
    aliases = row_aliases(shown)

    def pick() -> None:
        row = picked_row(TABLE)
        if row is not None and row < len(part):
            turn_to(aliases[part[row]])

    show_table(shown, part, key=TABLE, on_select=pick)
    _by_name(shown, list(dict.fromkeys(aliases[row] for row in rows)))


def _by_name(shown: ShownItems, aliases: list[str]) -> None:
    """The way by keyboard."""

    def pick() -> None:
        alias = st.session_state[f"{CHOICE}_by_name"]
        if alias is not None:
            turn_to(alias)
            st.session_state[f"{CHOICE}_by_name"] = None

    st.selectbox(
        "Open item", aliases, index=None, placeholder="Type a label", key=f"{CHOICE}_by_name", on_change=pick,
        format_func=shown.called, width=420,
    )  # fmt: skip


def _chart(shown: ShownItems) -> None:
    state, labels, theme = shown.state, shown.labels, shown.theme
    match shown.mode:
        case "review" | "gate":
            st.subheader("Scores" if shown.mode == "review" else "Scores and the bar", anchor=False)
            _figure(scores_figure(state, labels, theme, DRAWN), scores_alt(state, labels), "item_scores")
            if shown.mode == "gate":
                st.caption(f"The dashed line is the bar, {state.spec.bar:g}. ✓ passes, ✗ does not; those stand first.")
            _cut(shown)
            if len(state.spec.rubric.criteria) > 1:
                st.subheader("By criterion", anchor=False)
                _figure(criteria_figure(state, labels, theme, DRAWN), criteria_alt(state), "item_criteria")
        case "rag":
            st.subheader("Means over all answers", anchor=False)
            _figure(metrics_figure(state, theme), metrics_alt(state), "item_metrics")
        case "agent":
            st.subheader("Step by step", anchor=False)
            _figure(steps_figure(state, labels, theme, DRAWN), steps_alt(state), "item_steps")
            st.caption(STEP_KEY)
            _cut(shown)


def _figure(figure: go.Figure, alt: str, key: str) -> None:
    st.plotly_chart(figure, key=key, theme=None, config=BARE, alt=alt)


def _cut(shown: ShownItems) -> None:
    if len(shown.state.items) > DRAWN:
        st.caption(f"{DRAWN} of {len(shown.state.items)} items are drawn; the table has all of them.")
