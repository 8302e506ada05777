"""What a folded run says to the rating methods, and on what of it the published rating rests."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from judge_core.ranking.bradley_terry import Terms, Verdicts
from judge_core.ranking.comparison import Comparison, Ranked, Score
from judge_core.ranking.evidence import Met, list_rankings, pair_comparisons, shares, text_scores
from judge_core.records.spec import Evidence, Spec
from judge_core.scoring.grades import Declared, Graded, graded
from judge_core.views.state import RunState


@dataclass(frozen=True, slots=True)
class Basis:
    """On what a rating rests, beside the verdicts themselves. The default is what a run publishes."""

    evidence: Evidence | None = None
    """None: as the run was set to."""
    discrimination: bool = False
    """Judges who tell texts apart more sharply count for more; estimated without reference labels."""
    length: bool = False
    """What longer texts gain by their length alone is estimated and taken out."""


PUBLISHED = Basis()


def verdicts(state: RunState, basis: Basis = PUBLISHED) -> Verdicts:
    """All decided judgments of a run, each weighted with its judge's share of the panel."""
    return Verdicts(tuple(comparisons(state, basis)), tuple(rankings(state)), tuple(scores(state)))


def declared(state: RunState, basis: Basis = PUBLISHED) -> Declared:
    """On what of the judgments of matches the rating rests."""
    return _graded(state, basis)[1].declared


def comparisons(state: RunState, basis: Basis = PUBLISHED) -> Iterator[Comparison]:
    """Each decided judgment of a match as one comparison."""
    met, found = _graded(state, basis)
    return pair_comparisons(met, found.grades, shares(state.spec))


def _graded(state: RunState, basis: Basis) -> tuple[list[Met], Graded]:
    met = [(view.a, view.b, judgment) for view in state.matches.values() for judgment in view.judgments]
    return met, graded([judgment for _, _, judgment in met], basis.evidence or state.spec.evidence)


def rankings(state: RunState) -> Iterator[Ranked]:
    """Each decided judgment of a list."""
    for found in rankings_by_place(state).values():
        yield from found


def rankings_by_place(state: RunState) -> dict[int, list[Ranked]]:
    """The decided judgments of each list; those of a list and of its reverse count half each."""
    weights, lists = shares(state.spec), [view for view in state.listings.values() if not view.single]
    asked = {(view.round, view.texts): view.judgments for view in lists}
    turned = {view.place: asked.get((view.round, view.texts[::-1]), ()) for view in lists}
    return {v.place: list(list_rankings(v.texts, v.judgments, weights, turned[v.place])) for v in lists}


def scores(state: RunState) -> Iterator[Score]:
    """Each decided judgment of a text by itself."""
    weights = shares(state.spec)
    for view in state.listings.values():
        if view.single:
            yield from text_scores(view.texts[0], view.judgments, weights)


def terms(spec: Spec, basis: Basis, rated: Collection[str]) -> Terms:
    """The terms of the model for a rating of these texts of a run; an anchor that nothing was said about holds nothing."""
    return Terms(
        margins=(basis.evidence or spec.evidence) != "winner",
        lengths={text.alias: float(max(text.words, 1)) for text in spec.texts} if basis.length else None,
        discrimination=basis.discrimination and len(spec.judges) > 1,
        anchors={text.alias: text.anchor for text in spec.texts if text.anchor is not None and text.alias in rated},
    )
