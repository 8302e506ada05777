"""Step 4: how much is compared, what it costs, where the texts go, and Start."""

from __future__ import annotations

from typing import Any

import streamlit as st

from judge_core.interfaces.bench.panel import destinations
from judge_core.interfaces.dashboard.new_ranking.costs import show_costs
from judge_core.interfaces.dashboard.new_ranking.state import bound, go_to, typed_keys
from judge_core.interfaces.dashboard.safe import label, plain
from judge_core.interfaces.dashboard.session import workbench
from judge_core.interfaces.drafts import Blocker, Draft, Plan, blockers, spec_of
from judge_core.interfaces.drafts.plan import PRESETS, amount, columns_of, expectation, schedule
from judge_core.ranking.narrowing import notes
from judge_core.records.errors import InputError
from judge_core.records.spec import RunSpec, Spec

TITLES = {"texts": "Texts", "rubric": "Rubric", "judges": "Judges", "start": "Price and data"}
HINTS = {
    "quick": "A first impression.",
    "standard": "A reliable order for most purposes.",
    "top": "Spends its comparisons on the texts near a cut that you name.",
    "custom": "You set the rounds and everything else.",
}
FOCUS = {"all": "Everyone goes on", "rank": "The best K, in order", "class": "The best K, as a set"}
ON_ERROR = {
    "skip": "Leave it out, and say so",
    "abort": "Stop the run",
    "draw": "Count it as a draw (marked in every row)",
}


def show(draft: Draft) -> None:
    """The step."""
    found = blockers(workbench(), draft, typed_keys(draft))
    _amount(draft)
    try:
        spec = spec_of(workbench(), draft)
    except InputError:
        spec = None
    if spec is not None and len(spec.texts) >= 2:
        show_costs(draft, spec)
    show_caps(draft)
    if spec is not None:
        _data(draft, spec)
    _before_start(draft, found)


def _amount(draft: Draft) -> None:
    n = len(draft.texts)
    plans = {name: draft.plan.model_copy(update={"preset": name}) for name in PRESETS}
    st.radio(
        "How much should be compared?",
        list(PRESETS),
        format_func=PRESETS.__getitem__,
        captions=[f"{HINTS[name]} {amount(plan, n)}" for name, plan in plans.items()],
        **_planned(draft.plan, "preset"),
    )
    if draft.plan.preset == "top":
        _top(draft)
    if draft.plan.preset == "custom":
        _custom(draft)
    st.info(expectation(draft.plan, n), icon=":material/query_stats:")
    rounds, narrowing = schedule(draft.plan, n)
    for note in notes(n, rounds, narrowing):
        st.caption(f"⚠ {note}")


def _planned(plan: Plan, field: str) -> dict[str, Any]:
    """Binds a widget to a field of the plan."""
    return bound(f"plan:{field}", getattr(plan, field), lambda d, value: d.with_plan(**{field: value}))


def _top(draft: Draft) -> None:
    left, right = st.columns(2)
    left.number_input("How many to keep (K)", min_value=1, step=1, value=None, **_planned(draft.plan, "top_k"))
    kinds = [kind for kind in FOCUS if kind != "all"]
    right.selectbox("What you need", kinds, format_func=FOCUS.__getitem__, **_planned(draft.plan, "top_focus"))


def _custom(draft: Draft) -> None:
    plan = draft.plan
    with st.container(border=True):
        left, middle, right = st.columns(3)
        left.number_input("Rounds", min_value=1, max_value=1000, step=1, value=None, **_planned(plan, "rounds"))
        middle.selectbox("From round 3 on", list(FOCUS), format_func=FOCUS.__getitem__, **_planned(plan, "focus"))
        if plan.focus != "all":
            right.number_input("K", min_value=1, step=1, value=None, **_planned(plan, "k"))
        left.number_input(
            "Seed", step=1, value=None, help="The same seed draws the same pairs.", **_planned(plan, "seed")
        )
        middle.selectbox(
            "When a judge gives no verdict",
            list(ON_ERROR),
            format_func=ON_ERROR.__getitem__,
            **_planned(plan, "on_error"),
        )
        right.number_input(
            "Calls at the same time", min_value=1, max_value=256, step=1, value=None,
            placeholder=str(workbench().settings.concurrency), **_planned(plan, "concurrency"),
        )  # fmt: skip
        columns = columns_of(draft)
        st.selectbox(
            "Column with an Elo to begin from (optional)", columns, index=None, format_func=lambda c: plain(c, 60),
            placeholder="none" if columns else "your texts brought no columns", disabled=not columns,
            **_planned(plan, "prior_column"),
        )  # fmt: skip


def show_caps(draft: Draft) -> None:
    """The limits in money and calls."""
    left, right = st.columns(2)
    left.number_input(
        "Spend at most (US dollars)", min_value=0.0, step=1.0, value=None, placeholder="no limit", **_planned(draft.plan, "max_cost"),
        help="The run stops before it would go over. You can raise the limit and go on.",
    )  # fmt: skip
    right.number_input(
        "Call at most (times)",
        min_value=0,
        step=100,
        value=None,
        placeholder="no limit",
        **_planned(draft.plan, "max_calls"),
    )


def _data(draft: Draft, spec: Spec) -> None:
    masked = "names masked as you chose, " if draft.mask else ""
    show_destinations(
        spec, f"{len(spec.texts)} texts", f"Only the words are sent ({masked}no file names, no class list)."
    )
    same = sum("duplicate_text" in text.notices for text in spec.texts)
    if same:
        st.caption(
            f"⚠ {same} texts are word for word the same as another one; the judge will compare them all the same."
        )


def show_destinations(spec: RunSpec, what: str, kept_back: str) -> None:
    """Where a run's texts go, and who may stand in for a judge. `what` is sent; `kept_back` says what is not. Our own words."""
    places, spare = destinations(spec.judges), destinations(spec.fallbacks)
    if places:
        st.warning(f"{what} will be sent to {_listed(places)}. {kept_back}", icon=":material/send:")
    elif spare:
        st.warning(f"{what} may be sent to {_listed(spare)}. {kept_back}", icon=":material/send:")
    else:
        st.success("Nothing leaves this computer.", icon=":material/lock:")
    if spec.fallbacks:
        names = ", ".join(f"**{label(judge.name, 60)}**" for judge in spec.fallbacks)
        further = f" The texts then go to {_listed(spare)}." if spare else ""
        st.caption(
            f"If a judge cannot answer, your settings let these stand in for it, in this order: {names}.{further}"
        )


def _listed(places: list[str]) -> str:
    return " and to ".join(f"**{label(place, 120)}**" for place in places)


def _before_start(draft: Draft, found: list[Blocker]) -> None:
    if found:
        with st.container(border=True):
            st.markdown("**Before you can start**")
            for number, blocker in enumerate(found):
                _blocker(blocker, number)
    st.text_input(
        "Name of this ranking (optional)",
        placeholder=plain(draft.rubric.rubric.name or draft.rubric.rubric.question, 60),
        **bound("name", draft.name, lambda d, name: d.model_copy(update={"name": name})),
    )


def _blocker(blocker: Blocker, number: int) -> None:
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.markdown(f"⚠ {label(blocker.message, 600)}", width="stretch")
        if blocker.step != "start":
            st.button(
                f"Go to {TITLES[blocker.step]}",
                key=f"new_ranking:mend:{number}",
                on_click=go_to,
                args=(blocker.step,),
                type="tertiary",
            )
