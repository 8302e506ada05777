"""What a person can do with a run: pause, cancel, resume, raise the cap, ask again. All of it happens in callbacks."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from judge_core.interfaces.bench.panel import Keys
from judge_core.interfaces.dashboard.result.controls.acting import act, key_fields, show_fault, typed
from judge_core.interfaces.dashboard.result.controls.going_on import changeable, show_going_on
from judge_core.interfaces.dashboard.result.controls.texts import show_more_texts, show_withdrawal
from judge_core.interfaces.dashboard.result.shown import Shown, ShownRun
from judge_core.interfaces.dashboard.result.words import plural
from judge_core.interfaces.dashboard.safe import label
from judge_core.interfaces.dashboard.session import workbench
from judge_core.records.spec import Caps
from judge_core.views.matches import LOST
from judge_core.views.refine.state import RefineState
from judge_core.views.state import RunState


def show_controls(shown: ShownRun) -> None:
    """The buttons that the run's state allows, the most useful one first."""
    with st.container(horizontal=True, vertical_alignment="center"):
        if shown.live:
            _pause(shown)
            _cancel(shown)
        else:
            _go_on(shown)
            _ask_again(shown)
            if shown.state.status not in ("done", "cancelled"):
                _cancel(shown)
        _raise_cap(shown)
        if isinstance(shown, Shown) and changeable(shown):
            show_going_on(shown)
            show_more_texts(shown)
            show_withdrawal(shown)
    show_fault()


def _pause(shown: ShownRun) -> None:
    st.button(
        "Pause", icon=":material/pause:", key="pause", on_click=act, args=(lambda: workbench().pause(shown.id),),
        disabled=not shown.here,
        help=None if shown.here else "This run works in another Podium process. Pause it there.",
    )  # fmt: skip


def _cancel(shown: ShownRun) -> None:
    with st.popover("Cancel", icon=":material/cancel:"):
        st.markdown("**End this run for good?** What is judged so far stays. It cannot be resumed.")
        st.button(
            "Yes, cancel the run", key="cancel", type="primary", on_click=act,
            args=(lambda: workbench().cancel(shown.id),),
        )  # fmt: skip


def _go_on(shown: ShownRun) -> None:
    """Resume, where the run can go on without another cap."""
    if shown.state.status in ("done", "cancelled", "budget"):
        return
    word = "Start" if shown.state.status == "waiting" and not shown.state.last_seq else "Resume"
    _with_keys(shown, word, ":material/play_arrow:", "resume", lambda keys: workbench().resume(shown.id, keys))


def lost_judgments(shown: ShownRun) -> int:
    """Judgments that asking again could mend."""
    state = shown.state
    if isinstance(state, RunState):
        units = [view for view in state.units if state.withdrawn.isdisjoint(view.texts)]
        return sum(judgment.outcome in LOST for view in units for judgment in view.judgments)
    if isinstance(state, RefineState):
        return int(state.silent)
    return sum(judgment.outcome in LOST for view in state.items.values() for judgment in view.judgments)


def _ask_again(shown: ShownRun) -> None:
    lost = lost_judgments(shown)
    if lost and shown.state.status != "cancelled":
        words = "Ask again for the failed judgment" if lost == 1 else f"Ask again for the {lost} failed judgments"
        _with_keys(shown, words, ":material/replay:", "retry", lambda keys: workbench().retry(shown.id, keys))


def _with_keys(shown: ShownRun, words: str, icon: str, key: str, action: Callable[[Keys], object]) -> None:
    """A button; where a judge's key is not at hand, one that opens a small form for it first."""
    needed = shown.bench.keyless(shown.id)
    if not needed:
        st.button(words, icon=icon, key=key, type="primary", on_click=act, args=(lambda: action({}),))
        return
    with st.popover(words, icon=icon, type="primary"):
        fields = key_fields(needed, key)
        st.button(words, key=key, type="primary", on_click=act, args=(lambda: action(typed(fields)),))


def _raise_cap(shown: ShownRun) -> None:
    caps, status = shown.state.caps, shown.state.status
    capped = caps.max_cost is not None or caps.max_calls is not None
    if not capped or status in ("done", "cancelled"):
        return
    stopped = status == "budget" and not shown.live
    with st.popover("Raise the cap", icon=":material/savings:", type="primary" if stopped else "secondary"):
        fields = key_fields(needed, "cap") if (needed := () if shown.live else shown.bench.keyless(shown.id)) else {}
        with st.form("cap_form", border=False):
            _cap_fields(shown, caps)
            words = "Set the cap and go on" if stopped else "Set the cap"
            st.form_submit_button(words, type="primary", on_click=act, args=(lambda: _set_caps(shown.id, fields),))


def _cap_fields(shown: ShownRun, caps: Caps) -> None:
    spent = shown.state.spent
    if caps.max_cost is not None:
        st.number_input(
            "At most so many dollars", min_value=0.0, value=float(caps.max_cost), step=1.0, format="%.2f", key="cap_cost",
            help=label(f"Spent so far: {spent.cost.known:.4f} dollars."),
        )  # fmt: skip
    if caps.max_calls is not None:
        st.number_input(
            "At most so many calls", min_value=0, value=caps.max_calls, step=10, key="cap_calls",
            help=f"Made so far: {plural(spent.calls, 'call')}.",
        )  # fmt: skip


def _set_caps(run: str, fields: dict[str, str]) -> None:
    bench = workbench()
    given = {"max_cost": st.session_state.get("cap_cost"), "max_calls": st.session_state.get("cap_calls")}
    known = bench.states.of(run).caps
    changes = {name: value for name, value in given.items() if value is not None and getattr(known, name) is not None}
    bench.raise_caps(run, Caps(**{**known.model_dump(), **changes}), typed(fields))
