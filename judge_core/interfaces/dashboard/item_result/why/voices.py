"""What each judge said of an item, in its own words, and the exact prompts and raw replies."""

from __future__ import annotations

from collections.abc import Iterator

import streamlit as st

from judge_core.interfaces.dashboard.item_result.lists import WORDS, candidate_names
from judge_core.interfaces.dashboard.item_result.shown import ShownItems
from judge_core.interfaces.dashboard.item_result.why.marks import Marked, Quoted, Voice
from judge_core.interfaces.dashboard.result.exchanges import ROLES, STATUS
from judge_core.interfaces.dashboard.result.words import dollars, plural, when
from judge_core.interfaces.dashboard.safe import label, line, prose
from judge_core.interfaces.detail.exchanges import Sent
from judge_core.interfaces.detail.item import ItemDetail, ItemExchange
from judge_core.modes.shown.said import SaidLine
from judge_core.records.item_verdict import ItemJudgment
from judge_core.records.notices import explain
from judge_core.views.items.state import ItemView

BESIDE = ("Claim ", "Passage ", "Step ")
"""Lines that stand beside the very claim, passage or step already."""
MOST_LINES = 60


def heard(view: ItemView | None, detail: ItemDetail) -> tuple[Voice, ...]:
    """The judgments that count, each with the replies that could be read; earlier attempts are left to the raw replies."""
    if view is None:
        return ()
    return tuple(
        Voice(judgment.judge, judgment, tuple(_readable(detail, place, judgment.judge)))
        for judgment, place in zip(view.judgments, view.places, strict=True)
    )


def _readable(detail: ItemDetail, place: int, judge: int) -> list[ItemExchange]:
    return [
        exchange
        for exchange in detail.exchanges
        if (exchange.sent.place, exchange.sent.judge) == (place, judge)
        and exchange.said is not None
        and exchange.said.error is None
    ]


def show_voices(shown: ShownItems, marked: Marked, *, beside: bool = False) -> None:
    """A box for each judge. `beside`: labels of claims, passages and steps stand elsewhere on the page, next to these."""
    for voice in marked.voices:
        with st.container(border=True, gap="xsmall"):
            _voice(shown, marked, voice, beside=beside)
    if not marked.voices:
        st.markdown("No judge was asked about it yet.")


def _voice(shown: ShownItems, marked: Marked, voice: Voice, *, beside: bool) -> None:
    judge = shown.judge_names[voice.judge]
    for other in dict.fromkeys(turn.answered_by for turn in voice.judgment.turns if turn.answered_by):
        st.markdown(f":orange[:material/swap_horiz:] **{label(other)}** answered in place of {judge}, which could not.")
    st.markdown(f"**{judge}** · {_cost(voice.judgment)}")
    if not voice.judgment.decided:
        st.markdown(f":red[:material/error:] **No verdict: {STATUS[_lost(voice.judgment)]}.** It counts for nothing.")
        for error in dict.fromkeys(turn.error for turn in voice.judgment.turns if turn.error):
            line(error)
    lines = [one for one in _lines(shown, marked, voice) if not (beside and one.about.startswith(BESIDE))]
    for one in lines[:MOST_LINES]:
        _line(one)
    if len(lines) > MOST_LINES:
        st.markdown(f"{plural(len(lines) - MOST_LINES, 'further line')} in the raw reply.")
    for quote in marked.quotes.get(voice.judge, ()):
        _quote(quote)
    for code in dict.fromkeys(notice.code for notice in voice.judgment.warnings if notice.code != "quote_not_found"):
        st.markdown(f":orange[:material/warning:] {label(explain(code), 300)}")


def _lines(shown: ShownItems, marked: Marked, voice: Voice) -> Iterator[SaidLine]:
    """What the judge said; a ranking with its candidates as the page calls them, and the order in which they were shown."""
    for reply in voice.replies:
        for one in reply.said.lines if reply.said else ():
            if not one.candidates:
                yield one
                continue
            names = candidate_names(shown, marked.detail.item)
            says = ", ".join(names[number - 1] for number in one.candidates)
            order = WORDS.get(reply.sent.turn.first, "")
            about = f"{one.about} (shown {order})" if order else one.about
            yield one.model_copy(update={"about": about, "says": says})


def _lost(judgment: ItemJudgment) -> str:
    return "unparseable" if judgment.outcome == "unparseable" else "failed"


def _cost(judgment: ItemJudgment) -> str:
    return "from the cache" if judgment.cached else f"cost {label(dollars(judgment.cost))}"


def _line(one: SaidLine) -> None:
    says = f": {label(one.says, 2000)}" if one.says else ""
    if one.about or says:
        st.markdown(f"**{label(one.about, 120)}**{says}")
    if one.why:
        line(one.why)


def _quote(quote: Quoted) -> None:
    if quote.number is not None:
        st.markdown(f":material/format_quote: **\\[{quote.number}\\]** Quoted, and highlighted in the text:")
    elif quote.checked:
        st.markdown(
            ":orange[:material/warning:] **Not in the text.** The judge gives it as a quote, but these words do not stand there:"
        )
    else:
        st.markdown(":material/help: Quoted; not checked, because a text was erased:")
    line(quote.text)


def show_exchanges(shown: ShownItems, detail: ItemDetail) -> None:
    """The exact prompts and the raw replies, one after the other."""
    if not detail.exchanges:
        return
    st.subheader("Exact prompts and raw replies", anchor=False)
    for number, exchange in enumerate(detail.exchanges, start=1):
        sent = exchange.sent
        repair = ", asked once more" if sent.turn.repair else ""
        about = label(sent.turn.first, 60)
        title = f"{number}. {shown.judge_names[sent.judge]}, {about}{repair}: {STATUS[sent.turn.status]}"
        with st.expander(title):
            _exchange(shown, exchange)


def _exchange(shown: ShownItems, exchange: ItemExchange) -> None:
    sent = exchange.sent
    line("\n".join(_facts(shown, sent)))
    problem = sent.turn.error or (exchange.said.error if exchange.said else None)
    if problem:
        st.markdown("**What went wrong**")
        line(problem)
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


def _facts(shown: ShownItems, sent: Sent) -> list[str]:
    """Model, time, tokens, price and tries, each a plain line."""
    turn, judge = sent.turn, shown.state.spec.judges[sent.judge]
    completion = sent.received.completion if sent.received else None
    counted = [
        f"{n:,}" if n is not None else "unknown" for n in (turn.usage.prompt_tokens, turn.usage.completion_tokens)
    ]
    asked, model = (when(completion.asked_at, st.context.timezone), completion.model) if completion else ("", "")
    facts = [
        f"Model: {model or judge.model}",
        f"Answered by: {turn.answered_by}" if turn.answered_by else "",
        f"Asked: {asked}" if asked else "",
        f"Answer: {'from the cache, at no cost' if turn.cached else f'fresh, in {turn.seconds:.1f} s'}",
        f"Tokens: {counted[0]} in the prompt, {counted[1]} in the reply",
        f"Cost: {dollars(turn.cost)}",
        f"Requests sent: {plural(turn.calls, 'request')}" if turn.calls else "",
        f"Ended because: {completion.finish_reason}" if completion and completion.finish_reason else "",
    ]
    return [fact for fact in facts if fact]
