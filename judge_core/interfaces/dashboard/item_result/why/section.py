"""Why: one item opened, its parts beside what each judge said of them, and the exact prompts and replies behind that."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from judge_core.interfaces.dashboard.item_result.lists import candidate_name
from judge_core.interfaces.dashboard.item_result.shown import ShownItems
from judge_core.interfaces.dashboard.item_result.why import agent, answers, texts
from judge_core.interfaces.dashboard.item_result.why.marks import Marked
from judge_core.interfaces.dashboard.item_result.why.voices import heard, show_exchanges
from judge_core.interfaces.dashboard.result.address import ITEM, opened_item
from judge_core.interfaces.dashboard.safe import label
from judge_core.interfaces.detail.item import item_detail
from judge_core.records.errors import InputError, StoreError
from judge_core.records.notices import NOTICES, explain
from judge_core.records.spec import ItemMode
from judge_core.views.charts.items.verdicts import MARKS
from judge_core.views.items.sentence import below
from judge_core.views.items.tables import warnings_of
from judge_core.views.items.verdicts.agent import agent_panel
from judge_core.views.items.verdicts.lists import list_panel
from judge_core.views.items.verdicts.points import gate_decision, point_panel
from judge_core.views.items.verdicts.rag import rag_panel

CHOICE = "item_choice"
"""In the session: the alias of the item that stands open."""
SECTION_KEYS = ("item_section", "item_section_live")
WHY = "Why"
PARTS: dict[ItemMode, Callable[[ShownItems, Marked], None]] = {
    "review": texts.show_text,
    "gate": texts.show_text,
    "listwise": texts.show_candidates,
    "rag": answers.show_answer,
    "agent": agent.show_steps,
}


def turn_to(alias: str) -> None:
    """Opens an item under Why. For callbacks."""
    st.query_params[ITEM] = alias
    for key in SECTION_KEYS:
        st.session_state[key] = WHY


def show_why(shown: ShownItems) -> None:
    """The item that the address names, else the one that most needs a look."""
    alias = _choose(shown)
    try:
        detail = item_detail(shown.bench, shown.id, alias)
    except (InputError, StoreError) as error:
        st.error(label(str(error), 300), icon=":material/error:")
        return
    st.header(shown.markdown_labels[alias], anchor=False)
    st.markdown(f"**{_verdict(shown, alias)}**")
    _warnings(shown, alias)
    view = shown.state.items.get(alias)
    marked = Marked(detail, heard(view, detail))
    PARTS[shown.mode](shown, marked)
    show_exchanges(shown, detail)


def _choose(shown: ShownItems) -> str:
    """A choice by name and the neighbours, kept in step with the address."""
    aliases, named = list(shown.state.spec.by_alias), opened_item()
    if named is not None and named not in shown.state.spec.by_alias:
        st.warning(f"There is no item {label(named, 40)} in this run.", icon=":material/warning:")
    alias = named if named in shown.state.spec.by_alias else _first(shown)
    assert alias is not None
    st.session_state[CHOICE] = alias
    at = aliases.index(alias)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox(
            "Item", aliases, key=CHOICE, format_func=shown.called, width=420,
            on_change=lambda: turn_to(st.session_state[CHOICE]),
        )  # fmt: skip
        _step("Previous item", ":material/arrow_back:", aliases[at - 1] if at else None)
        _step("Next item", ":material/arrow_forward:", aliases[at + 1] if at + 1 < len(aliases) else None)
    return alias


def _first(shown: ShownItems) -> str:
    """A gate's first item that does not pass; else the first that was judged; else the first."""
    aliases = list(shown.state.spec.by_alias)
    judged = [alias for alias in aliases if alias in shown.state.items]
    failing = [alias for alias in judged if shown.mode == "gate" and not gate_decision(shown.state, alias).passed]
    return next(iter([*failing, *judged, *aliases]))


def _step(words: str, icon: str, alias: str | None) -> None:
    st.button(words, icon=icon, key=f"item_{words}", disabled=alias is None, on_click=turn_to, args=(alias or "",))


def _verdict(shown: ShownItems, alias: str) -> str:
    """What the panel makes of the item, in one line of ours."""
    if alias not in shown.state.items:
        return "Not judged yet." if shown.state.running else "Not judged."
    return VERDICTS[shown.mode](shown, alias) or "No judge brought a verdict."


def _review(shown: ShownItems, alias: str) -> str:
    panel = point_panel(shown.state, alias)
    if panel is None:
        return ""
    low, high = 1 + 4 * panel.lowest, 1 + 4 * panel.highest
    spread = f" Its judges gave {low:.2f} to {high:.2f}." if panel.judges > 1 else ""
    return f"Score {panel.score5:.2f} of 5.{spread}"


def _gate(shown: ShownItems, alias: str) -> str:
    decision, bar = gate_decision(shown.state, alias), shown.state.spec.bar
    if decision.score5 is None:
        return f"{MARKS[decision.why]}."
    score = below(decision.score5, bar) if decision.why == "below_bar" else f"{decision.score5:.2f}"
    return f"{MARKS[decision.why]}: score {score}, bar {bar:g}."


def _listwise(shown: ShownItems, alias: str) -> str:
    panel = list_panel(shown.state, alias)
    if panel is None:
        return ""
    first = [number for number, place in enumerate(panel.places, start=1) if place == 1]
    agreed = "" if panel.agreement is None else f" The judges' agreement (Kendall's W) is {panel.agreement:.2f}."
    item = shown.state.spec.by_alias[alias]
    names = label(" and ".join(candidate_name(shown, item, number) for number in first), 400)
    verb = "come first together" if len(first) > 1 else "comes first"
    return f"{names} {verb} of {len(panel.places)}.{agreed}"


def _rag(shown: ShownItems, alias: str) -> str:
    panel = rag_panel(shown.state, alias)
    if panel is None:
        return ""
    if not panel.claims:
        return "The answer makes no claim that could be checked."
    counts = [(panel.labelled("supported"), "supported"), (panel.labelled("contradicted"), "contradicted")]
    counts += [(panel.labelled("not_found"), "not found"), (panel.labelled("disputed"), "disputed")]
    words = ", ".join(f"{number} {name}" for number, name in counts if number)
    faith = panel.metrics["faithfulness"].value
    return f"Faithfulness {'unknown' if faith is None else f'{faith:.2f}'}. {len(panel.claims)} claims: {words}."


def _agent(shown: ShownItems, alias: str) -> str:
    panel = agent_panel(shown.state, alias)
    if panel is None:
        return ""
    goal = {"achieved": "✓ Goal reached", "partly": "◐ Goal reached in part", "not_achieved": "✗ Goal not reached"}
    counts = [(sum(step.label == name for step in panel.steps), name) for name in ("useful", "redundant", "harmful")]
    words = ", ".join(f"{number} {name}" for number, name in counts if number)
    return f"{goal.get(panel.goal, '? The judges are split on the goal')}. {len(panel.steps)} steps: {words or 'no label'}."


VERDICTS: dict[ItemMode, Callable[[ShownItems, str], str]] = {
    "review": _review,
    "gate": _gate,
    "listwise": _listwise,
    "rag": _rag,
    "agent": _agent,
}


def _warnings(shown: ShownItems, alias: str) -> None:
    for code, number in warnings_of(shown.state, alias).items():
        if code in NOTICES:
            times = f" ({number} times)" if number > 1 else ""
            st.markdown(f":orange[:material/warning:] {label(explain(code), 300)}{times}")
