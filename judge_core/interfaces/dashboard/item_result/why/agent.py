"""An agent's run: goal, patterns, and every step beside its label."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import streamlit as st

from judge_core.interfaces.dashboard.item_result.shown import ShownItems
from judge_core.interfaces.dashboard.item_result.why.marks import Marked
from judge_core.interfaces.dashboard.item_result.why.voices import show_voices
from judge_core.interfaces.dashboard.result.words import plural
from judge_core.interfaces.dashboard.safe import label, line
from judge_core.records.item import ItemPart
from judge_core.records.item_verdict import StepLabel
from judge_core.scoring.trajectory.corrections import corrections, merge_patterns
from judge_core.views.items.details import step_panels
from judge_core.views.items.verdicts.agent import PatternPanel, StepPanel, judged_patterns, patterns

PAGE = 25
"""Steps at a time."""
Colour = Literal["green", "red", "orange", "violet", "gray"]
LOOKS: dict[str | None, tuple[str, str, Colour]] = {
    "useful": ("useful", ":material/check:", "green"),
    "redundant": ("redundant", ":material/content_copy:", "orange"),
    "harmful": ("harmful", ":material/close:", "red"),
    "disputed": ("judges are split", ":material/balance:", "violet"),
    None: ("no label", ":material/remove:", "gray"),
}
PATTERNS = {
    "repetition_loop": "Repetition loop: the same step again and again",
    "ping_pong": "Ping-pong: to and fro between two states",
    "expansion_drift": "Expansion drift: the work grows beyond the task",
    "stuck_on_test": "Stuck on a test: the same failure is met again and again",
    "context_thrash": "Context thrash: the same things are read again and again",
}


def show_steps(shown: ShownItems, marked: Marked) -> None:
    """Goal and rules, patterns, steps, then what the judges said."""
    item = marked.detail.item
    for title, parts in (("Goal", item.of("goal")), ("Rules it had to keep", item.of("policy"))):
        for n, part in enumerate(parts):
            st.markdown(f"**{title}**")
            with st.container(border=True):
                marked.show(part, f"{part.role}_{n}")
    if item.success is not None:
        st.markdown(f"**Outside check:** {'✓ goal reached' if item.success else '✗ goal not reached'}")
    found = patterns(shown.state, item.alias)
    advice = corrections(merge_patterns(item.patterns, judged_patterns(shown.state, item.alias)))
    _patterns(found, {correction.name: correction.text for correction in advice})
    _steps(shown, marked, found)
    st.subheader("What each judge said", anchor=False)
    show_voices(shown, marked, beside=True)


def _patterns(found: tuple[PatternPanel, ...], advice: Mapping[str, str]) -> None:
    if not found:
        return
    st.subheader("Ways of going astray", anchor=False)
    for pattern in found:
        finders = [
            *(["rules"] if pattern.rules else []),
            *([plural(pattern.judges, "judge")] if pattern.judges else []),
        ]
        steps = f" Steps {', '.join(map(str, pattern.steps))}." if pattern.steps else ""
        words = PATTERNS.get(pattern.name, pattern.name.replace("_", " "))
        st.markdown(
            f":orange[:material/warning:] **{words}.**{steps} Severity {pattern.severity} of 5, found by {' and '.join(finders)}."
        )
        if pattern.name in advice:
            st.caption("What could be said to the agent before its next step:")
            line(advice[pattern.name])


def _steps(shown: ShownItems, marked: Marked, found: tuple[PatternPanel, ...]) -> None:
    parts, panels = marked.detail.item.of("step"), step_panels(shown.state, marked.detail.item)
    st.subheader(f"The steps ({len(parts)})", anchor=False)
    pages = -(-len(parts) // PAGE)
    page = min(st.pagination(pages, key="step_page") if pages > 1 else 1, pages)
    for panel in panels[(page - 1) * PAGE : page * PAGE]:
        if panel.step > len(parts):  # a label for a step that is not there
            continue
        with st.container(border=True):
            left, right = st.columns([3, 2])
            with left:
                _step_text(marked, parts[panel.step - 1], panel.step)
            with right:
                _step_label(shown, panel, [p for p in found if panel.step in p.steps])


def _step_text(marked: Marked, part: ItemPart, number: int) -> None:
    st.markdown(f"**Step {number}**{' · tool call' if part.call else ''}")
    marked.show(part, f"step_{number}")


def _step_label(shown: ShownItems, panel: StepPanel, found: list[PatternPanel]) -> None:
    words, icon, colour = LOOKS[panel.label]
    st.badge(words, icon=icon, color=colour)
    if panel.call_correct is not None:
        st.markdown("✓ right call" if panel.call_correct else "✗ wrong call")
    for pattern in found:
        st.markdown(f":orange[:material/warning:] {pattern.name.replace('_', ' ')}")
    if len(panel.votes) > 1:
        st.caption(" · ".join(f"{shown.judge_names[judge]}: {_vote(vote)}" for judge, vote in panel.votes.items()))


def _vote(vote: StepLabel) -> str:
    call = "" if vote.call_correct is None else f", call {'right' if vote.call_correct else 'wrong'}"
    return label(f"{vote.label}{call}", 60)
