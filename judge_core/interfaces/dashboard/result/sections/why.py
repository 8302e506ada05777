"""Why one text stands above another: the probability, their matches or the chain between them, and the criteria."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from judge_core.interfaces.dashboard.result.address import open_match
from judge_core.interfaces.dashboard.result.sections.entries import Entry, fate_of, kind_of, texts_of
from judge_core.interfaces.dashboard.result.shown import Shown
from judge_core.interfaces.dashboard.result.words import outcome_words, plural
from judge_core.interfaces.dashboard.safe import label
from judge_core.records.criteria import Criterion
from judge_core.views.audit import Evidence, why_above
from judge_core.views.matches import MatchView

Mean = tuple[Criterion, float, float]
"""A criterion with the mean scores of both texts."""
ABOVE, BELOW = "why_above", "why_below"


def show_why(shown: Shown) -> None:
    """Two texts to choose, and what speaks for the one over the other."""
    order = [row.alias for row in (*shown.table.rated, *(r for r in shown.table.rows if r.rating is None))]
    if len(order) < 2:
        st.markdown("There are not two texts to compare.")
        return
    left, right = st.columns(2)
    with left:
        above = st.selectbox("Why is", order, 0, format_func=shown.called, key=ABOVE, persist_state="page")
    with right:
        below = st.selectbox("above", order, 1, format_func=shown.called, key=BELOW, persist_state="page")
    if above is None or below is None or above == below:
        st.markdown("Choose two different texts.")
        return
    evidence = why_above(shown.weighed, shown.table, above, below)
    _probability(shown, evidence)
    _criteria(shown, evidence)
    _meetings(shown, evidence)


def _probability(shown: Shown, evidence: Evidence) -> None:
    above, below = label(shown.called(evidence.above)), label(shown.called(evidence.below))
    if evidence.probability is None:
        st.subheader(f"{above} and {below} cannot be compared: one of them has no rating.", anchor=False)
        return
    chance = _percent(100 * evidence.probability)
    st.subheader(f"The chance that {above} is better than {below} is {chance}, as these judges see it.", anchor=False)
    if evidence.below in shown.table.row(evidence.above).tied_with:
        st.markdown("That is too little to tell the two apart: read them as **tied**.")
    elif evidence.probability < 0.5:
        st.markdown(f"So it is the other way round: {below} stands above {above}.")


def _percent(value: float) -> str:
    return "more than 99 %" if value > 99.5 else "less than 1 %" if value < 0.5 else f"{value:.0f} %"


def _criteria(shown: Shown, evidence: Evidence) -> None:
    """Mean scores by criterion: of their own matches where they met, else of all matches."""
    means = _means(shown, evidence)
    if not means:
        return
    means.sort(key=_gap, reverse=True)
    rows = [
        {"criterion": m[0].name, "above": m[1], "below": m[2], "difference": m[1] - m[2], "share": _gap(m)}
        for m in means
    ]
    st.markdown(
        "**The criteria that decided**" + (", in their own matches" if _own(evidence) else ", over all that was judged")
    )
    config = st.column_config
    st.dataframe(
        pd.DataFrame(rows), hide_index=True, alt="Mean scores of both texts by criterion, largest difference first",
        column_config={
            "criterion": config.TextColumn("Criterion"),
            "above": config.NumberColumn(shown.called(evidence.above), format="%.1f"),
            "below": config.NumberColumn(shown.called(evidence.below), format="%.1f"),
            "difference": config.NumberColumn("Difference", format="%+.1f"),
            "share": config.NumberColumn("Of the scale", format="percent"),
        },
    )  # fmt: skip


def _gap(mean: Mean) -> float:
    """The difference as a share of the criterion's scale."""
    criterion, one, other = mean
    return (one - other) / (criterion.scale_max - criterion.scale_min)


def _means(shown: Shown, evidence: Evidence) -> list[Mean]:
    criteria = shown.state.spec.rubric.criteria
    if not _own(evidence):
        one, other = (shown.table.row(alias).criteria for alias in (evidence.above, evidence.below))
        both = [(c, one.get(c.name), other.get(c.name)) for c in criteria]
        return [(c, a, b) for c, a, b in both if a is not None and b is not None]
    found = []
    for criterion in criteria:
        pairs = [_sides(view, criterion.name, evidence.above) for view in _own(evidence)]
        flat = [pair for part in pairs for pair in part]
        if flat:
            found.append((criterion, sum(a for a, _ in flat) / len(flat), sum(b for _, b in flat) / len(flat)))
    return found


def _own(evidence: Evidence) -> list[MatchView]:
    """Their own matches."""
    return [view for view in evidence.direct if isinstance(view, MatchView)]


def _sides(view: MatchView, criterion: str, above: str) -> list[tuple[float, float]]:
    scores = [j.scores[criterion] for j in view.judgments if j.result is not None and criterion in j.scores]
    return [(pair.a, pair.b) if view.a == above else (pair.b, pair.a) for pair in scores]


def _meetings(shown: Shown, evidence: Evidence) -> None:
    above, below = label(shown.called(evidence.above)), label(shown.called(evidence.below))
    if evidence.direct:
        st.markdown(f"**They met in {_counted(evidence.direct)}**")
        _links(shown, evidence.direct, (evidence.above, evidence.below))
    elif evidence.chain:
        st.markdown(
            f"**They never met.** The shortest way from {above} to {below} leads over {_counted(evidence.chain)}:"
        )
        _links(shown, evidence.chain, (evidence.above, evidence.below))
    elif alone := _scores(shown, evidence):
        st.markdown("**They never met.** Each was scored by itself:")
        _links(shown, alone, (evidence.above, evidence.below))
    else:
        st.markdown("**They never met**, and no chain of matches joins them: their order rests on an assumption.")


def _counted(views: Sequence[Entry]) -> str:
    kinds = [kind_of(view).lower() for view in views]
    return " and ".join(plural(kinds.count(kind), kind) for kind in ("match", "list") if kind in kinds)


def _scores(shown: Shown, evidence: Evidence) -> list[Entry]:
    """Where each of the two was scored by itself; empty unless both were."""
    pair = (evidence.above, evidence.below)
    found: list[Entry] = [v for v in shown.weighed.listings.values() if v.single and v.texts[0] in pair and v.decided]
    return found if {texts_of(view)[0] for view in found} == {*pair} else []


MOST_LINKS = 12


def _links(shown: Shown, views: Sequence[Entry], pair: tuple[str, str]) -> None:
    for view in views[:MOST_LINKS]:
        kind = kind_of(view)
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button(
                f"Open {kind.lower()} {view.place}", icon=":material/open_in_new:", key=f"why_{view.place}",
                on_click=open_match, args=(view.place,),
            )  # fmt: skip
            st.markdown(f"Round {view.round}: {_line(shown, view, pair)}", width="content")
    if len(views) > MOST_LINKS:
        st.markdown(f"{len(views) - MOST_LINKS} more stand in the table of all that was judged.")


def _line(shown: Shown, view: Entry, pair: tuple[str, str]) -> str:
    if isinstance(view, MatchView):
        a, b = shown.called(view.a), shown.called(view.b)
        return f"{label(a)} against {label(b)}. **{label(outcome_words(view, a, b), 120)}.**"
    fates = [f"{shown.called(alias)}: {fate_of(shown, view, alias)}" for alias in pair if alias in texts_of(view)]
    size = "" if view.single else f"{plural(len(view.texts), 'text')} in one list. "
    return f"{size}**{label('; '.join(fates), 200)}.**"
