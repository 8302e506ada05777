"""A ranked list, or a text scored by itself, opened: places and scores by judge, texts, reasons, prompts and replies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import NamedTuple

import pandas as pd
import streamlit as st

from judge_core.interfaces.dashboard.result.drawer.match import marked_text, show_warnings
from judge_core.interfaces.dashboard.result.drawer.sent import show_sent
from judge_core.interfaces.dashboard.result.exchanges import MOST_QUOTES, STATUS
from judge_core.interfaces.dashboard.result.sections.entries import score_words
from judge_core.interfaces.dashboard.result.shown import Shown
from judge_core.interfaces.dashboard.result.words import dollars, plural
from judge_core.interfaces.dashboard.safe import label, line, plain
from judge_core.interfaces.detail.listing import ListingDetail, ListingExchange, listing_detail
from judge_core.modes.shown.said import SaidLine
from judge_core.ranking.evidence import shares
from judge_core.records.errors import InputError, StoreError
from judge_core.records.item_verdict import ItemJudgment, ListVerdict, PointVerdict
from judge_core.scoring.quotes import Span, find_quote
from judge_core.views.listings import ListingView
from judge_core.views.tables import best_first


class Quoted(NamedTuple):
    """A quote of a judge, and in which texts it stands."""

    number: int | None
    """None where it stands in none."""
    text: str
    spans: dict[str, tuple[Span, ...]]
    checked: bool
    """Whether every text was there to be looked through."""


def listing_head(shown: Shown, view: ListingView) -> None:
    """What was asked, and what came of it."""
    where = f"round {view.round}"
    if view.single:
        words = score_words(view) if view.decided else "No verdict"
        st.subheader(f"{label(shown.called(view.texts[0]))}: {label(words)}", anchor=False)
        st.markdown(f"Score {view.place}, {where}: this text was scored by itself, without any other beside it.")
        return
    order = best_first(view, shares(shown.state.spec))
    head = f"{label(shown.called(order[0]))} came first of {len(view.texts)}" if order else "No verdict"
    st.subheader(head, anchor=False)
    st.markdown(
        f"List {view.place}, {where}: {plural(len(view.texts), 'text')} put in order in one call of each judge."
    )


def show_listing(shown: Shown, view: ListingView) -> None:
    """Everything behind it."""
    try:
        detail = listing_detail(shown.bench, shown.id, view.place)
    except (InputError, StoreError) as error:
        st.error(label(str(error), 300))
        return
    readable = _readable(view, detail)
    quotes = _quotes(readable, detail)
    if view.single:
        _scores(shown, view)
    else:
        _places(shown, view)
    _decisions(shown, view)
    _texts(shown, view, detail, [quote for own in quotes.values() for quote in own])
    _reasons(shown, view, readable, quotes)
    show_warnings(shown, view)
    show_sent(shown, [exchange.sent for exchange in detail.exchanges])


def _readable(view: ListingView, detail: ListingDetail) -> dict[int, list[ListingExchange]]:
    """By judge, the replies that count and could be read."""
    counted = {(place, judgment.judge) for judgment, place in zip(view.judgments, view.places, strict=True)}
    found: dict[int, list[ListingExchange]] = {}
    for exchange in detail.exchanges:
        sent = exchange.sent
        if (sent.place, sent.judge) in counted and exchange.said is not None and exchange.said.error is None:
            found.setdefault(sent.judge, []).append(exchange)
    return found


def _quotes(readable: Mapping[int, Sequence[ListingExchange]], detail: ListingDetail) -> dict[int, list[Quoted]]:
    """By judge, each passage once; numbers go over all judges."""
    numbers, whole = count(1), len(detail.words) == len(detail.texts)
    found: dict[int, list[Quoted]] = {}
    for judge, exchanges in readable.items():
        texts = [quote.text for exchange in exchanges if exchange.said for quote in exchange.said.quotes]
        for text in list(dict.fromkeys(text for text in texts if text.strip()))[:MOST_QUOTES]:
            spans = {alias: there for alias, words in detail.words.items() if (there := find_quote(words, text))}
            found.setdefault(judge, []).append(
                Quoted(next(numbers) if spans else None, text, spans, whole or bool(spans))
            )
    return found


def _places(shown: Shown, view: ListingView) -> None:
    """The texts in the order shown, with their place by each judge."""
    st.markdown("#### Places")
    means = view.mean_places(shares(shown.state.spec))
    judges = {
        judgment.judge: judgment.verdict for judgment in view.judgments if isinstance(judgment.verdict, ListVerdict)
    }
    rows = [
        {
            "shown": number,
            "text": shown.called(alias),
            **{f"judge_{judge}": verdict.ranking.index(number) + 1 for judge, verdict in judges.items()},
            "panel": means.get(alias),
            "before": view.elo_before[alias],
            "after": view.elo[alias],
        }
        for number, alias in enumerate(view.texts, start=1)
    ]
    config, several = st.column_config, len(judges) > 1
    names = {f"judge_{judge}": f"Place by {plain(shown.state.spec.judge_names[judge], 30)}" for judge in judges}
    st.dataframe(
        pd.DataFrame(rows).drop(columns=[] if several else ["panel"]), hide_index=True,
        alt="The texts in the order shown, with their places",
        column_config={
            "shown": config.NumberColumn("Shown at", width="small"), "text": "Text", **names,
            "panel": config.NumberColumn("Mean place", format="%.2f"),
            "before": config.NumberColumn("Elo before", format="%.0f"), "after": config.NumberColumn("Elo after", format="%.0f"),
        },
    )  # fmt: skip


def _scores(shown: Shown, view: ListingView) -> None:
    """Each judge's scores by criterion."""
    st.markdown("#### Scores")
    scales = {c.name: f"{c.scale_min:g} to {c.scale_max:g}" for c in shown.state.spec.rubric.criteria}
    rows = [
        {
            "judge": plain(shown.state.spec.judge_names[j.judge]),
            "criterion": name,
            "scale": scales.get(name, ""),
            "score": score,
        }
        for j in view.judgments
        if isinstance(j.verdict, PointVerdict)
        for name, score in j.verdict.scores.items()
    ]
    if not rows:
        st.markdown("No judge gave a score by criterion.")
        return
    names = {"judge": "Judge", "criterion": "Criterion", "scale": "Scale", "score": "Score"}
    st.dataframe(pd.DataFrame(rows), hide_index=True, column_config=names, alt="Scores by judge and criterion")


def _decisions(shown: Shown, view: ListingView) -> None:
    """A line a judge: what it decided, and what that cost."""
    for judgment in view.judgments:
        judge = label(shown.state.spec.judge_names[judgment.judge])
        cost = "from the cache" if judgment.cached else f"cost {label(dollars(judgment.cost))}"
        st.markdown(f"**{judge}**: {label(_said(shown, view, judgment), 600)}, {cost}.")


def _said(shown: Shown, view: ListingView, judgment: ItemJudgment) -> str:
    verdict = judgment.verdict
    if isinstance(verdict, PointVerdict):
        return f"{100 * verdict.total:.1f} of 100 points"
    if isinstance(verdict, ListVerdict):
        return "best first " + ", ".join(shown.called(view.texts[number - 1]) for number in verdict.ranking)
    return f"no verdict, {STATUS['unparseable' if judgment.outcome == 'unparseable' else 'failed']}"


def _texts(shown: Shown, view: ListingView, detail: ListingDetail, quotes: Sequence[Quoted]) -> None:
    """All texts as shown; of a list each in a fold."""
    st.markdown("#### Texts, in the order shown" if len(view.texts) > 1 else "#### The text")
    for number, alias in enumerate(view.texts, start=1):
        spans = {quote.number: quote.spans[alias] for quote in quotes if quote.number and alias in quote.spans}
        words = plural(shown.state.spec.text(alias).words, "word")
        number_of = "" if view.single else f"{number}. "
        quoted = f" · {plural(len(spans), 'quote')}" if spans else ""
        about = f"{number_of}{label(shown.called(alias))} · {words}{quoted}"
        with st.expander(about, expanded=view.single):
            marked_text(alias, detail.words.get(alias), spans)


def _reasons(
    shown: Shown,
    view: ListingView,
    readable: Mapping[int, Sequence[ListingExchange]],
    quotes: Mapping[int, Sequence[Quoted]],
) -> None:
    st.markdown("#### Reasons")
    if not readable:
        st.markdown("No reasons are stored.")
    for judge, exchanges in readable.items():
        with st.container(border=True):
            seen = "" if view.single else " · It saw the texts numbered in the order shown."
            st.markdown(f"**{label(shown.state.spec.judge_names[judge])}**{seen}")
            for one in _lines(shown, view, exchanges):
                _line(one)
            for quote in quotes.get(judge, ()):
                _quote(shown, quote)


def _lines(shown: Shown, view: ListingView, exchanges: Sequence[ListingExchange]) -> Iterator[SaidLine]:
    """What a judge said; a ranking with its texts as the page calls them."""
    for exchange in exchanges:
        for one in exchange.said.lines if exchange.said else ():
            if one.candidates:
                names = ", ".join(shown.called(view.texts[number - 1]) for number in one.candidates)
                one = one.model_copy(update={"says": names})
            yield one


def _line(one: SaidLine) -> None:
    st.markdown(f"**{label(one.about, 120)}**" + (f": {label(one.says, 600)}" if one.says else ""))
    if one.why:
        line(one.why)


def _quote(shown: Shown, quote: Quoted) -> None:
    where = ", ".join(label(shown.called(alias)) for alias in quote.spans)
    if quote.number is not None:
        st.markdown(f":material/format_quote: **\\[{quote.number}\\]** From {where}, highlighted there:")
    elif quote.checked:
        st.markdown(
            ":orange[:material/warning:] **Not found in any of the texts.** The judge gives it as a quote, but these words do not stand there:"
        )
    else:
        st.markdown(":material/help: Quoted; not checked, because a text was erased:")
    line(quote.text)
