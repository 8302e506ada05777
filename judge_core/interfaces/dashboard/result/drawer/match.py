"""A match, opened: both texts, scores, reasons, warnings, and the exact prompts and replies behind them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

from judge_core.interfaces.dashboard.result.exchanges import said_in, show_exchanges, show_reasons
from judge_core.interfaces.dashboard.result.sections.entries import Entry, texts_of
from judge_core.interfaces.dashboard.result.shown import Shown
from judge_core.interfaces.dashboard.result.words import CLASSES, SIGNS, dollars, outcome_words, plural
from judge_core.interfaces.dashboard.safe import label, line, marked, plain
from judge_core.interfaces.detail.match import match_detail
from judge_core.modes.pairs.reasons import CheckedQuote
from judge_core.records.errors import InputError, StoreError
from judge_core.records.notices import explain
from judge_core.records.verdict import Judgment, PairScores
from judge_core.scoring.quotes import Span, pieces
from judge_core.views.matches import MatchView

FIRST = ("left_first", "right_first")


def show_match(shown: Shown, view: MatchView, *, scores_first: bool = False) -> None:
    """Both texts, scores, reasons, warnings, and what passed between Podium and the judges."""
    try:
        detail = match_detail(shown.bench, shown.id, view.place)
    except (InputError, StoreError) as error:
        st.error(label(str(error), 300))
        return
    sides = in_order(shown, view)
    texts = {alias: stored_text(shown, alias) for alias in sides}
    said = said_in(view, detail, texts)
    if scores_first:
        show_scores(shown, view, sides)
    _texts(shown, texts, [quote for one in said for quote in one.quotes])
    if not scores_first:
        show_scores(shown, view, sides)
    show_reasons(shown, view, said)
    show_warnings(shown, view)
    show_exchanges(shown, detail)


def in_order(shown: Shown, view: MatchView) -> tuple[str, str]:
    """Both texts as they stand side by side: those of a comparison by name, else as they met."""
    if shown.pair and shown.called(view.b) < shown.called(view.a):
        return view.b, view.a
    return view.a, view.b


def match_head(shown: Shown, view: MatchView) -> None:
    """What was decided, who met, and how Elo moved."""
    a, b = shown.called(view.a), shown.called(view.b)
    st.subheader(label(outcome_words(view, a, b), 120), anchor=False)
    moved = ", ".join(
        f"{label(shown.called(alias))} {view.elo_before[alias]:.0f} → {view.elo[alias]:.0f}"
        for alias in (view.a, view.b)
    )
    st.markdown(f"Match {view.place}, round {view.round}: {label(a)} against {label(b)}. Elo: {moved}.")
    if shown.changed:
        st.markdown(":material/tune: Decided by what you set under Weights.")


def _texts(shown: Shown, texts: Mapping[str, str | None], quotes: Sequence[CheckedQuote]) -> None:
    """Both texts in equal columns, whole, so that they scroll alike; what judges quoted is highlighted."""
    for column, (alias, text) in zip(st.columns(2), texts.items(), strict=True):
        with column:
            st.markdown(f"**{label(shown.called(alias))}** · {plural(shown.state.spec.text(alias).words, 'word')}")
            with st.container(border=True):
                found = {quote.number: quote.spans for quote in quotes if quote.alias == alias and quote.number}
                marked_text(alias, text, found)


def marked_text(alias: str, text: str | None, quotes: Mapping[int, Sequence[Span]]) -> None:
    """A text letter by letter, with its quoted passages highlighted."""
    if text is None:
        st.markdown("This text was erased.")
    elif quotes:
        marked(pieces(text, quotes), alias)
    else:
        line(text)


def stored_text(shown: Shown, alias: str) -> str | None:
    """A text's words; None where they were erased."""
    try:
        return shown.bench.archive.text(shown.state.spec.text(alias).sha256)
    except StoreError:
        return None


def show_scores(shown: Shown, view: MatchView, sides: tuple[str, str]) -> None:
    """Each judge's scores of both texts by criterion, and what each judge decided. `sides`: the left text and the right one."""
    rows = [row for judgment in view.judgments for row in _score_rows(shown, view, judgment, sides)]
    st.markdown("#### Scores")
    if not rows:
        st.markdown("No judge gave a score.")
    else:
        frame = pd.DataFrame(rows)
        if len(view.judgments) == 1:
            frame = frame.drop(columns="judge")
        config = {key: st.column_config.TextColumn(words) for key, words in _headings(shown, sides).items()}
        st.dataframe(frame, hide_index=True, column_config=config, alt="Scores by criterion, each order and merged")
    _decisions(shown, view, swapped=sides[0] != view.a)


def _headings(shown: Shown, sides: tuple[str, str]) -> dict[str, str]:
    left, right = map(shown.called, sides)
    return {
        "judge": "Judge",
        "criterion": "Criterion",
        "scale": "Scale",
        "left": left,
        "right": right,
        "left_first": f"{left} shown first",
        "right_first": f"{right} shown first",
    }


def _score_rows(shown: Shown, view: MatchView, judgment: Judgment, sides: tuple[str, str]) -> list[dict[str, str]]:
    """A row a criterion: merged scores of both texts, and what each order gave (left text to right text)."""
    swapped = sides[0] != view.a
    scales = {c.name: f"{c.scale_min:g} to {c.scale_max:g}" for c in shown.state.spec.rubric.criteria}
    orders = {order.first: order.scores for order in judgment.orders}
    rows = []
    for name, pair in judgment.scores.items():
        left, right = _as_seen(pair, swapped)
        row = {
            "judge": plain(shown.state.spec.judge_names[judgment.judge]),
            "criterion": name,
            "scale": scales.get(name, ""),
            "left": left,
            "right": right,
        }
        if len(orders) > 1:
            given = {key: orders.get(alias, {}).get(name) for key, alias in zip(FIRST, sides, strict=True)}
            row |= {key: " to ".join(_as_seen(one, swapped)) if one else "" for key, one in given.items()}
        rows.append(row)
    return rows


def _as_seen(pair: PairScores, swapped: bool) -> tuple[str, str]:
    """The scores of the left text and the right one."""
    a, b = f"{pair.a:g}", f"{pair.b:g}"
    return (b, a) if swapped else (a, b)


def _decisions(shown: Shown, view: MatchView, *, swapped: bool) -> None:
    """A line a judge: what it decided, and what that cost. `swapped`: the first text stands on the right."""
    signs = {**SIGNS, "won": SIGNS["lost"], "lost": SIGNS["won"]} if swapped else SIGNS
    for judgment in view.judgments:
        judge = label(shown.state.spec.judge_names[judgment.judge])
        totals = judgment.totals
        weighed = f" with {100 * totals.a:.0f} to {100 * totals.b:.0f} of 100 points" if totals else ""
        cost = "from the cache" if judgment.cached else f"cost {label(dollars(judgment.cost))}"
        winner = {"won": view.a, "lost": view.b}.get(judgment.outcome)
        words = f"{label(shown.called(winner))} won" if winner else CLASSES[judgment.outcome]
        st.markdown(f"{label(signs[judgment.outcome])} **{judge}**: {words}{weighed}, {cost}.")


def show_warnings(shown: Shown, view: Entry) -> None:
    """Warnings on the judgments, and on the texts themselves."""
    codes = dict.fromkeys(notice.code for judgment in view.judgments for notice in judgment.warnings)
    of_texts = {alias: shown.state.spec.text(alias).notices for alias in texts_of(view)}
    if not codes and not any(of_texts.values()):
        return
    st.markdown("#### Warnings")
    _lines([f":material/warning: {label(explain(code), 300)}" for code in codes])
    for alias, notices in of_texts.items():
        name = label(shown.called(alias))
        _lines([f":material/warning: {name}: {label(explain(code), 300)}" for code in notices])


def _lines(lines: Sequence[str]) -> None:
    for words in lines:
        st.markdown(words)
