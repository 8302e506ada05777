"""A list of candidates: the merged ranking with each judge's order forwards and in reverse beside it, and its chart."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from judge_core.interfaces.dashboard.item_result.shown import ShownItems
from judge_core.interfaces.dashboard.safe import plain
from judge_core.modes.listwise.script import FORWARDS, REVERSE
from judge_core.records.item import Item
from judge_core.records.item_verdict import ItemJudgment, ListVerdict
from judge_core.views.charts.items.verdicts import positions_alt, positions_figure
from judge_core.views.items.verdicts.lists import list_panel

CHOICE = "list_choice"
WORDS = {FORWARDS: "forwards", REVERSE: "in reverse"}


def show_list(shown: ShownItems) -> None:
    """One list, chosen where there are several."""
    items = shown.state.spec.items
    alias = items[0].alias
    if len(items) > 1:
        alias = st.selectbox("List", [item.alias for item in items], format_func=shown.called, key=CHOICE, width=420)
    item = shown.state.spec.by_alias[alias]
    show_order(shown, item)
    names = candidate_names(shown, item)
    st.plotly_chart(
        positions_figure(shown.state, alias, shown.theme, names), key="item_positions", theme=None,
        alt=positions_alt(shown.state, alias, names), config={"displayModeBar": False},
    )  # fmt: skip
    st.caption("■ the panel's mean position · ○ one judge's. Further left is better.")


def show_order(shown: ShownItems, item: Item) -> None:
    """The candidates, best first, with the place that each presentation order gave them."""
    panel = list_panel(shown.state, item.alias)
    if panel is None:
        st.markdown("No judge brought a ranking of this list.")
        return
    candidates = item.of("candidate")
    rows = []
    orders = _orders(shown, item)
    for number in panel.ranking:
        row: dict[str, object] = {
            "Place": panel.places[number - 1],
            "Candidate": candidate_name(shown, item, number),
            "Mean position": panel.positions[number - 1],
        }
        rows.append({**row, **{name: order.index(number) + 1 for name, order in orders.items()}})
    st.dataframe(
        pd.DataFrame(rows), hide_index=True, column_config={"Mean position": st.column_config.NumberColumn(format="%.2f")}, key=f"order_{item.alias}",
        alt=f"{len(candidates)} candidates, best first, with their place in each order shown",
    )  # fmt: skip


def candidate_name(shown: ShownItems, item: Item, number: int) -> str:
    """What a candidate is called: by its name where names are shown, else by its number. Plain text, not fit for markdown."""
    return candidate_names(shown, item)[number - 1]


def candidate_names(shown: ShownItems, item: Item) -> list[str]:
    """What the candidates of a list are called, everywhere alike; those of the same name have their number behind it."""
    names = [plain(part.name) if shown.names else "" for part in item.of("candidate")]
    return [
        f"Candidate {n}" if not name else f"{name} ({n})" if names.count(name) > 1 else name
        for n, name in enumerate(names, start=1)
    ]


def _orders(shown: ShownItems, item: Item) -> dict[str, tuple[int, ...]]:
    """Every ranking that counts, by judge and by the order in which the list was shown."""
    view = shown.state.items.get(item.alias)
    found = {}
    for judgment in view.decided if view else ():
        assert isinstance(judgment.verdict, ListVerdict)
        judge = plain(shown.state.spec.judge_names[judgment.judge], 40)
        names = shown_orders(judgment)
        for at, order in enumerate(judgment.verdict.orders):
            name = f"{judge}, {names[at] if len(names) > at else f'order {at + 1}'}"
            found[name if name not in found else f"{name} ({judgment.judge + 1})"] = order
    return found


def shown_orders(judgment: ItemJudgment) -> list[str]:
    """The orders that brought a readable ranking, in the order asked."""
    read = [turn.first for turn in judgment.turns if turn.status == "ok"]
    return [words for step, words in WORDS.items() if step in read]
