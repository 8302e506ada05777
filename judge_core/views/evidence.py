"""What a folded run says to the rating methods, and on what of it the published rating rests."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

from judge_core.ranking.bradley_terry import Terms, Verdicts
from judge_core.ranking.comparison import Comparison, Ranked
from judge_core.ranking.evidence import Grading, Said, shares, terms_of
from judge_core.records.spec import Evidence, Spec
from judge_core.scoring.grades import Declared, graded
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


def said(state: RunState) -> Said:
    """All judgments of a run that count."""
    return Said(
        [(view.a, view.b, judgment) for view in state.matches.values() for judgment in view.judgments],
        [(view.round, view.texts, view.judgments) for view in state.listings.values()],
    )


def verdicts(state: RunState, basis: Basis = PUBLISHED) -> Verdicts:
    """All decided judgments of a run, each weighted with its judge's share of the panel."""
    return said(state).verdicts(grading(state.spec, basis), shares(state.spec))


def comparisons(state: RunState, basis: Basis = PUBLISHED) -> Iterator[Comparison]:
    """Each decided judgment of a match as one comparison."""
    return said(state).comparisons(grading(state.spec, basis), shares(state.spec))


def rankings_by_place(state: RunState) -> dict[int, list[Ranked]]:
    """The decided judgments of each list; those of a list and of its reverse count half each."""
    places = [view.place for view in state.listings.values() if not view.single]
    return dict(zip(places, said(state).rankings(shares(state.spec)), strict=True))


def declared(state: RunState, basis: Basis = PUBLISHED) -> Declared:
    """On what of the judgments of matches the rating rests."""
    return graded([judgment for _, _, judgment in said(state).met], _evidence(state.spec, basis)).declared


def grading(spec: Spec, basis: Basis) -> Grading:
    """What of judgments of matches counts."""
    return lambda judgments: graded(judgments, _evidence(spec, basis)).grades


def terms(spec: Spec, basis: Basis, rated: Collection[str]) -> Terms:
    """The terms of the model for a rating of these texts of a run; an anchor of any other holds nothing."""
    return replace(
        terms_of((text for text in spec.texts if text.alias in rated), _evidence(spec, basis)),
        lengths={text.alias: float(max(text.words, 1)) for text in spec.texts} if basis.length else None,
        discrimination=basis.discrimination and len(spec.judges) > 1,
    )


def _evidence(spec: Spec, basis: Basis) -> Evidence:
    return basis.evidence or spec.evidence
