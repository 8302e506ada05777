"""What passed between Podium and the judges in one match: reasons, quotes, exact prompts, raw replies, and their cost."""

from __future__ import annotations

import streamlit as st

from judge_core.interfaces.dashboard.result.shown import Shown
from judge_core.interfaces.dashboard.result.words import dollars, plural, when
from judge_core.interfaces.dashboard.safe import label, line, prose
from judge_core.interfaces.match_detail import Exchange, MatchDetail
from judge_core.modes.reasons import ReplyReading
from judge_core.records.spec import cost_of
from judge_core.views.matches import MatchView

ROLES = {"system": "Instructions", "user": "Question and texts", "assistant": "The judge's earlier reply"}
STATUS = {"ok": "read", "unparseable": "could not be read", "failed": "no answer"}


def show_reasons(shown: Shown, view: MatchView, detail: MatchDetail) -> None:
    """Each judge's reasons, in each order, in its own words beside the line that says which text it saw as A."""
    counting = set(zip((judgment.judge for judgment in view.judgments), view.places, strict=True))
    st.markdown("#### Reasons")
    shown_any = False
    for exchange in detail.exchanges:
        reading = exchange.reading
        if reading is None or reading.reading is None or (exchange.judge, exchange.place) not in counting:
            continue
        shown_any = True
        with st.container(border=True):
            _reasons(shown, exchange, reading)
    if not shown_any:
        st.markdown("No reasons are stored for this match.")


def _reasons(shown: Shown, exchange: Exchange, reading: ReplyReading) -> None:
    judge = label(shown.state.spec.judges[exchange.judge].name)
    a, b = label(shown.called(reading.shown.a)), label(shown.called(reading.shown.b))
    st.markdown(f"**{judge}** · The judge saw **{a}** as text A and **{b}** as text B.")
    if reading.overall and all(reason.text != reading.overall for reason in reading.reasons):
        line(reading.overall)
    for reason in reading.reasons:
        if reason.text:
            st.markdown(f"**{label(reason.name)}**")
            line(reason.text)
    if not (reading.overall or any(reason.text for reason in reading.reasons)):
        st.markdown("The judge gave no reasons.")
    for quote in reading.quotes:
        st.markdown(f":material/format_quote: From {label(shown.called(quote.alias))}:")
        line(quote.text)


def show_exchanges(shown: Shown, detail: MatchDetail) -> None:
    """The exact prompts and the raw replies, one after the other."""
    st.markdown("#### Exact prompts and raw replies")
    for number, exchange in enumerate(detail.exchanges, start=1):
        judge = label(shown.state.spec.judges[exchange.judge].name)
        first = label(shown.called(exchange.turn.first))
        repair = ", asked once more" if exchange.turn.repair else ""
        title = f"{number}. {judge}, {first} shown first{repair}: {STATUS[exchange.turn.status]}"
        with st.expander(title):
            _exchange(shown, exchange)


def _exchange(shown: Shown, exchange: Exchange) -> None:
    line("\n".join(_facts(shown, exchange)))
    if exchange.turn.error:
        st.markdown("**What went wrong**")
        line(exchange.turn.error)
    if exchange.reading is not None and exchange.reading.error and exchange.reading.error != exchange.turn.error:
        line(exchange.reading.error)
    _prompt(exchange)
    st.markdown("**Raw reply**")
    if exchange.reply is None:
        st.markdown("No reply is stored: none came, or it was erased.")
    else:
        prose(exchange.reply)


def _prompt(exchange: Exchange) -> None:
    if not exchange.prompt:
        st.markdown("The prompt cannot be shown: a text was erased.")
    for message in exchange.prompt:
        st.markdown(f"**Prompt: {ROLES[message.role]}**")
        prose(message.content)


def _facts(shown: Shown, exchange: Exchange) -> list[str]:
    """Model, time, tokens, price and tries, each a plain line."""
    turn, judge = exchange.turn, shown.state.spec.judges[exchange.judge]
    tokens = (turn.usage.prompt_tokens, turn.usage.completion_tokens)
    counted = [f"{n:,}" if n is not None else "unknown" for n in tokens]
    asked = when(exchange.asked_at)
    facts = [
        f"Model: {exchange.model or judge.model}",
        f"Asked: {asked}" if asked else "",
        f"Answer: {'from the cache, at no cost' if turn.cached else f'fresh, in {turn.seconds:.1f} s'}",
        f"Tokens: {counted[0]} in the prompt, {counted[1]} in the reply",
        f"Cost: {dollars(turn.cost)}{_full_price(exchange, shown)}",
        f"Requests sent: {plural(turn.calls, 'request')}" if turn.calls else "",
        f"Ended because: {exchange.finish_reason}" if exchange.finish_reason else "",
    ]
    return [fact for fact in facts if fact]


def _full_price(exchange: Exchange, shown: Shown) -> str:
    """What a cached answer would have cost."""
    if not exchange.turn.cached:
        return ""
    price = cost_of(shown.state.spec.judges[exchange.judge].price, exchange.turn.usage)
    return f" (asked anew it would cost {dollars(price)})" if price else ""
