"""What passed between Podium and the judges in one match: reasons, quotes, exact prompts, raw replies, and their cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import NamedTuple

import streamlit as st

from judge_core.interfaces.dashboard.result.shown import Shown
from judge_core.interfaces.dashboard.result.words import dollars, plural, when
from judge_core.interfaces.dashboard.safe import label, line, prose
from judge_core.interfaces.detail.match import Exchange, MatchDetail
from judge_core.modes.pairs.reasons import AliasQuote, CheckedQuote, ReplyReading, agrees, check_quotes, leading_order
from judge_core.records.spec import cost_of
from judge_core.records.verdict import Judgment, OrderReading
from judge_core.views.matches import MatchView

ROLES = {"system": "Instructions", "user": "Question and texts", "assistant": "The judge's earlier reply"}
MOST_QUOTES = 12
"""Of one reply; a judge is asked for a few, and the page stays readable whatever it sends."""
STATUS = {"ok": "read", "unparseable": "could not be read", "failed": "no answer"}


class Said(NamedTuple):
    """What a judge said in one order, and whether that is what its judgment says in the end."""

    exchange: Exchange
    reading: ReplyReading
    judgment: Judgment
    order: OrderReading
    quotes: tuple[CheckedQuote, ...]
    """Numbered over the whole match."""


def said_in(view: MatchView, detail: MatchDetail, texts: Mapping[str, str | None]) -> list[Said]:
    """The readable replies that count, judge by judge; of each judge first the one that agrees with its judgment.

    `texts`: both texts by alias, None where one was erased.
    """
    found = [
        (exchange, exchange.reading, judgment, order)
        for judgment, place in zip(view.judgments, view.places, strict=True)
        for order in _kept_first(judgment)
        for exchange in detail.exchanges
        if (exchange.judge, exchange.place, exchange.turn.turn) == (judgment.judge, place, order.turn)
        and exchange.reading is not None
    ]
    quotes = iter(check_quotes([quote for _, reading, *_ in found for quote in _few(reading)], texts))
    return [Said(*one, tuple(islice(quotes, len(_few(one[1]))))) for one in found]


def _kept_first(judgment: Judgment) -> list[OrderReading]:
    leading = leading_order(judgment)
    return sorted(judgment.orders, key=lambda order: order is not leading)


def _few(reading: ReplyReading) -> tuple[AliasQuote, ...]:
    return reading.quotes[:MOST_QUOTES]


def show_reasons(shown: Shown, view: MatchView, said: Sequence[Said]) -> None:
    """Each judge's reasons in its own words, beside the line that says which text it saw as A; its quotes are checked."""
    st.markdown("#### Reasons")
    for one in said:
        with st.container(border=True):
            _reasons(shown, view, one)
    if not said:
        st.markdown("No reasons are stored for this match.")


def _reasons(shown: Shown, view: MatchView, said: Said) -> None:
    reading = said.reading
    judge = label(shown.state.spec.judge_names[said.exchange.judge])
    a, b = label(shown.called(reading.shown.a)), label(shown.called(reading.shown.b))
    seen = f"The judge saw **{a}** as text A and **{b}** as text B."
    if shown.pair and shown.names:
        seen = f"{a} was shown first. In the judge's words, **A** is **{a}** and **B** is **{b}**."
    st.markdown(f"**{judge}** · {seen}{_verdict(shown, view, said)}")
    if reading.overall and all(reason.text != reading.overall for reason in reading.reasons):
        line(reading.overall)
    for reason in reading.reasons:
        if reason.text:
            st.markdown(f"**{label(reason.name)}**")
            line(reason.text)
    if not (reading.overall or any(reason.text for reason in reading.reasons)):
        st.markdown("The judge gave no reasons.")
    for quote in said.quotes:
        st.markdown(_quote_words(shown, quote))
        line(quote.text)
    if len(reading.quotes) > MOST_QUOTES:
        st.markdown(f"{plural(len(reading.quotes) - MOST_QUOTES, 'further quote')} in the raw reply, not checked.")


def _verdict(shown: Shown, view: MatchView, said: Said) -> str:
    """Of two orders: what this one decided, and whether the judgment says the same."""
    if len(said.judgment.orders) < 2:
        return ""
    winner = {"A": view.a, "B": view.b}.get(said.order.winner)
    words = f"{label(shown.called(winner))} is better" if winner else "both are equal"
    rest = "" if agrees(said.judgment, said.order) else ", which is not what both orders give together"
    return f" In this order: **{words}**{rest}."


def _quote_words(shown: Shown, quote: CheckedQuote) -> str:
    """The line over a quote: where it stands, or that it does not."""
    name = label(shown.called(quote.alias))
    if quote.spans:
        return f":material/format_quote: **\\[{quote.number}\\]** From {name}, highlighted above:"
    if not quote.checked:
        return f":material/help: From {name}; not checked, because that text was erased:"
    if quote.elsewhere:
        return f":orange[:material/warning:] **Not in {name}.** The judge gives it as a quote from there; it stands in the other text:"
    return f":orange[:material/warning:] **Not found in {name}.** The judge gives it as a quote, but these words do not stand there:"


def show_exchanges(shown: Shown, detail: MatchDetail) -> None:
    """The exact prompts and the raw replies, one after the other."""
    st.markdown("#### Exact prompts and raw replies")
    for number, exchange in enumerate(detail.exchanges, start=1):
        judge = label(shown.state.spec.judge_names[exchange.judge])
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
    asked = when(exchange.asked_at, st.context.timezone)
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
