"""Step 4: how much is compared, what it costs, where the texts go, and Start."""

from __future__ import annotations

import streamlit as st

from judge_core.interfaces.bench.panel import destinations
from judge_core.interfaces.dashboard.new_ranking.costs import show_costs
from judge_core.interfaces.dashboard.new_ranking.judges_step import show_copies
from judge_core.interfaces.dashboard.new_ranking.plan.amount import show_amount
from judge_core.interfaces.dashboard.new_ranking.plan.fields import planned
from judge_core.interfaces.dashboard.new_ranking.state import STEPS, bound, typed_keys
from judge_core.interfaces.dashboard.safe import label, plain
from judge_core.interfaces.dashboard.session import workbench
from judge_core.interfaces.drafts import Blocker, Draft, blockers, spec_of
from judge_core.records.errors import InputError
from judge_core.records.spec import RunSpec, Spec


def show(draft: Draft) -> None:
    """The step."""
    found = blockers(workbench(), draft, typed_keys(draft))
    show_amount(draft)
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


def show_caps(draft: Draft) -> None:
    """The limits in money and calls."""
    left, right = st.columns(2)
    left.number_input(
        "Spend at most (US dollars)", min_value=0.0, step=1.0, value=None, placeholder="no limit", **planned(draft.plan, "max_cost"),
        help="The run stops before it would go over. You can raise the limit and go on.",
    )  # fmt: skip
    right.number_input(
        "Call at most (times)",
        min_value=0,
        step=100,
        value=None,
        placeholder="no limit",
        **planned(draft.plan, "max_calls"),
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
    show_copies(draft)
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
                f"Go to {STEPS.titles[blocker.step]}",
                key=f"new_ranking:mend:{number}",
                on_click=STEPS.go_to,
                args=(blocker.step,),
                type="tertiary",
            )
