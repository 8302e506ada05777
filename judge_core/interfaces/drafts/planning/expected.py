"""What order to expect of a plan, from simulation, in plain words."""

from __future__ import annotations

from judge_core.interfaces.drafts.planning.foresight import is_narrowed, rounds_played, sketch
from judge_core.interfaces.drafts.records import Plan
from judge_core.ranking.certainty import expected_order, expected_top_precision, expected_winner, sentence
from judge_core.ranking.certainty.expectation import PLAIN_SHARES
from judge_core.ranking.schedules.schedule import planned
from judge_core.records.spec import Spec


def expectation(plan: Plan, n: int) -> str:
    """What certainty to expect of a plan for n texts."""
    if n < 2:
        return sentence(n, 1)
    spec = sketch(plan, n)
    if spec.goal is None:
        return _at_the_end(spec)
    last = f"Settled or not, it ends {_latest(spec)}"
    if about_a_cut(spec):
        return f"{last}. Texts far from the cut are hardly put in order."
    said = _at_the_end(spec)
    return f"{last}; then {said[0].lower()}{said[1:]}"


def _latest(spec: Spec) -> str:
    """When a run ends whose goal is not reached."""
    if spec.method == "adaptive":
        return f"after {planned(spec).matches:,} comparisons"
    if spec.method == "round-robin" and not spec.rematches:
        return "when all pairs have met"
    rounds = rounds_played(spec)
    return f"after {rounds} round{'' if rounds == 1 else 's'}"


def _at_the_end(spec: Spec) -> str:
    """What the whole schedule leaves."""
    n = len(spec.texts)
    if not is_narrowed(spec):
        return sentence(n, spec.rounds, method=spec.method, group_size=spec.group_size, scores_first=spec.warm_start)
    return (
        f"In simulation, three rounds narrowed to the best quarter keep about {expected_top_precision(n):.0%} of the texts "
        f"that belong there, if the judge decides 80% of random pairs rightly. This plan has {rounds_played(spec)} "
        "rounds. To rely on who is in and who is out, let it run until they are settled."
    )


def expected_briefly(spec: Spec) -> str:
    """The same in a few words, for a judge that decides 80% of random pairs rightly."""
    n = len(spec.texts)
    if about_a_cut(spec) or is_narrowed(spec):
        return "most of them about texts near the cut"
    if spec.method == "knockout":
        return f"the best text wins about {expected_winner(n)[0]:.0%} of the time"
    tau = expected_order(spec.method, n, rounds_played(spec), group_size=spec.group_size, scores_first=spec.warm_start)
    share = min(PLAIN_SHARES, key=lambda plain: abs(plain - (1 + tau) / 2))
    best = "at best " if spec.method == "pointwise" or spec.warm_start else ""  # if its single scores are fine enough
    return f"{best}about {share.numerator} in {share.denominator} pairs in the right order"


def about_a_cut(spec: Spec) -> bool:
    """Whether the pairs are chosen for a cut, not for the whole order."""
    return spec.method == "adaptive" and spec.goal is not None and spec.goal.kind != "order"
