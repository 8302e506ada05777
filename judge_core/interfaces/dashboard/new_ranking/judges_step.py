"""Step 3: who judges. One judge or a panel, each with its key, its settings and a test call."""

from __future__ import annotations

import uuid
from typing import Any

import streamlit as st

from judge_core.interfaces.bench.panel import destination
from judge_core.interfaces.dashboard.new_ranking.judge_test import show_test
from judge_core.interfaces.dashboard.new_ranking.state import bound, edit, slot, type_key, typed_key
from judge_core.interfaces.dashboard.safe import label, line
from judge_core.interfaces.dashboard.session import workbench
from judge_core.interfaces.drafts import Draft, JudgeDraft
from judge_core.interfaces.drafts.judging import (
    ADDRESS,
    EXPLAINED,
    INSTALLED,
    KINDS,
    NAMED,
    OFFLINE,
    copies,
    judge_faults,
    judge_of,
    key_variable,
    kinds_offered,
    known_models,
    patience,
    takes_key,
)
from judge_core.interfaces.drafts.planning.choices import OF_PAIRS, method_of
from judge_core.interfaces.drafts.records import Orders
from judge_core.records.errors import InputError

ORDERS: dict[Orders, tuple[str, str]] = {
    "once": (
        "Each pair once, the side drawn by lot",
        "The fewest calls. The judge's favour for one side is still estimated and taken out of the ratings.",
    ),
    "check": (
        "Each pair once, and one in ten in both orders (recommended)",
        "Also shows how often a judge changes its mind, for a tenth more calls.",
    ),
    "both": (
        "Each pair in both orders",
        "Twice the calls; for the same money, other pairs tell more. A pair judged differently each time counts as a tie.",
    ),
}
DEMO = "Offline demo judge, not an AI: it counts words and phrases. It shows how Podium works and says nothing about quality."


def show(draft: Draft) -> None:
    """The step."""
    show_panel(draft, "every pair" if method_of(draft.plan) in OF_PAIRS else "every text")
    _orders(draft)


def _orders(draft: Draft) -> None:
    """How each pair is shown."""
    st.subheader("Which text is shown first", anchor=False)
    if method_of(draft.plan) not in OF_PAIRS:
        st.caption("Your plan asks about no pairs. This counts once it does.")
    st.radio(
        "Which text is shown first",
        list(ORDERS),
        format_func=lambda orders: ORDERS[orders][0],
        captions=[caption for _, caption in ORDERS.values()],
        label_visibility="collapsed",
        **bound("orders", draft.orders, lambda d, orders: d.with_orders(orders)),
    )


def show_panel(draft: Draft, what: str) -> None:
    """The judges. `what`: what each of them judges, in our own words."""
    if len(draft.judges) > 1:
        st.caption(f"A panel of {len(draft.judges)}: each judges {what}, and their say follows their weights.")
    show_copies(draft)
    for number, judge in enumerate(draft.judges, start=1):
        with st.container(border=True):
            _judge(draft, judge, number)
    st.button("Add another judge", icon=":material/add:", on_click=_add)


def show_copies(draft: Draft) -> None:
    """A warning where one judge stands in the panel more than once."""
    if said := copies(draft.judges, workbench().settings):
        st.warning(said, icon=":material/content_copy:")


def _judge(draft: Draft, judge: JudgeDraft, number: int) -> None:
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        st.markdown(f"**Judge {number}**")
        if len(draft.judges) > 1:
            st.button(
                "Remove", key=f"new_ranking:remove:{judge.key}", on_click=_remove, args=(judge.key,), type="tertiary"
            )
    _who(judge)
    if judge.kind == OFFLINE:
        st.info(DEMO, icon=":material/science:")
    else:
        _explained(judge)
        if takes_key(judge.kind):
            _key(judge)
        for fault in judge_faults(judge, workbench().settings, [judge.key] if typed_key(judge) else ()):
            line(f"⚠ {fault}")
        _settings(judge)
    show_test(judge)


def _field(judge: JudgeDraft, field: str) -> dict[str, Any]:
    """Binds a widget to one field of a judge."""
    return bound(
        f"{judge.key}:{field}", getattr(judge, field), lambda d, value: d.with_judge(judge.key, **{field: value})
    )


def _who(judge: JudgeDraft) -> None:
    kind_place, model_place = st.columns(2)
    kinds = kinds_offered(workbench().settings)
    kind_place.selectbox(
        "Service",
        list(dict.fromkeys([*kinds, judge.kind])),
        format_func=lambda kind: kinds.get(kind) or KINDS.get(kind, kind),
        **bound(
            f"{judge.key}:kind",
            judge.kind,
            lambda d, kind: d.with_judge(
                judge.key,
                kind=kind,
                model="",
                keyed=False,
                price_input=None,
                price_output=None,
                timeout_s=patience(kind),
            ),
        ),
    )
    if judge.kind != OFFLINE:
        with model_place:
            _model(judge)


def _model(judge: JudgeDraft) -> None:
    """Which model of the kind; a known one, or any that is typed."""
    models = known_models(judge.kind)
    if not models:
        title, example, _ = NAMED.get(judge.kind, ("Model (optional)", "", ""))
        st.text_input(title, placeholder=example, **_field(judge, "model"))
        if judge.kind == ADDRESS:
            st.text_input("Address", placeholder="https://host/v1", **_field(judge, "base_url"))
        return
    options = list(dict.fromkeys([*models, *([judge.model] if judge.model else [])]))
    st.selectbox(
        "Model",
        options,
        index=None,
        placeholder="Choose one, or type its name",
        accept_new_options=True,
        **bound(
            f"{judge.key}:model",
            judge.model or None,
            lambda d, name: d.with_judge(judge.key, model=name or "", price_input=None, price_output=None),
        ),
    )


def _explained(judge: JudgeDraft) -> None:
    """What the kind is, and where this judge's texts go."""
    said = EXPLAINED.get(judge.kind, "" if judge.kind in KINDS else INSTALLED)
    try:
        place = destination(judge_of(judge, workbench().settings))
    except InputError:
        st.caption(said)
        return
    where = "Texts stay on this computer." if place is None else f"Texts go to {label(place, 120)}."
    st.caption(f"{said} {where}".strip())


def _key(judge: JudgeDraft) -> None:
    name = f"new_ranking:{slot()}:{judge.key}:key"
    typed = typed_key(judge) is not None

    def take() -> None:
        type_key(judge, st.session_state[name])

    try:
        variable = key_variable(judge_of(judge, workbench().settings), workbench().settings)
    except InputError:
        variable = None
    if typed:
        st.caption("✓ The key that you typed is used. It stays in memory, for this draft and its run only.")
    elif variable:
        st.caption(f"✓ Key found in {variable}.")
    st.text_input(
        "Key" if not (typed or variable) else "Another key (optional)",
        type="password",
        autocomplete="off",
        key=name,
        on_change=take,
        placeholder="kept in memory only, never saved",
    )
    if judge.keyed and not typed:
        st.button(
            "Go on without the key that I typed",
            key=f"{name}:none",
            on_click=type_key,
            args=(judge, ""),
            type="tertiary",
        )


def _settings(judge: JudgeDraft) -> None:
    with st.expander("More settings"):
        left, middle, right = st.columns(3)
        left.toggle(
            "The model's own temperature",
            help="On: none is sent, so that asking again may bring another verdict, and the cache cannot be shared.",
            **bound(
                f"{judge.key}:own", judge.temperature is None,
                lambda d, own: d.with_judge(judge.key, temperature=None if own else 0.0),
            ),
        )  # fmt: skip
        if judge.temperature is not None:
            left.number_input(
                "Temperature", min_value=0.0, max_value=2.0, step=0.1, value=None, **_field(judge, "temperature")
            )
        middle.number_input("Longest reply (tokens)", min_value=1, step=256, value=None, **_field(judge, "max_tokens"))
        middle.number_input(
            "Patience for one call (seconds)", min_value=1.0, step=10.0, value=None, **_field(judge, "timeout_s")
        )
        right.number_input(
            "Context (tokens)", min_value=1, step=1024, value=None, placeholder="as known", **_field(judge, "context_tokens"),
            help="The longest prompt and reply together. Leave it empty to use what is known of the model.",
        )  # fmt: skip
        right.number_input("Weight in the panel", min_value=0.01, step=0.5, value=None, **_field(judge, "weight"))


def _add() -> None:
    judge = JudgeDraft(key=uuid.uuid4().hex[:8], kind="openai")
    edit(lambda draft: draft.model_copy(update={"judges": (*draft.judges, judge)}))


def _remove(key: str) -> None:
    edit(lambda d: d.model_copy(update={"judges": tuple(judge for judge in d.judges if judge.key != key)}))
