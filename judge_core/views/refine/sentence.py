"""A tournament in words: how it ended, how far its judges agreed, and what became of each pass."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from judge_core.records.event import RunStatus
from judge_core.records.refinement.events import PassComplete
from judge_core.records.refinement.nouns import VERSIONS, Outcome, Version
from judge_core.views.refine.state import PassView, RefineState

HARDLY, PARTLY = 0.2, 0.6
"""Mean rank correlation of two judges below which they hardly agree, and below which they agree in part."""
NAMES: Mapping[Version, str] = {"A": "the incumbent", "B": "the revision", "AB": "the synthesis"}
_ENDS: Mapping[Outcome, str] = {
    "converged": "Converged after {passes}: the incumbent won {k} in a row.",
    "accepted": "Accepted by a person after {passes}, as it stands.",
    "score_stable": "Stopped after {passes}: the points hardly moved any more. That is no convergence.",
    "winner_stable": "Stopped after {passes}: the same kind of challenger won again and again. That is no convergence.",
    "max_rounds": "Stopped after {passes}, the last one allowed: the incumbent had not won {k} in a row.",
    "failed": "Failed after {passes}.",
}

_BROKEN_OFF: Mapping[RunStatus, str] = {
    "failed": "Failed after {passes}: it broke off before it came to an end.",
    "cancelled": "Cancelled after {passes}.",
}


class Verdict(NamedTuple):
    """The end in a sentence, and the remarks that belong to it."""

    sentence: str
    remarks: tuple[str, ...]

    @property
    def text(self) -> str:
        """All of it."""
        return " ".join((self.sentence, *self.remarks))


def verdict(state: RefineState) -> Verdict:
    """How the tournament stands, or ended, with what must be known beside it."""
    remarks = [changed_words(state), agreement_words(state)]
    if any(judge.provider == "offline" for judge in state.spec.judges):
        remarks.append("The offline demo judge is not an LLM: this shows how the product works, no more.")
    return Verdict(end_words(state), tuple(remarks))


def end_words(state: RefineState) -> str:
    """How it ended; or, while passes are to come, how far it is."""
    passes = _passes(len(state.decided))
    if state.ended is not None:
        return _ENDS[state.ended.outcome].format(passes=passes, k=state.spec.stopping.k)
    if state.status in _BROKEN_OFF:
        return _BROKEN_OFF[state.status].format(passes=passes)
    return f"Not ended: {passes} decided so far, the incumbent's streak is {state.streak} of {state.spec.stopping.k}."


def changed_words(state: RefineState) -> str:
    """Whether the first version still stands."""
    new = [view.number for view in state.decided if view.decision and view.decision.effective != "A"]
    if not new:
        return "No challenger did better: the text is the one that was given, word for word."
    before, after = state.first.words, state.incumbent.words
    times = "once" if len(new) == 1 else f"{len(new)} times"
    return f"The text was replaced {times}, last in pass {new[-1]} ({before:,} words at first, now {after:,})."


def agreement_words(state: RefineState) -> str:
    """How far the judges agreed, with what chance alone would give: judges who draw lots come to 1 / their number."""
    found, panel = state.agreement, len(state.spec.panel)
    if panel < 2:
        return "There was one judge alone: nothing tells whether another one would agree."
    if found is None:
        return "Of the judges' agreement nothing can be told: no pass had rankings of versions that differ."
    figures = f"Kendall's W {found:.2f}; drawing lots gives {1 / panel:.2f}"
    alike = rank_correlation(found, panel)
    if alike < HARDLY:
        return f"The judges hardly agree ({figures}): the result may be chance."
    return f"The judges agree {'in part' if alike < PARTLY else 'largely'} ({figures})."


def rank_correlation(w: float, judges: int) -> float:
    """Mean rank correlation of two judges of so many, from their agreement.

    >>> rank_correlation(1.0, 3), rank_correlation(0.5, 2)
    (1.0, 0.0)
    """
    return (judges * w - 1) / (judges - 1)


def hardly_agree(state: RefineState) -> bool:
    """Whether the judges agree so little that the result may be chance."""
    panel = len(state.spec.panel)
    return state.agreement is not None and panel > 1 and rank_correlation(state.agreement, panel) < HARDLY


def pass_words(state: RefineState, view: PassView) -> str:
    """A pass in one line: who won by how many points, the streak, the judges' agreement."""
    decision = view.decision
    if decision is None:
        return f"Pass {view.number} is going on."
    if decision.winner is None:
        return (
            f"Pass {view.number}: no decision, only {decision.valid_judges} of {len(state.spec.panel)} judges ranked."
        )
    points = ", ".join(f"{label} {decision.scores[label]:g}" for label in VERSIONS)
    agreement = "" if view.agreement is None else f", agreement {view.agreement:.2f}"
    streak = f"streak {decision.streak} of {state.spec.stopping.k}"
    return f"Pass {view.number}: {_won(decision)} (points {points}), {streak}{agreement}."


def _won(decision: PassComplete) -> str:
    assert decision.winner is not None
    if decision.winner == "A":
        return "the incumbent stays"
    if decision.effective == "A":
        return f"the incumbent stays, since {decision.winner} has its very words"
    return f"{NAMES[decision.winner]} {decision.winner} wins"


def _passes(number: int) -> str:
    return f"{number} pass{'' if number == 1 else 'es'}"
