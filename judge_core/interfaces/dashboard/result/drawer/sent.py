"""The exact prompts and raw replies about a list or a single text, one after the other."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from judge_core.interfaces.dashboard.result.exchanges import ROLES, STATUS
from judge_core.interfaces.dashboard.result.shown import Shown
from judge_core.interfaces.dashboard.result.words import dollars, plural, when
from judge_core.interfaces.dashboard.safe import label, line, prose
from judge_core.interfaces.detail.exchanges import Sent


def show_sent(shown: Shown, found: Sequence[Sent]) -> None:
    """Each in a fold of its own."""
    st.markdown("#### Exact prompts and raw replies")
    for number, sent in enumerate(found, start=1):
        judge = label(shown.state.spec.judge_names[sent.judge])
        repair = ", asked once more" if sent.turn.repair else ""
        with st.expander(f"{number}. {judge}{repair}: {STATUS[sent.turn.status]}"):
            _one(shown, sent)


def _one(shown: Shown, sent: Sent) -> None:
    line("\n".join(_facts(shown, sent)))
    if sent.turn.error:
        st.markdown("**What went wrong**")
        line(sent.turn.error)
    if not sent.prompt:
        st.markdown("The prompt cannot be shown: a text was erased.")
    for message in sent.prompt:
        st.markdown(f"**Prompt: {ROLES[message.role]}**")
        prose(message.content)
    st.markdown("**Raw reply**")
    if sent.reply is None:
        st.markdown("No reply is stored: none came, or it was erased.")
    else:
        prose(sent.reply)


def _facts(shown: Shown, sent: Sent) -> list[str]:
    """Model, time, tokens, price and tries, each a plain line."""
    turn, judge = sent.turn, shown.state.spec.judges[sent.judge]
    completion = sent.received.completion if sent.received else None
    tokens = (turn.usage.prompt_tokens, turn.usage.completion_tokens)
    counted = [f"{n:,}" if n is not None else "unknown" for n in tokens]
    asked = when(completion.asked_at, st.context.timezone) if completion else ""
    facts = [
        f"Model: {(completion.model if completion else '') or judge.model}",
        f"Answered by: {turn.answered_by}" if turn.answered_by else "",
        f"Asked: {asked}" if asked else "",
        f"Answer: {'from the cache, at no cost' if turn.cached else f'fresh, in {turn.seconds:.1f} s'}",
        f"Tokens: {counted[0]} in the prompt, {counted[1]} in the reply",
        f"Cost: {dollars(turn.cost)}",
        f"Requests sent: {plural(turn.calls, 'request')}" if turn.calls else "",
        f"Ended because: {completion.finish_reason}" if completion and completion.finish_reason else "",
    ]
    return [fact for fact in facts if fact]
